package spmd

import (
	"fmt"
	"unsafe"

	"caloric/internal/caller"
	"caloric/internal/misuse"
	"caloric/spmd/internal/wire"
)

// Element is the set of types that arrays hold and collectives move.
type Element interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 |
		float32 | float64 | complex64 | complex128
}

// Op is a reduction operation for [Allreduce], [Reduce], [ReduceScatter] and [Exscan].
type Op = wire.Op

// The reduction operations. Min and Max are defined for real types and return
// NaN when any operand is NaN; And, Or and Xor are bitwise on integers and
// logical on bool; Sum and Prod are defined for every type but bool.
const (
	Sum  = wire.Sum
	Prod = wire.Prod
	Min  = wire.Min
	Max  = wire.Max
	And  = wire.And
	Or   = wire.Or
	Xor  = wire.Xor
)

// Comm is a communicator: an ordered group of ranks that communicate among
// themselves, and this rank's place in it. A rank uses its communicators from
// one goroutine at a time.
type Comm struct {
	t       wire.Transport
	rank    int
	size    int
	parent  *Comm // where counts are added up as well
	job     *job
	workers int
	freed   bool // and its transport does not know
	stats   [numOps]Count
	aside   bool // the parent does not count what is sent here
	origin  string
	made    int // how many communicators have been made from this one

	attributes []attribute

	cell [2]uint64 // memory of the scalar collectives
}

func newComm(t wire.Transport, parent *Comm, j *job, workers int) *Comm {
	return &Comm{t: t, rank: t.Rank(), size: t.Size(), parent: parent, job: j, workers: workers}
}

// Rank returns this process's number in the communicator, from 0 to Size()-1.
//
// Local.
func (c *Comm) Rank() int {
	if c == nil {
		panicNil()
	}
	return c.rank
}

// Size returns the number of ranks in the communicator.
//
// Local.
func (c *Comm) Size() int {
	if c == nil {
		panicNil()
	}
	return c.size
}

// Workers returns how many goroutines this rank should compute with: the cores
// of its node divided by the ranks on it, at least 1.
//
// Local.
func (c *Comm) Workers() int {
	if c == nil {
		panicNil()
	}
	return c.workers
}

// panicNil says what a nil communicator is in most programs.
func panicNil() {
	misuse.Panic("there is no communicator: the array has been released, or Split was given Undefined")
}

// String returns "rank 2 of 4".
//
// Local.
func (c *Comm) String() string { return fmt.Sprintf("rank %d of %d", c.rank, c.size) }

// Origin says how the communicator was made: "the world", or as "color 1 of split 3
// of the world" if it comes from the third call of Split, Dup or Aside of the
// world's, the library's own calls counted. No two communicators that a rank has in
// one run have the same origin.
//
// Local.
func (c *Comm) Origin() string {
	if c == nil {
		panicNil()
	}
	s := ""
	for ; c.parent != nil; c = c.parent {
		s += c.origin + " of "
	}
	return s + "the world"
}

// derive returns the communicator over t that was made from c.
func (c *Comm) derive(t wire.Transport, origin string) *Comm {
	d := newComm(t, c, c.job, c.workers)
	d.origin = origin
	return d
}

// Undefined is the color of a rank that joins none of the communicators that [Comm.Split] makes.
const Undefined = -1

// Split makes one communicator per color from the ranks that pass it, ordered
// by key, then by rank in c. A rank that passes [Undefined] gets nil.
//
// Collective. Communication: one exchange of color and key.
func (c *Comm) Split(color, key int) *Comm {
	start := c.begin()
	t, err := c.t.Split(color, key)
	c.end(opSplit, start, 0, 0, err)
	c.made++ // on every rank, so that they count alike
	if t == nil {
		return nil
	}
	return c.derive(t, fmt.Sprintf("color %d of split %d", color, c.made))
}

// Dup makes a communicator of the same ranks whose traffic cannot mix with c's.
//
// Collective. Communication: one exchange.
func (c *Comm) Dup() *Comm {
	start := c.begin()
	t, err := c.t.Dup()
	c.end(opDup, start, 0, 0, err)
	c.made++
	return c.derive(t, fmt.Sprintf("copy %d", c.made))
}

// Free releases a communicator made by Split or Dup. It must not be used afterwards.
//
// Collective. Communication: none that carries data.
func (c *Comm) Free() {
	if c.parent == nil {
		c.fail(opFree, fmt.Errorf("the world communicator cannot be freed"))
	}
	c.freeAttributes()
	start := c.begin()
	c.end(opFree, start, 0, 0, c.t.Free())
	c.freed = c.job.mpi
}

// Barrier returns when every rank of c has called it.
//
// Collective.
func (c *Comm) Barrier() {
	start := c.begin()
	c.end(opBarrier, start, 0, 0, c.t.Barrier())
}

// Abort ends the whole job with err, from any rank, without waiting for the
// others, and does not return.
//
// Local.
func (c *Comm) Abort(err error) {
	c.t.Abort(err)
	panic(&Error{Op: "abort", Rank: c.rank, Site: caller.Find().String(), Cause: err})
}

// fail panics with an *Error for operation o.
func (c *Comm) fail(o operation, cause error) {
	panic(&Error{Op: o.String(), Rank: c.rank, Site: caller.Find().String(), Cause: cause})
}

// one returns the communicator's own cell as a slice of one T, so that scalar
// collectives need no memory of their own.
func one[T any](c *Comm) []T { return unsafe.Slice((*T)(unsafe.Pointer(&c.cell)), 1) }
