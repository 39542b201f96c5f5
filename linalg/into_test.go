package linalg_test

import (
	"fmt"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// dominant is a Hermitian positive definite matrix of n × n.
func dominant[T nd.Inexact](n int) func(i, j int) T {
	return func(i, j int) T {
		switch {
		case i == j:
			return number[T](float64(2*n+i), 0)
		case i < j:
			return conjugateOf(general[T](j, i))
		}
		return general[T](i, j)
	}
}

func TestSolversInto(t *testing.T) {
	narrowBlocks(t)
	t.Run("float64", testSolversInto[float64])
	t.Run("complex64", testSolversInto[complex64])
}

// testSolversInto: the forms that write into arrays of any layout give the same
// numbers as the others, again and again with one factorization.
func testSolversInto[T nd.Inexact](t *testing.T) {
	const n = 7
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, la := range someLayouts[T](c, nd.Shape{n, n}, 0) {
			a := elements(c, la, i%2 == 0, dominant[T](n))
			lu := linalg.LU(a)
			chol, err := linalg.FactorCholesky(a)
			if err != nil {
				t.Errorf("%v: %v", la, err)
				return
			}
			inv, err := linalg.Inv(a)
			if err != nil {
				t.Error(err)
			}
			for k, shape := range []nd.Shape{{n}, {n, 3}} {
				layouts := testLayouts(c, shape)
				for j, lb := range layouts {
					if j%3 != (i+k)%3 {
						continue
					}
					b := elements(c, lb, j%2 == 1, general[T])
					dst := elements(c, layouts[(i+j+k)%len(layouts)], j%2 == 0, general[T])
					what := fmt.Sprintf("%T, A %v, b %v, dst %v", b.Local()[:0], la, lb, dst.Layout())
					check := func(name string, want *nd.NDArray[T], err error, into func(dst, b *nd.NDArray[T]) error) {
						if err != nil {
							t.Errorf("%s %s: %v", name, what, err)
							return
						}
						w := whole(want)
						for _, d := range []*nd.NDArray[T]{dst, dst, nd.Copy(b)} {
							x := b
							if d != dst {
								x = d // in place
							}
							l := d.Layout()
							if err := into(d, x); err != nil || !d.Layout().Equal(l) {
								t.Errorf("%sInto %s: %v in %v", name, what, err, d.Layout())
							}
							if e := whole(d).apart(w); !(e <= 10*roundoff[T]()) {
								t.Errorf("%sInto %s: off by %g", name, what, e)
							}
						}
					}
					x, err := lu.Solve(b)
					check("Solve", x, err, lu.SolveInto)
					check("Solve", x, err, func(dst, b *nd.NDArray[T]) error { return linalg.SolveInto(dst, a, b) })
					x, err = lu.SolveAdjoint(b)
					check("SolveAdjoint", x, err, lu.SolveAdjointInto)
					check("Cholesky Solve", chol.Solve(b), nil, func(dst, b *nd.NDArray[T]) error { chol.SolveInto(dst, b); return nil })
					x, err = linalg.SolveTriangular(a, b, linalg.LowerTriangle)
					check("SolveTriangular", x, err, func(dst, b *nd.NDArray[T]) error {
						return linalg.SolveTriangularInto(dst, a, b, linalg.LowerTriangle)
					})
				}
			}
			for _, l := range someLayouts[T](c, nd.Shape{n, n}, i) {
				dst := elements(c, l, true, general[T])
				for i, into := range []func() error{
					func() error { return linalg.InvInto(dst, a) }, func() error { return lu.InvInto(dst) },
					func() error { chol.InvInto(dst); return nil },
				} {
					if err := into(); err != nil || whole(dst).apart(whole(inv)) > 10*roundoff[T]() {
						t.Errorf("inverse %d of %v in %v: off by %g, %v", i, la, l, whole(dst).apart(whole(inv)), err)
					}
				}
			}
		}
	})
}

func TestQRInto(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, s := range []nd.Shape{{40, 5}, {5, 5}, {6, 9}, {33, 3}, {0, 3}} {
			m, n := s[0], s[1]
			k := min(m, n)
			ls, lq := testLayouts(c, s), testLayouts(c, nd.Shape{m, k})
			lc, lr := testLayouts(c, nd.Shape{m, m}), testLayouts(c, nd.Shape{k, n})
			for i, l := range ls {
				a := matrixOf(c, l, i%2 == 1, smooth[float64])
				q0, r0 := linalg.QR(a, linalg.Reduced)
				c0, cr0 := linalg.QR(a, linalg.Complete)
				same := func(what string, q, q0, r, r0 *nd.NDArray[float64]) {
					if d, e := gathered(q).distance(gathered(q0)), gathered(r).distance(gathered(r0)); d > 1e-13 || e > 1e-13 {
						t.Errorf("%s of %v into %v and %v: off by %g and %g", what, l, q.Layout(), r.Layout(), d, e)
					}
				}
				for j, into := range []*split.Layout{lq[i], lq[(i+1)%len(lq)]} {
					q := matrixOf(c, into, j == 1, smooth[float64])
					r := matrixOf(c, lr[(i+j)%len(lr)], j == 0, smooth[float64])
					linalg.QRInto(q, r, a)
					same("QRInto", q, q0, r, r0)
					linalg.QRInto(nil, r, a)
					same("QRInto, only R,", q, q0, r, r0)
					q = matrixOf(c, into, j == 0, smooth[float64])
					linalg.QRInto(q, nil, a)
					same("QRInto, only Q,", q, q0, r, r0)
				}
				q := matrixOf(c, lc[i], false, smooth[float64])
				if m > n {
					r := matrixOf(c, ls[0], false, smooth[float64])
					linalg.QRInto(q, r, a)
					same("complete QRInto", q, c0, r, cr0)
					linalg.QRInto(a, r.Slice(nd.Range(0, k, 1)), a) // in place
					same("QRInto in place", a, q0, r.Slice(nd.Range(0, k, 1)), r0)
				}
			}
		}
		err := nd.Try(func() {
			linalg.QRInto(nd.Zeros[float64](c, nd.Shape{4, 2}, 0), nd.Zeros[float64](c, nd.Shape{2, 2}, 0), nd.Zeros[float64](c, nd.Shape{4, 3}, 0))
		})
		if err == nil || !strings.Contains(err.Error(), "linalg.QRInto") || !strings.Contains(err.Error(), "(4, 2)") {
			t.Errorf("misuse: %v", err)
		}
		err = nd.Try(func() { linalg.QRInto(nil, nil, nd.Zeros[float64](c, nd.Shape{4, 3}, 0)) })
		if err == nil || !strings.Contains(err.Error(), "no destination for the factors of (4, 3)") {
			t.Errorf("misuse: %v", err)
		}
	})
}

// TestTallQR: blocks of rows and trees of several levels, against one block, by
// every function that goes through them.
func TestTallQR(t *testing.T) {
	t.Cleanup(linalg.SetTallBlock())
	t.Run("float64", testTallQR[float64])
	t.Run("complex64", testTallQR[complex64])
}

func testTallQR[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for at, s := range []nd.Shape{{300, 3}, {97, 1}, {260, 4}, {40, 5}} {
			for i, l := range someLayouts[T](c, s, at) {
				for _, kind := range []string{"smooth", "rank 2", "zero", "graded"} {
					f := func(i, j int) T { return kindOf[T](kind, i, j) }
					checkQR(t, c, l, linalg.Reduced, i%2 == 1, kind, f)
				}
				a := matrixOf(c, l, i%2 == 0, smooth[T])
				q, r := linalg.QR(a, linalg.Reduced)
				complete, _ := linalg.QR(a, linalg.Complete) // never by blocks
				first := gathered(nd.Copy(complete.Slice(nd.Whole(), nd.Range(0, s[1], 1))))
				if d := gathered(q).distance(first); !(d <= precision[T](s[0], s[1])) {
					t.Errorf("%v: Q differs by %g", l, d)
				}
				linalg.QRInto(a, r, a)
				if d := gathered(a).distance(gathered(q)); !(d <= precision[T](1, 1)) {
					t.Errorf("%v: Q in place differs by %g", l, d)
				}
			}
		}
		a := nd.FromFunc(c, nd.Shape{300, 4}, 0, func(i []int) T { return smooth[T](i[0], i[1]) })
		u, sv, vh, err := linalg.SVD(a)
		if err != nil {
			t.Error(err)
			return
		}
		if d := scaled(gathered(u), sv.Gather()).times(gathered(vh)).distance(gathered(a)); !(d <= precision[T](300, 4)) {
			t.Errorf("SVD is off by %g", d)
		}
	})
}

// TestSolveIntoAllocations: from the second time on, factors solve in memory that they have.
func TestSolveIntoAllocations(t *testing.T) {
	if krylovRace {
		t.Skip("pools of memory forget at random under the race detector")
	}
	narrowBlocks(t)
	const n = 12
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0, 1} {
			a := nd.FromFunc(c, nd.Shape{n, n}, axis, func(i []int) float64 { return dominant[float64](n)(i[0], i[1]) })
			lu := linalg.LU(a)
			chol, err := linalg.FactorCholesky(a)
			if err != nil {
				t.Error(err)
				return
			}
			for _, s := range []nd.Shape{{n}, {n, 2}} {
				x := nd.Ones[float64](c, s, 0)
				for name, f := range map[string]func(){
					"LU.SolveInto":        func() { lu.SolveInto(x, x) },
					"LU.SolveAdjointInto": func() { lu.SolveAdjointInto(x, x) },
					"Cholesky.SolveInto":  func() { chol.SolveInto(x, x) },
				} {
					if k := testing.AllocsPerRun(5, f); k > 0 {
						t.Errorf("%s of %v with A split %v: %v allocations", name, s, axis, k)
					}
				}
			}
		}
	})
}

func TestRCondOfCholesky(t *testing.T) {
	narrowBlocks(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, l := range testLayouts(c, nd.Shape{8, 8}) {
			f := func(i, j int) float64 { return 1 / float64(i+j+1) }
			chol, err := linalg.FactorCholesky(elements(c, l, false, f))
			if err != nil {
				t.Error(err)
				return
			}
			got, lu := chol.RCond(), linalg.LU(elements(c, l, true, f)).RCond()
			if want := 1 / 3.387279082022739e10; got < want*0.99 || got > 3*want || lu < got*0.99 || lu > got*1.01 { // NumPy's cond(hilbert(8), 1)
				t.Errorf("%v: RCond %g, of LU %g, want %g", l, got, lu, want)
			}
		}
	})
}
