package split

import (
	"fmt"
	"slices"
	"strings"
)

// Window is a range of indices, Lo ≤ i < Hi, of an axis. It may reach beyond the
// axis's ends.
type Window struct{ Lo, Hi int }

// Count returns the number of indices.
func (w Window) Count() int { return max(0, w.Hi-w.Lo) }

// Beyond says where index j of an axis of n, which goes on beyond its ends, comes
// from: index start, and for the next count-1 indices from start+step, … . A
// start below 0 stands for nowhere. step is -1, 0 or 1.
type Beyond func(j, n int) (start, step, count int)

// Source is where a part of a window comes from.
type Source uint8

// The sources.
const (
	Own      Source = iota // the rank's own block
	Received               // what it receives
	Nowhere                // outside the array
)

// Piece is a part of a window: Count indices from At on, counted from the
// window's start, are indices Start, Start+Step, … of their source.
type Piece struct {
	At, Count   int
	Source      Source
	Start, Step int // Start counts from the start of the own block, or of what is received
}

// Strip is the indices of an axis that travel between two ranks: Ranges are
// disjoint and in rising order, Count is how many indices they hold, and At is
// how many travel in the strips before it.
type Strip struct {
	Rank   int
	Ranges []Window
	At     int
	Count  int
}

// Windows is one rank's share of an exchange after which each rank holds a window
// of an axis. Every index travels at most once to a rank, straight from its owner,
// and all that travels between two ranks is one message.
type Windows struct {
	Window     Window
	Pieces     []Piece // the window, in the order of its indices
	Send, Recv []Strip // in rank order; what is received is in the order of the indices
	Peers      int     // the most ranks that any rank sends to, or receives from
}

// PlanWindows returns rank's share of the exchange that gives each rank r
// windows[r] of an axis. It sends nothing unless axis is the split axis.
func PlanWindows(l *Layout, axis int, windows []Window, beyond Beyond, rank int) Windows {
	n := l.shape[axis]
	w := Windows{Window: windows[rank]}
	own := Window{0, n}
	var recv []Window
	if Axis(axis) == l.axis && l.ranks > 1 {
		own.Lo, own.Hi = l.Range(rank)
		recv = w.exchange(l, windows, beyond, rank)
	}
	for _, u := range windowRuns(windows[rank], beyond, n) {
		w.cut(u, own, recv)
	}
	return w
}

// windowRun is a run of a window's indices as Beyond gives it.
type windowRun struct{ at, start, step, count int }

func windowRuns(w Window, beyond Beyond, n int) []windowRun {
	var runs []windowRun
	for j := w.Lo; j < w.Hi; {
		start, step, count := beyond(j, n)
		count = min(count, w.Hi-j)
		runs = append(runs, windowRun{j - w.Lo, start, step, count})
		j += count
	}
	return runs
}

// sources returns the indices that a window consists of, as disjoint rising ranges.
func sources(runs []windowRun) []Window {
	var all []Window
	for _, u := range runs {
		switch last := u.start + (u.count-1)*u.step; {
		case u.start < 0:
		default:
			all = append(all, Window{min(u.start, last), max(u.start, last) + 1})
		}
	}
	slices.SortFunc(all, func(a, b Window) int { return a.Lo - b.Lo })
	var out []Window
	for _, r := range all {
		if k := len(out) - 1; k >= 0 && r.Lo <= out[k].Hi {
			out[k].Hi = max(out[k].Hi, r.Hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}

// exchange fills in what travels and returns the ranges that rank receives.
func (w *Windows) exchange(l *Layout, windows []Window, beyond Beyond, rank int) []Window {
	n := l.shape[l.axis]
	filled := make([]int, l.ranks+1) // how many of the ranks before have indices at all
	for r := range l.ranks {
		filled[r+1] = filled[r]
		if l.offsets[r] < l.offsets[r+1] {
			filled[r+1]++
		}
	}
	sends := make([]int, l.ranks+1) // differences of how many ranks each rank sends to
	var recv []Window
	for q, window := range windows {
		receives, last := 0, -1 // last is the last rank counted
		wanted := sources(windowRuns(window, beyond, n))
		for _, r := range wanted {
			first, end := max(last+1, l.Owner(r.Lo)), l.Owner(r.Hi-1)
			if first > end {
				continue
			}
			last = end
			sends[first]++
			sends[end+1]--
			receives += filled[end+1] - filled[first]
			if first <= q && q <= end { // its own
				sends[q]--
				sends[q+1]++
				receives -= filled[q+1] - filled[q]
			}
		}
		w.Peers = max(w.Peers, receives)
		if q == rank {
			recv = outside(wanted, Window{l.offsets[q], l.offsets[q+1]})
			for _, r := range recv {
				for i := r.Lo; i < r.Hi; {
					o := l.Owner(i)
					end := min(r.Hi, l.offsets[o+1])
					w.Recv = appendStrip(w.Recv, o, Window{i, end})
					i = end
				}
			}
			continue
		}
		for _, r := range wanted {
			w.Send = appendStrip(w.Send, q, Window{max(r.Lo, l.offsets[rank]), min(r.Hi, l.offsets[rank+1])})
		}
	}
	to := 0
	for r, d := range sends[:l.ranks] {
		if to += d; filled[r] < filled[r+1] {
			w.Peers = max(w.Peers, to)
		}
	}
	return recv
}

func appendStrip(strips []Strip, rank int, r Window) []Strip {
	if r.Count() == 0 {
		return strips
	}
	k := len(strips)
	if k == 0 || strips[k-1].Rank != rank {
		at := 0
		if k > 0 {
			at = strips[k-1].At + strips[k-1].Count
		}
		strips = append(strips, Strip{Rank: rank, At: at})
		k++
	}
	s := &strips[k-1]
	s.Ranges = append(s.Ranges, r)
	s.Count += r.Count()
	return strips
}

// outside returns the parts of ranges that are not in own.
func outside(ranges []Window, own Window) []Window {
	var out []Window
	for _, r := range ranges {
		if own.Count() == 0 {
			out = append(out, r)
			continue
		}
		for _, part := range []Window{{r.Lo, min(r.Hi, own.Lo)}, {max(r.Lo, own.Hi), r.Hi}} {
			if part.Count() > 0 {
				out = append(out, part)
			}
		}
	}
	return out
}

// cut appends the pieces of a run: the parts of it that are in own, and in each
// of the received ranges.
func (w *Windows) cut(u windowRun, own Window, recv []Window) {
	if u.start < 0 {
		w.Pieces = append(w.Pieces, Piece{At: u.at, Count: u.count, Source: Nowhere})
		return
	}
	for k := 0; k < u.count; {
		i := u.start + k*u.step
		in, base, source := own, own.Lo, Own
		if i < own.Lo || i >= own.Hi {
			source = Received
			at := 0
			for _, r := range recv {
				if i < r.Hi {
					in, base = r, r.Lo-at
					break
				}
				at += r.Count()
			}
		}
		count := u.count - k
		switch u.step {
		case 1:
			count = min(count, in.Hi-i)
		case -1:
			count = min(count, i-in.Lo+1)
		}
		w.Pieces = append(w.Pieces, Piece{u.at + k, count, source, i - base, u.step})
		k += count
	}
}

// Received returns how many indices the rank receives.
func (w Windows) Received() int { return total(w.Recv) }

// Sent returns how many indices the rank sends.
func (w Windows) Sent() int { return total(w.Send) }

func total(strips []Strip) int {
	if len(strips) == 0 {
		return 0
	}
	last := strips[len(strips)-1]
	return last.At + last.Count
}

// String returns the plan in one line: "window [3, 9) from 0: [3, 5) to 2: [7, 8)".
func (w Windows) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "window [%d, %d)", w.Window.Lo, w.Window.Hi)
	for _, side := range []struct {
		name   string
		strips []Strip
	}{{"from", w.Recv}, {"to", w.Send}} {
		for _, s := range side.strips {
			fmt.Fprintf(&b, " %s %d:", side.name, s.Rank)
			for _, r := range s.Ranges {
				fmt.Fprintf(&b, " [%d, %d)", r.Lo, r.Hi)
			}
		}
	}
	return b.String()
}
