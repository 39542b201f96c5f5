package learn_test

import (
	"fmt"
	"testing"

	"caloric/internal/learn"
	"caloric/linalg"
	"caloric/nd"
	"caloric/random"
	"caloric/spmd"
)

// onRanks times what setup returns on 1 and 2 embedded ranks.
func onRanks(b *testing.B, name string, setup func(b *testing.B, c *spmd.Comm) func()) {
	for _, ranks := range []int{1, 2} {
		b.Run(fmt.Sprintf("%s/ranks=%d", name, ranks), func(b *testing.B) {
			err := spmd.Run(ranks, func(c *spmd.Comm) error {
				f := setup(b, c)
				f()
				c.Barrier()
				if c.Rank() == 0 {
					b.ResetTimer()
				}
				for range b.N {
					f()
				}
				c.Barrier()
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkKMeans(b *testing.B) {
	benchKMeans[float64](b, "f64")
	benchKMeans[float32](b, "f32")
}

func benchKMeans[T nd.Float](b *testing.B, name string) {
	onRanks(b, name+"/1e5x16/k=8/steps=10", func(b *testing.B, c *spmd.Comm) func() {
		x := random.Normal[T](random.New(3), c, nd.Shape{100_000, 16}, 0, 0, 1)
		centers := x.Slice(nd.To(8)).Resplit(nd.None)
		return func() {
			if r, err := learn.KMeans(x, centers, learn.KMeansOptions{Steps: 10}); err != nil || r.Steps != 10 {
				b.Errorf("error %v", err)
			}
		}
	})
}

func BenchmarkLasso(b *testing.B) {
	benchLasso[float64](b, "f64")
	benchLasso[float32](b, "f32")
}

func benchLasso[T nd.Float](b *testing.B, name string) {
	onRanks(b, name+"/1e5x20/sweeps=10", func(b *testing.B, c *spmd.Comm) func() {
		g := random.New(3)
		x := random.Normal[T](g, c, nd.Shape{100_000, 20}, 0, 0, 1)
		y := linalg.MatMul(x, random.Normal[T](g, c, nd.Shape{20}, nd.None, 0, 1))
		return func() {
			if _, err := learn.Lasso(x, y, 0.1, learn.LassoOptions{Sweeps: 10}); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkMoments times all moments at once, and beside them nd's mean and standard
// deviation alone.
func BenchmarkMoments(b *testing.B) {
	benchMoments[float64](b, "f64")
	benchMoments[float32](b, "f32")
}

func benchMoments[T nd.Float](b *testing.B, name string) {
	for over, opts := range [][]nd.Option{learn.All: nil, learn.Rows: {nd.Over(0)}, learn.Columns: {nd.Over(1)}} {
		of := fmt.Sprintf("%s/1e6x18/over=%d", name, over)
		table := func(c *spmd.Comm) *nd.NDArray[T] {
			return random.Normal[T](random.New(3), c, nd.Shape{1_000_000, 18}, 0, 0, 1)
		}
		onRanks(b, of+"/all", func(b *testing.B, c *spmd.Comm) func() {
			x := table(c)
			return func() { learn.Describe(x, learn.Over(over), 0) }
		})
		onRanks(b, of+"/mean", func(b *testing.B, c *spmd.Comm) func() {
			x := table(c)
			return func() { nd.Mean[T](x, opts...) }
		})
		onRanks(b, of+"/std", func(b *testing.B, c *spmd.Comm) func() {
			x := table(c)
			return func() { nd.Std[T](x, opts...) }
		})
	}
}
