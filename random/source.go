package random

import "math/rand/v2"

var _ rand.Source = (*Source)(nil)

// Source is a sequence of words as math/rand/v2 wants it: a rand.Source, for
// rand.New and for the distributions of gonum's stat/distuv.
type Source struct {
	s   stream
	n   uint64 // the number of words taken
	buf [batch]uint64
}

// Source takes the next draw of g as a sequence of words: word i is the one that
// element i of an array would have been made from. For numbers of one rank's
// own, give each rank its own stream:
//
//	src := random.New(42).Stream(1 + uint64(c.Rank())).Source()
//
// Local; on a generator that ranks share in step, every rank takes the draw.
func (g *Generator) Source() *Source {
	s := &Source{s: stream{key: g.state.Seed, id: g.state.Stream, draw: g.state.Draw}}
	g.state.Draw++
	return s
}

// Uint64 returns the next word.
//
// Local.
func (s *Source) Uint64() uint64 {
	if s.n%batch == 0 {
		s.s.words(&s.buf, s.n, batch)
	}
	w := s.buf[s.n%batch]
	s.n++
	return w
}
