package learn

import (
	"errors"
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// KMeansOptions says when KMeans stops and whom it tells.
type KMeansOptions struct {
	// Steps is the most steps to take.
	Steps int
	// Tol stops after a step in which the squares of the centers' moves add up to
	// no more than Tol times the mean of the columns' variances. Without it, at 0,
	// KMeans stops when no row changes its cluster, as it does in any case.
	Tol float64
	// Progress, if not nil, is called on every rank after each step with the number
	// of the step, of the rows that changed their cluster in it, and the length of
	// the centers' move.
	Progress func(step, changed int, moved float64)
}

// KMeansResult is a clustering.
type KMeansResult[T nd.Float] struct {
	Centers   *nd.NDArray[T]     // k rows, replicated
	Labels    *nd.NDArray[int64] // of each row the center that is nearest, split along axis 0
	Counts    []int              // rows of each cluster
	Inertia   float64            // squared distances of the rows to their centers, added up
	Steps     int                // taken
	Converged bool               // before the steps ran out
}

// KMeans moves the rows of centers, k of them, to where the squared distances of
// the rows of x to the nearest center add up to a local minimum: Lloyd's algorithm
// (1982, "Least squares quantization in PCM"). A step finds each row's nearest
// center, the first one of equals, and moves each center to the mean of its rows. A
// center that has lost all rows moves to the row farthest from its own center, which
// takes that row out of its cluster; it stays where it is if there is none.
//
// The error, the same on every rank, names the first number that is not finite.
//
// Collective. Result split: see KMeansResult. Communication: one allreduce of
// 8k(d+1)+8 bytes a step of a table of d columns; for a center without rows one of
// 24 bytes and a broadcast of a row; at the end one of 8k+8 bytes; for a Tol one of
// 24d bytes. Before that one alltoallv if x is split along axis 1. Extra memory: 16
// bytes a row; a copy of x if it is not split along axis 0 or is a view with gaps.
// Panics if x or centers do not have two axes, or not as many columns, if there are
// no centers or more than rows, or if Steps or Tol is negative.
func KMeans[T nd.Float](x, centers *nd.NDArray[T], opts KMeansOptions) (*KMeansResult[T], error) {
	checkKMeans(x.Shape(), centers.Shape(), opts)
	f := newLloyd(byRows(x), centers)
	limit := 0.0
	if opts.Tol > 0 {
		limit = opts.Tol * nd.Mean[float64](nd.Var[float64](f.x, nd.Over(0))).Item()
	}
	r := &KMeansResult[T]{}
	settled := false // no row changed its cluster: the labels are those of the centers
	for r.Steps < opts.Steps && !r.Converged {
		changed := f.assign()
		moved, relocated := f.move()
		if math.IsNaN(moved) || math.IsInf(moved, 0) {
			return nil, notFinite(f.x)
		}
		r.Steps++
		settled = changed == 0 && !relocated
		r.Converged = settled || opts.Tol > 0 && moved <= limit
		if opts.Progress != nil {
			opts.Progress(r.Steps, changed, math.Sqrt(moved))
		}
	}
	if !settled {
		f.label(false)
	}
	r.Inertia, r.Counts = f.inertia()
	if math.IsNaN(r.Inertia) || math.IsInf(r.Inertia, 0) {
		return nil, notFinite(f.x)
	}
	c, l := f.x.Comm(), f.x.Layout()
	r.Centers = nd.FromSlice(c, f.centers, nd.Shape{f.k, f.d}, nd.None)
	r.Labels = nd.Wrap(c, split.WithCounts(nd.Shape{x.Shape()[0]}, 0, l.Counts()), f.labels)
	return r, nil
}

func checkKMeans(x, centers nd.Shape, opts KMeansOptions) {
	switch {
	case len(x) != 2 || len(centers) != 2 || x[1] != centers[1]:
		misuse.Panic("a table of shape %v and centers of shape %v: both need two axes and the same columns", x, centers)
	case centers[0] < 1 || centers[0] > x[0]:
		misuse.Panic("%d centers for %d rows", centers[0], x[0])
	case opts.Steps < 0 || !(opts.Tol >= 0):
		misuse.Panic("%d steps and a tolerance of %v: neither may be negative", opts.Steps, opts.Tol)
	}
}

// CheckClusters returns an error if k centers cannot be chosen among the rows of x.
// Local.
func CheckClusters[T nd.Float](x *nd.NDArray[T], k int) error {
	switch s := x.Shape(); {
	case len(s) != 2:
		return fmt.Errorf("the table has shape %v; it needs rows and columns", s)
	case s[1] == 0:
		return errors.New("the table has no columns")
	case k < 1:
		return fmt.Errorf("%d clusters: at least one is needed", k)
	case k > s[0]:
		return fmt.Errorf("%d clusters of %d rows: there are more clusters than rows", k, s[0])
	}
	return nil
}
