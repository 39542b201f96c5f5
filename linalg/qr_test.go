package linalg_test

import (
	"fmt"
	"hash/fnv"
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

// smallMatrix is a matrix that a rank has whole, for checks by plain loops.
type smallMatrix[T nd.Inexact] struct {
	m, n int
	data []T
}

func newSmallMatrix[T nd.Inexact](m, n int, f func(i, j int) T) smallMatrix[T] {
	s := smallMatrix[T]{m, n, make([]T, m*n)}
	for i := range m {
		for j := range n {
			s.data[i*n+j] = f(i, j)
		}
	}
	return s
}

// gathered returns all of a on every rank.
func gathered[T nd.Inexact](a *nd.NDArray[T]) smallMatrix[T] {
	return smallMatrix[T]{a.Shape()[0], a.Shape()[1], a.Gather()}
}

func (s smallMatrix[T]) at(i, j int) T { return s.data[i*s.n+j] }

func (s smallMatrix[T]) times(o smallMatrix[T]) smallMatrix[T] {
	out := newSmallMatrix(s.m, o.n, func(int, int) (zero T) { return zero })
	for i := range s.m {
		for l := range s.n {
			v := s.at(i, l)
			for j := range o.n {
				out.data[i*o.n+j] += v * o.at(l, j)
			}
		}
	}
	return out
}

func (s smallMatrix[T]) adjoint() smallMatrix[T] {
	return newSmallMatrix(s.n, s.m, func(i, j int) T { return conjugateOf(s.at(j, i)) })
}

// distance returns the largest magnitude in s − o.
func (s smallMatrix[T]) distance(o smallMatrix[T]) float64 {
	if s.m != o.m || s.n != o.n {
		return math.Inf(1)
	}
	d := 0.0
	for i, v := range s.data {
		d = max(d, modulus(v-o.data[i])) // also NaN
	}
	return d
}

func (s smallMatrix[T]) largest() float64 {
	return s.distance(smallMatrix[T]{s.m, s.n, make([]T, s.m*s.n)})
}

func unitMatrix[T nd.Inexact](n int) smallMatrix[T] {
	return newSmallMatrix(n, n, func(i, j int) T {
		if i == j {
			return number[T](1, 0)
		}
		return 0
	})
}

func conjugateOf[T nd.Inexact](v T) T {
	switch z := any(v).(type) {
	case complex64:
		return any(complex(real(z), -imag(z))).(T)
	case complex128:
		return any(complex(real(z), -imag(z))).(T)
	}
	return v
}

func modulus[T nd.Inexact](v T) float64 {
	switch z := any(v).(type) {
	case float32:
		return math.Abs(float64(z))
	case float64:
		return math.Abs(z)
	case complex64:
		return math.Hypot(float64(real(z)), float64(imag(z)))
	case complex128:
		return math.Hypot(real(z), imag(z))
	}
	panic("no number")
}

// picked reports whether this rank is the one that checks numbers that all of
// them have, which differs from one check to the next.
func picked(c *spmd.Comm, what string) bool {
	h := fnv.New32a()
	h.Write([]byte(what))
	return int(h.Sum32()%uint32(c.Size())) == c.Rank()
}

// precision returns the tolerance of T for a matrix of the given extents.
func precision[T nd.Inexact](m, n int) float64 {
	var zero T
	switch any(zero).(type) {
	case float32, complex64:
		return 5e-6 * float64(m+n+4)
	}
	return 5e-15 * float64(m+n+4)
}

// orthogonality returns the largest element of QᴴQ − 1.
func orthogonality[T nd.Inexact](q smallMatrix[T]) float64 {
	return q.adjoint().times(q).distance(unitMatrix[T](q.n))
}

// smooth is a test matrix of full rank, pseudo-random.
func smooth[T nd.Inexact](i, j int) T {
	h := uint32(i*2654435761) ^ uint32((j+7)*40503*97)
	h ^= h >> 13
	h *= 0x5bd1e995
	h ^= h >> 15
	h *= 0x85ebca6b
	return number[T](float64(h%4001)/2000-1, float64(h/4001%4001)/2000-1)
}

// The kinds of matrices that factorizations are tried on.
var kinds = []string{"smooth", "zero", "rank 2", "repeated", "hilbert", "graded", "tiny"}

func kindOf[T nd.Inexact](kind string, i, j int) T {
	switch kind {
	case "zero":
		return 0
	case "rank 2":
		return number[T](float64(i+1), float64(i%3))*number[T](float64(j-2), float64(j%2)) + number[T](float64(i%4), 0)
	case "repeated":
		return smooth[T](i, j/2)
	case "hilbert":
		return number[T](1/float64(i+j+1), 0)
	case "graded":
		return smooth[T](i, j) * number[T](math.Pow(10, float64(j%7-3)), 0)
	case "tiny":
		return smooth[T](i, j) * number[T](1e-30, 0)
	}
	return smooth[T](i, j)
}

// someLayouts returns the layouts that a factorization in T is tried on: all of
// them for float64, every third one, from n on, for the other types.
func someLayouts[T nd.Inexact](c *spmd.Comm, shape nd.Shape, n int) []*split.Layout {
	all := testLayouts(c, shape)
	var zero T
	if _, ok := any(zero).(float64); ok {
		return all
	}
	var some []*split.Layout
	for i := n % 3; i < len(all); i += 3 {
		some = append(some, all[i])
	}
	return some
}

var matrixShapes = []nd.Shape{
	{1, 1}, {5, 1}, {1, 5}, {4, 4}, {7, 3}, {3, 8}, {0, 3}, {3, 0}, {0, 0}, {12, 11}, {11, 13}, {40, 5}, {34, 33}, {18, 26},
}

func TestQR(t *testing.T) {
	t.Run("float64", testQR[float64])
	t.Run("complex128", testQR[complex128])
	t.Run("float32", testQR[float32])
	t.Run("complex64", testQR[complex64])
}

func testQR[T nd.Inexact](t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := 0
		for i, s := range matrixShapes {
			for _, l := range someLayouts[T](c, s, i) {
				for _, mode := range []linalg.QRMode{linalg.Reduced, linalg.Complete} {
					kind := kinds[n%len(kinds)]
					checkQR(t, c, l, mode, n%2 == 1, kind, func(i, j int) T { return kindOf[T](kind, i, j) })
					n++
				}
			}
		}
	})
}

// matrixOf returns the matrix of layout l, as a transposed view if asked for.
func matrixOf[T nd.Inexact](c *spmd.Comm, l *split.Layout, transposed bool, f func(i, j int) T) *nd.NDArray[T] {
	if !transposed {
		return nd.FromLayout(c, l, func(i []int) T { return f(i[0], i[1]) })
	}
	tl, err := split.Transpose(l, []int{1, 0})
	if err != nil {
		panic(err)
	}
	return nd.FromLayout(c, tl, func(i []int) T { return f(i[1], i[0]) }).T()
}

func checkQR[T nd.Inexact](t testing.TB, c *spmd.Comm, l *split.Layout, mode linalg.QRMode, transposed bool, kind string, f func(i, j int) T) {
	m, n := l.Shape()[0], l.Shape()[1]
	a := matrixOf(c, l, transposed, f)
	what := fmt.Sprintf("%T %v, %s, mode %d, transposed %v", f(0, 0), l, kind, mode, transposed)
	q, r := linalg.QR(a, mode)
	k := min(m, n)
	if mode == linalg.Complete {
		k = m
	}
	if !q.Shape().Equal(nd.Shape{m, k}) || !r.Shape().Equal(nd.Shape{k, n}) {
		t.Errorf("%s: factors %v and %v", what, q.Layout(), r.Layout())
		return
	}
	wantR := l.Axis()
	if m >= n*c.Size() && mode == linalg.Reduced {
		wantR = split.None
	}
	if c.Size() > 1 && (q.Split() != l.Axis() || r.Split() != wantR) {
		t.Errorf("%s: factors %v and %v", what, q.Layout(), r.Layout())
	}
	if l.Axis() == 0 && fmt.Sprint(q.Layout().Counts()) != fmt.Sprint(l.Counts()) {
		t.Errorf("%s: Q is %v", what, q.Layout())
	}
	qs, rs := gathered(q), gathered(r)
	if mode == linalg.Reduced {
		none, only := linalg.QR(a, linalg.OnlyR)
		if d := gathered(only).distance(rs); none != nil || !only.Layout().Equal(r.Layout()) || d != 0 {
			t.Errorf("%s: only R is %v, off by %g", what, only.Layout(), d)
		}
	}
	got := gathered(a)
	if !picked(c, what) {
		return
	}
	ws := newSmallMatrix(m, n, f)
	if !a.Layout().Equal(l) || got.distance(ws) != 0 {
		t.Errorf("%s: the operand has changed", what)
	}
	tol := precision[T](m, n)
	if d := qs.times(rs).distance(ws); !(d <= tol*ws.largest()) {
		t.Errorf("%s: QR is off by %g of %g", what, d, ws.largest())
	}
	if d := orthogonality(qs); !(d <= tol) {
		t.Errorf("%s: QᴴQ is off by %g", what, d)
	}
	for i := range k {
		for j := range min(i, n) {
			if rs.at(i, j) != 0 {
				t.Errorf("%s: R[%d, %d] = %v", what, i, j, rs.at(i, j))
			}
		}
		if i < n && (rs.at(i, i) != conjugateOf(rs.at(i, i)) || real(asComplex(rs.at(i, i))) < 0) {
			t.Errorf("%s: R[%d, %d] = %v", what, i, i, rs.at(i, i))
		}
	}
}

func asComplex[T nd.Inexact](v T) complex128 {
	switch z := any(v).(type) {
	case float32:
		return complex(float64(z), 0)
	case float64:
		return complex(z, 0)
	case complex64:
		return complex128(z)
	}
	return any(v).(complex128)
}

// TestReportHeat1317 is heat #1317 and #1289: matrices that are nearly square,
// split along their rows.
func TestReportHeat1317(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, s := range []nd.Shape{{32, 34}, {36, 30}, {35, 35}, {40, 40}} {
			for _, kind := range kinds {
				for _, mode := range []linalg.QRMode{linalg.Reduced, linalg.Complete} {
					checkQR(t, c, split.Block(s, 0, c.Size()), mode, false, kind,
						func(i, j int) float64 { return kindOf[float64](kind, i, j) })
				}
			}
		}
	})
}

// TestReportQRRankDeficient: Heat's column-split QR loses orthogonality where a
// is rank deficient.
func TestReportQRRankDeficient(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []split.Axis{split.None, 0, 1} {
			q, _ := linalg.QR(nd.Ones[float64](c, nd.Shape{60, 20}, axis), linalg.Reduced)
			if d := orthogonality(gathered(q)); d > 1e-13 {
				t.Errorf("split %v: QᵀQ is off by %g", axis, d)
			}
		}
	})
}

// TestQRCommunication: TSQR sends triangles, log₂ P of them.
func TestQRCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const n = 6
		p := c.Size()
		a := nd.FromFunc(c, nd.Shape{n*p + 3, n}, 0, func(i []int) float64 { return smooth[float64](i[0], i[1]) })
		before := c.Stats()
		linalg.QR(a, linalg.Reduced)
		got := c.Stats().Sub(before)
		triangle, pow, levels := int64(8*n*(n+1)/2), 1, int64(0)
		for ; 2*pow <= p; pow *= 2 {
			levels++
		}
		pair, send := levels, int64(0)
		bytes := int64(0)
		switch me := c.Rank(); {
		case me >= pow: // its triangle goes, R and its rows of Q come
			pair, send, bytes = 0, 1, triangle
		case me+pow < p:
			send, bytes = 2, triangle+8*n*n
		}
		if s := got["sendrecv"]; s.Calls != pair || s.Bytes != pair*triangle {
			t.Errorf("%v: %v, want %d exchanges of %d bytes", c, got, pair, triangle)
		}
		if s := got["send"]; s.Calls != send || s.Bytes != bytes {
			t.Errorf("%v: %v, want %d messages of %d bytes", c, got, send, bytes)
		}
		b := nd.FromFunc(c, nd.Shape{n * 4, n * 4}, 0, func(i []int) float64 { return smooth[float64](i[0], i[1]) })
		calls2 := calls(c, func() { linalg.QR(b, linalg.Reduced) })
		if want := map[string]int64{"alltoallv": 3, "bcast": 6}; p > 1 && !maps.Equal(calls2, want) {
			t.Errorf("square: %v, want %v", calls2, want)
		}
		calls3 := calls(c, func() {
			linalg.QR(nd.Ones[float64](c, nd.Shape{9, 5}, split.None), linalg.Reduced)
			linalg.QR(nd.Ones[float64](c, nd.Shape{9, 5}, split.None), linalg.Complete)
		})
		if len(calls3) > 0 {
			t.Errorf("replicated: %v", calls3)
		}
	})
}

// TestQROfAny: the factors do not depend on how a is split.
func TestQROfAny(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, s := range []nd.Shape{{30, 4}, {13, 11}, {9, 14}} {
			f := func(i, j int) complex128 { return smooth[complex128](i, j) }
			q0, r0 := linalg.QR(matrixOf(c, split.Block(s, split.None, c.Size()), false, f), linalg.Reduced)
			for _, l := range testLayouts(c, s) {
				q, r := linalg.QR(matrixOf(c, l, false, f), linalg.Reduced)
				if d, e := gathered(q).distance(gathered(q0)), gathered(r).distance(gathered(r0)); d > 1e-12 || e > 1e-12 {
					t.Errorf("%v: Q differs by %g, R by %g", l, d, e)
				}
			}
		}
	})
}

func TestQRMisuse(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		err := nd.Try(func() { linalg.QR(nd.Ones[float64](c, nd.Shape{4}, 0), linalg.Reduced) })
		if err == nil || !strings.Contains(err.Error(), "linalg.QR at") || !strings.Contains(err.Error(), "(4,)") {
			t.Errorf("QR of a vector: %v", err)
		}
	})
}
