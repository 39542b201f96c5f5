package random

import (
	"fmt"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestAnyLayout: every rank's part of an array, whatever the number of ranks and
// the layout, is bitwise the same part of the one array that a word per global
// index gives, and nothing is communicated.
func TestAnyLayout(t *testing.T) {
	shapes := []nd.Shape{{}, {0}, {1}, {7}, {13, 5}, {4, 0}, {3, 4, 5}, {2, 3, 1, 4}, {1300}}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		silently(t, c, func() {
			for _, shape := range shapes {
				for axis := split.None; int(axis) < len(shape); axis++ {
					for _, l := range layouts(shape, axis, c.Size()) {
						checkLayout(t, c, l)
						checkTransposed(t, c, l)
					}
				}
			}
		})
	})
}

// layouts returns the balanced layout and unbalanced ones, with empty ranks.
func layouts(shape nd.Shape, axis nd.Axis, ranks int) []*split.Layout {
	out := []*split.Layout{split.Block(shape, axis, ranks)}
	if axis == split.None {
		return out
	}
	n := shape[axis]
	last, uneven := make([]int, ranks), make([]int, ranks)
	last[ranks-1] = n
	uneven[0] += n / 4
	uneven[ranks/2] += n - n/4
	return append(out, split.WithCounts(shape, axis, last), split.WithCounts(shape, axis, uneven))
}

// start is the generator of all draws of this test: far from anything's beginning.
func start() *Generator { return FromState(State{Seed: 1, Stream: 2, Draw: 3}) }

var startWords = stream{key: 1, id: 2, draw: 3}

func checkLayout(t testing.TB, c *spmd.Comm, l *split.Layout) {
	checkInto(t, c, l, UniformInto[float64], 0, 1, func(w uint64) float64 { return float64(w>>11) * 0x1p-53 })
	checkInto(t, c, l, UniformInto[float32], 0, 1, func(w uint64) float32 { return float32(w>>40) * 0x1p-24 })
	checkInto(t, c, l, NormalInto[float64], 0, 1, quantile)
	checkInto(t, c, l, NormalInto[float32], 0, 1, func(w uint64) float32 { return float32(quantile(w)) })
	checkInto(t, c, l, IntegersInto[int16], -4, 4, func(w uint64) int16 { return int16(w>>61) - 4 })
	checkInto(t, c, l, func(g *Generator, dst *nd.NDArray[uint8], _, _ uint8) { BitsInto(g, dst) },
		0, 0, func(w uint64) uint8 { return uint8(w) })
	if len(l.Shape()) == 1 {
		n := l.Shape()[0]
		whole := permutation(startWords, n, 0, n)
		dst := nd.Wrap(c, l, make([]int64, l.LocalSize(c.Rank())))
		PermutationInto(start(), dst)
		checkPart(t, "permutation", dst, func(i int) int64 { return whole[i] })
	}
}

func checkInto[T nd.Element](t testing.TB, c *spmd.Comm, l *split.Layout,
	into func(g *Generator, dst *nd.NDArray[T], a, b T), a, b T, want func(word uint64) T) {
	dst := nd.Wrap(c, l, make([]T, l.LocalSize(c.Rank())))
	into(start(), dst, a, b)
	checkPart(t, fmt.Sprintf("%T", a), dst, func(i int) T { return want(startWords.word(uint64(i))) })
}

// checkPart compares the rank's part of a with want at each global index.
func checkPart[T nd.Element](t testing.TB, name string, a *nd.NDArray[T], want func(i int) T) {
	shape := a.Layout().Shape()
	ref := nd.FromLayout(a.Comm(), a.Layout(), func(index []int) T {
		i := 0
		for k, j := range index {
			i = i*shape[k] + j
		}
		return want(i)
	})
	got, exp := a.Local(), ref.Local()
	for i := range exp {
		if got[i] != exp[i] {
			t.Errorf("%v: %s in layout %v: local element %d is %v, want %v", a.Comm(), name, a.Layout(), i, got[i], exp[i])
			return
		}
	}
}

// checkTransposed fills an array through a view of another order.
func checkTransposed(t testing.TB, c *spmd.Comm, l *split.Layout) {
	a := nd.Wrap(c, l, make([]float64, l.LocalSize(c.Rank())))
	UniformInto(start(), a.T(), 0, 1)
	checkPart(t, "view", a.T(), func(i int) float64 { return float64(startWords.word(uint64(i))>>11) * 0x1p-53 })
}

// TestWorkers: a draw that is spread over a rank's workers gives what one would.
func TestWorkers(t *testing.T) {
	const rows, cols = 301, 1001
	onOneRank(t, func(c *spmd.Comm) {
		for _, axis := range []nd.Axis{0, 1} {
			a := Integers(start(), c, nd.Shape{rows, cols}, axis, int64(0), 1<<40)
			checkPart(t, "large", a, func(i int) int64 { return int64(startWords.word(uint64(i)) >> 24) })
		}
	})
}

// TestSameOnAnyRanks is heat #54: per-rank streams equal to each other, and
// different for other rank counts.
func TestSameOnAnyRanks(t *testing.T) {
	want := draw(t, 10, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[float64] { return Normal(New(1), c, shape, 0, 0.0, 1) })
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		a := Normal(New(1), c, nd.Shape{10}, 0, 0.0, 1)
		checkPart(t, "normal", a, func(i int) float64 { return want[i] })
	})
}

// TestIntoAllocatesNothing: the Into forms reuse the destination's memory.
func TestIntoAllocatesNothing(t *testing.T) {
	onOneRank(t, func(c *spmd.Comm) {
		g := New(1)
		x, y, k := nd.Zeros[float64](c, nd.Shape{50, 7}, 1), nd.Zeros[float32](c, nd.Shape{50}, 0), nd.Zeros[int32](c, nd.Shape{50}, -1)
		for name, f := range map[string]func(){
			"UniformInto float64": func() { UniformInto(g, x, -1, 1) },
			"UniformInto float32": func() { UniformInto(g, y, -1, 1) },
			"NormalInto float64":  func() { NormalInto(g, x, 0, 1) },
			"NormalInto float32":  func() { NormalInto(g, y, 0, 1) },
			"IntegersInto":        func() { IntegersInto(g, k, 0, 10) },
			"BitsInto":            func() { BitsInto(g, k) },
		} {
			if n := testing.AllocsPerRun(20, f); n != 0 {
				t.Errorf("%s allocates %v times", name, n)
			}
		}
	})
}
