package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
)

// Ptp returns the largest element minus the smallest, NaN if any element is.
// Integers wrap, as in NumPy.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of two elements a result if the split axis is
// reduced, else none. Panics if an axis is out of range or named twice, or if
// there are no elements to choose from.
func Ptp[T Real](a *NDArray[T], opts ...Option) *NDArray[T] {
	return reduceTo(ptpOf[T]{}, a, resolveSome(a, opts))
}

// PtpInto sets dst to [Ptp] of a; see [VarInto].
func PtpInto[T Real](dst, a *NDArray[T], opts ...Option) {
	reduceInto(ptpOf[T]{}, dst, a, resolveSome(a, opts))
}

// Unbiased corrects [Skew] and [Kurtosis] for the bias of a sample, as SciPy does
// with bias=False. Fewer than 3 or 4 elements are not corrected.
func Unbiased() Option { return Option{kind: unbiasedOption} }

// Pearson makes 3 the [Kurtosis] of a normal distribution, as SciPy does with
// fisher=False; else it is 0.
func Pearson() Option { return Option{kind: pearsonOption} }

func hasOption(opts []Option, kind optionKind) bool {
	for _, o := range opts {
		if o.kind == kind {
			return true
		}
	}
	return false
}

// Skew returns the skewness, the third central moment divided by the power 3/2
// of the second, as scipy.stats.skew does, but of the whole array without [Over];
// see [Unbiased]. It is NaN if an element is, if there is none, or if all are
// equal. Moments of parts are merged by the formulas of Pébay 2008, so that nothing cancels.
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 48 bytes a result if the split axis is
// reduced, else none. Panics if an axis is out of range or named twice.
func Skew[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(skewOf[T, A]{unbiased: hasOption(opts, unbiasedOption)}, a, resolve(a, opts))
}

// SkewInto sets dst to [Skew] of a; see [VarInto].
func SkewInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	reduceInto(skewOf[T, A]{unbiased: hasOption(opts, unbiasedOption)}, dst, a, resolve(a, opts))
}

// Kurtosis returns the excess kurtosis, the fourth central moment divided by the
// square of the second, minus 3, as scipy.stats.kurtosis does, but of the whole
// array without [Over]; see [Unbiased] and [Pearson]. It is NaN if an element is,
// if there is none, or if all are equal.
//
// Collective if the split axis is reduced, else local. Result split and
// communication: as [Skew]. Panics if an axis is out of range or named twice.
func Kurtosis[A Float, T Real](a *NDArray[T], opts ...Option) *NDArray[A] {
	return reduceTo(kurtosis[T, A](opts), a, resolve(a, opts))
}

// KurtosisInto sets dst to [Kurtosis] of a; see [VarInto].
func KurtosisInto[A Float, T Real](dst *NDArray[A], a *NDArray[T], opts ...Option) {
	reduceInto(kurtosis[T, A](opts), dst, a, resolve(a, opts))
}

func kurtosis[T Real, A Float](opts []Option) kurtosisOf[T, A] {
	return kurtosisOf[T, A]{unbiased: hasOption(opts, unbiasedOption), pearson: hasOption(opts, pearsonOption)}
}

// Average returns the mean of a's elements, weighted with weights: the sum of
// the products divided by the sum of the weights, in double precision. The
// weights broadcast to a's shape, or have the shape of the axes given by [Over],
// in their order. Without weights, nil, it is [Mean]. Where the weights add up to
// 0 it is NaN or infinite, where NumPy's average is an error.
//
//	nd.Average[float64](a, w, nd.Over(0))
//
// Collective if the split axis is reduced, else local. Result split: as [Sum].
// Communication: one allreduce of 16 bytes a result if the split axis is reduced,
// else none; and one move of the weights if they are split in another way than a.
// Panics if an axis is out of range or named twice, or the weights do not fit.
func Average[A Float, T, W Real](a *NDArray[T], weights *NDArray[W], opts ...Option) *NDArray[A] {
	avg, _ := AverageSum[A](a, weights, opts...)
	return avg
}

// AverageSum returns [Average] of a, and the sums of the weights, which NumPy's
// average returns beside it with returned=True.
//
// Collective if the split axis is reduced, else local. Result split,
// communication and panics: as [Average].
func AverageSum[A Float, T, W Real](a *NDArray[T], weights *NDArray[W], opts ...Option) (avg, sum *NDArray[A]) {
	r := resolve(a, opts)
	r.plain()
	l, _ := split.Reduce(a.layout, r.axes(a.NDim()), r.keepDims)
	avg, sum = newArray[A](a.comm, l), newArray[A](a.comm, l)
	if weights == nil {
		reduceLocal(meanOf[T, float64, A]{}, avg, a, &r)
		fill(sum.data, A(r.count))
		return avg, sum
	}
	weights = weightsAlong(a, weights, opts, &r)
	for j, s := range reducePair(averageOf[T, W, A]{}, a, weights, &r, len(avg.data)) {
		avg.data[j], sum.data[j] = A(s.sum/s.weights), A(s.weights)
	}
	return avg, sum
}

// weightsAlong returns the weights with an axis for each of a's, if they have
// the shape of the axes that are reduced, else as they are.
func weightsAlong[T, W Element](a *NDArray[T], weights *NDArray[W], opts []Option, r *reduction) *NDArray[W] {
	shape := a.layout.Shape()
	for _, o := range opts {
		if o.kind != overOption || int(o.n) != weights.NDim() {
			continue
		}
		// Of each reduced axis, in ascending order, where it is among the options.
		perm := make([]int, 0, o.n)
		fits := true
		var kept []int
		for k := range shape {
			if !r.reduced[k] {
				kept = append(kept, k)
				continue
			}
			for i, x := range o.axes[:o.n] {
				if axis, _ := split.NormalizeAxis(int(x), len(shape)); axis == k {
					perm = append(perm, i)
					fits = fits && weights.layout.Shape()[i] == shape[k]
				}
			}
		}
		if fits {
			weights = weights.Transpose(perm...)
			if len(kept) > 0 {
				weights = ExpandDims(weights, kept...)
			}
			break
		}
	}
	sameComm(a.comm, weights.comm)
	if !broadcastsTo(weights.layout.Shape(), shape) {
		misuse.Panic("weights of shape %v for an array of shape %v", weights.layout.Shape(), a.layout)
	}
	return weights
}
