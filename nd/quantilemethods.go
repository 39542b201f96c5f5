package nd

import (
	"math"

	"caloric/internal/misuse"
)

// Method chooses how [Quantile] and its like estimate a quantile that lies
// between two elements: "linear", which is the default, "lower", "higher",
// "midpoint" or "nearest", or one of the nine of Hyndman & Fan 1996, "Sample
// quantiles in statistical packages", by NumPy's names: "inverted_cdf",
// "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf",
// "hazen", "weibull", "linear", "median_unbiased" and "normal_unbiased".
// Panics if there is none of that name.
func Method(name string) Option {
	for i, m := range quantileMethods {
		if m.name == name {
			return Option{kind: methodOption, n: int8(i)}
		}
	}
	misuse.Panic("no method for quantiles is called %q", name)
	return Option{}
}

// quantileMethod gives the place of quantile q among n sorted elements, from 0
// on, and the weight of the element after it.
type quantileMethod struct {
	name  string
	place func(n, q float64) (at, weight float64)
}

func (m quantileMethod) index(n int, q float64) (lo, hi int, weight float64) {
	at, w := m.place(float64(n), q)
	switch {
	case at >= float64(n-1):
		return n - 1, n - 1, 0
	case at < 0:
		return 0, 0, 0
	}
	lo = int(at)
	if w == 0 {
		return lo, lo, 0
	}
	return lo, lo + 1, w
}

// between places a quantile at v, between two elements.
func between(v float64) (at, weight float64) {
	at = math.Floor(v)
	return at, v - at
}

// hyndmanFan is their methods 4 to 9, which differ in alpha and beta.
func hyndmanFan(name string, alpha, beta float64) quantileMethod {
	return quantileMethod{name, func(n, q float64) (at, weight float64) {
		return between(float64(n*q) + (alpha + float64(q*(1-alpha-beta))) - 1)
	}}
}

// onElement takes the element at place(n, q).
func onElement(name string, place func(n, q float64) float64) quantileMethod {
	return quantileMethod{name, func(n, q float64) (at, weight float64) { return place(n, q), 0 }}
}

var quantileMethods = []quantileMethod{
	{"linear", func(n, q float64) (at, weight float64) { return between((n - 1) * q) }},
	onElement("lower", func(n, q float64) float64 { return math.Floor((n - 1) * q) }),
	onElement("higher", func(n, q float64) float64 { return math.Ceil((n - 1) * q) }),
	onElement("nearest", func(n, q float64) float64 { return math.RoundToEven((n - 1) * q) }),
	{"midpoint", func(n, q float64) (at, weight float64) {
		at, weight = between((n - 1) * q)
		if weight > 0 {
			weight = 0.5
		}
		return at, weight
	}},
	onElement("inverted_cdf", func(n, q float64) float64 { return math.Ceil(float64(n*q) - 1) }),
	{"averaged_inverted_cdf", func(n, q float64) (at, weight float64) {
		at, weight = between(float64(n*q) - 1)
		if weight > 0 {
			return at + 1, 0
		}
		return at, 0.5
	}},
	onElement("closest_observation", func(n, q float64) float64 {
		at, weight := between(float64(n*q) - 1.5)
		if weight == 0 && math.Mod(at, 2) != 0 {
			return at
		}
		return at + 1
	}),
	hyndmanFan("interpolated_inverted_cdf", 0, 1),
	hyndmanFan("hazen", 0.5, 0.5),
	hyndmanFan("weibull", 0, 0),
	hyndmanFan("median_unbiased", 1.0/3, 1.0/3),
	hyndmanFan("normal_unbiased", 3.0/8, 3.0/8),
}

// lerp returns what lies between a and b, at weight w of b, rounded as NumPy does.
// Of an infinity and a number it is that infinity, of equal infinities theirs.
func lerp(a, b, w float64) float64 {
	if a == b || w == 0 {
		return a
	}
	d := b - a
	if math.IsInf(d, 0) { // the way from one to the other does not tell what lies on it
		return float64(a*(1-w)) + float64(b*w)
	}
	if w >= 0.5 {
		return b - float64(d*(1-w))
	}
	return a + float64(d*w)
}
