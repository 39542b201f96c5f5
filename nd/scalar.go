package nd

import (
	"math"
	"math/cmplx"
)

// This file holds the functions of single numbers that kernels call where Go has
// none with NumPy's meaning.

func absInt[T Integer](x T) T {
	if x < 0 {
		return -x
	}
	return x
}

func sign[T Real](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		var zero T
		return zero - 1
	}
	return x // 0, or NaN
}

func floorDivInt[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	q := x / y
	if r := x % y; r != 0 && (r < 0) != (y < 0) {
		q--
	}
	return q
}

func remainderInt[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	r := x % y
	if r != 0 && (r < 0) != (y < 0) {
		r += y
	}
	return r
}

func fmodInt[T Integer](x, y T) T {
	if y == 0 {
		return 0
	}
	return x % y
}

// divMod returns floor(x/y) and the remainder, as Python's divmod of floats does:
// the quotient is derived from the exact remainder.
func divMod(x, y float64) (q, r float64) {
	r = math.Mod(x, y)
	if y == 0 {
		return x / y, r
	}
	q = (x - r) / y
	if r != 0 {
		if (y < 0) != (r < 0) {
			r += y
			q--
		}
	} else {
		r = math.Copysign(0, y)
	}
	if q == 0 {
		return math.Copysign(0, x/y), r
	}
	f := math.Floor(q)
	if q-f > 0.5 {
		f++
	}
	return f, r
}

func floorDivFloat(x, y float64) float64 {
	q, _ := divMod(x, y)
	return q
}

func remainderFloat(x, y float64) float64 {
	_, r := divMod(x, y)
	return r
}

// powInt squares and multiplies.
func powInt[T Integer](x, y T) T {
	if y < 0 {
		one := T(1)
		switch {
		case x == 1, x == -one && y%2 == 0:
			return 1
		case x == -one:
			return x
		}
		return 0
	}
	p := T(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}

func powComplex(x, y complex128) complex128 {
	if y == 0 {
		return 1
	}
	if x == 0 {
		if real(y) > 0 {
			return 0
		}
		return cmplx.NaN()
	}
	if n := int(real(y)); imag(y) == 0 && float64(n) == real(y) && n > -100 && n < 100 {
		return powComplexInt(x, n)
	}
	return cmplx.Pow(x, y)
}

// powComplexInt is exact where products are.
func powComplexInt(x complex128, n int) complex128 {
	if n < 0 {
		return 1 / powComplexInt(x, -n)
	}
	p := complex128(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= x
		}
		x *= x
	}
	return p
}

func fmax[T Real](x, y T) T {
	if x >= y || y != y {
		return x
	}
	return y
}

func fmin[T Real](x, y T) T {
	if x <= y || y != y {
		return x
	}
	return y
}

func heaviside[T Float](x, y T) T {
	switch {
	case x < 0:
		return 0
	case x > 0:
		return 1
	case x == 0:
		return y
	}
	return x // NaN
}

func nextAfter[T Float](x, y T) T {
	if kindOf[T]() == kindFloat32 {
		return T(math.Nextafter32(float32(x), float32(y)))
	}
	return T(math.Nextafter(float64(x), float64(y)))
}

func logAddExp(x, y float64) float64 {
	if x == y { // also for infinities of one sign
		return x + math.Ln2
	}
	return max(x, y) + math.Log1p(math.Exp(-math.Abs(x-y)))
}

func logAddExp2(x, y float64) float64 {
	if x == y {
		return x + 1
	}
	return max(x, y) + math.Log1p(math.Exp2(-math.Abs(x-y)))/math.Ln2
}

func leftShift[T Integer](x, y T) T {
	if y < 0 || uint64(y) >= uint64(8*itemSize[T]()) {
		return 0
	}
	return x << y
}

func rightShift[T Integer](x, y T) T {
	if y < 0 || uint64(y) >= uint64(8*itemSize[T]()) {
		if x < 0 {
			return ^T(0)
		}
		return 0
	}
	return x >> y
}

func gcd[T Integer](x, y T) T {
	for y != 0 {
		x, y = y, x%y
	}
	return absInt(x)
}

func lcm[T Integer](x, y T) T {
	g := gcd(x, y)
	if g == 0 {
		return 0
	}
	return absInt(x / g * y)
}
