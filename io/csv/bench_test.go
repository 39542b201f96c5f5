package csv_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"caloric/io/csv"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// bench runs f b.N times on every rank and reports the bytes of the file.
func bench(b *testing.B, ranks int, path string, f func(c *spmd.Comm) error) {
	b.Run(fmt.Sprintf("ranks=%d", ranks), func(b *testing.B) {
		err := spmd.Run(ranks, func(c *spmd.Comm) error {
			if c.Rank() == 0 {
				b.ResetTimer()
			}
			c.Barrier()
			for range b.N {
				if err := f(c); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(info.Size())
	})
}

// values returns the values of a table: short decimals, or as many digits as a
// float64 has.
func values(c *spmd.Comm, long bool) *nd.NDArray[float64] {
	return nd.FromFunc(c, nd.Shape{100_000, 10}, 0, func(i []int) float64 {
		x := float64(i[0]*37%1000) + float64(i[1])/10
		if long {
			x /= 7
		}
		return x
	})
}

func benchmarks(b *testing.B, run func(b *testing.B, path string, long bool)) {
	for name, long := range map[string]bool{"short": false, "long": true} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "data.csv")
			if err := spmd.Run(1, func(c *spmd.Comm) error { return csv.Save(path, values(c, long)) }); err != nil {
				b.Fatal(err)
			}
			run(b, path, long)
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	benchmarks(b, func(b *testing.B, path string, _ bool) {
		for _, ranks := range []int{1, 2} {
			bench(b, ranks, path, func(c *spmd.Comm) error {
				_, err := csv.Load[float64](c, path, 0)
				return err
			})
		}
	})
}

func BenchmarkSave(b *testing.B) {
	benchmarks(b, func(b *testing.B, path string, long bool) {
		for _, ranks := range []int{1, 2} {
			var a *nd.NDArray[float64]
			if err := spmd.Run(1, func(c *spmd.Comm) error { a = values(c, long); return nil }); err != nil {
				b.Fatal(err)
			}
			x := a.Local()
			bench(b, ranks, path, func(c *spmd.Comm) error {
				l := split.Block(nd.Shape{100_000, 10}, 0, c.Size())
				lo, hi := l.Range(c.Rank())
				return csv.Save(path, nd.Wrap(c, l, x[10*lo:10*hi]))
			})
		}
	})
}
