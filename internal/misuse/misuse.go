// Package misuse holds the error of a mistake in the program, which the public
// packages panic with and nd.Try catches.
package misuse

import (
	"fmt"

	"caloric/internal/caller"
)

// Error is a mistake in the program: shapes that do not fit, an axis out of
// range, a communicator that is not the operand's. Every rank that makes the
// same call gets the same Error.
type Error struct {
	Func string // the function that was called, "nd.Add"
	File string // the user's source file
	Line int
	Text string // what is wrong, with shapes and splits
}

// Error returns "nd.Add at dir/main.go:12: shapes (3, 4) and (5,) do not broadcast".
func (e *Error) Error() string {
	return caller.Site{Func: e.Func, File: e.File, Line: e.Line}.String() + ": " + e.Text
}

// Misuse marks the error as one that explains itself without a stack.
func (e *Error) Misuse() {}

// Panic panics with an Error of the given text at the user's call into the library.
func Panic(format string, args ...any) {
	s := caller.Find()
	panic(&Error{Func: s.Func, File: s.File, Line: s.Line, Text: fmt.Sprintf(format, args...)})
}

// Communicator is what is needed to name an spmd.Comm.
type Communicator interface {
	String() string
	Origin() string
}

// Comms names two communicators so that they can be told apart.
func Comms(a, b Communicator) string {
	x, y := a.Origin(), b.Origin() // which nil ones do not have: that panics
	x, y = a.String()+" in "+x, b.String()+" in "+y
	if x == y {
		y += " of another run"
	}
	return x + " and " + y
}

// Check panics with err's text if err is not nil.
func Check(err error) {
	if err != nil {
		Panic("%v", err)
	}
}
