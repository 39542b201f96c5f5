package spmdtest

import (
	"testing"

	"caloric/spmd"
)

// Conformance tests what every transport has to do alike: each operation with
// each element type, on communicators of several kinds, with operands of no,
// few and many elements, against plain loops over what the ranks hold.
func Conformance(t *testing.T) {
	t.Run("bool", bools().conformance)
	t.Run("int8", integers[int8]().conformance)
	t.Run("int16", integers[int16]().conformance)
	t.Run("int32", integers[int32]().conformance)
	t.Run("int64", integers[int64]().conformance)
	t.Run("uint8", integers[uint8]().conformance)
	t.Run("uint16", integers[uint16]().conformance)
	t.Run("uint32", integers[uint32]().conformance)
	t.Run("uint64", integers[uint64]().conformance)
	t.Run("float32", floats[float32]().conformance)
	t.Run("float64", floats[float64]().conformance)
	t.Run("complex64", complexes[complex64]().conformance)
	t.Run("complex128", complexes[complex128]().conformance)
	for _, test := range []struct {
		name string
		f    func(t testing.TB, c *spmd.Comm)
	}{
		{"wrapping", wrapping},
		{"NaN", nan},
		{"same bits on every rank", sameBits},
		{"functions in rank order", rankOrder},
		{"structs", structs},
		{"order of messages", messageOrder},
		{"tags", tags},
		{"message to itself", toItself},
		{"requests", requests},
		{"requests overlap collectives", overlap},
		{"split", splitting},
		{"communicators do not mix", separate},
		{"stats", stats},
		{"stats of messages", messageStats},
		{"stats of parents", parentStats},
	} {
		t.Run(test.name, func(t *testing.T) { Sweep(t, test.f) })
	}
}

func (k typed[T]) conformance(t *testing.T) {
	Sweep(t, func(t testing.TB, c *spmd.Comm) {
		k.operations(t, c, len(sizes), len(patterns(1)))
		dup := c.Dup()
		k.operations(t, dup, 3, 3)
		dup.Free()
		// Two at work at once, their ranks in reverse order.
		half := c.Split(c.Rank()%2, -c.Rank())
		k.operations(t, half, 4, 4)
		half.Free()
	})
}

// operations tests every operation on c with the first of sizes and of patterns.
func (k typed[T]) operations(t testing.TB, c *spmd.Comm, numSizes, numPatterns int) {
	for _, n := range sizes[:numSizes] {
		k.bcast(t, c, n)
		k.messages(t, c, n)
		for _, op := range k.sorted() {
			k.allreduce(t, c, n, op)
			k.reduce(t, c, n, op)
			k.exscan(t, c, n, op)
		}
	}
	for i, counts := range patterns(c.Size())[:numPatterns] {
		k.gather(t, c, counts)
		k.scatter(t, c, counts)
		k.alltoall(t, c, i)
		for _, op := range k.sorted() {
			k.reduceScatter(t, c, counts, op)
		}
	}
}

// roots returns the ranks to try as root: the first, the last, one between.
func roots(c *spmd.Comm) []int {
	switch p := c.Size(); p {
	case 1:
		return []int{0}
	case 2:
		return []int{0, 1}
	default:
		return []int{0, p / 2, p - 1}
	}
}
