package linalg

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
)

// isStacked reports whether a product is one of stacks of matrices.
func isStacked[T nd.Number](a, b *nd.NDArray[T]) bool {
	return a.NDim() > 2 && b.NDim() > 0 || b.NDim() > 2 && a.NDim() > 0
}

// stackedMatMul returns the products of the matrices along the last two axes of a
// and b, of which at least one has more than two; the axes before broadcast.
func stackedMatMul[T nd.Number](a, b *nd.NDArray[T]) *nd.NDArray[T] {
	return stackedProductOf(a, b).product()
}

// stackedMatMulInto sets dst, which may be an operand, to the products.
func stackedMatMulInto[T nd.Number](dst, a, b *nd.NDArray[T]) {
	s := stackedProductOf(a, b)
	if !s.shape.Equal(dst.Layout().Shape()) {
		misuse.Panic("the product of %v and %v has shape %v, the destination %v",
			a.Layout(), b.Layout(), s.shape, dst.Layout().Shape())
	}
	nd.CopyInto(dst, s.product())
}

// stackedProduct is a product of stacks of matrices, whose extents fit.
type stackedProduct[T nd.Number] struct {
	x, y  labeled[T]
	sizes map[int]int // of the labels
	out   []int
	shape nd.Shape // of the result
}

func (s *stackedProduct[T]) product() *nd.NDArray[T] {
	return contract(widened(s.x, s.sizes), widened(s.y, s.sizes), s.out)
}

func stackedProductOf[T nd.Number](a, b *nd.NDArray[T]) *stackedProduct[T] {
	// The labels of the rows, the inner axis and the columns; those of axes before
	// them count from the end.
	const rows, inner, cols = 1, 2, 3
	la, lb := a.Layout(), b.Layout()
	x, y := labeled[T]{a, []int{inner}}, labeled[T]{b, []int{inner}}
	last := []int{}
	if a.NDim() > 1 {
		x.labels = []int{rows, inner}
		last = append(last, rows)
	}
	if b.NDim() > 1 {
		y.labels = append(y.labels, cols)
		last = append(last, cols)
	}
	sa, sb := la.Shape(), lb.Shape()
	na, nb := len(sa)-len(x.labels), len(sb)-len(y.labels)
	if m, n := sa[len(sa)-1], sb[nb]; m != n {
		misuse.Panic("no matrix product of shapes %v and %v: %d columns against %d rows (operands %v and %v)", sa, sb, m, n, la, lb)
	}
	before, err := split.BroadcastShapes(sa[:na], sb[:nb])
	if err != nil {
		misuse.Panic("no matrix product of stacks %v and %v: %v", la, lb, err)
	}
	sizes := map[int]int{rows: 0, inner: sb[nb], cols: sb[len(sb)-1]}
	if a.NDim() > 1 {
		sizes[rows] = sa[len(sa)-2]
	}
	leading := make([]int, len(before))
	for k, n := range before {
		leading[k] = k - len(before)
		sizes[leading[k]] = n
	}
	x.labels = slices.Concat(leading[len(before)-na:], x.labels)
	y.labels = slices.Concat(leading[len(before)-nb:], y.labels)
	s := &stackedProduct[T]{x: x, y: y, sizes: sizes, out: slices.Concat(leading, last)}
	for _, label := range s.out {
		s.shape = append(s.shape, sizes[label])
	}
	return s
}
