package random

import "testing"

// TestWords: batches, wherever they start and end, hold the words that word gives.
func TestWords(t *testing.T) {
	s := stream{key: 1, id: 2, draw: 3, part: 4, use: 5}
	var buf [batch]uint64
	for first := range uint64(9) {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 8, 11, batch - 1, batch, batch + 5} {
			got := s.words(&buf, first, n)
			if len(got) != min(n, batch) {
				t.Fatalf("%d words of %d", len(got), n)
			}
			for i, w := range got {
				if want := s.word(first + uint64(i)); w != want {
					t.Fatalf("word %d of the batch from %d is %x, want %x", i, first, w, want)
				}
			}
		}
	}
}

// TestWordsDiffer: every part of a word's address matters.
func TestWordsDiffer(t *testing.T) {
	seen := map[uint64]stream{}
	for k := range uint64(3) {
		for _, s := range []stream{{key: k + 1}, {id: k + 1}, {draw: k + 1}, {part: k + 1}, {use: k + 1}} {
			for i := range uint64(8) {
				w := s.word(i)
				if other, ok := seen[w]; ok {
					t.Errorf("%+v and %+v share the word %x", s, other, w)
				}
				seen[w] = s
			}
		}
	}
}

func TestSource(t *testing.T) {
	g := New(7)
	g.Source()
	src := g.Source()
	s := stream{key: 7, draw: 1}
	for i := range uint64(3*batch + 2) {
		if got, want := src.Uint64(), s.word(i); got != want {
			t.Fatalf("word %d is %x, want %x", i, got, want)
		}
	}
	if got := g.State(); got != (State{Seed: 7, Draw: 2}) {
		t.Errorf("after two sources the generator is at %+v", got)
	}
}
