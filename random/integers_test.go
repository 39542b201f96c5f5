package random

import (
	"math"
	"math/bits"
	"testing"

	"caloric/nd"
	"caloric/spmd"
)

func TestIntegersDistribution(t *testing.T) {
	for _, span := range []int{2, 3, 7, 10, 100, 1000} {
		counts := make([]int, span)
		x := draw(t, 100000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[int64] {
			return Integers(New(5), c, shape, 0, -50, int64(span)-50)
		})
		for _, e := range x {
			counts[e+50]++
		}
		checkChi2(t, counts)
	}
}

// TestIntegersRange: every type, up to its whole range, reaches both ends where
// it can.
func TestIntegersRange(t *testing.T) {
	checkIntegers[int8](t, math.MinInt8, math.MaxInt8, true)
	checkIntegers[int8](t, -3, 2, true)
	checkIntegers[uint8](t, 0, math.MaxUint8, true)
	checkIntegers[uint8](t, 200, 255, true)
	checkIntegers[int16](t, math.MinInt16, math.MaxInt16, false)
	checkIntegers[uint16](t, 65000, 65010, true)
	checkIntegers[int32](t, math.MinInt32, math.MaxInt32, false)
	checkIntegers[uint32](t, 0, math.MaxUint32, false)
	checkIntegers[int64](t, math.MinInt64, math.MaxInt64, false)
	checkIntegers[int64](t, math.MinInt64, math.MinInt64+3, true)
	checkIntegers[int64](t, math.MaxInt64-3, math.MaxInt64, true)
	checkIntegers[uint64](t, 0, math.MaxUint64, false)
	checkIntegers[uint64](t, math.MaxUint64-1, math.MaxUint64, true)
}

func checkIntegers[T nd.Integer](t *testing.T, lo, hi T, reached bool) {
	t.Helper()
	x := draw(t, 4000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[T] { return Integers(New(6), c, shape, 0, lo, hi) })
	least, most := x[0], x[0]
	mean := 0.0
	for _, e := range x {
		least, most = min(least, e), max(most, e)
		mean += (float64(e) - float64(lo)) / float64(len(x))
	}
	if least < lo || most >= hi || reached && (least != lo || most != hi-1) {
		t.Errorf("%T from %v to %v: %v to %v", lo, lo, hi, least, most)
	}
	span := float64(hi) - float64(lo)
	if e := 5*span/math.Sqrt(12*float64(len(x))) + 0.5; math.Abs(mean-span/2) > e {
		t.Errorf("%T from %v to %v: mean %v above lo", lo, lo, hi, mean)
	}
}

// TestIntegersRedraw: of a range of 3·2⁶² values, a word in four is refused. Kept
// as they are, those would make a third of the values twice as likely.
func TestIntegersRedraw(t *testing.T) {
	const span = 3 << 62
	const excess = 1 << 62 // 2⁶⁴ mod span
	x := draw(t, 90000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[uint64] {
		return Integers[uint64](start(), c, shape, 0, 0, span)
	})
	thirds, residues := make([]int, 3), make([]int, 3)
	redrawn := 0
	for i, e := range x {
		thirds[e>>62]++
		residues[e%3]++
		s := startWords
		for s.word(uint64(i))*span < excess {
			s.part++
		}
		if s.part > 0 {
			redrawn++
		}
		if want, _ := bits.Mul64(s.word(uint64(i)), span); e != want {
			t.Fatalf("element %d is %d, want word %d of part %d: %d", i, e, i, s.part, want)
		}
	}
	checkChi2(t, thirds)
	checkChi2(t, residues)
	if n := float64(len(x)); math.Abs(float64(redrawn)-n/4) > 5*math.Sqrt(n*3/16) {
		t.Errorf("%d of %d words redrawn, want a quarter", redrawn, len(x))
	}
}

func TestBits(t *testing.T) {
	x := draw(t, 20000, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[int8] { return Bits[int8](New(6), c, shape, 0) })
	counts := make([]int, 256)
	for _, e := range x {
		counts[int(e)+128]++
	}
	checkChi2(t, counts)
	or, and := uint64(0), ^uint64(0)
	for _, e := range draw(t, 100, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[uint64] { return Bits[uint64](New(6), c, shape, 0) }) {
		or, and = or|e, and&e
	}
	if or != math.MaxUint64 || and != 0 {
		t.Errorf("bits that are always set: %x, never: %x", and, ^or)
	}
}
