package linalg_test

import (
	"fmt"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestMain(m *testing.M) { spmdtest.Main(m) }

// testLayouts returns the layouts that every operation is tried on for a shape:
// replicated, and for each axis balanced, everything on the last rank, and
// ragged with empty ranks.
func testLayouts(c *spmd.Comm, shape split.Shape) []*split.Layout {
	p := c.Size()
	layouts := []*split.Layout{split.Block(shape, split.None, p)}
	for k, n := range shape {
		axis := split.Axis(k)
		layouts = append(layouts, split.Block(shape, axis, p))
		if p == 1 {
			continue
		}
		last, ragged := make([]int, p), make([]int, p)
		last[p-1] = n
		left := n
		for r := 0; r < p && left > 0; r += 2 {
			ragged[r] = min(left, r+1)
			left -= ragged[r]
		}
		ragged[0] += left
		layouts = append(layouts, split.WithCounts(shape, axis, last), split.WithCounts(shape, axis, ragged))
	}
	return layouts
}

// value returns element (i, j) of the test arrays: a small integer, with an
// imaginary part for complex types, so that sums of products are exact.
func value[T nd.Number](seed, i, j int) T {
	n := (i*7+j*3+i*j+seed*5)%11 - 5
	m := (i*5+j*11+seed)%7 - 3
	var t T
	switch t := any(&t).(type) {
	case *int64:
		*t = int64(n)
	case *int8:
		*t = int8(n)
	case *uint16:
		*t = uint16(n)
	case *float32:
		*t = float32(n)
	case *float64:
		*t = float64(n)
	case *complex64:
		*t = complex(float32(n), float32(m))
	case *complex128:
		*t = complex(float64(n), float64(m))
	default:
		panic(fmt.Sprintf("no test value of type %T", t))
	}
	return t
}

// at returns the element of a test array of up to three axes.
func at[T nd.Number](seed int, index []int) T {
	var i [3]int
	copy(i[:], index)
	return value[T](seed+2*i[2], i[0], i[1])
}

// array returns a test array of layout l, as a transposed view if asked for.
func array[T nd.Number](c *spmd.Comm, l *split.Layout, seed int, transposed bool) *nd.NDArray[T] {
	if !transposed {
		return nd.FromLayout(c, l, func(index []int) T { return at[T](seed, index) })
	}
	n := len(l.Shape())
	perm, reversed := make([]int, n), make([]int, n)
	for k := range perm {
		perm[k] = n - 1 - k
	}
	t, err := split.Transpose(l, perm)
	if err != nil {
		panic(err)
	}
	return nd.FromLayout(c, t, func(index []int) T {
		for k, i := range index {
			reversed[perm[k]] = i
		}
		return at[T](seed, reversed)
	}).T()
}

// checkArray reports an array whose local part is not what want says.
func checkArray[T nd.Number](t testing.TB, what string, a *nd.NDArray[T], want func(index []int) T) {
	t.Helper()
	box := a.Layout().Local(a.Comm().Rank())
	local := a.Local()
	if len(local) != box.Size() {
		t.Errorf("%s: %d local elements of %v", what, len(local), a.Layout())
		return
	}
	index := append([]int(nil), box.Lo...)
	for _, got := range local {
		if w := want(index); got != w && !(got != got && w != w) {
			t.Errorf("%s: rank %d of %d: element %v is %v, want %v", what, a.Comm().Rank(), a.Comm().Size(), index, got, w)
			return
		}
		for k := len(index) - 1; k >= 0; k-- {
			index[k]++
			if index[k] < box.Hi[k] {
				break
			}
			index[k] = box.Lo[k]
		}
	}
}

// calls returns how often each operation was called in f on this rank.
func calls(c *spmd.Comm, f func()) map[string]int64 {
	before := c.Stats()
	f()
	n := map[string]int64{}
	for op, k := range c.Stats().Sub(before) {
		n[op] = k.Calls
	}
	return n
}

// vector returns the replicated or split vector of the given numbers.
func vector[T nd.Element](c *spmd.Comm, axis split.Axis, x ...T) *nd.NDArray[T] {
	return nd.FromSlice(c, x, nd.Shape{len(x)}, axis)
}
