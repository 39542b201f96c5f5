//go:build !race

package linalg

import (
	"fmt"
	"testing"

	"caloric/nd"
	"caloric/split"
)

// TestChoice: on a grid of shapes, splits, numbers of ranks and models the product
// that is chosen takes at most twice the predicted time of the best there is: of
// every algorithm after every move of both operands and with every move of the
// result. What is compared here is enumerated without what the choice uses. Left out
// are partial sums that take the memory of a whole large result. It is arithmetic of one
// goroutine, in which the race detector has nothing to find.
func TestChoice(t *testing.T) {
	models := []Model{
		DefaultModel,
		{Latency: 5e-5, Bandwidth: 1e8, Flops: 5e9},   // slow network
		{Latency: 1e-7, Bandwidth: 1e11, Flops: 1e9},  // slow ranks
		{Latency: 1e-6, Bandwidth: 1e10, Flops: 1e13}, // accelerators
		{Latency: 0, Bandwidth: 1e9, Flops: 1e10},
	}
	shapes := [][3]int{{10, 7, 3}, {1, 1000, 1000}, {1000, 1000, 1}, {1000, 1, 1000}, {0, 5, 5}, {5, 0, 5}}
	for n := 1 << 4; n <= 1<<14; n *= 4 {
		shapes = append(shapes, [3]int{n, n, n}, [3]int{n, 16, 16}, [3]int{16, n, 16}, [3]int{16, 16, n},
			[3]int{n, 128, n}, [3]int{n, n, 64}, [3]int{64, n, n})
	}
	worst, at, turn := 0.0, "", 0
	chosen := [len(algorithmNames)]int{}
	for _, ranks := range []int{2, 3, 4, 6, 16, 64, 256} {
		for _, s := range shapes {
			for i := split.None; i <= 1; i++ {
				for j := split.None; j <= 1; j++ {
					a, b := split.Block(nd.Shape{s[0], s[1]}, i, ranks), split.Block(nd.Shape{s[1], s[2]}, j, ranks)
					rule, err := split.MatMul(a, b)
					if err != nil {
						t.Fatal(err)
					}
					for k := split.None; k <= 1; k++ {
						dst := split.Block(rule.Shape(), k, ranks)
						list := exhaustive(a, b, dst)
						turn++
						m := models[turn%len(models)]
						model := func(float64) Model { return m }
						r := choose[float64](dst, a, b, rule, &matMulOptions{}, model)
						e := newEstimate[float64](m, ranks)
						e.look = looks(&r)
						best, other := e.seconds(&r), r
						for i := range list {
							if t := e.seconds(&list[i]); t < best {
								best, other = t, list[i]
							}
						}
						chosen[r.alg]++
						// A nanosecond more for products of nothing.
						if ratio := (e.seconds(&r) + 1e-9) / (best + 1e-9); ratio > worst {
							worst, at = ratio, fmt.Sprintf("%v · %v → %v on %d ranks, %v: %v, best %v", a, b, dst, ranks, m, e.way(&r), e.way(&other))
						}
					}
				}
			}
		}
	}
	t.Logf("at most %.3g times the best, chosen %v", worst, chosen)
	if worst > 2 {
		t.Errorf("%.3g times the best: %s", worst, at)
	}
	for alg, n := range chosen {
		if n == 0 {
			t.Errorf("%v is never chosen", Algorithm(alg))
		}
	}
}

// exhaustive returns every route over balanced layouts.
func exhaustive(a, b, dst *split.Layout) (list []route) {
	a0, b0 := placedLeft(a), placedRight(b)
	c0 := placedResult(dst, a0, b0)
	balanced := func(p placed, axis split.Axis) placed {
		return placed{split.Block(p.layout.Shape(), axis, p.layout.Ranks()), p.rows, p.cols, axis}
	}
	for i := split.None; i <= 1; i++ {
		for j := split.None; j <= 1; j++ {
			for k := split.None; k <= 1; k++ {
				a, b, c := balanced(a0, i), balanced(b0, j), balanced(c0, k)
				for alg, m := range methods {
					r := route{Algorithm(alg), a0.layout.Ranks(), a0, b0, c0, a, b, c}
					if r.alg == SUMMA {
						r.a, r.b = a0, b0
					}
					if len(m.takes(r.a, r.b, []placed{c})) > 0 && !(r.alg == PartialSums && k != split.None && c.rows*c.cols*8 > smallSums) {
						list = append(list, r)
					}
				}
			}
		}
	}
	return list
}
