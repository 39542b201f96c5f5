package linalg

// localMethod multiplies what a rank has: rows of a by all of b, or all of a by
// columns of b.
type localMethod struct{}

func (localMethod) takes(a, b placed, results []placed) (list []placed) {
	for _, c := range results {
		switch {
		case a.replicated() && b.replicated() && c.replicated(),
			a.axis == 0 && b.replicated() && c.axis == 0 && c.sameCounts(a),
			a.replicated() && b.axis == 1 && c.axis == 1 && c.sameCounts(b):
			list = append(list, c)
		}
	}
	return list
}

func (localMethod) share(r *route, _, rank int) Share {
	return Share{Flops: flops(r.a.width(0, rank), r.a.cols, r.b.width(1, rank))}
}

func (localMethod) seconds(e *estimate, r *route, _ Share) float64 {
	return e.multiply(r.a.most(0, e.look), r.a.cols, r.b.most(1, e.look))
}

// flops returns how many additions and multiplications of elements a product is.
func flops(m, k, n int) float64 { return 2 * float64(m) * float64(k) * float64(n) }
