package vmath

// Sqrt sets dst to √x, rounded correctly.
func Sqrt[T Float](dst, x []T) { unary(fnSqrt, dst, x) }

// Cbrt sets dst to the cube root of x.
//
// Error, in ULP, in Go: 0.7 of float64 and 0.51 of float32; by vectors 0.51 and 0.51.
func Cbrt[T Float](dst, x []T) { unary(fnCbrt, dst, x) }

// Exp sets dst to e to the power x.
//
// Error, in ULP, in Go: 0.53 of float64 and 0.55 of float32; by vectors 1 and 1.
func Exp[T Float](dst, x []T) { unary(fnExp, dst, x) }

// Exp2 sets dst to 2 to the power x.
//
// Error, in ULP, in Go: 0.53 of float64 and 0.51 of float32; by vectors 1 and 1.
func Exp2[T Float](dst, x []T) { unary(fnExp2, dst, x) }

// Expm1 sets dst to e to the power x, minus 1.
//
// Error, in ULP, in Go: 1.6 of float64 and 0.51 of float32; by vectors 1.2 and 1.2.
func Expm1[T Float](dst, x []T) { unary(fnExpm1, dst, x) }

// Log sets dst to the natural logarithm of x.
//
// Error, in ULP, in Go: 0.56 of float64 and 0.51 of float32; by vectors 0.8 and 0.9.
func Log[T Float](dst, x []T) { unary(fnLog, dst, x) }

// Log2 sets dst to the logarithm of x to base 2.
//
// Error, in ULP, in Go: 0.56 of float64 and 0.51 of float32; by vectors 0.7 and 0.9.
func Log2[T Float](dst, x []T) { unary(fnLog2, dst, x) }

// Log10 sets dst to the logarithm of x to base 10.
//
// Error, in ULP, in Go: 0.56 of float64 and 0.51 of float32; by vectors 0.7 and 0.9.
func Log10[T Float](dst, x []T) { unary(fnLog10, dst, x) }

// Log1p sets dst to the natural logarithm of 1+x.
//
// Error, in ULP, in Go: 0.56 of float64 and 0.51 of float32; by vectors 0.9 and 0.9.
func Log1p[T Float](dst, x []T) { unary(fnLog1p, dst, x) }

// Sin sets dst to the sine of x.
//
// Error, in ULP, in Go: 1.2 of float64 and 0.55 of float32; by vectors 0.9 and 1.3.
func Sin[T Float](dst, x []T) { unary(fnSin, dst, x) }

// Cos sets dst to the cosine of x.
//
// Error, in ULP, in Go: 1.2 of float64 and 0.55 of float32; by vectors 1 and 1.3.
func Cos[T Float](dst, x []T) { unary(fnCos, dst, x) }

// Tan sets dst to the tangent of x.
//
// Error, in ULP, in Go: 0.55 of float64 and 0.51 of float32; by vectors 2 and 2.6.
func Tan[T Float](dst, x []T) { unary(fnTan, dst, x) }

// Asin sets dst to the inverse sine of x.
//
// Error, in ULP, in Go: 1.2 of float64 and 0.51 of float32; by vectors 2 and 1.7.
func Asin[T Float](dst, x []T) { unary(fnAsin, dst, x) }

// Acos sets dst to the inverse cosine of x.
//
// Error, in ULP, in Go: 0.8 of float64 and 0.51 of float32; by vectors 1.2 and 1.2.
func Acos[T Float](dst, x []T) { unary(fnAcos, dst, x) }

// Atan sets dst to the inverse tangent of x.
//
// Error, in ULP, in Go: 1.1 of float64 and 0.51 of float32; by vectors 0.8 and 0.8.
func Atan[T Float](dst, x []T) { unary(fnAtan, dst, x) }

// Sinh sets dst to the hyperbolic sine of x.
//
// Error, in ULP, in Go: 1.5 of float64 and 0.51 of float32; by vectors 1.8 and 1.9.
func Sinh[T Float](dst, x []T) { unary(fnSinh, dst, x) }

// Cosh sets dst to the hyperbolic cosine of x.
//
// Error, in ULP, in Go: 1 of float64 and 0.51 of float32; by vectors 1.4 and 1.4.
func Cosh[T Float](dst, x []T) { unary(fnCosh, dst, x) }

// Tanh sets dst to the hyperbolic tangent of x.
//
// Error, in ULP, in Go: 1.4 of float64 and 0.51 of float32; by vectors 2 and 2.
func Tanh[T Float](dst, x []T) { unary(fnTanh, dst, x) }

// Asinh sets dst to the inverse hyperbolic sine of x.
//
// Error, in ULP, in Go: 1.5 of float64 and 0.51 of float32; by vectors 1.1 and 1.1.
func Asinh[T Float](dst, x []T) { unary(fnAsinh, dst, x) }

// Acosh sets dst to the inverse hyperbolic cosine of x.
//
// Error, in ULP, in Go: 1.4 of float64 and 0.51 of float32; by vectors 1.1 and 1.
func Acosh[T Float](dst, x []T) { unary(fnAcosh, dst, x) }

// Atanh sets dst to the inverse hyperbolic tangent of x.
//
// Error, in ULP, in Go: 1.5 of float64 and 0.51 of float32; by vectors 1.4 and 1.8.
func Atanh[T Float](dst, x []T) { unary(fnAtanh, dst, x) }

// Pow sets dst to x to the power y.
//
// Error, in ULP, in Go: 0.55 of float64 and 0.51 of float32; by vectors 0.55 and 0.51.
func Pow[T Float](dst, x, y []T) { binary(fnPow, dst, x, y) }

// Atan2 sets dst to the angle from -π to π of the point with ordinate y and abscissa x.
//
// Error, in ULP, in Go: 1.1 of float64 and 0.51 of float32; by vectors 1.1 and 1.3.
func Atan2[T Float](dst, y, x []T) { binary(fnAtan2, dst, y, x) }

// Hypot sets dst to √(x²+y²), without overflow on the way.
//
// Error, in ULP, in Go: 1.1 of float64 and 0.51 of float32; by vectors 1.1 and 1.
func Hypot[T Float](dst, x, y []T) { binary(fnHypot, dst, x, y) }
