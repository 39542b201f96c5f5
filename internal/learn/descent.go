package learn

import (
	"math"

	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/spmd"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// descent is the state of Lasso. Covariances, here and below, are divided by the
// number of samples; the residual is that of the centered target.
type descent[T nd.Float] struct {
	c          *spmd.Comm
	rows       []T // this rank's samples
	n, p       int // of this rank; features
	samples    float64
	mean       []float64 // of the features
	center     float64   // of the target
	lambda     float64
	w          []float64
	blocks     []features
	residual   []float64 // of this rank's samples; kept up if there are several blocks
	gradient   []float64 // covariances of the features with the residual
	covariance []float64 // of the features with the target
	rr, yy     float64   // mean squares of the residual and of the centered target
}

// features are those from lo to hi, and their covariances.
type features struct {
	lo, hi int
	gram   []float64
}

func newDescent[T nd.Float](x, y *nd.NDArray[T], lambda float64, block int) *descent[T] {
	n, p := x.LocalShape()[0], x.Shape()[1]
	f := &descent[T]{c: x.Comm(), rows: x.Local(), n: n, p: p, samples: float64(x.Shape()[0]), lambda: lambda,
		mean: nd.Mean[float64](x, nd.Over(0)).Local(), center: nd.Mean[float64](y).Item(),
		w: make([]float64, p), residual: make([]float64, n), gradient: make([]float64, p), covariance: make([]float64, p)}
	for i, v := range y.Local() {
		f.residual[i] = float64(v) - f.center
	}
	for lo := 0; lo < max(p, 1); lo += block {
		hi := min(lo+block, p)
		f.blocks = append(f.blocks, f.covariances(lo, hi))
	}
	if f.yy <= roundedOff(f.center) {
		f.yy = 0
		clear(f.residual)
		clear(f.gradient)
	}
	f.rr = f.yy
	copy(f.covariance, f.gradient)
	return f
}

// covariances returns the features from lo to hi with their covariances, and sets
// their gradient and the mean square of the target.
//
// Communication: one allreduce of (hi-lo+1)² numbers.
func (f *descent[T]) covariances(lo, hi int) features {
	m := hi - lo + 1 // the features and the target
	parts := make([][]float64, max(1, min(maxParts, f.n/blockRows, 1<<20/(m*m))))
	parallel.Each(f.c.Workers(), len(parts), func(p int) {
		columns, sum := make([]float64, m*blockRows), make([]float64, m*m)
		for from, to := p*f.n/len(parts), (p+1)*f.n/len(parts); from < to; from += blockRows {
			n := min(blockRows, to-from)
			transpose(columns, f.rows[from*f.p+lo:], f.p, n, f.mean[lo:hi])
			copy(columns[(m-1)*n:], f.residual[from:from+n])
			blas64.Syrk(blas.NoTrans, 1, blas64.General{Rows: m, Cols: n, Stride: n, Data: columns}, 1,
				blas64.Symmetric{N: m, Stride: m, Data: sum, Uplo: blas.Upper})
		}
		parts[p] = sum
	})
	sum := parts[0]
	for _, p := range parts[1:] {
		for i, v := range p {
			sum[i] += v
		}
	}
	spmd.Allreduce(f.c, sum, spmd.Sum)
	b := features{lo, hi, make([]float64, (m-1)*(m-1))}
	for i := range m - 1 {
		for j := i; j < m-1; j++ {
			v := sum[i*m+j] / f.samples
			b.gram[i*(m-1)+j], b.gram[j*(m-1)+i] = v, v
		}
		f.gradient[lo+i] = sum[i*m+m-1] / f.samples
		if b.gram[i*m] <= roundedOff(f.mean[lo+i]) {
			b.gram[i*m] = 0
		}
	}
	f.yy = sum[m*m-1] / f.samples
	return b
}

// roundedOff returns the variance up to which numbers of that mean are one value: they
// differ from it by no more than its rounding.
func roundedOff(mean float64) float64 { return math.Pow(8*0x1p-52*mean, 2) }

// sweep takes one step for each feature and reports whether a coefficient changed.
//
// Communication: none for one block, else for each an allreduce of its gradient.
func (f *descent[T]) sweep() (change bool) {
	several := len(f.blocks) > 1
	for _, b := range f.blocks {
		gradient, w := f.gradient[b.lo:b.hi], f.w[b.lo:b.hi]
		if several {
			f.project(gradient, b)
			spmd.Allreduce(f.c, gradient, spmd.Sum)
		}
		steps := make([]float64, len(w))
		for j := range w {
			row := b.gram[j*len(w):][:len(w)]
			if row[j] == 0 {
				continue
			}
			to := softThreshold(gradient[j]+row[j]*w[j], f.lambda) / row[j]
			if by := to - w[j]; by != 0 {
				w[j], steps[j], change = to, by, true
				for i, v := range row {
					gradient[i] -= v * by
				}
			}
		}
		if several {
			f.update(b, steps)
		}
	}
	return change
}

// softThreshold returns z moved towards 0 by lambda, but not beyond.
func softThreshold(z, lambda float64) float64 {
	switch {
	case z > lambda:
		return z - lambda
	case z < -lambda:
		return z + lambda
	}
	return 0
}

// project sets gradient to this rank's share of the covariances of b with the
// residual.
func (f *descent[T]) project(gradient []float64, b features) {
	clear(gradient)
	block := make([]float64, len(gradient))
	mean := f.mean[b.lo:b.hi]
	for from := 0; from < f.n; from += blockRows {
		clear(block)
		for i := from; i < min(from+blockRows, f.n); i++ {
			r := f.residual[i] / f.samples
			for t, v := range f.rows[i*f.p+b.lo : i*f.p+b.hi] {
				block[t] += r * (float64(v) - mean[t])
			}
		}
		for t, v := range block {
			gradient[t] += v
		}
	}
}

// update takes the steps of the coefficients of b off the residual.
func (f *descent[T]) update(b features, steps []float64) {
	mean := f.mean[b.lo:b.hi]
	for i := range f.n {
		sum := 0.0
		for t, v := range f.rows[i*f.p+b.lo : i*f.p+b.hi] {
			sum += steps[t] * (float64(v) - mean[t])
		}
		f.residual[i] -= sum
	}
}

// gap returns the duality gap and the objective, as scikit-learn computes them.
//
// Communication: none for one block, else one allreduce of p+1 numbers.
func (f *descent[T]) gap() (gap, objective float64) {
	if len(f.blocks) > 1 {
		all := make([]float64, f.p+1)
		for _, b := range f.blocks {
			f.project(all[b.lo:b.hi], b)
		}
		for _, r := range f.residual {
			all[f.p] += r * r / f.samples
		}
		spmd.Allreduce(f.c, all, spmd.Sum)
		f.rr = all[f.p]
		copy(f.gradient, all)
	}
	norm, largest, product, target := 0.0, 0.0, 0.0, 0.0
	for j, w := range f.w {
		norm += math.Abs(w)
		largest = max(largest, math.Abs(f.gradient[j]))
		product += w * f.gradient[j]
		target += w * f.covariance[j]
	}
	if len(f.blocks) == 1 {
		f.rr = max(f.yy-target-product, 0)
	}
	// The residual, made small enough, is a feasible point of the dual problem.
	scale := 1.0
	if largest > f.lambda {
		scale = f.lambda / largest
	}
	objective = f.rr/2 + f.lambda*norm
	return objective + scale*scale*f.rr/2 - scale*(f.rr+product), objective
}
