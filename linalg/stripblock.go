package linalg

import (
	"math"

	"caloric/internal/strips"
	"caloric/nd"

	"gonum.org/v1/gonum/blas"
)

// stripBlock is the QR factorization Q = (I − V·T·Vᴴ)·diag(signs) of a block of rows of few
// columns, by Householder reflections of a strip of columns at a time (Schreiber and Van Loan
// 1989). While it is computed, rows are as long as vectors divide, with zeros in front
// of the columns: those are the lanes, of which strips are made. Two to four columns are loaded
// as the strip that they are, a single one as a vector.
type stripBlock[T nd.Inexact] struct {
	lo, hi int    // its rows, or its triangles in the level below
	v      mat[T] // rows × columns, in C order
	cross  []T    // V₁ᴴ·Vₛ for each strip s, V₁ the lanes before it
	t      []T    // −Tₛ for each strip, T of its reflections alone
	signs  []bool // which rows of R were turned
	r      mat[T]
}

// stripSpace is a worker's memory for the factorization of blocks.
type stripSpace[T nd.Inexact] struct {
	k      vectorKernels[T]
	cols   int
	lanes  int
	before int // lanes before the columns
	rows   []T // the block, lanes wide
	strip  []T // of the block, which becomes vectors
	conj   []T // its conjugate, the strip itself for real numbers
	dots   []T // Width × lanes
	change []T
	block  []T // for products with Q
	blas   level3Routines[T]
}

// stripRows is how many rows are added up, or multiplied, at once.
const (
	stripRows = 256
	timesRows = 32
)

func newStripSpace[T nd.Inexact](cols int) *stripSpace[T] {
	s := &stripSpace[T]{k: vectorsOf[T](), cols: cols, lanes: lanesOf[T](cols)}
	s.before = s.lanes - cols
	s.dots, s.change = make([]T, strips.Width*s.lanes), make([]T, strips.Width*s.lanes)
	if isComplex[T]() {
		if r := level3RoutinesOf[T](); isForeign(r.implementation()) {
			s.blas = r
		}
	}
	return s
}

// addDots is [strips.Dots], which for complex numbers is a loop in Go and left to a foreign BLAS.
func (s *stripSpace[T]) addDots(rows, cols int, v []T, ldv int, c []T, ldc int, y []T, ldy int) {
	if s.blas == nil {
		strips.Dots(rows, cols, v, ldv, c, ldc, y, ldy)
	} else if rows > 0 {
		engineOf[T]().gemm(mat[T]{data: y, rows: strips.Width, cols: cols, rs: ldy, cs: 1},
			mat[T]{data: v, rows: rows, cols: strips.Width, rs: ldv, cs: 1}.t(),
			mat[T]{data: c, rows: rows, cols: cols, rs: ldc, cs: 1}, true)
	}
}

// sub is [strips.Sub], likewise.
func (s *stripSpace[T]) sub(rows, cols int, v []T, ldv int, c []T, ldc int, z []T, ldz int) {
	if s.blas == nil {
		strips.Sub(rows, cols, v, ldv, c, ldc, z, ldz)
	} else if rows > 0 {
		s.blas.gemmSub(blas.NoTrans, rows, cols, strips.Width, v, ldv, z, ldz, c, ldc)
	}
}

// lanesOf returns how many lanes cols columns take: one strip if that is enough, else vectors.
func lanesOf[T nd.Inexact](cols int) int {
	if cols <= strips.Width {
		return strips.Width
	}
	l := strips.Lanes[T]()
	return (cols + l - 1) / l * l
}

// load returns rows × cols in which a block is put to factor it.
func (s *stripSpace[T]) load(rows int) mat[T] {
	if s.cols == 1 {
		s.rows = sized(s.rows, rows)
		return dense(s.rows, rows, 1)
	}
	s.rows = sized(s.rows, (rows+strips.Together)*s.lanes)
	switch {
	case s.before == 0:
	case s.lanes == strips.Width:
		clear(s.rows)
	default:
		for i := range rows {
			clear(s.rows[i*s.lanes:][:s.before])
		}
	}
	return s.columns(s.rows, rows)
}

// columns returns the columns of rows that are lanes wide.
func (s *stripSpace[T]) columns(data []T, rows int) mat[T] {
	return dense(data, rows, s.lanes).colRange(s.before, s.lanes)
}

// factor factors the h rows that were loaded, and leaves V in memory unless that is nil.
func (b *stripBlock[T]) factor(s *stripSpace[T], h int, memory []T) {
	n, keep := s.cols, memory != nil
	b.r = dense(make([]T, n*n), n, n)
	b.signs = make([]bool, n)
	b.t = make([]T, s.lanes*strips.Width)
	w := dense(s.rows, h, 1)
	if n == 1 {
		beta, tau := reflector(s.k, s.rows)
		b.r.data[0] = inexact[T](beta)
		b.t[len(b.t)-1] = -tau
	} else {
		back := s.equilibrate(h)
		b.factorStrips(s, h, keep)
		for i := range n * n {
			if back != nil {
				b.r.data[i] *= back[i%n]
			}
		}
		w = s.columns(s.rows, h)
	}
	for i := range n {
		row := rowOf(b.r, i)
		if re, _ := parts(row[i]); re < 0 {
			b.signs[i] = true
			s.k.scale(inexact[T](-1), row[i:])
		}
	}
	if keep {
		b.v = dense(memory, h, n)
		copyMat(b.v, w)
	}
}

// factorStrips is factor of more than one column, which leaves V in s.rows.
func (b *stripBlock[T]) factorStrips(s *stripSpace[T], h int, keep bool) {
	const width = strips.Width
	n, lanes := s.cols, s.lanes
	if keep {
		b.cross = make([]T, lanes*lanes)
	}
	for l0 := s.before / width * width; l0 < lanes; l0 += width {
		skip := max(0, s.before-l0)
		first := l0 + skip - s.before // its first column, and first row of its vectors
		b.factorStrip(s, h, l0, skip)
		adjoint, right := b.triangleOf(l0), l0+width
		// R is above the vectors, which are zero there.
		for i := range first {
			row := s.rows[i*lanes+l0:][:width]
			copy(b.r.data[i*n+first:], row[skip:])
			clear(row)
		}
		if right == lanes && (!keep || l0 == 0) {
			break
		}
		rows := h - first
		for i := range rows {
			*(*[width]T)(s.rows[(first+i)*lanes+l0:]) = [width]T(s.strip[i*width:])
		}
		from := 0
		if !keep && s.blas == nil { // a BLAS may round by the number of columns
			from = l0 / strips.Lanes[T]() * strips.Lanes[T]()
		}
		clear(s.dots)
		for i := 0; i < rows; i += stripRows {
			s.addDots(min(stripRows, rows-i), lanes-from, s.conj[i*width:], width,
				s.rows[(first+i)*lanes+from:], lanes, s.dots[from:], lanes)
		}
		if keep {
			cross := b.cross[l0*lanes:]
			for i := range l0 {
				for k := range width {
					cross[i*width+k] = conjugateOf(s.dots[k*lanes+i])
				}
			}
		}
		if right == lanes {
			continue
		}
		from = right / strips.Lanes[T]() * strips.Lanes[T]()
		clear(s.change)
		s.sub(width, lanes-from, adjoint[:], width, s.change[from:], lanes, s.dots[from:], lanes)
		for k := range width {
			clear(s.change[k*lanes+from : k*lanes+max(from, right)])
		}
		s.sub(rows, lanes-from, s.strip, width, s.rows[first*lanes+from:], lanes, s.change[from:], lanes)
	}
}

// factorStrip makes of the strip at lane l0, of which skip lanes lie before the columns,
// Householder vectors in s.strip. It leaves R's part in b.r, the vectors' factors, tau,
// on the diagonal of the strip's T, and their products above it.
//
// The products of a column with all of the strip's, of one pass over it, are all that
// its reflection and the elimination of the others need (as in LAPACK's larfg, beta is the
// column's norm with the other sign than its first element). Columns whose squares might leave
// the range of numbers are first multiplied by a power of two, which changes no vector.
func (b *stripBlock[T]) factorStrip(s *stripSpace[T], h, l0, skip int) {
	const width = strips.Width
	n, first := s.cols, l0+skip-s.before
	rows, top := h-first, width-skip
	tall := (rows - top + strips.Together - 1) / strips.Together * strips.Together
	if s.lanes == width {
		s.strip = s.rows[:(top+tall)*width]
	} else {
		s.strip = sized(s.strip, (top+tall)*width)
		for i := range rows {
			*(*[width]T)(s.strip[i*width:]) = [width]T(s.rows[(first+i)*s.lanes+l0:])
		}
	}
	clear(s.strip[rows*width:])
	head, tail := s.strip[:top*width], s.strip[top*width:]
	var by, scales [width]T
	for c := range skip {
		scales[c] = 1
	}
	products := func(j int, by *[width]T) (g [width]T) {
		g = strips.Eliminate(tail, by, j)
		for i := j - skip + 1; i < top; i++ {
			v := conjugateOf(head[i*width+j])
			for c := range g {
				g[c] += v * head[i*width+c]
			}
		}
		return g
	}
	for j := skip; j < width; j++ {
		at := j - skip // the row of the diagonal
		g := products(j, &by)
		up := 1.0
		if square, _ := parts(g[j]); !s.inRange(square, &g) {
			if up = s.toOne(head[at*width:], tail, j); up != 1 {
				factors := [width]T{1, 1, 1, 1}
				factors[j] = inexact[T](up)
				for i := at; i < top; i++ {
					head[i*width+j] *= factors[j]
				}
				strips.Scale(tail, &factors)
				by = [width]T{}
				g = products(j, &by)
			}
		}
		pivot := head[at*width : (at+1)*width]
		re, im := parts(pivot[j])
		square, _ := parts(g[j])
		rest := math.Sqrt(square)
		beta, tau, scale := re, T(0), T(1)
		if rest != 0 || im != 0 {
			size := math.Hypot(math.Hypot(re, im), rest)
			beta = -math.Copysign(size, re)
			tau = fromParts[T]((beta-re)/beta, -im/beta)
			scale = 1 / (pivot[j] - inexact[T](beta))
		}
		by = [width]T{}
		for c := j + 1; c < width; c++ {
			f := conjugateOf(tau) * (pivot[c] + conjugateOf(scale)*g[c])
			pivot[c] -= f
			by[c] = f * scale
			for i := at + 1; i < top; i++ {
				head[i*width+c] -= by[c] * head[i*width+j]
			}
		}
		pivot[j] = inexact[T](beta / up)
		scales[j] = scale
		t := b.t[l0*width:][:width*width]
		t[j*width+j] = tau
		for c := skip; c < j; c++ {
			// Of vector c so far all but its one has to be multiplied by its scale.
			t[c*width+j] = conjugateOf(scales[c] * (conjugateOf(scale*conjugateOf(g[c])) + head[at*width+c]))
		}
	}
	strips.Scale(tail, &scales)
	for i := range top {
		for j := skip; j < width; j++ {
			x := &head[i*width+j]
			switch at := j - skip; {
			case i < at:
				b.r.data[(first+i)*n+first+at], *x = *x, 0
			case i == at:
				b.r.data[(first+i)*n+first+at], *x = *x, 1
			default:
				*x *= scales[j]
			}
		}
	}
	s.conj = s.strip
	if isComplex[T]() {
		s.conj = append([]T(nil), s.strip...)
		s.k.conj(s.conj)
	}
}

// triangleOf completes the T of the strip at lane l0, and leaves −T in b.t. It returns −Tᴴ.
func (b *stripBlock[T]) triangleOf(l0 int) (adjoint [strips.Width * strips.Width]T) {
	const width = strips.Width
	t := b.t[l0*width:][:width*width]
	for j := range width {
		tau := t[j*width+j]
		for i := range j { // the products below row i of column j are still there
			var sum T
			for l := i; l < j; l++ {
				sum += t[i*width+l] * t[l*width+j]
			}
			t[i*width+j] = -tau * sum
		}
	}
	for i := range width {
		for j := i; j < width; j++ {
			t[i*width+j] = -t[i*width+j]
			adjoint[j*width+i] = conjugateOf(t[i*width+j])
		}
	}
	return adjoint
}

// times sets y to Q·x. y may be V's memory if x is square.
//
// Of the vectors' first rows, x and T it makes the small matrix Z = T·V₁ᴴ·x, strip by strip
// from the last, so that there is only one long product, that of V and Z.
func (b *stripBlock[T]) times(s *stripSpace[T], y, x mat[T]) {
	const width = strips.Width
	n, lanes, wide := s.cols, s.lanes, lanesOf[T](max(x.cols, s.cols))
	s.block = sized(s.block, (n+2*lanes+timesRows)*wide+(n+timesRows)*lanes)
	clear(s.block)
	space := s.block
	part := func(n int) []T {
		p := space[:n]
		space = space[n:]
		return p
	}
	top, vectors := part(n*wide), part(n*lanes)
	copyMat(dense(top, n, wide).colRange(0, x.cols), x)
	for i, turned := range b.signs {
		if turned {
			s.k.scale(inexact[T](-1), top[i*wide:(i+1)*wide])
		}
	}
	copyMat(s.columns(vectors, n), b.v.rowRange(0, n))
	if isComplex[T]() {
		s.k.conj(vectors)
	}
	m, z := part(lanes*wide), part(lanes*wide)
	start := s.before / width * width
	for l := lanes - width; l >= start; l -= width {
		s.addDots(n, wide, vectors[l:], lanes, top, wide, m[l*wide:], wide)
	}
	for l := lanes - width; l >= start; l -= width {
		s.sub(width, wide, b.t[l*width:], width, z[l*wide:], wide, m[l*wide:], wide)
		s.sub(l, wide, b.cross[l*lanes:], width, m, wide, z[l*wide:], wide)
	}
	if n <= width && x.cols == n {
		b.timesNarrow(y, dense(top, n, wide), dense(z[s.before*wide:], n, wide))
		return
	}
	v, c := part(timesRows*lanes), part(timesRows*wide)
	for i := 0; i < y.rows; i += timesRows {
		rows := min(timesRows, y.rows-i)
		copyMat(s.columns(v, rows), b.v.rowRange(i, i+rows))
		clear(c)
		if i < n {
			copy(c, top[i*wide:min(n, i+rows)*wide])
		}
		for l := start; l < lanes; l += width {
			s.sub(rows, wide, v[l:], lanes, c, wide, z[l*wide:], wide)
		}
		copyMat(y.rowRange(i, i+rows), dense(c, rows, wide).colRange(0, x.cols))
	}
}

// timesNarrow sets y, of up to four columns, to x − V·z, in which x has the first rows only.
func (b *stripBlock[T]) timesNarrow(y, x, z mat[T]) {
	n := z.rows
	v, out := b.v.elements(), y.elements()
	out = out[:len(v)]
	var f [strips.Width][strips.Width]T // −z
	for i := range n {
		for j := range n {
			f[i][j] = -z.data[i*z.rs+j]
		}
	}
	f00, f01, f02, f03 := f[0][0], f[0][1], f[0][2], f[0][3]
	f10, f11, f12, f13 := f[1][0], f[1][1], f[1][2], f[1][3]
	f20, f21, f22, f23 := f[2][0], f[2][1], f[2][2], f[2][3]
	switch n {
	case 1:
		for i, a := range v {
			out[i] = a * f00
		}
	case 2:
		for i := 0; i <= len(v)-2; i += 2 {
			a0, a1 := v[i], v[i+1]
			r := (*[2]T)(out[i:])
			r[0] = a0*f00 + a1*f10
			r[1] = a0*f01 + a1*f11
		}
	case 3:
		for i := 0; i <= len(v)-3; i += 3 {
			a0, a1, a2 := v[i], v[i+1], v[i+2]
			r := (*[3]T)(out[i:])
			r[0] = a0*f00 + a1*f10 + a2*f20
			r[1] = a0*f01 + a1*f11 + a2*f21
			r[2] = a0*f02 + a1*f12 + a2*f22
		}
	case 4:
		g := &f[3]
		for i := 0; i <= len(v)-4; i += 4 {
			a0, a1, a2, a3 := v[i], v[i+1], v[i+2], v[i+3]
			r := (*[4]T)(out[i:])
			r[0] = a0*f00 + a1*f10 + a2*f20 + a3*g[0]
			r[1] = a0*f01 + a1*f11 + a2*f21 + a3*g[1]
			r[2] = a0*f02 + a1*f12 + a2*f22 + a3*g[2]
			r[3] = a0*f03 + a1*f13 + a2*f23 + a3*g[3]
		}
	}
	for i := range n {
		for j := range n {
			out[i*n+j] += x.data[i*x.rs+j]
		}
	}
}

// inRange reports whether the square of a column's norm, and its products with others,
// are numbers that neither overflowed nor lost digits.
func (s *stripSpace[T]) inRange(square float64, products *[strips.Width]T) bool {
	var sum T
	for _, v := range products {
		sum += v - v
	}
	low := math.Sqrt(s.k.tiny())
	return sum == 0 && low <= square && square <= 1/low
}

// toOne returns a power of two that brings the largest element of column j of a strip in
// two parts near one, and 1 if there is none, or none that is finite.
func (s *stripSpace[T]) toOne(head, tail []T, j int) float64 {
	largest := 0.0
	for _, part := range [][]T{head, tail} {
		for i := j; i < len(part); i += strips.Width {
			re, im := parts(part[i])
			largest = max(largest, math.Abs(re), math.Abs(im))
		}
	}
	if largest == 0 || !isFinite(largest) {
		return 1
	}
	_, e := math.Frexp(largest)
	_, least := s.powers()
	return math.Ldexp(1, min(-e, -least))
}
