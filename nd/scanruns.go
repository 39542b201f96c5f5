package nd

import "caloric/internal/kernel"

// runs is what [addFloats] remembers of a piece between its two passes over it: the
// states at the start of each of the runs, and at the start of what is left after
// them, from the piece's own start.
type runs struct {
	starts [2 * kernel.Runs]float64
	rest   running[float64]
}

// runs is true where the elements are read and written in one floating-point type.
func (addFloats[T, R]) runs() bool {
	var dst []R
	switch any(*new(T)).(type) {
	case float64:
		_, is := any(dst).([]float64)
		return is && kernel.PrefixRun[float64](scanPiece) > 0
	case float32:
		_, is := any(dst).([]float32)
		return is && kernel.PrefixRun[float32](scanPiece) > 0
	}
	return false
}

func (addFloats[T, R]) ahead(x []T, r *runs, next *running[float64]) bool {
	switch x := any(x).(type) {
	case []float64:
		return runsAhead(x, r, next)
	case []float32:
		return runsAhead(x, r, next)
	}
	return false
}

func (addFloats[T, R]) behind(dst []R, x []T, r *runs, s running[float64]) {
	switch x := any(x).(type) {
	case []float64:
		runsBehind(any(dst).([]float64), x, r, s)
	case []float32:
		runsBehind(any(dst).([]float32), x, r, s)
	}
}

// runsAhead leaves it to a loop in order to decide which of the results are finite
// if not all sums here are: those from the first element on may be.
func runsAhead[T Float](x []T, r *runs, next *running[float64]) bool {
	n := kernel.PrefixRun[T](len(x))
	if n == 0 {
		return false
	}
	kernel.RunSums(x, n, &r.starts)
	s := running[float64]{}
	for k := range kernel.Runs {
		sum := running[float64]{acc: r.starts[k], low: r.starts[kernel.Runs+k]}
		if low := sum.low; low-low != 0 || sum.acc-sum.acc != 0 {
			return false
		}
		r.starts[k], r.starts[kernel.Runs+k] = s.acc, s.low
		joinFloats(&s, sum)
	}
	r.rest = s
	for _, v := range x[kernel.Runs*n:] {
		joinFloats(&s, running[float64]{acc: float64(v)})
	}
	*next = s
	return s.acc-s.acc == 0
}

func runsBehind[T Float](dst, x []T, r *runs, s running[float64]) {
	n := kernel.PrefixRun[T](len(x))
	for k := range kernel.Runs {
		t := s
		joinFloats(&t, running[float64]{acc: r.starts[k], low: r.starts[kernel.Runs+k]})
		r.starts[k], r.starts[kernel.Runs+k] = t.acc, t.low
	}
	kernel.RunPrefixes(dst, x, n, &r.starts, s.before)
	joinFloats(&s, r.rest)
	addFloats[T, T]{}.lane(dst[kernel.Runs*n:], x[kernel.Runs*n:], &s)
}
