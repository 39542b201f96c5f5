package linalg

import (
	"slices"

	"caloric/split"
)

// placed is a matrix as its layout spreads it over the ranks. A vector is one of
// a single row or column.
type placed struct {
	layout     *split.Layout
	rows, cols int
	axis       split.Axis // of the matrix: 0 for rows, 1 for columns
}

// placedLeft returns the left operand of a product, where a vector is a row.
func placedLeft(l *split.Layout) placed {
	p := placedRight(l)
	if len(l.Shape()) == 1 {
		p = p.t()
	}
	return p
}

// placedRight returns the right operand of a product, where a vector is a column.
func placedRight(l *split.Layout) placed {
	p := placed{layout: l, rows: l.Shape()[0], cols: 1, axis: l.Axis()}
	if len(l.Shape()) == 2 {
		p.cols = l.Shape()[1]
	}
	return p
}

// placedResult returns the product of a and b, of layout l.
func placedResult(l *split.Layout, a, b placed) placed {
	p := placed{layout: l, rows: a.rows, cols: b.cols, axis: l.Axis()}
	if len(a.layout.Shape()) == 1 && !l.Replicated() {
		p.axis = 1 // a vector's row is left
	}
	return p
}

// t returns the transpose.
func (p placed) t() placed {
	p.rows, p.cols = p.cols, p.rows
	if p.axis != split.None {
		p.axis = 1 - p.axis
	}
	return p
}

func (p placed) replicated() bool { return p.axis == split.None }

// extent returns the number of rows or columns.
func (p placed) extent(axis split.Axis) int {
	if axis == 0 {
		return p.rows
	}
	return p.cols
}

// span returns the rows or columns lo ≤ i < hi that rank holds.
func (p placed) span(axis split.Axis, rank int) (lo, hi int) {
	if p.axis == axis {
		return p.layout.Range(rank)
	}
	return 0, p.extent(axis)
}

func (p placed) width(axis split.Axis, rank int) int {
	lo, hi := p.span(axis, rank)
	return hi - lo
}

// count returns the number of elements that rank holds.
func (p placed) count(rank int) int { return p.width(0, rank) * p.width(1, rank) }

// largest returns the number of elements of the largest part.
func (p placed) largest() (n int) {
	for r := range p.layout.Ranks() {
		n = max(n, p.count(r))
	}
	return n
}

// along returns the matrix split along one of its axes: balanced, or with the
// counts of other along its own axis if it is split along with. ok is false if a
// vector has no such axis.
func (p placed) along(axis split.Axis, other placed, with split.Axis) (q placed, ok bool) {
	shape, at := p.layout.Shape(), axis
	if len(shape) == 1 {
		if p.extent(1-axis) != 1 || p.extent(axis) != shape[0] || p.axis == 1-axis {
			return p, false
		}
		at = 0
	}
	l := p.layout
	if other.axis == with && with != split.None {
		l = split.WithCounts(shape, at, other.layout.Counts())
	} else {
		l = split.Block(shape, at, l.Ranks())
	}
	return placed{l, p.rows, p.cols, axis}, true
}

// everywhere returns the matrix replicated.
func (p placed) everywhere() placed {
	return placed{split.Block(p.layout.Shape(), split.None, p.layout.Ranks()), p.rows, p.cols, split.None}
}

// most returns the largest width along axis of the ranks in look.
func (p placed) most(axis split.Axis, look []int) (n int) {
	for _, r := range look {
		n = max(n, p.width(axis, r))
	}
	return n
}

// mostElements returns the largest count of the ranks in look.
func (p placed) mostElements(look []int) int { return p.most(0, look) * p.most(1, look) }

// sameCounts reports whether p along its axis and q along its own are split alike.
func (p placed) sameCounts(q placed) bool {
	return slices.Equal(p.layout.Counts(), q.layout.Counts())
}

// area is a part of a matrix: rows r0 ≤ i < r1, columns c0 ≤ j < c1.
type area struct{ r0, r1, c0, c1 int }

func (a area) size() int { return (a.r1 - a.r0) * (a.c1 - a.c0) }

// meet returns what two areas have in common.
func (a area) meet(b area) area {
	m := area{max(a.r0, b.r0), min(a.r1, b.r1), max(a.c0, b.c0), min(a.c1, b.c1)}
	if m.r0 >= m.r1 || m.c0 >= m.c1 {
		return area{}
	}
	return m
}

// area returns what rank holds.
func (p placed) area(rank int) (a area) {
	a.r0, a.r1 = p.span(0, rank)
	a.c0, a.c1 = p.span(1, rank)
	return a
}

// exchanged returns the messages and elements that rank sends to others if
// matrices move from the areas of from to those of to.
func exchanged(from, to func(rank int) area, ranks, rank int) (messages, elements int64) {
	mine := from(rank)
	for r := range ranks {
		if n := mine.meet(to(r)).size(); r != rank && n > 0 {
			messages++
			elements += int64(n)
		}
	}
	return messages, elements
}
