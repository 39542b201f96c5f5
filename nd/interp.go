package nd

import (
	"math"
	"slices"
	"sort"

	"caloric/internal/misuse"
)

// InterpOption says what [Interp] returns outside the points.
type InterpOption[T Float] struct {
	kind  interpKind
	value T
}

type interpKind uint8

const (
	interpLeft interpKind = iota + 1
	interpRight
	interpPeriod
)

// InterpLeft sets the value left of the first point, that of the point without it.
func InterpLeft[T Float](v T) InterpOption[T] { return InterpOption[T]{interpLeft, v} }

// InterpRight sets the value right of the last point, that of the point without it.
func InterpRight[T Float](v T) InterpOption[T] { return InterpOption[T]{interpRight, v} }

// InterpPeriod makes the function periodic: coordinates are taken modulo period, and
// the points may come in any order. There is no left and right then.
func InterpPeriod[T Float](period T) InterpOption[T] { return InterpOption[T]{interpPeriod, period} }

// Interp returns, for each element of x, the function at it that is piecewise linear
// between the points (xp[i], fp[i]); xp ascends. It computes in double precision.
//
//	nd.Interp(x, xp, fp, nd.InterpLeft(0.0))
//
// Local if xp and fp are replicated, which they should be, else collective. Result
// split: x's. Communication: one allgatherv of each of xp and fp that is split.
// Panics if xp and fp do not have one axis and one length, or no points, or if the
// period is 0.
func Interp[T Float](x, xp, fp *NDArray[T], opts ...InterpOption[T]) *NDArray[T] {
	return unary(newInterp(x, xp, fp, opts), x)
}

// InterpInto sets dst to [Interp] of x.
//
// Local if xp and fp are replicated and dst has x's layout, else collective. Result
// split: dst's. Communication: as [Interp], and one move of x if dst has another
// layout. Panics as Interp does, and if x does not broadcast to dst's shape.
func InterpInto[T Float](dst, x, xp, fp *NDArray[T], opts ...InterpOption[T]) {
	checkDst(dst, x.comm)
	checkInto(dst.layout, x.layout, nil)
	unaryInto(newInterp(x, xp, fp, opts), dst, x)
}

// interp is the kernel of Interp.
type interp[T Float] struct {
	x, y        []float64
	slope       []float64 // from each point to the next
	left, right float64
	period      float64 // 0 for none
}

func newInterp[T Float](x, xp, fp *NDArray[T], opts []InterpOption[T]) kernel1[T, T] {
	sameComm(x.comm, xp.comm)
	sameComm(x.comm, fp.comm)
	n := xp.layout.Shape()
	if len(n) != 1 || !n.Equal(fp.layout.Shape()) || n[0] == 0 {
		misuse.Panic("points of shapes %v and %v", n, fp.layout.Shape())
	}
	for _, o := range opts {
		if o.kind == interpPeriod && o.value == 0 {
			misuse.Panic("a period of 0")
		}
	}
	k := &interp[T]{x: toDouble(xp.Gather()), y: toDouble(fp.Gather())}
	k.left, k.right = k.y[0], k.y[len(k.y)-1]
	for _, o := range opts {
		switch o.kind {
		case interpLeft:
			k.left = float64(o.value)
		case interpRight:
			k.right = float64(o.value)
		case interpPeriod:
			k.period = math.Abs(float64(o.value))
		}
	}
	if k.period != 0 {
		k.wrapAround()
	}
	k.slope = make([]float64, len(k.x)-1)
	for i := range k.slope {
		k.slope[i] = (k.y[i+1] - k.y[i]) / (k.x[i+1] - k.x[i])
	}
	return k
}

// wrapAround sorts the points within one period and adds one on either side.
func (k *interp[T]) wrapAround() {
	n := len(k.x)
	order := make([]int, n)
	for i := range order {
		order[i] = i
		k.x[i] = remainderFloat(k.x[i], k.period)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case k.x[i] < k.x[j]:
			return -1
		case k.x[i] > k.x[j]:
			return 1
		}
		return 0
	})
	x, y := make([]float64, 0, n+2), make([]float64, 0, n+2)
	x, y = append(x, k.x[order[n-1]]-k.period), append(y, k.y[order[n-1]])
	for _, i := range order {
		x, y = append(x, k.x[i]), append(y, k.y[i])
	}
	k.x, k.y = append(x, k.x[order[0]]+k.period), append(y, k.y[order[0]])
	k.left, k.right = k.y[0], k.y[n+1]
}

func toDouble[T Float](x []T) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

func (k *interp[T]) loop(dst, xs []T) {
	for i, x := range xs[:len(dst)] {
		dst[i] = T(k.at(float64(x)))
	}
}

// at is NumPy's arr_interp, in numpy/_core/src/multiarray/compiled_base.c, case by case.
func (k *interp[T]) at(v float64) float64 {
	if k.period != 0 {
		v = remainderFloat(v, k.period)
	}
	last := len(k.x) - 1
	switch {
	case v != v && last > 0: // of one point NumPy returns the value there
		return v
	case v < k.x[0]:
		return k.left
	case v > k.x[last]:
		return k.right
	}
	j := sort.Search(len(k.x), func(i int) bool { return k.x[i] > v }) - 1
	if j < 0 { // NaN among the points
		j = 0
	}
	if j >= last || k.x[j] == v {
		return k.y[min(j, last)] // also where a slope is infinite
	}
	y := k.slope[j]*(v-k.x[j]) + k.y[j]
	if y != y {
		y = k.slope[j]*(v-k.x[j+1]) + k.y[j+1]
		if y != y && k.y[j] == k.y[j+1] {
			y = k.y[j]
		}
	}
	return y
}
