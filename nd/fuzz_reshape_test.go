package nd_test

import (
	"fmt"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// FuzzReshape reshapes an array with any ownership to any shape and split and back.
func FuzzReshape(f *testing.F) {
	f.Add(uint8(3), uint32(0x12345), uint8(24), uint8(0), uint8(1), uint8(7))
	f.Add(uint8(7), uint32(0xffffffff), uint8(60), uint8(1), uint8(2), uint8(0))
	f.Add(uint8(1), uint32(0), uint8(0), uint8(2), uint8(0), uint8(255))
	f.Add(uint8(5), uint32(0x0f0f0f), uint8(36), uint8(2), uint8(3), uint8(99))
	for _, line := range foundSeeds(f, "reshape") {
		var ranks, size, from, to, pick uint8
		var owners uint32
		if _, err := fmt.Sscan(line, &ranks, &owners, &size, &from, &to, &pick); err != nil {
			f.Fatalf("%v: %s", err, line)
		}
		f.Add(ranks, owners, size, from, to, pick)
	}
	f.Fuzz(func(t *testing.T, ranks uint8, owners uint32, size, from, to, pick uint8) {
		spmdtest.Embedded(t)
		n := int(size)
		a, b := factored(n, 1+int(from>>4)%4, int(pick)), factored(n, 1+int(to>>4)%4, int(pick/3))
		spmdtest.Run(t, 1+int(ranks)%7, func(c *spmd.Comm) {
			l := anyLayout(c, a, split.Axis(int(from&15)%(len(a)+1)-1), owners)
			x := counting(c, l)
			y := nd.ReshapeTo(x, b, split.Axis(int(to&15)%(len(b)+1)-1))
			if got := y.Gather(); !slices.Equal(got, countTo(n)) || !y.Shape().Equal(b) {
				t.Errorf("%v to %v: %v", l, y.Layout(), got)
			}
			z := y.Reshape(a...)
			if got := z.Gather(); !slices.Equal(got, countTo(n)) || !z.Shape().Equal(a) {
				t.Errorf("%v back to %v: %v", y.Layout(), z.Layout(), got)
			}
			checkValues(t, x, countTo(n))
		})
	})
}

// FuzzRoll rolls an array with any ownership along an axis and flattened.
func FuzzRoll(f *testing.F) {
	f.Add(uint8(3), uint32(0x12345), uint8(24), uint8(0), uint8(1), 5)
	f.Add(uint8(4), uint32(0xff00ff), uint8(45), uint8(33), uint8(2), -17)
	f.Fuzz(func(t *testing.T, ranks uint8, owners uint32, size, axes, pick uint8, shift int) {
		spmdtest.Embedded(t)
		n := int(size)
		shape := factored(n, 1+int(axes>>4)%4, int(pick))
		spmdtest.Run(t, 1+int(ranks)%7, func(c *spmd.Comm) {
			l := anyLayout(c, shape, split.Axis(int(axes&15)%(len(shape)+1)-1), owners)
			x := counting(c, l)
			want := countTo(n)
			eachIndex(shape, func(i []int) {
				j := slices.Clone(i)
				k := int(pick) % len(shape)
				j[k] = ((i[k]+shift%shape[k])%shape[k] + shape[k]) % shape[k]
				want[flat(shape, j)] = int32(flat(shape, i)) + 1
			})
			checkValues(t, nd.Roll(x, shift, int(pick)%len(shape)), want)
			for i := range want {
				want[((i+shift%n)%n+n)%n] = int32(i) + 1
			}
			checkValues(t, nd.Roll(x, shift), want)
		})
	})
}

// factored returns a shape of ndim axes and n elements.
func factored(n, ndim, pick int) nd.Shape {
	shape := make(nd.Shape, ndim)
	for k := range shape {
		shape[k] = n
		if k == ndim-1 {
			break
		}
		var divisors []int
		for d := 1; d <= max(n, 1); d++ {
			if n%d == 0 {
				divisors = append(divisors, d)
			}
		}
		shape[k] = divisors[pick%len(divisors)]
		n /= shape[k]
		pick /= 2
	}
	return shape
}

// anyLayout returns a layout of shape whose counts are drawn from owners.
func anyLayout(c *spmd.Comm, shape nd.Shape, axis split.Axis, owners uint32) *split.Layout {
	if axis == split.None {
		return split.Block(shape, axis, c.Size())
	}
	counts := make([]int, c.Size())
	left := shape[axis]
	for r := range counts {
		counts[r] = min(left, int(owners&15))
		owners = owners>>4 | owners<<28
		left -= counts[r]
	}
	counts[int(owners)%len(counts)] += left
	return split.WithCounts(shape, axis, counts)
}
