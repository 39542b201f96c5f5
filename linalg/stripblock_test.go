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
		for _, n := range []int{1, 2, 3, 4, 11} {
			testQRRangeOf[T](t, c, n, most)
		}
	})
}

func testQRRangeOf[T nd.Inexact](t *testing.T, c *spmd.Comm, n, most int) {
	const m = 70
	power := func(j int) float64 {
		if n == 1 {
			return math.Ldexp(1, -most)
		}
		return math.Ldexp(1, (j*7%n-n/2)*most/(n/2))
	}
	q0, r0 := linalg.QR(nd.FromFunc(c, nd.Shape{m, n}, split.None, func(i []int) T { return smooth[T](i[0], i[1]) }), linalg.Reduced)
	q, r := linalg.QR(nd.FromFunc(c, nd.Shape{m, n}, split.None, func(i []int) T {
		return smooth[T](i[0], i[1]) * number[T](power(i[1]), 0)
	}), linalg.Reduced)
	tol := precision[T](m, n)
	if d := gathered(q).distance(gathered(q0)); !(d <= tol) {
		t.Errorf("%d columns: Q is off by %g", n, d)
	}
	want := gathered(r0)
	got := newSmallMatrix(n, n, func(i, j int) T { return gathered(r).at(i, j) * number[T](1/power(j), 0) })
	if d := got.distance(want); !(d <= tol*want.largest()) {
		t.Errorf("%d columns: R is off by %g of %g", n, d, want.largest())
	}
}

// TestQRColumnScales: columns of sizes far apart do not disturb each other.
func TestQRColumnScales(t *testing.T) {
	t.Run("float64", func(t *testing.T) {
		testQRColumnScales[float64](t, [][2]float64{{1e-70, 1e-300}, {1e70, 1e-280}, {1e-20, 1e-300}, {1e-70, 1e-250},
			{1, 1e306}, {1e306, 1}, {1e-300, 1e300}, {1e300, 1e-300}})
	})
	t.Run("complex128", func(t *testing.T) {
		testQRColumnScales[complex128](t, [][2]float64{{1e-70, 1e-300}, {1e70, 1e-280}, {1, 1e305}, {1e300, 1e-300}})
	})
	t.Run("float32", func(t *testing.T) {
		testQRColumnScales[float32](t, [][2]float64{{1, 1e36}, {1e36, 1}, {1e-30, 1e30}, {1e30, 1e-30}, {1e-10, 1e-34}})
	})
	t.Run("complex64", func(t *testing.T) {
		testQRColumnScales[complex64](t, [][2]float64{{1, 1e35}, {1e30, 1e-30}})
	})
}

func testQRColumnScales[T nd.Inexact](t *testing.T, scales [][2]float64) {
	alone(t, func(c *spmd.Comm) {
		for _, n := range []int{2, 3, 4, 10, 50} {
			for _, pair := range scales {
				const m = 400
				power := func(j int) float64 { return math.Ldexp(1, math.Ilogb(pair[j%2])) }
				make := func(scaled bool) *nd.NDArray[T] {
					return nd.FromFunc(c, nd.Shape{m, n}, split.None, func(i []int) T {
						v := smooth[T](i[0], i[1])
						if scaled {
							v *= number[T](power(i[1]), 0)
						}
						return v
					})
				}
				q0, r0 := linalg.QR(make(false), linalg.Reduced)
				q, r := linalg.QR(make(true), linalg.Reduced)
				if d := gathered(q).distance(gathered(q0)); d > precision[T](m, n) {
					t.Errorf("%d columns of %g and %g: Q is off by %g", n, pair[0], pair[1], d)
				}
				got, want := gathered(r), gathered(r0)
				for i := range n {
					for j := range n {
						back := number[T](1/power(j), 0)
						if d := modulus(got.at(i, j)*back - want.at(i, j)); !(d <= precision[T](m, n)*want.largest()) {
							t.Fatalf("%d columns of %g and %g: R[%d, %d] is off by %g", n, pair[0], pair[1], i, j, d)
						}
					}
				}
			}
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
