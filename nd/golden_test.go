package nd_test

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"caloric/nd"
)

// goldenFile is testdata/elementwise.txt, which says how it is written.
type goldenFile struct {
	lists   map[string][]string     // by name and type
	results map[string]goldenResult // by operation, type and result type
}

type goldenResult struct {
	list   string
	values []string
}

var golden = sync.OnceValue(func() goldenFile {
	text, err := os.ReadFile("testdata/elementwise.txt")
	if err != nil {
		panic(err)
	}
	g := goldenFile{map[string][]string{}, map[string]goldenResult{}}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if f[0] == "list" {
			g.lists[f[1]+" "+f[2]] = f[3:]
		} else {
			g.results[f[0]+" "+f[1]+" "+f[3]] = goldenResult{f[2], f[4:]}
		}
	}
	return g
})

// goldenOf returns the operands of an operation from T to R and NumPy's results.
func goldenOf[T, R nd.Element](t testing.TB, op string) (x []T, want []R) {
	t.Helper()
	from, to := fmt.Sprintf("%T", *new(T)), fmt.Sprintf("%T", *new(R))
	r, ok := golden().results[op+" "+from+" "+to]
	if !ok {
		t.Fatalf("testdata/gen_elementwise.py has no %s from %s to %s", op, from, to)
	}
	return parseAll[T](golden().lists[r.list+" "+from]), parseAll[R](r.values)
}

func parseAll[T nd.Element](words []string) []T {
	values := make([]T, len(words))
	for i, w := range words {
		parse(reflect.ValueOf(&values[i]).Elem(), w)
	}
	return values
}

// parse sets v to a number as NumPy writes it.
func parse(v reflect.Value, word string) {
	var err error
	bits := v.Type().Bits
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(word == "True")
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(word, 10, bits())
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(word, 10, bits())
		v.SetUint(n)
	case v.CanFloat():
		var x float64
		x, err = strconv.ParseFloat(word, bits())
		v.SetFloat(x)
	default:
		re, im, _ := strings.Cut(word, ",")
		var x, y float64
		x, err = strconv.ParseFloat(re, bits()/2)
		if err == nil {
			y, err = strconv.ParseFloat(im, bits()/2)
		}
		v.SetComplex(complex(x, y))
	}
	if err != nil {
		panic(err)
	}
}

// near reports whether got is want: integers and bools exactly, and floats to
// within a few units in the last place, with NaN, infinities and the sign of
// zero as they are. Of complex numbers the whole is compared, not each part.
func near[T nd.Element](got, want T, ulps float64) bool {
	switch g := any(got).(type) {
	case float32:
		return nearFloat(float64(g), float64(any(want).(float32)), ulps*0x1p-23, ulps*math.SmallestNonzeroFloat32)
	case float64:
		return nearFloat(g, any(want).(float64), ulps*0x1p-52, ulps*math.SmallestNonzeroFloat64)
	case complex64:
		return nearComplex(complex128(g), complex128(any(want).(complex64)), ulps*0x1p-23, ulps*math.SmallestNonzeroFloat32)
	case complex128:
		return nearComplex(g, any(want).(complex128), ulps*0x1p-52, ulps*math.SmallestNonzeroFloat64)
	}
	return got == want
}

func nearFloat(got, want, rel, abs float64) bool {
	switch {
	case want != want:
		return got != got
	case want == 0 && got == 0:
		return math.Signbit(got) == math.Signbit(want)
	case got == want:
		return true
	}
	return !math.IsInf(got, 0) && !math.IsInf(want, 0) && math.Abs(got-want) <= rel*math.Abs(want)+abs
}

func nearComplex(got, want complex128, rel, abs float64) bool {
	for _, part := range []float64{real(want), imag(want)} {
		if !math.IsInf(part, 0) && part == part {
			abs = max(abs, rel*math.Abs(part))
		}
	}
	return nearFloat(real(got), real(want), 0, abs) && nearFloat(imag(got), imag(want), 0, abs)
}
