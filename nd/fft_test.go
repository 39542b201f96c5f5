package nd_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// wavy returns an array without symmetries, the same in every layout.
func wavy[T nd.Number](c *spmd.Comm, l *split.Layout, of func(re, im float64) T) *nd.NDArray[T] {
	return nd.FromLayout(c, l, func(index []int) T {
		x := float64(flat(l.Shape(), index))
		return of(math.Sin(x*x*0.37)+0.25, math.Cos(3*x+x*x*0.11))
	})
}

func wavyComplex(re, im float64) complex128 { return complex(re, im) }
func wavyReal(re, _ float64) float64        { return re }

// wantSpectrum compares two arrays, whatever their layouts, to tolerance of the largest element.
func wantSpectrum[T nd.Number](t testing.TB, what string, got, want *nd.NDArray[T], tolerance float64) {
	t.Helper()
	if !got.Shape().Equal(want.Shape()) {
		t.Fatalf("%s: shape %v, want %v", what, got.Shape(), want.Shape())
	}
	x, y := got.Gather(), want.Gather()
	largest := 0.0
	for _, v := range y {
		largest = max(largest, cmplx.Abs(asComplex(v)))
	}
	for i := range x {
		if !(cmplx.Abs(asComplex(x[i])-asComplex(y[i])) <= tolerance*largest) {
			t.Fatalf("%s: element %d of %v is %v, want %v", what, i, got.Layout(), x[i], y[i])
		}
	}
}

// raggedLayout returns the layout of counts like 3:1:2:3:1:2… and one empty rank.
func raggedLayout(c *spmd.Comm, shape nd.Shape, axis split.Axis) *split.Layout {
	counts, left := make([]int, c.Size()), shape[axis]
	for r := range counts {
		if r != 1 {
			counts[r] = min(left, shape[axis]*(1+(r*2+2)%3)/(2*c.Size()))
			left -= counts[r]
		}
	}
	counts[0] += left
	return split.WithCounts(shape, axis, counts)
}

// TestFFTOfLongLines compares transforms of lines that no rank could hold, by the
// exchanges of the transform of a matrix or of a convolution, with those of a replicated array.
func TestFFTOfLongLines(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for j, k := range []struct {
			shape   nd.Shape
			axis    int
			n       int // 0 for the extent
			product bool
		}{
			{nd.Shape{4100}, 0, 0, true}, {nd.Shape{5000}, 0, 6000, true}, {nd.Shape{6561}, 0, 4225, true},
			{nd.Shape{5003}, 0, 0, false}, {nd.Shape{4999}, 0, 5009, false}, {nd.Shape{9000}, 0, 5003, false},
			{nd.Shape{2, 1200, 2}, 1, 0, true}, {nd.Shape{2, 1200, 2}, 1, 1296, true},
			{nd.Shape{2, 1500, 2}, 1, 1103, false}, {nd.Shape{2, 1103, 2}, 1, 0, false},
		} {
			for i, l := range []*split.Layout{split.Block(k.shape, split.Axis(k.axis), c.Size()), raggedLayout(c, k.shape, split.Axis(k.axis))} {
				if raceEnabled && (i+j+c.Size())%4 != 0 { // some of them
					continue
				}
				options := []nd.FFTOption{nd.FFTAxes(k.axis), nd.NormOrtho}
				if k.n > 0 {
					options = append(options, nd.FFTLen(k.n))
				}
				what := fmt.Sprintf("%v, n = %d", l, k.n)
				a, x := wavy(c, l, wavyComplex), wavy(c, l, wavyReal)
				whole, real := a.Resplit(split.None), x.Resplit(split.None)
				wide := c.Size() > 1 && (a.NDim() == 1 || c.Size() > 4)
				counted := func(what string, calls int64, f func()) {
					t.Helper()
					before := c.Stats()
					f()
					got := c.Stats().Sub(before)
					if c.Size() == 1 {
						calls = 0
					} else if !wide {
						calls = 2
					}
					if got["alltoallv"].Calls != calls || got.Total().Calls != calls {
						t.Fatalf("%s: want %d alltoallvs, got\n%v", what, calls, got)
					}
				}
				calls := int64(5)
				if k.product {
					calls = 3
				}
				var y *nd.NDArray[complex128]
				counted(what, calls, func() { y = nd.FFT[complex128](a, options...) })
				wantSpectrum(t, what, y, nd.FFT[complex128](whole, options...), 1e-13)
				counted(what, calls, func() { y = nd.RFFT[complex128](x, options...) })
				wantSpectrum(t, what+" real", y, nd.RFFT[complex128](real, options...), 1e-13)
				if i == 0 && !(raceEnabled && c.Size() > 3) {
					wantSpectrum(t, what+" inverse", nd.IFFT[complex128](a, options...), nd.IFFT[complex128](whole, options...), 1e-13)
					wantSpectrum(t, what+" of real", nd.FFT[complex128](x, options...), nd.FFT[complex128](real, options...), 1e-13)
					wantSpectrum(t, what+" to real", nd.HFFT[float64](a, options...), nd.HFFT[float64](whole, options...), 1e-13)
					wantSpectrum(t, what+" ihfft", nd.IHFFT[complex128](x, options...), nd.IHFFT[complex128](real, options...), 1e-13)
					single := nd.AsType[complex64](a)
					wantSpectrum(t, what+" single", nd.FFT[complex64](single, options...), nd.FFT[complex64](single.Resplit(split.None), options...), 1e-5)
				}
				n := k.n
				if n == 0 {
					n = k.shape[k.axis]
				}
				counted(what, calls+1, func() { x = nd.IRFFT[float64](a, nd.FFTAxes(k.axis), nd.FFTLen(n)) })
				wantSpectrum(t, what+" irfft", x, nd.IRFFT[float64](whole, nd.FFTAxes(k.axis), nd.FFTLen(n)), 1e-13)
			}
		}
	})
}

// TestFFTProperties are the laws that hold for any length and any layout.
func TestFFTProperties(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, k := range []struct {
			shape nd.Shape
			axes  []int
		}{
			{nd.Shape{1009}, []int{0}}, {nd.Shape{10007}, []int{0}}, {nd.Shape{3, 509}, []int{1}}, {nd.Shape{211, 8}, []int{0}},
			{nd.Shape{12, 9, 7}, []int{0, 1, 2}}, {nd.Shape{12, 9, 7}, []int{2, 0}}, {nd.Shape{64, 64}, []int{0, 1}}, {nd.Shape{4096}, []int{0}},
		} {
			n := 1.0
			for _, axis := range k.axes {
				n *= float64(k.shape[axis])
			}
			for j, l := range testLayouts(c, k.shape) {
				if raceEnabled && (i+j+c.Size())%6 != 0 { // some of them
					continue
				}
				what := fmt.Sprintf("%v along %v", l, k.axes)
				axes := nd.FFTAxes(k.axes...)
				u := wavy(c, l, wavyComplex)
				v := wavy(c, l, func(re, im float64) complex128 { return complex(im*im-re, re) })
				fu, fv := nd.FFTN[complex128](u, axes), nd.FFTN[complex128](v, axes)
				wantSpectrum(t, what+": inverse", nd.IFFTN[complex128](fu, axes), u, 1e-13)
				sum := nd.Add(nd.MulScalar(u, 2i), v)
				wantSpectrum(t, what+": linearity", nd.FFTN[complex128](sum, axes), nd.Add(nd.MulScalar(fu, 2i), fv), 1e-13)
				dot := func(a, b *nd.NDArray[complex128]) complex128 { return nd.Sum(nd.Mul(nd.Conj(a), b)).Item() }
				if a, b := dot(fu, fu), dot(u, u)*complex(n, 0); cmplx.Abs(a-b) > 1e-12*cmplx.Abs(b) {
					t.Errorf("%s: Parseval: %v, want %v", what, a, b)
				}
				// The adjoint of the transform is the inverse that is not divided by n.
				adjoint := nd.IFFTN[complex128](v, axes, nd.NormForward)
				if a, b := dot(fu, v), dot(u, adjoint); cmplx.Abs(a-b) > 1e-12*math.Sqrt(n)*cmplx.Abs(dot(u, u)) {
					t.Errorf("%s: adjoint: %v and %v", what, a, b)
				}
				x := wavy(c, l, wavyReal)
				last := k.shape[k.axes[len(k.axes)-1]]
				lengths := make([]int, len(k.axes))
				for d := range lengths {
					lengths[d] = -1
				}
				lengths[len(lengths)-1] = last
				back := nd.IRFFTN[float64](nd.RFFTN[complex128](x, axes), axes, nd.FFTLen(lengths...))
				wantSpectrum(t, what+": real inverse", back, x, 1e-13)
			}
		}
	})
}

func TestFFTInPlaceAndStay(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{14, 15}) {
			a := wavy(c, l, wavyComplex)
			want := nd.FFTN[complex128](a.Resplit(split.None))
			b := nd.Copy(a)
			nd.FFTNInto(b, b)
			wantSpectrum(t, "in place", b, want, 1e-13)
			nd.IFFTNInto(b, b)
			wantSpectrum(t, "in place and back", b, a, 1e-13)
			// Into a part of an array, whose other elements stay.
			big := nd.Ones[complex128](c, nd.Shape{20, 15}, 0)
			nd.FFTInto(big.Slice(nd.Range(3, 17)), a)
			wantSpectrum(t, "into rows", big.Slice(nd.Range(3, 17)), nd.FFT[complex128](a), 1e-13)
			wantSpectrum(t, "other rows", big.Slice(nd.From(17)), nd.Ones[complex128](c, nd.Shape{3, 15}, 0), 0)
			before := c.Stats()
			s := nd.FFTN[complex128](a, nd.FFTStay())
			calls := c.Stats().Sub(before).Total().Calls
			split := l.Axis()
			if across := split >= 0 && c.Size() > 1; across {
				if split = 1 - split; calls != 1 {
					t.Errorf("%v staying: %d exchanges", l, calls)
				}
			} else if calls != 0 {
				t.Errorf("%v: %d exchanges", l, calls)
			}
			if s.Split() != split || !s.Layout().Balanced() && split != l.Axis() {
				t.Errorf("%v stays as %v", l, s.Layout())
			}
			wantSpectrum(t, "staying", s, want, 1e-13)
		}
	})
}

func TestFFTMistakes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a, x := nd.Ones[complex128](c, nd.Shape{4, 6}, 0), nd.Ones[float64](c, nd.Shape{4, 6}, 1)
		empty := nd.Ones[complex128](c, nd.Shape{4, 0}, 0)
		for i, f := range []func(){
			func() { nd.FFT[complex128](a, nd.FFTAxes(2)) },
			func() { nd.FFT[complex128](a, nd.FFTAxes(-3)) },
			func() { nd.FFT[complex128](a, nd.FFTAxes(0, 1)) },
			func() { nd.FFT[complex128](a, nd.FFTLen(0)) },
			func() { nd.FFT[complex128](a, nd.FFTLen(-2)) },
			func() { nd.FFT[complex128](a, nd.FFTLen(2, 3)) },
			func() { nd.FFT[complex128](empty) },
			func() { nd.FFTN[complex128](empty) },
			func() { nd.FFT[complex128](nd.Ones[float64](c, nd.Shape{}, split.None)) },
			func() { nd.FFT2[complex128](nd.Ones[float64](c, nd.Shape{3}, split.None)) },
			func() { nd.FFTN[complex128](a, nd.FFTLen(2, 3, 4)) },
			func() { nd.FFTN[complex128](a, nd.FFTAxes(0), nd.FFTLen(2, 3)) },
			func() { nd.RFFTN[complex128](x, nd.FFTAxes()) },
			func() { nd.IRFFTN[float64](nd.Ones[complex128](c, nd.Shape{}, split.None)) },
			func() { nd.IRFFT[float64](nd.Ones[complex128](c, nd.Shape{4, 1}, 0)) },
			func() { nd.IRFFT[float64](empty) },
			func() { nd.FFT[complex128](a, nd.FFTNorm(3)) },
			func() { nd.FFTInto(x2(a), a) },
			func() { nd.RFFTInto(a, x) },
			func() { nd.FFTFreq[float64](c, 0, 1, split.None) },
			func() { nd.RFFTFreq[float64](c, -1, 1, split.None) },
			func() { nd.FFTFreq[float64](c, 4, 1, 1) },
			func() { nd.FFTShift(a, 2) },
			func() { nd.IFFTShift(a, 0, -3) },
		} {
			before := c.Stats()
			if nd.Try(f) == nil {
				t.Errorf("mistake %d is no error", i)
			}
			if n := c.Stats().Sub(before).Total().Calls; n != 0 {
				t.Errorf("mistake %d communicates", i)
			}
		}
	})
}

// x2 returns an array of another shape.
func x2(a *nd.NDArray[complex128]) *nd.NDArray[complex128] {
	return nd.Zeros[complex128](a.Comm(), nd.Shape{4, 7}, 0)
}

// A NaN spoils its own line, no other.
func TestFFTOfNaN(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{6, 127}) {
			a := nd.FromLayout(c, l, func(i []int) float64 {
				if i[0] == 2 && i[1] == 3 {
					return math.NaN()
				}
				return float64(i[1])
			})
			eachLocal(nd.FFT[complex128](a), func(at int, v complex128) {
				if cmplx.IsNaN(v) != (at/127 == 2) {
					t.Errorf("%v: element %d is %v", l, at, v)
				}
			})
		}
	})
}

// Large parts are shared out among a rank's workers: each row is as if it were alone.
func TestFFTByWorkers(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := wavy(c, split.Block(nd.Shape{300, 128}, 0, c.Size()), wavyComplex)
		f, columns := nd.FFT[complex128](a), nd.FFT[complex128](a.T(), nd.FFTAxes(0))
		for _, i := range []int{0, 149, 150, 299} {
			row := nd.FFT[complex128](a.Slice(nd.Index(i)))
			wantSpectrum(t, "row", f.Slice(nd.Index(i)), row, 0)
			wantSpectrum(t, "column", columns.Slice(nd.Whole(), nd.Index(i)), row, 0)
		}
	})
}
