package nd_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// scanCase is a case of testdata/scan.json: see gen_scan.py.
type scanCase struct {
	name, typ string
	in        []scanArray
	args      scanArgs
	out       []scanArray
}

func (k *scanCase) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&k.name, &k.typ, &k.in, &k.args, &k.out})
}

// scanArray is an array of a case: its values are words as NumPy writes them.
type scanArray struct {
	typ    string
	shape  []int
	values any // a slice of the type
}

func (a *scanArray) UnmarshalJSON(text []byte) error {
	var words string
	err := json.Unmarshal(text, &[]any{&a.typ, &a.shape, &words})
	if err != nil {
		return err
	}
	a.values, err = parseType(a.typ, strings.Fields(words))
	return err
}

func parseType(typ string, words []string) (any, error) {
	switch typ {
	case "bool":
		return parseAll[bool](words), nil
	case "int8":
		return parseAll[int8](words), nil
	case "int32":
		return parseAll[int32](words), nil
	case "int64":
		return parseAll[int64](words), nil
	case "uint8":
		return parseAll[uint8](words), nil
	case "float32":
		return parseAll[float32](words), nil
	case "float64":
		return parseAll[float64](words), nil
	case "complex64":
		return parseAll[complex64](words), nil
	case "complex128":
		return parseAll[complex128](words), nil
	}
	return nil, fmt.Errorf("type %q", typ)
}

type scanArgs struct {
	Axis                *int
	N, Order            int
	To                  string
	H                   []float64
	X                   [][]float64
	Prepend, Append     int
	Left, Right, Period *float64
}

// along returns the axis as the variadic argument of scans.
func (k *scanCase) along() []int {
	if k.args.Axis == nil {
		return nil
	}
	return []int{*k.args.Axis}
}

// outcome is a result of any type, to be compared with that of a case.
type outcome interface {
	check(t testing.TB, what func() string, want scanArray)
}

type outcomeOf[R nd.Element] struct{ a *nd.NDArray[R] }

func outcomes[R nd.Element](arrays ...*nd.NDArray[R]) []outcome {
	var out []outcome
	for _, a := range arrays {
		out = append(out, outcomeOf[R]{a})
	}
	return out
}

func (o outcomeOf[R]) check(t testing.TB, what func() string, want scanArray) {
	t.Helper()
	if !o.a.Shape().Equal(want.shape) {
		t.Fatalf("%s: shape %v, want %v", what(), o.a.Shape(), want.shape)
	}
	if typ := fmt.Sprintf("%T", *new(R)); typ != want.typ {
		t.Fatalf("%s: type %s, want %s", what(), typ, want.typ)
	}
	if l := o.a.Layout().LocalShape(o.a.Comm().Rank()); !l.Equal(o.a.LocalShape()) {
		t.Fatalf("%s: layout %v, but local shape %v", what(), o.a.Layout(), o.a.LocalShape())
	}
	values, got := want.values.([]R), o.a.Gather()
	scale := 0.0
	for _, v := range values {
		if m := magnitude(v); !math.IsInf(m, 0) && m == m {
			scale = max(scale, m)
		}
	}
	for i, v := range values {
		if !scanClose(got[i], v, scale) {
			t.Fatalf("%s of %v: element %d is %v, want %v", what(), o.a.Layout(), i, got[i], v)
		}
	}
}

func magnitude[T nd.Element](v T) float64 {
	switch v := any(v).(type) {
	case float32:
		return math.Abs(float64(v))
	case float64:
		return math.Abs(v)
	case complex64:
		return math.Hypot(float64(real(v)), float64(imag(v)))
	case complex128:
		return math.Hypot(real(v), imag(v))
	}
	return 0
}

// scanClose reports whether got is want: exactly for integers and bools, else within
// 1e-5 or 1e-12 of the largest number of the result, with infinities and NaN in place.
func scanClose[T nd.Element](got, want T, scale float64) bool {
	switch g := any(got).(type) {
	case float32:
		return closeFloat(float64(g), float64(any(want).(float32)), 1e-5*scale)
	case float64:
		return closeFloat(g, any(want).(float64), 1e-12*scale)
	case complex64:
		w := any(want).(complex64)
		return closeFloat(float64(real(g)), float64(real(w)), 1e-5*scale) && closeFloat(float64(imag(g)), float64(imag(w)), 1e-5*scale)
	case complex128:
		w := any(want).(complex128)
		return closeFloat(real(g), real(w), 1e-12*scale) && closeFloat(imag(g), imag(w), 1e-12*scale)
	}
	return got == want
}

func closeFloat(got, want, tolerance float64) bool {
	return got == want || got != got && want != want || math.Abs(got-want) <= tolerance
}

// The functions of a case, by what types they have. They return nil for others.

func scanElement[T nd.Element](k *scanCase, in []*nd.NDArray[T]) []outcome {
	switch k.name {
	case "diff":
		return outcomes(nd.Diff(in[0], k.args.N, *k.args.Axis, diffOptions(k, in)...))
	case "ediff1d":
		return outcomes(nd.EDiff1D(in[0], k.in[1].values.([]T), k.in[2].values.([]T)))
	}
	return nil
}

func diffOptions[T nd.Element](k *scanCase, in []*nd.NDArray[T]) []nd.DiffOption[T] {
	var opts []nd.DiffOption[T]
	if i := k.args.Prepend; i > 0 {
		if opts = append(opts, nd.WithPrepend(in[i])); in[i].NDim() == 0 && *k.args.Axis == 0 {
			opts[0] = nd.WithPrependScalar(in[i].Item())
		}
	}
	if i := k.args.Append; i > 0 {
		if opts = append(opts, nd.WithAppend(in[i])); in[i].NDim() == 0 && *k.args.Axis == 0 {
			opts[len(opts)-1] = nd.WithAppendScalar(in[i].Item())
		}
	}
	return opts
}

func scanNumber[T nd.Number](k *scanCase, in []*nd.NDArray[T]) []outcome {
	a := in[0]
	switch k.name {
	case "cumsum":
		return outcomes(nd.CumSum(a, k.along()...))
	case "cumprod":
		return outcomes(nd.CumProd(a, k.along()...))
	case "nancumsum":
		return outcomes(nd.NanCumSum(a, k.along()...))
	case "nancumprod":
		return outcomes(nd.NanCumProd(a, k.along()...))
	case "cumulativesum":
		return outcomes(nd.CumulativeSum(a, *k.args.Axis, nd.IncludeInitial))
	case "cumulativeprod":
		return outcomes(nd.CumulativeProd(a, *k.args.Axis, nd.IncludeInitial))
	}
	return scanElement(k, in)
}

func scanReal[T nd.Real](k *scanCase, in []*nd.NDArray[T]) []outcome {
	a := in[0]
	switch k.name + k.args.To {
	case "cummax":
		return outcomes(nd.CumMax(a, k.along()...))
	case "cummin":
		return outcomes(nd.CumMin(a, k.along()...))
	case "cumsumasint8":
		return outcomes(nd.CumSumAs[int8](a, k.along()...))
	case "cumsumasint32":
		return outcomes(nd.CumSumAs[int32](a, k.along()...))
	case "cumsumasint64":
		return outcomes(nd.CumSumAs[int64](a, k.along()...))
	case "cumsumasfloat32":
		return outcomes(nd.CumSumAs[float32](a, k.along()...))
	case "cumsumasfloat64":
		return outcomes(nd.CumSumAs[float64](a, k.along()...))
	case "cumprodasint8":
		return outcomes(nd.CumProdAs[int8](a, k.along()...))
	case "cumprodasint32":
		return outcomes(nd.CumProdAs[int32](a, k.along()...))
	case "cumprodasint64":
		return outcomes(nd.CumProdAs[int64](a, k.along()...))
	case "cumprodasfloat32":
		return outcomes(nd.CumProdAs[float32](a, k.along()...))
	case "cumprodasfloat64":
		return outcomes(nd.CumProdAs[float64](a, k.along()...))
	}
	return scanNumber(k, in)
}

func scanInexact[T nd.Inexact](k *scanCase, in []*nd.NDArray[T]) []outcome {
	opts := []nd.GradientOption{nd.GridSpacing(k.args.H...)}
	if k.args.Order > 0 {
		opts = append(opts, nd.EdgeOrder(k.args.Order))
	}
	if len(k.args.X) > 0 {
		opts = append(opts, nd.Coordinates(k.args.X...))
	}
	switch k.name {
	case "gradient":
		return outcomes(nd.Gradient(in[0], *k.args.Axis, opts...))
	case "gradients":
		return outcomes(nd.Gradients(in[0], opts...)...)
	case "trapezoid":
		return outcomes(nd.Trapezoid(in[0], k.args.H[0], *k.args.Axis))
	case "trapezoidat":
		return outcomes(nd.TrapezoidAt(in[0], in[1], *k.args.Axis))
	}
	return scanNumber(k, in)
}

func scanFloat[T nd.Float](k *scanCase, in []*nd.NDArray[T]) []outcome {
	switch k.name {
	case "unwrap":
		return outcomes(nd.Unwrap(in[0], T(*k.args.Period), *k.args.Axis))
	case "interp":
		var opts []nd.InterpOption[T]
		if v := k.args.Left; v != nil {
			opts = append(opts, nd.InterpLeft(T(*v)))
		}
		if v := k.args.Right; v != nil {
			opts = append(opts, nd.InterpRight(T(*v)))
		}
		if v := k.args.Period; v != nil {
			opts = append(opts, nd.InterpPeriod(T(*v)))
		}
		return outcomes(nd.Interp(in[0], in[1], in[2], opts...))
	}
	if out := scanReal(k, in); out != nil {
		return out
	}
	return scanInexact(k, in)
}

// scanCalls is how often a function may communicate along the split axis, and in all.
var scanCalls = map[string][2]int64{
	"cumsum": {1, 2}, "cumprod": {1, 2}, "nancumsum": {1, 2}, "nancumprod": {1, 2}, "cummax": {1, 2}, "cummin": {1, 2},
	"cumsumas": {1, 2}, "cumprodas": {1, 2}, "cumulativesum": {1, 1}, "cumulativeprod": {1, 1}, "diff": {1, 3}, "ediff1d": {1, 2},
	"gradient": {1, 1}, "gradients": {1, 1}, "trapezoid": {1, 1}, "trapezoidat": {1, 3}, "interp": {0, 2}, "unwrap": {4, 4},
}

// runScanCase runs a case on one choice of layouts.
func runScanCase[T nd.Element](t testing.TB, c *spmd.Comm, k *scanCase, layout int, f func(*scanCase, []*nd.NDArray[T]) []outcome) {
	t.Helper()
	var in []*nd.NDArray[T]
	var before [][]T
	var layouts []any
	first := true // only the first operand is split
	for i, x := range k.in {
		ls := testLayouts(c, x.shape)
		// Neighbours get different layouts, so that all mixes occur.
		l := ls[(layout*(i+1)+i)%len(ls)]
		values := x.values.([]T)
		a := nd.FromLayout(c, l, func(index []int) T { return values[flat(x.shape, index)] })
		if layout%2 == 1 && len(x.shape) > 1 { // with strides of a transpose
			perm, back := make([]int, len(x.shape)), make([]int, len(x.shape))
			for j := range perm {
				perm[j] = (j + 1) % len(perm)
				back[perm[j]] = j
			}
			a = nd.Copy(a.Transpose(perm...)).Transpose(back...)
		}
		in, before, layouts = append(in, a), append(before, slices.Clone(a.Local())), append(layouts, a.Layout())
		first = first && (i == 0 || l.Replicated())
	}
	what := func() string { return fmt.Sprintf("%s[%s]%v", k.name, k.typ, layouts) }
	stats := c.Stats()
	out := f(k, in)
	calls := c.Stats().Sub(stats)
	if len(out) != len(k.out) {
		t.Fatalf("%s: %d results, want %d", what(), len(out), len(k.out))
	}
	axis := in[0].Split()
	most := scanCalls[k.name][1]
	switch ax := k.args.Axis; {
	case first && axis == nd.None:
		most = 0
	case first && ax != nil && k.name != "ediff1d":
		if most = scanCalls[k.name][0]; axis != nd.Axis((*ax+in[0].NDim())%in[0].NDim()) {
			most = 0
		}
	}
	if calls.Total().Calls > most {
		t.Fatalf("%s: more than %d calls:\n%v", what(), most, calls)
	}
	for i, o := range out {
		o.check(t, what, k.out[i])
	}
	for i, a := range in {
		if slices.CompareFunc(a.Local(), before[i], sameBits[T]) != 0 || a.Layout() != layouts[i] {
			t.Fatalf("%s changed operand %d", what(), i)
		}
	}
}

// sameBits is a comparison in which NaN is itself.
func sameBits[T nd.Element](x, y T) int {
	if x == y || x != x && y != y {
		return 0
	}
	return 1
}

func TestGoldenScan(t *testing.T) {
	text, err := os.ReadFile("testdata/scan.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*scanCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(cases, func(a, b *scanCase) int { return cmp.Compare(a.typ, b.typ) })
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, k := range cases {
			layouts := 0
			for _, x := range k.in {
				layouts = max(layouts, len(testLayouts(c, x.shape)))
			}
			for l := range layouts {
				switch k.typ {
				case "bool":
					runScanCase(t, c, k, l, scanElement[bool])
				case "int8":
					runScanCase(t, c, k, l, scanReal[int8])
				case "int32":
					runScanCase(t, c, k, l, scanReal[int32])
				case "int64":
					runScanCase(t, c, k, l, scanReal[int64])
				case "uint8":
					runScanCase(t, c, k, l, scanReal[uint8])
				case "float32":
					runScanCase(t, c, k, l, scanFloat[float32])
				case "float64":
					runScanCase(t, c, k, l, scanFloat[float64])
				case "complex64":
					runScanCase(t, c, k, l, scanInexact[complex64])
				case "complex128":
					runScanCase(t, c, k, l, scanInexact[complex128])
				default:
					t.Fatalf("type %q", k.typ)
				}
			}
		}
	})
}
