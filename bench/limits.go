package main

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"caloric/internal/gemm"
	"caloric/internal/nontemporal"
	"caloric/internal/parallel"
	"caloric/internal/recycle"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// The limits in the order in which they are printed. All are those of the ranks
// together, each with its threads, but latency and bandwidth, which are between
// two ranks. Bytes a second do not depend on the type of what is read; the loop
// over float32 is there to show what plain Go makes of them.
var limitNames = []string{"triad", "triad f32", "triad cache", "read", "gemm f32", "gemm f64",
	"latency", "bandwidth", "barrier", "allreduce"}

// limitText prints a limit with its unit.
func limitText(name string, v float64) string {
	switch {
	case strings.HasPrefix(name, "gemm"):
		return digits(v/1e9) + " GFLOP/s"
	case name == "latency" || name == "barrier" || name == "allreduce":
		return quantity(v, inSeconds)
	}
	return digits(v/1e9) + " GB/s"
}

// limits measures what the machine can do: the best of several samples, while
// every rank does the same. The second result is what other programs took of the
// processors meanwhile. Those of memory, of products and of messages are watched
// together, as each takes less time than the counters can tell.
func limits(c *spmd.Comm, s settings, size sizes) (l, foreign map[string]float64) {
	foreign = map[string]float64{}
	load := watch(c)
	seen := func(names []string) {
		share := load()
		for _, name := range names {
			foreign[name] = share
		}
		load = watch(c)
	}
	n := size.vector / c.Size()
	l = map[string]float64{
		"triad":       24 * float64(n*c.Size()) / min(best(c, s, triad(c.Workers(), n)), best(c, s, triadPast(c.Workers(), n))),
		"triad f32":   12 * float64(n*c.Size()) / best(c, s, triad32(c.Workers(), n)),
		"triad cache": 24 * 20_000 * float64(c.Size()*c.Workers()) / best(c, s, triad(c.Workers(), 20_000*c.Workers())),
		"read":        8 * float64(n*c.Size()) / best(c, s, read(c.Workers(), n)),
	}
	seen(limitNames[:4])
	// A product of the library tells the BLAS how many threads it may use.
	linalg.MatMul(nd.Ones[float64](c, nd.Shape{2, 2}, split.None), nd.Ones[float64](c, nd.Shape{2, 2}, split.None))
	m := size.product
	if !vectorProducts() {
		m /= 2 // products without vector instructions take long, and their speed does not depend on the size
	}
	flops := 2 * math.Pow(float64(m), 3) * float64(c.Size())
	l["gemm f64"] = flops / best(c, s, gemm64(c.Workers(), m))
	l["gemm f32"] = flops / best(c, s, gemm32(c.Workers(), m))
	seen(limitNames[4:6])
	if c.Size() > 1 {
		const large = 16 << 20
		l["latency"] = best(c, s, pingPong(c, 8)) / 2
		l["bandwidth"] = large / (best(c, s, pingPong(c, large)) / 2)
		l["barrier"] = best(c, s, c.Barrier)
		l["allreduce"] = best(c, s, func() { spmd.AllreduceOne(c, 1.0, spmd.Max) })
		seen(limitNames[6:])
	}
	return l, foreign
}

// best returns the shortest of the samples.
func best(c *spmd.Comm, s settings, f func()) float64 {
	return measure(c, s, benchCase{setup: func(*spmd.Comm) func() { return f }}).Min
}

// triad runs z = x + 3y (McCalpin 1995, "Memory bandwidth and machine balance in
// current high performance computers"). It counts 24 bytes an element, without
// the read of z that most processors make before they write it.
func triad(workers, n int) func() {
	x, y, z := filled[float64](n), filled[float64](n), filled[float64](n)
	return func() {
		parallel.Ranges(workers, n, func(lo, hi int) { floats.AddScaledTo(z[lo:hi], x[lo:hi], 3, y[lo:hi]) })
	}
}

// triadPast is triad with stores past the caches, which spare that read. They are faster
// where arrays do not stay in the caches, and slower where they do.
func triadPast(workers, n int) func() {
	const block = 256 // so short that memory is read ahead meanwhile
	x, y, z := filled[float64](n), filled[float64](n), filled[float64](n)
	return func() {
		parallel.Ranges(workers, n, func(lo, hi int) {
			var sums [block]float64
			for ; lo < hi; lo += block {
				to := min(lo+block, hi)
				s := sums[:to-lo]
				floats.AddScaledTo(s, x[lo:to], 3, y[lo:to])
				nontemporal.Copy(z[lo:to], s)
			}
			nontemporal.Fence()
		})
	}
}

func triad32(workers, n int) func() {
	x, y, z := filled[float32](n), filled[float32](n), filled[float32](n)
	return func() {
		parallel.Ranges(workers, n, func(lo, hi int) {
			x, y, z := x[lo:hi], y[lo:hi], z[lo:hi]
			y, z = y[:len(x)], z[:len(x)]
			for i, v := range x {
				z[i] = v + 3*y[i]
			}
		})
	}
}

// read adds up an array, in a loop that is faster than the memory.
func read(workers, n int) func() {
	x := filled[float64](n)
	sums := make([]float64, workers)
	return func() {
		parallel.Ranges(workers, n, func(lo, hi int) { sums[lo*workers/max(n, 1)] = floats.Sum(x[lo:hi]) })
	}
}

// filled returns n numbers, in memory as the library's arrays have it.
func filled[T nd.Float](n int) []T {
	x := recycle.Make[T](n)
	for i := range x {
		x[i] = 1
	}
	return x
}

// vectorProducts reports whether the build's products have vector instructions: of
// OpenBLAS or of the library's own.
func vectorProducts() bool { return hasTag(buildTags(), "cblas") || gemm.Available() }

func gemm64(workers, n int) func() {
	if f := ownGemm[float64](workers, n); f != nil {
		return f
	}
	matrix := func() blas64.General {
		return blas64.General{Rows: n, Cols: n, Stride: n, Data: filled[float64](n * n)}
	}
	a, b, z := matrix(), matrix(), matrix()
	return func() { blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, z) }
}

func gemm32(workers, n int) func() {
	if f := ownGemm[float32](workers, n); f != nil {
		return f
	}
	matrix := func() blas32.General {
		return blas32.General{Rows: n, Cols: n, Stride: n, Data: filled[float32](n * n)}
	}
	a, b, z := matrix(), matrix(), matrix()
	return func() { blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 0, z) }
}

// ownGemm is the product that linalg takes where no other BLAS is linked in, nil if
// that is not this build.
func ownGemm[T gemm.Float](workers, n int) func() {
	if hasTag(buildTags(), "cblas") || !gemm.Available() {
		return nil
	}
	a, b, z := filled[T](n*n), filled[T](n*n), filled[T](n*n)
	return func() {
		parallel.Ranges(workers, n, func(lo, hi int) {
			gemm.Mul(false, false, hi-lo, n, n, 1, a[lo*n:], n, b, n, 0, z[lo*n:], n)
		})
	}
}

// pingPong sends n bytes from rank 0 to rank 1 and back; other ranks wait.
func pingPong(c *spmd.Comm, n int) func() {
	buf := make([]uint8, n)
	return func() {
		switch c.Rank() {
		case 0:
			spmd.Send(c, buf, 1, 0)
			spmd.Recv(c, buf, 1, 0)
		case 1:
			spmd.Recv(c, buf, 0, 0)
			spmd.Send(c, buf, 0, 0)
		}
	}
}
