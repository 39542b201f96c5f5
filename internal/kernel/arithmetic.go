package kernel

import "unsafe"

// Add sets dst to x+y, and returns whether it did: not if T is no [Float], if
// there are no vector instructions, or if a plain loop is as fast. x and y are at
// least as long as dst, and each may be dst.
func Add[T any](dst, x, y []T) bool { return ofTwo(add, dst, x, y) }

// Sub sets dst to x-y; see [Add].
func Sub[T any](dst, x, y []T) bool { return ofTwo(sub, dst, x, y) }

// Mul sets dst to x·y; see [Add].
func Mul[T any](dst, x, y []T) bool { return ofTwo(mul, dst, x, y) }

// Div sets dst to x/y; see [Add].
func Div[T any](dst, x, y []T) bool { return ofTwo(div, dst, x, y) }

// SquaredDifference sets dst to (x-y)²; see [Add].
func SquaredDifference[T any](dst, x, y []T) bool { return ofTwo(squaredDifference, dst, x, y) }

// Square sets dst to x·x; see [Add].
func Square[T any](dst, x []T) bool { return ofTwo(mul, dst, x, x) }

// MulAdd sets dst to x·y + z, both rounded; see [Add].
func MulAdd[T any](dst, x, y, z []T) bool { return ofThree(mulAdd, dst, x, y, z) }

// MulSub sets dst to x·y - z, both rounded; see [Add].
func MulSub[T any](dst, x, y, z []T) bool { return ofThree(mulSub, dst, x, y, z) }

// SubMul sets dst to z - x·y, both rounded; see [Add].
func SubMul[T any](dst, x, y, z []T) bool { return ofThree(subMul, dst, x, y, z) }

// Sqrt sets dst to √x; see [Add].
func Sqrt[T any](dst, x []T) bool { return ofOne(sqrt, dst, x) }

// Neg sets dst to -x; see [Add].
func Neg[T any](dst, x []T) bool { return ofOne(neg, dst, x) }

// Abs sets dst to |x|; see [Add].
func Abs[T any](dst, x []T) bool { return ofOne(abs, dst, x) }

// Equal sets dst to x == y, by elements; see [Add].
func Equal[T any](dst []bool, x, y []T) bool { return compare(equal, dst, x, y) }

// NotEqual sets dst to x != y; see [Add].
func NotEqual[T any](dst []bool, x, y []T) bool { return compare(notEqual, dst, x, y) }

// Less sets dst to x < y; see [Add].
func Less[T any](dst []bool, x, y []T) bool { return compare(less, dst, x, y) }

// LessEqual sets dst to x <= y; see [Add].
func LessEqual[T any](dst []bool, x, y []T) bool { return compare(lessEqual, dst, x, y) }

// Greater sets dst to x > y; see [Add].
func Greater[T any](dst []bool, x, y []T) bool { return compare(less, dst, y, x) }

// GreaterEqual sets dst to x >= y; see [Add].
func GreaterEqual[T any](dst []bool, x, y []T) bool { return compare(lessEqual, dst, y, x) }

// Axpy adds alpha·x to y, the product rounded, and returns whether it did; see
// [Add]. x is as long as y.
func Axpy[T any](alpha T, x, y []T) bool {
	switch y := any(y).(type) {
	case []float32:
		return axpy(any(alpha).(float32), any(x).([]float32), y)
	case []float64:
		return axpy(any(alpha).(float64), any(x).([]float64), y)
	}
	return false
}

func axpy[T Float](alpha T, x, y []T) bool {
	v := vectorsFor[T](len(y))
	if v == nil {
		return false
	}
	x = x[:len(y)]
	for i := 0; i < len(y); i += stretch {
		v.axpy(alpha, &x[i], &y[i], min(stretch, len(y)-i))
	}
	return true
}

func ofOne[T any](op unaryOp, dst, x []T) bool {
	switch dst := any(dst).(type) {
	case []float32:
		return unaryOf(op, dst, any(x).([]float32))
	case []float64:
		return unaryOf(op, dst, any(x).([]float64))
	}
	return false
}

func unaryOf[T Float](op unaryOp, dst, x []T) bool {
	v := vectorsFor[T](len(dst))
	if v == nil {
		return false
	}
	x = x[:len(dst)]
	for i := 0; i < len(dst); i += stretch {
		v.unary[op](&dst[i], &x[i], min(stretch, len(dst)-i))
	}
	return true
}

func ofTwo[T any](op binaryOp, dst, x, y []T) bool {
	switch dst := any(dst).(type) {
	case []float32:
		return binaryOf(op, dst, any(x).([]float32), any(y).([]float32))
	case []float64:
		return binaryOf(op, dst, any(x).([]float64), any(y).([]float64))
	}
	return false
}

func binaryOf[T Float](op binaryOp, dst, x, y []T) bool {
	v := vectorsFor[T](len(dst))
	if v == nil {
		return false
	}
	x, y = x[:len(dst)], y[:len(dst)]
	for i := 0; i < len(dst); i += stretch {
		v.binary[op](&dst[i], &x[i], &y[i], min(stretch, len(dst)-i))
	}
	return true
}

func ofThree[T any](op ternaryOp, dst, x, y, z []T) bool {
	switch dst := any(dst).(type) {
	case []float32:
		return ternaryOf(op, dst, any(x).([]float32), any(y).([]float32), any(z).([]float32))
	case []float64:
		return ternaryOf(op, dst, any(x).([]float64), any(y).([]float64), any(z).([]float64))
	}
	return false
}

func ternaryOf[T Float](op ternaryOp, dst, x, y, z []T) bool {
	v := vectorsFor[T](len(dst))
	if v == nil {
		return false
	}
	x, y, z = x[:len(dst)], y[:len(dst)], z[:len(dst)]
	for i := 0; i < len(dst); i += stretch {
		v.ternary[op](&dst[i], &x[i], &y[i], &z[i], min(stretch, len(dst)-i))
	}
	return true
}

func compare[T any](op compareOp, dst []bool, x, y []T) bool {
	switch x := any(x).(type) {
	case []float32:
		return relation(op, dst, x, any(y).([]float32))
	case []float64:
		return relation(op, dst, x, any(y).([]float64))
	}
	return false
}

func relation[T Float](op compareOp, dst []bool, x, y []T) bool {
	const whole = 32
	v := vectorsFor[T](len(dst))
	if v == nil || len(dst) < whole {
		return false
	}
	x, y = x[:len(dst)], y[:len(dst)]
	for i := 0; i+whole <= len(dst); i += stretch {
		v.compare[op](&dst[i], &x[i], &y[i], min(stretch, (len(dst)-i)&^(whole-1)))
	}
	last := len(dst) - whole // some of them for the second time
	v.compare[op](&dst[last], &x[last], &y[last], whole)
	return true
}

// Choose sets dst to x where cond is true and to y elsewhere, and returns whether
// it did: not if T is not of four or eight bytes, if there are no vector
// instructions, or if a plain loop is as fast. T has no pointers. cond, x and y are
// at least as long as dst, which may be x or y.
func Choose[T any](dst []T, cond []bool, x, y []T) bool {
	switch unsafe.Sizeof(*new(T)) {
	case 4:
		return choose(as[float32](dst), cond, as[float32](x), as[float32](y))
	case 8:
		return choose(as[float64](dst), cond, as[float64](x), as[float64](y))
	}
	return false
}

// as returns the memory of x as elements of the same size.
func as[U, T any](x []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

func choose[T Float](dst []T, cond []bool, x, y []T) bool {
	v := vectorsFor[T](len(dst))
	if v == nil {
		return false
	}
	cond, x, y = cond[:len(dst)], x[:len(dst)], y[:len(dst)]
	for len(dst) >= 8 {
		n := min(stretch, len(dst)&^7)
		v.choose(&dst[0], &cond[0], &x[0], &y[0], n)
		dst, cond, x, y = dst[n:], cond[n:], x[n:], y[n:]
	}
	for i := range dst {
		if cond[i] {
			dst[i] = x[i]
		} else {
			dst[i] = y[i]
		}
	}
	return true
}
