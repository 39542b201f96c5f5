package nd_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// statFile is testdata/statistics.json: see gen_statistics.py.
type statFile struct {
	Arrays map[string]statArray
	Cases  []*statCase
}

type statArray struct {
	kind  string
	shape nd.Shape
	words []string
}

func (a *statArray) UnmarshalJSON(text []byte) error {
	var words string
	err := json.Unmarshal(text, &[]any{&a.kind, &a.shape, &words})
	a.words = strings.Fields(words)
	return err
}

type statCase struct {
	f    string
	with []string
	opts statOptions
	want statArray
}

type statOptions struct {
	Axes                            []int
	DDof                            *float64
	Unbiased, Pearson, Columns, NaN bool
	Over                            float64
	Initial                         *int
	RTol, ATol                      *float64
	Numbers                         []float64
	Weights                         string
}

func (c *statCase) UnmarshalJSON(text []byte) error {
	var words string
	err := json.Unmarshal(text, &[]any{&c.f, &c.with, &c.opts, &c.want.kind, &c.want.shape, &words})
	c.want.words = strings.Fields(words)
	return err
}

func readStatistics(t testing.TB) *statFile {
	text, err := os.ReadFile("testdata/statistics.json")
	if err != nil {
		t.Fatal(err)
	}
	f := new(statFile)
	if err := json.Unmarshal(text, f); err != nil {
		t.Fatal(err)
	}
	return f
}

// statRun is one case on one choice of layouts.
type statRun struct {
	t      testing.TB
	c      *spmd.Comm
	file   *statFile
	k      *statCase
	layout int
	ran    bool
}

// statOperand returns operand i of the case, nil if there is none of type T.
func statOperand[T nd.Element](s *statRun, i int) *nd.NDArray[T] {
	if i >= len(s.k.with) || s.k.with[i] == "" {
		return nil
	}
	g := s.file.Arrays[s.k.with[i]]
	if g.kind != fmt.Sprintf("%T", *new(T)) {
		return nil
	}
	x := parseAll[T](g.words)
	// Neighbours get different layouts, so that all mixes occur.
	ls := testLayouts(s.c, g.shape)
	n := s.layout
	if i > 0 {
		n = s.layout*(i+1) + i
	}
	a := nd.FromLayout(s.c, ls[n%len(ls)], func(index []int) T { return x[flat(g.shape, index)] })
	if s.layout%2 == 1 && len(g.shape) > 1 { // with strides of a transpose
		perm := make([]int, len(g.shape))
		for j := range perm {
			perm[j] = len(perm) - 1 - j
		}
		a = nd.Copy(a.Transpose(perm...)).Transpose(perm...)
	}
	return a
}

// reductionOptions returns the options of a reduction.
func (s *statRun) reductionOptions() []nd.Option {
	o := s.k.opts
	var opts []nd.Option
	if o.Axes != nil {
		opts = append(opts, nd.Over(o.Axes...))
	}
	if o.DDof != nil {
		opts = append(opts, nd.DDof(*o.DDof))
	}
	if o.Unbiased {
		opts = append(opts, nd.Unbiased())
	}
	if o.Pearson {
		opts = append(opts, nd.Pearson())
	}
	if o.Initial != nil {
		opts = append(opts, nd.Initial(*o.Initial))
	}
	if mask := statOperand[bool](s, 1); mask != nil {
		opts = append(opts, nd.OnlyWhere(mask))
	}
	if o.Columns {
		opts = append(opts, nd.RowVar(false))
	}
	if s.k.f == "Cov" || s.k.f == "CorrCoef" {
		if w := statOperand[int64](s, 2); w != nil {
			opts = append(opts, nd.FWeights(w))
		}
		if w := statOperand[float64](s, 3); w != nil {
			opts = append(opts, nd.AWeights(w))
		}
	}
	return opts
}

func (s *statRun) closeOptions() []nd.CloseOption {
	var opts []nd.CloseOption
	if s.k.opts.NaN {
		opts = append(opts, nd.EqualNaN())
	}
	if r := s.k.opts.RTol; r != nil {
		opts = append(opts, nd.RTol(*r))
	}
	if a := s.k.opts.ATol; a != nil {
		opts = append(opts, nd.ATol(*a))
	}
	return opts
}

// statCheck compares a result, if the case wants one of its type.
func statCheck[R nd.Element](s *statRun, f func() *nd.NDArray[R]) {
	if s.k.want.kind != "error" && s.k.want.kind != fmt.Sprintf("%T", *new(R)) {
		return
	}
	if s.ran {
		return
	}
	s.ran = true
	var got *nd.NDArray[R]
	err := nd.Try(func() { got = f() })
	describe := func() string { return fmt.Sprintf("%s%v of %v, layout %d", s.k.f, s.k.opts, s.k.with, s.layout) }
	if (s.k.want.kind == "error") != (err != nil) {
		s.t.Errorf("%s: error %v", describe(), err)
	}
	if err != nil {
		return
	}
	if !got.Shape().Equal(s.k.want.shape) {
		s.t.Errorf("%s has shape %v, want %v", describe(), got.Shape(), s.k.want.shape)
		return
	}
	if got.Comm() != s.c {
		s.t.Errorf("%s left its communicator", describe())
	}
	want := parseAll[R](s.k.want.words)
	eachLocal(got, func(at int, v R) {
		if v != want[at] && !statNear(v, want[at]) {
			s.t.Errorf("%s: result %d of %v is %v, want %v", describe(), at, got.Layout(), v, want[at])
		}
	})
}

// statNear allows 1e-12, relative, and for what cancels absolute; 1e-5 in single
// precision.
func statNear[R nd.Element](got, want R) bool {
	switch g := any(got).(type) {
	case float32:
		return nearFloat(float64(g), float64(any(want).(float32)), 1e-5, 1e-6)
	case float64:
		return nearFloat(g, any(want).(float64), 1e-12, 1e-12)
	case complex64:
		return nearParts(complex128(g), complex128(any(want).(complex64)), 1e-5, 1e-6)
	case complex128:
		return nearParts(g, any(want).(complex128), 1e-12, 1e-12)
	}
	return false
}

// nearParts is nearComplex that takes 0 and -0 for equal.
func nearParts(got, want complex128, rel, abs float64) bool {
	return nearComplex(got+0, want+0, rel, abs)
}

// statElement runs the functions of any elements.
func statElement[T nd.Element](s *statRun) {
	a := statOperand[T](s, 0)
	if a == nil {
		return
	}
	opts := s.reductionOptions()
	switch s.k.f {
	case "CountNonzero":
		statCheck(s, func() *nd.NDArray[int64] { return nd.CountNonzero(a, opts...) })
	case "All":
		statCheck(s, func() *nd.NDArray[bool] { return nd.All(a, opts...) })
	case "ArrayEqual", "ArrayEquiv":
		b := statOperand[T](s, 1)
		f := nd.ArrayEqual[T]
		if s.k.f == "ArrayEquiv" {
			f = nd.ArrayEquiv[T]
		}
		statCheck(s, func() *nd.NDArray[bool] { return truth(s.c, f(a, b, s.closeOptions()...)) })
	}
}

func truth(c *spmd.Comm, v bool) *nd.NDArray[bool] {
	return nd.FromSlice(c, []bool{v}, nd.Shape{}, nd.None)
}

// statNumber runs those of numbers.
func statNumber[T nd.Number](s *statRun) {
	statElement[T](s)
	a := statOperand[T](s, 0)
	if a == nil {
		return
	}
	opts := s.reductionOptions()
	reduce := map[string]func(*nd.NDArray[T], ...nd.Option) *nd.NDArray[T]{
		"Sum": nd.Sum[T], "Prod": nd.Prod[T], "NanSum": nd.NanSum[T], "NanProd": nd.NanProd[T],
	}[s.k.f]
	if reduce != nil {
		statCheck(s, func() *nd.NDArray[T] { return reduce(a, opts...) })
	}
	b := statOperand[T](s, 1)
	switch s.k.f {
	case "IsClose":
		statCheck(s, func() *nd.NDArray[bool] { return nd.IsClose(a, b, s.closeOptions()...) })
	case "AllClose":
		statCheck(s, func() *nd.NDArray[bool] { return truth(s.c, nd.AllClose(a, b, s.closeOptions()...)) })
	}
}

func statInexact[T nd.Inexact](s *statRun) {
	statNumber[T](s)
	a := statOperand[T](s, 0)
	if a == nil {
		return
	}
	opts := s.reductionOptions()
	switch s.k.f {
	case "CountNaN":
		statCheck(s, func() *nd.NDArray[int64] { return nd.CountNaN(a, opts...) })
	case "CountNotNaN":
		statCheck(s, func() *nd.NDArray[int64] { return nd.CountNotNaN(a, opts...) })
	case "NanToNum":
		var num []nd.NumOption
		if n := s.k.opts.Numbers; n != nil {
			num = []nd.NumOption{nd.NaNAs(n[0]), nd.PosInfAs(n[1]), nd.NegInfAs(n[2])}
		}
		statCheck(s, func() *nd.NDArray[T] { return nd.NanToNum(a, num...) })
	}
}

// statReal runs those of real numbers, with results of type A.
func statReal[A nd.Float, T nd.Real](s *statRun) {
	a := statOperand[T](s, 0)
	if a == nil {
		return
	}
	opts := s.reductionOptions()
	same := map[string]func(*nd.NDArray[T], ...nd.Option) *nd.NDArray[T]{
		"Ptp": nd.Ptp[T], "Min": nd.Min[T], "Max": nd.Max[T], "NanMin": nd.NanMin[T], "NanMax": nd.NanMax[T], "NanPtp": nd.NanPtp[T],
	}[s.k.f]
	if same != nil {
		statCheck(s, func() *nd.NDArray[T] { return same(a, opts...) })
	}
	index := map[string]func(*nd.NDArray[T], ...nd.Option) *nd.NDArray[int64]{
		"NanArgMin": nd.NanArgMin[T], "NanArgMax": nd.NanArgMax[T],
	}[s.k.f]
	if index != nil {
		statCheck(s, func() *nd.NDArray[int64] { return index(a, opts...) })
	}
	float := map[string]func(*nd.NDArray[T], ...nd.Option) *nd.NDArray[A]{
		"Mean": nd.Mean[A, T], "Var": nd.Var[A, T], "Std": nd.Std[A, T], "Skew": nd.Skew[A, T], "Kurtosis": nd.Kurtosis[A, T],
		"NanMean": nd.NanMean[A, T], "NanVar": nd.NanVar[A, T], "NanStd": nd.NanStd[A, T],
	}[s.k.f]
	if float != nil {
		statCheck(s, func() *nd.NDArray[A] { return float(a, opts...) })
	}
	switch s.k.f {
	case "Any":
		statCheck(s, func() *nd.NDArray[bool] { return nd.Any(nd.GreaterScalar(a, T(s.k.opts.Over)), opts...) })
	case "Average":
		if s.k.opts.Weights != "" {
			statCheck(s, func() *nd.NDArray[A] { return nd.Average[A](a, statOperand[int64](s, 1), opts...) })
			return
		}
		statCheck(s, func() *nd.NDArray[A] { return nd.Average[A](a, statOperand[float64](s, 1), opts...) })
	case "AverageSum":
		statCheck(s, func() *nd.NDArray[A] {
			_, sum := nd.AverageSum[A](a, statOperand[float64](s, 1), opts...)
			return sum
		})
	case "Cov":
		statCheck(s, func() *nd.NDArray[A] { return nd.Cov[A](a, statOperand[T](s, 1), opts...) })
	case "CorrCoef":
		statCheck(s, func() *nd.NDArray[A] { return nd.CorrCoef[A](a, statOperand[T](s, 1), opts...) })
	}
}

func statComplex[T nd.Complex](s *statRun) {
	statInexact[T](s)
	a := statOperand[T](s, 0)
	if a == nil {
		return
	}
	opts := s.reductionOptions()
	switch s.k.f {
	case "NanMean":
		statCheck(s, func() *nd.NDArray[T] { return nd.NanMeanComplex[T](a, opts...) })
	case "Cov":
		statCheck(s, func() *nd.NDArray[T] { return nd.CovComplex[T](a, statOperand[T](s, 1), opts...) })
	case "CorrCoef":
		statCheck(s, func() *nd.NDArray[T] { return nd.CorrCoefComplex[T](a, statOperand[T](s, 1), opts...) })
	}
}

func TestGoldenStatistics(t *testing.T) {
	file := readStatistics(t)
	runs := map[string]func(*statRun){
		"bool":  statElement[bool],
		"int8":  func(s *statRun) { statNumber[int8](s); statReal[float64, int8](s) },
		"int32": func(s *statRun) { statNumber[int32](s); statReal[float64, int32](s) },
		"int64": func(s *statRun) { statNumber[int64](s); statReal[float64, int64](s) },
		"uint8": func(s *statRun) { statNumber[uint8](s); statReal[float64, uint8](s) },
		"float32": func(s *statRun) {
			statInexact[float32](s)
			statReal[float32, float32](s)
			statReal[float64, float32](s)
		},
		"float64":    func(s *statRun) { statInexact[float64](s); statReal[float64, float64](s) },
		"complex64":  statComplex[complex64],
		"complex128": statComplex[complex128],
	}
	step := 3 // of the layouts of an array, each in turn
	if raceEnabled {
		step = 11
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, k := range file.Cases {
			first := file.Arrays[k.with[0]]
			layouts := len(testLayouts(c, first.shape))
			for l := range layouts {
				if layouts > 4 && (l+i)%step != 0 && slices.Max(append([]int{0}, first.shape...)) > 0 {
					continue
				}
				s := &statRun{t: t, c: c, file: file, k: k, layout: l}
				runs[first.kind](s)
				if !s.ran {
					t.Fatalf("%s of %v to %s is not run", k.f, k.with, k.want.kind)
				}
			}
			if t.Failed() {
				return
			}
		}
	})
}
