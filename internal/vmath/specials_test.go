package vmath

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// specialFile is testdata/specials.txt: values of NumPy by function, and the arguments.
var specialFile = sync.OnceValue(func() map[string][][]float64 {
	text, err := os.ReadFile("testdata/specials.txt")
	if err != nil {
		panic(err)
	}
	rows := map[string][][]float64{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		var row []float64
		for _, w := range f[1:] {
			v, err := strconv.ParseFloat(w, 64)
			if err != nil {
				panic(err)
			}
			row = append(row, v)
		}
		rows[f[0]] = append(rows[f[0]], row)
	}
	return rows
})

// alike reports whether got is want: of NaN, infinities and zeros just that, with the
// sign, and else to within 4 units in the last place.
func alike[T Float](got, want T) bool {
	g, w := float64(got), float64(want)
	switch {
	case w != w:
		return g != g
	case math.IsInf(w, 0) || math.IsInf(g, 0):
		return g == w
	case w == 0 || g == 0:
		return g == w && math.Signbit(g) == math.Signbit(w)
	}
	eps, tiny := 0x1p-50, 4*0x1p-1074
	if digitsOf[T]() == 24 {
		eps, tiny = 0x1p-21, 4*0x1p-149
	}
	return math.Abs(g-w) <= eps*math.Abs(w)+tiny
}

// isOf reports whether x is a T.
func isOf[T Float](x float64) bool { return x != x || float64(T(x)) == x }

func specials1[T Float](t *testing.T) {
	var x, y []T
	args := specialFile()["x"][0]
	for _, v := range args {
		x = append(x, T(v))
	}
	y = make([]T, len(x))
	for fn := range numUnary {
		unary(fn, y, x)
		for i, want := range specialFile()[accuracies1[fn].name][0] {
			if isOf[T](args[i]) && !alike(y[i], T(want)) {
				t.Errorf("%s(%v) of %T is %v, not %v", accuracies1[fn].name, x[i], x[i], y[i], T(want))
			}
		}
	}
}

func specials2[T Float](t *testing.T) {
	args := specialFile()["pairs"][0]
	for fn := range numBinary {
		for i, row := range specialFile()[accuracies2[fn].name] {
			for j, want := range row {
				if !isOf[T](args[i]) || !isOf[T](args[j]) {
					continue
				}
				x, y, z := []T{T(args[i])}, []T{T(args[j])}, []T{0}
				if binary(fn, z, x, y); !alike(z[0], T(want)) {
					t.Errorf("%s(%v, %v) of %T is %v, not %v", accuracies2[fn].name, x[0], y[0], z[0], z[0], T(want))
				}
			}
		}
	}
}

func TestSpecials(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		specials1[float64](t)
		specials1[float32](t)
		specials2[float64](t)
		specials2[float32](t)
	})
}

// TestExact: results that are floating-point numbers are exact, with few exceptions.
func TestExact(t *testing.T) { eachSet(t, exact) }

func exact(t *testing.T) {
	want := func(name string, x, got, want float64) {
		if got != want {
			t.Errorf("%s(%v) is %v, not %v", name, x, got, want)
		}
	}
	one := func(fn int, x float64) float64 {
		y := []float64{0}
		unary(fn, y, []float64{x})
		return y[0]
	}
	p := []float64{0}
	for n := -1074; n < 1024; n++ {
		x := math.Ldexp(1, n)
		want("Exp2", float64(n), one(fnExp2, float64(n)), x)
		want("Log2", x, one(fnLog2, x), float64(n))
		Pow(p, []float64{2}, []float64{float64(n)})
		want("2 to the power", float64(n), p[0], x)
	}
	for n, x := 0, 1.; n <= 22; n, x = n+1, x*10 {
		want("Log10", x, one(fnLog10, x), float64(n))
		Pow(p, []float64{10}, []float64{float64(n)})
		want("10 to the power", float64(n), p[0], x)
	}
	for n := 1.; n < 1000; n++ {
		want("Cbrt", n*n*n, one(fnCbrt, n*n*n), n)
		Pow(p, []float64{n}, []float64{5})
		want("the fifth power", n, p[0], n*n*n*n*n)
		want("the logarithm of 1 as", 1, one(fnLog, 1), 0)
	}
}

// placed returns the results of x when they are computed from slices of all lengths up
// to 70 at any place.
func placed[T Float](t *testing.T, name string, f func(dst, x, y []T), x, y []T) {
	want := make([]T, len(x))
	f(want, x, y)
	got := make([]T, len(x))
	for n := 1; n <= min(70, len(x)); n++ {
		for at := 0; at+n <= len(x); at += 1 + n/2 {
			f(got[at:at+n], x[at:at+n], y[at:at+n])
			for i := at; i < at+n; i++ {
				if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
					t.Fatalf("%s(%g) of %T is %g or %g, by its place among %d", name, x[i], x[i], got[i], want[i], n)
				}
			}
		}
	}
	in := append([]T(nil), x...)
	f(in, in, y)
	for i := range in {
		if in[i] != want[i] && (in[i] == in[i] || want[i] == want[i]) {
			t.Fatalf("%s(%g) of %T is %g in place, and else %g", name, x[i], x[i], in[i], want[i])
		}
	}
}

func places[T Float](t *testing.T) {
	for fn, a := range accuracies1 {
		x := drawn[T](common[fn])[:100]
		for i, v := range specialFile()["x"][0][:50] {
			x[i*2] = T(v)
		}
		placed(t, a.name, one[T](fn), x, x)
	}
	for fn, a := range accuracies2 {
		x, y := drawn[T](linear(0.1, 10))[:100], drawn[T](linear(-5, 5))[:100]
		for i, v := range specialFile()["pairs"][0][:30] {
			x[i*3], y[i*3+1] = T(v), T(v)
		}
		placed(t, a.name, two[T](fn), x, y)
	}
}

// TestPlaces: an element's result does not depend on where it lies, or on the others.
func TestPlaces(t *testing.T) {
	eachSet(t, func(t *testing.T) {
		places[float64](t)
		places[float32](t)
	})
}

// TestSameBits: vectors of both lengths give the same.
func TestSameBits(t *testing.T) {
	if best() != avx512 {
		t.Skip("the processor has no AVX-512")
	}
	defer func() { used = best() }()
	sameBits[float64](t)
	sameBits[float32](t)
}

func sameBits[T Float](t *testing.T) {
	check := func(a accuracy, f func(dst, x, y []T)) {
		r := rand.New(rand.NewPCG(3, 4))
		const n = 1000
		x, y := make([]T, n), make([]T, n)
		narrow, wide := make([]T, n), make([]T, n)
		for k, g := range a.x {
			for i := range x {
				x[i] = T(g.draw(r))
				if a.y != nil {
					y[i] = T(a.y[k].draw(r))
				}
			}
			used = avx2
			f(narrow, x, y)
			used = avx512
			f(wide, x, y)
			for i := range x {
				if narrow[i] != wide[i] && narrow[i] == narrow[i] {
					t.Fatalf("%s(%g, %g) of %T is %g by AVX2, and %g by AVX-512", a.name, x[i], y[i], x[i], narrow[i], wide[i])
				}
			}
		}
	}
	for fn, a := range accuracies1 {
		check(a, one[T](fn))
	}
	for fn, a := range accuracies2 {
		check(a, two[T](fn))
	}
}

func TestNoAllocation(t *testing.T) {
	x, y := drawn[float64](linear(0.1, 1)), make([]float64, benchSize)
	x32, y32 := drawn[float32](linear(0.1, 1)), make([]float32, benchSize)
	if n := testing.AllocsPerRun(5, func() {
		Exp(y, x)
		Exp(y32, x32)
		Pow(y, x, x)
		Pow(y32, x32, x32)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	Exp[float64](nil, nil)
	Pow[float32](nil, nil, nil)
}
