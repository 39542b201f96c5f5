package nd

import "math/bits"

// tower merges the partial results of many blocks pairwise, as they come: level
// i holds the merged result of 2^i leaves. Rounding errors then grow with the
// logarithm of the number of blocks (Higham 1993, "The accuracy of floating
// point summation"), and order is kept.
type tower[T Element, A any, R Element] struct {
	k      reducer[T, A, R]
	on     continuing[T, A] // k, if rows need not be merged pairwise
	width  int              // accumulators side by side
	leaves uint64
	mem    []A // one leaf, then the levels
	max    int // the width of a level in mem
	levels int
	pooled *[]complex128
}

// continuing is a reducer without rounding errors, which goes on from row to row.
type continuing[T Element, A any] interface {
	// more takes the elements of n ≥ 1 more rows, the first of which has index
	// base, into acc, which comes before them.
	more(acc []A, x []T, n, stride, base int)
}

func (t *tower[T, A, R]) init(k reducer[T, A, R], width int) {
	t.k, t.width, t.max = k, width, width
	t.on, _ = k.(continuing[T, A])
	t.levels = 8
	t.mem, t.pooled = borrow[A](width * (t.levels + 1))
}

func (t *tower[T, A, R]) release() { giveBack(t.pooled) }

func (t *tower[T, A, R]) reset() { t.leaves = 0 }

func (t *tower[T, A, R]) level(i int) []A {
	if i >= t.levels {
		t.grow()
	}
	return t.mem[(i+1)*t.max : (i+1)*t.max+t.width]
}

func (t *tower[T, A, R]) grow() {
	mem, pooled := borrow[A](t.max * (2*t.levels + 1))
	copy(mem, t.mem)
	giveBack(t.pooled)
	t.mem, t.pooled = mem, pooled
	t.levels *= 2
}

// fold adds the reduction of x as a leaf.
func (t *tower[T, A, R]) fold(x []T, base int) {
	t.mem[0] = t.k.fold(x, base)
	t.push()
}

// rows adds the reductions of n rows of x as a leaf.
func (t *tower[T, A, R]) rows(x []T, n, stride, base int) {
	if t.on != nil && t.leaves == 1 {
		t.on.more(t.level(0), x, n, stride, base)
		return
	}
	t.k.rows(t.mem[:t.width], x, n, stride, base)
	t.push()
}

// push merges the leaf with every full level from the lowest on.
func (t *tower[T, A, R]) push() {
	full := bits.TrailingZeros64(^t.leaves)
	free := t.level(full)
	leaf := t.mem[:t.width]
	if full == 0 {
		copy(free, leaf)
	} else {
		sum := t.level(0)
		t.k.merge(sum, leaf)
		for i := 1; i < full; i++ {
			higher := t.level(i)
			t.k.merge(higher, sum)
			sum = higher
		}
		copy(free, sum)
	}
	t.leaves++
}

// result merges the levels and writes the results to acc[at], acc[at+stride], ….
func (t *tower[T, A, R]) result(acc []A, at, stride int) {
	var sum []A
	for i := range bits.Len64(t.leaves) {
		if t.leaves>>i&1 == 0 {
			continue
		}
		l := t.level(i)
		if sum != nil {
			t.k.merge(l, sum)
		}
		sum = l
	}
	for _, v := range sum {
		acc[at] = v
		at += stride
	}
}
