package vmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// region draws arguments from lo to hi: uniform, or with a uniform exponent of 2, of
// one or of either sign.
type region struct {
	lo, hi       float64
	logs, signed bool
}

func linear(lo, hi float64) region { return region{lo, hi, false, false} }
func powers(lo, hi float64) region { return region{lo, hi, true, false} }
func both(lo, hi float64) region   { return region{lo, hi, true, true} }

func (g region) draw(r *rand.Rand) float64 {
	x := g.lo + r.Float64()*(g.hi-g.lo)
	if g.logs {
		x = math.Exp2(x)
	}
	if g.signed && r.IntN(2) == 0 {
		x = -x
	}
	return x
}

// drawAs draws an argument that the oracle takes, rounded to T.
func drawAs[T Float](g region, r *rand.Rand) T {
	for {
		x := T(g.draw(r))
		if a := math.Abs(float64(x)); a >= 0x1p-1022 && !math.IsInf(a, 0) && (digitsOf[T]() == 53 || a >= 0x1p-100) {
			return x
		}
	}
}

// digitsOf returns the binary digits of T.
func digitsOf[T Float]() int {
	if T(1)+0x1p-30 == 1 {
		return 24
	}
	return 53
}

// accuracy says where a function is tested, and the error that its doc comment states:
// in pure Go and by vectors, of float64 and float32.
type accuracy struct {
	name         string
	go64, go32   float64
	vec64, vec32 float64
	x            []region
	y            []region // of the second operand
}

var accuracies1 = [numUnary]accuracy{
	fnSqrt:  {"Sqrt", 0.5, 0.5, 0.5, 0.5, []region{powers(-1022, 1023)}, nil},
	fnCbrt:  {"Cbrt", 0.7, 0.51, 0.51, 0.51, []region{both(-1022, 1023), linear(-10, 10)}, nil},
	fnExp:   {"Exp", 0.53, 0.55, 1, 1, []region{linear(-745, 709.7), linear(-1, 1), both(-80, 5), linear(700, 709.7)}, nil},
	fnExp2:  {"Exp2", 0.53, 0.51, 1, 1, []region{linear(-1074, 1023.9), linear(-1, 1), both(-80, 5)}, nil},
	fnExpm1: {"Expm1", 1.6, 0.51, 1.2, 1.2, []region{linear(-50, 709.7), linear(-1, 1), both(-80, 3)}, nil},
	fnLog:   {"Log", 0.56, 0.51, 0.8, 0.9, []region{powers(-1022, 1023), linear(0.5, 2), linear(0.98, 1.02)}, nil},
	fnLog2:  {"Log2", 0.56, 0.51, 0.7, 0.9, []region{powers(-1022, 1023), linear(0.5, 2), linear(0.98, 1.02)}, nil},
	fnLog10: {"Log10", 0.56, 0.51, 0.7, 0.9, []region{powers(-1022, 1023), linear(0.5, 2), linear(0.98, 1.02)}, nil},
	fnLog1p: {"Log1p", 0.56, 0.51, 0.9, 0.9, []region{powers(-100, 1020), linear(-0.999, 2), both(-80, -1), both(-12, -4)}, nil},
	fnSin:   {"Sin", 1.2, 0.55, 0.9, 1.3, []region{linear(-10, 10), both(-80, 18), both(18, 1023), linear(-0.1, 0.1)}, nil},
	fnCos:   {"Cos", 1.2, 0.55, 1, 1.3, []region{linear(-10, 10), both(-80, 18), both(18, 1023), linear(1.5, 1.6)}, nil},
	fnTan:   {"Tan", 0.55, 0.51, 2, 2.6, []region{linear(-10, 10), both(-80, 18), both(18, 1023), linear(1.5, 1.6)}, nil},
	fnAsin:  {"Asin", 1.2, 0.51, 2, 1.7, []region{linear(-1, 1), both(-60, 0), linear(0.99, 1)}, nil},
	fnAcos:  {"Acos", 0.8, 0.51, 1.2, 1.2, []region{linear(-1, 1), both(-60, 0), linear(0.99, 1)}, nil},
	fnAtan:  {"Atan", 1.1, 0.51, 0.8, 0.8, []region{linear(-2, 2), both(-60, 60), linear(-20, 20), both(-6.2, -5.5)}, nil},
	fnSinh:  {"Sinh", 1.5, 0.51, 1.8, 1.9, []region{linear(-20, 20), both(-60, 9.4), linear(700, 710)}, nil},
	fnCosh:  {"Cosh", 1, 0.51, 1.4, 1.4, []region{linear(-20, 20), both(-30, 9.4), linear(700, 710)}, nil},
	fnTanh:  {"Tanh", 1.4, 0.51, 2, 2, []region{linear(-3, 3), both(-60, 4)}, nil},
	fnAsinh: {"Asinh", 1.5, 0.51, 1.1, 1.1, []region{linear(-3, 3), both(-60, 1020)}, nil},
	fnAcosh: {"Acosh", 1.4, 0.51, 1.1, 1, []region{linear(1, 3), powers(0, 1020), linear(1, 1.01)}, nil},
	fnAtanh: {"Atanh", 1.5, 0.51, 1.4, 1.8, []region{linear(-1, 1), both(-60, -1)}, nil},
}

var accuracies2 = [numBinary]accuracy{
	fnPow: {"Pow", 0.55, 0.51, 0.55, 0.51,
		[]region{linear(0.1, 10), powers(-300, 300), linear(0.99, 1.01), powers(-1022, 1023)},
		[]region{linear(-5, 5), linear(-3, 3), both(-10, 15), both(-60, 0)}},
	fnAtan2: {"Atan2", 1.1, 0.51, 1.1, 1.3, []region{linear(-5, 5), both(-60, 60), linear(-0.1, 0.1)}, []region{linear(-5, 5), both(-60, 60), linear(-5, 5)}},
	fnHypot: {"Hypot", 1.1, 0.51, 1.1, 1, []region{linear(-5, 5), both(-60, 60), both(-700, 1000)}, []region{linear(-5, 5), both(-60, 60), both(-700, 1000)}},
}

// drawnPerRegion is how many arguments of each region the test takes: math/big is slow.
const drawnPerRegion = 60

// worst returns the largest error of f over n arguments of each region, in units in
// the last place, and where it is.
func worst[T Float](f func(dst, x, y []T), exact func(x, y float64) *big.Float, a accuracy, n int) (most, atX, atY float64) {
	digits, least, top := 53, -1074, 1024
	if digitsOf[T]() == 24 {
		digits, least, top = 24, -149, 128
	}
	r := rand.New(rand.NewPCG(1, 2))
	x, y, z := make([]T, n), make([]T, n), make([]T, n)
	for k, g := range a.x {
		for i := range x {
			x[i] = drawAs[T](g, r)
			if a.y != nil {
				y[i] = drawAs[T](a.y[k], r)
			}
		}
		f(z, x, y)
		for i := range x {
			want := exact(float64(x[i]), float64(y[i]))
			if e := want.MantExp(nil); want.Sign() == 0 || e < least || e >= top {
				continue // not in T's range
			}
			if u := ulpsFrom(float64(z[i]), want, digits, least); u > most {
				most, atX, atY = u, float64(x[i]), float64(y[i])
			}
		}
	}
	return most, atX, atY
}

// eachSet runs f with each instruction set that the processor has.
func eachSet(t *testing.T, f func(t *testing.T)) {
	defer func() { used = best() }()
	for used = pureGo; used <= best(); used++ {
		t.Run([]string{"go", "avx2", "avx512"}[used], f)
	}
}

// allowed are the errors that are stated, of float64 and float32, of the set in use.
func (a accuracy) allowed() (of64, of32 float64) {
	if used == pureGo {
		return a.go64, a.go32
	}
	return a.vec64, a.vec32
}

func TestAccuracy(t *testing.T) {
	check := func(t *testing.T, a accuracy, of string, most, x, y, allowed float64) {
		t.Helper()
		if testing.Verbose() {
			t.Logf("%s of %s: %.3f of %g", a.name, of, most, allowed)
		}
		if !(most <= allowed) {
			t.Errorf("%s of %s: %.3f units in the last place at %.17g, %.17g; stated are %g", a.name, of, most, x, y, allowed)
		}
	}
	measure := func(t *testing.T, a accuracy, f64 func(dst, x, y []float64), f32 func(dst, x, y []float32), exact func(x, y float64) *big.Float) {
		of64, of32 := a.allowed()
		most, x, y := worst(f64, exact, a, drawnPerRegion)
		check(t, a, "float64", most, x, y, of64)
		most, x, y = worst(f32, exact, a, drawnPerRegion)
		check(t, a, "float32", most, x, y, of32)
	}
	eachSet(t, func(t *testing.T) {
		for fn, a := range accuracies1 {
			measure(t, a, one[float64](fn), one[float32](fn), func(x, _ float64) *big.Float { return oracle1[fn](x) })
		}
		for fn, a := range accuracies2 {
			measure(t, a, two[float64](fn), two[float32](fn), oracle2[fn])
		}
	})
}

// one returns a function of one operand, which ignores the second.
func one[T Float](fn int) func(dst, x, y []T) {
	return func(dst, x, _ []T) { unary(fn, dst, x) }
}

// two returns a function of two operands.
func two[T Float](fn int) func(dst, x, y []T) {
	return func(dst, x, y []T) { binary(fn, dst, x, y) }
}

// TestMultiplesOfPi: next to a multiple of π/2 nearly all digits of the argument cancel.
func TestMultiplesOfPi(t *testing.T) {
	var x []float64
	for k := 1.; k < 1e6; k = math.Trunc(k*1.1) + 1 {
		x = append(x, k*(math.Pi/2))
	}
	x = append(x, 0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+1, 1e22, -1e300, math.MaxFloat64)
	y := make([]float64, len(x))
	eachSet(t, func(t *testing.T) {
		for _, fn := range []int{fnSin, fnCos, fnTan} {
			a := accuracies1[fn]
			of64, _ := a.allowed()
			unary(fn, y, x)
			for i, v := range x {
				if u := ulpsFrom(y[i], oracle1[fn](v), 53, -1074); u > of64 {
					t.Errorf("%s(%v) is %v, %.3f units from the exact value", a.name, v, y[i], u)
				}
			}
		}
	})
}
