package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestDecompositionsScale: numbers whose squares overflow or underflow.
func TestDecompositionsScale(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, scale := range []float64{1e160, 1e-160, 1e-300} {
			for _, s := range []nd.Shape{{9, 9}, {30, 3}} {
				for _, axis := range []split.Axis{split.None, 0, 1} {
					f := func(i, j int) float64 { return smooth[float64](i, j) }
					a := matrixOf(c, split.Block(s, axis, c.Size()), false, f)
					b := nd.MulScalar(a, scale)
					what := fmt.Sprintf("%v times %g", a.Layout(), scale)
					q, r := linalg.QR(a, linalg.Reduced)
					q1, r1 := linalg.QR(b, linalg.Reduced)
					if d, e := gathered(q).distance(gathered(q1)), gathered(nd.DivScalar(r1, scale)).distance(gathered(r)); !(d < 1e-12 && e < 1e-12) {
						t.Errorf("%s: Q differs by %g, R by %g", what, d, e)
					}
					sv, err := linalg.SVDVals(a)
					sv1, err1 := linalg.SVDVals(b)
					if err != nil || err1 != nil {
						t.Errorf("%s: %v, %v", what, err, err1)
						continue
					}
					for i, v := range sv.Local() {
						if w := sv1.Local()[i] / scale; !(math.Abs(v-w) < 1e-12*v) {
							t.Errorf("%s: singular value %v, want %v", what, w, v)
						}
					}
					if s[0] != s[1] {
						continue
					}
					h := nd.Add(a, a.T().MoveTo(a.Layout()))
					w, err := linalg.EigValsH(h)
					w1, err1 := linalg.EigValsH(nd.MulScalar(h, scale))
					if err != nil || err1 != nil {
						t.Errorf("%s: %v, %v", what, err, err1)
						continue
					}
					for i, v := range w.Local() {
						if x := w1.Local()[i] / scale; !(math.Abs(v-x) < 1e-12) {
							t.Errorf("%s: eigenvalue %v, want %v", what, x, v)
						}
					}
				}
			}
		}
	})
}

// TestDecompositionsMany: more ranks than columns, and more than a matrix has rows.
func TestDecompositionsMany(t *testing.T) {
	spmdtest.Embedded(t)
	spmdtest.Run(t, 23, func(c *spmd.Comm) {
		f := func(i, j int) float64 { return smooth[float64](i, j) }
		for _, s := range []nd.Shape{{60, 2}, {20, 19}, {3, 50}, {2, 2}} {
			for _, axis := range []split.Axis{0, 1} {
				checkQR(t, c, split.Block(s, axis, c.Size()), linalg.Reduced, false, "smooth", f)
				checkSVD(t, c, split.Block(s, axis, c.Size()), false, "smooth", f)
			}
		}
		checkEigH(t, c, split.Block(nd.Shape{15, 15}, 1, c.Size()), false, "smooth", hermitianKind[float64]("smooth"))
	})
}

// TestDecompositionsLarge: blocks as wide as they get.
func TestDecompositionsLarge(t *testing.T) {
	spmdtest.Embedded(t)
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		l := split.Block(nd.Shape{90, 90}, 0, 2)
		checkQR(t, c, l, linalg.Reduced, false, "smooth", smooth[complex128])
		checkSVD(t, c, l, false, "smooth", smooth[complex128])
		checkEigH(t, c, l, false, "smooth", hermitianKind[complex128]("smooth"))
	})
}
