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
// in pure Go and by libmvec, of float64 and float32.
type accuracy struct {
	name         string
	go64, go32   float64
	vec64, vec32 float64
	x            []region
	y            []region // of the second operand
}

var accuracies1 = [numUnary]accuracy{
	fnSqrt:  {"Sqrt", 0.5, 0.5, 0.5, 0.5, []region{powers(-1022, 1023)}, nil},
	fnCbrt:  {"Cbrt", 0.7, 0.51, 2, 3, []region{both(-1022, 1023), linear(-10, 10)}, nil},
	fnExp:   {"Exp", 0.53, 0.55, 3, 3, []region{linear(-745, 709.7), linear(-1, 1), both(-80, 5), linear(700, 709.7)}, nil},
	fnExp2:  {"Exp2", 0.53, 0.51, 1.5, 1.5, []region{linear(-1074, 1023.9), linear(-1, 1), both(-80, 5)}, nil},
	fnExpm1: {"Expm1", 1.6, 0.51, 2, 2, []region{linear(-50, 709.7), linear(-1, 1), both(-80, 3)}, nil},
	fnLog:   {"Log", 0.56, 0.51, 2, 4, []region{powers(-1022, 1023), linear(0.5, 2), linear(0.98, 1.02)}, nil},
	fnLog2:  {"Log2", 0.56, 0.51, 2, 2, []region{powers(-1022, 1023), linear(0.5, 2), linear(0.98, 1.02)}, nil},
	fnLog10: {"Log10", 0.56, 0.51, 2, 2, []region{powers(-1022, 1023), linear(0.5, 2), linear(0.98, 1.02)}, nil},
	fnLog1p: {"Log1p", 0.56, 0.51, 2, 2, []region{powers(-100, 1020), linear(-0.999, 2), both(-80, -1), both(-12, -4)}, nil},
	fnSin:   {"Sin", 1.2, 0.55, 4, 2, []region{linear(-10, 10), both(-80, 18), both(18, 1023), linear(-0.1, 0.1)}, nil},
	fnCos:   {"Cos", 1.2, 0.55, 4, 2, []region{linear(-10, 10), both(-80, 18), both(18, 1023), linear(1.5, 1.6)}, nil},
	fnTan:   {"Tan", 0.55, 0.51, 4, 4, []region{linear(-10, 10), both(-80, 18), both(18, 1023), linear(1.5, 1.6)}, nil},
	fnAsin:  {"Asin", 1.2, 0.51, 3, 3, []region{linear(-1, 1), both(-60, 0), linear(0.99, 1)}, nil},
	fnAcos:  {"Acos", 0.8, 0.51, 2, 2, []region{linear(-1, 1), both(-60, 0), linear(0.99, 1)}, nil},
	fnAtan:  {"Atan", 1.1, 0.51, 2, 2, []region{linear(-2, 2), both(-60, 60), linear(-20, 20), both(-6.2, -5.5)}, nil},
	fnSinh:  {"Sinh", 1.5, 0.51, 2, 2, []region{linear(-20, 20), both(-60, 9.4), linear(700, 710)}, nil},
	fnCosh:  {"Cosh", 1, 0.51, 2, 2, []region{linear(-20, 20), both(-30, 9.4), linear(700, 710)}, nil},
	fnTanh:  {"Tanh", 1.4, 0.51, 2, 2, []region{linear(-3, 3), both(-60, 4)}, nil},
	fnAsinh: {"Asinh", 1.5, 0.51, 2, 2, []region{linear(-3, 3), both(-60, 1020)}, nil},
	fnAcosh: {"Acosh", 1.4, 0.51, 2, 3, []region{linear(1, 3), powers(0, 1020), linear(1, 1.01)}, nil},
	fnAtanh: {"Atanh", 1.5, 0.51, 2, 2, []region{linear(-1, 1), both(-60, -1)}, nil},
}

var accuracies2 = [numBinary]accuracy{
	fnPow: {"Pow", 1, 0.51, 2, 2,
		[]region{linear(0.1, 10), powers(-300, 300), linear(0.99, 1.01), powers(-1022, 1023)},
		[]region{linear(-5, 5), linear(-3, 3), both(-10, 15), both(-60, 0)}},
	fnAtan2: {"Atan2", 1.1, 0.51, 2, 2, []region{linear(-5, 5), both(-60, 60), linear(-0.1, 0.1)}, []region{linear(-5, 5), both(-60, 60), linear(-5, 5)}},
	fnHypot: {"Hypot", 1.1, 0.51, 2, 2, []region{linear(-5, 5), both(-60, 60), both(-700, 1000)}, []region{linear(-5, 5), both(-60, 60), both(-700, 1000)}},
}

// drawnPerRegion is how many arguments of each region the test takes: math/big is slow.
const drawnPerRegion = 100

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

func TestAccuracy(t *testing.T) {
	check := func(a accuracy, of string, most, x, y, allowed float64) {
		t.Helper()
		if !(most <= allowed) {
			t.Errorf("%s of %s: %.3f units in the last place at %.17g, %.17g; stated are %g", a.name, of, most, x, y, allowed)
		}
	}
	measure := func(a accuracy, go64, used64 func(dst, x, y []float64), go32, used32 func(dst, x, y []float32), exact func(x, y float64) *big.Float) {
		most, x, y := worst(go64, exact, a, drawnPerRegion)
		check(a, "float64", most, x, y, a.go64)
		most, x, y = worst(go32, exact, a, drawnPerRegion)
		check(a, "float32", most, x, y, a.go32)
		if vectorized {
			most, x, y = worst(used64, exact, a, drawnPerRegion)
			check(a, "float64 by libmvec", most, x, y, a.vec64)
			most, x, y = worst(used32, exact, a, drawnPerRegion)
			check(a, "float32 by libmvec", most, x, y, a.vec32)
		}
	}
	for fn, a := range accuracies1 {
		measure(a, ignore(goUnary64[fn]), ignore(unary64[fn]), ignore(goUnary32[fn]), ignore(unary32[fn]),
			func(x, _ float64) *big.Float { return oracle1[fn](x) })
	}
	for fn, a := range accuracies2 {
		measure(a, goBinary64[fn], binary64[fn], goBinary32[fn], binary32[fn], oracle2[fn])
	}
}

// ignore returns f with a second operand that it does not use.
func ignore[T Float](f func(dst, x []T)) func(dst, x, y []T) {
	return func(dst, x, _ []T) { f(dst, x) }
}

// TestMultiplesOfPi: next to a multiple of π/2 nearly all digits of the argument cancel.
func TestMultiplesOfPi(t *testing.T) {
	var x []float64
	for k := 1.; k < 1e6; k = math.Trunc(k*1.1) + 1 {
		x = append(x, k*(math.Pi/2))
	}
	x = append(x, 0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+1, 1e22, -1e300, math.MaxFloat64)
	y := make([]float64, len(x))
	for _, fn := range []int{fnSin, fnCos, fnTan} {
		a := accuracies1[fn]
		goUnary64[fn](y, x)
		for i, v := range x {
			if u := ulpsFrom(y[i], oracle1[fn](v), 53, -1074); u > a.go64 {
				t.Errorf("%s(%v) is %v, %.3f units from the exact value", a.name, v, y[i], u)
			}
		}
	}
}
