package linalg

import (
	"fmt"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestProductMemory: a product holds as much memory as its plan says, and one in
// which the inner axis is split no more than three blocks of the result.
func TestProductMemory(t *testing.T) {
	defer noDirect.Store(false)
	for _, direct := range []bool{false, true} {
		noDirect.Store(!direct)
		spmdtest.Sweep(t, productMemory)
	}
}

func productMemory(t testing.TB, c *spmd.Comm) {
	ranks := c.Size()
	if ranks == 1 {
		return
	}
	const m, k, n = 23, 16, 31
	for i := split.None; i <= 1; i++ {
		for j := split.None; j <= 1; j++ {
			a, b := nd.Ones[float64](c, nd.Shape{m, k}, i), nd.Ones[float64](c, nd.Shape{k, n}, j)
			rule, _ := split.MatMul(a.Layout(), b.Layout())
			for _, l := range []*split.Layout{rule, split.Block(nd.Shape{m, n}, 1, ranks), split.Block(nd.Shape{m, n}, split.None, ranks)} {
				for alg := range methods {
					if alg == int(LocalProduct) {
						continue
					}
					o := matMulOptions{forced: true, alg: Algorithm(alg)}
					var p *product[float64]
					if nd.Try(func() { p = newProduct[float64](c, l, a.Layout(), b.Layout(), rule, &o) }) != nil {
						continue
					}
					dst := nd.Wrap(c, l, make([]float64, l.LocalSize(c.Rank())))
					p.into(dst, a, b)
					checkMemory(t, p)
				}
			}
		}
	}
	r := ruleRoute[float64](split.Block(nd.Shape{1000, 1000}, 0, ranks), split.Block(nd.Shape{1000, 10}, 1, ranks),
		split.Block(nd.Shape{10, 1000}, 0, ranks), split.Block(nd.Shape{1000, 1000}, 0, ranks))
	if s := r.share(8, c.Rank()); r.alg != RingSums || s.Memory > 3*8*1000*int64(1000/ranks+1) || s.Bytes > int64(8*1000*(1000-1000/ranks)) {
		t.Errorf("1·0 by %v: %+v", r.alg, s)
	}
}

func checkMemory(t testing.TB, p *product[float64]) {
	t.Helper()
	rank := p.comm.Rank()
	held := cap(p.space)
	if alg := p.r.alg; p.readsDirectly() && (alg == RingLeft || alg == RingRight || alg == RingSums) {
		if held != 0 {
			t.Errorf("%v in shared memory holds %d elements", alg, held)
		}
		return
	}
	if p.r.alg == SUMMA || p.r.alg == PartialSums && p.r.c.axis == 1 {
		held += cap(p.send)
	}
	if p.staged != nil {
		held += len(p.staged.Local())
	}
	if p.r.alg != SUMMA {
		for _, moved := range [][2]placed{{p.r.a0, p.r.a}, {p.r.b0, p.r.b}} {
			if !moved[0].replicated() && !moved[0].layout.Equal(moved[1].layout) {
				held += moved[1].count(rank)
			}
		}
	}
	if s := p.r.share(8, rank); s.Memory != int64(8*held) {
		e := newEstimate[float64](DefaultModel, p.r.ranks)
		e.look = looks(&p.r)
		t.Errorf("%s: planned %d bytes, held %d", fmt.Sprint(e.way(&p.r)), s.Memory, 8*held)
	}
}

// TestMeasuresOnce: the first product that is large enough measures, no other.
func TestMeasuresOnce(t *testing.T) {
	spmdtest.Embedded(t)
	defer func(n float64) { measureFrom = n }(measureFrom)
	measureFrom = 1e5
	spmdtest.Run(t, 3, func(c *spmd.Comm) {
		small, large := nd.Ones[float64](c, nd.Shape{20, 20}, 0), nd.Ones[float64](c, nd.Shape{60, 60}, 0)
		MatMul(small, small)
		if c.Attr(modelKey{}) != nil {
			t.Error("measured for a small product")
		}
		before := c.Stats()
		MatMul(large, large)
		m := ModelOf(c)
		if c.Attr(modelKey{}) == nil || c.Stats().Sub(before)["dup"].Calls != 0 {
			t.Errorf("not measured, or counted: %v", c.Stats().Sub(before))
		}
		if MatMul(large, large); ModelOf(c) != m {
			t.Error("measured twice")
		}
	})
}
