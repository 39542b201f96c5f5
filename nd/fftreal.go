package nd

import "slices"

// RFFT returns the first n/2+1 elements of [FFT] of n real elements, of which the
// others are the conjugates; the frequencies are as in [RFFTFreq].
//
//	nd.RFFT[complex128](a)
//
// Collective along the split axis, else local. Result split: a's; balanced along the
// split axis. Communication: as [FFT]; what travels before the transform is real, and
// what travels after it n/2+1 complex elements a line.
// Panics if an axis is out of range, or a length is less than 1.
func RFFT[R Complex, T Real](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return halfFFT[R](nil, a, 1, false, opts)
}

// RFFTInto sets dst to [RFFT] of a; see [FFTInto].
func RFFTInto[R Complex, T Real](dst *NDArray[R], a *NDArray[T], opts ...FFTOption) {
	halfFFT(dst, a, 1, false, opts)
}

// IRFFT returns the inverse of [RFFT]: the n real elements of which a holds the first
// n/2+1 coefficients. Without [FFTLen] n is even, 2(m-1) for an extent of m. The
// imaginary parts of the first and, for even n, of the last coefficient are ignored.
//
//	nd.IRFFT[float64](z, nd.FFTLen(7))
//
// Collective along the split axis, else local. Result split: a's; balanced along the
// split axis. Communication: as [FFT], but four alltoallvs instead of three, and six
// instead of five, where no other axis shares out the lines.
// Panics if an axis is out of range, or a length is less than 1.
func IRFFT[R Float, T Complex](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return realFFT[R](nil, a, 1, true, opts)
}

// IRFFTInto sets dst to [IRFFT] of a; see [FFTInto].
func IRFFTInto[R Float, T Complex](dst *NDArray[R], a *NDArray[T], opts ...FFTOption) {
	realFFT(dst, a, 1, true, opts)
}

// HFFT returns the transform, which is real, of n elements of which each is the
// conjugate of the one that is as far from the end as it is from the beginning. a
// holds the first n/2+1 of them; see [IRFFT].
//
// Collective along the split axis, else local. Result split, communication and
// panics: as [IRFFT].
func HFFT[R Float, T Complex](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return realFFT[R](nil, a, 1, false, opts)
}

// IHFFT returns the inverse of [HFFT]: the first n/2+1 elements of [IFFT] of n real ones.
//
// Collective along the split axis, else local. Result split, communication and
// panics: as [RFFT].
func IHFFT[R Complex, T Real](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return halfFFT[R](nil, a, 1, true, opts)
}

// RFFT2 is [RFFTN] along the last two axes.
//
// Collective along the split axis, else local. Result split, communication and
// panics: as [RFFTN].
func RFFT2[R Complex, T Real](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return halfFFT[R](nil, a, 2, false, opts)
}

// IRFFT2 is [IRFFTN] along the last two axes.
//
// Collective along the split axis, else local. Result split, communication and
// panics: as [IRFFTN].
func IRFFT2[R Float, T Complex](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return realFFT[R](nil, a, 2, true, opts)
}

// RFFTN returns the transform of real elements along all axes, or those of
// [FFTAxes]: [RFFT] along the last of them, and [FFT] along the others.
//
// Collective along the split axis, else local. Result split: a's; balanced if the
// extent along the split axis changes. Communication: as [FFTN].
// Panics if an axis is out of range or there is none, or a length is less than 1.
func RFFTN[R Complex, T Real](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return halfFFT[R](nil, a, -1, false, opts)
}

// RFFTNInto sets dst to [RFFTN] of a; see [FFTInto].
func RFFTNInto[R Complex, T Real](dst *NDArray[R], a *NDArray[T], opts ...FFTOption) {
	halfFFT(dst, a, -1, false, opts)
}

// IRFFTN returns the inverse of [RFFTN]: [IRFFT] along the last axis after [IFFT] along
// the others. [FFTLen] sets the lengths of the result.
//
// Collective along the split axis, else local. Result split: a's; balanced if the
// extent along the split axis changes. Communication: as [FFTN]; along the last axis
// as [IRFFT].
// Panics if an axis is out of range or there is none, or a length is less than 1.
func IRFFTN[R Float, T Complex](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return realFFT[R](nil, a, -1, true, opts)
}

// IRFFTNInto sets dst to [IRFFTN] of a; see [FFTInto].
func IRFFTNInto[R Float, T Complex](dst *NDArray[R], a *NDArray[T], opts ...FFTOption) {
	realFFT(dst, a, -1, true, opts)
}

// halfFFT is complexFFT from real elements to half of the coefficients.
func halfFFT[R Complex, T Real](dst *NDArray[R], a *NDArray[T], count int, inverse bool, opts []FFTOption) *NDArray[R] {
	o := fftOptionsOf(opts)
	axes := o.resolveReal(a.layout.Shape(), count, false)
	slices.Reverse(axes)
	lines := []fftLine{o.line(axes[0], fftHalf, inverse)}
	for _, x := range axes[1:] {
		lines = append(lines, o.line(x, fftWhole, inverse))
	}
	return fftSteps[T, R](dst, a, lines, o.stay)
}

// realFFT is complexFFT from half of the coefficients to real results.
func realFFT[R Float, T Complex](dst *NDArray[R], a *NDArray[T], count int, inverse bool, opts []FFTOption) *NDArray[R] {
	o := fftOptionsOf(opts)
	axes := o.resolveReal(a.layout.Shape(), count, true)
	var lines []fftLine
	for i, x := range axes {
		form := fftWhole
		if i == len(axes)-1 {
			form = fftReal
		}
		lines = append(lines, o.line(x, form, inverse))
	}
	return fftSteps[T, T](dst, a, lines, o.stay)
}
