package nd

import (
	"math"

	"caloric/internal/misuse"
	"caloric/split"
)

// Quantile returns the quantile q, from 0 to 1, of a's elements, computed in
// double precision and rounded to A: 0 is the smallest, 1 the largest, and what
// lies between two elements is interpolated; see [Method]. It is NaN if any
// element is, or if there is none. The place of the quantile is computed in double
// precision whatever the elements are.
//
// Between an infinity and a number, or an infinity equal to it, lies that infinity,
// and NaN between two that differ. NumPy 2.4 often has NaN for all of these, even for
// the smallest element where the next one is infinite, which it lists as a bug
// (issue 21091); its median agrees with this one.
//
//	nd.Quantile[float64](a, 0.9, nd.Over(0), nd.Method("median_unbiased"))
//
// Collective if the split axis is reduced, else local. Result split: None if the
// split axis is reduced, else a's, shifted by the reduced axes before it.
// Communication: if the split axis is reduced, the elements are found where they
// are, by a few allgathervs of samples and counts or allreduces of histograms (each at
// most 1/16 of a rank's share, or 512 bytes) and up to two allgathervs of what is left,
// at most 1/8 of a share or 128 elements; see [Sort]. Floats need an allreduce of 8
// bytes a result beside. Many results of few elements each are instead shared out by
// one alltoallv of a, and gathered. Else none.
// Panics if q is not between 0 and 1, or an axis is out of range or named twice.
func Quantile[A Float, T Real](a *NDArray[T], q float64, opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: []float64{q}, single: true}, opts)
}

// Quantiles returns several quantiles of a's elements; see [Quantile]. The
// result's axis 0 is that of qs.
//
// Collective if the split axis is reduced, else local. Result split: as
// [Quantile], shifted by one. Communication and panics: as [Quantile].
func Quantiles[A Float, T Real](a *NDArray[T], qs []float64, opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: qs}, opts)
}

// QuantileInto sets dst to [Quantile] of a.
//
// Collective if the split axis is reduced or dst is split in another way than the
// result. Result split: dst's. Communication: as [Quantile], and one move of the
// result to dst's layout. Panics as [Quantile] does, or if dst has another shape.
func QuantileInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], q float64, opts ...Option) {
	into(dst, Quantile[A](a, q, opts...))
}

// into sets dst to r, which has the same shape.
func into[A Element](dst, r *NDArray[A]) {
	checkSameShape(dst, r)
	CopyInto(dst, r)
}

// Percentile is [Quantile] of p/100.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [Quantile].
func Percentile[A Float, T Real](a *NDArray[T], p float64, opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: []float64{p / 100}, single: true}, opts)
}

// Percentiles is [Quantiles] of ps, each divided by 100.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [Quantiles].
func Percentiles[A Float, T Real](a *NDArray[T], ps []float64, opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: hundredths(ps)}, opts)
}

// Median returns the middle element of a, or the mean of the middle two; NaN if
// any element is, or if there is none.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [Quantile]. Panics if an axis is out of range or named twice.
func Median[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: []float64{0.5}, single: true, median: true}, opts)
}

// MedianInto sets dst to [Median] of a.
//
// Collective if the split axis is reduced or dst is split in another way than the
// result. Result split: dst's. Communication: as [Median], and one move of the
// result to dst's layout. Panics as [Median] does, or if dst has another shape.
func MedianInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	into(dst, Median[A](a, opts...))
}

// NanQuantile is [Quantile] of the elements that are not NaN.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [Quantile].
func NanQuantile[A Float, T Real](a *NDArray[T], q float64, opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: []float64{q}, single: true, skipNaN: true}, opts)
}

// NanQuantiles is [Quantiles] of the elements that are not NaN.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [Quantiles].
func NanQuantiles[A Float, T Real](a *NDArray[T], qs []float64, opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: qs, skipNaN: true}, opts)
}

// NanPercentile is [Percentile] of the elements that are not NaN.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [Quantile].
func NanPercentile[A Float, T Real](a *NDArray[T], p float64, opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: []float64{p / 100}, single: true, skipNaN: true}, opts)
}

// NanPercentiles is [Percentiles] of the elements that are not NaN.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [Quantiles].
func NanPercentiles[A Float, T Real](a *NDArray[T], ps []float64, opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: hundredths(ps), skipNaN: true}, opts)
}

// NanMedian is [Median] of the elements that are not NaN.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [Quantile]. Panics if an axis is out of range or named twice.
func NanMedian[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return quantiles[A](a, quantileQuery{qs: []float64{0.5}, single: true, median: true, skipNaN: true}, opts)
}

func hundredths(ps []float64) []float64 {
	qs := make([]float64, len(ps))
	for i, p := range ps {
		qs[i] = p / 100
	}
	return qs
}

// quantileQuery is what is asked of the elements that are reduced together.
type quantileQuery struct {
	qs              []float64
	single          bool // qs is one quantile, without an axis of its own
	median, skipNaN bool
	method          quantileMethod
}

// places returns the positions among n sorted elements that the answers need, two
// for each of qs.
func (q *quantileQuery) places(n int) []int {
	at := make([]int, 2*len(q.qs))
	for i, x := range q.qs {
		at[2*i], at[2*i+1], _ = q.method.index(n, x)
	}
	return at
}

// answer returns quantile i of n elements from the two at its places.
func (q *quantileQuery) answer(i, n int, lo, hi float64) float64 {
	if q.median {
		return (lo + hi) / 2
	}
	_, _, w := q.method.index(n, q.qs[i])
	return lerp(lo, hi, w)
}

func quantiles[A Float, T Real](a *NDArray[T], q quantileQuery, opts []Option) *NDArray[A] {
	q.method = quantileMethods[0]
	for _, o := range opts {
		if o.kind == methodOption {
			q.method = quantileMethods[o.n]
		}
	}
	for _, x := range q.qs {
		if !(x >= 0 && x <= 1) {
			misuse.Panic("quantile %v (percentile %v) is not between 0 and 1 (100)", x, 100*x)
		}
	}
	r := resolve(a, opts)
	r.plain()
	axes := r.axes(a.NDim())
	l, _ := split.Reduce(a.layout, axes, r.keepDims)
	counts, values := orderingOf[T]().places(a, axes, 2*len(q.qs), func(n int) []int {
		if n == 0 || n < r.count && !q.skipNaN {
			return nil
		}
		return q.places(n)
	})
	if !q.single {
		l = stackedLayout(l, len(q.qs))
	}
	out := newArray[A](a.comm, l)
	for i := range q.qs {
		for j, n := range counts {
			v := math.NaN()
			if n > 0 && (n == r.count || q.skipNaN) {
				p := 2 * (j*len(q.qs) + i)
				v = q.answer(i, n, float64(values[p]), float64(values[p+1]))
			}
			out.data[i*len(counts)+j] = A(v)
		}
	}
	return out
}

// stackedLayout returns the layout of n arrays of layout l along a new first axis.
func stackedLayout(l *split.Layout, n int) *split.Layout {
	shape := append(Shape{n}, l.Shape()...)
	if l.Replicated() {
		return split.Block(shape, split.None, l.Ranks())
	}
	return split.WithCounts(shape, l.Axis()+1, l.Counts())
}
