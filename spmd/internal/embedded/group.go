package embedded

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"caloric/spmd/internal/wire"
)

// inlineBytes is the size of a payload that travels in the slot itself.
const inlineBytes = 64

// group is the state that the members of one communicator share.
type group struct {
	w       *world
	ranks   []int // the members' world ranks
	slots   []slot
	arrived atomic.Int64
	open    atomic.Uint64 // how often the barrier has opened

	mu      sync.Mutex
	boxes   []mailbox
	reduces map[uint64]*pendingReduce
}

// slot is what one member shows the others. It has two sides, used in turn: a
// member that writes one side for the next call but one has passed the barrier
// of the next call, and so have all who read it.
type slot struct {
	side [2]side
	_    [64]byte
}

type side struct {
	call   call
	inline [inlineBytes / 8]uint64
	made   *group // by Split and Dup
}

// call describes a collective as one member called it.
type call struct {
	kind       kind
	op         wire.Op
	user       bool // a caller's own reduction
	root       int
	buf        wire.Buffer // what the others read, or reduce in place
	counts     []int       // equal on all members
	starts     []int       // where the block for each member starts in buf, for alltoallv
	color, key int
}

type kind uint8

const (
	barrier kind = iota
	bcast
	reduce_
	allreduce
	allgatherv
	gatherv
	scatterv
	alltoallv
	reduceScatter
	exscan
	split
	dup
	free
)

var kindNames = [...]string{"barrier", "bcast", "reduce", "allreduce", "allgatherv", "gatherv", "scatterv",
	"alltoallv", "reducescatter", "exscan", "split", "dup", "free"}

// String says what was called, as errors name it: "allreduce sum of 1 float64".
func (c call) String() string {
	s := kindNames[c.kind]
	switch c.kind {
	case barrier, split, dup, free:
		return s
	case reduce_, allreduce, reduceScatter, exscan:
		if c.user {
			s += " by a function"
		} else {
			s += " " + c.op.String()
		}
	}
	s += fmt.Sprintf(" of %d %s", c.buf.Len, typeName(c.buf))
	if c.kind == bcast || c.kind == reduce_ || c.kind == gatherv || c.kind == scatterv {
		s += fmt.Sprintf(" with root %d", c.root)
	}
	if c.counts != nil && len(c.counts) <= 16 {
		s += fmt.Sprintf(", counts %v", c.counts)
	}
	return s
}

func typeName(b wire.Buffer) string {
	if b.Type == wire.Raw {
		return fmt.Sprintf("%d-byte structs", b.Elem)
	}
	return b.Type.String()
}

// fits reports whether two members' calls are the same collective with
// arguments that fit together.
func (c *call) fits(d *call) bool {
	if c.kind != d.kind || c.op != d.op || c.user != d.user || c.root != d.root ||
		c.buf.Type != d.buf.Type || c.buf.Elem != d.buf.Elem || !slices.Equal(c.counts, d.counts) {
		return false
	}
	switch c.kind {
	case bcast, reduce_, allreduce, exscan, reduceScatter:
		return c.buf.Len == d.buf.Len
	}
	return true
}

func newGroup(w *world, ranks []int) *group {
	return &group{w: w, ranks: ranks, slots: make([]slot, len(ranks)), boxes: make([]mailbox, len(ranks)),
		reduces: map[uint64]*pendingReduce{}}
}

// member is one rank's end of a group.
type member struct {
	g      *group
	me     int
	rank   int    // in the world
	calls  uint64 // collectives so far: the side of the slot to use
	passed uint64 // barriers so far
	posted uint64 // non-blocking reductions so far
	freed  bool
	starts []int
	block  [blockBytes / 8]uint64
}

// blockBytes is the size of the blocks in which large operands are reduced.
const blockBytes = 8192

func (g *group) member(me int) *member { return &member{g: g, me: me, rank: g.ranks[me]} }

func (m *member) Rank() int { return m.me }
func (m *member) Size() int { return len(m.g.ranks) }

// enter shows c to the others and returns when all have entered. The last to
// come checks that the calls fit together.
func (m *member) enter(c call) error {
	m.calls++
	s := m.side(m.me)
	s.call = c
	if m.freed {
		m.g.w.fail("use of a freed communicator")
		return m.ended()
	}
	return m.pass(true)
}

// leave returns when all members have done what they entered for, so that
// buffers may change again.
func (m *member) leave() error { return m.pass(false) }

func (m *member) side(r int) *side { return &m.g.slots[r].side[m.calls&1] }

func (m *member) call(r int) *call { return &m.side(r).call }

// ended notes what this rank was doing when the job ended.
func (m *member) ended() error {
	return m.g.w.report(m.rank, m.call(m.me).String())
}

// pass is the barrier.
func (m *member) pass(check bool) error {
	g := m.g
	if len(g.ranks) == 1 {
		return nil
	}
	m.passed++
	if g.arrived.Add(1) == int64(len(g.ranks)) {
		if check && !m.allFit() {
			g.w.fail("ranks called different collectives")
			return m.ended()
		}
		g.arrived.Store(0)
		g.open.Store(m.passed)
		g.w.wake()
		return nil
	}
	if err := g.w.await(m.rank, &g.open, m.passed); err != nil {
		return m.ended()
	}
	return nil
}

func (m *member) allFit() bool {
	first := m.call(0)
	for r := 1; r < m.Size(); r++ {
		if !first.fits(m.call(r)) {
			return false
		}
	}
	return true
}

// scratch returns the member's block as n elements like b's.
func (m *member) scratch(b wire.Buffer, n int) wire.Buffer {
	b.Len = n
	if n*b.Elem > blockBytes {
		b.Ptr = unsafe.Pointer(unsafe.SliceData(make([]uint64, (n*b.Elem+7)/8)))
	} else {
		b.Ptr = unsafe.Pointer(&m.block)
	}
	return b
}
