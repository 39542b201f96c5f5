package kernel

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// both runs f with vector instructions, if there are any, and without.
func both(t *testing.T, f func(t *testing.T)) {
	had := vectors
	defer func() { vectors = had }()
	for _, vectors = range slices.Compact([]bool{false, had}) {
		t.Run(fmt.Sprintf("vectors=%v", vectors), f)
	}
}

// samples calls f with runs of many lengths, at every alignment, of numbers and
// with what is special among them.
func samples[T Float](f func(x []T)) {
	r := rand.New(rand.NewPCG(1, 2))
	inf, nan, negative := T(math.Inf(1)), T(math.NaN()), T(math.Copysign(0, -1))
	specials := [][]T{{}, {nan}, {inf}, {-inf}, {inf, -inf}, {0, negative}, {negative, 0}, {nan, inf}, {lowest[T](), -inf}, {-lowest[T](), inf}}
	for _, n := range []int{1, 2, 7, 25, 31, 32, 33, 47, 49, 64, 100, 511, 1000, 1023, 1024} {
		for offset := range 4 {
			for _, special := range specials {
				x := make([]T, n+offset)[offset:]
				for i := range x {
					x[i] = T(r.NormFloat64())
				}
				if offset == 3 { // nothing but specials
					for i := range x {
						x[i] = append(special, negative)[r.IntN(len(special)+1)]
					}
				}
				for _, v := range special {
					x[r.IntN(n)] = v
				}
				f(x)
			}
			x := make([]T, n+offset)[offset:]
			for i := range x {
				x[i] = []T{-inf, lowest[T]()}[r.IntN(2)]
			}
			f(x)
			for i := range x {
				x[i] = -x[i]
			}
			f(x)
			clear(x)
			f(x)
		}
	}
}

func lowest[T Float]() T {
	if _, single := any(T(0)).(float32); single {
		v := -float32(math.MaxFloat32)
		return T(v)
	}
	v := -float64(math.MaxFloat64)
	return T(v)
}

func same[T Float](a, b T) bool {
	return a != a && b != b || a == b && math.Signbit(float64(a)) == math.Signbit(float64(b))
}

func TestExtremes(t *testing.T) {
	both(t, func(t *testing.T) { testExtremes[float64](t); testExtremes[float32](t) })
}

func testExtremes[T Float](t *testing.T) {
	samples(func(x []T) {
		lo, hi, first, last := x[0], x[0], 0, 0
		for i, v := range x {
			lo, hi = min(lo, v), max(hi, v)
			if v < x[first] || v != v && x[first] == x[first] {
				first = i
			}
			if v > x[last] || v != v && x[last] == x[last] {
				last = i
			}
		}
		if got := Min(x); !same(got, lo) {
			t.Errorf("Min of %d: %v, want %v (%v)", len(x), got, lo, x[:min(8, len(x))])
		}
		if got := Max(x); !same(got, hi) {
			t.Errorf("Max of %d: %v, want %v (%v)", len(x), got, hi, x[:min(8, len(x))])
		}
		if _, at := ArgMin(x); at != first {
			t.Errorf("ArgMin of %d: %v, want %v (%v)", len(x), at, first, x[:min(8, len(x))])
		}
		if _, at := ArgMax(x); at != last {
			t.Errorf("ArgMax of %d: %v, want %v (%v)", len(x), at, last, x[:min(8, len(x))])
		}
		for _, w := range []int{1, 3, 32, 43, 200} {
			stride := w + 2
			if n := (len(x) + 2) / stride; n > 1 {
				acc := make([]T, w)
				copy(acc, x)
				MaxRows(acc, x[stride:], n-1, stride)
				compareColumns(t, "MaxRows", acc, x, n, stride, func(a, b T) T { return max(a, b) })
				copy(acc, x)
				MinRows(acc, x[stride:], n-1, stride)
				compareColumns(t, "MinRows", acc, x, n, stride, func(a, b T) T { return min(a, b) })
			}
		}
	})
}

func compareColumns[T Float](t *testing.T, name string, acc, x []T, n, stride int, f func(a, b T) T) {
	for j, got := range acc {
		want := x[j]
		for i := range n {
			want = f(want, x[i*stride+j])
		}
		if !same(got, want) {
			t.Errorf("%s of %d×%d: column %d is %v, want %v", name, n, len(acc), j, got, want)
		}
	}
}

// exact returns the sum of f(x) rounded once, and of the magnitudes.
func exact[T Float](x []T, f func(i int) *big.Float) (sum, size float64) {
	s, m := new(big.Float).SetPrec(4000), 0.0
	for i := range x {
		v := f(i)
		s.Add(s, v)
		a, _ := v.Float64()
		m += math.Abs(a)
	}
	sum, _ = s.Float64()
	return sum, m
}

func TestSums(t *testing.T) {
	both(t, func(t *testing.T) { testSums[float64](t); testSums[float32](t) })
}

func testSums[T Float](t *testing.T) {
	samples(func(x []T) {
		special := plainSum(x)
		if special-special != 0 {
			if got := Sum(x); got == got != (special == special) && !math.IsInf(special, 0) {
				t.Errorf("sum of %d: %v, want %v", len(x), got, special)
			}
			return
		}
		if m := plainMax(x); m > 1e30 || plainMin(x) < -1e30 {
			return
		}
		number := func(v T) *big.Float { return new(big.Float).SetPrec(4000).SetFloat64(float64(v)) }
		eps := 0x1p-52 * float64(len(x)/8+8)
		check := func(name string, got, want, size float64) {
			if math.Abs(got-want) > eps*size {
				t.Errorf("%s of %d: %v, want %v", name, len(x), got, want)
			}
		}
		want, size := exact(x, func(i int) *big.Float { return number(x[i]) })
		check("Sum", Sum(x), want, size)
		dot, dotSize := exact(x, func(i int) *big.Float { return number(x[i]).Mul(number(x[i]), number(x[len(x)-1-i])) })
		y := slices.Clone(x)
		slices.Reverse(y)
		check("Dot", Dot(x, y), dot, dotSize)
		mean, m2 := Moments(x)
		check("mean", mean, want/float64(len(x)), size/float64(len(x)))
		ref, refSize := exact(x, func(i int) *big.Float {
			d := number(x[i])
			d.Sub(d, new(big.Float).SetFloat64(mean))
			return d.Mul(d, d)
		})
		check("m2", m2, ref, refSize)
		for _, w := range []int{1, 5, 32, 61} {
			n := len(x) / w
			if n == 0 {
				continue
			}
			sum, mean, m2 := make([]float64, w), make([]float64, w), make([]float64, w)
			SumRows(sum, x, n, w)
			MomentsRows(mean, m2, x, n, w)
			for j := range w {
				column := make([]T, n)
				for i := range column {
					column[i] = x[i*w+j]
				}
				want, size := exact(column, func(i int) *big.Float { return number(column[i]) })
				check("SumRows", sum[j], want, size)
				check("MomentsRows", mean[j], want/float64(n), size/float64(n))
				_, ref := Moments(column)
				check("MomentsRows", m2[j], ref, ref+size*size*0x1p-52)
			}
		}
	})
}

// TestSumOfFloat32 adds numbers of which single precision would lose half.
func TestSumOfFloat32(t *testing.T) {
	both(t, func(t *testing.T) {
		x := make([]float32, 3000)
		for i := range x {
			x[i] = 1
		}
		x[0] = 1 << 24
		if got := Sum(x); got != 1<<24+2999 {
			t.Errorf("sum %v", got)
		}
		if got := Dot(x, x); got != 1<<48+2999 {
			t.Errorf("dot %v", got)
		}
	})
}

func TestArithmetic(t *testing.T) {
	both(t, func(t *testing.T) { testArithmetic[float64](t); testArithmetic[float32](t) })
	if Add([]int64{30: 1}, []int64{30: 1}, []int64{30: 1}) {
		t.Error("integers were added")
	}
}

func testArithmetic[T Float](t *testing.T) {
	ops := map[string]struct {
		run  func(dst, x, y []T) bool
		want func(x, y T) T
	}{
		"add": {Add[T], func(x, y T) T { return x + y }},
		"sub": {Sub[T], func(x, y T) T { return x - y }},
		"mul": {Mul[T], func(x, y T) T { return x * y }},
		"div": {Div[T], func(x, y T) T { return x / y }},
	}
	for name, op := range ops {
		samples(func(x []T) {
			y := slices.Clone(x)
			slices.Reverse(y)
			long := append(slices.Clone(y), 7)
			for _, where := range []string{"apart", "x", "y", "both"} {
				u, v := slices.Clone(x), slices.Clone(long)
				dst := make([]T, len(x))
				switch where {
				case "x":
					dst = u
				case "y":
					dst = v[:len(x)]
				case "both":
					copy(v, u)
					dst, v = u, u
				}
				a, b := slices.Clone(u), slices.Clone(v)
				if !op.run(dst, u, v) {
					continue
				}
				for i := range dst {
					if want := op.want(a[i], b[i]); !same(dst[i], want) {
						t.Fatalf("%s of %d into %s: element %d of %v and %v is %v, want %v", name, len(x), where, i, a[i], b[i], dst[i], want)
					}
				}
			}
		})
	}
}

func TestBools(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 70 {
		for _, of := range []int{2, 20, n + 1} {
			x, y := make([]bool, n), make([]bool, n+1)
			for i := range x {
				x[i], y[i] = r.IntN(of) == 0, r.IntN(2) == 0
			}
			count, and, or := 0, slices.Clone(x), slices.Clone(x)
			for i, v := range x {
				if v {
					count++
				}
				and[i], or[i] = v && y[i], v || y[i]
			}
			if Count(x) != count || Any(x) != (count > 0) || All(x) != (count == n) {
				t.Errorf("of %v: %d, %v, %v", x, Count(x), Any(x), All(x))
			}
			a, o := slices.Clone(x), slices.Clone(x)
			And(a, y)
			Or(o, y)
			if !slices.Equal(a, and) || !slices.Equal(o, or) {
				t.Errorf("%v and, or %v: %v, %v", x, y, a, o)
			}
		}
	}
}

// BenchmarkBlocks compares the loops with and without vector instructions.
func BenchmarkBlocks(b *testing.B) {
	had := vectors
	defer func() { vectors = had }()
	for _, vectors = range []bool{false, had} {
		benchmarkBlocks[float64](b, fmt.Sprintf("float64/vectors=%v", vectors))
		benchmarkBlocks[float32](b, fmt.Sprintf("float32/vectors=%v", vectors))
	}
}

func benchmarkBlocks[T Float](b *testing.B, name string) {
	x, y, z := make([]T, 16*Run), make([]T, Run), make([]T, Run)
	s, d := make([]float64, Run), make([]float64, Run)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		x[i] = T(r.NormFloat64())
	}
	copy(y, x)
	u := x[:Run]
	for _, c := range []struct {
		name string
		n    int
		f    func()
	}{
		{"Sum", Run, func() { Sum(u) }},
		{"Dot", Run, func() { Dot(u, y) }},
		{"Moments", Run, func() { Moments(u) }},
		{"Max", Run, func() { Max(u) }},
		{"ArgMax", Run, func() { ArgMax(u) }},
		{"SumRows", 16 * Run, func() { SumRows(s, x, 16, Run) }},
		{"MomentsRows", 16 * Run, func() { MomentsRows(s, d, x, 16, Run) }},
		{"MaxRows", 16 * Run, func() { copy(z, x); MaxRows(z, x, 16, Run) }},
		{"Add", Run, func() {
			if !Add(z, u, y) {
				for i := range z {
					z[i] = u[i] + y[i]
				}
			}
		}},
		{"Mul", Run, func() {
			if !Mul(z, u, y) {
				for i := range z {
					z[i] = u[i] * y[i]
				}
			}
		}},
		{"Div", Run, func() {
			if !Div(z, u, y) {
				for i := range z {
					z[i] = u[i] / y[i]
				}
			}
		}},
	} {
		b.Run(name+"/"+c.name, func(b *testing.B) {
			for b.Loop() {
				c.f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.n), "ns/element")
		})
	}
}

func TestAllocates(t *testing.T) {
	x, f, acc := make([]float64, 1000), make([]float32, 1000), make([]float64, 1000)
	g := slices.Clone(f)
	if n := testing.AllocsPerRun(100, func() {
		Sum(x)
		Sum(f)
		Dot(f, g)
		Moments(x)
		Moments(f)
		Max(x)
		ArgMin(f)
		SumRows(acc[:100], f, 10, 100)
		MaxRows(acc[:100], x, 10, 100)
		Add(acc, x, x)
		Mul(f, f, g)
	}); n > 0.1 && !raceEnabled { // under the race detector pools forget what they hold
		t.Errorf("%v allocations", n)
	}
}
