package linalg

import (
	"fmt"
	"testing"

	"caloric/nd"
)

// TestMultiplyAdd: products of every way the matrices can lie, set and added,
// leave nothing else changed.
func TestMultiplyAdd(t *testing.T) {
	t.Run("float64", testMultiplyAdd[float64])
	t.Run("float32", testMultiplyAdd[float32])
	t.Run("complex128", testMultiplyAdd[complex128])
	t.Run("complex64", testMultiplyAdd[complex64])
	t.Run("int64", testMultiplyAdd[int64])
}

func testMultiplyAdd[T nd.Number](t *testing.T) {
	extents := []int{0, 1, 2, 5}
	// ways returns a matrix in C order, in column-major order, and with gaps.
	ways := func(m, n int) []mat[T] {
		list := []mat[T]{
			dense(make([]T, m*n+3), m, n),
			dense(make([]T, m*n+3), n, m).t(),
			{data: make([]T, 3*(m+1)*(n+1)), off: 2, rows: m, cols: n, rs: n + 2, cs: 1},
			{data: make([]T, 3*(m+1)*(n+1)), off: 2, rows: m, cols: n, rs: 1, cs: m + 1},
			{data: make([]T, 6*(m+1)*(n+1)), off: 1, rows: m, cols: n, rs: 2 * (n + 1), cs: 2},
		}
		for _, a := range list {
			for i := range a.data {
				a.data[i] = T(1)
				for range i % 7 {
					a.data[i] += T(1)
				}
			}
		}
		return list
	}
	for _, m := range extents {
		for _, k := range extents {
			for _, n := range extents {
				for ia, a := range ways(m, k) {
					for ib, b := range ways(k, n) {
						for ic, c := range ways(m, n) {
							for _, add := range []bool{false, true} {
								want := append([]T(nil), c.data...)
								for i := range m {
									for j := range n {
										var sum T
										for l := range k {
											sum += a.data[a.off+i*a.rs+l*a.cs] * b.data[b.off+l*b.rs+j*b.cs]
										}
										at := c.off + i*c.rs + j*c.cs
										if add {
											sum += want[at]
										}
										want[at] = sum
									}
								}
								multiplied(c, a, b, 1, add)
								if fmt.Sprint(c.data) != fmt.Sprint(want) {
									t.Fatalf("(%d, %d)·(%d, %d), ways %d %d %d, add %v: %v, want %v", m, k, k, n, ia, ib, ic, add, c.data, want)
								}
							}
						}
					}
				}
			}
		}
	}
}
