package nd

import "caloric/spmd"

// addExact adds integers, or numbers converted to R, in R itself.
type addExact[T, R Real] struct{}

func (addExact[T, R]) identity() T                         { return 0 }
func (addExact[T, R]) neutral() R                          { return 0 }
func (addExact[T, R]) op() spmd.Op                         { return spmd.Sum }
func (addExact[T, R]) start(before R) running[R]           { return running[R]{acc: before} }
func (addExact[T, R]) join(s *running[R], next running[R]) { s.acc += next.acc }
func (addExact[T, R]) total(s *running[R]) R               { return s.acc }

func (addExact[T, R]) lane(dst []R, x []T, s *running[R]) {
	acc := s.acc
	for i, v := range x[:len(dst)] {
		acc += R(v)
		dst[i] = acc
	}
	s.acc = acc
}

func (addExact[T, R]) row(dst []R, x []T, s []running[R]) {
	s = s[:len(dst)]
	for i, v := range x[:len(dst)] {
		s[i].acc += R(v)
		dst[i] = s[i].acc
	}
}

// twoSum returns the rounded sum of s and x and its rounding error, exactly
// (Knuth, TAOCP 2, 4.2.2, Theorem B), 0 where there is none because the sum is
// infinite or NaN.
func twoSum(s, x float64) (sum, err float64) {
	sum = s + x
	b := sum - s
	err = (s - (sum - b)) + (x - b)
	if err-err != 0 {
		err = 0
	}
	return sum, err
}

// addFloats adds in double precision and carries the rounding errors along, as
// Neumaier (1974, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher
// Summen") does, so that each rank's own prefix sums are right to the last place
// or nearly, however many there are. What lower ranks have is added last: prefix
// sums of numbers that are not negative then do not fall from one rank to the next.
type addFloats[T, R Real] struct{}

func (addFloats[T, R]) identity() T                       { return 0 }
func (addFloats[T, R]) neutral() float64                  { return 0 }
func (addFloats[T, R]) op() spmd.Op                       { return spmd.Sum }
func (addFloats[T, R]) total(s *running[float64]) float64 { return s.acc + s.low }

func (addFloats[T, R]) start(before float64) running[float64] {
	return running[float64]{before: before}
}

func (addFloats[T, R]) join(s *running[float64], next running[float64]) { joinFloats(s, next) }

func joinFloats(s *running[float64], next running[float64]) {
	var err float64
	s.acc, err = twoSum(s.acc, next.acc)
	s.low += err + next.low
}

func (addFloats[T, R]) lane(dst []R, x []T, s *running[float64]) {
	acc, low, before := s.acc, s.low, s.before
	for i, v := range x[:len(dst)] {
		var err float64
		acc, err = twoSum(acc, float64(v))
		low += err
		dst[i] = R(before + (acc + low))
	}
	s.acc, s.low = acc, low
}

func (addFloats[T, R]) row(dst []R, x []T, s []running[float64]) {
	s = s[:len(dst)]
	for i, v := range x[:len(dst)] {
		p := &s[i]
		var err float64
		p.acc, err = twoSum(p.acc, float64(v))
		p.low += err
		dst[i] = R(p.before + (p.acc + p.low))
	}
}

// addComplex is addFloats of complex numbers.
type addComplex[T, R Complex] struct{}

func (addComplex[T, R]) identity() T                             { return 0 }
func (addComplex[T, R]) neutral() complex128                     { return 0 }
func (addComplex[T, R]) op() spmd.Op                             { return spmd.Sum }
func (addComplex[T, R]) total(s *running[complex128]) complex128 { return s.acc + s.low }

func (addComplex[T, R]) start(before complex128) running[complex128] {
	return running[complex128]{before: before}
}

func (addComplex[T, R]) join(s *running[complex128], next running[complex128]) {
	addTo(s, next.acc)
	s.low += next.low
}

func (addComplex[T, R]) lane(dst []R, x []T, s *running[complex128]) {
	for i, v := range x[:len(dst)] {
		dst[i] = R(addTo(s, complex128(v)))
	}
}

func (addComplex[T, R]) row(dst []R, x []T, s []running[complex128]) {
	s = s[:len(dst)]
	for i, v := range x[:len(dst)] {
		dst[i] = R(addTo(&s[i], complex128(v)))
	}
}

// addTo takes v into s and returns the result after it.
func addTo(s *running[complex128], v complex128) complex128 {
	re, reErr := twoSum(real(s.acc), real(v))
	im, imErr := twoSum(imag(s.acc), imag(v))
	s.acc = complex(re, im)
	s.low += complex(reErr, imErr)
	return s.before + (s.acc + s.low)
}

// mulReals multiplies real numbers in the wider type A. The error grows with the
// number of factors in any order of multiplication.
type mulReals[T, A, R Real] struct{}

func (mulReals[T, A, R]) identity() T                         { return 1 }
func (mulReals[T, A, R]) neutral() A                          { return 1 }
func (mulReals[T, A, R]) op() spmd.Op                         { return spmd.Prod }
func (mulReals[T, A, R]) start(before A) running[A]           { return running[A]{acc: before} }
func (mulReals[T, A, R]) join(s *running[A], next running[A]) { s.acc *= next.acc }
func (mulReals[T, A, R]) total(s *running[A]) A               { return s.acc }

func (mulReals[T, A, R]) lane(dst []R, x []T, s *running[A]) {
	acc := s.acc
	for i, v := range x[:len(dst)] {
		acc *= A(v)
		dst[i] = R(acc)
	}
	s.acc = acc
}

func (mulReals[T, A, R]) row(dst []R, x []T, s []running[A]) {
	s = s[:len(dst)]
	for i, v := range x[:len(dst)] {
		s[i].acc *= A(v)
		dst[i] = R(s[i].acc)
	}
}

// mulComplex multiplies complex numbers in double precision.
type mulComplex[T, R Complex] struct{}

func (mulComplex[T, R]) identity() T                             { return 1 }
func (mulComplex[T, R]) neutral() complex128                     { return 1 }
func (mulComplex[T, R]) op() spmd.Op                             { return spmd.Prod }
func (mulComplex[T, R]) total(s *running[complex128]) complex128 { return s.acc }

func (mulComplex[T, R]) start(before complex128) running[complex128] {
	return running[complex128]{acc: before}
}

func (mulComplex[T, R]) join(s *running[complex128], next running[complex128]) { s.acc *= next.acc }

func (mulComplex[T, R]) lane(dst []R, x []T, s *running[complex128]) {
	acc := s.acc
	for i, v := range x[:len(dst)] {
		acc *= complex128(v)
		dst[i] = R(acc)
	}
	s.acc = acc
}

func (mulComplex[T, R]) row(dst []R, x []T, s []running[complex128]) {
	s = s[:len(dst)]
	for i, v := range x[:len(dst)] {
		s[i].acc *= complex128(v)
		dst[i] = R(s[i].acc)
	}
}

// keepMax keeps the largest number; NaN counts as it.
type keepMax[T Real] struct{}

func (keepMax[T]) identity() T                         { return lowest[T]() }
func (keepMax[T]) neutral() T                          { return lowest[T]() }
func (keepMax[T]) op() spmd.Op                         { return spmd.Max }
func (keepMax[T]) start(before T) running[T]           { return running[T]{acc: before} }
func (keepMax[T]) join(s *running[T], next running[T]) { s.acc = max(s.acc, next.acc) }
func (keepMax[T]) total(s *running[T]) T               { return s.acc }

func (keepMax[T]) lane(dst, x []T, s *running[T]) {
	acc := s.acc
	for i, v := range x[:len(dst)] {
		acc = max(acc, v)
		dst[i] = acc
	}
	s.acc = acc
}

func (keepMax[T]) row(dst, x []T, s []running[T]) {
	s = s[:len(dst)]
	for i, v := range x[:len(dst)] {
		s[i].acc = max(s[i].acc, v)
		dst[i] = s[i].acc
	}
}

// keepMin keeps the smallest number; NaN counts as it.
type keepMin[T Real] struct{}

func (keepMin[T]) identity() T                         { return highest[T]() }
func (keepMin[T]) neutral() T                          { return highest[T]() }
func (keepMin[T]) op() spmd.Op                         { return spmd.Min }
func (keepMin[T]) start(before T) running[T]           { return running[T]{acc: before} }
func (keepMin[T]) join(s *running[T], next running[T]) { s.acc = min(s.acc, next.acc) }
func (keepMin[T]) total(s *running[T]) T               { return s.acc }

func (keepMin[T]) lane(dst, x []T, s *running[T]) {
	acc := s.acc
	for i, v := range x[:len(dst)] {
		acc = min(acc, v)
		dst[i] = acc
	}
	s.acc = acc
}

func (keepMin[T]) row(dst, x []T, s []running[T]) {
	s = s[:len(dst)]
	for i, v := range x[:len(dst)] {
		s[i].acc = min(s[i].acc, v)
		dst[i] = s[i].acc
	}
}
