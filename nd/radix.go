package nd

import (
	"math/bits"
	"slices"
	"unsafe"
)

// radixBits is the size of a digit: its 256 runs fit the first-level cache.
const radixBits = 8

const radix = 1 << radixBits

// shortSort is the length, per byte of a key, up to which comparing is faster
// than counting.
const shortSort = 48

// radixSort sorts k, by vectors if that is possible, else by counting digits, the
// lowest first; tmp is as long and is overwritten. Digits in which all keys agree
// are passed over.
func radixSort[K unsigned](k, tmp []K, workers int) {
	size := int(unsafe.Sizeof(*new(K)))
	if len(k) >= shortSort && slices.IsSorted(k) || sortVectors(k, tmp, workers) {
		return
	}
	if len(k) < shortSort*size {
		slices.Sort(k)
		return
	}
	if size == 1 {
		countingSort(k)
		return
	}
	var counts [8][radix]int
	countDigits(&counts, k)
	src, dst := k, tmp[:len(k)]
	for d := range size {
		if !startDigit(&counts[d], len(k)) {
			continue
		}
		at, shift := &counts[d], uint(d)*radixBits
		for _, x := range src {
			b := uint8(uint64(x) >> (shift & 63))
			dst[at[b]] = x
			at[b]++
		}
		src, dst = dst, src
	}
	if unsafe.SliceData(src) != unsafe.SliceData(k) {
		copy(k, src)
	}
}

// radixSortIndexed is radixSort with at moved along.
func radixSortIndexed[K unsigned](k, tmp []K, at, tmpAt []int64) {
	if slices.IsSorted(k) {
		return
	}
	if len(k) < 2*shortSort {
		insertIndexed(k, at)
		return
	}
	var counts [8][radix]int
	countDigits(&counts, k)
	src, dst := k, tmp[:len(k)]
	from, to := at, tmpAt[:len(k)]
	for d := range int(unsafe.Sizeof(*new(K))) {
		if !startDigit(&counts[d], len(k)) {
			continue
		}
		at, shift := &counts[d], uint(d)*radixBits
		for i, x := range src {
			b := uint8(uint64(x) >> (shift & 63))
			p := at[b]
			dst[p], to[p] = x, from[i]
			at[b] = p + 1
		}
		src, dst = dst, src
		from, to = to, from
	}
	if unsafe.SliceData(src) != unsafe.SliceData(k) {
		copy(k, src)
		copy(at, from)
	}
}

func countDigits[K unsigned](counts *[8][radix]int, k []K) {
	switch unsafe.Sizeof(*new(K)) {
	case 1:
		for _, x := range k {
			counts[0][uint8(x)]++
		}
	case 2:
		for _, x := range k {
			counts[0][uint8(x)]++
			counts[1][uint8(uint64(x)>>8)]++
		}
	case 4:
		for _, x := range k {
			u := uint32(x)
			counts[0][uint8(u)]++
			counts[1][uint8(u>>8)]++
			counts[2][uint8(u>>16)]++
			counts[3][uint8(u>>24)]++
		}
	default:
		for _, x := range k {
			u := uint64(x)
			counts[0][uint8(u)]++
			counts[1][uint8(u>>8)]++
			counts[2][uint8(u>>16)]++
			counts[3][uint8(u>>24)]++
			counts[4][uint8(u>>32)]++
			counts[5][uint8(u>>40)]++
			counts[6][uint8(u>>48)]++
			counts[7][uint8(u>>56)]++
		}
	}
}

// startDigit turns counts into positions, and reports whether there is more than
// one digit among the n keys.
func startDigit(counts *[radix]int, n int) bool {
	sum := 0
	for b, c := range counts {
		if c == n {
			return false
		}
		counts[b] = sum
		sum += c
	}
	return true
}

// countingSort sorts keys of one byte.
func countingSort[K unsigned](k []K) {
	var counts [radix]int
	for _, x := range k {
		counts[uint8(x)]++
	}
	i := 0
	for b, c := range counts {
		fill := k[i : i+c]
		for j := range fill {
			fill[j] = K(b)
		}
		i += c
	}
}

func insertIndexed[K unsigned](k []K, at []int64) {
	for i := 1; i < len(k); i++ {
		x, p, j := k[i], at[i], i
		for ; j > 0 && k[j-1] > x; j-- {
			k[j], at[j] = k[j-1], at[j-1]
		}
		k[j], at[j] = x, p
	}
}

// selectKeys moves to each position of at, which ascend, what would be there if
// k were sorted: quickselect for several positions at once (Hoare 1961,
// "Algorithm 65: Find"), which turns to sorting if the pivots are bad.
func selectKeys[K unsigned](k []K, at []int) {
	if len(at) == 0 || len(k) >= shortSort && selectVectors(k, at) {
		return
	}
	selectWithin(k, 0, at, 2*bits.Len(uint(len(k))))
}

// selectWithin is selectKeys for the part of the whole that starts at base.
func selectWithin[K unsigned](k []K, base int, at []int, depth int) {
	for len(at) > 0 {
		if len(k) <= 24 || depth == 0 {
			slices.Sort(k)
			return
		}
		depth--
		lt, gt := partitionKeys(k, pivotOf(k))
		i, _ := slices.BinarySearch(at, base+lt)
		j, _ := slices.BinarySearch(at, base+gt)
		if i > 0 {
			selectWithin(k[:lt], base, at[:i], depth)
		}
		k, base, at = k[gt:], base+gt, at[j:]
	}
}

// pivotOf returns the median of three medians of three.
func pivotOf[K unsigned](k []K) K {
	s := len(k) / 10
	return median3(median3(k[0], k[s], k[2*s]), median3(k[4*s], k[5*s], k[6*s]), median3(k[8*s], k[9*s], k[len(k)-1]))
}

func median3[K unsigned](a, b, c K) K { return max(min(a, b), min(max(a, b), c)) }

// partitionKeys moves keys less than p before lt, those equal to it next, and
// larger ones from gt on.
func partitionKeys[K unsigned](k []K, p K) (lt, gt int) {
	for i, x := range k { // without branches: most keys' side cannot be guessed
		k[i] = k[lt]
		k[lt] = x
		if x < p {
			lt++
		}
	}
	gt = lt
	for i := lt; i < len(k); i++ {
		x := k[i]
		k[i] = k[gt]
		k[gt] = x
		if x == p {
			gt++
		}
	}
	return lt, gt
}

// partitionTo is [keyKit.partition] of words.
func partitionTo[K unsigned](x, y []K, p K) int {
	if n, ok := partitionVectors(x, y, p); ok {
		return n
	}
	n := 0
	y = y[:len(x)]
	for i, k := range x { // without branches: most keys' side cannot be guessed
		x[n], y[i-n] = k, k
		if k < p {
			n++
		}
	}
	return n
}

// betweenKeys copies the keys of src from lo to hi to the front of dst, which is as
// long, and returns how many are less than lo and how many it has copied.
func betweenKeys[K unsigned](dst, src []K, lo, hi K) (less, within int) {
	if less, within, ok := betweenVectors(dst, src, lo, hi); ok {
		return less, within
	}
	for _, k := range src {
		dst[within] = k
		if k < lo {
			less++
		}
		if k-lo <= hi-lo {
			within++
		}
	}
	return less, within
}

// collectKeys is [keyKit.collect] of words.
func collectKeys[K unsigned](x, y []K, parts [][]K) int {
	if less, ok := collectVectors(x, y, parts); ok {
		return less
	}
	return joinParts(x, parts)
}

// joinParts copies parts to x, one after another, and returns how many keys they are.
func joinParts[K Element](x []K, parts [][]K) int {
	n := 0
	for _, p := range parts {
		n += copy(x[n:], p)
	}
	return n
}
