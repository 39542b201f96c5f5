package linalg_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestDot(t *testing.T) {
	t.Run("float64", testDot[float64])
	t.Run("float32", testDot[float32])
	t.Run("complex128", testDot[complex128])
	t.Run("complex64", testDot[complex64])
	t.Run("int64", testDot[int64])
	t.Run("int8", testDot[int8])
	t.Run("uint16", testDot[uint16])
}

func testDot[T nd.Number](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, shape := range []nd.Shape{{}, {0}, {1}, {5}, {23}, {6, 4}, {0, 3}, {2, 3, 4}} {
			n := 0
			for _, la := range testLayouts(c, shape) {
				for _, lb := range testLayouts(c, shape) {
					checkDot[T](t, c, la, lb, n)
					n++
				}
			}
		}
	})
}

func checkDot[T nd.Number](t testing.TB, c *spmd.Comm, la, lb *split.Layout, n int) {
	a, b := array[T](c, la, 1, n%2 == 1), array[T](c, lb, 2, n%4 > 1)
	what := fmt.Sprintf("%v · %v", la, lb)
	want := map[string]int64{}
	if !la.Replicated() || !lb.Replicated() {
		want["allreduce"] = 1
	}
	if !la.Replicated() && !lb.Replicated() && !la.Equal(lb) && c.Size() > 1 {
		want["alltoallv"] = 1
	}
	var dot, vdot T
	if got := calls(c, func() { dot = linalg.Dot(a, b) }); !maps.Equal(got, want) {
		t.Errorf("Dot of %s communicates %v, want %v", what, got, want)
	}
	if got := calls(c, func() { vdot = linalg.VDot(a, b) }); !maps.Equal(got, want) {
		t.Errorf("VDot of %s communicates %v, want %v", what, got, want)
	}
	var sum, vsum T
	nd.FromLayout(c, split.Block(la.Shape(), split.None, c.Size()), func(i []int) T {
		sum += at[T](1, i) * at[T](2, i)
		vsum += conj(at[T](1, i)) * at[T](2, i)
		return 0
	})
	if dot != sum || vdot != vsum {
		t.Errorf("%s: Dot %v, want %v; VDot %v, want %v", what, dot, sum, vdot, vsum)
	}
}

func conj[T nd.Number](v T) T {
	switch v := any(&v).(type) {
	case *complex64:
		*v = complex(real(*v), -imag(*v))
	case *complex128:
		*v = complex(real(*v), -imag(*v))
	}
	return v
}

// TestDotWorked: numbers worked out by hand, and report P21 of an unbalanced vector.
func TestDotWorked(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0} {
			x := vector[complex128](c, axis, 1+2i, 3-1i, 2i, 4)
			if got := linalg.Dot(x, x); got != 17-2i {
				t.Errorf("dot %v, want 17-2i", got)
			}
			if got := linalg.VDot(x, x); got != 35 {
				t.Errorf("vdot %v, want 35", got)
			}
			if got := linalg.Norm(x); math.Abs(got-math.Sqrt(35)) > 1e-15 {
				t.Errorf("norm %v, want √35", got)
			}
			b := nd.Arange[float64](c, 0, 9, 1, axis).Slice(nd.From(4))
			if got := linalg.Dot(b, b); got != 190 {
				t.Errorf("dot of an unbalanced vector %v, want 190", got)
			}
		}
	})
}

// TestDotPrecision: float32 is added up in double precision.
func TestDotPrecision(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.Full(c, nd.Shape{1 << 18}, float32(0.1), 0)
		tenth := float64(float32(0.1))
		if got, want := linalg.Dot(x, x), float32(tenth*tenth*(1<<18)); got != want {
			t.Errorf("float32 dot %v, want %v", got, want)
		}
		y := nd.Full(c, nd.Shape{1 << 18}, complex64(complex(0, 0.1)), 0)
		if got, want := linalg.VDot(y, y), complex(float32(tenth*tenth*(1<<18)), 0); got != want {
			t.Errorf("complex64 vdot %v, want %v", got, want)
		}
	})
}

func TestDotAllocations(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		x := nd.Ones[float64](c, nd.Shape{5000}, 0)
		z := nd.Ones[complex64](c, nd.Shape{70, 70}, 1)
		var s float64
		if n := testing.AllocsPerRun(20, func() { s = linalg.Dot(x, x) }); n > 0 || s != 5000 {
			t.Errorf("Dot allocates %v times", n)
		}
		if n := testing.AllocsPerRun(20, func() { linalg.VDot(z, z) }); n > 0 {
			t.Errorf("VDot allocates %v times", n)
		}
	})
}

func TestDotMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a, b := nd.Zeros[float64](c, nd.Shape{3, 4}, 0), nd.Zeros[float64](c, nd.Shape{4, 3}, 1)
		for want, f := range map[string]func(){
			"linalg.Dot at":                     func() { linalg.Dot(a, b) },
			"(3, 4) split 0 and (4, 3) split 1": func() { linalg.VDot(a, b) },
		} {
			if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v does not say %q", err, want)
			}
		}
	})
}
