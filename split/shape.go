package split

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Shape is the extent of an array along each of its axes. The shape of a single
// number is empty.
type Shape []int

// Size returns the number of elements: the product of the extents, 1 for an empty shape.
func (s Shape) Size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

// Equal reports whether s and t are the same.
func (s Shape) Equal(t Shape) bool { return slices.Equal(s, t) }

// String returns the shape as Python writes it: "(4, 3)", "(5,)", "()".
func (s Shape) String() string {
	var b strings.Builder
	b.WriteByte('(')
	for i, d := range s {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(d))
	}
	if len(s) == 1 {
		b.WriteByte(',')
	}
	b.WriteByte(')')
	return b.String()
}

// check reports an extent that is negative or a size that does not fit an int.
// Extents of 0 are passed over, as in NumPy, so that what is left of a legal
// shape when an axis is reduced is legal too.
func (s Shape) check() error {
	if len(s) > 0 && slices.Min(s) < 0 {
		return fmt.Errorf("shape %v has a negative extent", s)
	}
	n := 1
	for _, d := range s {
		if d > math.MaxInt/n {
			return fmt.Errorf("shape %v has more than 2^63-1 elements", s)
		}
		n *= max(d, 1)
	}
	return nil
}

// Box is a block of an array: the indices i with Lo[k] ≤ i[k] < Hi[k] along every axis k.
type Box struct{ Lo, Hi []int }

// Whole returns the box of all indices of shape.
func Whole(shape Shape) Box { return Box{make([]int, len(shape)), slices.Clone(shape)} }

// Shape returns the extents of the box.
func (b Box) Shape() Shape {
	s := make(Shape, len(b.Lo))
	for k := range s {
		s[k] = b.Hi[k] - b.Lo[k]
	}
	return s
}

// Size returns the number of indices in the box.
func (b Box) Size() int {
	n := 1
	for k := range b.Lo {
		n *= b.Hi[k] - b.Lo[k]
	}
	return n
}

// Intersect returns the indices that are in both boxes, as an empty box if there are none.
func (b Box) Intersect(c Box) Box {
	r := Box{make([]int, len(b.Lo)), make([]int, len(b.Lo))}
	for k := range b.Lo {
		r.Lo[k] = max(b.Lo[k], c.Lo[k])
		r.Hi[k] = max(r.Lo[k], min(b.Hi[k], c.Hi[k]))
	}
	return r
}

// String returns the box as Python slices: "[0:4, 2:3]".
func (b Box) String() string {
	parts := make([]string, len(b.Lo))
	for k := range b.Lo {
		parts[k] = fmt.Sprintf("%d:%d", b.Lo[k], b.Hi[k])
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
