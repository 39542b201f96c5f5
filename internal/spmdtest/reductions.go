package spmdtest

import (
	"math"
	"slices"
	"testing"

	"caloric/spmd"
)

// reduced returns the reduction of the operands of the first p ranks.
func (k typed[T]) reduced(p, n int, op spmd.Op) []T {
	acc := data[T](0, n)
	for r := 1; r < p; r++ {
		for i, v := range data[T](r, n) {
			acc[i] = k.ops[op](acc[i], v)
		}
	}
	return acc
}

func (k typed[T]) allreduce(t testing.TB, c *spmd.Comm, n int, op spmd.Op) {
	mine, want := data[T](c.Rank(), n), k.reduced(c.Size(), n, op)
	g := guardedCopy(mine)
	spmd.Allreduce(c, g.buf, op)
	g.check(t, c, want, "Allreduce %v of %d", op, n)

	g = guardedCopy(mine)
	spmd.Iallreduce(c, g.buf, op).Wait()
	g.check(t, c, want, "Iallreduce %v of %d", op, n)

	g = guardedCopy(mine)
	spmd.AllreduceFunc(c, g.buf, func(acc, next []T) {
		for i, v := range next {
			acc[i] = k.ops[op](acc[i], v)
		}
	})
	g.check(t, c, want, "AllreduceFunc %v of %d", op, n)

	if n == 1 {
		equal(t, c, []T{spmd.AllreduceOne(c, mine[0], op)}, want, "AllreduceOne %v", op)
	}
}

func (k typed[T]) reduce(t testing.TB, c *spmd.Comm, n int, op spmd.Op) {
	for _, root := range roots(c) {
		want := data[T](c.Rank(), n)
		g := guardedCopy(want)
		if c.Rank() == root {
			want = k.reduced(c.Size(), n, op)
		}
		spmd.Reduce(c, g.buf, op, root)
		g.check(t, c, want, "Reduce %v of %d to %d", op, n, root)
	}
}

func (k typed[T]) exscan(t testing.TB, c *spmd.Comm, n int, op spmd.Op) {
	want := data[T](0, n)
	if c.Rank() > 0 {
		want = k.reduced(c.Rank(), n, op)
	}
	g := guardedCopy(data[T](c.Rank(), n))
	spmd.Exscan(c, g.buf, op)
	g.check(t, c, want, "Exscan %v of %d", op, n)
}

func (k typed[T]) reduceScatter(t testing.TB, c *spmd.Comm, counts []int, op spmd.Op) {
	n, at := sum(counts), sum(counts[:c.Rank()])
	mine := data[T](c.Rank(), n)
	send, recv := guardedCopy(mine), newGuarded[T](counts[c.Rank()])
	spmd.ReduceScatter(c, send.buf, recv.buf, counts, op)
	send.check(t, c, mine, "operand of ReduceScatter %v of %v", op, counts)
	recv.check(t, c, k.reduced(c.Size(), n, op)[at:at+counts[c.Rank()]], "ReduceScatter %v of %v", op, counts)
}

// wrapping adds and multiplies past the end of the integers' ranges.
func wrapping(t testing.TB, c *spmd.Comm) {
	p := c.Size()
	equal(t, c, []int8{spmd.AllreduceOne(c, int8(100), spmd.Sum)}, []int8{int8(100 * p)}, "sum")
	equal(t, c, []uint16{spmd.AllreduceOne(c, uint16(40000), spmd.Sum)}, []uint16{uint16(40000 * p)}, "sum")
	prod := int64(1)
	for range p {
		prod *= math.MaxInt64 - 2
	}
	equal(t, c, []int64{spmd.AllreduceOne(c, int64(math.MaxInt64-2), spmd.Prod)}, []int64{prod}, "product")
	top := func(r int) uint64 { return math.MaxUint64 - uint64(r) } // negative if taken for an int64
	equal(t, c, []uint64{spmd.AllreduceOne(c, top(c.Rank()), spmd.Max)}, []uint64{top(0)}, "max")
	equal(t, c, []uint64{spmd.AllreduceOne(c, top(c.Rank()), spmd.Min)}, []uint64{top(p - 1)}, "min")
}

// nan puts one NaN among the operands, on each rank in turn. It is the minimum
// and the maximum wherever it takes part.
func nan(t testing.TB, c *spmd.Comm) {
	for _, op := range []spmd.Op{spmd.Min, spmd.Max} {
		for at := range c.Size() {
			for _, n := range []int{1, 100} {
				operand := func() []float64 {
					buf := slices.Repeat([]float64{float64(c.Rank())}, n)
					if c.Rank() == at {
						buf[n-1] = math.NaN()
					}
					return buf
				}
				expect := func(what string, v float64, want bool) {
					t.Helper()
					if math.IsNaN(v) != want {
						t.Errorf("%v of %d with NaN on rank %d: %s leaves %v on %v", op, n, at, what, v, c)
					}
				}
				buf := operand()
				spmd.Allreduce(c, buf, op)
				expect("Allreduce", buf[n-1], true)
				if n > 1 {
					expect("Allreduce", buf[0], false)
				}
				buf = operand()
				spmd.Iallreduce(c, buf, op).Wait()
				expect("Iallreduce", buf[n-1], true)
				buf = operand()
				spmd.Reduce(c, buf, op, 0)
				expect("Reduce", buf[n-1], c.Rank() == 0 || c.Rank() == at)
				buf = operand()
				spmd.Exscan(c, buf, op)
				expect("Exscan", buf[n-1], at < c.Rank() || at == 0 && c.Rank() == 0)
				counts := make([]int, c.Size())
				counts[0] = n
				recv := make([]float64, counts[c.Rank()])
				spmd.ReduceScatter(c, operand(), recv, counts, op)
				if c.Rank() == 0 {
					expect("ReduceScatter", recv[n-1], true)
				}
				if v := spmd.AllreduceOne(c, float32(operand()[n-1]), op); v == v {
					t.Errorf("%v of float32 with NaN on rank %d is %v on %v", op, at, v, c)
				}
			}
		}
	}
}

// sameBits reduces numbers whose sum depends on the order of addition: it must
// be one and the same order on every rank.
func sameBits(t testing.TB, c *spmd.Comm) {
	for _, n := range sizes {
		operand := func() []float64 {
			buf := make([]float64, n)
			for i := range buf {
				buf[i] = math.Ldexp(0.1*float64(c.Rank()+1)+0.7*float64(i), 20*(c.Rank()%3))
			}
			return buf
		}
		blocking, later := operand(), operand()
		spmd.Allreduce(c, blocking, spmd.Sum)
		spmd.Iallreduce(c, later, spmd.Sum).Wait()
		for _, result := range [][]float64{blocking, later} {
			first := slices.Clone(result)
			spmd.Bcast(c, first, 0)
			equal(t, c, result, first, "result of Allreduce of %d", n)
		}
	}
}

// affine is the function x → a·x + b. Composition is associative, but not
// commutative.
type affine struct{ a, b int64 }

func compose(acc, next []affine) {
	for i, f := range next {
		acc[i] = affine{f.a * acc[i].a, f.a*acc[i].b + f.b}
	}
}

// rankOrder reduces by a function that tells one order from another.
func rankOrder(t testing.TB, c *spmd.Comm) {
	operand := func(rank, n int) []affine {
		fs := make([]affine, n)
		for i := range fs {
			fs[i] = affine{int64(rank + i%5 + 2), int64(rank - i)}
		}
		return fs
	}
	for _, n := range sizes {
		got, want := operand(c.Rank(), n), operand(0, n)
		for r := 1; r < c.Size(); r++ {
			compose(want, operand(r, n))
		}
		spmd.AllreduceFunc(c, got, compose)
		equal(t, c, got, want, "AllreduceFunc of %d functions", n)
	}
}

// structs reduces (value, index) pairs to where the least value is.
func structs(t testing.TB, c *spmd.Comm) {
	type place struct {
		value float32
		index int64
		seen  bool
	}
	for _, n := range sizes {
		got, want := make([]place, n), make([]place, n)
		for i := range got {
			got[i] = place{float32((c.Rank() + 2 + i) % c.Size()), int64(c.Rank()), true}
			winner := ((-2-i)%c.Size() + c.Size()) % c.Size()
			want[i] = place{0, int64(winner), true}
		}
		spmd.AllreduceFunc(c, got, func(acc, next []place) {
			for i, p := range next {
				if p.value < acc[i].value {
					acc[i] = p
				}
			}
		})
		equal(t, c, got, want, "AllreduceFunc of %d structs", n)
	}
}
