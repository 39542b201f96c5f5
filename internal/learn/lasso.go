package learn

import (
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
)

// LassoOptions says when Lasso stops and whom it tells.
type LassoOptions struct {
	// Sweeps is the most sweeps over the features to take.
	Sweeps int
	// Tol stops when the duality gap is at most Tol times the mean square of the
	// centered target, which is scikit-learn's measure. Without it, at 0, Lasso stops
	// when a sweep changes nothing, as it does in any case. At a lambda of 0 the gap
	// does not become small; linalg.LstSq is the better choice there.
	Tol float64
	// Progress, if not nil, is called on every rank after each sweep with its number
	// and the duality gap.
	Progress func(sweep int, gap float64)
}

// LassoResult is a fitted model: Intercept + x·Coefficients.
type LassoResult struct {
	Coefficients []float64
	Intercept    float64
	Gap          float64 // the objective is no more than this above its minimum
	Objective    float64
	R2           float64 // share of the target's variance; NaN if it has none
	Sweeps       int     // taken
	Converged    bool    // before the sweeps ran out
}

// Lasso minimizes ‖y - b - Xw‖²/(2n) + λ‖w‖₁ over w and b by cyclic coordinate
// descent (Friedman, Hastie and Tibshirani 2010, "Regularization paths for
// generalized linear models via coordinate descent", Journal of Statistical Software
// 33): what a sweep needs of the samples are the covariances of the features, which
// are added up over the ranks once. The sweeps work on those and communicate nothing.
//
// Tables of more than 1024 features are taken in blocks of 1024: a block's
// covariances are added up once, and in each sweep the products of its features with
// the residual. The steps are the same ones.
//
// Features and target are centered, not scaled; a feature of one value has the
// coefficient 0. Sums are in double precision. The error, the same on every rank,
// names the first number that is not finite.
//
// Collective. Result: replicated. Communication for p ≤ 1024 features: one allreduce
// of 8p bytes, one of 8 and one of 8(p+1)². For more the last is one for each block,
// and in each sweep there is one of 8·1024 for each block and one of 8(p+1). Before that one alltoallv if x is split along axis 1, and a move of y if its
// layout is another one. Extra memory: the covariances; a copy of x if it is not
// split along axis 0 or is a view with gaps.
// Panics if x does not have two axes and y one of as many elements as x has rows, or
// if lambda, Sweeps or Tol is negative or not finite.
func Lasso[T nd.Float](x, y *nd.NDArray[T], lambda float64, opts LassoOptions) (*LassoResult, error) {
	return lasso(x, y, lambda, opts, 1024)
}

func lasso[T nd.Float](x, y *nd.NDArray[T], lambda float64, opts LassoOptions, block int) (*LassoResult, error) {
	xs, ys := x.Shape(), y.Shape()
	if len(xs) != 2 || len(ys) != 1 || xs[0] != ys[0] {
		misuse.Panic("features of shape %v and a target of shape %v: there must be a target for each row", xs, ys)
	}
	if !(lambda >= 0) || math.IsInf(lambda, 0) || opts.Sweeps < 0 || !(opts.Tol >= 0) {
		misuse.Panic("lambda %v, %d sweeps, a tolerance of %v: none may be negative", lambda, opts.Sweeps, opts.Tol)
	}
	if xs[0] == 0 {
		return nil, fmt.Errorf("a table of shape %v has no samples", xs)
	}
	x = byRows(x)
	y = withRowsOf(x, y)
	f := newDescent(x, y, lambda, block)
	r := &LassoResult{}
	r.Gap, r.Objective = f.gap()
	for change := true; r.Sweeps < opts.Sweeps && change && !r.Converged; {
		change = f.sweep()
		r.Sweeps++
		r.Gap, r.Objective = f.gap()
		r.Converged = !change || opts.Tol > 0 && r.Gap <= opts.Tol*f.yy
		if opts.Progress != nil {
			opts.Progress(r.Sweeps, r.Gap)
		}
	}
	if math.IsNaN(r.Objective) || math.IsInf(r.Objective, 0) {
		if err := CheckFinite(x, "the features"); err != nil {
			return nil, err
		}
		if err := CheckFinite(y, "the target"); err != nil {
			return nil, err
		}
		return nil, errTooLarge
	}
	r.Coefficients, r.Intercept = f.w, f.center
	for j, w := range f.w {
		r.Intercept -= f.mean[j] * w
	}
	r.R2 = 1 - f.rr/f.yy
	return r, nil
}
