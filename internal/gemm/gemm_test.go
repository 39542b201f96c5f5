package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// each calls f with each of the instruction sets that the processor has.
func each(t *testing.T, f func(t *testing.T)) {
	if !Available() {
		t.Skip("no vector instructions")
	}
	for _, use := range instructions() {
		t.Run(use.name, func(t *testing.T) {
			defer func(a tile[float64], b tile[float32]) { tiles64, tiles32 = a, b }(tiles64, tiles32)
			use.use()
			f(t)
		})
	}
}

// problem is the arguments of a product.
type problem[T Float] struct {
	ta, tb        bool
	m, n, k       int
	lda, ldb, ldc int
	alpha, beta   T
	a, b, c       []T
}

func (p *problem[T]) String() string {
	return fmt.Sprintf("%T: transposed %v %v, m, n, k = %d, %d, %d, steps %d, %d, %d, alpha %v, beta %v",
		p.alpha, p.ta, p.tb, p.m, p.n, p.k, p.lda, p.ldb, p.ldc, p.alpha, p.beta)
}

func newProblem[T Float](r *rand.Rand, ta, tb bool, m, n, k int) *problem[T] {
	fill := func(rows, cols int) ([]T, int) {
		ld := cols + r.IntN(4)
		x := make([]T, max(0, (rows-1)*ld+cols))
		for i := range x {
			x[i] = T(r.Float64() - 0.5)
		}
		return x, max(1, ld)
	}
	p := &problem[T]{ta: ta, tb: tb, m: m, n: n, k: k, alpha: []T{1, -1, 0.7}[r.IntN(3)], beta: []T{0, 1, -0.3}[r.IntN(3)]}
	if p.a, p.lda = fill(m, k); ta {
		p.a, p.lda = fill(k, m)
	}
	if p.b, p.ldb = fill(k, n); tb {
		p.b, p.ldb = fill(n, k)
	}
	p.c, p.ldc = fill(m, n)
	return p
}

// product returns c after [Mul] of rows and columns of the result, of all of them if
// r1 and c1 are their numbers.
func (p *problem[T]) product(r0, r1, c0, c1 int) []T {
	c := slices.Clone(p.c)
	if p.beta == 0 { // what is there does not matter
		for i := r0; i < r1; i++ {
			for j := c0; j < c1; j++ {
				c[i*p.ldc+j] = T(math.NaN())
			}
		}
	}
	a, b := p.a, p.b
	if p.k > 0 {
		a, b = a[r0*step(p.ta, 1, p.lda):], b[c0*step(p.tb, p.ldb, 1):]
	}
	Mul(p.ta, p.tb, r1-r0, c1-c0, p.k, p.alpha, a, p.lda, b, p.ldb, p.beta, c[r0*p.ldc+c0:], p.ldc)
	return c
}

func step(trans bool, yes, no int) int {
	if trans {
		return yes
	}
	return no
}

// at returns element (i, j) of op(x).
func at[T Float](x []T, ld int, trans bool, i, j int) T {
	if trans {
		i, j = j, i
	}
	return x[i*ld+j]
}

// want returns what the package comment promises, with fma for fused operations.
func (p *problem[T]) want(fma func(x, y, z T) T) []T {
	c := slices.Clone(p.c)
	for i := range p.m {
		for j := range p.n {
			v := &c[i*p.ldc+j]
			if p.beta != 0 {
				*v *= p.beta
			} else {
				*v = 0
			}
			for p0 := 0; p0 < p.k; p0 += depth {
				var sum T
				for l := p0; l < min(p0+depth, p.k); l++ {
					sum = fma(at(p.a, p.lda, p.ta, i, l), at(p.b, p.ldb, p.tb, l, j), sum)
				}
				*v = fma(p.alpha, sum, *v)
			}
		}
	}
	return c
}

var extents = []int{1, 2, 5, 6, 7, 8, 11, 12, 13, 16, 17, 24, 31, 32, 33, 50}

// problems calls f with products of all sorts of extents, deep and wide ones included.
func problems[T Float](f func(p *problem[T])) {
	r := rand.New(rand.NewPCG(1, 2))
	one := func() int { return extents[r.IntN(len(extents))] }
	for n := range 120 {
		k := one() - 1
		if n%10 == 0 {
			k = []int{depth - 1, depth, depth + 1, 2*depth + 3}[n/10%4]
		}
		f(newProblem[T](r, n%2 == 0, n/2%2 == 0, one(), one(), k))
	}
	for n := range 4 { // more rows, and columns, than are packed at once
		f(newProblem[T](r, n%2 == 0, n/2%2 == 0, leftBytes/depth/4+5, 9, 3))
		f(newProblem[T](r, n%2 == 0, n/2%2 == 0, 3, partBytes/depth/4+5, 2))
	}
}

// TestMul compares float64 bit for bit with sums of fused operations, and float32 with
// those in double precision.
func TestMul(t *testing.T) {
	each(t, func(t *testing.T) {
		problems(func(p *problem[float64]) {
			if got, want := p.product(0, p.m, 0, p.n), p.want(math.FMA); !slices.Equal(got, want) {
				t.Errorf("%v: wrong", p)
			}
		})
		problems(func(p *problem[float32]) {
			got := p.product(0, p.m, 0, p.n)
			want := p.want(func(x, y, z float32) float32 { return float32(float64(x)*float64(y) + float64(z)) })
			for i, v := range got {
				if d := math.Abs(float64(v - want[i])); !(d <= 1e-5) {
					t.Errorf("%v: element %d is %v, want %v", p, i, v, want[i])
					return
				}
			}
		})
	})
}

// TestGonum compares with another implementation.
func TestGonum(t *testing.T) {
	each(t, func(t *testing.T) {
		op := map[bool]blas.Transpose{false: blas.NoTrans, true: blas.Trans}
		problems(func(p *problem[float64]) {
			if p.k == 0 {
				return // it wants steps of 1 there
			}
			want := slices.Clone(p.c)
			gonum.Implementation{}.Dgemm(op[p.ta], op[p.tb], p.m, p.n, p.k, p.alpha, p.a, p.lda, p.b, p.ldb, p.beta, want, p.ldc)
			for i, v := range p.product(0, p.m, 0, p.n) {
				if d := math.Abs(v - want[i]); !(d <= 1e-13) {
					t.Errorf("%v: element %d is %v, want %v", p, i, v, want[i])
					return
				}
			}
		})
	})
}

// TestParts: an element does not depend on the part of the result in which it is computed.
func TestParts(t *testing.T) {
	each(t, func(t *testing.T) {
		t.Run("float64", testParts[float64])
		t.Run("float32", testParts[float32])
	})
}

func testParts[T Float](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	problems(func(p *problem[T]) {
		whole := p.product(0, p.m, 0, p.n)
		r0, c0 := r.IntN(p.m), r.IntN(p.n)
		r1, c1 := r0+1+r.IntN(p.m-r0), c0+1+r.IntN(p.n-c0)
		part := p.product(r0, r1, c0, c1)
		for i := range p.m {
			for j := range p.n {
				want := p.c[i*p.ldc+j]
				if r0 <= i && i < r1 && c0 <= j && j < c1 {
					want = whole[i*p.ldc+j]
				}
				if got := part[i*p.ldc+j]; got != want {
					t.Fatalf("%v: rows %d to %d, columns %d to %d: element %d, %d is %v, want %v", p, r0, r1, c0, c1, i, j, got, want)
				}
			}
		}
	})
}

// TestInstructions: all instructions give the same.
func TestInstructions(t *testing.T) {
	var results [][][]float32
	each(t, func(*testing.T) {
		var list [][]float32
		problems(func(p *problem[float32]) { list = append(list, p.product(0, p.m, 0, p.n)) })
		results = append(results, list)
	})
	for _, list := range results {
		for i := range list {
			if !slices.Equal(list[i], results[0][i]) {
				t.Errorf("product %d differs", i)
			}
		}
	}
}

// TestNaN: zero times NaN or Inf is NaN, in the elements that have it and no others.
func TestNaN(t *testing.T) {
	each(t, func(t *testing.T) {
		const n, k = 13, 7
		for _, v := range []float64{math.NaN(), math.Inf(1)} {
			a, b, c := make([]float64, n*k), make([]float64, k*n), make([]float64, n*n)
			b[3*n+5] = v
			Mul(false, false, n, n, k, 1, a, k, b, n, 0, c, n)
			for i, got := range c {
				if math.IsNaN(got) != (i%n == 5) || i%n != 5 && got != 0 {
					t.Errorf("%v: element %d is %v", v, i, got)
				}
			}
		}
	})
}

func TestAllocations(t *testing.T) {
	each(t, func(t *testing.T) {
		x, c := make([]float64, 30*30), make([]float64, 30*30)
		f := func() { Mul(false, true, 30, 30, 30, 1, x, 30, x, 30, 1, c, 30) }
		if f(); testing.AllocsPerRun(20, f) >= 1 { // the collector may empty the pool
			t.Error("allocates")
		}
	})
}
