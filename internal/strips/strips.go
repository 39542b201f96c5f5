// Package strips has the loops of a QR factorization of a matrix of many rows and
// few columns, which is eliminated four columns, a strip, at a time. Matrices are in C
// order: a vector of the processor holds neighbours in a row, so that sums over rows
// need no sums over a vector, and nothing is turned around.
//
// Every sum over rows is in their order, in [Dots], or of eight interleaved sums, in
// [Eliminate], whatever instructions there are.
package strips

// Number is a type of which there are matrices.
type Number interface {
	float32 | float64 | complex64 | complex128
}

// Width is how many columns a strip has.
const Width = 4

// Together is what the number of rows of a strip is a multiple of in [Eliminate] and
// [Scale]; rows of zeros do no harm.
const Together = 8

// kernels are the loops of one type, nil where there are no instructions for them.
type kernels[T Number] struct {
	vectors   int // how many of 64 bytes dots and sub take at most
	dots, sub func(rows int, v *T, ldv int, c *T, ldc int, y *T, ldy int, vectors int)
	eliminate func(rows int, x, by, sums *T, j int)
	scale     func(rows int, x, by *T)
}

var (
	kernels32 kernels[float32]
	kernels64 kernels[float64]
	none64    kernels[complex64]
	none128   kernels[complex128]
)

func kernelsOf[T Number]() *kernels[T] {
	var zero T
	var k any
	switch any(zero).(type) {
	case float32:
		k = &kernels32
	case float64:
		k = &kernels64
	case complex64:
		k = &none64
	default:
		k = &none128
	}
	return k.(*kernels[T])
}

// Lanes is how many columns fill a vector: [Dots] and [Sub] are fast for multiples of it.
func Lanes[T Number]() int {
	var zero T
	switch any(zero).(type) {
	case float32:
		return 16
	case float64:
		return 8
	}
	return Width
}

// Dots adds vᵀ·c to y: v is rows × 4, c rows × cols, y 4 × cols. Steps between rows
// are ldv, ldc and ldy.
func Dots[T Number](rows, cols int, v []T, ldv int, c []T, ldc int, y []T, ldy int) {
	if !fits(rows, cols, v, ldv, c, ldc, y, ldy) {
		return
	}
	lanes := Lanes[T]()
	if k := kernelsOf[T](); k.dots != nil && cols%lanes == 0 {
		for j := 0; j < cols; j += k.vectors * lanes {
			k.dots(rows, &v[0], ldv, &c[j], ldc, &y[j], ldy, min(k.vectors, (cols-j)/lanes))
		}
		return
	}
	y0, y1, y2, y3 := y[:cols], y[ldy:][:cols], y[2*ldy:][:cols], y[3*ldy:][:cols]
	for i := range rows {
		a := v[i*ldv:][:Width]
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		for j, x := range c[i*ldc:][:cols] {
			y0[j] += a0 * x
			y1[j] += a1 * x
			y2[j] += a2 * x
			y3[j] += a3 * x
		}
	}
}

// Sub subtracts v·z from c: v is rows × 4, c rows × cols, z 4 × cols. Steps between
// rows are ldv, ldc and ldz.
func Sub[T Number](rows, cols int, v []T, ldv int, c []T, ldc int, z []T, ldz int) {
	if !fits(rows, cols, v, ldv, c, ldc, z, ldz) {
		return
	}
	lanes := Lanes[T]()
	if k := kernelsOf[T](); k.sub != nil && cols%lanes == 0 {
		for j := 0; j < cols; j += k.vectors * lanes {
			k.sub(rows, &v[0], ldv, &c[j], ldc, &z[j], ldz, min(k.vectors, (cols-j)/lanes))
		}
		return
	}
	z0, z1, z2, z3 := z[:cols], z[ldz:][:cols], z[2*ldz:][:cols], z[3*ldz:][:cols]
	for i := range rows {
		a := v[i*ldv:][:Width]
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		row := c[i*ldc:][:cols]
		for j := range row {
			row[j] -= a0*z0[j] + a1*z1[j] + a2*z2[j] + a3*z3[j]
		}
	}
}

// fits reports whether there is anything to do, and panics if a slice is too short
// for the loops without bounds.
func fits[T Number](rows, cols int, v []T, ldv int, c []T, ldc int, z []T, ldz int) bool {
	if rows == 0 || cols == 0 {
		return false
	}
	_, _, _ = v[(rows-1)*ldv+Width-1], c[(rows-1)*ldc+cols-1], z[(Width-1)*ldz+cols-1]
	return true
}

// Eliminate subtracts from the columns of the strip x, which is in C order, by times its column j−1
// if j > 0, and returns the products of the columns that come out with the conjugate of column j.
func Eliminate[T Number](x []T, by *[Width]T, j int) (sums [Width]T) {
	var parts [Together * Width]T
	if len(x)%len(parts) != 0 || uint(j) >= Width {
		panic("strips: rows do not fill vectors")
	}
	if len(x) == 0 {
		return sums
	}
	if k := kernelsOf[T](); k.eliminate != nil {
		k.eliminate(len(x)/Width, &x[0], &by[0], &parts[0], j)
	} else {
		for i := 0; i < len(x); i += Width {
			r := (*[Width]T)(x[i:])
			if j > 0 {
				v := r[j-1]
				for c := range r {
					r[c] -= by[c] * v
				}
			}
			p, v := (*[Width]T)(parts[i%len(parts):]), conj(r[j])
			for c := range r {
				p[c] += v * r[c]
			}
		}
	}
	for half := Together / 2; half > 0; half /= 2 {
		for i := range half * Width {
			parts[i] += parts[half*Width+i]
		}
	}
	return [Width]T(parts[:])
}

// Scale multiplies the columns of the strip x, which is in C order.
func Scale[T Number](x []T, by *[Width]T) {
	if len(x)%(Together*Width) != 0 {
		panic("strips: rows do not fill vectors")
	}
	if len(x) == 0 {
		return
	}
	if k := kernelsOf[T](); k.scale != nil {
		k.scale(len(x)/Width, &x[0], &by[0])
		return
	}
	for i := range x {
		x[i] *= by[i%Width]
	}
}

func conj[T Number](v T) T {
	switch z := any(v).(type) {
	case complex64:
		return any(complex(real(z), -imag(z))).(T)
	case complex128:
		return any(complex(real(z), -imag(z))).(T)
	}
	return v
}
