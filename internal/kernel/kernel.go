// Package kernel has the loops over contiguous runs of floating-point numbers that
// reductions and elementwise operations spend their time in: with the vector
// instructions of the processor where it has AVX2 and FMA, and as plain loops
// elsewhere.
//
// What a function returns depends on the numbers in the run alone, not on where
// it lies in memory. Sums are taken in an order that differs between processors
// with and without vector instructions. Runs that are reduced should be of some
// hundred to some thousand elements, so that a second look at them finds them in
// the cache.
//
// Every function is local and allocates nothing.
package kernel

//go:generate go run -C ../asmgen ./kernel -out ../kernel/z_amd64.s -stubs ../kernel/z_amd64.go -pkg kernel

// Float is the set of types that have vector instructions.
type Float interface{ float32 | float64 }

// Real is the set of types of real numbers.
type Real interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | Float
}

// Run is the longest run of which [Moments] are taken.
const Run = 1024

const (
	// short is the length below which a plain loop is as fast.
	short = 16
	// stretch is how many elements are worked on before the collector may interrupt.
	stretch = 1 << 15
)

// vectors has the loops with vector instructions for elements T. n is the number
// of elements.
type vectors[T Float] struct {
	unary            [unaries]func(dst, x *T, n int)
	binary           [binaries]func(dst, x, y *T, n int)
	ternary          [ternaries]func(dst, x, y, z *T, n int)
	compare          [comparisons]func(dst *bool, x, y *T, n int) // n is a multiple of 32
	choose           func(dst *T, cond *bool, x, y *T, n int)     // n is a multiple of 8
	axpy             func(alpha T, x, y *T, n int)
	sum              func(x *T, n int) float64
	dot              func(x, y *T, n int) float64
	squares          func(x *T, n int, mean float64) float64
	sumRows          func(acc *float64, width int, x *T, n, stride int)
	squareRows       func(acc, mean *float64, width int, x *T, n, stride int)
	max, min         func(x *T, n int) T // of n ≥ 8
	maxRows, minRows func(acc *T, width int, x *T, n, stride int)
	find             func(x *T, n int, v T) int // n ≥ 8
	runSums          func(x *T, n int, s *float64)
	runPrefixes      func(dst, x *T, n int, s *float64, before float64)
}

type (
	unaryOp   int
	binaryOp  int
	ternaryOp int
	compareOp int
)

const (
	sqrt unaryOp = iota
	neg
	abs
	unaries
)

const (
	add binaryOp = iota
	sub
	mul
	div
	squaredDifference
	binaries
)

const (
	mulAdd ternaryOp = iota
	mulSub
	subMul
	ternaries
)

const (
	equal compareOp = iota
	notEqual
	less
	lessEqual
	comparisons
)

// single and double are nil where there are no vector instructions. Tests set them.
var (
	single *vectors[float32]
	double *vectors[float64]
)

// vectorsFor returns the loops for runs of n elements, nil if a plain loop is as
// fast or there are none.
func vectorsFor[T Float](n int) (v *vectors[T]) {
	if n < short {
		return nil
	}
	switch v := any(&v).(type) {
	case **vectors[float32]:
		*v = single
	case **vectors[float64]:
		*v = double
	}
	return v
}
