package nd

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// printPrecision is the most digits after the decimal point.
const printPrecision = 8

// formatValues returns the texts of values, all of one width, as NumPy's print does.
func formatValues[T Element](values []T) []string {
	switch v := any(values).(type) {
	case []float32:
		return formatFloats(widen(v), 32)
	case []float64:
		return formatFloats(v, 64)
	case []complex64:
		return formatComplex(v, func(z complex64) (float64, float64) { return float64(real(z)), float64(imag(z)) }, 32)
	case []complex128:
		return formatComplex(v, func(z complex128) (float64, float64) { return real(z), imag(z) }, 64)
	case []bool:
		out := make([]string, len(v))
		for i, b := range v {
			out[i] = map[bool]string{true: "True", false: "False"}[b]
		}
		return padLeft(out)
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return padLeft(out)
}

func widen(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// formatFloats follows numpy.core.arrayprint.FloatingFormat: the shortest digits
// that identify each number, at most printPrecision after the point, and
// exponents if magnitudes are very large, very small, or far apart.
func formatFloats(values []float64, bits int) []string {
	exponent := wantsExponent(values)
	out := make([]string, len(values))
	after := 0 // the most characters after the point
	for i, x := range values {
		out[i] = digits(x, bits, exponent)
		if j := strings.IndexByte(out[i], '.'); j >= 0 {
			frac := out[i][j+1:]
			if k := strings.IndexByte(frac, 'e'); k >= 0 {
				frac = frac[:k]
			}
			after = max(after, len(frac))
		}
	}
	for i, s := range out {
		j := strings.IndexByte(s, '.')
		if j < 0 {
			continue
		}
		if k := strings.IndexByte(s, 'e'); k >= 0 {
			out[i] = s[:k] + strings.Repeat("0", after-(k-j-1)) + s[k:]
		} else {
			out[i] = s + strings.Repeat(" ", after-(len(s)-j-1))
		}
	}
	return padLeft(out)
}

func wantsExponent(values []float64) bool {
	lo, hi := math.Inf(1), 0.0
	for _, x := range values {
		if a := math.Abs(x); a != 0 && !math.IsInf(x, 0) && a == a {
			lo, hi = min(lo, a), max(hi, a)
		}
	}
	return hi >= 1e8 || hi > 0 && (lo < 1e-4 || hi/lo > 1000)
}

// digits returns the shortest decimal that identifies x, rounded to
// printPrecision digits, always with a point if x is finite.
func digits(x float64, bits int, exponent bool) string {
	switch {
	case x != x:
		return "nan"
	case math.IsInf(x, 0):
		return map[bool]string{true: "inf", false: "-inf"}[x > 0]
	}
	verb := byte('f')
	if exponent {
		verb = 'e'
	}
	s := strconv.FormatFloat(x, verb, -1, bits)
	mantissa, exp, _ := strings.Cut(s, "e")
	if j := strings.IndexByte(mantissa, '.'); j >= 0 && len(mantissa)-j-1 > printPrecision {
		s = strconv.FormatFloat(x, verb, printPrecision, bits)
		mantissa, exp, _ = strings.Cut(s, "e")
		mantissa = strings.TrimRight(mantissa, "0")
	}
	if !strings.Contains(mantissa, ".") {
		mantissa += "."
	}
	if exponent {
		if strings.HasSuffix(mantissa, ".") {
			mantissa += "0"
		}
		return mantissa + "e" + exp
	}
	return mantissa
}

func formatComplex[T any](values []T, parts func(T) (float64, float64), bits int) []string {
	re, im := make([]float64, len(values)), make([]float64, len(values))
	for i, z := range values {
		re[i], im[i] = parts(z)
	}
	reText, imText := formatFloats(re, bits), formatFloats(im, bits)
	for i := range imText {
		s := strings.TrimLeft(imText[i], " ")
		if !strings.HasPrefix(s, "-") {
			s = "+" + s
		}
		trimmed := strings.TrimRight(s, " ")
		imText[i] = trimmed + "j" + s[len(trimmed):]
	}
	imText = padLeft(imText)
	for i := range reText {
		reText[i] += imText[i]
	}
	return reText
}

func padLeft(s []string) []string {
	width := 0
	for _, t := range s {
		width = max(width, len(t))
	}
	for i, t := range s {
		s[i] = strings.Repeat(" ", width-len(t)) + t
	}
	return s
}
