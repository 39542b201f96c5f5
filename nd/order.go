package nd

import "caloric/split"

// ordering is what can be done to elements that are in some order. It hides the
// type of their keys.
type ordering[T Element] interface {
	sort(a *NDArray[T], axis int, c coding) (*split.Layout, []T)
	argSort(a *NDArray[T], axis int, c coding) (*split.Layout, []int64)
	partition(a *NDArray[T], axis int, at []int) (*split.Layout, []T)
	topK(a *NDArray[T], axis, k int, c coding) (values *NDArray[T], at *NDArray[int64])
	unique(a *NDArray[T], want uniqueParts) UniqueParts[T]
	combine(a, b *NDArray[T], op setOp) *NDArray[T]
	isIn(a, test *NDArray[T]) *NDArray[bool]
	places(a *NDArray[T], axes []int, width int, at func(n int) []int) (counts []int, values []T)
}

// orderingOf returns the ordering of T: numbers by their value, false before
// true, complex numbers by their real, then by their imaginary part.
func orderingOf[T Element]() ordering[T] { return orderings[kindOf[T]()].(ordering[T]) }

var orderings = [numKinds]any{
	kindBool:       keyed[bool, uint8, boolCoder, wordKeys[uint8]]{},
	kindInt8:       keyed[int8, uint8, intCoder[int8, uint8], wordKeys[uint8]]{},
	kindInt16:      keyed[int16, uint16, intCoder[int16, uint16], wordKeys[uint16]]{},
	kindInt32:      keyed[int32, uint32, intCoder[int32, uint32], wordKeys[uint32]]{},
	kindInt64:      keyed[int64, uint64, intCoder[int64, uint64], wordKeys[uint64]]{},
	kindUint8:      keyed[uint8, uint8, intCoder[uint8, uint8], wordKeys[uint8]]{},
	kindUint16:     keyed[uint16, uint16, intCoder[uint16, uint16], wordKeys[uint16]]{},
	kindUint32:     keyed[uint32, uint32, intCoder[uint32, uint32], wordKeys[uint32]]{},
	kindUint64:     keyed[uint64, uint64, intCoder[uint64, uint64], wordKeys[uint64]]{},
	kindFloat32:    keyed[float32, uint32, float32Coder, wordKeys[uint32]]{},
	kindFloat64:    keyed[float64, uint64, float64Coder, wordKeys[uint64]]{},
	kindComplex64:  keyed[complex64, uint64, complex64Coder, wordKeys[uint64]]{},
	kindComplex128: keyed[complex128, complex128, complex128Coder, wideKeys]{},
}

// keyed is the ordering of T by keys K. The work is in functions of T and K,
// which take the coder and the kit as interfaces.
type keyed[T, K Element, C coder[T, K], S keyKit[K]] struct{}

// keying is how T becomes keys.
type keying[T, K Element] struct {
	code coder[T, K]
	kit  keyKit[K]
}

func (keyed[T, K, C, S]) keying() keying[T, K] {
	var code C
	var kit S
	return keying[T, K]{code, kit}
}

func (o keyed[T, K, C, S]) sort(a *NDArray[T], axis int, c coding) (*split.Layout, []T) {
	return sortLanes(o.keying(), a, axis, c)
}

func (o keyed[T, K, C, S]) argSort(a *NDArray[T], axis int, c coding) (*split.Layout, []int64) {
	return argSortLanes(o.keying(), a, axis, c)
}

func (o keyed[T, K, C, S]) partition(a *NDArray[T], axis int, at []int) (*split.Layout, []T) {
	return partitionLanes(o.keying(), a, axis, at)
}

func (o keyed[T, K, C, S]) topK(a *NDArray[T], axis, k int, c coding) (*NDArray[T], *NDArray[int64]) {
	return topKLanes(o.keying(), a, axis, k, c)
}

func (o keyed[T, K, C, S]) unique(a *NDArray[T], want uniqueParts) UniqueParts[T] {
	return uniqueOf(o.keying(), a, want)
}

func (o keyed[T, K, C, S]) combine(a, b *NDArray[T], op setOp) *NDArray[T] {
	return combineSets(o.keying(), a, b, op)
}

func (o keyed[T, K, C, S]) isIn(a, test *NDArray[T]) *NDArray[bool] {
	return isInSet(o.keying(), a, test)
}

func (o keyed[T, K, C, S]) places(a *NDArray[T], axes []int, width int, at func(n int) []int) ([]int, []T) {
	return placesOf(o.keying(), a, axes, width, at)
}
