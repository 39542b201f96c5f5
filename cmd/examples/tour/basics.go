package main

import (
	"caloric/nd"
)

// creation: arrays that every rank holds whole.
func creation(t *guide) {
	t.say("== Arrays\n")
	show(t, "FromSlice(1, 2, 3)", nd.FromSlice(t.c, []int64{1, 2, 3}, nd.Shape{3}, nd.None))
	show(t, "Ones(4, 5)", nd.Ones[float32](t.c, nd.Shape{4, 5}, nd.None))
	show(t, "Arange(10)", nd.Arange[int32](t.c, 0, 10, 1, nd.None))
	show(t, "Full((3, 2), 9)", nd.Full[float32](t.c, nd.Shape{3, 2}, 9, nd.None))
}

func types(t *guide) {
	t.say("== Data types\n")
	a := nd.Zeros[float32](t.c, nd.Shape{3, 4}, nd.None)
	show(t, "a := Zeros(3, 4)", a)
	show(t, "AsType[int64](a)", nd.AsType[int64](a))
}

func operations(t *guide) {
	t.say("== Operations\n")
	a := nd.Full[float32](t.c, nd.Shape{3, 4}, 8, nd.None)
	b := nd.Ones[float32](t.c, nd.Shape{3, 4}, nd.None)
	show(t, "Add(a, b)", nd.Add(a, b))
	show(t, "Sub(a, b)", nd.Sub(a, b))
	show(t, "Sin(Arange(5))", nd.Sin(nd.Arange[float32](t.c, 0, 5, 1, nd.None)), nd.Precision(4))
	show(t, "a.T()", a.T())
	show(t, "Sum(b, Over(1))", nd.Sum(b, nd.Over(1)))
}

func broadcasting(t *guide) {
	t.say("== Broadcasting\n")
	show(t, "AddScalar(Arange(10), 3)", nd.AddScalar(nd.Arange[int32](t.c, 0, 10, 1, nd.None), 3))
	a := nd.Ones[float32](t.c, nd.Shape{3, 4}, nd.None)
	b := nd.Arange[int32](t.c, 0, 4, 1, nd.None)
	show(t, "a := Ones(3, 4)", a)
	show(t, "b := Arange(4)", b)
	show(t, "Add(a, AsType[float32](b))", nd.Add(a, nd.AsType[float32](b)))
}

func indexing(t *guide) {
	t.say("== Indexing\n")
	a := nd.Arange[int32](t.c, 0, 10, 1, nd.None)
	show(t, "a := Arange(10)", a)
	show(t, "a.Slice(Index(3))", a.Slice(nd.Index(3)))
	show(t, "a.Slice(Range(1, 7))", a.Slice(nd.Range(1, 7)))
	show(t, "a.Slice(Range(Open, Open, 2))", a.Slice(nd.Range(nd.Open, nd.Open, 2)))
}

// help: the examples in the documentation of sum.
func help(t *guide) {
	t.say("== Sums\n")
	show(t, "Sum(Ones(2))", nd.Sum(nd.Ones[float32](t.c, nd.Shape{2}, nd.None)))
	ones := nd.Ones[float32](t.c, nd.Shape{3, 3}, nd.None)
	show(t, "Sum(Ones(3, 3))", nd.Sum(ones))
	show(t, "Sum(AsType[int64](Ones(3, 3)))", nd.Sum(nd.AsType[int64](ones)))
	show(t, "Sum(Ones(3, 2, 1), Over(-3))", nd.Sum(nd.Ones[float32](t.c, nd.Shape{3, 2, 1}, nd.None), nd.Over(-3)))
}
