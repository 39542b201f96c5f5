package nd

import (
	"caloric/internal/kernel"
	"caloric/spmd"
)

// found is an extreme element and where it is: its index among the reduced
// elements, -1 for none.
type found[T Real] struct {
	value T
	index int64
}

// direction says which end argOf looks for. It is a type, so that reducers stay
// of size zero and passing one as an interface allocates nothing.
type direction interface{ largest() bool }

type (
	upward   struct{}
	downward struct{}
)

func (upward) largest() bool   { return true }
func (downward) largest() bool { return false }

// argOf finds the index of the first largest or smallest element. NaN counts as
// the extreme.
type argOf[T Real, D direction] struct{}

func (k argOf[T, D]) empty() found[T] { return found[T]{index: -1} }

func (argOf[T, D]) largest() bool {
	var d D
	return d.largest()
}

// beats reports whether v replaces the earlier element u.
func beats[T Real](v, u T, largest bool) bool {
	if largest {
		return v > u || v != v && u == u
	}
	return v < u || v != v && u == u
}

func (k argOf[T, D]) fold(x []T, base int) found[T] {
	best, at := x[0], 0
	switch x := any(x).(type) {
	case []float64:
		v, i := argFloat(x, k.largest())
		return found[T]{T(v), int64(base + i)}
	case []float32:
		v, i := argFloat(x, k.largest())
		return found[T]{T(v), int64(base + i)}
	}
	if k.largest() {
		for i, v := range x {
			if v > best {
				best, at = v, i
			}
		}
	} else {
		for i, v := range x {
			if v < best {
				best, at = v, i
			}
		}
	}
	return found[T]{best, int64(base + at)}
}

func argFloat[T Float](x []T, largest bool) (T, int) {
	if largest {
		return kernel.ArgMax(x)
	}
	return kernel.ArgMin(x)
}

func (k argOf[T, D]) rows(acc []found[T], x []T, n, stride, base int) {
	for j, v := range x[:len(acc)] {
		acc[j] = found[T]{v, int64(base)}
	}
	if n > 1 {
		k.more(acc, x[stride:], n-1, stride, base+1)
	}
}

// more takes the elements of n more rows that come after those of acc.
func (k argOf[T, D]) more(acc []found[T], x []T, n, stride, base int) {
	largest := k.largest()
	if n >= leafRows/2 && len(acc) <= block && isFloat[T]() {
		k.moreFloats(acc, x, n, stride, base, largest)
		return
	}
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			if beats(v, acc[j].value, largest) {
				acc[j] = found[T]{v, int64(base + i)}
			}
		}
	}
}

// moreFloats finds the extremes of the rows first, and looks for their places
// only where they are more extreme than what is found already.
func (k argOf[T, D]) moreFloats(acc []found[T], x []T, n, stride, base int, largest bool) {
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	extremes := scratchBlock[T](buf, 0)[:len(acc)]
	copy(extremes, x)
	switch x := any(x[stride:]).(type) {
	case []float64:
		extremeRows(any(extremes).([]float64), x, n-1, stride, largest)
	case []float32:
		extremeRows(any(extremes).([]float32), x, n-1, stride, largest)
	}
	for j, v := range extremes {
		if !beats(v, acc[j].value, largest) {
			continue
		}
		for i := range n {
			if u := x[i*stride+j]; u == v || u != u {
				acc[j] = found[T]{u, int64(base + i)}
				break
			}
		}
	}
}

func extremeRows[T Float](acc, x []T, n, stride int, largest bool) {
	if largest {
		kernel.MaxRows(acc, x, n, stride)
	} else {
		kernel.MinRows(acc, x, n, stride)
	}
}

func (k argOf[T, D]) merge(acc, next []found[T]) {
	largest := k.largest()
	for j, f := range next[:len(acc)] {
		mergeFound(&acc[j], f, largest)
	}
}

// mergeFound takes f if it is more extreme, or as extreme and of lower index: the
// ranks' parts of a flattened array interleave.
func mergeFound[T Real](acc *found[T], f found[T], largest bool) {
	switch {
	case f.index < 0:
	case acc.index < 0 || beats(f.value, acc.value, largest):
		*acc = f
	case !beats(acc.value, f.value, largest) && f.index < acc.index:
		*acc = f
	}
}

func (argOf[T, D]) ordered() bool { return true }

// place turns the indices among this rank's reduced elements into indices among
// all of them.
func (argOf[T, D]) place(acc []found[T], p placement) {
	if p.axis < 0 || !p.reduced[p.axis] {
		return
	}
	for j := range acc {
		if acc[j].index < 0 {
			continue
		}
		rest, global, stride := acc[j].index, int64(0), int64(1)
		for k := len(p.local) - 1; k >= 0; k-- {
			if !p.reduced[k] {
				continue
			}
			at := rest % int64(p.local[k])
			rest /= int64(p.local[k])
			if k == p.axis {
				at += int64(p.start)
			}
			global += at * stride
			stride *= int64(p.global[k])
		}
		acc[j].index = global
	}
}

func (k argOf[T, D]) across(c *spmd.Comm, acc []found[T]) { spmd.AllreduceFunc(c, acc, k.merge) }

func (argOf[T, D]) finish(dst []int64, acc []found[T], _ int, _ float64) {
	for j, f := range acc {
		dst[j] = f.index
	}
}
