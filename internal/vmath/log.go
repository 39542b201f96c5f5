package vmath

import "math"

// The logarithms write x as 2ᵏ·z with z in [0.6875, 1.375), look up c ≈ 1/z, and
// return k·ln 2 - log c + log(1+r), where r = z·c - 1 is exact in two parts because c
// has 12 bits: Tang 1990, "Table-driven implementation of the logarithm function in
// IEEE floating-point arithmetic". c is 1 near z = 1, where nothing may cancel.

const (
	logOffset   = 0x3fe6000000000000 // the bits of 0.6875
	leastNormal = 0x0010000000000000
	infinity    = 0x7ff0000000000000
	lowBits     = 1<<22 - 1 // without them a product with c is exact
	exponent    = 0xfff << 52
)

func log64(dst, x []float64) {
	for i, v := range x[:len(dst)] {
		b := math.Float64bits(v)
		if b-leastNormal >= infinity-leastNormal {
			dst[i] = logSlow(v)
			continue
		}
		n := b - logOffset
		k := whole(int64(n) >> 52)
		b -= n & exponent
		z := math.Float64frombits(b)
		zh := math.Float64frombits(b &^ lowBits)
		t := &logTable[n>>45%128]
		rh := zh*t[0] - 1
		rl := (z - zh) * t[0]
		r := rh + rl
		w := k*ln2Hi + t[1]
		hi := w + r
		q := r * r
		lo := (w - hi + r) + ((rh - r) + rl + (k*ln2Lo + t[2]))
		dst[i] = hi + (lo + q*(logPoly0+r*logPoly1+q*(logPoly2+r*logPoly3+q*(logPoly4+r*logPoly5))))
	}
}

func log32(dst, x []float32) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		b := math.Float64bits(v)
		if b-leastNormal >= beyond[float32]()-leastNormal {
			dst[i] = float32(logSlow(float64(x[i])))
			continue
		}
		n := b - logOffset
		k := whole(int64(n) >> 52)
		t := &logTable[n>>45%128]
		r := math.Float64frombits(b-n&exponent)*t[0] - 1
		q := r * r
		dst[i] = float32(k*math.Ln2 + t[1] + (r + q*(-1./2+r*(1./3)+q*(-1./4+r*(1./5)))))
	}
}

// logScaled sets dst to log x times the constant ah + al, of which ah has 26 bits.
func logScaled[T Float](dst, x []T, ah, al float64) {
	x = x[:len(dst)]
	for i := range dst {
		v := widenFinite(&x[i])
		b := math.Float64bits(v)
		if b-leastNormal >= beyond[T]()-leastNormal {
			if y := logSlow(float64(x[i])); y-y != 0 {
				dst[i] = T(y)
				continue
			}
		}
		hi, lo := logParts(v)
		h := math.Float64frombits(math.Float64bits(hi) &^ (1<<27 - 1))
		dst[i] = T(h*ah + ((hi-h+lo)*ah + (hi+lo)*al))
	}
}

func log2Of[T Float](dst, x []T)  { logScaled(dst, x, log2EHi, log2ELo) }
func log10Of[T Float](dst, x []T) { logScaled(dst, x, log10EHi, log10ELo) }

func log1pOf[T Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(log1p(widen(&x[i])))
	}
}

// logSlow is log x of any x.
func logSlow(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case x-x != 0:
		return x
	}
	hi, lo := logParts(x)
	return hi + lo
}

// logParts returns log x as a sum, for finite x > 0.
func logParts(x float64) (hi, lo float64) {
	b, k := math.Float64bits(x), 0.
	if b < leastNormal {
		b, k = math.Float64bits(x*0x1p54), -54
	}
	n := b - logOffset
	b -= n & exponent
	return logSum(k+float64(int64(n)>>52), b, n, 0)
}

// logSum returns k·ln 2 + log(z + d) as a sum. z has the bits b and lies in interval n
// of the table; d is small beside it.
func logSum(k float64, b, n uint64, d float64) (hi, lo float64) {
	z := math.Float64frombits(b)
	zh := math.Float64frombits(b &^ lowBits)
	t := &logTable[n>>45%128]
	rh := zh*t[0] - 1
	rl := (z - zh + d) * t[0]
	r := rh + rl
	w := k*ln2Hi + t[1]
	hi = w + r
	q := r * r
	lo = (w - hi + r) + ((rh - r) + rl + (k*ln2Lo + t[2]))
	lo += q * (logPoly0 + r*logPoly1 + q*(logPoly2+r*logPoly3+q*(logPoly4+r*logPoly5)))
	s := hi + lo
	return s, (hi - s) + lo
}

// log1p is log(1+x). The rounding error of 1+x is carried along.
func log1p(x float64) float64 {
	switch {
	case math.Abs(x) < 1./128:
		if x == 0 {
			return x
		}
		q := x * x
		return x + q*(logPoly0+x*logPoly1+q*(logPoly2+x*logPoly3+q*(logPoly4+x*logPoly5)))
	case !(x > -1 && x < 0x1p1000):
		return logSlow(1 + x)
	}
	u := 1 + x
	v := u - 1
	d := (1 - (u - v)) + (x - v)
	b := math.Float64bits(u)
	n := b - logOffset
	k := int64(n) >> 52
	b -= n & exponent
	hi, lo := logSum(whole(k), b, n, d*math.Float64frombits(uint64(1023-k)<<52))
	return hi + lo
}
