package spmdtest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/spmd"
)

// typed is an element type, with what its reductions should give.
type typed[T spmd.Element] struct {
	ops map[spmd.Op]func(a, b T) T
}

func integers[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64]() typed[T] {
	return typed[T]{map[spmd.Op]func(a, b T) T{
		spmd.Sum:  func(a, b T) T { return a + b },
		spmd.Prod: func(a, b T) T { return a * b },
		spmd.Min: func(a, b T) T {
			if b < a {
				return b
			}
			return a
		},
		spmd.Max: func(a, b T) T {
			if b > a {
				return b
			}
			return a
		},
		spmd.And: func(a, b T) T { return a & b },
		spmd.Or:  func(a, b T) T { return a | b },
		spmd.Xor: func(a, b T) T { return a ^ b },
	}}
}

func floats[T float32 | float64]() typed[T] {
	return typed[T]{map[spmd.Op]func(a, b T) T{
		spmd.Sum:  func(a, b T) T { return a + b },
		spmd.Prod: func(a, b T) T { return a * b },
		spmd.Min: func(a, b T) T {
			if b < a || b != b {
				return b
			}
			return a
		},
		spmd.Max: func(a, b T) T {
			if b > a || b != b {
				return b
			}
			return a
		},
	}}
}

func complexes[T complex64 | complex128]() typed[T] {
	return typed[T]{map[spmd.Op]func(a, b T) T{
		spmd.Sum:  func(a, b T) T { return a + b },
		spmd.Prod: func(a, b T) T { return a * b },
	}}
}

func bools() typed[bool] {
	return typed[bool]{map[spmd.Op]func(a, b bool) bool{
		spmd.And: func(a, b bool) bool { return a && b },
		spmd.Or:  func(a, b bool) bool { return a || b },
		spmd.Xor: func(a, b bool) bool { return a != b },
	}}
}

// sorted returns the operations that T has, in the same order on every rank.
func (k typed[T]) sorted() []spmd.Op {
	var ops []spmd.Op
	for op := range k.ops {
		ops = append(ops, op)
	}
	slices.Sort(ops)
	return ops
}

// fromInt returns k as a T. Small numbers add and multiply without rounding, so
// that results do not depend on the order of operands.
func fromInt[T spmd.Element](k int) T {
	var v T
	switch p := any(&v).(type) {
	case *bool:
		*p = k&1 != 0
	case *int8:
		*p = int8(k)
	case *int16:
		*p = int16(k)
	case *int32:
		*p = int32(k)
	case *int64:
		*p = int64(k)
	case *uint8:
		*p = uint8(k)
	case *uint16:
		*p = uint16(k)
	case *uint32:
		*p = uint32(k)
	case *uint64:
		*p = uint64(k)
	case *float32:
		*p = float32(k)
	case *float64:
		*p = float64(k)
	case *complex64:
		*p = complex(float32(k), float32(k%2))
	case *complex128:
		*p = complex(float64(k), float64(k%2))
	}
	return v
}

// data returns rank's n elements, numbers from -4 to 4 but 0.
func data[T spmd.Element](rank, n int) []T {
	s := make([]T, n)
	for i := range s {
		h := uint32(rank*7919+i)*2654435761 + 12345
		v := int(h>>16)%8 - 4
		if v >= 0 {
			v++
		}
		s[i] = fromInt[T](v)
	}
	return s
}

// guarded is memory of n elements between guards that nothing may touch.
type guarded[T spmd.Element] struct{ all, buf []T }

const guard = 3

func newGuarded[T spmd.Element](n int) guarded[T] {
	all := make([]T, n+2*guard)
	for i := range all {
		all[i] = fromInt[T](99)
	}
	return guarded[T]{all, all[guard : guard+n : guard+n]}
}

func guardedCopy[T spmd.Element](s []T) guarded[T] {
	g := newGuarded[T](len(s))
	copy(g.buf, s)
	return g
}

// check compares what a communication left in memory with what it should have.
func (g guarded[T]) check(t testing.TB, c *spmd.Comm, want []T, what string, args ...any) {
	t.Helper()
	whole := newGuarded[T](len(want))
	copy(whole.buf, want)
	equal(t, c, g.all, whole.all, what, args...)
}

// equal compares two slices.
func equal[T comparable](t testing.TB, c *spmd.Comm, got, want []T, what string, args ...any) {
	t.Helper()
	// A difference is worked out only if there is one: it takes long.
	if !slices.Equal(got, want) && fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%T: %s on %v (-want +got):\n%s", got, fmt.Sprintf(what, args...), c, cmp.Diff(want, got))
	}
}

// sum adds up counts.
func sum(counts []int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}

// sizes are numbers of elements: none, some that fit a cache line for every type
// or for some, and one that is moved in pieces.
var sizes = []int{0, 1, 3, 9, 2500}

// patterns returns uneven counts for p ranks, zeros among them.
func patterns(p int) [][]int {
	all := make([][]int, 5)
	for r := range p {
		all[0] = append(all[0], 0)
		all[1] = append(all[1], 1)
		all[2] = append(all[2], r%3)
		all[3] = append(all[3], 20*(r%2))
		all[4] = append(all[4], 1201*((r+1)%3))
	}
	return all
}
