package nd

import (
	"math"

	"caloric/internal/misuse"
)

// Unwrap returns a, angles along axis that jump back by whole periods, with the
// periods added that make the difference of neighbours at most half of one: for
// radians the period is 2π.
//
//	nd.Unwrap(phase, 2*math.Pi, -1)
//
// Collective along the split axis, else local. Result split: a's. Communication:
// along the split axis the alltoallv of [Diff], the exclusive scan of [CumSum], and
// one alltoallv of an element a lane between neighbours; else none.
// Panics if axis is out of range or the period is not positive.
func Unwrap[T Float](a *NDArray[T], period T, axis int) *NDArray[T] {
	k := axisOf(a, axis)
	if !(period > 0) || math.IsInf(float64(period), 1) {
		misuse.Panic("period %v", period)
	}
	out := Copy(a)
	if a.layout.Shape()[k] < 2 {
		return out
	}
	d := Diff(a, 1, k)
	steps := d.Local()
	for i, x := range steps {
		steps[i] = unwrapStep(x, period)
	}
	rest := out.sliceAlong(k, From(1))
	AddInto(rest, rest, CumSum(d, k))
	return out
}

// unwrapStep returns what to add to a step of x for it to be at most half a period.
func unwrapStep[T Float](x, period T) T {
	half := period / 2
	if T(math.Abs(float64(x))) < half {
		return 0
	}
	y := T(math.Mod(float64(x+half), float64(period)))
	if y < 0 {
		y += period
	}
	y -= half
	if y == -half && x > 0 {
		y = half
	}
	return y - x
}
