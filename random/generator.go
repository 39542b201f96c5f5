package random

import (
	"fmt"

	"caloric/internal/misuse"
	"caloric/spmd"
)

// Generator is where random arrays come from: a seed, a stream, and the number
// of the next draw. Every function of this package that takes a Generator uses
// up one draw of it.
//
// A Generator belongs to one rank, like a communicator: each rank makes its own
// with the same seed and draws the same things from it, so that the ranks stay
// in step. It is not for use by several goroutines at once. Ranks found sharing
// one are told so; on a communicator that numbers all ranks anew, use a Clone.
type Generator struct {
	state State
	user  *spmd.Comm // the first communicator drawn for
}

// State is all there is to know about a Generator. It can be saved and restored.
type State struct {
	Seed   uint64
	Stream uint64
	Draw   uint64 // the number of draws taken
}

// New returns the generator of a seed, at stream 0 and draw 0. Any seed is as
// good as any other.
//
// Local.
func New(seed uint64) *Generator { return &Generator{state: State{Seed: seed}} }

// FromState returns the generator that continues where s was taken.
//
// Local.
func FromState(s State) *Generator { return &Generator{state: s} }

// Stream returns stream k of g's seed at draw 0, whatever g's own stream and
// draw are. Different streams are independent; New starts with stream 0.
//
// Local.
func (g *Generator) Stream(k uint64) *Generator {
	return FromState(State{Seed: g.state.Seed, Stream: k})
}

// Clone returns a generator in g's state: it draws the same again.
//
// Local.
func (g *Generator) Clone() *Generator { return FromState(g.state) }

// State returns where g is.
//
// Local.
func (g *Generator) State() State { return g.state }

// SetState makes g continue where s was taken.
//
// Local.
func (g *Generator) SetState(s State) { g.state = s }

// String returns "seed 42, stream 0, draw 3".
func (g *Generator) String() string {
	return fmt.Sprintf("seed %d, stream %d, draw %d", g.state.Seed, g.state.Stream, g.state.Draw)
}

// next takes a draw for an array over c.
func (g *Generator) next(c *spmd.Comm) stream {
	g.checkUser(c)
	s := stream{key: g.state.Seed, id: g.state.Stream, draw: g.state.Draw}
	g.state.Draw++
	return s
}

// checkUser panics if two ranks share g, as embedded ranks do with a generator
// made before they started: they would take different draws.
func (g *Generator) checkUser(c *spmd.Comm) {
	if g.user == nil {
		g.user = c
	}
	if u := g.user; u.Size() == c.Size() && u.Rank() != c.Rank() {
		misuse.Panic("the generator of %v is used by %v: each rank needs its own (call random.New in the ranks' function, or Clone)", u, c)
	}
}
