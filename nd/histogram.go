package nd

import (
	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// Histogram returns how many elements of a fall in each bin, and the bins' edges.
//
//	counts, edges := nd.Histogram(a, nd.EqualBins(10))
//
// Collective unless a is replicated. Result split: None. Communication: one
// allreduce of the counts, and before it one of 16 bytes if the bins' range is not
// given; none if a is replicated. [BinsBy] needs the statistics of its rule beside.
// Panics if the bins make no sense, or a range to be found is not finite.
func Histogram[T Real](a *NDArray[T], bins Bins) (counts *NDArray[int64], edges *NDArray[float64]) {
	bins.check()
	axes := []axisBins{newAxisBins(edgesFor(a, bins), bins)}
	n := tally(a.comm, axes, a.layout, nil, binColumn[T]{a.Local(), axes[0]})
	return AsType[int64](n), edgeArray(a.comm, axes[0].edges)
}

// HistogramWeights is [Histogram] with each element counted as often as weights,
// of a's shape, says at its place.
//
// Collective unless a and weights are replicated. Result split: None.
// Communication: as [Histogram], and one move of the weights if they are not
// split like a. Panics as [Histogram] does, or if the shapes differ, or for [BinsBy].
func HistogramWeights[T Real](a *NDArray[T], weights *NDArray[float64], bins Bins) (sums, edges *NDArray[float64]) {
	checkWeights(weights, a, bins)
	axes := []axisBins{newAxisBins(edgesFor(a, bins), bins)}
	n := tally(a.comm, axes, a.layout, weights, binColumn[T]{a.Local(), axes[0]})
	return n, edgeArray(a.comm, axes[0].edges)
}

// HistogramDensity is [Histogram], or with weights that are not nil
// [HistogramWeights], scaled so that its integral over the bins is 1.
//
// Collective unless a and weights are replicated. Result split: None.
// Communication and panics: as [HistogramWeights].
func HistogramDensity[T Real](a *NDArray[T], weights *NDArray[float64], bins Bins) (density, edges *NDArray[float64]) {
	checkWeights(weights, a, bins)
	axes := []axisBins{newAxisBins(edgesFor(a, bins), bins)}
	n := tally(a.comm, axes, a.layout, weights, binColumn[T]{a.Local(), axes[0]})
	toDensity(n.data, axes)
	return n, edgeArray(a.comm, axes[0].edges)
}

// HistogramBinEdges returns the edges of the bins that [Histogram] takes.
//
// Collective unless a is replicated or the bins' range is given. Result split:
// None. Communication: one allreduce of 16 bytes if the bins' range is not given,
// and what the rule of [BinsBy] needs. Panics as [Histogram] does.
func HistogramBinEdges[T Real](a *NDArray[T], bins Bins) *NDArray[float64] {
	bins.check()
	return edgeArray(a.comm, edgesFor(a, bins))
}

// Histogram2D returns how many of the points (x, y) fall in each bin of a plane,
// and the bins' edges along x, axis 0 of the result, and y, axis 1.
//
// Collective unless x and y are replicated. Result split: None. Communication: one
// allreduce of the counts, before it one of 16 bytes for each axis whose range is
// not given, and one move of y if it is not split like x; none if both are
// replicated. Panics as [Histogram] does, or if the shapes differ.
func Histogram2D[T Real](x, y *NDArray[T], xBins, yBins Bins) (counts, xEdges, yEdges *NDArray[float64]) {
	return histogram2D(x, y, nil, xBins, yBins, false)
}

// Histogram2DWeights is [Histogram2D] with each point counted as often as
// weights, of x's shape, says at its place.
//
// Collective unless all are replicated. Result split: None. Communication: as
// [Histogram2D], and one move of the weights if they are not split like x.
// Panics as [Histogram2D] does.
func Histogram2DWeights[T Real](x, y *NDArray[T], weights *NDArray[float64], xBins, yBins Bins) (sums, xEdges, yEdges *NDArray[float64]) {
	return histogram2D(x, y, weights, xBins, yBins, false)
}

// Histogram2DDensity is [Histogram2D], or with weights that are not nil
// [Histogram2DWeights], scaled so that its integral over the plane is 1.
//
// Collective unless all are replicated. Result split: None.
// Communication and panics: as [Histogram2DWeights].
func Histogram2DDensity[T Real](x, y *NDArray[T], weights *NDArray[float64], xBins, yBins Bins) (density, xEdges, yEdges *NDArray[float64]) {
	return histogram2D(x, y, weights, xBins, yBins, true)
}

func histogram2D[T Real](x, y *NDArray[T], weights *NDArray[float64], xBins, yBins Bins, density bool) (h, xEdges, yEdges *NDArray[float64]) {
	checkSameShape(y, x)
	checkWeights(weights, x, xBins)
	checkWeights(weights, x, yBins)
	axes := []axisBins{newAxisBins(edgesFor(x, xBins), xBins), newAxisBins(edgesFor(y, yBins), yBins)}
	h = tally(x.comm, axes, x.layout, weights, binColumn[T]{x.Local(), axes[0]}, binColumn[T]{localLike(x.layout, y), axes[1]})
	if density {
		toDensity(h.data, axes)
	}
	return h, edgeArray(x.comm, axes[0].edges), edgeArray(x.comm, axes[1].edges)
}

// HistogramDD returns how many of the points, the rows of sample, fall in each
// bin of a space with as many axes as sample has columns, and each axis' edges.
//
// Collective unless sample is replicated. Result split: None. Communication: one
// allreduce of the counts, before it one of 16 bytes for each axis whose range is
// not given, and one alltoallv if sample is split along axis 1; none if it is
// replicated. Panics as [Histogram] does, or if sample is no matrix with a column
// for each of bins.
func HistogramDD[T Real](sample *NDArray[T], bins ...Bins) (counts *NDArray[float64], edges []*NDArray[float64]) {
	if sample.NDim() != 2 || sample.layout.Shape()[1] != len(bins) {
		misuse.Panic("%d bins for points of shape %v", len(bins), sample.layout.Shape())
	}
	if sample.layout.Axis() == 1 {
		sample = sample.Resplit(0)
	}
	var axes []axisBins
	var columns []numberer
	rows, _ := split.Reduce(sample.layout, []int{1}, false)
	for j, b := range bins {
		b.check()
		x := sample.Slice(Whole(), Index(j))
		axes = append(axes, newAxisBins(edgesFor(x, b), b))
		columns = append(columns, binColumn[T]{x.Local(), axes[j]})
		edges = append(edges, edgeArray(sample.comm, axes[j].edges))
	}
	return tally(sample.comm, axes, rows, nil, columns...), edges
}

func checkWeights[T Real](weights *NDArray[float64], a *NDArray[T], b Bins) {
	b.check()
	if weights == nil {
		return
	}
	checkSameShape(weights, a)
	if b.rule != "" {
		misuse.Panic("the rule %q is not for weighted elements", b.rule)
	}
}

func edgeArray(c *spmd.Comm, edges []float64) *NDArray[float64] {
	return wrapReplicated(c, Shape{len(edges)}, append([]float64(nil), edges...))
}

// axisBins finds the bin of a number among the bins of one axis.
type axisBins struct {
	edges  []float64
	even   bool
	lo, hi float64
	scale  float64 // bins per unit, if they are even
}

func newAxisBins(edges []float64, b Bins) axisBins {
	n := len(edges) - 1
	x := axisBins{edges: edges, even: b.edges == nil, lo: edges[0], hi: edges[n]}
	x.scale = float64(n) / (x.hi - x.lo)
	return x
}

// bin returns the bin of x, -1 if it is outside or NaN.
func (b *axisBins) bin(x float64) int {
	if !(x >= b.lo && x <= b.hi) {
		return -1
	}
	n := len(b.edges) - 1
	if !b.even {
		return min(binOf(b.edges, x, false), n) - 1
	}
	// Rounding may put a number beside its bin: the edges decide.
	i := min(int((x-b.lo)*b.scale), n-1)
	for i > 0 && x < b.edges[i] {
		i--
	}
	for i < n-1 && x >= b.edges[i+1] {
		i++
	}
	return i
}

// A numberer extends the numbers of cells by an axis: cells[i], if it is not
// negative, becomes cells[i]·bins + the bin of element start+i along it.
type numberer interface{ number(cells []int, start int) }

type binColumn[T Real] struct {
	xs   []T
	bins axisBins
}

func (c binColumn[T]) number(cells []int, start int) {
	n := len(c.bins.edges) - 1
	for i, x := range c.xs[start : start+len(cells)] {
		b := c.bins.bin(float64(x))
		if b < 0 || cells[i] < 0 {
			cells[i] = -1
			continue
		}
		cells[i] = cells[i]*n + b
	}
}

// tally returns how many elements of arrays of layout l, or what weight of them,
// fall in each cell.
func tally(c *spmd.Comm, axes []axisBins, l *split.Layout, weights *NDArray[float64], columns ...numberer) *NDArray[float64] {
	shape := Shape{}
	for _, b := range axes {
		shape = append(shape, len(b.edges)-1)
	}
	out := newArray[float64](c, split.Block(shape, split.None, c.Size()))
	n := l.LocalSize(c.Rank())
	var w []float64
	if weights != nil {
		w = localLike(l, weights)
	}
	counts := make([]int64, len(out.data)) // whole numbers are counted as such
	var cells [block]int
	for start := 0; start < n; start += block {
		m := min(block, n-start)
		clear(cells[:m])
		for _, x := range columns {
			x.number(cells[:m], start)
		}
		for i, b := range cells[:m] {
			switch {
			case b < 0:
			case w == nil:
				counts[b]++
			default:
				out.data[b] += w[start+i]
			}
		}
	}
	if w == nil {
		for i, k := range counts {
			out.data[i] = float64(k)
		}
	}
	if !l.Replicated() {
		spmd.Allreduce(c, out.data, spmd.Sum)
	}
	return out
}

// toDensity divides cells by their sum and their sizes.
func toDensity(h []float64, axes []axisBins) {
	total := 0.0
	for _, v := range h {
		total += v
	}
	for i := range h {
		size, rest := 1.0, i
		for k := len(axes) - 1; k >= 0; k-- {
			e := axes[k].edges
			j := rest % (len(e) - 1)
			rest /= len(e) - 1
			size *= e[j+1] - e[j]
		}
		h[i] = h[i] / size / total
	}
}
