package nd_test

import (
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestReportP51RFFTAlongTheSplitAxis(t *testing.T) {
	want := []float64{15, 0, -3, 3 * math.Sqrt(3), -3, math.Sqrt(3), -3, 0}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, a := range spread(c, []float64{0, 1, 2, 3, 4, 5}) {
			wantTransform(t, a.Layout(), nd.RFFT[complex128](a), want)
		}
		for _, a := range spread(c, []int64{0, 1, 2, 3, 4, 5}) {
			wantTransform(t, a.Layout(), nd.RFFT[complex128](a), want)
		}
		// Of a slice of a longer array.
		long := nd.Arange[float64](c, -4, 9, 1, 0).Slice(nd.Range(4, 10))
		wantTransform(t, long.Layout(), nd.RFFT[complex128](long), want)
	})
}

// jax #15680, #13081: a transform of the rows of a row-split array gathers it all.
func TestReportR7FFTOfRowsMovesNothing(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := nd.Ones[float64](c, nd.Shape{40, 50}, 0)
		z := nd.AsType[complex128](a)
		before := c.Stats()
		for _, r := range []*nd.NDArray[complex128]{
			nd.FFT[complex128](a), nd.IFFT[complex128](z), nd.RFFT[complex128](a), nd.IHFFT[complex128](a),
			nd.FFTN[complex128](z, nd.FFTAxes(1)),
		} {
			if r.Split() != 0 || !r.Layout().Balanced() {
				t.Errorf("%v", r.Layout())
			}
		}
		nd.IRFFT[float64](z)
		nd.HFFT[float64](z)
		nd.FFTShift(z, 1)
		if n := c.Stats().Sub(before); len(n) != 0 {
			t.Errorf("communicates\n%v", n)
		}
	})
}

// P31: transforms over any axes, unnormalized adjoint, shifts on the split axis.
func TestReportP31FFTNDOverAnyAxes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{5, 4, 6}) {
			m := wavy(c, l, wavyComplex)
			for _, axes := range [][]int{{0}, {1}, {2}, {0, 1}, {2, 0}, {0, 1, 2}} {
				// In the middle of the shifted axes lies frequency 0: the sum.
				shifted := nd.FFTShift(nd.FFTN[complex128](nd.IFFTShift(m, axes...), nd.FFTAxes(axes...)), axes...)
				middle := []nd.Item{nd.Whole(), nd.Whole(), nd.Whole()}
				for _, k := range axes {
					middle[k] = nd.Index(m.Shape()[k] / 2)
				}
				wantSpectrum(t, l.String(), shifted.Slice(middle...), nd.Sum(m, nd.Over(axes...)), 1e-13)
				if shifted.Layout() != l && !shifted.Layout().Equal(l) {
					t.Errorf("%v became %v", l, shifted.Layout())
				}
			}
		}
	})
}

// A vector that is split along its only axis is not gathered by every rank.
func TestReportHeatFFTOfVectorGathersIt(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 1 << 14
		a := nd.FromFunc(c, nd.Shape{n}, 0, func(i []int) complex128 { return complex(math.Cos(2*math.Pi*float64(5*i[0])/n), 0) })
		before := c.Stats()
		f := nd.FFT[complex128](a)
		calls := c.Stats().Sub(before)
		if c.Size() > 1 {
			if got, limit := calls["alltoallv"], int64(3*16*(n/c.Size()+n/128)); got.Calls != 3 || got.Bytes > limit || len(calls) != 1 {
				t.Errorf("want 3 alltoallvs of %d bytes at most, got\n%v", limit, calls)
			}
		}
		eachLocal(f, func(at int, v complex128) {
			want := complex128(0)
			if at == 5 || at == n-5 {
				want = n / 2
			}
			if d := v - want; math.Hypot(real(d), imag(d)) > 1e-10 {
				t.Errorf("coefficient %d is %v", at, v)
			}
		})
	})
}

// TestFFTCommunication is the table of what transforms communicate, and of how many
// bytes a rank sends at most.
func TestFFTCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		p := c.Size()
		n := 8 * p
		a := nd.Ones[complex128](c, nd.Shape{n, 2 * p}, 0)
		x := nd.Ones[float64](c, nd.Shape{n, 2 * p}, 0)
		cube := nd.Ones[complex64](c, nd.Shape{2 * p, 2 * p, 3}, 1)
		rows := nd.Ones[complex128](c, nd.Shape{2 * p, n}, 1)
		vector := nd.Ones[float64](c, nd.Shape{64 * 64 * 2}, 0)
		prime := nd.Ones[complex128](c, nd.Shape{10007}, 0)
		short := nd.Ones[complex128](c, nd.Shape{100}, 0)
		replicated := nd.Ones[complex128](c, nd.Shape{100}, split.None)
		dst := nd.ZerosLike(a)
		local := int64(16 * 8 * 2 * p) // bytes of a rank's part of a
		share := func(elements, bytes int) int64 { return int64(bytes * (elements/p + elements/32)) }
		for _, r := range []struct {
			name         string
			f            func()
			op           string
			calls, bytes int64
		}{
			{"other axis", func() { nd.FFT[complex128](a); nd.RFFT[complex128](x); nd.IRFFT[float64](a) }, "", 0, 0},
			{"other axes", func() { nd.FFTN[complex64](cube, nd.FFTAxes(0, 2)) }, "", 0, 0},
			{"replicated", func() { nd.FFT[complex128](replicated); nd.FFTShift(replicated) }, "", 0, 0},
			{"split axis", func() { nd.FFT[complex128](a, nd.FFTAxes(0)) }, "alltoallv", 2, 2 * local},
			{"split axis of real", func() { nd.FFT[complex128](x, nd.FFTAxes(0)) }, "alltoallv", 2, local + local/2},
			{"split axis, cut off", func() { nd.FFT[complex128](a, nd.FFTAxes(0), nd.FFTLen(4*p)) }, "alltoallv", 2, local + local/2},
			{"staying", func() { nd.FFT[complex128](a, nd.FFTAxes(0), nd.FFTStay()) }, "alltoallv", 1, local},
			{"into", func() { nd.FFTInto(dst, a, nd.FFTAxes(0)) }, "alltoallv", 2, 2 * local},
			{"all axes", func() { nd.FFTN[complex128](a) }, "alltoallv", 2, 2 * local},
			{"all axes, in place", func() { nd.FFTNInto(dst, dst) }, "alltoallv", 2, 2 * local},
			{"all axes of a cube", func() { nd.IFFTN[complex64](cube) }, "alltoallv", 2, 2 * int64(8*2*2*p*3)},
			{"half along the split axis first", func() { nd.RFFT[complex128](x, nd.FFTAxes(0)) }, "alltoallv", 2, local/2 + share((4*p+1)*2*p, 16)},
			{"all axes of real", func() { nd.RFFTN[complex128](x) }, "alltoallv", 2, int64(16*8*(p+1)) + local},
			{"all axes, half along the split one", func() { nd.RFFTN[complex128](x, nd.FFTAxes(1, 0)) }, "alltoallv", 2, local/2 + share((4*p+1)*2*p, 16)},
			{"all axes to real", func() { nd.IRFFTN[float64](a) }, "alltoallv", 2, 2 * 2 * local},
			{"all axes to real, the split one last", func() { nd.IRFFT2[float64](rows) }, "alltoallv", 2, 3 * local},
			{"shift", func() { nd.FFTShift(a, 0) }, "alltoallv", 1, local},
			{"vector", func() { nd.RFFT[complex128](vector) }, "alltoallv", 3, share(8192, 8) + share(8192, 16) + share(4097, 16)},
			{"vector to real", func() { nd.IRFFT[float64](prime, nd.FFTLen(8192)) }, "alltoallv", 4, 2*share(10007, 16) + 2*share(8192, 16) + share(8192, 8)},
			{"prime vector", func() { nd.FFT[complex128](prime) }, "alltoallv", 5, 2*share(10007, 16) + 3*share(21000, 16)},
			{"short vector", func() { nd.FFT[complex128](short) }, "allgatherv", 1, int64(16*(p-1)) * int64(100/p+1)},
		} {
			before := c.Stats()
			r.f()
			got := c.Stats().Sub(before)
			if p == 1 {
				if len(got) != 0 {
					t.Errorf("%s: one rank communicates\n%v", r.name, got)
				}
				continue
			}
			if got.Total().Calls != r.calls || r.calls > 0 && got[r.op].Calls != r.calls || got.Total().Bytes > r.bytes {
				t.Errorf("%s: want %d %ss of %d bytes at most, got\n%v", r.name, r.calls, r.op, r.bytes, got)
			}
		}
	})
}
