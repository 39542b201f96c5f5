package linalg_test

import (
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestQRWidths takes every number of columns around the strips' and the vectors'.
func TestQRWidths(t *testing.T) {
	t.Run("float64", testQRWidths[float64])
	t.Run("complex128", testQRWidths[complex128])
	t.Run("float32", testQRWidths[float32])
	t.Run("complex64", testQRWidths[complex64])
}

func testQRWidths[T nd.Inexact](t *testing.T) {
	alone(t, func(c *spmd.Comm) {
		for i, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 33, 48, 50, 63, 64} {
			kind := kinds[i%len(kinds)]
			l := split.Block(nd.Shape{3*n + i%5, n}, split.None, 1)
			checkQR(t, c, l, linalg.Reduced, i%2 == 1, kind, func(i, j int) T { return kindOf[T](kind, i, j) })
		}
	})
}

// alone runs f on one rank.
func alone(t *testing.T, f func(c *spmd.Comm)) {
	t.Helper()
	spmdtest.Embedded(t)
	if err := spmd.Run(1, func(c *spmd.Comm) error { f(c); return nil }); err != nil {
		t.Fatal(err)
	}
}

// TestQRRange: powers of two on the columns, however large or small, come out in R and change
// nothing else.
func TestQRRange(t *testing.T) {
	t.Run("float64", func(t *testing.T) { testQRRange[float64](t, 995) })
	t.Run("complex128", func(t *testing.T) { testQRRange[complex128](t, 995) })
	t.Run("float32", func(t *testing.T) { testQRRange[float32](t, 118) })
	t.Run("complex64", func(t *testing.T) { testQRRange[complex64](t, 118) })
}

func testQRRange[T nd.Inexact](t *testing.T, most int) {
	alone(t, func(c *spmd.Comm) {
		const m, n = 70, 11
		power := func(j int) float64 { return math.Ldexp(1, (j*7%n-n/2)*most/(n/2)) }
		q0, r0 := linalg.QR(nd.FromFunc(c, nd.Shape{m, n}, split.None, func(i []int) T { return smooth[T](i[0], i[1]) }), linalg.Reduced)
		q, r := linalg.QR(nd.FromFunc(c, nd.Shape{m, n}, split.None, func(i []int) T {
			return smooth[T](i[0], i[1]) * number[T](power(i[1]), 0)
		}), linalg.Reduced)
		tol := precision[T](m, n)
		if d := gathered(q).distance(gathered(q0)); !(d <= tol) {
			t.Errorf("Q is off by %g", d)
		}
		want := gathered(r0)
		got := newSmallMatrix(n, n, func(i, j int) T { return gathered(r).at(i, j) * number[T](1/power(j), 0) })
		if d := got.distance(want); !(d <= tol*want.largest()) {
			t.Errorf("R is off by %g of %g", d, want.largest())
		}
	})
}

// TestQRNotFinite: a NaN or an Inf ends in R, in the columns from its own on.
func TestQRNotFinite(t *testing.T) {
	alone(t, func(c *spmd.Comm) {
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			_, r := linalg.QR(nd.FromFunc(c, nd.Shape{40, 9}, split.None, func(i []int) float64 {
				if i[0] == 17 && i[1] == 5 {
					return bad
				}
				return smooth[float64](i[0], i[1])
			}), linalg.Reduced)
			for j := range 9 {
				if got := math.IsNaN(gathered(r).at(j, j)); got != (j >= 5) {
					t.Errorf("%v: R[%d, %d] = %v", bad, j, j, gathered(r).at(j, j))
				}
			}
		}
	})
}
