package learn

import (
	"caloric/nd"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	_ "caloric/linalg" // which chooses the BLAS: with -tags cblas it is OpenBLAS
)

// nearest finds the nearest of k centers. As ‖x-c‖² = ‖x‖² - 2(x·c - ‖c‖²/2), it is
// the one with the largest x·c - ‖c‖²/2: a matrix product. Rows and centers are
// measured from the first center, so that nothing is lost if they are far from 0.
type nearest[T nd.Float] struct {
	k, d   int
	origin []T // the first center
	less   []T // the centers, less the origin
	half   []T // of those, -‖c‖²/2
}

func newNearest[T nd.Float](k, d int) *nearest[T] {
	return &nearest[T]{k, d, make([]T, d), make([]T, k*d), make([]T, k)}
}

// set takes the centers.
func (g *nearest[T]) set(centers []T) {
	copy(g.origin, centers)
	for j := range g.k {
		sum := 0.0
		for t, m := range g.origin {
			v := centers[j*g.d+t] - m
			g.less[j*g.d+t] = v
			sum += float64(v) * float64(v)
		}
		g.half[j] = T(-sum / 2)
	}
}

// scratch is what find works in.
type scratch[T nd.Float] struct{ columns, scores []T }

func (g *nearest[T]) scratch() scratch[T] {
	return scratch[T]{make([]T, g.d*blockRows), make([]T, g.k*blockRows)}
}

// find sets labels to the nearest center of each row, at most blockRows of them: the
// first one of equals.
func (g *nearest[T]) find(labels []int64, rows []T, w scratch[T]) {
	n := len(labels)
	transpose(w.columns, rows, g.d, n, g.origin)
	for j, h := range g.half {
		scores := w.scores[j*n : (j+1)*n]
		for i := range scores {
			scores[i] = h
		}
	}
	addProduct(w.scores, g.less, w.columns, g.k, g.d, n)
	best := w.scores[:n]
	clear(labels)
	for j := 1; j < g.k; j++ {
		for i, v := range w.scores[j*n : (j+1)*n] {
			// Without jumps: whether a center is nearer cannot be foreseen.
			at, b := labels[i], best[i]
			if v > b {
				at = int64(j)
			}
			labels[i], best[i] = at, max(b, v)
		}
	}
}

// addProduct adds the product of a, m times k, and b, k times n, to c.
func addProduct[T nd.Float](c, a, b []T, m, k, n int) {
	if m == 0 || k == 0 || n == 0 {
		return
	}
	switch c := any(c).(type) {
	case []float64:
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, blas64.General{Rows: m, Cols: k, Stride: k, Data: any(a).([]float64)},
			blas64.General{Rows: k, Cols: n, Stride: n, Data: any(b).([]float64)}, 1, blas64.General{Rows: m, Cols: n, Stride: n, Data: c})
	case []float32:
		blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, blas32.General{Rows: m, Cols: k, Stride: k, Data: any(a).([]float32)},
			blas32.General{Rows: k, Cols: n, Stride: n, Data: any(b).([]float32)}, 1, blas32.General{Rows: m, Cols: n, Stride: n, Data: c})
	}
}
