package nd

import (
	"math"

	"caloric/internal/misuse"
	"caloric/spmd"
)

// Bins says how a histogram's bins are chosen; see [EqualBins], [BinsIn],
// [BinEdges] and [BinsBy]. A bin holds its lower edge, and the last one both.
type Bins struct {
	n      int
	rule   string
	lo, hi float64
	ranged bool
	edges  []float64
}

// EqualBins are n bins of equal width from the smallest to the largest element.
func EqualBins(n int) Bins { return Bins{n: n} }

// BinsIn are n bins of equal width from lo to hi; elements outside are not counted.
func BinsIn(n int, lo, hi float64) Bins { return Bins{n: n, lo: lo, hi: hi, ranged: true} }

// BinEdges are the bins between neighbours of edges, which do not fall; elements
// outside are not counted.
func BinEdges(edges ...float64) Bins { return Bins{edges: edges} }

// BinsBy are bins of equal width, as many as a rule of NumPy's takes to be right:
// "auto", "sqrt", "sturges", "rice", "scott", "doane" or "fd".
func BinsBy(rule string) Bins { return Bins{rule: rule} }

// check panics if b makes no sense.
func (b Bins) check() {
	switch {
	case b.edges != nil:
		for i, e := range b.edges {
			if e != e || i > 0 && e < b.edges[i-1] {
				misuse.Panic("bin edges %v do not rise", b.edges)
			}
		}
		if len(b.edges) < 2 {
			misuse.Panic("bin edges %v enclose no bin", b.edges)
		}
	case b.rule == "" && (b.n < 1 || b.n > maxBins):
		misuse.Panic("%d bins, want from 1 to %d", b.n, maxBins)
	case b.rule != "" && binRules[b.rule] == nil:
		misuse.Panic("no rule for bins is called %q", b.rule)
	case b.ranged && !(b.lo <= b.hi && !math.IsInf(b.hi-b.lo, 0)):
		misuse.Panic("bins from %v to %v", b.lo, b.hi)
	}
}

// edgesFor returns the edges of the bins for a's elements. Communication: none
// for edges and ranges that are given, else one allreduce of 16 bytes, and what
// the rule's statistics need.
func edgesFor[T Real](a *NDArray[T], b Bins) []float64 {
	if b.edges != nil {
		return b.edges
	}
	lo, hi := b.lo, b.hi
	if !b.ranged {
		lo, hi = rangeOf(a)
	}
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	n := b.n
	if b.rule != "" {
		n = 1
		if width := binRules[b.rule](summaryOf(a)); width > 0 && a.Size() > 0 {
			if !isFloat[T]() {
				width = max(width, 1)
			}
			bins := math.Ceil((hi - lo) / width)
			if !(bins <= maxBins) {
				misuse.Panic("the rule %q asks for %g bins of %g between %v and %v, want at most %d", b.rule, bins, width, lo, hi, maxBins)
			}
			n = int(bins)
		}
	}
	return evenEdges[T](lo, hi, n, b.ranged || a.Size() == 0)
}

// maxBins is the most bins: every rank holds all edges and counts.
const maxBins = 1 << 30

// evenEdges returns the edges of n bins of equal width as NumPy has them: for
// float32 elements rounded to float32, and computed so unless the range was given.
func evenEdges[T Real](lo, hi float64, n int, given bool) []float64 {
	var edges []float64
	switch single := kindOf[T]() == kindFloat32; {
	case single && !given:
		edges = edgesIn(float32(lo), float32(hi), n)
	default:
		edges = edgesIn(lo, hi, n)
		for i, e := range edges {
			if single {
				edges[i] = float64(float32(e))
			}
		}
	}
	for i, e := range edges[:n] {
		if e >= edges[i+1] {
			misuse.Panic("%d bins are too many between %v and %v", n, lo, hi)
		}
	}
	return edges
}

func edgesIn[F Float](lo, hi F, n int) []float64 {
	edges := make([]float64, n+1)
	step := (hi - lo) / F(n)
	for i := range edges {
		edges[i] = float64(lo + F(F(i)*step))
	}
	edges[n] = float64(hi)
	return edges
}

// rangeOf returns a's smallest and largest element, 0 and 1 if it has none.
func rangeOf[T Real](a *NDArray[T]) (lo, hi float64) {
	if a.Size() == 0 {
		return 0, 1
	}
	ends := []float64{math.Inf(-1), math.Inf(-1)} // of -x and x: one allreduce finds both
	for _, x := range a.Local() {
		ends[0], ends[1] = max(ends[0], -float64(x)), max(ends[1], float64(x))
	}
	if !a.layout.Replicated() {
		spmd.Allreduce(a.comm, ends, spmd.Max)
	}
	lo, hi = -ends[0], ends[1]
	if d := hi - lo; d != d || math.IsInf(d, 0) {
		misuse.Panic("the elements' range from %v to %v is not finite", lo, hi)
	}
	return lo, hi
}

// summary is what the rules know of the elements.
type summary struct {
	n                   float64
	ptp, std, skew, iqr func() float64
}

func summaryOf[T Real](a *NDArray[T]) summary {
	return summary{
		n:    float64(a.Size()),
		ptp:  func() float64 { lo, hi := rangeOf(a); return hi - lo },
		std:  func() float64 { return Std[float64](a).Item() },
		skew: func() float64 { return Skew[float64](a).Item() },
		iqr: func() float64 {
			q := Quantiles[float64](a, []float64{0.25, 0.75}).Local()
			return q[1] - q[0]
		},
	}
}

// binRules give the width of a bin, 0 if there should be just one. They are those
// of numpy.histogram_bin_edges, which names their sources.
var binRules map[string]func(s summary) float64

func init() {
	fd := func(s summary) float64 { return 2 * s.iqr() * math.Pow(s.n, -1.0/3) }
	sturges := func(s summary) float64 { return s.ptp() / (math.Log2(s.n) + 1) }
	sqrt := func(s summary) float64 { return s.ptp() / math.Sqrt(s.n) }
	binRules = map[string]func(s summary) float64{
		"sqrt":    sqrt,
		"sturges": sturges,
		"rice":    func(s summary) float64 { return s.ptp() / (2 * math.Cbrt(s.n)) },
		"scott":   func(s summary) float64 { return math.Cbrt(24*math.Sqrt(math.Pi)/s.n) * s.std() },
		"fd":      fd,
		"doane": func(s summary) float64 {
			if s.n <= 2 || s.std() == 0 {
				return 0
			}
			sg1 := math.Sqrt(6 * (s.n - 2) / ((s.n + 1) * (s.n + 3)))
			return s.ptp() / (1 + math.Log2(s.n) + math.Log2(1+math.Abs(s.skew())/sg1))
		},
		"auto": func(s summary) float64 {
			f, t := fd(s), sturges(s)
			// Where the quartiles are close together, their width says little.
			f = max(f, sqrt(s)/2)
			return min(f, t)
		},
	}
}
