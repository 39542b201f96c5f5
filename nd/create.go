package nd

import (
	"math"
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// layoutOf returns the balanced layout of shape over c's ranks.
func layoutOf(c *spmd.Comm, shape Shape, axis Axis) *split.Layout {
	if c == nil {
		misuse.Panic("the communicator is nil, as Split(spmd.Undefined) returns it")
	}
	misuse.Check(split.Check(shape, axis, c.Size()))
	return split.Block(shape, axis, c.Size())
}

// Zeros returns an array of zeros.
//
// Local. Result split: axis, balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func Zeros[T Element](c *spmd.Comm, shape Shape, axis Axis) *NDArray[T] {
	return newArray[T](c, layoutOf(c, shape, axis))
}

// Empty returns an array whose elements are to be set by the caller. Until then
// they have any value, such as that of an array that is no longer in use.
//
// Local. Result split: axis, balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func Empty[T Element](c *spmd.Comm, shape Shape, axis Axis) *NDArray[T] {
	return newRaw[T](c, layoutOf(c, shape, axis))
}

// Ones returns an array of ones.
//
// Local. Result split: axis, balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func Ones[T Number](c *spmd.Comm, shape Shape, axis Axis) *NDArray[T] {
	return Full(c, shape, T(1), axis)
}

// Full returns an array whose elements are all v.
//
// Local. Result split: axis, balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func Full[T Element](c *spmd.Comm, shape Shape, v T, axis Axis) *NDArray[T] {
	a := Empty[T](c, shape, axis)
	fill(a.data, v)
	return a
}

// ZerosLike returns an array of zeros with a's layout.
//
// Local. Result split: a's. Communication: none.
func ZerosLike[T Element](a *NDArray[T]) *NDArray[T] { return like[T](a) }

// EmptyLike returns an array with a's layout whose elements are to be set by the caller; see [Empty].
//
// Local. Result split: a's. Communication: none.
func EmptyLike[T Element](a *NDArray[T]) *NDArray[T] { return likeRaw[T](a) }

// OnesLike returns an array of ones with a's layout.
//
// Local. Result split: a's. Communication: none.
func OnesLike[T Number](a *NDArray[T]) *NDArray[T] { return FullLike(a, T(1)) }

// FullLike returns an array with a's layout whose elements are all v.
//
// Local. Result split: a's. Communication: none.
func FullLike[T Element](a *NDArray[T], v T) *NDArray[T] {
	b := likeRaw[T](a)
	fill(b.data, v)
	return b
}

// Arange returns start, start+step, … up to but excluding stop, each computed
// as start + i·step.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if step is zero or not finite.
func Arange[T Real](c *spmd.Comm, start, stop, step T, axis Axis) *NDArray[T] {
	if step == 0 || step != step {
		misuse.Panic("step %v", step)
	}
	n := arangeLen(start, stop, step)
	return fromFlat(c, Shape{n}, axis, func(i int) T { return start + T(i)*step })
}

// arangeLen returns ceil((stop-start)/step), exactly for integers.
func arangeLen[T Real](start, stop, step T) int {
	if isFloat[T]() {
		n := math.Ceil((float64(stop) - float64(start)) / float64(step))
		if n != n || n > math.MaxInt32*float64(math.MaxInt32) {
			misuse.Panic("range %v to %v by %v has no length", start, stop, step)
		}
		return int(max(0, n))
	}
	if step > 0 && stop > start {
		return rangeLen((uint64(stop)-uint64(start)-1)/uint64(step), start, stop, step)
	}
	if step < 0 && stop < start {
		return rangeLen((uint64(start)-uint64(stop)-1)/(-uint64(step)), start, stop, step)
	}
	return 0
}

// rangeLen returns steps+1.
func rangeLen[T Real](steps uint64, start, stop, step T) int {
	if steps >= math.MaxInt {
		misuse.Panic("range %v to %v by %v has more elements than an array can have", start, stop, step)
	}
	return int(steps) + 1
}

func isFloat[T Real]() bool {
	half := 0.5
	return T(half) != 0
}

// Linspace returns n numbers evenly spaced from start to stop, both included.
//
// Local. Result split: axis (0 or None), balanced. Communication: none.
// Panics if n is negative.
func Linspace[T Float](c *spmd.Comm, start, stop T, n int, axis Axis) *NDArray[T] {
	step := (float64(stop) - float64(start)) / float64(n-1)
	return fromFlat(c, Shape{n}, axis, func(i int) T {
		if i == n-1 && n > 1 {
			return stop
		}
		if i == 0 {
			return start
		}
		return T(float64(start) + float64(i)*step)
	})
}

// Eye returns the matrix of rows × cols with ones on diagonal k and zeros
// elsewhere: element (i, i+k) is 1.
//
// Local. Result split: axis, balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func Eye[T Number](c *spmd.Comm, rows, cols, k int, axis Axis) *NDArray[T] {
	a := Zeros[T](c, Shape{rows, cols}, axis)
	k = clampDiagonal(k, rows, cols)
	box := a.layout.Local(c.Rank())
	for i := max(box.Lo[0], box.Lo[1]-k); i < box.Hi[0] && i+k < box.Hi[1]; i++ {
		a.data[(i-box.Lo[0])*a.strides[0]+(i+k-box.Lo[1])*a.strides[1]] = 1
	}
	return a
}

// FromSlice returns the array of the given shape whose elements in C order are
// values, of which each rank copies its part.
//
// Local; values are the same on every rank. Result split: axis, balanced.
// Communication: none. Panics if len(values) is not the size of shape.
func FromSlice[T Element](c *spmd.Comm, values []T, shape Shape, axis Axis) *NDArray[T] {
	l := layoutOf(c, shape, axis)
	if len(values) != shape.Size() {
		misuse.Panic("%d values for shape %v, which has %d elements", len(values), shape, shape.Size())
	}
	whole := wrapReplicated(c, shape, values)
	return Copy(moved(whole, l))
}

// wrapReplicated returns the replicated array whose memory is values.
func wrapReplicated[T Element](c *spmd.Comm, shape Shape, values []T) *NDArray[T] {
	return wrap(c, split.Block(shape, split.None, c.Size()), values)
}

// FromFunc returns the array whose element at each global index is f(index).
// f must not keep the index slice.
//
// Local. Result split: axis, balanced. Communication: none.
// Panics if axis is out of range or an extent is negative.
func FromFunc[T Element](c *spmd.Comm, shape Shape, axis Axis, f func(index []int) T) *NDArray[T] {
	return FromLayout(c, layoutOf(c, shape, axis), f)
}

// FromLayout is [FromFunc] with any layout, for example one of
// [split.WithCounts].
//
// Local. Result split: l's. Communication: none.
func FromLayout[T Element](c *spmd.Comm, l *split.Layout, f func(index []int) T) *NDArray[T] {
	checkRanks(c, l)
	a := newRaw[T](c, l)
	box := l.Local(c.Rank())
	index := make([]int, len(box.Lo))
	copy(index, box.Lo)
	for i := range a.data {
		a.data[i] = f(index)
		for k := len(index) - 1; k >= 0; k-- {
			index[k]++
			if index[k] < box.Hi[k] {
				break
			}
			index[k] = box.Lo[k]
		}
	}
	return a
}

// Wrap returns the array of layout l whose part on this rank is local, in C
// order. It uses local as its memory.
//
// Local. Result split: l's. Communication: none.
// Panics if local does not have the number of elements that l gives this rank.
func Wrap[T Element](c *spmd.Comm, l *split.Layout, local []T) *NDArray[T] {
	checkRanks(c, l)
	if n := l.LocalSize(c.Rank()); len(local) != n {
		misuse.Panic("%d local elements where layout %v has %d", len(local), l, n)
	}
	return wrap(c, l, local)
}

func checkRanks(c *spmd.Comm, l *split.Layout) {
	if l.Ranks() != c.Size() {
		misuse.Panic("layout %v over %d ranks for a communicator of %d", l, l.Ranks(), c.Size())
	}
}

// fromFlat returns the 1-d array whose element i is f(i).
func fromFlat[T Element](c *spmd.Comm, shape Shape, axis Axis, f func(i int) T) *NDArray[T] {
	a := Empty[T](c, shape, axis)
	lo := a.localStart()
	for i := range a.data {
		a.data[i] = f(lo + i)
	}
	return a
}

// FromLocal assembles an array from parts that only their ranks know: along
// axis the ranks' parts follow each other in rank order, each of any extent;
// along the other axes they agree. With axis None every rank passes the whole
// array. It uses local as the result's memory.
//
// Collective. Result split: axis, as the parts are. Communication: one
// allgatherv of the parts' shapes. Panics on every rank alike if the shapes do
// not fit together.
func FromLocal[T Element](c *spmd.Comm, local []T, localShape Shape, axis Axis) *NDArray[T] {
	shapes := exchangeShapes(c, localShape, len(local), axis)
	shape, counts := slices.Clone(shapes[0]), make([]int, c.Size())
	total := 0
	for r, s := range shapes {
		if axis != split.None {
			counts[r] = s[axis]
			total += s[axis]
		}
	}
	if axis == split.None {
		return wrap(c, split.Block(shape, axis, c.Size()), local)
	}
	shape[axis] = total
	misuse.Check(split.CheckCounts(shape, axis, counts))
	return wrap(c, split.WithCounts(shape, axis, counts), local)
}

// exchangeShapes returns every rank's local shape after checking, on every rank
// alike, that the parts fit together along axis.
func exchangeShapes(c *spmd.Comm, shape Shape, elements int, axis Axis) []Shape {
	const header = 3 // number of axes, axis, number of elements
	record := make([]int64, header+MaxDims)
	record[0], record[1], record[2] = int64(len(shape)), int64(axis), int64(elements)
	for k := range min(len(shape), MaxDims) {
		record[header+k] = int64(shape[k])
	}
	counts := make([]int, c.Size())
	for r := range counts {
		counts[r] = len(record)
	}
	all := make([]int64, len(record)*c.Size())
	spmd.Allgatherv(c, record, all, counts)
	shapes := make([]Shape, c.Size())
	for r := range shapes {
		rec := all[r*len(record) : (r+1)*len(record)]
		if rec[0] > MaxDims {
			misuse.Panic("the part of rank %d has %d axes, more than %d", r, rec[0], MaxDims)
		}
		s := make(Shape, rec[0])
		for k := range s {
			s[k] = int(rec[header+k])
		}
		shapes[r] = s
		if err := split.Check(s, Axis(rec[1]), 1); err != nil {
			misuse.Panic("the part of rank %d: %v", r, err)
		}
		if int64(s.Size()) != rec[2] {
			misuse.Panic("the part of rank %d has %d elements for shape %v", r, rec[2], s)
		}
		fits := len(s) == len(shapes[0]) && rec[1] == all[1]
		for k := 0; fits && k < len(s); k++ {
			fits = s[k] == shapes[0][k] || Axis(k) == Axis(rec[1])
		}
		if !fits {
			misuse.Panic("parts do not fit together: rank 0 has shape %v split %v, rank %d has %v split %v",
				shapes[0], Axis(all[1]), r, s, Axis(rec[1]))
		}
	}
	return shapes
}
