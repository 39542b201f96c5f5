package linalg

import (
	"math"

	"caloric/internal/kernel"
	"caloric/spmd"
)

// sum3 accumulates one norm; most norms use the first number only.
type sum3 [3]float64

// A measure is a norm as a reduction over magnitudes.
type measure interface {
	planes() int // how many numbers of a sum3 are in use
	op() spmd.Op // what combines each of them
	// fold reduces a short block of numbers, whose signs do not matter.
	fold(x []float64) sum3
	finish(s sum3) float64
}

func measureOf(p float64) measure {
	switch {
	case p == 2:
		return twoNorm{}
	case p == 1:
		return oneNorm{}
	case p == 0:
		return zeroNorm{}
	case math.IsInf(p, 1):
		return maxNorm{}
	case math.IsInf(p, -1):
		return minNorm{}
	}
	return powerNorm{p}
}

// merge combines two accumulators.
func merge(m measure, a, b sum3) sum3 {
	for i := range a[:m.planes()] {
		switch m.op() {
		case spmd.Max:
			a[i] = max(a[i], b[i])
		case spmd.Min:
			a[i] = min(a[i], b[i])
		default:
			a[i] += b[i]
		}
	}
	return a
}

// one is the shape of the norms that accumulate a single number by addition.
type one struct{}

func (one) planes() int           { return 1 }
func (one) op() spmd.Op           { return spmd.Sum }
func (one) finish(s sum3) float64 { return s[0] }

type oneNorm struct{ one }

func (oneNorm) fold(x []float64) sum3 {
	var s0, s1, s2, s3 float64
	for ; len(x) >= 4; x = x[4:] {
		s0 += math.Abs(x[0])
		s1 += math.Abs(x[1])
		s2 += math.Abs(x[2])
		s3 += math.Abs(x[3])
	}
	for _, v := range x {
		s0 += math.Abs(v)
	}
	return sum3{(s0 + s1) + (s2 + s3)}
}

type zeroNorm struct{ one }

func (zeroNorm) fold(x []float64) (s sum3) {
	for _, v := range x {
		if v != 0 {
			s[0]++
		}
	}
	return s
}

type maxNorm struct{ one }

func (maxNorm) op() spmd.Op { return spmd.Max }

func (maxNorm) fold(x []float64) (s sum3) {
	for _, v := range x {
		s[0] = max(s[0], math.Abs(v))
	}
	return s
}

type minNorm struct{ one }

func (minNorm) op() spmd.Op { return spmd.Min }

func (minNorm) fold(x []float64) sum3 {
	s := math.Inf(1)
	for _, v := range x {
		s = min(s, math.Abs(v))
	}
	return sum3{s}
}

type powerNorm struct{ p float64 }

func (powerNorm) planes() int { return 1 }
func (powerNorm) op() spmd.Op { return spmd.Sum }

func (n powerNorm) fold(x []float64) (s sum3) {
	for _, v := range x {
		s[0] += math.Pow(math.Abs(v), n.p)
	}
	return s
}

func (n powerNorm) finish(s sum3) float64 { return math.Pow(s[0], 1/n.p) }

// twoNorm accumulates the squares of small, medium and large numbers apart, the
// small and the large ones scaled.
type twoNorm struct{}

// The bounds of medium numbers and the scales of the others, after Anderson 2017.
const (
	tinyBound = 0x1p-511
	hugeBound = 0x1p486
	tinyScale = 0x1p537
	hugeScale = 0x1p-538
)

func (twoNorm) planes() int { return 3 }
func (twoNorm) op() spmd.Op { return spmd.Sum }

func (twoNorm) fold(x []float64) sum3 {
	// A sum in this range has lost nothing to overflow, and to underflow less
	// than it has to rounding.
	if s := kernel.Dot(x, x); s > 0x1p-900 && s < 0x1p970 {
		return sum3{s}
	}
	return foldScaled(x)
}

func foldScaled(x []float64) (s sum3) {
	for _, v := range x {
		switch v = math.Abs(v); {
		case v > hugeBound:
			v *= hugeScale
			s[1] += v * v
		case v < tinyBound:
			v *= tinyScale
			s[2] += v * v
		default:
			s[0] += v * v
		}
	}
	return s
}

func (twoNorm) finish(s sum3) float64 {
	medium, large, small := s[0], s[1], s[2]
	switch {
	case large > 0:
		return math.Sqrt(large+medium*hugeScale*hugeScale) / hugeScale
	case small > 0:
		small, medium = math.Sqrt(small)/tinyScale, math.Sqrt(medium)
		if small > medium {
			small, medium = medium, small
		}
		// Also NaN where medium is.
		return medium * math.Sqrt(1+(small/medium)*(small/medium))
	}
	return math.Sqrt(medium)
}
