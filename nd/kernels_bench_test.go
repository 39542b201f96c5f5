package nd_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// A kernelCase is one operation of BenchmarkKernels: what it moves through memory
// and, on each rank, what it does.
type kernelCase struct {
	name  string
	bytes int // of all ranks together
	setup func(c *spmd.Comm) func()
}

// quickest runs f on the ranks of a new world until the time is up, and returns
// the least time that the slowest rank took for one of inner runs.
func quickest(b *testing.B, ranks, inner int, limit time.Duration, setup func(c *spmd.Comm) func()) time.Duration {
	best := time.Duration(math.MaxInt64)
	err := spmd.Run(ranks, func(c *spmd.Comm) error {
		f := setup(c)
		f()
		started := time.Now()
		for {
			more := time.Since(started) < limit
			if !spmd.AllreduceOne(c, more, spmd.And) {
				return nil
			}
			c.Barrier()
			t := time.Now()
			for range inner {
				f()
			}
			d := spmd.AllreduceOne(c, int64(time.Since(t)), spmd.Max)
			if c.Rank() == 0 {
				best = min(best, time.Duration(d)/time.Duration(inner))
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	return best
}

// BenchmarkKernels measures elementwise operations and reductions beside bare
// loops over the same memory, which are the limits of this machine: the least
// time of many, of the slower rank, as gigabytes a second. The variable
// KERNELS_TIME is how long each case is tried.
func BenchmarkKernels(b *testing.B) {
	spmdtest.Embedded(b)
	limit := 30 * time.Millisecond
	if s := os.Getenv("KERNELS_TIME"); s != "" {
		limit, _ = time.ParseDuration(s)
	}
	for _, cs := range slices.Concat(
		kernelLimits(), smallCases(), otherKindCases(),
		sizedCases("cache", 400, 250), sizedCases("memory", 4000, 2500)) {
		for _, ranks := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/ranks=%d", cs.name, ranks), func(b *testing.B) {
				inner := max(1, 2_000_000/cs.bytes)
				d := quickest(b, ranks, inner, limit, cs.setup)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(d.Nanoseconds())/1e3, "µs")
				b.ReportMetric(float64(cs.bytes)/float64(d.Nanoseconds()), "GB/s")
			})
		}
	}
}

const kernelSize = 10_000_000

// onCores runs f over this rank's share of n on the rank's workers.
func onCores(c *spmd.Comm, n int, f func(lo, hi int)) {
	var wg sync.WaitGroup
	w := c.Workers()
	for p := range w {
		wg.Go(func() { f(p*n/w, (p+1)*n/w) })
	}
	wg.Wait()
}

var kernelSink [64]float64

func sumLoop(x []float64) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for ; len(x) >= 8; x = x[8:] {
		v := (*[8]float64)(x)
		s0 += v[0]
		s1 += v[1]
		s2 += v[2]
		s3 += v[3]
		s4 += v[4]
		s5 += v[5]
		s6 += v[6]
		s7 += v[7]
	}
	for _, v := range x {
		s0 += v
	}
	return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
}

func addLoop[T nd.Float](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

func kernelLimits() []kernelCase {
	read := func(n int) func(c *spmd.Comm) func() {
		return func(c *spmd.Comm) func() {
			x := make([]float64, n/c.Size())
			for i := range x {
				x[i] = float64(i)
			}
			if n < 1e6 {
				return func() { kernelSink[c.Rank()*8] = sumLoop(x) }
			}
			return func() {
				onCores(c, len(x), func(lo, hi int) { s := sumLoop(x[lo:hi]); kernelSink[c.Rank()*8] = s })
			}
		}
	}
	triad := func(n int) func(c *spmd.Comm) func() {
		return func(c *spmd.Comm) func() {
			m := n / c.Size()
			x, y, z := make([]float64, m), make([]float64, m), make([]float64, m)
			fillRamp(x)
			fillRamp(y)
			if n < 1e6 {
				return func() { addLoop(z, x, y) }
			}
			return func() { onCores(c, m, func(lo, hi int) { addLoop(z[lo:hi], x[lo:hi], y[lo:hi]) }) }
		}
	}
	return []kernelCase{
		{"limit/read", 8 * kernelSize, read(kernelSize)},
		{"limit/triad", 24 * kernelSize, triad(kernelSize)},
		{"limit/read1e3", 8 * 1000, read(1000)},
		{"limit/triad1e3", 24 * 1000, triad(1000)},
	}
}

func fillRamp[T nd.Float](x []T) {
	for i := range x {
		x[i] = T(i&1023) - 500
	}
}

// benchArray returns an array of the shape with values that go up and down.
func benchArray[T nd.Float](c *spmd.Comm, axis split.Axis, shape ...int) *nd.NDArray[T] {
	a := nd.Zeros[T](c, nd.Shape(shape), axis)
	for i, x := 0, a.Local(); i < len(x); i++ {
		x[i] = T((uint32(i)*2654435761)>>8)/(1<<24) - 0.5
	}
	return a
}

// sizedCases are operations on rows·cols elements, which the caches hold or do not.
func sizedCases(name string, rows, cols int) []kernelCase {
	cs := slices.Concat(
		elementCases[float64]("f64", rows, cols), elementCases[float32]("f32", rows, cols),
		reductionCases[float64]("f64", 0, rows, cols), reductionCases[float64]("f64", 1, rows, cols),
		reductionCases[float32]("f32", 0, rows, cols), reductionCases[float32]("f32", 1, rows, cols))
	for i := range cs {
		cs[i].name = name + "/" + cs[i].name
	}
	return cs
}

func elementCases[T nd.Float](name string, rows, cols int) []kernelCase {
	size, n := itemBytes[T](), rows*cols
	vec := func(c *spmd.Comm) *nd.NDArray[T] { return benchArray[T](c, 0, n) }
	mat := func(c *spmd.Comm, axis split.Axis) *nd.NDArray[T] { return benchArray[T](c, axis, rows, cols) }
	cs := []kernelCase{
		{"add", 3 * size, func(c *spmd.Comm) func() {
			x, y, z := vec(c), vec(c), vec(c)
			return func() { nd.AddInto(z, x, y) }
		}},
		{"addScalar", 2 * size, func(c *spmd.Comm) func() {
			x, z := vec(c), vec(c)
			return func() { nd.AddScalarInto(z, x, 3) }
		}},
		{"axpy", 3 * size, func(c *spmd.Comm) func() {
			x, z := vec(c), vec(c)
			return func() { nd.Axpy(0.5, x, z) }
		}},
		{"greater", 2*size + 1, func(c *spmd.Comm) func() {
			x, y, z := vec(c), vec(c), nd.Zeros[bool](c, nd.Shape{n}, 0)
			return func() { nd.GreaterInto(z, x, y) }
		}},
		{"where", 3*size + 1, func(c *spmd.Comm) func() {
			x, y, d := vec(c), vec(c), vec(c)
			z := nd.GreaterScalar(x, 0)
			return func() { nd.WhereInto(d, z, x, y) }
		}},
		{"astype", 12, func(c *spmd.Comm) func() {
			x := vec(c)
			if size == 8 {
				z := nd.Zeros[float32](c, nd.Shape{n}, 0)
				return func() { nd.AsTypeInto(z, x) }
			}
			z := nd.Zeros[float64](c, nd.Shape{n}, 0)
			return func() { nd.AsTypeInto(z, x) }
		}},
		{"maximum", 3 * size, func(c *spmd.Comm) func() {
			x, y, z := vec(c), vec(c), vec(c)
			return func() { nd.MaximumInto(z, x, y) }
		}},
		{"addRow", 2 * size, func(c *spmd.Comm) func() {
			x, z, row := mat(c, 0), mat(c, 0), benchArray[T](c, split.None, cols)
			return func() { nd.AddInto(z, x, row) }
		}},
		{"addColumn", 2 * size, func(c *spmd.Comm) func() {
			x, z, col := mat(c, 0), mat(c, 0), benchArray[T](c, 0, rows, 1)
			return func() { nd.AddInto(z, x, col) }
		}},
		{"addTransposed", 3 * size, func(c *spmd.Comm) func() {
			x, z, y := mat(c, 0), mat(c, 0), benchArray[T](c, 1, cols, rows)
			return func() { nd.AddInto(z, x, y.T()) }
		}},
		{"addEverySecond", 3 * size / 2, func(c *spmd.Comm) func() {
			x, y := vec(c), vec(c)
			z := benchArray[T](c, 0, n/2)
			x, y = x.Slice(nd.Range(0, nd.Open, 2)), y.Slice(nd.Range(0, nd.Open, 2))
			return func() { nd.AddInto(z, x, y) }
		}},
	}
	for i := range cs {
		cs[i].name = "elem/" + name + "/" + cs[i].name
		cs[i].bytes *= n
	}
	return cs
}

func itemBytes[T nd.Float]() int {
	var zero T
	if _, ok := any(zero).(float32); ok {
		return 4
	}
	return 8
}

func reductionCases[T nd.Float](name string, axis split.Axis, rows, cols int) []kernelCase {
	x := func(c *spmd.Comm) *nd.NDArray[T] { return benchArray[T](c, axis, rows, cols) }
	var cs []kernelCase
	for i, over := range [][]nd.Option{nil, {nd.Over(0)}, {nd.Over(1)}} {
		suffix := ""
		if over != nil {
			suffix = fmt.Sprint(i - 1)
		}
		suffix += fmt.Sprintf("/%s/split=%d", name, axis)
		cs = append(cs,
			kernelCase{"sum" + suffix, 0, func(c *spmd.Comm) func() {
				a := x(c)
				s := nd.Sum(a, over...)
				return func() { nd.SumInto(s, a, over...) }
			}},
			kernelCase{"mean" + suffix, 0, func(c *spmd.Comm) func() {
				a := x(c)
				s := nd.Mean[float64](a, over...)
				return func() { nd.MeanInto(s, a, over...) }
			}},
			kernelCase{"var" + suffix, 0, func(c *spmd.Comm) func() {
				a := x(c)
				s := nd.Var[float64](a, over...)
				return func() { nd.VarInto(s, a, over...) }
			}},
			kernelCase{"std" + suffix, 0, func(c *spmd.Comm) func() {
				a := x(c)
				s := nd.Std[float64](a, over...)
				return func() { nd.StdInto(s, a, over...) }
			}},
			kernelCase{"max" + suffix, 0, func(c *spmd.Comm) func() {
				a := x(c)
				s := nd.Max(a, over...)
				return func() { nd.MaxInto(s, a, over...) }
			}},
			kernelCase{"min" + suffix, 0, func(c *spmd.Comm) func() {
				a := x(c)
				s := nd.Min(a, over...)
				return func() { nd.MinInto(s, a, over...) }
			}},
			kernelCase{"argmax" + suffix, 0, func(c *spmd.Comm) func() {
				a := x(c)
				s := nd.ArgMax(a, over...)
				return func() { nd.ArgMaxInto(s, a, over...) }
			}})
	}
	for i := range cs {
		cs[i].name = "red/" + cs[i].name
		cs[i].bytes = itemBytes[T]() * rows * cols
	}
	return cs
}

// smallCases are operations on 1000 elements, where what counts is what comes
// around the loop.
func smallCases() []kernelCase {
	vec := func(c *spmd.Comm) *nd.NDArray[float64] { return benchArray[float64](c, 0, 1000) }
	mat := func(c *spmd.Comm) *nd.NDArray[float64] { return benchArray[float64](c, 0, 40, 25) }
	return []kernelCase{
		{"small/Add", 24000, func(c *spmd.Comm) func() {
			x, y := vec(c), vec(c)
			return func() { nd.Add(x, y) }
		}},
		{"small/AddInto", 24000, func(c *spmd.Comm) func() {
			x, y, z := vec(c), vec(c), vec(c)
			return func() { nd.AddInto(z, x, y) }
		}},
		{"small/AddScalarInto", 16000, func(c *spmd.Comm) func() {
			x, z := vec(c), vec(c)
			return func() { nd.AddScalarInto(z, x, 2) }
		}},
		{"small/AddRowInto", 16000, func(c *spmd.Comm) func() {
			x, z, r := mat(c), mat(c), benchArray[float64](c, split.None, 25)
			return func() { nd.AddInto(z, x, r) }
		}},
		{"small/Sum", 8000, func(c *spmd.Comm) func() {
			x := vec(c)
			return func() { nd.Sum(x) }
		}},
		{"small/SumInto", 8000, func(c *spmd.Comm) func() {
			x := vec(c)
			s := nd.Sum(x)
			return func() { nd.SumInto(s, x) }
		}},
		{"small/Sum0", 8000, func(c *spmd.Comm) func() {
			x := mat(c)
			return func() { nd.Sum(x, nd.Over(0)) }
		}},
		{"small/Sum1", 8000, func(c *spmd.Comm) func() {
			x := mat(c)
			return func() { nd.Sum(x, nd.Over(1)) }
		}},
		{"small/Mean", 8000, func(c *spmd.Comm) func() {
			x := vec(c)
			return func() { nd.Mean[float64](x) }
		}},
		{"small/Std", 8000, func(c *spmd.Comm) func() {
			x := vec(c)
			return func() { nd.Std[float64](x) }
		}},
		{"small/Max", 8000, func(c *spmd.Comm) func() {
			x := vec(c)
			return func() { nd.Max(x) }
		}},
		{"small/ArgMax", 8000, func(c *spmd.Comm) func() {
			x := vec(c)
			return func() { nd.ArgMax(x) }
		}},
	}
}

func otherKindCases() []kernelCase {
	ints := func(c *spmd.Comm) *nd.NDArray[int64] { return nd.Arange[int64](c, 0, kernelSize, 1, 0) }
	bools := func(c *spmd.Comm) *nd.NDArray[bool] {
		return nd.EqualScalar(nd.RemainderScalar(ints(c), 3), 0)
	}
	return []kernelCase{
		{"kinds/addInt64", 24 * kernelSize, func(c *spmd.Comm) func() {
			x, y, z := ints(c), ints(c), ints(c)
			return func() { nd.AddInto(z, x, y) }
		}},
		{"kinds/sumInt64", 8 * kernelSize, func(c *spmd.Comm) func() {
			x := ints(c)
			return func() { nd.Sum(x) }
		}},
		{"kinds/maxInt64", 8 * kernelSize, func(c *spmd.Comm) func() {
			x := ints(c)
			return func() { nd.Max(x) }
		}},
		{"kinds/argmaxInt64", 8 * kernelSize, func(c *spmd.Comm) func() {
			x := ints(c)
			return func() { nd.ArgMax(x) }
		}},
		{"kinds/sumComplex128", 16 * kernelSize, func(c *spmd.Comm) func() {
			x := nd.Ones[complex128](c, nd.Shape{kernelSize}, 0)
			return func() { nd.Sum(x) }
		}},
		{"kinds/all", kernelSize, func(c *spmd.Comm) func() {
			x := nd.LogicalNot(nd.Zeros[bool](c, nd.Shape{kernelSize}, 0))
			return func() { nd.All(x) }
		}},
		{"kinds/any", kernelSize, func(c *spmd.Comm) func() {
			x := nd.Zeros[bool](c, nd.Shape{kernelSize}, 0)
			return func() { nd.Any(x) }
		}},
		{"kinds/count", kernelSize, func(c *spmd.Comm) func() {
			x := bools(c)
			return func() { nd.CountNonzero(x) }
		}},
	}
}
