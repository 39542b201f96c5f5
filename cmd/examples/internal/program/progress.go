package program

import (
	"fmt"
	"io"
	"os"
	"time"

	"caloric/spmd"
)

// Progress is a line on the terminal that says how far a program is.
type Progress struct {
	w     io.Writer // nil if there is no one to see it
	next  time.Time
	shown bool
}

// NewProgress returns a line that rank 0 writes to standard error if that is a
// terminal. Nothing is written elsewhere.
func NewProgress(c *spmd.Comm) *Progress {
	if s, err := os.Stderr.Stat(); c.Rank() != 0 || err != nil || s.Mode()&os.ModeCharDevice == 0 {
		return &Progress{}
	}
	return &Progress{w: os.Stderr}
}

// Print puts a text in the place of the last one, at most ten times a second.
func (p *Progress) Print(format string, args ...any) {
	if p.w == nil || time.Now().Before(p.next) {
		return
	}
	p.next, p.shown = time.Now().Add(100*time.Millisecond), true
	fmt.Fprintf(p.w, "\r\x1b[K"+format, args...)
}

// Clear empties the line.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.shown = false
}
