package dft

// pair transforms lines of n1·n2 elements as a matrix: its columns, a twiddle
// factor for each element, its rows, and a transposition.
//
// W. Gentleman, G. Sande 1966, "Fast Fourier transforms: for fun and profit";
// D. Bailey 1990, "FFTs in external or hierarchical memory".
type pair struct {
	n1, n2        int
	first, second *Plan
	roots         *Roots
	matrix        []complex128
	column        []complex128
}

func newPair(n1, n2 int) *pair {
	return &pair{n1, n2, newPlan(n1), newPlan(n2), NewRoots(n1 * n2),
		make([]complex128, n1*n2), make([]complex128, n1)}
}

func (p *pair) run(x []complex128, inverse bool) {
	for j := range p.n2 {
		for i := range p.column {
			p.column[i] = x[i*p.n2+j]
		}
		p.first.t.run(p.column, inverse)
		for k, v := range p.column {
			w := p.roots.At(j * k)
			if inverse {
				w = conj(w)
			}
			p.matrix[k*p.n2+j] = v * w
		}
	}
	for k := range p.n1 {
		row := p.matrix[k*p.n2 : (k+1)*p.n2]
		p.second.t.run(row, inverse)
		for i, v := range row {
			x[k+p.n1*i] = v
		}
	}
}
