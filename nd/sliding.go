package nd

import (
	"slices"

	"caloric/internal/parallel"
	"caloric/split"
)

// sliding is a kernel that slides over an array: result element m is
// Σⱼ a[m+offset+j]·kernel[j], over every axis.
type sliding[T Number] struct {
	kernel []int // the kernel's shape
	size   []int // the result's shape
	offset []int
	ends   Ends // with EndsCrop the sums leave out what is beyond a's ends
	fill   T
}

// slide carries it out. Every rank gets the part of a that its part of the result
// is made of: the window of a halo exchange.
func slide[T Number](s *sliding[T], a *NDArray[T], kernel []T) *NDArray[T] {
	l := s.layout(a.layout)
	h := newWindowPlan[T](a.comm, a.layout).Fill(s.fill)
	windows := make([][]split.Window, len(s.size))
	for k := range s.size {
		h.reach[k].Ends = s.ends
		windows[k] = make([]split.Window, l.Ranks())
		for r := range windows[k] {
			windows[k][r] = s.window(l, k, r, a.layout.Shape()[k])
		}
	}
	h.finish(windows)
	buf := h.New()
	h.Gather(buf, a)
	out := newArray[T](a.comm, l)
	if len(out.data) > 0 {
		rank := a.comm.Rank()
		base := make([]int, len(s.size)) // buf's index under the result's index 0 and the kernel's
		for k := range base {
			lo, _ := axisRange(l, k, rank)
			base[k] = lo + s.offset[k] - windows[k][rank].Lo
		}
		sliders[kindOf[T]()].(slider[T]).slide(out, buf, kernel, s.kernel, base)
	}
	return out
}

// layout returns the result's layout: each element with the middle of what it is
// made of, and nothing moved if the shape stays.
func (s *sliding[T]) layout(l *split.Layout) *split.Layout {
	shape := l.Shape()
	if shape.Equal(s.size) {
		return l
	}
	for k, n := range s.size {
		middle := s.offset[k] + (s.kernel[k]-1)/2
		switch {
		case n == shape[k]:
		case Axis(k) == l.Axis():
			l = split.Stretch(l, k, n, func(i int) int {
				if i == 0 {
					return 0
				}
				return i - middle
			})
		default:
			l = split.Resize(l, k, n)
		}
	}
	return l
}

// window returns the indices of axis k of extent n that rank's part of a result of
// layout l is made of.
func (s *sliding[T]) window(l *split.Layout, k, rank, n int) split.Window {
	lo, hi := axisRange(l, k, rank)
	if lo == hi {
		return split.Window{}
	}
	w := split.Window{Lo: lo + s.offset[k], Hi: hi + s.offset[k] + s.kernel[k] - 1}
	if s.ends == EndsCrop {
		w.Lo, w.Hi = min(max(0, w.Lo), n), max(0, min(n, w.Hi))
	}
	return w
}

// slider does the arithmetic of a sliding kernel over T.
type slider[T Number] interface {
	slide(out, x *NDArray[T], kernel []T, shape, base []int)
}

// sliders add integers in T itself, so that they wrap, and floating-point numbers
// in double precision.
var sliders = [numKinds]any{
	kindInt8:       slideIn[int8, int8, sameWidth[int8]]{},
	kindInt16:      slideIn[int16, int16, sameWidth[int16]]{},
	kindInt32:      slideIn[int32, int32, sameWidth[int32]]{},
	kindInt64:      slideIn[int64, int64, sameWidth[int64]]{},
	kindUint8:      slideIn[uint8, uint8, sameWidth[uint8]]{},
	kindUint16:     slideIn[uint16, uint16, sameWidth[uint16]]{},
	kindUint32:     slideIn[uint32, uint32, sameWidth[uint32]]{},
	kindUint64:     slideIn[uint64, uint64, sameWidth[uint64]]{},
	kindFloat32:    slideIn[float32, float64, realWidth[float32, float64]]{},
	kindFloat64:    slideIn[float64, float64, sameWidth[float64]]{},
	kindComplex64:  slideIn[complex64, complex128, complexWidth[complex64, complex128]]{},
	kindComplex128: slideIn[complex128, complex128, sameWidth[complex128]]{},
}

// A width converts T to the type A that sums are taken in, and back. widen may
// return src itself.
type width[T, A Number] interface {
	widen(dst []A, src []T) []A
	narrow(dst []T, src []A)
}

type sameWidth[T Number] struct{}

func (sameWidth[T]) widen(_, src []T) []T    { return src }
func (sameWidth[T]) narrow(dst []T, src []T) { copy(dst, src) }

type realWidth[T, A Real] struct{}

func (realWidth[T, A]) widen(dst []A, src []T) []A {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = A(v)
	}
	return dst
}

func (realWidth[T, A]) narrow(dst []T, src []A) {
	for i, v := range src[:len(dst)] {
		dst[i] = T(v)
	}
}

type complexWidth[T, A Complex] struct{}

func (complexWidth[T, A]) widen(dst []A, src []T) []A {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = A(v)
	}
	return dst
}

func (complexWidth[T, A]) narrow(dst []T, src []A) {
	for i, v := range src[:len(dst)] {
		dst[i] = T(v)
	}
}

// slideIn is a slider that adds in A.
type slideIn[T, A Number, W width[T, A]] struct{}

// slideBlock is how many elements of the result, and of a row of the kernel, are
// worked on at a time, so that they stay in the cache.
const slideBlock = 1024

// slide sets out to the sums. The result's element m and the kernel's j meet x at
// base+m+j; where that is outside x the sum leaves it out.
func (slideIn[T, A, W]) slide(out, x *NDArray[T], kernel []T, shape, base []int) {
	var w W
	k := slices.Clone(w.widen(make([]A, len(kernel)), kernel))
	last := len(out.shape) - 1
	perRow := (out.shape[last]-1)/slideBlock + 1
	jobs := out.LocalSize() / out.shape[last] * perRow
	parts := 1
	if c := out.comm; c.Workers() > 1 && out.LocalSize()*len(kernel) >= parallelSize {
		parts = min(c.Workers(), jobs)
	}
	parallel.Ranges(parts, jobs, func(from, to int) {
		s := rowSlider[T, A]{w: w, out: out, x: x, kernel: k, shape: shape, base: base}
		for job := from; job < to; job++ {
			at := job % perRow * slideBlock
			s.block(job/perRow, at, min(slideBlock, out.shape[last]-at))
		}
	})
}

// rowSlider computes parts of rows of the result.
type rowSlider[T, A Number] struct {
	w           width[T, A]
	out, x      *NDArray[T]
	kernel      []A
	shape, base []int
	sums        [slideBlock]A
	wide        [2 * slideBlock]A
}

// block computes the elements from at on of a row of the result: n of them.
func (s *rowSlider[T, A]) block(row, at, n int) {
	last := len(s.shape) - 1
	sums := s.sums[:n]
	clear(sums)
	var index, j [MaxDims]int // of the result and of the kernel
	offset := s.out.offset + at
	for k := last - 1; k >= 0; k-- {
		index[k] = row % s.out.shape[k]
		row /= s.out.shape[k]
		offset += index[k] * s.out.strides[k]
	}
	m := s.shape[last]
	for r := 0; r < len(s.kernel); r += m {
		from, inside := s.x.offset, true
		for k := range last {
			i := s.base[k] + index[k] + j[k]
			inside = inside && i >= 0 && i < s.x.shape[k]
			from += i * s.x.strides[k]
		}
		if inside {
			s.row(sums, s.x.data[from:from+s.x.shape[last]], s.base[last]+at, s.kernel[r:r+m])
		}
		for k := last - 1; k >= 0; k-- {
			if j[k]++; j[k] < s.shape[k] {
				break
			}
			j[k] = 0
		}
	}
	s.w.narrow(s.out.data[offset:offset+n], sums)
}

// row adds Σⱼ kernel[j]·x[base+i+j] to sums[i], leaving out what is outside x.
func (s *rowSlider[T, A]) row(sums []A, x []T, base int, kernel []A) {
	m := len(kernel)
	// From lo to hi the whole kernel is inside x.
	lo := min(max(0, -base), len(sums))
	hi := min(max(lo, len(x)-m-base+1), len(sums))
	for j := 0; j < m && lo < hi; j += slideBlock {
		part := kernel[j:min(m, j+slideBlock)]
		slideRow(sums[lo:hi], s.w.widen(s.wide[:], x[base+lo+j:base+hi+j+len(part)-1]), part)
	}
	for i := 0; i < len(sums); i++ {
		if i == lo && lo < hi {
			i = hi - 1
			continue
		}
		from, to := max(0, -(base+i)), min(m, len(x)-base-i)
		for j := from; j < to; j += slideBlock {
			end := min(to, j+slideBlock)
			sums[i] += dotOf(s.w.widen(s.wide[:], x[base+i+j:base+i+end]), kernel[j:end])
		}
	}
}

// slideRow adds Σⱼ k[j]·x[i+j] to every sums[i], four terms of it at a time. x has
// len(sums)+len(k)-1 elements.
func slideRow[A Number](sums, x, k []A) {
	n := len(sums)
	j := 0
	for ; j+4 <= len(k); j += 4 {
		k0, k1, k2, k3 := k[j], k[j+1], k[j+2], k[j+3]
		x0, x1, x2, x3 := x[j:][:n], x[j+1:][:n], x[j+2:][:n], x[j+3:][:n]
		for i, v := range sums {
			sums[i] = v + k0*x0[i] + k1*x1[i] + k2*x2[i] + k3*x3[i]
		}
	}
	for ; j < len(k); j++ {
		kj, xj := k[j], x[j:][:n]
		for i, v := range sums {
			sums[i] = v + kj*xj[i]
		}
	}
}

// dotOf returns Σ x[i]·k[i], in four sums.
func dotOf[A Number](x, k []A) A {
	var s0, s1, s2, s3 A
	k = k[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		s0 += x[i] * k[i]
		s1 += x[i+1] * k[i+1]
		s2 += x[i+2] * k[i+2]
		s3 += x[i+3] * k[i+3]
	}
	for ; i < len(x); i++ {
		s0 += x[i] * k[i]
	}
	return s0 + s1 + (s2 + s3)
}
