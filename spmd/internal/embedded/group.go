package embedded

import (
	"sync"
	"sync/atomic"
)

// inlineBytes is the size of a payload that travels in the slot itself.
const inlineBytes = 64

// cacheLine keeps what different ranks write apart.
type cacheLine [64]byte

// group is the state that the members of one communicator share.
type group struct {
	w     *world
	ranks []int  // the members' world ranks
	name  string // how its user made it, "world.Split(1)"
	slots []slot

	_       cacheLine
	arrived atomic.Int64 // members at the barrier
	_       cacheLine
	open    atomic.Uint64 // how often the barrier has opened
	_       cacheLine

	boxes   []mailbox
	mu      sync.Mutex
	reduces map[uint64]*pendingReduce
}

// slot is what one member shows the others. It has two sides, used in turn: a
// member that writes one side for the next call but one has passed the barrier
// of the next call, and so have all who read it.
type slot struct {
	side [2]side
	_    cacheLine
}

type side struct {
	call   call
	inline [inlineBytes / 8]uint64
	made   *group // by Split and Dup
}

func newGroup(w *world, ranks []int, name string) *group {
	return &group{w: w, ranks: ranks, name: name, slots: make([]slot, len(ranks)), boxes: make([]mailbox, len(ranks)),
		reduces: map[uint64]*pendingReduce{}}
}

// on returns what to add to the description of a call.
func (g *group) on() string {
	if g.name == "world" {
		return ""
	}
	return " on " + g.name
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
	block  []uint64 // scratch memory of blockBytes, once it is needed
}

func (g *group) member(me int) *member { return &member{g: g, me: me, rank: g.ranks[me]} }

// Rank implements wire.Transport.
func (m *member) Rank() int { return m.me }

// Size implements wire.Transport.
func (m *member) Size() int { return len(m.g.ranks) }

func (m *member) side(r int) *side { return &m.g.slots[r].side[m.calls&1] }

func (m *member) call(r int) *call { return &m.side(r).call }

// enter shows c to the others and returns when all have entered. The last to
// come checks that the calls fit together and, unless it is nil, runs combine.
func (m *member) enter(c call, combine func()) error {
	if !m.usable() {
		return m.g.w.report(m.rank, c.String()+m.g.on())
	}
	m.calls++
	s := m.side(m.me)
	s.call, s.made = c, nil
	if m.Size() == 1 {
		return nil
	}
	if !m.last() {
		return m.await()
	}
	if cause := misfit(m.Size(), m.call); cause != "" {
		m.g.w.fail(cause)
		return m.ended()
	}
	if combine != nil {
		combine()
	}
	m.open()
	return nil
}

// leave returns when all members have done what they entered for, so that
// buffers may change again.
func (m *member) leave() error {
	var err error
	switch {
	case m.Size() == 1:
	case m.last():
		m.open()
	default:
		err = m.await()
	}
	if err == nil { // else others may still read it
		m.call(m.me).buf.Ptr, m.call(m.me).shown = nil, nil // so that the caller's memory can be freed
	}
	return err
}

// last arrives at the barrier and reports whether all others have.
func (m *member) last() bool {
	m.passed++
	return m.g.arrived.Add(1) == int64(m.Size())
}

// open opens the barrier.
func (m *member) open() {
	m.g.arrived.Store(0)
	m.g.open.Store(m.passed)
	m.g.w.wake(m.g.ranks...)
}

// await waits until the barrier opens.
func (m *member) await() error {
	if m.g.w.await(m.rank, &m.g.open, m.passed) != nil {
		return m.ended()
	}
	return nil
}

// usable reports whether the group can still communicate. Its use ends the job
// if it has been freed.
func (m *member) usable() bool {
	if m.freed {
		m.g.w.fail("use of a freed communicator")
	}
	return !m.g.w.failed.Load()
}

// ended notes what this rank was doing when the job ended.
func (m *member) ended() error {
	return m.g.w.report(m.rank, m.call(m.me).String()+m.g.on())
}
