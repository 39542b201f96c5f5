package nd

import (
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Keys returns its arguments: one array of indices for each axis, as [TakeAt],
// [SetAt] and [AddAt] take them and [Nonzero] gives them. A nil array stands for
// a whole axis. Local.
func Keys(arrays ...*NDArray[int64]) []*NDArray[int64] { return arrays }

// keyList is this rank's part of the keys of a layout, in C order.
type keyList struct {
	layout *split.Layout
	at     []int // positions in a keySpace, or offsets in memory
	bad    badKey
	same   bool // every rank knows all indices, and has checked them
}

// badKey is a key that is out of range.
type badKey struct{ axis, value, extent int }

func (b badKey) panic() {
	misuse.Panic("index %d is out of range for axis %d of extent %d", b.value, b.axis, b.extent)
}

// check panics on every rank alike if a rank has a key out of range.
// Communication: none if the keys are known, else one allreduce of 8 bytes.
func (k keyList) check(c *spmd.Comm) {
	if k.same {
		if k.bad.extent >= 0 {
			k.bad.panic()
		}
		return
	}
	first := c.Size()
	if k.bad.extent >= 0 {
		first = c.Rank()
	}
	k.report(c, int(spmd.AllreduceOne(c, int64(first), spmd.Min)))
}

// report panics on every rank with the bad key of the first rank that has one.
func (k keyList) report(c *spmd.Comm, first int) {
	if first == c.Size() {
		return
	}
	b := []int64{int64(k.bad.axis), int64(k.bad.value), int64(k.bad.extent)}
	spmd.Bcast(c, b, first)
	badKey{int(b[0]), int(b[1]), int(b[2])}.panic()
}

// exchangeCounts tells every rank how many of its rows are named, and returns
// how many the others name of this rank's. It panics as check does.
// Communication: one alltoallv of 8 bytes for each rank.
func (k keyList) exchangeCounts(c *spmd.Comm, want []int) []int {
	send, recv, ones := make([]int64, c.Size()), make([]int64, c.Size()), make([]int, c.Size())
	for r, n := range want {
		send[r], ones[r] = int64(n), 1
		if k.bad.extent >= 0 {
			send[r] = -1
		}
	}
	spmd.Alltoallv(c, send, ones, recv, ones)
	first := slices.Index(recv, -1)
	if first < 0 {
		first = c.Size()
	}
	k.report(c, first)
	serve := make([]int, c.Size())
	for r, n := range recv {
		serve[r] = int(n)
	}
	return serve
}

// keyMaker makes lists of keys from arrays of indices.
type keyMaker struct {
	layout *split.Layout // of the keys, as their arrays are split
	terms  []keyTerm
	// along is the axis that the indices count along when the key of every other
	// axis is the index's own position; else it is -1.
	along int
}

// keyTerm is an array of indices of one key axis.
type keyTerm struct {
	array  *NDArray[int64]
	axis   int // among the key axes
	name   int // the axis as the user knows it
	extent int
}

// newKeyMaker returns the maker of the keys that pair the arrays, broadcast.
func newKeyMaker(c *spmd.Comm, terms ...keyTerm) *keyMaker {
	ops := make([]split.Operand, len(terms))
	for i, t := range terms {
		sameComm(c, t.array.comm)
		ops[i] = split.Operand{Layout: t.array.layout, Elem: 8}
	}
	l, err := split.Elementwise(ops...)
	misuse.Check(err)
	return &keyMaker{layout: l, terms: terms, along: -1}
}

// in returns this rank's keys in layout l: indices are multiplied by the strides
// of their axes and added to base. The arrays move where they have to.
func (m *keyMaker) in(l *split.Layout, strides []int, base int) keyList {
	k := keyList{layout: l, bad: badKey{extent: -1}}
	c := m.terms[0].array.comm
	shape := l.LocalShape(c.Rank())
	if m.along >= 0 {
		own := slices.Clone(strides)
		own[m.along] = 0
		for j := range own {
			if Axis(j) == l.Axis() {
				lo, _ := l.Range(c.Rank())
				base += lo * own[j]
			}
		}
		k.at = offsetsOf(shape, own, base)
	} else {
		k.at = make([]int, shape.Size())
		fillInts(k.at, base)
	}
	k.same = true
	arrays := make([]*NDArray[int64], len(m.terms))
	for i, t := range m.terms {
		a := aligned(l, t.array)
		arrays[i] = a
		k.add(l, a, t, strides[t.axis])
		k.same = k.same && (a.layout.Replicated() || c.Size() == 1)
	}
	if k.same && !l.Replicated() { // each rank has looked at its part only
		k.bad.extent = -1
		for i, t := range m.terms {
			all := keyList{at: make([]int, arrays[i].LocalSize()), bad: k.bad}
			all.add(arrays[i].layout, arrays[i], t, 0)
			k.bad = all.bad
		}
	}
	return k
}

func fillInts(s []int, v int) {
	if v != 0 {
		for i := range s {
			s[i] = v
		}
	}
}

// add adds the indices of an array to the keys. An index out of range is noted
// and counts as 0.
func (k *keyList) add(l *split.Layout, a *NDArray[int64], t keyTerm, stride int) {
	shape := l.LocalShape(a.comm.Rank())
	w := newWalk(shape)
	w.add(0, shape, contiguousStrides(shape))
	addOperand(&w, l, a)
	w.simplify()
	n, s0, s1 := w.inner(), w.innerStride(0), w.innerStride(1)
	for r := w.rows(); r.next(); {
		at, from := r.off[0], r.off[1]
		for range n {
			i := int(a.data[from])
			if i < 0 {
				i += t.extent
			}
			if uint(i) >= uint(t.extent) {
				if k.bad.extent < 0 {
					k.bad = badKey{t.name, int(a.data[from]), t.extent}
				}
				i = 0
			}
			k.at[at] += i * stride
			at += s0
			from += s1
		}
	}
}
