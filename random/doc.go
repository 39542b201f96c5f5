// Package random makes arrays of random numbers that do not depend on how many
// ranks there are or how the array is spread over them.
//
// The numbers are counter-based: element i of an array, counted in C order over
// the whole array, is a pure function of the [Generator]'s seed, its stream, the
// number of the draw, and i. Each rank computes the elements that it holds; no
// rank needs to know what another one drew. So for the same seed an array is
// bitwise the same on any number of ranks, with any split axis, balanced or not,
// and only what draws from an array communicates.
//
//	g := random.New(42)                                      // the same on every rank
//	x := random.Normal(g, c, nd.Shape{1000, 8}, 0, 0.0, 1.0) // draw 0
//	y := random.Uniform(g, c, nd.Shape{1000}, 0, -1.0, 1.0)  // draw 1
//
// [Sample] draws from any [Distribution], and this package has those of NumPy;
// [SampleRows] draws vectors; [Choice], [Subset] and [Shuffle] draw from an array.
//
// Arrays are made balanced. The forms ending in Into fill an array that exists,
// of any layout: one of [nd.Wrap] and [split.WithCounts], a slice, a transpose.
//
// # Draws and streams
//
// There is no hidden global state: whatever is drawn comes from a Generator that
// the program holds. Each call of a function of this package takes the next draw
// from it, whatever the array's size, so two calls give different numbers, and
// every rank makes the same calls in the same order, as it does with collective
// operations. A Generator belongs to one rank: create it in the function that
// the ranks run, with the same seed on each.
//
// [Generator.Stream] gives independent sequences of one seed, for the parts of
// a program that should not disturb each other's numbers, or for a rank's own:
//
//	own := g.Stream(1 + uint64(c.Rank())).Source() // a math/rand/v2 Source
//
// # The generator
//
// Words come from Philox4x64-10 (Salmon, Moraes, Dror, Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011), which maps a counter of 256 bits under
// a key of 128 bits to four words of 64 bits and passes every test of
// TestU01's BigCrush. The key is (seed, stream), the counter
//
//	(block, draw, part, use)
//
// and an element's word is word i%4 of block i/4. Part and use number further
// words that an element or a permutation needs, and are 0 for the first.
package random
