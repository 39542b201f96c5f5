package linalg

import (
	"fmt"
	"math/bits"
	"unsafe"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/spmd"
)

// Model is what communication and computation cost, by which [MatMul] chooses its
// algorithm: a message of n bytes takes Latency + n/Bandwidth seconds, a rank's
// product of float64 matrices one second for Flops additions and multiplications.
//
// Collectives cost as in E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn:
// "Collective communication: theory, practice, and experience", Concurrency and
// Computation: Practice and Experience 19 (2007): ⌈log₂P⌉ latencies, an allreduce
// twice that, and the bytes that a rank sends. What travels while a rank multiplies
// takes only the time by which it is longer.
//
// A multiplication and addition of elements takes half as long for float32 as for
// float64, twice for complex64, four times for complex128, and four times for
// integers, for which there is no BLAS. A product of thin matrices is bound by
// memory: each byte that it touches counts as 2 flops.
type Model struct {
	Latency   float64 // seconds for each message
	Bandwidth float64 // bytes a second that a rank sends
	Flops     float64 // float64 additions and multiplications a second and rank
}

// DefaultModel is the model of a communicator on which none is set or measured:
// about what processes of one node reach, with an optimized BLAS on one core each.
var DefaultModel = Model{Latency: 2e-6, Bandwidth: 4e9, Flops: 2e10}

// String returns "latency 2 µs, 4 GB/s, 20 Gflop/s".
func (m Model) String() string {
	return fmt.Sprintf("latency %.3g µs, %.3g GB/s, %.3g Gflop/s", m.Latency*1e6, m.Bandwidth/1e9, m.Flops/1e9)
}

func (m Model) check() {
	if !(m.Latency >= 0) || !(m.Bandwidth > 0) || !(m.Flops > 0) {
		misuse.Panic("a model of latency %v s, bandwidth %v B/s and %v flop/s", m.Latency, m.Bandwidth, m.Flops)
	}
}

type modelKey struct{}

// SetModel makes the products on c, and on the communicators made from it, choose
// their algorithms by m, and measure nothing. Algorithms add up in different orders,
// so only with the same model set does a program get the same roundings each time.
//
// Local; m is the same on every rank of c. Communication: none.
// Panics if the latency is negative, or a rate not positive.
func SetModel(c *spmd.Comm, m Model) {
	m.check()
	c.SetAttr(modelKey{}, m)
}

// ModelOf returns the model that was set or measured on c or the closest
// communicator that it was made from, [DefaultModel] if there is none.
//
// Local.
func ModelOf(c *spmd.Comm) Model {
	if m, ok := c.Attr(modelKey{}).(Model); ok {
		return m
	}
	return DefaultModel
}

// measureFrom is the number of flops of a rank from which on a product is worth
// measuring for.
var measureFrom float64 = 1 << 32

// modelFor returns the model for a product of the given number of flops.
func modelFor(c *spmd.Comm, flops float64) Model {
	if flops/float64(c.Size()) < measureFrom || c.Size() == 1 || c.Attr(modelKey{}) != nil {
		return ModelOf(c)
	}
	return MeasureModel(c)
}

// estimate turns numbers of messages, bytes and elements into seconds.
type estimate struct {
	Model
	elem  int     // bytes of an element
	work  float64 // of an addition and multiplication of elements, in float64 ones
	ranks int
	look  []int // the ranks of which one is the busiest
	moves []moveTime
}

func newEstimate[T nd.Number](m Model, ranks int) *estimate {
	var zero T
	e := &estimate{Model: m, elem: int(unsafe.Sizeof(zero)), work: 4, ranks: ranks}
	switch any(zero).(type) {
	case float64:
		e.work = 1
	case float32:
		e.work = 0.5
	case complex64:
		e.work = 2
	}
	return e
}

// touch is the number of flops in the time of reading or writing a byte of memory.
const touch = 2

// rounds is the latency of a tree over all ranks.
func (e *estimate) rounds() float64 { return float64(bits.Len(uint(e.ranks-1))) * e.Latency }

// multiply returns the seconds of a product of matrices (m, k) and (k, n) on one rank.
func (e *estimate) multiply(m, k, n int) float64 {
	x, y, z := float64(m), float64(k), float64(n)
	return e.work*2*x*y*z/e.Flops + e.touching(x*y+y*z+x*z)
}

// touching returns the seconds of reading or writing n elements in memory.
func (e *estimate) touching(n float64) float64 { return touch * float64(e.elem) * n / e.Flops }

// copying returns the seconds of reading and writing n elements in memory.
func (e *estimate) copying(n int) float64 { return 2 * e.touching(float64(n)) }

// sending returns the seconds of sending n bytes, without latency.
func (e *estimate) sending(n int64) float64 { return float64(n) / e.Bandwidth }
