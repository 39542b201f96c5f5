// Package keysort sorts, merges and selects unsigned integers, and turns
// floating-point numbers into ones that have their order. It takes AVX-512.
package keysort

import (
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../asmgen ./keysort -out ../keysort/z_amd64.s -stubs ../keysort/z_amd64.go -pkg keysort

// Key is the set of types that are sorted.
type Key interface{ uint32 | uint64 }

// Vectors says whether this package's functions can be called. Tests turn it off.
var Vectors = hasVectors && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

const (
	// small is the length up to which keys are sorted in registers.
	small = 128
	// grain is the least number of keys that is worth a goroutine.
	grain = 1 << 15
)

// Sort sorts k on up to workers goroutines; tmp is as long and is overwritten. It
// is quicksort (Hoare 1961) whose partition step packs vectors of keys, after
// Bramas 2017, "A novel hybrid quicksort algorithm vectorized using AVX-512 on
// Intel Skylake". Where the pivots are bad it turns to another sort.
func Sort[K Key](k, tmp []K, workers int) {
	sortTo(k, tmp[:len(k)], false, 2*bits.Len(uint(len(k))), workers)
}

// sortTo sorts the keys of x into x, or into y if inY is set. Both are overwritten.
//
// What stays in x and what goes to y is such that each part lies either where it
// belongs or in the memory that the other part leaves free, so that nothing is
// copied back.
func sortTo[K Key](x, y []K, inY bool, depth, workers int) {
	for len(x) > small {
		if depth--; depth < 0 {
			slices.Sort(x)
			if inY {
				copy(y, x)
			}
			return
		}
		p := pivotOf(x, workers)
		less := cut(x, y, p, inY)
		if less == 0 { // p is the smallest: what equals it comes first
			if !inY {
				x, y, inY = y, x, true // where all of them went
			}
			if p == ^K(0) {
				copy(y, x)
				return
			}
			less = cut(x, y, p+1, true)
			x, y = x[:len(x)-less], y[less:]
			continue
		}
		more := len(x) - less
		lowX, lowY, highX, highY := x[:less], y[more:], y[:more], x[less:]
		if inY {
			lowX, lowY, highX, highY = y[:less], x[more:], x[:more], y[less:]
		}
		if workers > 1 && len(x) >= 2*grain {
			share := min(max((workers*less+len(x)/2)/len(x), 1), workers-1)
			sortBoth(lowX, lowY, share, highX, highY, workers-share, depth)
			return
		}
		sortTo(lowX, lowY, false, depth, 1)
		x, y, inY = highX, highY, true
	}
	if len(x) > 0 {
		if inY {
			sortFew(y, x)
		} else {
			sortFew(x, x)
		}
	}
}

// Collect begins to sort the keys of parts, which are as many as x has room for and y
// too, and returns what [SortCollected] needs to end it in x. Parts are not changed.
func Collect[K Key](x, y []K, parts [][]K) (less int) {
	longest := slices.MaxFunc(parts, func(a, b []K) int { return len(a) - len(b) })
	if len(x) <= 2*small || len(longest) <= small {
		at := 0
		for _, p := range parts {
			at += copy(x[at:], p)
		}
		return len(x)
	}
	pivot, at := pivotOf(longest, 2), 0
	for _, p := range parts {
		n := partition(p, x[less:], y[at-less:], pivot, 0)
		less, at = less+n, at+len(p)
	}
	return less
}

// SortCollected sorts x, after [Collect], on up to workers goroutines.
func SortCollected[K Key](x, y []K, less, workers int) {
	more, depth := len(x)-less, 2*bits.Len(uint(len(x)))
	if workers > 1 && min(less, more) >= grain {
		share := min(max((workers*less+len(x)/2)/len(x), 1), workers-1)
		sortBoth(x[:less], y[more:], share, y[:more], x[less:], workers-share, depth)
		return
	}
	sortTo(x[:less], y[more:len(x)], false, depth, workers)
	sortTo(y[:more], x[less:], true, depth, workers)
}

// sortBoth sorts lowX in its place by some workers and highX into highY by others.
func sortBoth[K Key](lowX, lowY []K, low int, highX, highY []K, high, depth int) {
	var wg sync.WaitGroup
	wg.Go(func() { sortTo(lowX, lowY, false, depth, low) })
	sortTo(highX, highY, true, depth, high)
	wg.Wait()
}

// cut brings the keys of x that are less than p to the front of x, or of y if inY
// is set, the others to the front of the other one, and returns how many are less.
func cut[K Key](x, y []K, p K, inY bool) int {
	if inY {
		return len(x) - partition(x, x, y, p, ^uint32(0))
	}
	return partition(x, x, y, p, 0)
}

// pivotOf returns a key of x that is likely to be near the middle; the more so if
// several workers are to share the halves.
func pivotOf[K Key](x []K, workers int) K {
	if len(x) < 1024 {
		s := len(x) / 9
		return median3(median3(x[0], x[s], x[2*s]), median3(x[3*s], x[4*s], x[5*s]), median3(x[6*s], x[7*s], x[8*s]))
	}
	if workers > 1 {
		return sample(x, 1024)[512]
	}
	var s [64]K
	take(s[:], x)
	sortFew(s[:], s[:])
	return s[len(s)/2]
}

// take fills s with keys from all over x.
func take[K Key](s, x []K) {
	step := len(x) / len(s)
	for i := range s {
		s[i] = x[i*step+step/2]
	}
}

// sample returns n keys of x in order.
func sample[K Key](x []K, n int) []K {
	s := make([]K, 2*n)
	take(s[:n], x)
	Sort(s[:n], s[n:], 1)
	return s[:n]
}

func median3[K Key](a, b, c K) K { return max(min(a, b), min(max(a, b), c)) }

// Select moves to each position of at, which ascend, what would be there if k
// were sorted, with no larger keys before it and no smaller ones after; tmp is as
// long as k and is overwritten. Pivots are sampled a little beyond the positions
// wanted, as in Floyd & Rivest 1975, "Algorithm 489: SELECT".
func Select[K Key](k, tmp []K, at []int) {
	selectWithin(k, tmp[:len(k)], 0, at, 4*bits.Len(uint(len(k))))
}

func selectWithin[K Key](k, tmp []K, base int, at []int, depth int) {
	for len(at) > 0 {
		n := len(k)
		if depth--; n <= 1024 || depth < 0 {
			Sort(k, tmp, 1)
			return
		}
		p := beyond(k, at[0]-base, at[len(at)-1]-base)
		less := partition(k, k, tmp, p, 0)
		copy(k[less:], tmp[:n-less])
		if less == 0 { // p is the smallest: what equals it comes first
			if p == ^K(0) {
				return
			}
			less = partition(k, k, tmp, p+1, 0)
			copy(k[less:], tmp[:n-less])
			i, _ := slices.BinarySearch(at, base+less)
			k, tmp, base, at = k[less:], tmp[less:], base+less, at[i:]
			continue
		}
		i, _ := slices.BinarySearch(at, base+less)
		selectWithin(k[:less], tmp[:less], base, at[:i], depth)
		k, tmp, base, at = k[less:], tmp[less:], base+less, at[i:]
	}
}

// beyond returns a key of k that is likely to separate the positions lo..hi from
// most others.
func beyond[K Key](k []K, lo, hi int) K {
	s := sample(k, min(1024, len(k)/16))
	margin := 2 * (bits.Len(uint(len(s))) + 2) // about √n
	below, above := lo*len(s)/len(k)-margin, hi*len(s)/len(k)+margin
	if below > len(s)-above {
		return s[max(below, 0)]
	}
	return s[min(above, len(s)-1)]
}

func sortFew[K Key](dst, src []K) {
	_ = dst[:len(src)]
	d, s := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	if unsafe.Sizeof(src[0]) == 8 {
		sortSmall64((*uint64)(d), (*uint64)(s), len(src))
	} else {
		sortSmall32((*uint32)(d), (*uint32)(s), len(src))
	}
}

// partition brings those of the keys of src to the front of x that are less than p if
// other is 0, that are not if it is all ones, the rest to the front of y, and returns
// how many x gets. Both are as long as src, and x may be src.
func partition[K Key](src, x, y []K, p K, other uint32) int {
	_, _ = x[:len(src)], y[:len(src)]
	s, a, b := unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(x)), unsafe.Pointer(unsafe.SliceData(y))
	if unsafe.Sizeof(p) == 8 {
		return partition64((*uint64)(s), (*uint64)(a), (*uint64)(b), len(src), uint64(p), other)
	}
	return partition32((*uint32)(s), (*uint32)(a), (*uint32)(b), len(src), uint32(p), other)
}

// Partition brings the keys of x that are less than p to its front, moves the others
// to the front of y, which is as long, and returns how many are less.
func Partition[K Key](x, y []K, p K) int { return partition(x, x, y, p, 0) }

// Between copies the keys of src that are from lo to hi to the front of dst, which is
// as long, and returns how many keys are less than lo, and how many it has copied.
func Between[K Key](dst, src []K, lo, hi K) (less, within int) {
	_ = dst[:len(src)]
	d, s := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	if unsafe.Sizeof(lo) == 8 {
		return between64((*uint64)(d), (*uint64)(s), len(src), uint64(lo), uint64(hi))
	}
	return between32((*uint32)(d), (*uint32)(s), len(src), uint32(lo), uint32(hi))
}
