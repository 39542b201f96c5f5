package nd

import "caloric/internal/misuse"

// A pairReducer reduces elements of an array together with those of another one
// that broadcasts to it: a mask, or weights.
type pairReducer[T, U Element, A any, R Element] interface {
	reducer[T, A, R]
	// foldPair reduces at least one and at most [block] elements.
	foldPair(x []T, u []U) A
}

// checkPair panics unless u broadcasts to a and lives with it.
func checkPair[T, U Element](a *NDArray[T], u *NDArray[U], what string) {
	sameComm(a.comm, u.comm)
	if !broadcastsTo(u.layout.Shape(), a.layout.Shape()) {
		misuse.Panic("%s of shape %v does not broadcast to the array's %v", what, u.layout.Shape(), a.layout)
	}
}

// reducePair returns this rank's n accumulators of the reduction r of a with u,
// which is moved to a's layout if it has another, combined across the ranks if
// the split axis is reduced.
func reducePair[T, U Element, A any, R Element](k pairReducer[T, U, A, R], a *NDArray[T], u *NDArray[U], r *reduction, n int) []A {
	u = aligned(a.layout, u)
	acc := make([]A, n)
	foldPairs(k, acc, a, u, r)
	if axis := int(a.layout.Axis()); axis >= 0 && r.reduced[axis] {
		k.across(a.comm, acc)
	}
	return acc
}

// foldPairs reduces this rank's part of a with that of u, in the order of a's
// indices. Blocks are merged pairwise.
func foldPairs[T, U Element, A any, R Element](k pairReducer[T, U, A, R], acc []A, a *NDArray[T], u *NDArray[U], r *reduction) {
	w := newWalk(a.shape)
	w.add(a.offset, a.shape, a.strides)
	addOperand(&w, a.layout, u)
	var kept, red axes
	var keptU, redU [MaxDims]int
	for axis, d := range a.shape {
		if r.reduced[axis] {
			redU[red.n] = w.stride[1][axis]
			red.push(d, w.stride[0][axis])
		} else {
			keptU[kept.n] = w.stride[1][axis]
			kept.push(d, w.stride[0][axis])
		}
	}
	if red.n == 0 {
		red.push(1, 1)
		redU[0] = 1
	}
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	bx, bu := scratchBlock[T](buf, 1), scratchBlock[U](buf, 2)
	var t tower[T, A, R]
	t.init(k, 1)
	defer t.release()
	leaf := func(x []T, u []U) {
		t.mem[0] = k.foldPair(x, u)
		t.push()
	}
	outer := red
	outer.n--
	rows, sx, su := red.shape[outer.n], red.stride[outer.n], redU[outer.n]
	j := 0
	for at := kept.walk(w.offset[0], &keptU); at.next(); j++ {
		t.reset()
		filled := 0
		for row := outer.walk(at.off, &redU); row.next(); {
			x, y := row.off, w.offset[1]+at.acc+row.acc
			for i := 0; i < rows; {
				m := min(rows-i, block-filled)
				if sx == 1 && su == 1 && m == block {
					leaf(a.data[x:x+m], u.data[y:y+m])
				} else {
					px, py := bx[filled:filled+m], bu[filled:filled+m]
					for i := range px {
						px[i], py[i] = a.data[x+i*sx], u.data[y+i*su]
					}
					if filled += m; filled == block {
						leaf(bx, bu)
						filled = 0
					}
				}
				i, x, y = i+m, x+m*sx, y+m*su
			}
		}
		if filled > 0 {
			leaf(bx[:filled], bu[:filled])
		}
		if t.leaves == 0 {
			acc[j] = k.empty()
		} else {
			t.result(acc, j, 1)
		}
	}
}
