package nd

import "caloric/internal/dft"

// fftForm is what goes into the transform of a line, and what comes out.
type fftForm uint8

const (
	fftWhole fftForm = iota // n elements to n complex ones
	fftHalf                 // n real elements to the first n/2+1 complex ones
	fftReal                 // the first n/2+1 complex elements to n real ones
)

// fftLine is a transform along one axis. A transform of fewer elements than there
// are takes the first ones, one of more adds zeros.
type fftLine struct {
	axis, n int // n is the larger of the numbers in and out
	form    fftForm
	inverse bool // the sign of the exponent is positive
	scale   float64
}

// in and out return how many elements of a line the transform reads and writes.
func (l fftLine) in() int {
	if l.form == fftReal {
		return l.n/2 + 1
	}
	return l.n
}

func (l fftLine) out() int {
	if l.form == fftHalf {
		return l.n/2 + 1
	}
	return l.n
}

// fftLines sets dst to the transforms of the lines of src along an axis along which
// no rank misses a part. Both have the same ranges along the others. dst may be src.
// The transforms are computed in double precision, line by line.
func fftLines[T, R Element](dst *NDArray[R], src *NDArray[T], l fftLine) {
	switch realIn := kindOf[T]() < kindComplex64; {
	case l.form == fftHalf:
		runLines(dst, src, l, func() lineTransform[float64, complex128] { return &halfLine{l, dft.GetReal(l.n)} })
	case l.form == fftReal:
		runLines(dst, src, l, func() lineTransform[complex128, float64] { return &realLine{l, dft.GetReal(l.n)} })
	case realIn:
		runLines(dst, src, l, func() lineTransform[float64, complex128] { return &mirrorLine{halfLine{l, dft.GetReal(l.n)}} })
	default:
		runLines(dst, src, l, func() lineTransform[complex128, complex128] { return &wholeLine{l, dft.Get(l.n)} })
	}
}

// lineTransform transforms lines one by one; in and out may be the same memory if U is V.
type lineTransform[U, V Element] interface {
	run(out []V, in []U)
	release()
}

type wholeLine struct {
	fftLine
	plan *dft.Plan
}

func (t *wholeLine) release() { t.plan.Release() }

func (t *wholeLine) run(out, in []complex128) {
	copy(out, in)
	if t.inverse {
		t.plan.Backward(out)
	} else {
		t.plan.Forward(out)
	}
	scaleLine(out, complex(t.scale, 0))
}

// halfLine uses that the transform of a real line with the other sign is its conjugate.
type halfLine struct {
	fftLine
	plan *dft.RealPlan
}

func (t *halfLine) release() { t.plan.Release() }

func (t *halfLine) run(out []complex128, in []float64) {
	t.plan.Forward(out, in)
	scaleLine(out, complex(t.scale, 0))
	if t.inverse {
		for k, v := range out {
			out[k] = complex(real(v), -imag(v))
		}
	}
}

// mirrorLine is a halfLine with the other half.
type mirrorLine struct{ halfLine }

func (t *mirrorLine) run(out []complex128, in []float64) {
	t.halfLine.run(out[:t.n/2+1], in)
	for k := 1; 2*k < t.n; k++ {
		out[t.n-k] = complex(real(out[k]), -imag(out[k]))
	}
}

// realLine uses that the other sign reverses the elements after the first.
type realLine struct {
	fftLine
	plan *dft.RealPlan
}

func (t *realLine) release() { t.plan.Release() }

func (t *realLine) run(out []float64, in []complex128) {
	t.plan.Backward(out, in)
	scaleLine(out, t.scale)
	if !t.inverse {
		for i, j := 1, t.n-1; i < j; i, j = i+1, j-1 {
			out[i], out[j] = out[j], out[i]
		}
	}
}

func scaleLine[T Number](x []T, s T) {
	if s == 1 {
		return
	}
	for i := range x {
		x[i] *= s
	}
}

// runLines transforms the lines of src along l.axis to those of dst, on the rank's
// workers, each with a transform of its own.
func runLines[T, R, U, V Element](dst *NDArray[R], src *NDArray[T], l fftLine, make func() lineTransform[U, V]) {
	d, s := MoveAxis(dst, l.axis, -1), MoveAxis(src, l.axis, -1)
	last := d.NDim() - 1
	w := newWalk(d.shape[:last])
	w.add(d.offset, d.shape[:last], d.strides[:last])
	w.add(s.offset, s.shape[:last], s.strides[:last])
	lines := w.size()
	if lines == 0 {
		return
	}
	w.simplify()
	job := lineJob[T, R, U, V]{
		fftLine: l, dst: d.data, src: s.data,
		stride: [2]int{d.strides[last], s.strides[last]}, have: min(l.in(), s.shape[last]),
		load: converter[U, T](), store: converter[R, V](),
	}
	parts := 1
	if dst.comm.Workers() > 1 && lines*l.n >= parallelSize/4 {
		parts = max(1, min(dst.comm.Workers(), w.shape[0]))
	}
	inParallel(&w, parts, func(w *walk) { job.run(w, make()) })
}

// lineJob is the transform of many lines.
type lineJob[T, R, U, V Element] struct {
	fftLine
	dst    []R
	src    []T
	stride [2]int // along a line, of dst and src
	have   int    // elements of a line in src
	load   kernel1[T, U]
	store  kernel1[V, R]
}

// run transforms the lines that start where w steps through dst and src. A few
// neighbouring lines at a time are copied into buffers and out again, so that of
// lines that are not contiguous each piece of memory is fetched but once.
func (j *lineJob[T, R, U, V]) run(w *walk, t lineTransform[U, V]) {
	defer t.release()
	in, out := j.in(), j.out()
	count := min(w.inner(), max(4, 4096/j.n))
	bufIn, memIn := borrow[U](count * in)
	bufOut, memOut := borrow[V](count * out)
	defer giveBack(memIn)
	defer giveBack(memOut)
	src, direct := any(j.src).([]U)
	direct = direct && j.stride[1] == 1 && j.have == in
	dst, straight := any(j.dst).([]V)
	straight = straight && j.stride[0] == 1
	d0, s0 := w.innerStride(0), w.innerStride(1)
	for r := w.rows(); r.next(); {
		for i := 0; i < w.inner(); i += count {
			n := min(count, w.inner()-i)
			d, s := r.off[0]+i*d0, r.off[1]+i*s0
			if !direct {
				if j.have < in {
					clear(bufIn)
				}
				v := newWalk([]int{n, j.have})
				v.add(0, []int{n, j.have}, []int{in, 1})
				v.add(s, []int{n, j.have}, []int{s0, j.stride[1]})
				run1(&v, j.load, bufIn, j.src)
			}
			for k := range n {
				x, y := bufIn[k*in:(k+1)*in], bufOut[k*out:(k+1)*out]
				if direct {
					x = src[s+k*s0:][:in]
				}
				if straight {
					y = dst[d+k*d0:][:out]
				}
				t.run(y, x)
			}
			if !straight {
				v := newWalk([]int{n, out})
				v.add(d, []int{n, out}, []int{d0, j.stride[0]})
				v.add(0, []int{n, out}, []int{out, 1})
				run1(&v, j.store, j.dst, bufOut)
			}
		}
	}
}
