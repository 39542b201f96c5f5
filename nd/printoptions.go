package nd

import (
	"strings"

	"caloric/internal/misuse"
)

// A PrintOption changes how [Fprint], [Print] and [Sprint] write an array. They
// are given with each call: there is no setting that another part of a program
// could change.
type PrintOption func(*printing)

// printing holds how one array is written.
type printing struct {
	precision int    // the most digits after the point
	threshold int    // the most elements that are all shown
	edge      int    // how many items are shown at each end of a longer axis
	width     int    // the longest line
	suppress  bool   // no exponents for small numbers
	separator string // between elements
	optioned  bool   // a number without axes is written as in an array, not with all digits
}

func newPrinting(opts []PrintOption) printing {
	p := printing{precision: 8, threshold: 1000, edge: 3, width: 75, separator: " ", optioned: len(opts) > 0}
	for _, o := range opts {
		o(&p)
	}
	return p
}

// Precision shows at most n digits after the decimal point; without it 8.
// Panics if n is negative.
func Precision(n int) PrintOption {
	atLeast(0, n, "digits")
	return func(p *printing) { p.precision = n }
}

// Threshold shows all elements of arrays of at most n, and the corners of larger
// ones; without it n is 1000. Panics if n is negative.
func Threshold(n int) PrintOption {
	atLeast(0, n, "elements")
	return func(p *printing) { p.threshold = n }
}

// EdgeItems shows n items at each end of an axis that is summarized; without it 3.
// Panics if n is less than 1.
func EdgeItems(n int) PrintOption {
	atLeast(1, n, "items")
	return func(p *printing) { p.edge = n }
}

// LineWidth breaks lines after n characters; without it 75. Panics if n is less
// than 1.
func LineWidth(n int) PrintOption {
	atLeast(1, n, "characters")
	return func(p *printing) { p.width = n }
}

// SuppressSmall writes small floats without exponents, and so as zeros where they
// have no digits within the precision.
func SuppressSmall() PrintOption {
	return func(p *printing) { p.suppress = true }
}

// Separator writes s between elements instead of a space. Panics if s has a line
// break.
func Separator(s string) PrintOption {
	if strings.Contains(s, "\n") {
		misuse.Panic("the separator %q has a line break", s)
	}
	return func(p *printing) { p.separator = s }
}

func atLeast(least, n int, what string) {
	if n < least {
		misuse.Panic("%d %s, want at least %d", n, what, least)
	}
}
