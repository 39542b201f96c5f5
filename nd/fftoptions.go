package nd

import (
	"math"

	"caloric/internal/misuse"
	"caloric/split"
)

// FFTOption says how a Fourier transform is to be taken: [FFTAxes], [FFTLen],
// [NormOrtho] …, [FFTStay].
type FFTOption interface{ set(o *fftOptions) }

// FFTNorm is where a Fourier transform and its inverse are divided by the length n;
// the names are NumPy's. It is an option.
type FFTNorm uint8

// The norms.
const (
	NormBackward FFTNorm = iota // the inverse by n: the default
	NormOrtho                   // both by √n
	NormForward                 // the transform by n
)

func (n FFTNorm) set(o *fftOptions) { o.norm = n }

// fftOptions are a transform's options as they were given.
type fftOptions struct {
	axes, lengths []int
	norm          FFTNorm
	stay          bool
}

type fftOption func(o *fftOptions)

func (f fftOption) set(o *fftOptions) { f(o) }

// FFTAxes transforms along the given axes; negative ones count from the end. Where
// a function transforms one axis the default is the last, FFT2 and its kin take the
// last two, FFTN and its kin all.
func FFTAxes(axes ...int) FFTOption {
	return fftOption(func(o *fftOptions) { o.axes = append([]int{}, axes...) })
}

// FFTLen sets the lengths of the transform, one for each axis; without [FFTAxes] they
// are those of the last axes. Longer axes are cut off there, shorter ones are
// followed by zeros. -1 stands for the axis' own extent. Where the result is real they
// are the lengths of the result.
func FFTLen(n ...int) FFTOption {
	return fftOption(func(o *fftOptions) { o.lengths = append([]int{}, n...) })
}

// FFTStay leaves the result of a transform along the split axis where it was
// computed, which saves the exchange back: split along another axis, balanced. A
// transform that moves nothing, or that has no other axis to split along, is not
// affected.
func FFTStay() FFTOption { return fftOption(func(o *fftOptions) { o.stay = true }) }

// fftAxis is one axis of a transform and its length.
type fftAxis struct{ axis, n int }

func fftOptionsOf(opts []FFTOption) (o fftOptions) {
	for _, f := range opts {
		f.set(&o)
	}
	return o
}

// resolve returns the axes of a transform of an array of the given shape along, by
// default, its last count axes, or all if count is negative. If half is true the last
// of them holds the first n/2+1 coefficients of n real results.
func (o *fftOptions) resolve(shape Shape, count int, half bool) []fftAxis {
	axes := o.axes
	if axes != nil && count == 1 && len(axes) != 1 {
		misuse.Panic("%d axes given, one expected", len(axes))
	}
	if axes == nil {
		if count < 0 {
			count = len(shape)
			if o.lengths != nil {
				count = len(o.lengths)
			}
			if count > len(shape) {
				misuse.Panic("%d lengths for %d axes", count, len(shape))
			}
		}
		for k := -count; k < 0; k++ {
			axes = append(axes, k)
		}
	}
	if o.lengths != nil && len(o.lengths) != len(axes) {
		misuse.Panic("%d lengths for %d axes", len(o.lengths), len(axes))
	}
	var out []fftAxis
	for i, axis := range axes {
		k, err := split.NormalizeAxis(axis, len(shape))
		misuse.Check(err)
		n := shape[k]
		switch {
		case o.lengths != nil && o.lengths[i] != -1:
			n = o.lengths[i]
		case o.lengths == nil && half && i == len(axes)-1:
			n = 2 * (n - 1)
		}
		if n < 1 {
			misuse.Panic("%d points to transform along axis %d of shape %v", n, k, shape)
		}
		out = append(out, fftAxis{k, n})
	}
	return out
}

// resolveReal is resolve where there must be an axis.
func (o *fftOptions) resolveReal(shape Shape, count int, half bool) []fftAxis {
	axes := o.resolve(shape, count, half)
	if len(axes) == 0 {
		misuse.Panic("no axis to transform of shape %v", shape)
	}
	return axes
}

// line returns the transform of an axis.
func (o *fftOptions) line(x fftAxis, form fftForm, inverse bool) fftLine {
	return fftLine{x.axis, x.n, form, inverse, o.norm.scale(x.n, inverse)}
}

// scale returns what the results of one axis are multiplied with.
func (n FFTNorm) scale(length int, inverse bool) float64 {
	switch {
	case n == NormOrtho:
		return 1 / math.Sqrt(float64(length))
	case n == NormForward && !inverse, n == NormBackward && inverse:
		return 1 / float64(length)
	case n > NormForward:
		misuse.Panic("norm %d", n)
	}
	return 1
}
