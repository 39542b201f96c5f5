package random

import "math"

// The coefficients of the rational approximations of AS 241, PPND16, lowest
// power first, for |q| ≤ 0.425 in r = 0.425² - q², and for the tail of
// probability p in r = √(-log p) - 1.6 up to p = e⁻²⁵ and r = √(-log p) - 5 beyond.
var (
	centerNum = [8]float64{
		3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3,
	}
	centerDen = [8]float64{
		1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3,
	}
	midNum = [8]float64{
		1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4,
	}
	midDen = [8]float64{
		1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
	}
	farNum = [8]float64{
		6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
	}
	farDen = [8]float64{
		1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
	}
)

// central returns the normal quantile of 1/2 + q for |q| ≤ 0.425.
func central(q float64) float64 {
	return float64(q * ratio(&centerNum, &centerDen, 0.180625-float64(q*q)))
}

// tail returns the normal quantile for the word w outside the central region.
func tail(w uint64) float64 {
	// The tail's probability is counted from its own end, to lose no bits.
	p := (float64(int64(min(w^(1<<63-1), w^(1<<63)))) + 0.5) * 0x1p-64
	r := math.Sqrt(-math.Log(p))
	var x float64
	if r <= 5 {
		x = ratio(&midNum, &midDen, r-1.6)
	} else {
		x = ratio(&farNum, &farDen, r-5)
	}
	if int64(w) < 0 {
		return -x
	}
	return x
}

// ratio returns n(r)/d(r) by Horner's rule. The conversions keep compilers from
// fusing products with sums, so that every machine gives the same bits.
func ratio(n, d *[8]float64, r float64) float64 {
	x, y := float64(n[7]*r)+n[6], float64(d[7]*r)+d[6]
	x, y = float64(x*r)+n[5], float64(y*r)+d[5]
	x, y = float64(x*r)+n[4], float64(y*r)+d[4]
	x, y = float64(x*r)+n[3], float64(y*r)+d[3]
	x, y = float64(x*r)+n[2], float64(y*r)+d[2]
	x, y = float64(x*r)+n[1], float64(y*r)+d[1]
	x, y = float64(x*r)+n[0], float64(y*r)+d[0]
	return x / y
}
