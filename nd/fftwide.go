package nd

import (
	"math"

	"caloric/internal/dft"
	"caloric/split"
)

// fftGatherSize is how many elements an array may have for a transform along its
// split axis to be computed by every rank from a copy of the whole.
const fftGatherSize = 1 << 12

// fftWide transforms the lines of a along its split axis, which are too few to be
// shared out among the ranks, as those of a vector: what takes n elements on one
// rank takes about n/ranks on each. C is the type on the way from T to R.
//
// A length n = n1·n2 is a matrix with the line in its rows: the transforms of its
// columns, a twiddle factor for each element, and those of its rows give the
// transposed result, so that there are three exchanges: columns whole, rows whole,
// and the result in order. D. Bailey 1990, "FFTs in external or hierarchical memory".
// A length without suitable factors becomes a convolution; see fftChirp.
func fftWide[T Number, C Complex, R Number](a *NDArray[T], l fftLine) *NDArray[R] {
	out := fftLayout(a.layout, []fftLine{l})
	if max(a.Size(), out.Shape().Size()) <= fftGatherSize {
		return fftGathered[T, R](a, l, out)
	}
	if l.form == fftReal {
		whole := hermitian(any(a).(*NDArray[C]), l)
		l.form = fftWhole
		return fftMatrices[C, C, R](whole, l, out)
	}
	return fftMatrices[T, C, R](a, l, out)
}

// fftMatrices is fftWide for large arrays, as R in layout out.
func fftMatrices[T Number, C Complex, R Number](a *NDArray[T], l fftLine, out *split.Layout) *NDArray[R] {
	n1, n2 := dft.Halves(l.n)
	if n1 < a.comm.Size() && n1 < int(math.Sqrt(float64(l.n)))/2 {
		return fftChirp[T, R](a, l, out)
	}
	w := newFFTMatrix(l, n1, n2)
	z := fftDown[T, C](flatMoved(a, w.layout(a.layout, 1), w.runs(a.layout, l.axis, l.n, false)), w)
	scaleLine(z.data, C(complex(l.scale, 0)))
	return flatMoved(fftResult[R](SwapAxes(z, l.axis, l.axis+1)), out, w.runs(out, l.axis, l.out(), true))
}

// fftResult returns z, or its real part, as R.
func fftResult[R Number, C Complex](z *NDArray[C]) *NDArray[R] {
	if x, ok := any(z).(*NDArray[R]); ok {
		return x
	}
	if kindOf[R]() >= kindComplex64 {
		return AsType[R](z)
	}
	x := like[R](z)
	apply1(realParts[C, R](), x, z)
	return x
}

// realParts returns the kernel that takes the real parts of C as R.
func realParts[C Complex, R Number]() kernel1[C, R] {
	if k, ok := any(realPart[C, float32]{}).(kernel1[C, R]); ok {
		return k
	}
	return any(realPart[C, float64]{}).(kernel1[C, R])
}

// fftGathered transforms a copy of the whole array and keeps this rank's part.
func fftGathered[T, R Number](a *NDArray[T], l fftLine, out *split.Layout) *NDArray[R] {
	whole := moved(a, split.Block(a.layout.Shape(), split.None, a.comm.Size()))
	x := newArray[R](a.comm, split.Block(out.Shape(), split.None, a.comm.Size()))
	fftLines(x, whole, l)
	return Copy(moved(x, out))
}

// hermitian returns lines of n elements along l.axis, of which a holds the first
// n/2+1, and of which the transform is real.
func hermitian[C Complex](a *NDArray[C], l fftLine) *NDArray[C] {
	half, have := l.n/2+1, a.layout.Shape()[l.axis]
	var runs runList
	runs.add(0, 0, 1, min(half, have))
	rest := l.n - half // elements rest, rest-1, … 1, as far as there are so many
	missing := min(max(rest-have+1, 0), rest)
	runs.add(nowhere, 0, 0, max(half-have, 0)+missing)
	runs.add(0, rest-missing, -1, rest-missing)
	x := rearranged(split.Resize(a.layout, l.axis, l.n), l.axis, runs, a)
	lo, hi := x.layout.Range(a.comm.Rank())
	v := MoveAxis(x, l.axis, 0)
	if lo = max(lo, half); lo < hi {
		v = v.Slice(Range(lo, hi))
		ConjInto(v, v)
	}
	return x
}

// fftMatrix is a line of n1·n2 elements along an axis as a matrix of two axes, of
// which it is the first.
type fftMatrix struct {
	axis, n1, n2 int
	inverse      bool
	roots        *dft.Roots
}

func newFFTMatrix(l fftLine, n1, n2 int) *fftMatrix {
	return &fftMatrix{l.axis, n1, n2, l.inverse, dft.NewRoots(n1 * n2)}
}

// layout returns the layout of the matrices of an array of layout l, split by their
// rows (0) or columns (1).
func (w *fftMatrix) layout(l *split.Layout, by int) *split.Layout {
	shape := append(Shape{}, l.Shape()[:w.axis]...)
	shape = append(append(shape, w.n1, w.n2), l.Shape()[w.axis+1:]...)
	return split.Block(shape, Axis(w.axis+by), l.Ranks())
}

// runs returns the first n elements of each line along axis of an array of layout l,
// as parts of the matrices or, with back, of the matrices as parts of the array.
func (w *fftMatrix) runs(l *split.Layout, axis, n int, back bool) (runs []flatRun) {
	extent := l.Shape()[axis]
	inner := l.Shape()[axis+1:].Size()
	for o := range l.Shape()[:axis].Size() {
		u := flatRun{o * extent * inner, o * w.n1 * w.n2 * inner, min(n, extent) * inner}
		if back {
			u.start, u.at = u.at, u.start
		}
		runs = append(runs, u)
	}
	return runs
}

// fftDown transforms matrices that are split by columns, element [k1, k2] of the
// result, split by rows, is coefficient k1 + n1·k2. Communication: one alltoallv.
func fftDown[T Number, C Complex](a *NDArray[T], w *fftMatrix) *NDArray[C] {
	z := newArray[C](a.comm, a.layout)
	fftLines(z, a, fftLine{w.axis, w.n1, fftWhole, w.inverse, 1})
	twiddle(z, w)
	z = moved(z, split.Block(z.layout.Shape(), Axis(w.axis), a.comm.Size()))
	fftLines(z, z, fftLine{w.axis + 1, w.n2, fftWhole, w.inverse, 1})
	return z
}

// fftUp undoes fftDown, up to a factor of n1·n2, with z as work space.
func fftUp[C Complex](z *NDArray[C], w *fftMatrix) *NDArray[C] {
	back := *w
	back.inverse = !w.inverse
	fftLines(z, z, fftLine{w.axis + 1, w.n2, fftWhole, back.inverse, 1})
	twiddle(z, &back)
	z = moved(z, split.Block(z.layout.Shape(), Axis(w.axis+1), z.comm.Size()))
	fftLines(z, z, fftLine{w.axis, w.n1, fftWhole, back.inverse, 1})
	return z
}

// twiddle multiplies element [i, j] of every matrix with the root of unity of power i·j.
func twiddle[C Complex](z *NDArray[C], w *fftMatrix) {
	eachEntry(z, w.axis, func(i, j int) complex128 {
		r := w.roots.At(i * j)
		if w.inverse {
			return complex(real(r), -imag(r))
		}
		return r
	})
}

// eachEntry multiplies this rank's elements [.., i, j, ..], the indices along axis and
// the next one, with f(i, j). z is contiguous.
func eachEntry[C Complex](z *NDArray[C], axis int, f func(i, j int) complex128) {
	box := z.layout.Local(z.comm.Rank())
	inner := Shape(z.shape[axis+2:]).Size()
	pos := 0
	if len(z.data) == 0 {
		return
	}
	for range Shape(z.shape[:axis]).Size() {
		for i := box.Lo[axis]; i < box.Hi[axis]; i++ {
			for j := box.Lo[axis+1]; j < box.Hi[axis+1]; j++ {
				v := f(i, j)
				for k := pos; k < pos+inner; k++ {
					z.data[k] = C(complex128(z.data[k]) * v)
				}
				pos += inner
			}
		}
	}
}

// fftChirp is fftWide for any length: with w(k) = exp(∓πi k²/n) the transform is
// w(k) Σ x(j) w(j) conj w(k-j), a convolution, which is computed by transforms of a
// length m ≥ 2n-1 that has two factors near √m. Neither the lines nor the filter need
// to be in order in between, so there are five exchanges of m/ranks elements each.
//
// L. Bluestein 1970, "A linear filtering approach to the computation of discrete
// Fourier transform"; L. Rabiner, R. Schafer, C. Rader 1969, "The chirp z-transform
// algorithm".
func fftChirp[T, R Number](a *NDArray[T], l fftLine, out *split.Layout) *NDArray[R] {
	n := l.n
	n1 := dft.Smooth(int(math.Ceil(math.Sqrt(float64(2*n - 1)))))
	n2 := dft.Smooth(ceilDiv(2*n-1, n1))
	m := n1 * n2
	w := newFFTMatrix(fftLine{axis: l.axis}, n1, n2)
	chirp := func(k int) complex128 {
		v := dft.Chirp(k, n)
		if l.inverse {
			v = complex(real(v), -imag(v))
		}
		return v
	}
	outside := func(i, j int) complex128 {
		if k := i*n2 + j; k < n {
			return chirp(k)
		}
		return 0
	}
	b := AsType[complex128](flatMoved(a, w.layout(a.layout, 1), w.runs(a.layout, l.axis, n, false)))
	eachEntry(b, l.axis, outside)
	z := fftDown[complex128, complex128](b, w)

	vector := *w
	vector.axis = 0
	filter := FromFunc(a.comm, Shape{n1, n2}, 1, func(index []int) complex128 {
		k := index[0]*n2 + index[1]
		k = min(k, m-k)
		if k >= n {
			return 0
		}
		v := chirp(k)
		return complex(real(v), -imag(v))
	})
	filter = fftDown[complex128, complex128](filter, &vector)
	lo := filter.localStart()
	scale := complex(l.scale/float64(m), 0)
	eachEntry(z, l.axis, func(i, j int) complex128 { return filter.data[(i-lo)*n2+j] * scale })

	z = fftUp(z, w)
	eachEntry(z, l.axis, outside)
	return flatMoved(fftResult[R](z), out, w.runs(out, l.axis, l.out(), true))
}
