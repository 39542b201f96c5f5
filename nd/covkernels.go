package nd

// covKernels are the loops that depend on the type: elements T, and products in W.
type covKernels[T, W Number] interface {
	// widen sets dst to the elements of x from off on.
	widen(dst []W, x []T, off, stride int)
	weight(x []W, by []float64)
	scale(x []W, by float64)
	// product adds up the products of x and the conjugate of y.
	product(x, y []W) W
	real(x W) float64
	conj(x W) W
}

// covKernel and complexCovKernel are the loops of real and complex variables.
type covKernel[T Real] struct{}

func (covKernel[T]) widen(dst []float64, x []T, off, stride int) {
	for i := range dst {
		dst[i] = float64(x[off])
		off += stride
	}
}

func (covKernel[T]) weight(x, by []float64) {
	for i, w := range by[:len(x)] {
		x[i] *= w
	}
}

func (covKernel[T]) scale(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

func (covKernel[T]) real(x float64) float64 { return x }
func (covKernel[T]) conj(x float64) float64 { return x }

func (covKernel[T]) product(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	for ; len(x) >= 4; x, y = x[4:], y[4:] {
		u, v := (*[4]float64)(x), (*[4]float64)(y)
		s0 += u[0] * v[0]
		s1 += u[1] * v[1]
		s2 += u[2] * v[2]
		s3 += u[3] * v[3]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

type complexCovKernel[T Complex] struct{}

func (complexCovKernel[T]) widen(dst []complex128, x []T, off, stride int) {
	for i := range dst {
		dst[i] = complex128(x[off])
		off += stride
	}
}

func (complexCovKernel[T]) weight(x []complex128, by []float64) {
	for i, w := range by[:len(x)] {
		x[i] = complex(real(x[i])*w, imag(x[i])*w)
	}
}

func (complexCovKernel[T]) scale(x []complex128, by float64) {
	for i, v := range x {
		x[i] = complex(real(v)*by, imag(v)*by)
	}
}

func (complexCovKernel[T]) real(x complex128) float64    { return real(x) }
func (complexCovKernel[T]) conj(x complex128) complex128 { return complex(real(x), -imag(x)) }

func (complexCovKernel[T]) product(x, y []complex128) complex128 {
	var s complex128
	for i, v := range y[:len(x)] {
		s += x[i] * complex(real(v), -imag(v))
	}
	return s
}

// clipParts returns x with each part clipped to -1..1.
func clipParts[W Number](x W) W {
	clip := func(v *float64) {
		if *v > 1 {
			*v = 1
		} else if *v < -1 {
			*v = -1
		}
	}
	switch p := any(&x).(type) {
	case *float64:
		clip(p)
	case *complex128:
		re, im := real(*p), imag(*p)
		clip(&re)
		clip(&im)
		*p = complex(re, im)
	}
	return x
}
