package nd

import (
	"math"
	"slices"

	"caloric/internal/misuse"
	"caloric/split"
)

// PadMode says what [Pad] writes around an array; the names are NumPy's.
type PadMode uint8

// The pad modes. Of a b c d, padded by 3 on either side:
const (
	PadZero      PadMode = iota // 0 0 0 a b c d 0 0 0
	PadEdge                     // a a a a b c d d d d
	PadReflect                  // d c b a b c d c b a
	PadSymmetric                // c b a a b c d d c b
	PadWrap                     // b c d a b c d a b c
)

// Pad returns a with widths[k][0] indices before and widths[k][1] after those of
// axis k, filled as mode says. One pair stands for every axis.
//
// Collective if the split axis is padded, else local. Result split: a's,
// balanced if it is padded. Communication: one alltoallv of what changes its
// owner if the split axis is padded, two if it has less than 4096 indices and
// repeats to four times as many; else none. Panics if a width is negative, there are not as many pairs as axes, or mode
// has nothing to take from an axis of extent 0.
func Pad[T Element](a *NDArray[T], widths [][2]int, mode PadMode) *NDArray[T] {
	var zero T
	return pad(a, widths, mode, zero)
}

// PadConstant is [Pad] with v around a.
//
// Collective if the split axis is padded, else local. Result split and
// communication: as [Pad]. Panics if a width is negative or there are not as many
// pairs as axes.
func PadConstant[T Element](a *NDArray[T], widths [][2]int, v T) *NDArray[T] {
	return pad(a, widths, PadZero, v)
}

func pad[T Element](a *NDArray[T], widths [][2]int, mode PadMode, v T) *NDArray[T] {
	if len(widths) == 1 {
		widths = slices.Repeat(widths, a.NDim())
	}
	if len(widths) != a.NDim() {
		misuse.Panic("%d pairs of widths for shape %v", len(widths), a.layout.Shape())
	}
	if mode > PadWrap {
		misuse.Panic("no padding has mode %d", mode)
	}
	for k, w := range widths {
		n := a.layout.Shape()[k]
		if w[0] < 0 || w[1] < 0 || w[0] > math.MaxInt-n || w[1] > math.MaxInt-n-w[0] {
			misuse.Panic("widths %v", widths)
		}
		if mode != PadZero && n == 0 && w != [2]int{} {
			misuse.Panic("axis %d of shape %v has nothing to pad with", k, a.layout.Shape())
		}
	}
	out := a
	for _, k := range splitAxisFirst(a.layout) {
		if widths[k] == [2]int{} {
			continue
		}
		runs, src := mode.runs(a.layout.Shape()[k], widths[k]), out
		if runs == nil {
			src, runs = periods(out, k, widths[k], mode)
		}
		padded := newArray[T](a.comm, split.Resize(out.layout, k, runs.count()))
		if mode == PadZero && v != *new(T) {
			fill(padded.data, v)
		}
		rearrange(padded, k, runs, src)
		out = padded
	}
	if out == a {
		return Copy(a)
	}
	return out
}

// runs returns where the indices of an axis of n, padded by w, come from; nil if
// that would take more memory than the result, as a small axis is repeated often.
func (m PadMode) runs(n int, w [2]int) runList {
	var runs runList
	if m == PadZero {
		runs.add(nowhere, 0, 0, w[0])
		runs.add(0, 0, 1, n)
		runs.add(nowhere, 0, 0, w[1])
		return runs
	}
	if n < longRun && w[0]+w[1] > 4*longRun && m != PadEdge {
		return nil
	}
	return m.span(n, -w[0], n+w[1])
}

// span returns where the indices from lo to hi, unbounded on both sides, come from.
func (m PadMode) span(n, lo, hi int) (runs runList) {
	for j := lo; j < hi; {
		start, step, count := m.source(j, n)
		count = min(count, hi-j)
		runs.add(0, start, step, count)
		j += count
	}
	return runs
}

// periods returns an array with whole periods of the padded axis, and the runs
// that take the result from it.
func periods[T Element](a *NDArray[T], axis int, w [2]int, mode PadMode) (*NDArray[T], runList) {
	n := a.layout.Shape()[axis]
	period := n
	switch {
	case mode == PadReflect:
		period = max(1, 2*(n-1))
	case mode == PadSymmetric:
		period = 2 * n
	}
	length := (longRun + period - 1) / period * period
	b := rearranged(split.Resize(a.layout, axis, length), axis, mode.span(n, 0, length), a)
	return b, PadWrap.span(length, -w[0], n+w[1])
}

// source returns where index j of an axis of n, unbounded on both sides, comes
// from, and for how many indices it goes on in the same direction.
func (m PadMode) source(j, n int) (start, step, count int) {
	switch {
	case j >= 0 && j < n:
		return j, 1, n - j
	case m == PadEdge && j < 0:
		return 0, 0, -j
	case m == PadEdge, m == PadReflect && n == 1:
		return n - 1, 0, math.MaxInt
	case m == PadReflect:
		period := 2 * (n - 1)
		if q := mod(j, period); q >= n-1 {
			return period - q, -1, period - q
		} else {
			return q, 1, n - 1 - q
		}
	case m == PadSymmetric:
		if q := mod(j, 2*n); q >= n {
			return 2*n - 1 - q, -1, 2*n - q
		} else {
			return q, 1, n - q
		}
	}
	q := mod(j, n)
	return q, 1, n - q
}
