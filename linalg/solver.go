package linalg

import (
	"fmt"

	"caloric/internal/misuse"
	"caloric/nd"
)

// SolverOption sets how an iterative solver starts and when it stops.
type SolverOption func(*settings)

type settings struct {
	rtol, atol float64
	maxIter    int // negative for the default
	start      any // *nd.NDArray[T]
	callback   any // func(int, *nd.NDArray[T], float64)

	precondition any // preconditionerOf[T]
	damp         float64
	restart      int
}

func newSettings(opts []SolverOption) settings {
	s := settings{rtol: 1e-5, maxIter: -1, restart: 20}
	for _, o := range opts {
		o(&s)
	}
	return s
}

// Rtol stops a solver when the residual's norm is at most rtol times that of the
// right-hand side. It is 1e-5 by default. Panics if rtol is negative or NaN.
func Rtol(rtol float64) SolverOption {
	notNegative("the relative tolerance", rtol)
	return func(s *settings) { s.rtol = rtol }
}

func notNegative(what string, x float64) {
	if !(x >= 0) {
		misuse.Panic("%s is %v", what, x)
	}
}

// Atol stops a solver when the residual's norm is at most atol, even if [Rtol]
// asks for less. It is 0 by default. Panics if atol is negative or NaN.
func Atol(atol float64) SolverOption {
	notNegative("the absolute tolerance", atol)
	return func(s *settings) { s.atol = atol }
}

// MaxIter bounds the number of steps, by default ten times the number of unknowns.
// Panics if n is negative.
func MaxIter(n int) SolverOption {
	notNegative("the number of steps", float64(n))
	return func(s *settings) { s.maxIter = n }
}

// Start makes a solver start from x, which it does not change, instead of from
// zero. x has the element type of the right-hand side.
func Start[T nd.Inexact](x *nd.NDArray[T]) SolverOption { return func(s *settings) { s.start = x } }

// Callback has f called on every rank after each step with the number of steps
// so far, the iterate, which f must not change, and the residual's norm.
func Callback[T nd.Inexact](f func(step int, x *nd.NDArray[T], residual float64)) SolverOption {
	return func(s *settings) { s.callback = f }
}

// Precondition makes [CG], [PipelinedCG], [BiCGSTAB], [GMRES] and [MINRES] use M,
// which is close to A⁻¹ and cheap to apply; see [Jacobi] and [BlockJacobi].
func Precondition[T nd.Inexact](M Operator[T]) SolverOption {
	return func(s *settings) { s.precondition = preconditionerOf[T]{M} }
}

// Damp makes [CGLS] and [LSQR] minimize ‖b − A·x‖² + damp²‖x‖² instead of
// ‖b − A·x‖². It is 0 by default.
func Damp(damp float64) SolverOption { return func(s *settings) { s.damp = damp } }

// Restart bounds the number of vectors that [GMRES] keeps: after n steps it
// starts anew from where it is. It is 20 by default, as in SciPy. Panics if n is
// less than 1.
func Restart(n int) SolverOption {
	if n < 1 {
		misuse.Panic("a restart after %d steps", n)
	}
	return func(s *settings) { s.restart = n }
}

// Reason says why a solver stopped.
type Reason uint8

// The reasons.
const (
	Converged           Reason = iota + 1 // the residual is as small as asked for
	MaxIterations                         // it was not after the most steps allowed
	NotPositiveDefinite                   // xᴴAx was found not to be positive
	NotFinite                             // a number overflowed, or the input had an Inf or NaN
	BadPreconditioner                     // xᴴMx was found not to be positive
	Breakdown                             // a number to divide by is 0, which one [Result.Detail] says
	Minimal                               // the residual is the smallest there is, but not as small as asked for
)

var reasons = [...]string{"no reason", "converged", "the most iterations allowed",
	"the operator is not positive definite", "a number is not finite",
	"the preconditioner is not positive definite", "breakdown", "the residual cannot become smaller"}

// String returns the reason in words.
func (r Reason) String() string { return reasons[r] }

// Result says how a solver went. It is the same on every rank.
type Result struct {
	Reason     Reason
	Iterations int
	Residual   float64   // the residual's norm as the recurrence has it
	Target     float64   // the norm at which the solver stops: max(rtol·‖b‖, atol)
	Residuals  []float64 // the norm at the start and after each step
	Detail     string    // more about the reason, for [Breakdown] the number that is 0
}

// NotConvergedError is the error of a solver that stopped for another [Reason]
// than that it converged. Every rank returns the same.
type NotConvergedError struct {
	Solver string
	Result Result
}

// Error returns the reason, the number of steps, the residual and the target.
func (e *NotConvergedError) Error() string {
	why := e.Result.Reason.String()
	if e.Result.Detail != "" {
		why += ": " + e.Result.Detail
	}
	return fmt.Sprintf("%s did not converge (%s): after %d iterations the residual is %.3g, wanted at most %.3g",
		e.Solver, why, e.Result.Iterations, e.Result.Residual, e.Result.Target)
}
