package kernel

import (
	"unsafe"

	"github.com/viterin/vek"
	"github.com/viterin/vek/vek32"
	"gonum.org/v1/gonum/floats"
)

// Add sets dst to x+y, and returns whether it did: not if T is no [Float], if
// there are no vector instructions, or if a plain loop is as fast. x and y are at
// least as long as dst, and each may be dst.
func Add[T any](dst, x, y []T) bool {
	if !vectors || len(dst) < short {
		return false
	}
	switch dst := any(dst).(type) {
	case []float64:
		floats.AddTo(dst, any(x).([]float64)[:len(dst)], any(y).([]float64)[:len(dst)])
		return true
	case []float32:
		return inRuns(dst, any(x).([]float32), any(y).([]float32), vek32.Add_Inplace)
	}
	return false
}

// Sub sets dst to x-y; see [Add].
func Sub[T any](dst, x, y []T) bool {
	if !vectors || len(dst) < short {
		return false
	}
	switch dst := any(dst).(type) {
	case []float64:
		floats.SubTo(dst, any(x).([]float64)[:len(dst)], any(y).([]float64)[:len(dst)])
		return true
	case []float32:
		return inRuns(dst, any(x).([]float32), any(y).([]float32), vek32.Sub_Inplace)
	}
	return false
}

// Mul sets dst to x·y; see [Add].
func Mul[T any](dst, x, y []T) bool {
	if !vectors || len(dst) < short {
		return false
	}
	switch dst := any(dst).(type) {
	case []float64:
		return inRuns(dst, any(x).([]float64), any(y).([]float64), vek.Mul_Inplace)
	case []float32:
		return inRuns(dst, any(x).([]float32), any(y).([]float32), vek32.Mul_Inplace)
	}
	return false
}

// Div sets dst to x/y; see [Add]. It leaves float32 to a plain loop, because vek
// multiplies by an approximate reciprocal.
func Div[T any](dst, x, y []T) bool {
	if !vectors || len(dst) < short {
		return false
	}
	if dst, is := any(dst).([]float64); is {
		return inRuns(dst, any(x).([]float64), any(y).([]float64), vek.Div_Inplace)
	}
	return false
}

// inRuns sets dst to x and applies op to it and y, while it is in the cache. It
// does not if dst is y, which op would read after it has been written.
func inRuns[T Float](dst, x, y []T, op func(dst, y []T)) bool {
	x, y = x[:len(dst)], y[:len(dst)]
	if touch(dst, y) {
		return false
	}
	if &dst[0] == &x[0] {
		op(dst, y)
		return true
	}
	for len(dst) > 0 {
		n := min(len(dst), Run)
		copy(dst[:n], x[:n])
		op(dst[:n], y[:n])
		dst, x, y = dst[n:], x[n:], y[n:]
	}
	return true
}

// touch reports whether two runs of equal length share memory.
func touch[T Float](a, b []T) bool {
	p, q := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	n := uintptr(len(a)) * unsafe.Sizeof(a[0])
	return p < q+n && q < p+n
}
