package main

import (
	"fmt"
	"math"

	"caloric/linalg"
	"caloric/nd"
	"caloric/random"
	"caloric/split"
)

// cube is the tutorial's array: five matrices of four rows and three columns.
func cube(t *guide, start int32, axis nd.Axis) *nd.NDArray[int32] {
	return nd.Arange(t.c, start, start+60, 1, axis).Reshape(5, 4, 3)
}

func splitArrays(t *guide) {
	t.say("== Split arrays\n")
	show(t, "Arange(60).Reshape(5, 4, 3)", cube(t, 0, nd.None))
	a := cube(t, 0, 0)
	show(t, "a := Arange(60), split 0, .Reshape(5, 4, 3)", a)
	t.eachRank(a.String())
	t.say("global shape %v", a.Shape())
	t.eachRank(fmt.Sprintf("local shape %v", a.LocalShape()))
}

func transposed(t *guide) {
	t.say("== Transpose\n")
	show(t, "a.T()", cube(t, 0, 0).T())
}

// reductions: across the split axis the ranks have to speak, along others not.
func reductions(t *guide) {
	t.say("== Reductions\n")
	a := cube(t, 0, 0)
	across, along := nd.Sum(a, nd.Over(0)), nd.Sum(a, nd.Over(1))
	show(t, "Sum(a, Over(0))", across)
	show(t, "Sum(a, Over(1))", along)
	t.communicated("rank 0, across the split", func() { nd.SumInto(across, a, nd.Over(0)) })
	t.communicated("rank 0, along another axis", func() { nd.SumInto(along, a, nd.Over(1)) })
	t.say("")
}

func elementwise(t *guide) {
	t.say("== Operations on arrays of one split\n")
	a, b := cube(t, 0, 0), cube(t, 60, 0)
	show(t, "Mul(a, b)", nd.Mul(a, b))
	t.communicated("rank 0, product of two arrays of one split", func() { nd.Mul(a, b) })
	t.say("")
}

// products multiplies random matrices under every pair of splits. Each product is
// compared with that of replicated matrices.
func products(t *guide, n int) {
	t.say("== Matrix products\n")
	g := random.New(1)
	x := random.Normal(g, t.c, nd.Shape{n, n}, nd.None, 0.0, 1)
	y := random.Normal(g, t.c, nd.Shape{n, n}, nd.None, 0.0, 1)
	want := linalg.MatMul(x, y)
	splits := []nd.Axis{nd.None, 0, 1}
	for _, i := range splits {
		for _, j := range splits {
			var z *nd.NDArray[float64]
			xi, yj := x.Resplit(i), y.Resplit(j)
			t.communicated(fmt.Sprintf("rank 0, split %v times split %v", i, j), func() { z = linalg.MatMul(xi, yj) })
			worst := nd.Max(nd.Abs(nd.Sub(z, want))).Item()
			t.say("  gives split %v, %s", z.Split(), verdict(worst <= 1e-10*math.Sqrt(float64(n))))
		}
	}
	t.say("")
}

func verdict(ok bool) string {
	if ok {
		return "the product of the whole matrices"
	}
	return "WRONG"
}

// memory: an array over memory of the program's, and one of a copy of it.
func memory(t *guide) {
	t.say("== Memory of one's own\n")
	mine := []int64{0, 1, 2, 3, 4}
	wrapped := nd.Wrap(t.c, split.Block(nd.Shape{5}, nd.None, t.c.Size()), mine)
	wrapped.SetSliceScalar(-1, nd.Index(0))
	t.say("written through Wrap: %v", mine)
	mine = []int64{0, 1, 2, 3, 4}
	copied := nd.FromSlice(t.c, mine, nd.Shape{5}, nd.None)
	copied.SetSliceScalar(-1, nd.Index(0))
	t.say("written to the copy of FromSlice: %v\n", mine)
}

// exercise: a transpose and maxima of random integers, replicated and split. The
// split moves with its axis, stays in a reduction over another axis, and is gone
// after one over the split axis.
func exercise(t *guide) {
	var before []int32
	for _, axis := range []nd.Axis{nd.None, 0} {
		t.say("== Exercise, split %v\n", axis)
		a := random.Integers[int32](random.New(0), t.c, nd.Shape{10, 5}, axis, 0, 10)
		show(t, "A := random integers from 0 to 9", a)
		show(t, "A.T()", a.T())
		show(t, "Max(A, Over(1))", nd.Max(a, nd.Over(1)))
		show(t, "Max(A.T(), Over(1))", nd.Max(a.T(), nd.Over(1)))
		t.eachRank(fmt.Sprintf("local shape of A %v, of A.T() %v", a.LocalShape(), a.T().LocalShape()))
		all := a.Gather()
		if before != nil {
			t.say("the same numbers as before: %v", fmt.Sprint(all) == fmt.Sprint(before))
		}
		before = all
	}
}
