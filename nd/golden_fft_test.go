package nd_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// fftCase is a case of testdata/fft.json: see gen_fft.py.
type fftCase struct {
	name, dtype, out string
	shape            nd.Shape
	axes, lengths    []int
	norm             int
	result           nd.Shape
	values           []float64
}

func (k *fftCase) UnmarshalJSON(text []byte) error {
	if strings.Contains(string(text[:12]), "freq") || strings.Contains(string(text[:12]), "shift") {
		return nil // see fftPlainCase
	}
	return json.Unmarshal(text, &[]any{&k.name, &k.dtype, &k.out, &k.shape, &k.axes, &k.lengths, &k.norm, &k.result, &k.values})
}

func readFFTCases[T any](t testing.TB) (cases []T) {
	text, err := os.ReadFile("testdata/fft.json")
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func (k *fftCase) options() (opts []nd.FFTOption) {
	if k.axes != nil {
		opts = append(opts, nd.FFTAxes(k.axes...))
	}
	if k.lengths != nil {
		opts = append(opts, nd.FFTLen(k.lengths...))
	}
	if k.norm > 0 {
		opts = append(opts, nd.FFTNorm(k.norm))
	}
	return opts
}

// transformed returns the axes that the case transforms.
func (k *fftCase) transformed() []int {
	axes := slices.Clone(k.axes)
	if axes == nil {
		n := 1
		switch {
		case strings.HasSuffix(k.name, "2"):
			n = 2
		case k.lengths != nil:
			n = len(k.lengths)
		case strings.HasSuffix(k.name, "n"):
			n = len(k.shape)
		}
		for i := -n; i < 0; i++ {
			axes = append(axes, i)
		}
	}
	for i, a := range axes {
		axes[i] = (a + len(k.shape)) % len(k.shape)
	}
	return axes
}

// fftOperand returns the operand that gen_fft.py describes.
func fftOperand[T nd.Number](c *spmd.Comm, l *split.Layout, strided bool, of func(re, im int) T) *nd.NDArray[T] {
	a := nd.FromLayout(c, l, func(index []int) T {
		i := flat(l.Shape(), index)
		return of((i*7+3)%11-5, (i*i*5+i)%13-6)
	})
	if strided && a.NDim() > 1 {
		a = nd.SwapAxes(nd.Copy(nd.SwapAxes(a, 0, -1)), 0, -1)
	}
	return a
}

func complexElement[T nd.Complex](re, im int) T { return T(complex(float64(re)/4, float64(im)/4)) }
func floatElement[T nd.Float](re, _ int) T      { return T(re) / 4 }
func intElement[T nd.Integer](re, _ int) T      { return T(re) }

// asComplex returns a number as complex128.
func asComplex[T nd.Number](v T) complex128 {
	switch v := any(v).(type) {
	case complex64:
		return complex128(v)
	case complex128:
		return v
	case float32:
		return complex(float64(v), 0)
	case float64:
		return complex(v, 0)
	}
	panic("not a result")
}

// wantTransform compares an array with the values of a case, real or complex ones, to 12
// or 5 digits of the largest.
func wantTransform[R nd.Number](t testing.TB, what any, got *nd.NDArray[R], values []float64) {
	t.Helper()
	x := got.Gather()
	step := len(values) / max(1, len(x))
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	tolerance := 1e-12
	switch any(*new(R)).(type) {
	case float32, complex64:
		tolerance = 1e-5
	}
	for i, v := range x {
		want := complex(values[i*step], 0)
		if step == 2 {
			want = complex(values[2*i], values[2*i+1])
		}
		if !(cmplx.Abs(asComplex(v)-want) <= tolerance*largest) {
			t.Fatalf("%v: element %d is %v, want %v\n%v\n%v", what, i, v, want, x, values)
		}
	}
}

func runFFTCase[T, R nd.Number](t testing.TB, c *spmd.Comm, k *fftCase, turn int, of func(re, im int) T,
	f func(a *nd.NDArray[T], opts ...nd.FFTOption) *nd.NDArray[R], into func(dst *nd.NDArray[R], a *nd.NDArray[T], opts ...nd.FFTOption)) {
	t.Helper()
	l := testLayouts(c, k.shape)[turn]
	a := fftOperand(c, l, turn%2 == 1, of)
	before, layout := slices.Clone(a.Local()), a.Layout()
	what := fmt.Sprintf("%s of %s %v axes %v lengths %v norm %d to %s", k.name, k.dtype, l, k.axes, k.lengths, k.norm, k.out)
	stats := c.Stats()
	r := f(a, k.options()...)
	calls := c.Stats().Sub(stats)
	limit := spmd.Stats{}
	if c.Size() > 1 && !l.Replicated() {
		for _, axis := range k.transformed() {
			if axis == int(l.Axis()) { // in either way
				limit["allgatherv"] = spmd.Count{Calls: limit["allgatherv"].Calls + 1}
				limit["alltoallv"] = spmd.Count{Calls: 2}
			}
		}
	}
	for _, op := range sortedKeys(calls) {
		if calls[op].Calls > limit[op].Calls || len(calls) > 1 {
			t.Fatalf("%s communicates\n%v", what, calls)
		}
	}
	if !r.Shape().Equal(k.result) || r.Comm() != c || !r.LocalShape().Equal(r.Layout().LocalShape(c.Rank())) {
		t.Fatalf("%s: %v %v, want %v", what, r.Layout(), r.LocalShape(), k.result)
	}
	if r.Split() != l.Axis() {
		t.Fatalf("%s: split %v", what, r.Layout())
	}
	if s := l.Axis(); s != split.None && len(k.axes) < 3 && k.result[s] == k.shape[s] && !slices.Equal(r.Layout().Counts(), l.Counts()) {
		t.Fatalf("%s: %v", what, r.Layout())
	}
	wantTransform(t, what, r, k.values)
	if !slices.Equal(a.Local(), before) || a.Layout() != layout {
		t.Fatalf("%s changed its operand", what)
	}
	if into != nil {
		layouts := testLayouts(c, k.result)
		dst := fftOperand(c, layouts[(turn+1)%len(layouts)], turn%4 == 1, func(int, int) R { return 7 })
		into(dst, a, k.options()...)
		wantTransform(t, what+" into "+dst.Layout().String(), dst, k.values)
	}
	if stay := f(a, append(k.options(), nd.FFTStay())...); turn > 0 {
		wantTransform(t, what+" staying", stay, k.values)
	}
}

func runFFTReal[T nd.Real, R nd.Complex](t testing.TB, c *spmd.Comm, k *fftCase, turn int, of func(re, im int) T) {
	t.Helper()
	switch k.name {
	case "rfft":
		runFFTCase(t, c, k, turn, of, nd.RFFT[R, T], nd.RFFTInto[R, T])
	case "ihfft":
		runFFTCase(t, c, k, turn, of, nd.IHFFT[R, T], nil)
	case "rfft2":
		runFFTCase(t, c, k, turn, of, nd.RFFT2[R, T], nil)
	case "rfftn":
		runFFTCase(t, c, k, turn, of, nd.RFFTN[R, T], nd.RFFTNInto[R, T])
	default:
		runFFTAny[T, R](t, c, k, turn, of)
	}
}

func runFFTAny[T nd.Number, R nd.Complex](t testing.TB, c *spmd.Comm, k *fftCase, turn int, of func(re, im int) T) {
	t.Helper()
	switch k.name {
	case "fft":
		runFFTCase(t, c, k, turn, of, nd.FFT[R, T], nd.FFTInto[R, T])
	case "ifft":
		runFFTCase(t, c, k, turn, of, nd.IFFT[R, T], nd.IFFTInto[R, T])
	case "fft2":
		runFFTCase(t, c, k, turn, of, nd.FFT2[R, T], nil)
	case "ifft2":
		runFFTCase(t, c, k, turn, of, nd.IFFT2[R, T], nil)
	case "fftn":
		runFFTCase(t, c, k, turn, of, nd.FFTN[R, T], nd.FFTNInto[R, T])
	case "ifftn":
		runFFTCase(t, c, k, turn, of, nd.IFFTN[R, T], nd.IFFTNInto[R, T])
	default:
		t.Fatalf("unknown case %s", k.name)
	}
}

func runFFTComplex[T nd.Complex, F nd.Float](t testing.TB, c *spmd.Comm, k *fftCase, turn int) {
	t.Helper()
	switch k.name {
	case "irfft":
		runFFTCase(t, c, k, turn, complexElement[T], nd.IRFFT[F, T], nd.IRFFTInto[F, T])
	case "hfft":
		runFFTCase(t, c, k, turn, complexElement[T], nd.HFFT[F, T], nil)
	case "irfft2":
		runFFTCase(t, c, k, turn, complexElement[T], nd.IRFFT2[F, T], nil)
	case "irfftn":
		runFFTCase(t, c, k, turn, complexElement[T], nd.IRFFTN[F, T], nd.IRFFTNInto[F, T])
	default:
		runFFTAny[T, T](t, c, k, turn, complexElement[T])
	}
}

func TestGoldenFFT(t *testing.T) {
	cases := readFFTCases[fftCase](t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, k := range cases {
			if k.name == "" {
				continue
			}
			for turn := range len(testLayouts(c, k.shape)) {
				// Under the race detector some of the layouts, each time others.
				if raceEnabled && (turn+i+c.Size())%4 != 0 {
					continue
				}
				switch k.dtype {
				case "complex128":
					runFFTComplex[complex128, float64](t, c, &k, turn)
				case "complex64":
					runFFTComplex[complex64, float32](t, c, &k, turn)
				case "float64":
					runFFTReal[float64, complex128](t, c, &k, turn, floatElement[float64])
				case "float32":
					runFFTReal[float32, complex64](t, c, &k, turn, floatElement[float32])
				case "int32":
					runFFTReal[int32, complex128](t, c, &k, turn, intElement[int32])
				case "int64":
					runFFTReal[int64, complex128](t, c, &k, turn, intElement[int64])
				case "int8":
					runFFTReal[int8, complex64](t, c, &k, turn, intElement[int8])
				case "uint8":
					runFFTReal[uint8, complex64](t, c, &k, turn, intElement[uint8])
				default:
					t.Fatalf("unknown type %s", k.dtype)
				}
			}
		}
	})
}

// fftPlainCase is a case of frequencies or of a shift.
type fftPlainCase struct {
	name    string
	n       int
	spacing float64
	values  []float64
	shape   nd.Shape
	axes    []int
	from    []int64
}

func (k *fftPlainCase) UnmarshalJSON(text []byte) error {
	switch {
	case strings.Contains(string(text[:12]), "freq"):
		return json.Unmarshal(text, &[]any{&k.name, &k.n, &k.spacing, &k.values})
	case strings.Contains(string(text[:12]), "shift"):
		return json.Unmarshal(text, &[]any{&k.name, &k.shape, &k.axes, &k.from})
	}
	return nil
}

func TestGoldenFFTFreqAndShift(t *testing.T) {
	cases := readFFTCases[fftPlainCase](t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, k := range cases {
			for axis := split.None; axis <= 0; axis++ {
				switch k.name {
				case "fftfreq":
					checkValues(t, nd.FFTFreq[float64](c, k.n, k.spacing, axis), k.values)
				case "rfftfreq":
					checkValues(t, nd.RFFTFreq[float64](c, k.n, k.spacing, axis), k.values)
				}
			}
			if k.shape == nil {
				continue
			}
			for _, l := range testLayouts(c, k.shape) {
				a := nd.FromLayout(c, l, func(i []int) int64 { return int64(flat(k.shape, i)) })
				before := c.Stats()
				var r *nd.NDArray[int64]
				if k.name == "fftshift" {
					r = nd.FFTShift(a, k.axes...)
				} else {
					r = nd.IFFTShift(a, k.axes...)
				}
				if n := c.Stats().Sub(before).Total().Calls; n > 1 || n > 0 && l.Replicated() {
					t.Fatalf("%s of %v along %v communicates %d times", k.name, l, k.axes, n)
				}
				checkValues(t, r, k.from)
			}
		}
	})
}
