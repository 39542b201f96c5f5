package nd

import "caloric/spmd"

// weighted is the sum of some numbers times their weights, and of the weights.
type weighted struct{ sum, weights float64 }

// averageOf adds numbers times their weights.
type averageOf[T, W Real, R Float] struct{ anywhere[weighted] }

func (averageOf[T, W, R]) empty() weighted { return weighted{} }

func (averageOf[T, W, R]) foldPair(x []T, w []W) weighted {
	var s0, s1, v0, v1 float64
	w = w[:len(x)]
	for i := 1; i < len(x); i += 2 {
		a, b := float64(w[i-1]), float64(w[i])
		s0 += float64(x[i-1]) * a
		s1 += float64(x[i]) * b
		v0 += a
		v1 += b
	}
	if n := len(x); n%2 == 1 {
		a := float64(w[n-1])
		s0 += float64(x[n-1]) * a
		v0 += a
	}
	return weighted{s0 + s1, v0 + v1}
}

// fold and rows are those of weights of 1.
func (averageOf[T, W, R]) fold(x []T, _ int) weighted {
	return weighted{sumOf[T, float64, float64]{}.fold(x, 0), float64(len(x))}
}

func (k averageOf[T, W, R]) rows(acc []weighted, x []T, n, stride, _ int) {
	for j := range acc {
		acc[j] = weighted{weights: float64(n)}
		for i := range n {
			acc[j].sum += float64(x[i*stride+j])
		}
	}
}

func (averageOf[T, W, R]) merge(acc, next []weighted) { mergeWeighted(acc, next) }

func mergeWeighted(acc, next []weighted) {
	for j, v := range next[:len(acc)] {
		acc[j].sum += v.sum
		acc[j].weights += v.weights
	}
}

func (averageOf[T, W, R]) across(c *spmd.Comm, acc []weighted) {
	spmd.AllreduceFunc(c, acc, mergeWeighted)
}

func (averageOf[T, W, R]) finish(dst []R, acc []weighted, _ int, _ float64) {
	for j, v := range acc {
		dst[j] = R(v.sum / v.weights)
	}
}
