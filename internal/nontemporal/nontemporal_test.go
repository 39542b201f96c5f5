package nontemporal

import (
	"testing"
	"unsafe"
)

func check[T uint8 | uint16 | uint32 | uint64 | complex128](t *testing.T) {
	memory, src := make([]T, 2048), make([]T, 2048)
	for i := range src {
		src[i] = *new(T) + T(1)
		for range i % 97 {
			src[i]++
		}
	}
	for _, n := range []int{0, 1, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 1000} {
		for at := range 70 {
			clear(memory)
			Copy(memory[at:at+n], src[2*at:2*at+n])
			Fence()
			for i, v := range memory {
				want := *new(T)
				if i >= at && i < at+n {
					want = src[i+at]
				}
				if v != want {
					t.Fatalf("%d elements of %T to %d: element %d is %v, not %v", n, v, at, i, v, want)
				}
			}
		}
	}
}

// Every length and alignment is copied, and nothing beside it.
func TestCopy(t *testing.T) {
	t.Run("1", check[uint8])
	t.Run("2", check[uint16])
	t.Run("4", check[uint32])
	t.Run("8", check[uint64])
	t.Run("16", check[complex128])
}

// Memory of odd elements, whose boundaries meet no line's, is copied too.
func TestCopyOdd(t *testing.T) {
	type odd [3]byte
	src, dst := make([]odd, 500), make([]odd, 501)
	for i := range src {
		src[i] = odd{byte(i), byte(i >> 8), 1}
	}
	Copy(dst[1:], src)
	for i, v := range src {
		if dst[i+1] != v {
			t.Fatalf("element %d is %v", i, dst[i+1])
		}
	}
}

func TestLeading(t *testing.T) {
	var memory [4 * line]byte
	base := int(-uintptr(unsafe.Pointer(&memory[0])) % line)
	for _, c := range []struct{ at, n, size, want int }{
		{0, 8, 8, 0}, {8, 8, 8, 7}, {8, 3, 8, 3}, {56, 8, 8, 1}, {4, 8, 8, 8}, {60, 8, 4, 1}, {1, 100, 1, 63},
	} {
		if got := leading(unsafe.Pointer(&memory[base+c.at]), c.n, c.size); got != c.want {
			t.Errorf("%d elements of %d bytes, %d after a line: %d before the next, not %d", c.n, c.size, c.at, got, c.want)
		}
	}
}
