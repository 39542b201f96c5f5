package nd

import (
	"caloric/internal/kernel"
	"caloric/internal/parallel"
)

// compress copies the selected elements of this rank's memory to dst, which has
// room for exactly these. The mask has all of the array's axes.
func (m *maskSelection[T]) compress(dst []T) {
	w := newWalk(m.here.shape)
	w.add(m.space.base, m.here.shape, m.space.memory)
	w.add(m.here.offset, m.here.shape, m.here.strides)
	w.dropOnes() // keeps the order
	w.merge()
	parts := workerParts(m.a.comm, &w)
	if parts == 1 {
		compressRows(dst, m.a.data, m.here.data, &w)
		return
	}
	compressParallel(dst, m.a.data, m.here.data, w, parts)
}

// compressParallel is [compressRows] by several workers, each of which writes behind
// what those before it select.
func compressParallel[T Element](dst, x []T, mask []bool, w walk, parts int) {
	starts := make([]int, parts+1)
	parallel.Each(parts, parts, func(p int) {
		share := w.part(p, parts)
		starts[p+1] = countRows(mask, &share, 1)
	})
	for p := range parts {
		starts[p+1] += starts[p]
	}
	parallel.Each(parts, parts, func(p int) {
		share := w.part(p, parts)
		compressRows(dst[starts[p]:starts[p+1]], x, mask, &share)
	})
}

// compressRows copies what the mask, the walk's second array, selects of the
// first to dst. The next place of dst is written before it is known whether the
// element is selected: that is faster than a branch that is hard to foresee.
func compressRows[T Element](dst, x []T, mask []bool, w *walk) {
	n, sx, sm, k := w.inner(), w.innerStride(0), w.innerStride(1), 0
	for r := w.rows(); r.next(); {
		i, j := r.off[0], r.off[1]
		if sx == 1 && sm == 1 && n > 0 {
			in := mask[j : j+n]
			for i, v := range x[i : i+n] {
				if uint(k) >= uint(len(dst)) {
					return
				}
				dst[k] = v
				k += oneIf(in[i])
			}
			continue
		}
		for q := 0; q < n && uint(k) < uint(len(dst)); q++ {
			dst[k] = x[i]
			k += oneIf(mask[j])
			i += sx
			j += sm
		}
	}
}

// trueOffsets returns base plus the offsets, by the given strides, of the local
// true elements of mask, in C order.
func trueOffsets(mask *NDArray[bool], strides []int, base int) []int {
	out, k := make([]int, countTrue(mask)), 0
	w := newWalk(mask.shape)
	w.add(base, mask.shape, strides)
	w.add(mask.offset, mask.shape, mask.strides)
	w.dropOnes() // keeps the order
	n, s0, s1 := w.inner(), w.innerStride(0), w.innerStride(1)
	for r := w.rows(); r.next(); {
		at, from := r.off[0], r.off[1]
		for q := 0; q < n && uint(k) < uint(len(out)); q++ {
			out[k] = at // as in compressRows
			k += oneIf(mask.data[from])
			at += s0
			from += s1
		}
	}
	return out
}

// countTrue returns the number of true elements of mask's local part.
func countTrue(mask *NDArray[bool]) int {
	w := newWalk(mask.shape)
	w.add(mask.offset, mask.shape, mask.strides)
	w.simplify()
	return countRows(mask.data, &w, 0)
}

// countRows returns the number of true elements of the walk's given array.
func countRows(mask []bool, w *walk, array int) int {
	n, s, count := w.inner(), w.innerStride(array), 0
	for r := w.rows(); r.next(); {
		at := r.off[array]
		if s == 1 && n > 0 {
			count += kernel.Count(mask[at : at+n])
			continue
		}
		for range n {
			count += oneIf(mask[at])
			at += s
		}
	}
	return count
}

// oneIf returns 1 if b is true, else 0, without a branch.
func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
