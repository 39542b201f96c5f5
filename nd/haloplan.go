package nd

import (
	"fmt"
	"slices"
	"strings"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Ends says what lies beyond the two ends of an axis, for [Halo], [MapHalo] and
// [Convolve2D]. Of a b c d, continued by 3 on either side:
type Ends uint8

// The kinds of ends.
const (
	EndsCrop      Ends = iota //       a b c d        nothing: the array ends there
	EndsFill                  // 0 0 0 a b c d 0 0 0  zero, or another number
	EndsEdge                  // a a a a b c d d d d
	EndsReflect               // d c b a b c d c b a
	EndsSymmetric             // c b a a b c d d c b
	EndsWrap                  // b c d a b c d a b c  the other end: the axis is periodic
)

var endsNames = [...]string{"crop", "fill", "edge", "reflect", "symmetric", "wrap"}

// String returns "crop", "fill", "edge", "reflect", "symmetric" or "wrap".
func (e Ends) String() string {
	if int(e) < len(endsNames) {
		return endsNames[e]
	}
	return fmt.Sprintf("Ends(%d)", uint8(e))
}

// beyond is a split.Beyond.
func (e Ends) beyond(j, n int) (start, step, count int) {
	if e > EndsFill {
		modes := [...]PadMode{EndsEdge: PadEdge, EndsReflect: PadReflect, EndsSymmetric: PadSymmetric, EndsWrap: PadWrap}
		start, step, count = modes[e].source(j, n)
		if j < 0 { // the array itself is a piece of its own
			count = min(count, -j)
		}
		return start, step, count
	}
	switch {
	case j < 0:
		return nowhere, 0, -j
	case j < n:
		return j, 1, n - j
	}
	return nowhere, 0, 1 << 62
}

// Reach says how far a halo extends along an axis: over Front indices before
// and Back indices after what a rank owns.
type Reach struct {
	Axis        int // negative numbers count from the last axis
	Front, Back int
	Ends        Ends     // what the halo holds beyond the array's own ends
	Each        [][2]int // unless nil, Front and Back of each rank, for the split axis
}

// HaloPlan is a halo exchange made once and carried out many times: each rank's
// block of an array of one layout is extended by what the neighbours own, its
// ghost cells. Who sends what is computed from the layout alone. Along axes that
// are not split the halo is filled from the rank's own block, and where several
// axes are extended so are the corners.
//
//	h := nd.PlanHalo[float64](u.Comm(), u.Layout(), nd.Reach{Axis: 0, Front: 1, Back: 1})
//	block := h.New()
//	for range steps {
//		h.Gather(block, u)
//		… // read block, write u
//	}
//
// A halo may be wider than a neighbour's block; it then comes from as many ranks
// as needed. A rank that owns nothing has no halo. A plan is in use by one
// exchange at a time. Its messages have the tag [spmd.MaxTag].
type HaloPlan[T Element] struct {
	comm   *spmd.Comm
	layout *split.Layout // of the array
	ext    *split.Layout // of the extended blocks, one after another
	fill   T             // for EndsFill
	reach  []Reach       // of each axis of the array
	pieces [][]split.Piece
	body   []int // where the own block starts in the extended one

	axis       int // along which the parts travel
	windows    split.Windows
	send, recv []T // the parts that travel, with axis as their first axis
	row        int // elements of one index of axis
	sendShape  []int
	strides    []int // of send and recv

	requests               []*spmd.Request
	sendCounts, recvCounts []int       // set if everything goes in one alltoallv
	buf                    *NDArray[T] // between Start and Wait
	work                   *NDArray[T] // of MapHalo
}

// haloTag marks the messages of halo exchanges.
const haloTag = spmd.MaxTag

// haloPeers is the number of neighbours from which on an exchange is one
// alltoallv in place of messages of its own.
const haloPeers = 8

// PlanHalo returns a plan for the halos of arrays of layout l on c, extended along
// the given axes.
//
//	nd.PlanHalo[float64](c, l, nd.Reach{Axis: 0, Front: 2, Back: 1, Ends: nd.EndsWrap})
//
// Local. Communication: none. Panics if an axis is out of range or named twice, a
// width is negative, Each does not fit the ranks, or an axis of extent 0 has
// nothing to continue with.
func PlanHalo[T Element](c *spmd.Comm, l *split.Layout, reach ...Reach) *HaloPlan[T] {
	checkRanks(c, l)
	h := newWindowPlan[T](c, l)
	reach = normalReach(l, reach)
	for _, r := range reach {
		h.reach[r.Axis] = r
	}
	if len(reach) > 0 && !slices.ContainsFunc(reach, func(r Reach) bool { return Axis(r.Axis) == l.Axis() }) {
		h.axis = reach[0].Axis
	}
	windows := make([][]split.Window, len(l.Shape()))
	for k, r := range h.reach {
		windows[k] = haloWindows(l, k, r)
	}
	h.finish(windows)
	for k, w := range windows {
		lo, _ := axisRange(l, k, c.Rank())
		h.body[k] = lo - w[c.Rank()].Lo
	}
	return h
}

// normalReach returns reach with axes from 0 on, after checking it.
func normalReach(l *split.Layout, reach []Reach) []Reach {
	out := slices.Clone(reach)
	seen := make([]bool, len(l.Shape()))
	for i, r := range out {
		k, err := split.NormalizeAxis(r.Axis, len(l.Shape()))
		misuse.Check(err)
		if seen[k] {
			misuse.Panic("axis %d is named twice", k)
		}
		seen[k] = true
		out[i].Axis = k
		if r.Ends > EndsWrap {
			misuse.Panic("%v", r.Ends)
		}
		widths := append([][2]int{{r.Front, r.Back}}, r.Each...)
		for _, w := range widths {
			if w[0] < 0 || w[1] < 0 || w[0] > 1<<40 || w[1] > 1<<40 {
				misuse.Panic("a halo of %d before and %d after", w[0], w[1])
			}
			if l.Shape()[k] == 0 && w != [2]int{} && r.Ends > EndsFill {
				misuse.Panic("axis %d of shape %v has nothing to continue with", k, l.Shape())
			}
		}
		if r.Each != nil && (Axis(k) != l.Axis() || len(r.Each) != l.Ranks()) {
			misuse.Panic("halos of %d ranks along axis %d of layout %v over %d ranks", len(r.Each), k, l, l.Ranks())
		}
	}
	return out
}

// haloWindows returns the window of each rank along axis k.
func haloWindows(l *split.Layout, k int, r Reach) []split.Window {
	n := l.Shape()[k]
	windows := make([]split.Window, l.Ranks())
	for rank := range windows {
		lo, hi := axisRange(l, k, rank)
		windows[rank] = split.Window{Lo: lo, Hi: hi}
		if lo == hi && Axis(k) == l.Axis() {
			continue
		}
		front, back := r.of(rank)
		lo, hi = lo-front, hi+back
		if r.Ends == EndsCrop {
			lo, hi = max(0, lo), min(n, hi)
		}
		windows[rank] = split.Window{Lo: lo, Hi: hi}
	}
	return windows
}

// of returns the widths of a rank's halo.
func (r *Reach) of(rank int) (front, back int) {
	if r.Each != nil {
		return r.Each[rank][0], r.Each[rank][1]
	}
	return r.Front, r.Back
}

// axisRange returns the indices of axis k that a rank holds.
func axisRange(l *split.Layout, k, rank int) (lo, hi int) {
	if Axis(k) == l.Axis() {
		return l.Range(rank)
	}
	return 0, l.Shape()[k]
}

// newWindowPlan returns a plan without windows: see finish.
func newWindowPlan[T Element](c *spmd.Comm, l *split.Layout) *HaloPlan[T] {
	ndim := len(l.Shape())
	return &HaloPlan[T]{comm: c, layout: l, reach: make([]Reach, ndim), pieces: make([][]split.Piece, ndim),
		body: make([]int, ndim), axis: max(0, int(l.Axis()))}
}

// finish plans the exchange after which each rank holds the given windows of
// every axis; along an axis that is not split all are alike.
func (h *HaloPlan[T]) finish(windows [][]split.Window) {
	l, rank := h.layout, h.comm.Rank()
	shape := slices.Clone(l.Shape())
	counts := make([]int, l.Ranks())
	for k, w := range windows {
		shape[k] = w[rank].Count()
		plan := split.PlanWindows(l, k, w, h.reach[k].Ends.beyond, rank)
		h.pieces[k] = plan.Pieces
		if k == h.axis {
			h.windows = plan
		}
		if Axis(k) == l.Axis() {
			shape[k] = 0
			for r := range counts {
				counts[r] = w[r].Count()
				shape[k] += counts[r]
			}
		}
	}
	h.ext = split.Block(shape, split.None, l.Ranks())
	if l.Axis() != split.None {
		h.ext = split.WithCounts(shape, l.Axis(), counts)
	}
	h.sendShape = l.LocalShape(rank)
	h.row = 1
	for k, d := range h.sendShape {
		if k != h.axis {
			h.row *= d
		}
	}
	if h.windows.Peers == 0 || h.row == 0 {
		h.windows.Send, h.windows.Recv, h.windows.Peers = nil, nil, 0
		return
	}
	h.strides = axisFirst(h.sendShape, h.axis)
	h.send, h.recv = make([]T, h.windows.Sent()*h.row), make([]T, h.windows.Received()*h.row)
	if h.windows.Peers > haloPeers {
		h.sendCounts, h.recvCounts = make([]int, l.Ranks()), make([]int, l.Ranks())
		for _, s := range h.windows.Send {
			h.sendCounts[s.Rank] = s.Count * h.row
		}
		for _, s := range h.windows.Recv {
			h.recvCounts[s.Rank] = s.Count * h.row
		}
	}
	h.requests = make([]*spmd.Request, 0, len(h.windows.Send)+len(h.windows.Recv))
}

// axisFirst returns the strides of an array of the given shape that lies in
// memory with axis as its first axis.
func axisFirst(shape []int, axis int) []int {
	strides := make([]int, len(shape))
	n := 1
	for k := len(shape) - 1; k >= 0; k-- {
		if k != axis {
			strides[k] = n
			n *= shape[k]
		}
	}
	strides[axis] = n
	return strides
}

// Fill sets the number that lies beyond the ends of axes with [EndsFill], which is
// 0 at first, and returns h. Local.
func (h *HaloPlan[T]) Fill(v T) *HaloPlan[T] {
	h.fill = v
	return h
}

// Layout returns the layout of the arrays that h extends. Local.
func (h *HaloPlan[T]) Layout() *split.Layout { return h.layout }

// Extended returns the layout of an array of the ranks' extended blocks, one
// after another along the split axis. Local.
func (h *HaloPlan[T]) Extended() *split.Layout { return h.ext }

// New returns an array of the extended blocks, all zero, for [HaloPlan.Gather].
//
// Local. Result split: the array's. Communication: none.
func (h *HaloPlan[T]) New() *NDArray[T] { return newArray[T](h.comm, h.ext) }

// Crop returns the part of buf that the ranks own, as a view of the layout that
// the array had: what [HaloPlan.Gather] does, undone.
//
// Local. Result split: the array's. Communication: none. Panics if buf does not
// have the layout [HaloPlan.Extended].
func (h *HaloPlan[T]) Crop(buf *NDArray[T]) *NDArray[T] {
	h.checkBuf(buf)
	return buf.view(h.layout, h.bodyIn(buf), h.layout.LocalShape(h.comm.Rank()), buf.strides)
}

// bodyIn returns where the rank's own block starts in buf's memory.
func (h *HaloPlan[T]) bodyIn(buf *NDArray[T]) int {
	offset := buf.offset
	if buf.LocalSize() > 0 {
		for k, i := range h.body {
			offset += i * buf.strides[k]
		}
	}
	return offset
}

// String returns what this rank holds, receives and sends, in one line.
func (h *HaloPlan[T]) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "halo of %v on %v:", h.layout, h.comm)
	for _, r := range h.reach {
		if front, back := r.of(h.comm.Rank()); front > 0 || back > 0 {
			fmt.Fprintf(&b, " axis %d by %d and %d (%v)", r.Axis, front, back, r.Ends)
		}
	}
	fmt.Fprintf(&b, ", %v", h.windows)
	return b.String()
}

func (h *HaloPlan[T]) checkBuf(buf *NDArray[T]) {
	sameComm(buf.comm, h.comm)
	if !buf.layout.Equal(h.ext) {
		misuse.Panic("the extended blocks have layout %v, those of the halo %v", buf.layout, h.ext)
	}
}

func (h *HaloPlan[T]) checkArray(a *NDArray[T]) {
	sameComm(a.comm, h.comm)
	if !a.layout.Equal(h.layout) {
		misuse.Panic("array of layout %v with a halo of layout %v", a.layout, h.layout)
	}
}
