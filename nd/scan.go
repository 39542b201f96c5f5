package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// A scanner is the kernel of a scan: of elements T it makes accumulators A and
// rounds them to results R. Its methods work on blocks, so that the loops inside
// are compiled for their types. Accumulators hold no pointers.
type scanner[T, A, R Element] interface {
	// identity returns the element that changes nothing, neutral its accumulator.
	identity() T
	neutral() A
	// op is the operation that combines the ranks' accumulators.
	op() spmd.Op
	// start returns the state after the elements of lower ranks, reduced to before.
	start(before A) running[A]
	// join takes the elements that next has seen, from the state after none, into s.
	join(s *running[A], next running[A])
	// total returns the reduction of the elements since lower ranks'.
	total(s *running[A]) A
	// lane takes x[0], x[1], … into s and sets dst[i] to the result after x[i].
	lane(dst []R, x []T, s *running[A])
	// row takes x[j] into s[j], for scans side by side, and sets dst[j] to its result.
	row(dst []R, x []T, s []running[A])
}

// A runner is a scanner with a faster way through elements that lie side by side:
// it looks ahead at the totals of a few runs, and then scans all of them at once.
type runner[T, A, R Element] interface {
	// runs says whether there is such a way for these types on this processor.
	runs() bool
	// ahead reduces x to next and leaves in r what behind needs. It returns false if
	// lane is to take x instead.
	ahead(x []T, r *runs, next *running[A]) bool
	// behind sets dst, which may be x, to what lane would from s on.
	behind(dst []R, x []T, r *runs, s running[A])
}

// running is the state of one scan: the reduction acc of the elements so far,
// what rounding has taken from it, and, of sums, what lower ranks have.
type running[A Element] struct{ acc, low, before A }

// scan says how an array is scanned.
type scan struct {
	axis      int
	initial   bool // the result starts with the identity
	ignoreNaN bool // NaN counts as the identity
}

// layout returns the layout of the result of an array of layout a. Every rank
// keeps what it has; the identity goes to the rank that has index 0.
func (s scan) layout(a *split.Layout) *split.Layout {
	if !s.initial {
		return a
	}
	return split.Stretch(a, s.axis, a.Shape()[s.axis]+1, func(i int) int {
		if i == 0 {
			return 0
		}
		return i + 1
	})
}

// scanTo returns the scan s of a by k in a new array.
func scanTo[T, A, R Element](k scanner[T, A, R], a *NDArray[T], s scan) *NDArray[R] {
	dst := newRaw[R](a.comm, s.layout(a.layout))
	scanAll(k, dst, a, s)
	return dst
}

// scanInto sets dst to the scan s of a by k.
func scanInto[T, A, R Element](k scanner[T, A, R], dst *NDArray[R], a *NDArray[T], s scan) {
	checkDst(dst, a.comm)
	l := s.layout(a.layout)
	if !l.Shape().Equal(dst.layout.Shape()) {
		misuse.Panic("the result has shape %v, the destination %v", l.Shape(), dst.layout.Shape())
	}
	if !l.Equal(dst.layout) {
		CopyInto(dst, scanTo(k, a, s))
		return
	}
	if s.initial {
		a = apart(dst, a)
	}
	scanAll(k, dst, a, s)
}

// scanAll sets dst, which has the result's layout, to the scan s of a by k.
func scanAll[T, A, R Element](k scanner[T, A, R], dst *NDArray[R], a *NDArray[T], s scan) {
	if s.initial {
		first, st := make([]R, 1), k.start(k.neutral())
		k.lane(first, []T{k.identity()}, &st)
		CopyInto(dst.sliceAlong(s.axis, To(1)), wrapReplicated(a.comm, Shape{1}, first))
		dst = dst.sliceAlong(s.axis, From(1))
	}
	scanSame(k, dst, apart(dst, a), s)
}

// scanSame sets dst to the scan of a, which has the same parts on every rank.
// Along the split axis each rank first reduces what it has, by the very steps of
// the scan, then learns by one exclusive scan what lower ranks have, and then
// scans. Elements are read twice, and results written once.
func scanSame[T, A, R Element](k scanner[T, A, R], dst *NDArray[R], a *NDArray[T], s scan) {
	c := a.comm
	j := newScanJob(k, dst, a, s)
	if j.lanes == 0 {
		return // on every rank alike if the split axis is scanned
	}
	if Axis(s.axis) != a.layout.Axis() || c.Size() == 1 {
		j.run(nil, nil)
		return
	}
	before, pooled := borrow[A](j.lanes)
	defer giveBack(pooled)
	if c.Rank() < c.Size()-1 {
		j.discard = true
		j.run(nil, before)
		j.discard = false
	} else { // no one needs this rank's total
		fill(before, k.neutral())
	}
	spmd.Exscan(c, before, k.op())
	if c.Rank() == 0 {
		fill(before, k.neutral())
	}
	j.run(before, nil)
}
