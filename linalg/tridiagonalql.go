package linalg

import (
	"math"

	"caloric/internal/parallel"
)

// rotations is a list of Givens rotations of pairs of columns of a matrix, of
// whose columns this rank has some rows. They are kept and applied many at a
// time, to a few rows after the other, so that those stay in cache.
type rotations struct {
	zt      mat[float64] // the columns as rows; nil memory if they are not wanted
	workers int
	list    []rotation
}

type rotation struct {
	lo, hi int // the columns
	c, s   float64
}

const (
	rotationBatch = 1 << 15
	rotationRows  = 64
)

func (r *rotations) add(lo, hi int, c, s float64) {
	if r.zt.cols == 0 {
		return
	}
	r.list = append(r.list, rotation{lo, hi, c, s})
	if len(r.list) == rotationBatch {
		r.flush()
	}
}

// flush applies the rotations in the list.
func (r *rotations) flush() {
	parts := (r.zt.cols + rotationRows - 1) / rotationRows
	parallel.Each(r.workers, parts, func(p int) {
		r.rotate(r.zt.colRange(p*rotationRows, min((p+1)*rotationRows, r.zt.cols)))
	})
	r.list = r.list[:0]
}

func (r *rotations) rotate(zt mat[float64]) {
	for _, g := range r.list {
		x := zt.data[zt.off+g.lo*zt.rs:][:zt.cols]
		y := zt.data[zt.off+g.hi*zt.rs:][:len(x)]
		for i, u := range x {
			v := y[i]
			x[i] = g.c*u - g.s*v
			y[i] = g.s*u + g.c*v
		}
	}
}

// solveTridiagonal sets d to the eigenvalues of the symmetric tridiagonal matrix
// of d and e, of elements of at most 1, in no order, and adds to r the rotations that lead to the
// eigenvectors, by the implicit QL iteration (Dubrulle, Martin, Wilkinson 1968;
// Parlett 1980, chapter 8). Parts of the matrix are turned round so that their
// large elements are at the end, as LAPACK's steqr does. It reports whether it
// converged.
func solveTridiagonal(d, e []float64, r *rotations) bool {
	n := len(d)
	for lo := 0; lo < n; {
		// A part without negligible elements beside the diagonal.
		hi := lo
		for hi < n-1 && !negligible(d, e, hi) {
			hi++
		}
		if hi < n-1 {
			e[hi] = 0
		}
		p := part{d: d, e: e, first: lo, step: 1, rot: r}
		if math.Abs(d[hi]) < math.Abs(d[lo]) {
			p.first, p.step = hi, -1
		}
		if !p.solve(hi - lo + 1) {
			return false
		}
		lo = hi + 1
	}
	r.flush()
	return true
}

// negligible reports whether e[i] is nothing against the elements around it, or its
// square is against that of the matrix, whose elements are at most 1.
func negligible(d, e []float64, i int) bool {
	x := math.Abs(e[i])
	return x <= 0x1p-53*math.Sqrt(math.Abs(d[i]))*math.Sqrt(math.Abs(d[i+1])) || x < 0x1p-511
}

// part is a range of a tridiagonal matrix from first on, upwards or downwards.
type part struct {
	d, e        []float64
	first, step int
	rot         *rotations
}

func (p *part) diagonal(i int) *float64 { return &p.d[p.first+i*p.step] }

// beside returns the element between i and i+1.
func (p *part) beside(i int) *float64 { return &p.e[p.first+i*p.step+min(p.step, 0)] }

// solve finds the eigenvalues of the part, of n rows, one after the other.
func (p *part) solve(n int) bool {
	for l, steps := 0, 0; l < n; {
		m := l
		for m < n-1 {
			lower := p.first + m*p.step + min(p.step, 0)
			if negligible(p.d, p.e, lower) {
				p.e[lower] = 0
				break
			}
			m++
		}
		if m == l {
			l++
			continue
		}
		if steps++; steps > 30*n {
			return false
		}
		p.sweep(l, m)
	}
	return true
}

// sweep chases the bulge of a Wilkinson shift from m down to l.
func (p *part) sweep(l, m int) {
	dl, el := *p.diagonal(l), *p.beside(l)
	g := (*p.diagonal(l + 1) - dl) / (2 * el)
	g = *p.diagonal(m) - dl + el/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, shift := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s**p.beside(i), c**p.beside(i)
		r := math.Hypot(f, g)
		if i+1 < m {
			*p.beside(i + 1) = r
		}
		if r == 0 {
			*p.diagonal(i + 1) -= shift
			return
		}
		s, c = f/r, g/r
		g = *p.diagonal(i + 1) - shift
		r = (*p.diagonal(i)-g)*s + 2*c*b
		shift = s * r
		*p.diagonal(i + 1) = g + shift
		g = c*r - b
		p.rot.add(p.first+i*p.step, p.first+(i+1)*p.step, c, s)
	}
	*p.diagonal(l) -= shift
	*p.beside(l) = g
}
