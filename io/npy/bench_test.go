package npy_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"caloric/io/npy"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

var benchShape = nd.Shape{1000, 1000}

// bench runs f b.N times on every rank, with an array of a million float64.
func bench(b *testing.B, ranks int, axis nd.Axis, f func(a *nd.NDArray[float64], path string) error) {
	b.Run(fmt.Sprintf("ranks=%d/split=%v", ranks, axis), func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "a.npy")
		err := spmd.Run(ranks, func(c *spmd.Comm) error {
			a := nd.FromFunc(c, benchShape, axis, func(i []int) float64 { return float64(i[0] - i[1]) })
			if err := npy.Save(path, a); err != nil {
				return err
			}
			if c.Rank() == 0 {
				b.ResetTimer()
			}
			c.Barrier()
			for range b.N {
				if err := f(a, path); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(8 * benchShape.Size()))
	})
}

func BenchmarkLoad(b *testing.B) {
	for _, ranks := range []int{1, 2} {
		for axis := split.None; axis < 2; axis++ {
			bench(b, ranks, axis, func(a *nd.NDArray[float64], path string) error {
				_, err := npy.Load[float64](a.Comm(), path, axis)
				return err
			})
		}
	}
}

func BenchmarkSave(b *testing.B) {
	for _, ranks := range []int{1, 2} {
		for axis := split.None; axis < 2; axis++ {
			bench(b, ranks, axis, func(a *nd.NDArray[float64], path string) error { return npy.Save(path, a) })
		}
	}
}
