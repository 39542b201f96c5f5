package random

import (
	"math"
	"math/rand/v2"

	"caloric/internal/misuse"
	"caloric/nd"

	"gonum.org/v1/gonum/stat/distuv"
)

// Each distribution computes in float64, and the number is then rounded to T.
// Those below that are no more than a formula invert the distribution function.

// positive checks the parameters of a distribution.
func positive[T nd.Float](params ...T) {
	for _, p := range params {
		if !(p > 0) || math.IsInf(float64(p), 1) {
			misuse.Panic("parameters %v, want positive numbers", params)
		}
	}
}

// located checks a location and a positive scale.
func located[T nd.Float](location, scale T) {
	if x := float64(location); math.IsNaN(x) || math.IsInf(x, 0) {
		misuse.Panic("the location is %v", location)
	}
	positive(scale)
}

// Exponential is the exponential distribution of mean scale. Panics if scale is
// not positive.
func Exponential[T nd.Float](scale T) Distribution[T] {
	positive(scale)
	return func(r *rand.Rand) T { return T(r.ExpFloat64() * float64(scale)) }
}

// Gamma is the gamma distribution of mean shape·scale (Marsaglia and Tsang 2000,
// "A simple method for generating gamma variables"). Panics if a parameter is not
// positive.
func Gamma[T nd.Float](shape, scale T) Distribution[T] {
	positive(shape, scale)
	return func(r *rand.Rand) T { return T(gamma(float64(shape), r) * float64(scale)) }
}

func gamma(shape float64, r *rand.Rand) float64 {
	return distuv.Gamma{Alpha: shape, Beta: 1, Src: r}.Rand()
}

// ChiSquare is the distribution of the sum of df squared standard normal numbers.
// Panics if df is not positive.
func ChiSquare[T nd.Float](df T) Distribution[T] {
	positive(df)
	return func(r *rand.Rand) T { return T(chiSquare(float64(df), r)) }
}

func chiSquare(df float64, r *rand.Rand) float64 { return 2 * gamma(df/2, r) }

// NoncentralChiSquare is the distribution of the sum of df squared normal numbers
// of variance 1, the squares of whose means add up to nonc. Panics if df is not
// positive or nonc is negative.
func NoncentralChiSquare[T nd.Float](df, nonc T) Distribution[T] {
	positive(df)
	notNegative(nonc)
	return func(r *rand.Rand) T { return T(noncentral(float64(df), float64(nonc), r)) }
}

func noncentral(df, nonc float64, r *rand.Rand) float64 {
	if df > 1 {
		z := r.NormFloat64() + math.Sqrt(nonc)
		return chiSquare(df-1, r) + z*z
	}
	return chiSquare(df+2*poisson(nonc/2, r), r)
}

func notNegative[T nd.Float](x T) {
	if !(x >= 0) || math.IsInf(float64(x), 1) {
		misuse.Panic("parameter %v, want 0 or a positive number", x)
	}
}

// F is Fisher's distribution, of the quotient of two [ChiSquare] numbers over
// their degrees of freedom. Panics if one of these is not positive.
func F[T nd.Float](dfNum, dfDen T) Distribution[T] { return NoncentralF(dfNum, dfDen, 0) }

// NoncentralF is [F] with [NoncentralChiSquare] above. Panics if a number of
// degrees of freedom is not positive or nonc is negative.
func NoncentralF[T nd.Float](dfNum, dfDen, nonc T) Distribution[T] {
	positive(dfNum, dfDen)
	notNegative(nonc)
	n, d := float64(dfNum), float64(dfDen)
	return func(r *rand.Rand) T {
		return T(noncentral(n, float64(nonc), r) / n / (chiSquare(d, r) / d))
	}
}

// StudentT is Student's distribution with df degrees of freedom. Panics if df is
// not positive.
func StudentT[T nd.Float](df T) Distribution[T] {
	positive(df)
	v := float64(df)
	return func(r *rand.Rand) T { return T(r.NormFloat64() / math.Sqrt(chiSquare(v, r)/v)) }
}

// Beta is the beta distribution, of mean a/(a+b). Panics if a parameter is not positive.
func Beta[T nd.Float](a, b T) Distribution[T] {
	positive(a, b)
	p, q := float64(a), float64(b)
	return func(r *rand.Rand) T {
		x, y := gamma(p, r), gamma(q, r)
		if x+y == 0 { // so small parameters that nearly all numbers are 0 or 1
			if r.Float64()*(p+q) < p {
				return 1
			}
			return 0
		}
		return T(x / (x + y))
	}
}

// LogNormal is the distribution of the exponential of a normal number. Panics if
// mean is not finite or std is not positive.
func LogNormal[T nd.Float](mean, std T) Distribution[T] {
	located(mean, std)
	return func(r *rand.Rand) T { return T(math.Exp(r.NormFloat64()*float64(std) + float64(mean))) }
}

// Laplace is the double exponential distribution around location. Panics if
// location is not finite or scale is not positive.
func Laplace[T nd.Float](location, scale T) Distribution[T] {
	located(location, scale)
	return func(r *rand.Rand) T {
		x := r.ExpFloat64() * float64(scale)
		if r.Uint64()>>63 == 1 {
			x = -x
		}
		return T(float64(location) + x)
	}
}

// Logistic is the logistic distribution around location. Panics if location is
// not finite or scale is not positive.
func Logistic[T nd.Float](location, scale T) Distribution[T] {
	located(location, scale)
	return func(r *rand.Rand) T {
		u := open(r)
		return T(float64(location) + float64(scale)*math.Log(u/(1-u)))
	}
}

// open returns a uniform number between 0 and 1 that is neither.
func open(r *rand.Rand) float64 { return (float64(r.Uint64()>>12) + 0.5) * 0x1p-52 }

// Gumbel is the distribution of the maximum of many numbers. Panics if location
// is not finite or scale is not positive.
func Gumbel[T nd.Float](location, scale T) Distribution[T] {
	located(location, scale)
	return func(r *rand.Rand) T { return T(float64(location) - float64(scale)*math.Log(r.ExpFloat64())) }
}

// Pareto is the distribution of Pareto of the second kind (Lomax), as NumPy's: 1
// plus it is the classical one of minimum 1. Panics if a is not positive.
func Pareto[T nd.Float](a T) Distribution[T] {
	positive(a)
	return func(r *rand.Rand) T { return T(math.Expm1(r.ExpFloat64() / float64(a))) }
}

// Weibull is the distribution of Weibull of scale 1. Panics if a is not positive.
func Weibull[T nd.Float](a T) Distribution[T] {
	positive(a)
	return func(r *rand.Rand) T { return T(math.Pow(r.ExpFloat64(), 1/float64(a))) }
}

// Rayleigh is the distribution of the length of a vector of two normal numbers of
// standard deviation scale. Panics if scale is not positive.
func Rayleigh[T nd.Float](scale T) Distribution[T] {
	positive(scale)
	return func(r *rand.Rand) T { return T(float64(scale) * math.Sqrt(2*r.ExpFloat64())) }
}

// Power is the distribution on [0, 1] whose density is a·xᵃ⁻¹. Panics if a is not positive.
func Power[T nd.Float](a T) Distribution[T] {
	positive(a)
	return func(r *rand.Rand) T { return T(math.Exp(-r.ExpFloat64() / float64(a))) }
}

// Cauchy is the standard Cauchy distribution.
func Cauchy[T nd.Float]() Distribution[T] {
	return func(r *rand.Rand) T { return T(math.Tan(math.Pi * (open(r) - 0.5))) }
}

// Triangular is the distribution from left to right whose density is a triangle
// with its top at mode. Panics unless left ≤ mode ≤ right and left < right.
func Triangular[T nd.Float](left, mode, right T) Distribution[T] {
	l, m, h := float64(left), float64(mode), float64(right)
	if !(l <= m && m <= h && l < h) || math.IsInf(h-l, 0) {
		misuse.Panic("no triangle from %v over %v to %v", left, mode, right)
	}
	return func(r *rand.Rand) T {
		u := r.Float64() * (h - l)
		if u < m-l {
			return T(l + math.Sqrt(u*(m-l)))
		}
		return T(h - math.Sqrt((h-l-u)*(h-m)))
	}
}

// VonMises is the distribution of von Mises on the circle, from -π to π, of
// concentration kappa around mean (Best and Fisher 1979, "Efficient simulation of
// the von Mises distribution"). Panics if mean is not finite or kappa is negative.
func VonMises[T nd.Float](mean, kappa T) Distribution[T] {
	located(mean, 1)
	notNegative(kappa)
	k := float64(kappa)
	t := math.Sqrt(1 + 4*k*k)
	rho := (t - math.Sqrt(2*(1+t))) / (2 * k)
	s := (1 + rho*rho) / (2 * rho)
	switch {
	case k < 1e-5: // rho has lost its digits
		s = 1/k + k
	case k > 1e6: // as it has where the circle is a line
		return func(r *rand.Rand) T { return T(wrap(float64(mean) + r.NormFloat64()/math.Sqrt(k))) }
	}
	return func(r *rand.Rand) T {
		if k < 1e-8 {
			return T(wrap(float64(mean) + math.Pi*(2*r.Float64()-1)))
		}
		for {
			z := math.Cos(math.Pi * r.Float64())
			w := (1 + s*z) / (s + z)
			y, v := k*(s-w), open(r)
			if y*(2-y)-v >= 0 || math.Log(y/v)+1-y >= 0 {
				x := math.Acos(w)
				if r.Uint64()>>63 == 1 {
					x = -x
				}
				return T(wrap(float64(mean) + x))
			}
		}
	}
}

// wrap returns the angle between -π and π that x is.
func wrap(x float64) float64 { return math.Remainder(x, 2*math.Pi) }

// Wald is the inverse Gaussian distribution (Michael, Schucany and Haas 1976,
// "Generating random variates using transformations with multiple roots"). Panics
// if a parameter is not positive.
func Wald[T nd.Float](mean, scale T) Distribution[T] {
	positive(mean, scale)
	m, l := float64(mean), float64(scale)
	return func(r *rand.Rand) T {
		y := r.NormFloat64()
		y = m * y * y / l
		// The smaller root, as a quotient, which does not cancel.
		x := m * 2 / (2 + y + math.Sqrt(y*(4+y)))
		if r.Float64()*(m+x) <= m {
			return T(x)
		}
		return T(m * m / x)
	}
}
