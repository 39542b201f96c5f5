package nd

import (
	"math/bits"
	"slices"
)

// mergeRuns sorts k, which is made of sorted runs of the given lengths, by merging
// pairs of neighbours until one is left; tmp is as long and is overwritten. Many
// runs are sorted as what has no runs.
func mergeRuns[K unsigned](k, tmp []K, runs []int, workers int) {
	runs = slices.DeleteFunc(slices.Clone(runs), func(n int) bool { return n == 0 })
	if len(runs) > manyRuns {
		radixSort(k, tmp, workers)
		return
	}
	src, dst := k, tmp[:len(k)]
	for len(runs) > 1 {
		at, next := 0, runs[:0]
		for i := 0; i < len(runs); i += 2 {
			n, m := runs[i], 0
			if i+1 < len(runs) {
				m = runs[i+1]
			}
			mergeTwo(dst[at:at+n+m], src[at:at+n], src[at+n:at+n+m])
			at, next = at+n+m, append(next, n+m)
		}
		src, dst, runs = dst, src, next
	}
	if len(k) > 0 && &src[0] != &k[0] {
		copy(k, src)
	}
}

// manyRuns is the number of runs from which on sorting is as fast as merging.
const manyRuns = 8

// mergeTwo sets dst to the merged runs a and b. It works from both ends at once,
// without branches, so that the two chains of dependent loads overlap.
func mergeTwo[K unsigned](dst, a, b []K) {
	for len(a) >= 16 && len(b) >= 16 {
		// Neither run can be used up within so many steps at both ends.
		steps := min(len(a), len(b)) / 2
		i, j, p, q := 0, 0, len(a)-1, len(b)-1
		lo, hi := dst[:steps], dst[len(dst)-steps:][:steps]
		for s := range lo {
			x, y := uint64(a[i]), uint64(b[j])
			lo[s] = K(min(x, y))
			_, less := bits.Sub64(y, x, 0)
			j += int(less)
			i += 1 - int(less)
			x, y = uint64(a[p]), uint64(b[q])
			hi[len(hi)-1-s] = K(max(x, y))
			_, less = bits.Sub64(y, x, 0)
			p -= int(less)
			q -= 1 - int(less)
		}
		dst, a, b = dst[steps:len(dst)-steps], a[i:p+1], b[j:q+1]
	}
	for len(a) > 0 && len(b) > 0 {
		if b[0] < a[0] {
			dst[0], b = b[0], b[1:]
		} else {
			dst[0], a = a[0], a[1:]
		}
		dst = dst[1:]
	}
	copy(dst, a)
	copy(dst[len(a):], b)
}
