package random

// stream is the words of one draw, or of one further use that a draw has for
// words. Word i is word i%4 of the block of counter (i/4, draw, part, use).
type stream struct {
	key, id   uint64
	draw      uint64
	part, use uint64
}

// The uses of a draw's words.
const (
	elements = iota // one word per element; part counts the words rejected before
	shuffles        // the shuffle of a permutation's bucket, which is part
	samples         // the words of an element of Sample: block is its index, part counts four at a time
)

// block returns words 4i to 4i+3.
func (s *stream) block(i uint64) (w0, w1, w2, w3 uint64) {
	return philox(i, s.draw, s.part, s.use, s.key, s.id)
}

// word returns word i.
func (s *stream) word(i uint64) uint64 {
	w0, w1, w2, w3 := s.block(i / 4)
	switch i % 4 {
	case 0:
		return w0
	case 1:
		return w1
	case 2:
		return w2
	}
	return w3
}

// batch is how many words the kernels ask for at a time.
const batch = 128

// words returns the words from number first on, as many as fit into buf and at
// most n.
func (s *stream) words(buf *[batch]uint64, first uint64, n int) []uint64 {
	out := buf[:min(n, batch)]
	if s.wordsVectors(out, first) {
		return out
	}
	i := 0
	for ; i < len(out) && (first+uint64(i))%4 != 0; i++ {
		out[i] = s.word(first + uint64(i))
	}
	b := (first + uint64(i)) / 4
	for ; i+4 <= len(out); i += 4 {
		q := out[i : i+4 : i+4]
		q[0], q[1], q[2], q[3] = s.block(b)
		b++
	}
	for ; i < len(out); i++ {
		out[i] = s.word(first + uint64(i))
	}
	return out
}
