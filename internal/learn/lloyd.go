package learn

import (
	"math"
	"slices"

	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/spmd"
)

// lloyd is the state of KMeans.
type lloyd[T nd.Float] struct {
	x       *nd.NDArray[T]
	rows    []T // this rank's, in C order
	n, d, k int // this rank's rows, columns, centers
	labels  []int64
	centers []T
	sums    []float64   // of a step: each cluster's rows, their counts, the changed labels
	parts   [][]float64 // such sums of parts of the rows
	near    *nearest[T]
}

// A rank's rows are cut into at most maxParts parts, whatever the number of workers,
// so that sums do not depend on it; a part's sums are added up from those of blocks.
const (
	maxParts  = 32
	blockRows = 192 // of them transposed columns fit into the cache
)

func newLloyd[T nd.Float](x, centers *nd.NDArray[T]) *lloyd[T] {
	n, d, k := x.LocalShape()[0], x.Shape()[1], centers.Shape()[0]
	f := &lloyd[T]{x: x, rows: x.Local(), n: n, d: d, k: k, labels: make([]int64, n),
		centers: centers.Gather(), sums: make([]float64, k*d+k+1), near: newNearest[T](k, d)}
	f.centers = slices.Clone(f.centers)
	for i := range f.labels {
		f.labels[i] = -1
	}
	for range min(maxParts, 1+n/blockRows) {
		f.parts = append(f.parts, make([]float64, len(f.sums)))
	}
	return f
}

// assign gives each row the label of the nearest center, adds up the rows of each
// cluster and returns how many labels of all ranks changed.
//
// Communication: one allreduce of the sums.
func (f *lloyd[T]) assign() int {
	f.label(true)
	clear(f.sums)
	for _, p := range f.parts {
		for i, v := range p {
			f.sums[i] += v
		}
	}
	spmd.Allreduce(f.x.Comm(), f.sums, spmd.Sum)
	return int(f.sums[len(f.sums)-1])
}

// label gives each row the label of the nearest center and, if so told, sets parts to
// the sums of the parts of the rows.
func (f *lloyd[T]) label(sum bool) {
	f.near.set(f.centers)
	parallel.Each(f.x.Comm().Workers(), len(f.parts), func(p int) {
		lo, hi := p*f.n/len(f.parts), (p+1)*f.n/len(f.parts)
		labels, block, w := make([]int64, blockRows), make([]float64, len(f.sums)), f.near.scratch()
		clear(f.parts[p])
		for ; lo < hi; lo += blockRows {
			n := min(blockRows, hi-lo)
			rows := f.rows[lo*f.d : (lo+n)*f.d]
			f.near.find(labels[:n], rows, w)
			if sum {
				f.add(block, rows, labels[:n], f.labels[lo:])
				for i, v := range block {
					f.parts[p][i] += v
				}
				clear(block)
			}
			copy(f.labels[lo:], labels[:n])
		}
	})
}

// add adds rows to the sums of their labels.
func (f *lloyd[T]) add(sums []float64, rows []T, labels, before []int64) {
	counts := sums[f.k*f.d:]
	for i, j := range labels {
		row := rows[i*f.d:][:f.d]
		sum := sums[int(j)*f.d:][:f.d]
		for t, v := range row {
			sum[t] += float64(v)
		}
		counts[j]++
		if j != before[i] {
			counts[f.k]++
		}
	}
}

// move moves the centers to the means of their rows. It returns the squares of their
// moves, added up, and whether a center without rows was among them.
func (f *lloyd[T]) move() (moved float64, relocated bool) {
	counts := f.sums[f.k*f.d:][:f.k]
	if slices.Contains(counts, 0) {
		relocated = f.relocate(counts)
	}
	for j, n := range counts {
		if n == 0 {
			continue
		}
		for t := range f.d {
			v := T(f.sums[j*f.d+t] / n)
			by := float64(v) - float64(f.centers[j*f.d+t])
			moved += by * by
			f.centers[j*f.d+t] = v
		}
	}
	return moved, relocated
}

// relocate gives each cluster without rows the row that is farthest from its center,
// as scikit-learn does, and reports whether there was one. A cluster keeps its last
// row.
//
// Communication: for each such cluster as pickLargest.
func (f *lloyd[T]) relocate(counts []float64) (any bool) {
	lo, _ := f.x.Layout().Range(f.x.Comm().Rank())
	far := f.distances()
	for j := range counts {
		if counts[j] > 0 {
			continue
		}
		for i, l := range f.labels {
			if counts[l] < 2 {
				far[i] = math.Inf(-1)
			}
		}
		p := pickLargest(f.x, f.rows, far, f.labels)
		if !(p.key > 0) {
			break
		}
		any = true
		if i := p.index - lo; i >= 0 && i < f.n {
			far[i] = math.Inf(-1)
		}
		for t, v := range p.row {
			f.sums[j*f.d+t] = float64(v)
			f.sums[p.label*f.d+t] -= float64(v)
		}
		counts[j]++
		counts[p.label]--
	}
	return any
}

// distances returns the squares of the rows' distances to their centers.
func (f *lloyd[T]) distances() []float64 {
	far := make([]float64, f.n)
	for i, j := range f.labels {
		far[i] = squaredDistance(f.rows[i*f.d:][:f.d], f.centers[int(j)*f.d:][:f.d])
	}
	return far
}

// inertia returns the squared distances of all rows to their centers, added up, and
// how many rows each cluster has.
//
// Communication: one allreduce of k+1 numbers.
func (f *lloyd[T]) inertia() (float64, []int) {
	sums := make([]float64, f.k+1)
	for _, j := range f.labels {
		sums[j]++
	}
	sums[f.k] = pairwiseSum(f.distances())
	spmd.Allreduce(f.x.Comm(), sums, spmd.Sum)
	counts := make([]int, f.k)
	for j := range counts {
		counts[j] = int(sums[j])
	}
	return sums[f.k], counts
}

// squaredDistance returns ‖x-y‖².
func squaredDistance[T nd.Float](x, y []T) float64 {
	y = y[:len(x)]
	sum := 0.0
	for t, v := range x {
		by := float64(v) - float64(y[t])
		sum += by * by
	}
	return sum
}
