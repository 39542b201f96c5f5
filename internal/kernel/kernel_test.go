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
	s, d := single, double
	defer func() { single, double = s, d }()
	if t.Run("vectors=true", f); s == nil {
		t.Log("there are no vector instructions")
	}
	single, double = nil, nil
	t.Run("vectors=false", f)
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
		if m := slices.Max(x); m > 1e30 || slices.Min(x) < -1e30 {
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

// TestElementwise compares what is done element by element with plain loops, into
// arrays apart and into the operands.
func TestElementwise(t *testing.T) {
	testElementwise[float64](t)
	testElementwise[float32](t)
}

func testElementwise[T Float](t *testing.T) {
	ops := map[string]struct {
		run  func(dst, x, y, z []T) bool
		want func(x, y, z T) T
	}{
		"neg":    {func(dst, x, _, _ []T) bool { return Neg(dst, x) }, func(x, _, _ T) T { return -x }},
		"abs":    {func(dst, x, _, _ []T) bool { return Abs(dst, x) }, func(x, _, _ T) T { return T(math.Abs(float64(x))) }},
		"sqrt":   {func(dst, x, _, _ []T) bool { return Sqrt(dst, x) }, func(x, _, _ T) T { return T(math.Sqrt(float64(x))) }},
		"square": {func(dst, x, _, _ []T) bool { return Square(dst, x) }, func(x, _, _ T) T { return x * x }},
		"(x-y)²": {func(dst, x, y, _ []T) bool { return SquaredDifference(dst, x, y) }, func(x, y, _ T) T { d := x - y; return T(d * d) }},
		"xy+z":   {MulAdd[T], func(x, y, z T) T { return T(x*y) + z }},
		"xy-z":   {MulSub[T], func(x, y, z T) T { return T(x*y) - z }},
		"z-xy":   {SubMul[T], func(x, y, z T) T { return z - T(x*y) }},
		"x+3y": {func(dst, x, y, _ []T) bool {
			copy(dst, x)
			return Axpy(3, y[:len(dst)], dst)
		}, func(x, y, _ T) T { return x + T(3*y) }},
	}
	for name, op := range ops {
		samples(func(x []T) {
			y, z := slices.Clone(x), slices.Clone(x)
			slices.Reverse(y)
			for i := range z {
				z[i] = x[(7*i+3)%len(x)] * 1.25
			}
			for into := range 4 {
				if name == "x+3y" && into > 0 || (into+len(x))%2 == 0 {
					continue
				}
				operands := [][]T{slices.Clone(x), append(slices.Clone(y), 1), append(slices.Clone(z), 2)}
				dst := append(slices.Clip(append([][]T{make([]T, len(x))}, operands...)[into][:len(x)]), 77)[:len(x)]
				if into > 0 {
					operands[into-1] = dst
				}
				if !op.run(dst, operands[0], operands[1], operands[2]) {
					continue
				}
				for i := range dst {
					if want := op.want(x[i], y[i], z[i]); !same(dst[i], want) {
						t.Fatalf("%s of %d into operand %d: element %d of %v, %v, %v is %v, want %v", name, len(x), into, i, x[i], y[i], z[i], dst[i], want)
					}
				}
				if past := dst[:len(x)+1][len(x)]; past != 77 {
					t.Fatalf("%s of %d wrote past the end", name, len(x))
				}
			}
		})
	}
}

func TestComparisons(t *testing.T) {
	testComparisons[float64](t)
	testComparisons[float32](t)
}

func testComparisons[T Float](t *testing.T) {
	ops := map[string]struct {
		run  func(dst []bool, x, y []T) bool
		want func(x, y T) bool
	}{
		"==": {Equal[T], func(x, y T) bool { return x == y }},
		"!=": {NotEqual[T], func(x, y T) bool { return x != y }},
		"<":  {Less[T], func(x, y T) bool { return x < y }},
		"<=": {LessEqual[T], func(x, y T) bool { return x <= y }},
		">":  {Greater[T], func(x, y T) bool { return x > y }},
		">=": {GreaterEqual[T], func(x, y T) bool { return x >= y }},
	}
	samples(func(x []T) {
		n := len(x)
		y := slices.Clone(x)
		for i := range y {
			if i%3 > 0 {
				y[i] = x[(5*i+1)%n]
			}
		}
		for name, op := range ops {
			dst := make([]bool, n+1)
			if !op.run(dst[:n], x, append(y, 1)) {
				continue
			}
			for i := range x {
				if want := op.want(x[i], y[i]); dst[i] != want {
					t.Fatalf("%v %s %v is %v, at %d of %d", x[i], name, y[i], dst[i], i, n)
				}
			}
			if dst[n] {
				t.Fatalf("%s of %d wrote past the end", name, n)
			}
		}
		cond := make([]bool, n)
		for i := range cond {
			cond[i] = x[i] < y[i] || i%5 == 0
		}
		for into := range 3 {
			u, v := slices.Clone(x), slices.Clone(y)
			dst := [][]T{make([]T, n), u, v}[into]
			if !Choose(dst, cond, u, v) {
				continue
			}
			for i := range dst {
				want := y[i]
				if cond[i] {
					want = x[i]
				}
				if !same(dst[i], want) {
					t.Fatalf("element %d of %d chosen of %v, %v by %v is %v", i, n, x[i], y[i], cond[i], dst[i])
				}
			}
		}
	})
	if Choose([]int16{40: 1}, make([]bool, 41), []int16{40: 1}, []int16{40: 1}) {
		t.Error("elements of two bytes were chosen")
	}
}

// Long arrays are worked on by stretches.
func TestStretches(t *testing.T) {
	for _, n := range []int{stretch - 1, stretch, stretch + 1, 2*stretch + 37, 3 * stretch} {
		x, y, less := make([]float64, n), make([]float64, n), make([]bool, n)
		for i := range x {
			x[i], y[i] = float64(i), float64(i*i%17000)
		}
		z := make([]float64, n)
		added, compared := Add(z, x, y), Less(less, x, y)
		for i := range z {
			if added && z[i] != x[i]+y[i] || compared && less[i] != (x[i] < y[i]) {
				t.Fatalf("element %d of %d", i, n)
			}
		}
		if Axpy(2, y, z) && z[n-1] != x[n-1]+3*y[n-1] || Choose(z, less, x, y) && z[n-1] != min(x[n-1], y[n-1]) {
			t.Errorf("the last element of %d is %v", n, z[n-1])
		}
		if Neg(z, x) && z[n-1] != -x[n-1] || MulAdd(z, x, y, x) && z[n-1] != x[n-1]*y[n-1]+x[n-1] {
			t.Errorf("the last element of %d is %v", n, z[n-1])
		}
	}
}

// Sums do not depend on where a run lies, and those of float32 are those of the
// same numbers in float64. Sums of columns are those of a plain loop, zeros' signs
// included.
func TestSumsAgree(t *testing.T) {
	samples(func(x []float32) {
		wide, moved := make([]float64, len(x)), append(make([]float32, 3), x...)[3:]
		for i, v := range x {
			wide[i] = float64(v)
		}
		if a, b, c := Sum(x), Sum(wide), Sum(moved); !same(a, b) || !same(a, c) {
			t.Errorf("sums of %d: %v, in float64 %v, elsewhere %v", len(x), a, b, c)
		}
		if a, b := Dot(x, x), Dot(wide, wide); !same(a, b) {
			t.Errorf("products of %d: %v, in float64 %v", len(x), a, b)
		}
		for _, w := range []int{16, 17, 35, 64, 101} {
			if n := len(x) / w; n > 0 {
				got, want := make([]float64, w), slices.Clone(wide[:w])
				SumRows(got, x, n, w)
				for i := w; i < n*w; i++ {
					want[i%w] += wide[i]
				}
				if !slices.EqualFunc(got, want, same) {
					t.Errorf("sums of %d columns of %d: %v, want %v", w, n, got, want)
				}
			}
		}
	})
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
	s, d := single, double
	defer func() { single, double = s, d }()
	for _, on := range []bool{true, false} {
		if !on {
			single, double = nil, nil
		}
		benchmarkBlocks[float64](b, fmt.Sprintf("float64/vectors=%v", on))
		benchmarkBlocks[float32](b, fmt.Sprintf("float32/vectors=%v", on))
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
