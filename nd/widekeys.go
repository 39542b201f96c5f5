package nd

import (
	"cmp"
	"math"
	"slices"
)

// wideKeys is the kit of keys of two words. They are carried as the bits of a
// complex128, because that is an element type of their size that can be moved.
// They must not be compared as numbers.
type wideKeys struct{}

func wideKey(hi, lo uint64) complex128 {
	return complex(math.Float64frombits(hi), math.Float64frombits(lo))
}

func halves(k complex128) (hi, lo uint64) {
	return math.Float64bits(real(k)), math.Float64bits(imag(k))
}

func compareWide(a, b complex128) int {
	ah, al := halves(a)
	bh, bl := halves(b)
	if ah != bh {
		return cmp.Compare(ah, bh)
	}
	return cmp.Compare(al, bl)
}

// wideDigit returns k shifted right, as far as it fits one word.
func wideDigit(k complex128, shift uint) uint64 {
	hi, lo := halves(k)
	if shift >= 64 {
		return hi >> (shift - 64)
	}
	return hi<<(64-shift) | lo>>shift
}

func (wideKeys) bits() uint { return 128 }

func (wideKeys) sort(k, _ []complex128, _ int) { slices.SortFunc(k, compareWide) }

func (wideKeys) collect(x, _ []complex128, parts [][]complex128) int { return joinParts(x, parts) }

func (o wideKeys) sortCollected(x, y []complex128, _, workers int) { o.sort(x, y, workers) }

func (o wideKeys) mergeRuns(k, tmp []complex128, _ []int, workers int) { o.sort(k, tmp, workers) }

func (wideKeys) sortIndexed(k, tmp []complex128, at, tmpAt []int64) {
	order := make([]int, len(k))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compareWide(k[i], k[j]) })
	copy(tmp, k)
	copy(tmpAt, at)
	for i, j := range order {
		k[i], at[i] = tmp[j], tmpAt[j]
	}
}

func (o wideKeys) selectAt(k []complex128, _ []int) { o.sort(k, nil, 1) }

func (o wideKeys) smallest(dst []int64, k []complex128, n int) []int64 {
	order := make([]int64, len(k))
	for i := range order {
		order[i] = int64(i)
	}
	slices.SortStableFunc(order, func(i, j int64) int { return compareWide(k[i], k[j]) })
	slices.Sort(order[:n])
	return append(dst, order[:n]...)
}

func (wideKeys) below(k []complex128, x complex128) int {
	i, _ := slices.BinarySearchFunc(k, x, compareWide)
	return i
}

func (wideKeys) upTo(k []complex128, x complex128) int {
	i, _ := slices.BinarySearchFunc(k, x, func(a, b complex128) int {
		if compareWide(a, b) <= 0 {
			return -1
		}
		return 1
	})
	return i
}

func (wideKeys) find(dst []int64, k, x []complex128) {
	for i, v := range x {
		dst[i] = -1
		if p, ok := slices.BinarySearchFunc(k, v, compareWide); ok {
			dst[i] = int64(p)
		}
	}
}

func (wideKeys) heads(dst []int, k []complex128) []int {
	for i, x := range k {
		if i == 0 || compareWide(x, k[i-1]) != 0 {
			dst = append(dst, i)
		}
	}
	return dst
}

func (wideKeys) distinct(k []complex128) []complex128 {
	return slices.CompactFunc(k, func(a, b complex128) bool { return compareWide(a, b) == 0 })
}

func (wideKeys) tops(k []complex128) int {
	n := 0
	for _, x := range k {
		if hi, lo := halves(x); hi&lo == math.MaxUint64 {
			n++
		}
	}
	return n
}

func (wideKeys) histogram(counts []int64, k []complex128, shift, digit uint) {
	mask := uint64(1)<<digit - 1
	for _, x := range k {
		counts[wideDigit(x, shift)&mask]++
	}
}

func (wideKeys) between(dst, k []complex128, lo, hi complex128) (out []complex128, less int) {
	for _, x := range k {
		switch {
		case compareWide(x, lo) < 0:
			less++
		case compareWide(x, hi) <= 0:
			dst = append(dst, x)
		}
	}
	return dst, less
}

func (wideKeys) partition(x, y []complex128, p complex128) int {
	n, m := 0, 0
	for _, k := range x {
		if compareWide(k, p) < 0 {
			x[n] = k
			n++
		} else {
			y[m] = k
			m++
		}
	}
	return n
}

func (wideKeys) backward(k []complex128, p complex128, n int) {
	for i, end := len(k)-1, len(k)-1; end > len(k)-1-n; i-- {
		if compareWide(k[i], p) == 0 {
			k[i], k[end] = k[end], p
			end--
		}
	}
}

func (wideKeys) union(words *[4]uint64, k []complex128) {
	for _, x := range k {
		hi, lo := halves(x)
		words[0] |= hi
		words[1] |= lo
		words[2] |= ^hi
		words[3] |= ^lo
	}
}

func (wideKeys) prefix(words *[4]uint64, shift uint) complex128 {
	if shift >= 64 {
		return wideKey(words[0]>>(shift-64)<<(shift-64), 0)
	}
	return wideKey(words[0], words[1]>>shift<<shift)
}

func (wideKeys) extend(prefix complex128, shift uint, digit int) complex128 {
	hi, lo := halves(prefix)
	if d := uint64(digit); shift >= 64 {
		hi |= d << (shift - 64)
	} else {
		lo |= d << shift
		hi |= d >> (64 - shift)
	}
	return wideKey(hi, lo)
}

func (wideKeys) last(prefix complex128, shift uint) complex128 {
	hi, lo := halves(prefix)
	if shift >= 64 {
		hi |= uint64(1)<<(shift-64) - 1
		lo = math.MaxUint64
	} else {
		lo |= uint64(1)<<shift - 1
	}
	return wideKey(hi, lo)
}
