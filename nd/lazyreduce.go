package nd

import "unsafe"

// lazyReducer is a reducer of an expression. The elements that it reduces are
// those of an array in C order that is never stored: blocks of it are evaluated
// as the reduction comes to them, in the same blocks and the same order, so that
// the result has the same bits.
type lazyReducer[T Element, A any, R Element] struct {
	reducer[T, A, R]
	plan *lazyPlan
}

// reduceLazy is [reduceNest] of the expression that a stands for. n is the nest of
// an array of a's shape in C order.
func reduceLazy[T Element, A any, R Element](k reducer[T, A, R], n *nest, acc []A, a *NDArray[T]) {
	p := a.expr.compiled()
	p.prepare()
	p.space.start(p, a.shape, a.layout)
	copy(p.space.own.stride[:], a.strides)
	p.space.simplify(false)
	fused, is := p.reducer.(*lazyReducer[T, A, R])
	if !is {
		fused = &lazyReducer[T, A, R]{plan: p}
		p.reducer = fused
	}
	fused.reducer = k
	reduceNest(fused, n, acc, nil, a.comm.Workers())
	p.done()
}

// nested sets acc to the reductions that n describes, as reduceSerial does.
func (k *lazyReducer[T, A, R]) nested(n *nest, acc []A) {
	if tile := n.contiguousAxis(); tile >= 0 {
		k.tiles(n, tile, acc)
		return
	}
	k.folds(n, acc)
}

// lazyWindow is the part of the array that is evaluated.
type lazyWindow[T Element] struct {
	f      *lazyFrame
	block  []T
	lo, hi int
}

// at returns the n elements from position lo on, and evaluates up to end if they
// are not there yet.
func (w *lazyWindow[T]) at(lo, n, end int) []T {
	if lo < w.lo || lo+n > w.hi {
		m := max(n, min(len(w.block)/n*n, end-lo))
		w.f.p.evalAll(w.f, lo, m, unsafe.Pointer(&w.block[0]))
		w.lo, w.hi = lo, lo+m
	}
	return w.block[lo-w.lo : lo-w.lo+n]
}

func (k *lazyReducer[T, A, R]) window(n *nest) lazyWindow[T] {
	p := k.plan
	f := p.frame(n.kept.size()*n.red.size(), 0)
	return lazyWindow[T]{f: f, block: unsafe.Slice((*T)(f.scratch(p.regs[p.result].offset)), p.block)}
}

// folds is [reduceFolds] of the expression.
func (k *lazyReducer[T, A, R]) folds(n *nest, acc []A) {
	w := k.window(n)
	defer w.f.release()
	last := n.red.n - 1
	rows := n.red.shape[last]
	if last == 0 && rows <= foldBlock {
		end := 0
		if n.kept.n == 1 && n.kept.stride[0] == rows {
			end = n.offset + n.kept.shape[0]*rows
		}
		for it := n.kept.walk(n.offset, &n.acc); it.next(); {
			acc[it.acc] = k.reducer.fold(w.at(it.off, rows, end), n.base)
		}
		return
	}
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	short := scratchBlock[T](buf, 0)
	var t tower[T, A, R]
	t.init(k.reducer, 1)
	defer t.release()
	outer := n.red
	outer.n--
	for it := n.kept.walk(n.offset, &n.acc); it.next(); {
		t.reset()
		base, filled := n.base, 0
		for row := outer.walk(it.off, &outer.stride); row.next(); {
			if rows >= len(short)/4 {
				for i := 0; i < rows; i += foldBlock {
					m := min(foldBlock, rows-i)
					t.fold(w.at(row.off+i, m, row.off+rows), base)
					base += m
				}
				continue
			}
			for i := 0; i < rows; {
				m := min(rows-i, len(short)-filled)
				copy(short[filled:], w.at(row.off+i, m, row.off+rows))
				i += m
				if filled += m; filled == len(short) {
					t.fold(short, base)
					base += filled
					filled = 0
				}
			}
		}
		if filled > 0 {
			t.fold(short[:filled], base)
		}
		t.result(acc, it.acc, 1)
	}
}

// tiles is [reduceTiles] of the expression.
func (k *lazyReducer[T, A, R]) tiles(n *nest, tile int, acc []A) {
	p := k.plan
	size := itemSize[T]()
	f := p.frame(n.kept.size()*n.red.size(), leafRows*tileWidth*size)
	defer f.release()
	leaf := unsafe.Slice((*T)(f.scratch(p.bytes)), leafRows*tileWidth)
	width := n.kept.shape[tile]
	var t tower[T, A, R]
	t.init(k.reducer, min(width, tileWidth))
	defer t.release()
	others := n.kept
	others.shape[tile] = 1
	last := n.red.n - 1
	rows, stride := n.red.shape[last], n.red.stride[last]
	outer := n.red
	outer.n--
	for it := others.walk(n.offset, &n.acc); it.next(); {
		for lo := 0; lo < width; lo += tileWidth {
			w := min(tileWidth, width-lo)
			t.width = w
			t.reset()
			base := n.base
			for row := outer.walk(it.off+lo, &outer.stride); row.next(); {
				for i := 0; i < rows; i += leafRows {
					m := min(leafRows, rows-i)
					at := row.off + i*stride
					if w == stride {
						p.evalAll(f, at, m*w, unsafe.Pointer(&leaf[0]))
					} else {
						for r := range m {
							p.evalAll(f, at+r*stride, w, unsafe.Pointer(&leaf[r*w]))
						}
					}
					t.rows(leaf, m, w, base+i)
				}
				base += rows
			}
			t.result(acc, it.acc+lo*n.acc[tile], n.acc[tile])
		}
	}
}
