package split

import "fmt"

// Kind is what a move between two layouts amounts to.
type Kind uint8

// The kinds of moves.
const (
	Nothing   Kind = iota // the layouts are equal
	Cut                   // every rank keeps a part of what it holds; nothing is sent
	AllGather             // every rank gets every other rank's block
	Exchange              // each rank sends some of its block to some ranks: one alltoallv
)

var kindNames = [...]string{"nothing", "cut", "allgatherv", "alltoallv"}

// String returns the name of the move's collective, or "nothing" or "cut".
func (k Kind) String() string { return kindNames[k] }

// Part is a box, in global indices, that travels from or to Rank. Rank may be
// the planning rank itself, for what it keeps.
type Part struct {
	Rank int
	Box  Box
}

// Plan is one rank's share of a move of an array from one layout to another.
// Send and Recv are in rank order and hold no empty boxes. An allgather sends
// nothing by list: every rank sends its whole block to all.
type Plan struct {
	From, To *Layout
	Rank     int
	Kind     Kind
	Send     []Part
	Recv     []Part
}

// Move returns what rank sends and receives when an array changes from layout
// from to layout to. Each element goes to each rank that shall hold it, once,
// from the rank that owns it; an element that a rank keeps is a part from the
// rank to itself. A move from a replicated layout sends nothing.
// Panics if the layouts differ in shape or number of ranks.
func Move(from, to *Layout, rank int) Plan {
	if !from.shape.Equal(to.shape) || from.ranks != to.ranks {
		must(fmt.Errorf("no move from %v over %d ranks to %v over %d", from, from.ranks, to, to.ranks))
	}
	p := Plan{From: from, To: to, Rank: rank}
	mine, want := from.Local(rank), to.Local(rank)
	switch {
	case from.Equal(to):
		p.Kind = Nothing
	case from.Replicated() || from.ranks == 1:
		p.Kind = Cut
		p.Recv = appendPart(nil, rank, want)
		p.Send = p.Recv
	case to.Replicated():
		p.Kind = AllGather
		for r := range from.ranks {
			p.Recv = appendPart(p.Recv, r, from.Local(r))
		}
	default:
		p.Kind = Exchange
		for r := range from.ranks {
			p.Send = appendPart(p.Send, r, mine.Intersect(to.Local(r)))
			p.Recv = appendPart(p.Recv, r, want.Intersect(from.Local(r)))
		}
	}
	return p
}

func appendPart(parts []Part, rank int, b Box) []Part {
	if b.Size() == 0 {
		return parts
	}
	return append(parts, Part{rank, b})
}

// Elements returns how many elements the rank sends to other ranks.
func (p Plan) Elements() int {
	if p.Kind == AllGather {
		return p.From.LocalSize(p.Rank) * (p.From.ranks - 1)
	}
	n := 0
	for _, s := range p.Send {
		if s.Rank != p.Rank {
			n += s.Box.Size()
		}
	}
	return n
}

// Format returns the plan in one line, with the bytes that the rank sends when
// an element has elemBytes: "S0→S1 alltoallv 3.2 MB".
func (p Plan) Format(elemBytes int) string {
	return fmt.Sprintf("%s→%s %v %s", p.From.code(), p.To.code(), p.Kind, bytesText(p.Elements()*elemBytes))
}

// String is Format for 8-byte elements.
func (p Plan) String() string { return p.Format(8) }

func bytesText(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	units := []string{"kB", "MB", "GB", "TB", "PB"}
	x, u := float64(n)/1000, 0
	for x >= 999.95 && u < len(units)-1 { // from there on %.1f gives 1000.0
		x, u = x/1000, u+1
	}
	return fmt.Sprintf("%.1f %s", x, units[u])
}
