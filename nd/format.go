package nd

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// formatValues returns the texts of the elements of one array, all of one width,
// as NumPy's print does.
func formatValues[T Element](values []T, p printing) []string {
	out := make([]string, len(values))
	switch v := any(values).(type) {
	case []float32:
		formatFloats(out, widen(v), 32, p)
	case []float64:
		formatFloats(out, v, 64, p)
	case []complex64:
		wide := make([]complex128, len(v))
		for i, z := range v {
			wide[i] = complex128(z)
		}
		formatComplex(out, wide, 32, p)
	case []complex128:
		formatComplex(out, v, 64, p)
	case []bool:
		for i, b := range v {
			out[i] = map[bool]string{true: " True", false: "False"}[b]
		}
	default:
		for i, x := range values {
			out[i] = fmt.Sprint(x)
		}
		padLeft(out)
	}
	return out
}

// formatScalar returns the text of an array of no axes, in which NumPy shows all
// digits.
func formatScalar[T Element](x T) string {
	switch v := any(x).(type) {
	case float32:
		return scalarText(float64(v), 32, ".0")
	case float64:
		return scalarText(v, 64, ".0")
	case complex64:
		return complexText(complex128(v), 32)
	case complex128:
		return complexText(v, 64)
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	}
	return fmt.Sprint(x)
}

// scalarText returns the shortest text that identifies x; whole follows a number
// without a fraction.
func scalarText(x float64, bits int, whole string) string {
	most := 1e16
	if bits == 32 {
		most = 1e6
	}
	if a := math.Abs(x); a >= most || a < 1e-4 && a > 0 {
		if math.IsInf(a, 0) {
			return strings.ToLower(strings.TrimPrefix(fmt.Sprint(x), "+"))
		}
		return strconv.FormatFloat(x, 'e', -1, bits)
	}
	if x != x {
		return "nan"
	}
	s := strconv.FormatFloat(x, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += whole
	}
	return s
}

func complexText(z complex128, bits int) string {
	im := scalarText(imag(z), bits, "")
	if real(z) == 0 && !math.Signbit(real(z)) {
		return im + "j"
	}
	if im[0] != '-' {
		im = "+" + im
	}
	return "(" + scalarText(real(z), bits, "") + im + "j)"
}

func widen(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

func formatFloats(out []string, values []float64, bits int, p printing) {
	f := newFloatFormat(values, bits, false, p)
	for i, x := range values {
		out[i] = f.text(x)
	}
}

func formatComplex(out []string, values []complex128, bits int, p printing) {
	re, im := make([]float64, len(values)), make([]float64, len(values))
	for i, z := range values {
		re[i], im[i] = real(z), imag(z)
	}
	f, g := newFloatFormat(re, bits, false, p), newFloatFormat(im, bits, true, p)
	for i := range out {
		s := g.text(im[i])
		end := len(strings.TrimRight(s, " "))
		out[i] = f.text(re[i]) + s[:end] + "j" + s[end:]
	}
}

// floatFormat writes the numbers of one array with their points below each other,
// as numpy's FloatingFormat does: the shortest digits that identify each number,
// but at most precision after the point, and exponents if magnitudes are very
// large, very small, or far apart.
type floatFormat struct {
	bits      int
	precision int
	plus      bool // positive numbers have a sign
	exponent  bool
	whole     int // characters before the point
	frac      int // digits after it
	power     int // digits of the exponent
}

func newFloatFormat(values []float64, bits int, plus bool, p printing) floatFormat {
	f := floatFormat{bits: bits, precision: p.precision, plus: plus, exponent: wantsExponent(values, bits, p.suppress)}
	special := 0 // the width of the widest text that is no number
	for _, x := range values {
		if x-x != 0 {
			special = max(special, 3)
			if plus || x < 0 {
				special = 4
			}
			continue
		}
		whole, frac, power := f.digits(x)
		f.whole, f.frac = max(f.whole, len(whole)), max(f.frac, len(frac))
		if f.exponent {
			f.power = max(f.power, len(power)-1)
		}
	}
	f.whole += max(0, special-f.width())
	return f
}

func (f *floatFormat) width() int {
	w := f.whole + 1 + f.frac
	if f.exponent {
		w += 2 + f.power
	}
	return w
}

func (f *floatFormat) text(x float64) string {
	switch {
	case x != x:
		return padTo(f.sign(0)+"nan", f.width())
	case math.IsInf(x, 0):
		return padTo(f.sign(x)+"inf", f.width())
	}
	if !f.exponent {
		whole, frac, _ := f.digits(x)
		return padTo(whole, f.whole) + "." + frac + strings.Repeat(" ", f.frac-len(frac))
	}
	whole, frac, power := f.cut(x, f.frac) // with more digits than identify x, not zeros
	return padTo(whole, f.whole) + "." + frac + "e" + power[:1] + strings.Repeat("0", f.power-len(power)+1) + power[1:]
}

func (f *floatFormat) sign(x float64) string {
	switch {
	case math.Signbit(x):
		return "-"
	case f.plus:
		return "+"
	}
	return ""
}

// digits returns what of x's text comes before the point, after it, and, signed,
// after the e.
func (f *floatFormat) digits(x float64) (whole, frac, power string) {
	whole, frac, power = f.cut(x, -1)
	if len(frac) > f.precision {
		whole, frac, power = f.cut(x, f.precision)
		frac = strings.TrimRight(frac, "0")
	}
	return whole, frac, power
}

// cut is digits with the given number of digits after the point, or for -1 as
// many as identify x.
func (f *floatFormat) cut(x float64, precision int) (whole, frac, power string) {
	verb := byte('f')
	if f.exponent {
		verb = 'e'
	}
	s, power, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), verb, precision, f.bits), "e")
	whole, frac, _ = strings.Cut(s, ".")
	return f.sign(x) + whole, frac, power
}

// wantsExponent decides in the precision of the numbers, as numpy does; with
// suppress only large numbers have exponents.
func wantsExponent(values []float64, bits int, suppress bool) bool {
	lo, hi := math.Inf(1), 0.0
	for _, x := range values {
		if a := math.Abs(x); a > 0 && !math.IsInf(a, 0) {
			lo, hi = min(lo, a), max(hi, a)
		}
	}
	if hi == 0 {
		return false
	}
	if bits == 32 {
		return hi >= 1e6 || !suppress && (lo < float64(float32(1e-4)) || float32(hi)/float32(lo) > 1000)
	}
	return hi >= 1e8 || !suppress && (lo < 1e-4 || hi/lo > 1000)
}

// padLeft makes all texts as wide as the widest.
func padLeft(texts []string) []string {
	width := 0
	for _, s := range texts {
		width = max(width, len(s))
	}
	for i, s := range texts {
		texts[i] = padTo(s, width)
	}
	return texts
}

func padTo(s string, width int) string { return strings.Repeat(" ", max(0, width-len(s))) + s }
