package nd

// FFT returns the discrete Fourier transform of a along its last axis, or that of
// [FFTAxes]: Σ a[j] exp(-2πi jk/n) for k from 0 to n-1, the frequencies as in
// [FFTFreq]. Real elements take half the work.
//
//	nd.FFT[complex128](a, nd.FFTAxes(0), nd.FFTLen(64), nd.NormOrtho)
//
// Lines are transformed in double precision, through gonum's dsp/fourier (after
// P. Swarztrauber's FFTPACK), lengths with large prime factors as convolutions (L.
// Bluestein 1970), in O(n log n) all. What is exchanged has type T or R.
//
// Collective along the split axis, else local. Result split: a's; balanced along the
// split axis if its extent changes; see also [FFTStay].
// Communication: none along axes that are not split. Along the split axis one
// alltoallv of a to another axis and one of the result back. Where no other axis
// shares out the lines, to no more than twice a rank's share, as in a vector: three
// alltoallvs (D. Bailey 1990, "FFTs in external or hierarchical memory"), or, if n has
// no two factors as large as the number of ranks (or √n/2), five of 2 to 3 times as
// many complex128; or one allgatherv if a and the result have at most 4096 elements.
// Panics if an axis is out of range, or a length is less than 1.
func FFT[R Complex, T Number](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return complexFFT[R](nil, a, 1, false, opts)
}

// FFTInto sets dst to [FFT] of a; dst may be a.
//
// Collective along the split axis or if the layouts differ, else local. Result split:
// dst's. Communication: as [FFT], and one move of the result if dst has another
// layout. Panics as [FFT] does, or if dst does not have the result's shape.
func FFTInto[R Complex, T Number](dst *NDArray[R], a *NDArray[T], opts ...FFTOption) {
	complexFFT(dst, a, 1, false, opts)
}

// IFFT returns the inverse of [FFT]: Σ a[k] exp(+2πi jk/n) / n.
//
// Collective along the split axis, else local. Result split, communication and
// panics: as [FFT].
func IFFT[R Complex, T Number](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return complexFFT[R](nil, a, 1, true, opts)
}

// IFFTInto sets dst to [IFFT] of a; see [FFTInto].
func IFFTInto[R Complex, T Number](dst *NDArray[R], a *NDArray[T], opts ...FFTOption) {
	complexFFT(dst, a, 1, true, opts)
}

// FFT2 is [FFTN] along the last two axes.
//
// Collective along the split axis, else local. Result split, communication and
// panics: as [FFTN].
func FFT2[R Complex, T Number](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return complexFFT[R](nil, a, 2, false, opts)
}

// IFFT2 is [IFFTN] along the last two axes.
//
// Collective along the split axis, else local. Result split, communication and
// panics: as [FFTN].
func IFFT2[R Complex, T Number](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return complexFFT[R](nil, a, 2, true, opts)
}

// FFTN returns the transform of a along all axes, or those of [FFTAxes], one after the
// other; see [FFT]. An axis that is named twice is transformed twice.
//
// Collective along the split axis, else local. Result split and communication: as
// [FFT], once for all axes: the others are transformed where they are, before and
// between the two alltoallvs. Only where no other axis shares out the lines does a
// split axis that is named twice take twice as many.
// Panics if an axis is out of range, or a length is less than 1.
func FFTN[R Complex, T Number](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return complexFFT[R](nil, a, -1, false, opts)
}

// FFTNInto sets dst to [FFTN] of a; see [FFTInto].
func FFTNInto[R Complex, T Number](dst *NDArray[R], a *NDArray[T], opts ...FFTOption) {
	complexFFT(dst, a, -1, false, opts)
}

// IFFTN returns the inverse of [FFTN].
//
// Collective along the split axis, else local. Result split, communication and
// panics: as [FFTN].
func IFFTN[R Complex, T Number](a *NDArray[T], opts ...FFTOption) *NDArray[R] {
	return complexFFT[R](nil, a, -1, true, opts)
}

// IFFTNInto sets dst to [IFFTN] of a; see [FFTInto].
func IFFTNInto[R Complex, T Number](dst *NDArray[R], a *NDArray[T], opts ...FFTOption) {
	complexFFT(dst, a, -1, true, opts)
}

// complexFFT returns the transform along the last count axes, all if that is
// negative, in dst if that is not nil.
func complexFFT[R Complex, T Number](dst *NDArray[R], a *NDArray[T], count int, inverse bool, opts []FFTOption) *NDArray[R] {
	o := fftOptionsOf(opts)
	var lines []fftLine
	for _, x := range o.resolve(a.layout.Shape(), count, false) {
		lines = append(lines, o.line(x, fftWhole, inverse))
	}
	// As NumPy, the last axis first.
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return fftSteps[T, R](dst, a, lines, o.stay)
}
