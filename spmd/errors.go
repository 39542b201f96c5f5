package spmd

import (
	"fmt"
)

// Error is a failure inside a communication call: the transport failed, the
// ranks' calls did not fit together, or an argument made no sense. Communication
// functions panic with it; [Run] and [Main] turn the panic into an error.
type Error struct {
	Op    string // the operation, "allreduce"
	Rank  int    // the rank on which it failed
	Site  string // the library function and the user's source line
	Cause error
}

// Error returns the operation, the rank, the place and the cause.
func (e *Error) Error() string {
	if e.Site == "" {
		return fmt.Sprintf("spmd: %s on rank %d: %v", e.Op, e.Rank, e.Cause)
	}
	return fmt.Sprintf("spmd: %s on rank %d (%s): %v", e.Op, e.Rank, e.Site, e.Cause)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }
