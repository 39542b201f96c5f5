package nd

import (
	"slices"
	"unsafe"
)

// A keyKit is what is done to keys on one rank, on whole slices, so that the
// loops inside are compiled for the type of the keys.
type keyKit[K Element] interface {
	// bits returns the number of bits of a key.
	bits() uint
	// sort sorts k on up to workers goroutines; tmp is as long and is overwritten.
	sort(k, tmp []K, workers int)
	// collect begins to sort the keys of parts, which are as many as x and y have room
	// for, and returns what sortCollected needs to end it in x.
	collect(x, y []K, parts [][]K) (less int)
	sortCollected(x, y []K, less, workers int)
	// mergeRuns sorts k, which is made of sorted runs of the given lengths.
	mergeRuns(k, tmp []K, runs []int, workers int)
	// sortIndexed sorts k and moves at along; equal keys keep their order.
	sortIndexed(k, tmp []K, at, tmpAt []int64)
	// selectAt moves to each position of at, which ascend, what is there when k
	// is sorted, smaller keys before it and larger ones after.
	selectAt(k []K, at []int)
	// smallest appends to dst the positions of the n smallest keys, of equal ones
	// the first, in ascending order of the positions.
	smallest(dst []int64, k []K, n int) []int64
	// below and upTo return how many keys of k, which is sorted, are less than x,
	// and how many are not greater.
	below(k []K, x K) int
	upTo(k []K, x K) int
	// find sets dst[i] to the position of x[i] in k, which is sorted, -1 if it is not there.
	find(dst []int64, k, x []K)
	// heads appends to dst the position of the first of each run of equal keys.
	heads(dst []int, k []K) []int
	// distinct moves the first of each run of equal keys to the front, and returns them.
	distinct(k []K) []K
	// tops returns how many keys of k are the largest one, that of NaN.
	tops(k []K) int
	// histogram counts k by their bits from shift on, as many as make a digit.
	histogram(counts []int64, k []K, shift, digit uint)
	// between appends to dst the keys of k from lo to hi, and returns how many are less.
	between(dst, k []K, lo, hi K) (out []K, less int)
	// partition moves the keys of x that are less than p to its front, the others to
	// the front of y, which is as long, and returns how many are less.
	partition(x, y []K, p K) int
	// backward moves n of the keys of k that equal p to its end.
	backward(k []K, p K, n int)
	// union adds the bits that keys of k have to the first two words, the higher
	// first, and those that keys lack to the other two. prefix returns the key that
	// has the bits from shift on of such words, and no others.
	union(words *[4]uint64, k []K)
	prefix(words *[4]uint64, shift uint) K
	// extend returns prefix with a digit at shift, and last the largest key that
	// agrees with prefix in the bits from shift on.
	extend(prefix K, shift uint, digit int) K
	last(prefix K, shift uint) K
}

// wordKeys is the kit of keys of one word.
type wordKeys[K unsigned] struct{}

func (wordKeys[K]) bits() uint {
	var k K
	return uint(8 * unsafe.Sizeof(k))
}

func (wordKeys[K]) sort(k, tmp []K, workers int) { radixSort(k, tmp, workers) }

func (wordKeys[K]) collect(x, y []K, parts [][]K) int { return collectKeys(x, y, parts) }

func (wordKeys[K]) sortCollected(x, y []K, less, workers int) {
	if !sortCollectedVectors(x, y, less, workers) {
		radixSort(x, y, workers)
	}
}

func (wordKeys[K]) mergeRuns(k, tmp []K, runs []int, workers int) { mergeRuns(k, tmp, runs, workers) }

func (wordKeys[K]) sortIndexed(k, tmp []K, at, tmpAt []int64) { radixSortIndexed(k, tmp, at, tmpAt) }

func (wordKeys[K]) selectAt(k []K, at []int) { selectKeys(k, at) }

func (o wordKeys[K]) smallest(dst []int64, k []K, n int) []int64 {
	if n <= 0 {
		return dst
	}
	tmp := slices.Clone(k)
	selectKeys(tmp, []int{n - 1})
	last, equals := tmp[n-1], 0
	for _, x := range tmp[:n] {
		if x == last {
			equals++
		}
	}
	for i, x := range k {
		if x < last || x == last && equals > 0 {
			dst = append(dst, int64(i))
			if x == last {
				equals--
			}
		}
	}
	return dst
}

func (wordKeys[K]) below(k []K, x K) int {
	lo, hi := 0, len(k)
	for lo < hi {
		if m := int(uint(lo+hi) >> 1); k[m] < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

func (o wordKeys[K]) upTo(k []K, x K) int {
	if x == ^K(0) {
		return len(k)
	}
	return o.below(k, x+1)
}

func (o wordKeys[K]) find(dst []int64, k, x []K) {
	for i, v := range x {
		dst[i] = -1
		if p := o.below(k, v); p < len(k) && k[p] == v {
			dst[i] = int64(p)
		}
	}
}

func (wordKeys[K]) heads(dst []int, k []K) []int {
	for i, x := range k {
		if i == 0 || x != k[i-1] {
			dst = append(dst, i)
		}
	}
	return dst
}

func (wordKeys[K]) distinct(k []K) []K {
	if len(k) == 0 {
		return k
	}
	n, last := 0, k[0]
	for _, x := range k[1:] { // without branches
		k[n] = last
		if x != last {
			n++
		}
		last = x
	}
	k[n] = last
	return k[:n+1]
}

func (wordKeys[K]) tops(k []K) int {
	n := 0
	for _, x := range k {
		if x == ^K(0) {
			n++
		}
	}
	return n
}

func (wordKeys[K]) histogram(counts []int64, k []K, shift, digit uint) {
	mask := uint64(1)<<digit - 1
	counts = counts[:mask+1]
	for _, x := range k {
		counts[uint64(x>>(shift&63))&mask]++
	}
}

func (wordKeys[K]) between(dst, k []K, lo, hi K) (out []K, less int) {
	const block = 4096
	for len(k) > 0 {
		n := min(len(k), block)
		dst = slices.Grow(dst, n)
		below, in := betweenKeys(dst[len(dst):len(dst)+n], k[:n], lo, hi)
		less += below
		dst, k = dst[:len(dst)+in], k[n:]
	}
	return dst, less
}

func (wordKeys[K]) partition(x, y []K, p K) int { return partitionTo(x, y, p) }

func (wordKeys[K]) backward(k []K, p K, n int) {
	for i, end := len(k)-1, len(k)-1; end > len(k)-1-n; i-- {
		if k[i] == p {
			k[i], k[end] = k[end], p
			end--
		}
	}
}

func (wordKeys[K]) union(words *[4]uint64, k []K) {
	var has, lacks K
	for _, x := range k {
		has |= x
		lacks |= ^x
	}
	words[1] |= uint64(has)
	words[3] |= uint64(lacks)
}

func (wordKeys[K]) prefix(words *[4]uint64, shift uint) K { return K(words[1]) >> shift << shift }

func (wordKeys[K]) extend(prefix K, shift uint, digit int) K { return prefix | K(digit)<<shift }

func (wordKeys[K]) last(prefix K, shift uint) K { return prefix | (K(1)<<shift - 1) }
