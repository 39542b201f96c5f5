package linalg_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

var allAlgorithms = []linalg.Algorithm{
	linalg.LocalProduct, linalg.GatherLeft, linalg.GatherRight, linalg.RingLeft, linalg.RingRight,
	linalg.PartialSums, linalg.RingSums, linalg.SUMMA,
}

// TestAlgorithms forces every algorithm on every pair of layouts and compares the
// product with that by definition, and what it communicates with the plan.
func TestAlgorithms(t *testing.T) {
	turns := 3
	if krylovRace {
		turns = 1
	}
	t.Run("float64", func(t *testing.T) { testAlgorithms[float64](t, turns) })
	t.Run("float32", func(t *testing.T) { testAlgorithms[float32](t, 1) })
	t.Run("complex128", func(t *testing.T) { testAlgorithms[complex128](t, 1) })
	t.Run("int64", func(t *testing.T) { testAlgorithms[int64](t, 1) })
}

// testAlgorithms tries as many algorithms as turns on each pair of layouts, others
// on the next pair.
func testAlgorithms[T nd.Number](t *testing.T, turns int) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		n := 0
		for _, s := range productShapes {
			if len(s[0])+len(s[1]) == 2 {
				continue // a number
			}
			for _, la := range testLayouts(c, s[0]) {
				for _, lb := range testLayouts(c, s[1]) {
					rule, _ := split.MatMul(la, lb)
					layouts := testLayouts(c, rule.Shape())
					for range turns {
						n++
						alg := allAlgorithms[n%len(allAlgorithms)]
						checkAlgorithm[T](t, c, la, lb, layouts[n/3%len(layouts)], alg, n/8)
					}
				}
			}
		}
	})
}

// checkAlgorithm checks one product by one algorithm, if it takes the layouts; n
// chooses how the operands lie in memory and whether the result is a new one.
func checkAlgorithm[T nd.Number](t testing.TB, c *spmd.Comm, la, lb, l *split.Layout, alg linalg.Algorithm, n int) {
	var plan linalg.Plan
	options := []linalg.MatMulOption{linalg.UseAlgorithm(alg)}
	if err := nd.Try(func() {
		plan = linalg.PlanMatMul[T](la, lb, linalg.UseAlgorithm(alg), linalg.ResultLayout(l))
	}); err != nil {
		return
	}
	what := fmt.Sprintf("%v · %v → %v by %v", la, lb, l, plan.Way)
	a, b := array[T](c, la, 1, n%3 == 1), array[T](c, lb, 2, n%2 == 1)
	before := c.Stats()
	var z *nd.NDArray[T]
	if n%3 == 0 {
		z = linalg.MatMul(a, b, linalg.ResultLayout(l), options[0])
	} else {
		z = array[T](c, l, 3, n%5 == 1)
		linalg.MatMulInto(z, a, b, options...)
	}
	counted := c.Stats().Sub(before).Total()
	if s := plan.Ranks[c.Rank()]; s.Messages != counted.Messages || s.Bytes != counted.Bytes {
		t.Errorf("%s: on %v planned %d messages of %d bytes, counted %d of %d",
			what, c, s.Messages, s.Bytes, counted.Messages, counted.Bytes)
	}
	if !z.Layout().Equal(l) {
		t.Errorf("%s: result %v", what, z.Layout())
	}
	checkArray(t, what, z, bruteForce[T](la.Shape(), lb.Shape()))
	if n%4 == 0 {
		checkArray(t, "left operand of "+what, a, func(i []int) T { return at[T](1, i) })
		checkArray(t, "right operand of "+what, b, func(i []int) T { return at[T](2, i) })
	}
}

// TestAlgorithmsApply names the algorithms that every pair of splits has.
func TestAlgorithmsApply(t *testing.T) {
	for _, alg := range allAlgorithms[1:] {
		for i := split.None; i <= 1; i++ {
			for j := split.None; j <= 1; j++ {
				la, lb := split.Block(nd.Shape{8, 9}, i, 4), split.Block(nd.Shape{9, 6}, j, 4)
				err := nd.Try(func() { linalg.PlanMatMul[float64](la, lb, linalg.UseAlgorithm(alg)) })
				// What is replicated needs no gathering.
				left := alg == linalg.GatherLeft || alg == linalg.RingLeft
				right := alg == linalg.GatherRight || alg == linalg.RingRight
				if cannot := left && i == split.None || right && j == split.None; (err != nil) != cannot {
					t.Errorf("%v of %v and %v: %v", alg, la, lb, err)
				}
			}
		}
	}
}

// TestAlgorithmIntoOperand: the destination may be an operand of any algorithm.
func TestAlgorithmIntoOperand(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		square := bruteForce[float64](nd.Shape{6, 6}, nd.Shape{6, 6})
		n := 0
		for _, la := range testLayouts(c, nd.Shape{6, 6}) {
			for _, lb := range testLayouts(c, nd.Shape{6, 6}) {
				for range 2 {
					n++
					alg := allAlgorithms[n%len(allAlgorithms)]
					if nd.Try(func() { linalg.PlanMatMul[float64](la, lb, linalg.UseAlgorithm(alg)) }) != nil {
						continue
					}
					a, b := array[float64](c, la, 1, false), array[float64](c, lb, 2, false)
					linalg.MatMulInto(a, a, b, linalg.UseAlgorithm(alg), linalg.WithModel(linalg.DefaultModel))
					checkArray(t, fmt.Sprintf("a = a·b by %v, %v · %v", alg, la, lb), a, square)
				}
			}
		}
	})
}

// TestPlannedBytes is a property: of random shapes and splits the plan of the
// product that is chosen under a random model is what is counted.
func TestPlannedBytes(t *testing.T) {
	spmdtest.Embedded(t)
	rapid.Check(t, func(r *rapid.T) {
		ranks := rapid.IntRange(1, 9).Draw(r, "ranks")
		extent := rapid.IntRange(0, 40)
		m, k, n := extent.Draw(r, "m"), extent.Draw(r, "k"), extent.Draw(r, "n")
		layout := func(shape nd.Shape, name string) *split.Layout {
			axis := split.Axis(rapid.IntRange(-1, 1).Draw(r, name))
			if axis == split.None || rapid.Bool().Draw(r, name+" balanced") {
				return split.Block(shape, axis, ranks)
			}
			counts := make([]int, ranks)
			for left := shape[axis]; left > 0; {
				d := rapid.IntRange(1, left).Draw(r, "count")
				counts[rapid.IntRange(0, ranks-1).Draw(r, "of")] += d
				left -= d
			}
			return split.WithCounts(shape, axis, counts)
		}
		la, lb, l := layout(nd.Shape{m, k}, "a"), layout(nd.Shape{k, n}, "b"), layout(nd.Shape{m, n}, "c")
		model := linalg.Model{
			Latency:   rapid.SampledFrom([]float64{0, 1e-7, 1e-5}).Draw(r, "latency"),
			Bandwidth: rapid.SampledFrom([]float64{1e6, 1e9, 1e12}).Draw(r, "bandwidth"),
			Flops:     rapid.SampledFrom([]float64{1e7, 1e10, 1e14}).Draw(r, "flops"),
		}
		err := spmd.Run(ranks, func(c *spmd.Comm) error {
			linalg.SetModel(c, model)
			plan := linalg.PlanMatMul[float64](la, lb, linalg.ResultLayout(l), linalg.WithModel(linalg.ModelOf(c)))
			a, b := array[float64](c, la, 1, false), array[float64](c, lb, 2, false)
			before := c.Stats()
			z := linalg.MatMul(a, b, linalg.ResultLayout(l))
			counted := c.Stats().Sub(before).Total()
			if s := plan.Ranks[c.Rank()]; s.Messages != counted.Messages || s.Bytes != counted.Bytes {
				return fmt.Errorf("%v: planned %+v, counted %+v", plan, s, counted)
			}
			want := bruteForce[float64](la.Shape(), lb.Shape())
			box := l.Local(c.Rank())
			for at, got := range z.Local() {
				i := []int{box.Lo[0] + at/(box.Hi[1]-box.Lo[1]), box.Lo[1] + at%(box.Hi[1]-box.Lo[1])}
				if got != want(i) {
					return fmt.Errorf("%v: element %v is %v, want %v", plan, i, got, want(i))
				}
			}
			return nil
		})
		if err != nil {
			r.Fatal(err)
		}
	})
}
