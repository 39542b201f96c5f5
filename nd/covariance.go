package nd

import (
	"math"

	"caloric/internal/misuse"
	"caloric/internal/parallel"
	"caloric/split"
	"caloric/spmd"
)

// RowVar says whether each row of the operand of [Cov] and [CorrCoef] is a
// variable, as it is without this option, or each column.
func RowVar(rows bool) Option {
	o := Option{kind: rowVarOption}
	if rows {
		o.n = 1
	}
	return o
}

// FWeights gives [Cov] how often each observation is to count. Reductions panic
// with it, as with [AWeights].
func FWeights(w *NDArray[int64]) Option { return Option{kind: fweightsOption, with: w} }

// AWeights gives [Cov] how much each observation is to count.
func AWeights(w *NDArray[float64]) Option { return Option{kind: aweightsOption, with: w} }

// Cov returns the covariance matrix of the variables in x, and in y below them
// unless it is nil: rows, or with [RowVar](false) columns, of which the other
// index counts observations. A vector is one variable; of one variable alone the
// result has shape (). It is computed in double precision from deviations from
// the means. The divisor is the number of observations minus [DDof], which is 1
// else (NumPy's bias=True is DDof(0)); [FWeights] and [AWeights] weight observations.
//
//	nd.Cov[float64](x, nil, nd.RowVar(false))
//
// Collective unless all operands are replicated. Result split: None, or 0 if x is
// split along its variables: each rank gets the rows of its own. Communication of
// k variables: one allreduce of 8(k+3) bytes for the means, and one of 4k(k+1) bytes;
// if x is split along its variables instead one alltoallv of x, and one
// reduce-scatter of 8k² bytes. Of x and y together those of [Concatenate] beside,
// and weights that are split in another way move.
// Panics if x has more than two axes, the observations of the operands differ in
// number, or a weight is negative.
func Cov[A Float, T Real](x, y *NDArray[T], opts ...Option) *NDArray[A] {
	return covariance[T, float64, A](covKernel[T]{}, x, y, opts, false)
}

// CovComplex is [Cov] of complex variables, where the second factor is conjugate.
//
// Collective unless all operands are replicated. Result split and panics: as
// [Cov]. Communication: as [Cov], with elements of 16 bytes.
func CovComplex[A, T Complex](x, y *NDArray[T], opts ...Option) *NDArray[A] {
	return covariance[T, complex128, A](complexCovKernel[T]{}, x, y, opts, false)
}

// CorrCoef returns the correlation coefficients of the variables in x and y: their
// covariances, see [Cov], divided by both standard deviations.
//
//	nd.CorrCoef[float64](table, nil, nd.RowVar(false)) // of a table's columns
//
// Collective unless all operands are replicated. Result split and panics: as
// [Cov]. Communication: as [Cov], and one allgatherv of 8 bytes a variable if x is
// split along its variables.
func CorrCoef[A Float, T Real](x, y *NDArray[T], opts ...Option) *NDArray[A] {
	return covariance[T, float64, A](covKernel[T]{}, x, y, opts, true)
}

// CorrCoefComplex is [CorrCoef] of complex variables; see [CovComplex].
//
// Collective unless all operands are replicated. Result split, communication and
// panics: as [CorrCoef], with elements of 16 bytes.
func CorrCoefComplex[A, T Complex](x, y *NDArray[T], opts ...Option) *NDArray[A] {
	return covariance[T, complex128, A](complexCovKernel[T]{}, x, y, opts, true)
}

// covariances is one call of Cov.
type covariances[T, W Number] struct {
	k        covKernels[T, W]
	x        *NDArray[T] // variables × observations, the variables never split
	fw       *NDArray[int64]
	aw       *NDArray[float64]
	weights  []float64 // this rank's, nil without
	total    float64   // of all weights
	squares  float64   // of their products with those of AWeights
	negative float64   // how many of them are
	mean     []W
	factor   float64 // the divisor
}

func covariance[T, W, A Number](k covKernels[T, W], x, y *NDArray[T], opts []Option, correlate bool) *NDArray[A] {
	c := covariances[T, W]{k: k}
	ddof, rowVar := 1.0, true
	for _, o := range opts {
		switch o.kind {
		case ddofOption:
			ddof = o.ddof
		case rowVarOption:
			rowVar = o.n == 1
		case fweightsOption:
			c.fw = o.with.(*NDArray[int64])
		case aweightsOption:
			c.aw = o.with.(*NDArray[float64])
		default:
			misuse.Panic("an option that is not for covariances")
		}
	}
	c.x = variablesOf(x, rowVar)
	if y != nil {
		sameComm(x.comm, y.comm)
		y = variablesOf(y, rowVar || y.NDim() == 2 && y.layout.Shape()[0] == 1)
		if y.layout.Shape()[1] != c.x.layout.Shape()[1] {
			misuse.Panic("variables of shapes %v and %v differ in observations", x.layout.Shape(), y.layout.Shape())
		}
		c.x = Concatenate(0, c.x, y)
	}
	c.checkWeights()
	vars := c.x.layout
	n := vars.Shape()[0]
	comm := c.x.comm
	if vars.Axis() == 0 {
		c.x = moved(c.x, split.Block(vars.Shape(), 1, comm.Size()))
	}
	c.weigh()
	c.means(ddof)
	p := c.products()
	l := split.Block(Shape{n, n}, split.None, comm.Size())
	rows := p
	switch {
	case vars.Axis() == 0 && n > 1:
		l = split.WithCounts(Shape{n, n}, 0, vars.Counts())
		counts := vars.Counts()
		for r := range counts {
			counts[r] *= n
		}
		rows = make([]W, counts[comm.Rank()])
		c.mirror(p, n)
		spmd.ReduceScatter(comm, p, rows, counts, spmd.Sum)
	case !vars.Replicated():
		c.addUp(p, n)
		c.mirror(p, n)
	default:
		c.mirror(p, n)
	}
	k.scale(rows, 1/c.factor)
	lo, _ := l.Range(comm.Rank())
	if correlate {
		c.correlate(rows, n, lo, l)
	}
	if n == 1 {
		l = split.Block(Shape{}, split.None, comm.Size())
	}
	return AsType[A](wrap(comm, l, rows))
}

// variablesOf returns x with a variable in each row.
func variablesOf[T Element](x *NDArray[T], rows bool) *NDArray[T] {
	switch {
	case x.NDim() > 2:
		misuse.Panic("variables in an array of shape %v", x.layout.Shape())
	case x.NDim() < 2:
		return Atleast2D(x)
	case !rows:
		return x.T()
	}
	return x
}

// checkWeights checks the weights' shapes.
func (c *covariances[T, W]) checkWeights() {
	if c.fw != nil {
		c.fw = observed(c.x, c.fw)
	}
	if c.aw != nil {
		c.aw = observed(c.x, c.aw)
	}
}

// observed returns w, which has one weight for each observation, with two axes.
func observed[T, U Element](x *NDArray[T], w *NDArray[U]) *NDArray[U] {
	sameComm(x.comm, w.comm)
	n := x.layout.Shape()[1]
	if !w.layout.Shape().Equal(Shape{n}) {
		misuse.Panic("weights of shape %v for %d observations", w.layout.Shape(), n)
	}
	return ExpandDims(w, 0)
}

// weigh finds this rank's weights and their sums.
func (c *covariances[T, W]) weigh() {
	n := c.x.shape[1]
	c.total = float64(n)
	if c.fw == nil && c.aw == nil {
		return
	}
	c.weights, c.total = make([]float64, n), 0
	fill(c.weights, 1)
	if c.fw != nil {
		for i, v := range localRow(c.x, c.fw) {
			c.weights[i] = float64(v)
			if v < 0 {
				c.negative++
			}
		}
	}
	if c.aw != nil {
		for i, v := range localRow(c.x, c.aw) {
			c.weights[i] *= v
			c.squares += c.weights[i] * v
			if v < 0 {
				c.negative++
			}
		}
	}
	for _, v := range c.weights {
		c.total += v
	}
}

// localRow returns this rank's part of w, whose last axis is that of x, in x's layout.
func localRow[T, U Element](x *NDArray[T], w *NDArray[U]) []U {
	w = aligned(x.layout, w)
	walk := newWalk(x.shape)
	addOperand(&walk, x.layout, w)
	out := make([]U, x.shape[1])
	for i := range out {
		out[i] = w.data[walk.offset[0]+i*walk.stride[0][1]]
	}
	return out
}

// covBlock is how many observations are worked on at a time.
const covBlock = 256

// eachBlock calls f with the observations of this rank, some at a time: in x a
// row of m for each variable, minus its mean, and in weighted the same times the
// weights.
func (c *covariances[T, W]) eachBlock(f func(x, weighted []W, m int)) {
	k, n := c.x.shape[0], c.x.shape[1]
	x := make([]W, k*min(n, covBlock))
	weighted := x
	if c.weights != nil {
		weighted = make([]W, len(x))
	}
	for from := 0; from < n; from += covBlock {
		m := min(covBlock, n-from)
		for i := range k {
			row := x[i*m : (i+1)*m]
			c.k.widen(row, c.x.data, c.x.offset+i*c.x.strides[0]+from*c.x.strides[1], c.x.strides[1])
			if c.mean != nil {
				for o := range row {
					row[o] -= c.mean[i]
				}
			}
			if c.weights != nil {
				out := weighted[i*m : (i+1)*m]
				copy(out, row)
				c.k.weight(out, c.weights[from:from+m])
			}
		}
		f(x, weighted, m)
	}
}

// means finds the variables' means, and the divisor.
func (c *covariances[T, W]) means(ddof float64) {
	k := c.x.shape[0]
	sums := make([]W, k+3)
	c.eachBlock(func(_, x []W, m int) {
		for i := range k {
			var s W
			for _, v := range x[i*m : (i+1)*m] {
				s += v
			}
			sums[i] += s
		}
	})
	for i, v := range [3]float64{c.total, c.squares, c.negative} {
		sums[k+i] = 1
		c.k.scale(sums[k+i:k+i+1], v)
	}
	if !c.x.layout.Replicated() {
		spmd.Allreduce(c.x.comm, sums, spmd.Sum)
	}
	total, squares := c.k.real(sums[k]), c.k.real(sums[k+1])
	if c.k.real(sums[k+2]) > 0 {
		misuse.Panic("a weight is negative")
	}
	c.mean = sums[:k]
	c.k.scale(c.mean, 1/total)
	switch {
	case c.aw == nil || ddof == 0:
		c.factor = max(total-ddof, 0)
	default:
		c.factor = max(total-ddof*squares/total, 0)
	}
}

// products returns the sums of this rank's products of the deviations of each
// pair of variables, above the diagonal and on it.
func (c *covariances[T, W]) products() []W {
	k := c.x.shape[0]
	p := make([]W, k*k)
	c.eachBlock(func(x, weighted []W, m int) {
		parts := 1
		if k*k*m >= parallelSize {
			parts = c.x.comm.Workers()
		}
		parallel.Each(parts, k, func(i int) { // rows get shorter
			row := x[i*m : (i+1)*m]
			for j := i; j < k; j++ {
				p[i*k+j] += c.k.product(row, weighted[j*m:(j+1)*m])
			}
		})
	})
	return p
}

// addUp adds the ranks' products, above the diagonal and on it.
func (c *covariances[T, W]) addUp(p []W, k int) {
	upper := make([]W, 0, k*(k+1)/2)
	for i := range k {
		upper = append(upper, p[i*k+i:(i+1)*k]...)
	}
	spmd.Allreduce(c.x.comm, upper, spmd.Sum)
	for i := range k {
		copy(p[i*k+i:(i+1)*k], upper)
		upper = upper[k-i:]
	}
}

// mirror sets what is below the diagonal.
func (c *covariances[T, W]) mirror(p []W, k int) {
	for i := range k {
		for j := range i {
			p[i*k+j] = c.k.conj(p[j*k+i])
		}
	}
}

// correlate divides the rows from lo on, which l gives this rank, by the standard
// deviations, and clips each part to -1..1.
func (c *covariances[T, W]) correlate(rows []W, k, lo int, l *split.Layout) {
	mine := len(rows) / max(1, k)
	sd := make([]float64, k)
	for i := range mine {
		sd[lo+i] = math.Sqrt(c.k.real(rows[i*k+lo+i]))
	}
	if !l.Replicated() {
		spmd.Allgatherv(c.x.comm, append([]float64(nil), sd[lo:lo+mine]...), sd, l.Counts())
	}
	for i := range mine {
		for j := range k {
			r := rows[i*k+j : i*k+j+1]
			c.k.scale(r, 1/sd[lo+i])
			c.k.scale(r, 1/sd[j])
			r[0] = clipParts(r[0])
		}
	}
}
