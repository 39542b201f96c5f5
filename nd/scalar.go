package nd

import "math"

// This file holds the functions of single real numbers that kernels call where Go
// has none with NumPy's meaning, or one that loses digits.

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
	case x == 0:
		return 0 // also of -0
	}
	return x // NaN
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

// splitLog returns k and log f of x = 2ᵏ·f, where k is an integer and 0 near x = 1,
// so that nothing cancels when the two are added up.
func splitLog(x float64) (k, logf float64) {
	f, e := math.Frexp(x)
	if e > 0 {
		f *= 2
		e--
	}
	return float64(e), math.Log(f)
}

// log10 is exact for powers of ten: k times the upper bits of log10 2 is exact.
func log10(x float64) float64 {
	const hi = 0x1.34413509f6p-2
	const lo = math.Ln2/math.Ln10 - hi
	k, logf := splitLog(x)
	return k*lo + logf*(1/math.Ln10) + k*hi
}

// tan is math.Tan, which drops the cubic term of small x too early.
func tan(x float64) float64 {
	if math.Abs(x) < 1e-5 {
		return x + x*x*x/3
	}
	return math.Tan(x)
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
	if x == y {
		return y // from one zero to the other
	}
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
	return absInt(x) / g * absInt(y)
}
