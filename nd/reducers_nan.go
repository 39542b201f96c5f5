package nd

import (
	"math"

	"caloric/spmd"
)

// skipNaN is a reducer of the elements that are not NaN. Where there are none its
// result is that of no elements, or NaN if none says so.
type skipNaN[T Element, A any, R Element] struct {
	counting[T, A, R]
	none bool
}

func nanReducer[T Element, A any, R Element](k reducer[T, A, R], none bool) skipNaN[T, A, R] {
	return skipNaN[T, A, R]{counting[T, A, R]{k}, none}
}

func (k skipNaN[T, A, R]) fold(x []T, base int) counted[A] {
	n := 0
	for _, v := range x {
		if v == v {
			n++
		}
	}
	switch n {
	case 0:
		return k.empty()
	case len(x):
		return k.counting.fold(x, base)
	}
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	numbers := scratchBlock[T](buf, 3)
	acc := k.empty()
	for len(x) > 0 {
		m := min(len(x), len(numbers))
		if n := pickNumbers(numbers, x[:m], 1); n > 0 {
			part := k.counting.fold(numbers[:n], base)
			k.merge(one(&acc), one(&part))
		}
		x = x[m:]
	}
	return acc
}

// pickNumbers copies those of x[0], x[stride], … that are not NaN to dst and
// returns how many there are.
func pickNumbers[T Element](dst, x []T, stride int) int {
	n := 0
	for i := 0; i < len(x); i += stride {
		if v := x[i]; v == v {
			dst[n] = v
			n++
		}
	}
	return n
}

func (k skipNaN[T, A, R]) rows(acc []counted[A], x []T, n, stride, base int) {
	whole := true
	for i := range n {
		for _, v := range x[i*stride : i*stride+len(acc)] {
			whole = whole && v == v
		}
	}
	if whole {
		k.counting.rows(acc, x, n, stride, base)
		return
	}
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	numbers := scratchBlock[T](buf, 3)
	for j := range acc {
		switch m := pickNumbers(numbers, x[j:(n-1)*stride+j+1], stride); m {
		case 0:
			acc[j] = k.empty()
		case n: // as without NaN beside it, so that no column depends on the others
			k.counting.rows(acc[j:j+1], x[j:], n, stride, base)
		default:
			acc[j] = k.counting.fold(numbers[:m], base)
		}
	}
}

func (k skipNaN[T, A, R]) finish(dst []R, acc []counted[A], count int, ddof float64) {
	k.counting.finish(dst, acc, count, ddof)
	if !k.none {
		return
	}
	for j, a := range acc {
		if a.n == 0 {
			dst[j] = notANumber[R]()
		}
	}
}

// notANumber returns NaN as R, 0 if R is not real or has none.
func notANumber[R Element]() R {
	var r R
	switch p := any(&r).(type) {
	case *float32:
		*p = float32(math.NaN())
	case *float64:
		*p = math.NaN()
	}
	return r
}

// nanVarOf and nanStdOf are varOf and stdOf, but NaN without degrees of freedom:
// NumPy's nanvar is, where its var may be infinite.
type nanVarOf[T Real, R Float] struct{ varOf[T, R] }

func (nanVarOf[T, R]) finish(dst []R, acc []moments, count int, ddof float64) {
	varOf[T, R]{}.finish(dst, acc, count, ddof)
	if float64(count) <= ddof {
		fill(dst, R(math.NaN()))
	}
}

type nanStdOf[T Real, R Float] struct{ varOf[T, R] }

func (nanStdOf[T, R]) finish(dst []R, acc []moments, count int, ddof float64) {
	stdOf[T, R]{}.finish(dst, acc, count, ddof)
	if float64(count) <= ddof {
		fill(dst, R(math.NaN()))
	}
}

// nanArgOf is argOf of the elements that are not NaN, -1 where there is none.
type nanArgOf[T Real, D direction] struct{ argOf[T, D] }

func (k nanArgOf[T, D]) fold(x []T, base int) found[T] {
	best := k.empty()
	largest := k.largest()
	for i, v := range x {
		if v == v && (best.index < 0 || beats(v, best.value, largest)) {
			best = found[T]{v, int64(base + i)}
		}
	}
	return best
}

func (k nanArgOf[T, D]) rows(acc []found[T], x []T, n, stride, base int) {
	fillAny(acc, k.empty())
	k.more(acc, x, n, stride, base)
}

func (k nanArgOf[T, D]) more(acc []found[T], x []T, n, stride, base int) {
	largest := k.largest()
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			if v == v && (acc[j].index < 0 || beats(v, acc[j].value, largest)) {
				acc[j] = found[T]{v, int64(base + i)}
			}
		}
	}
}

func fillAny[A any](s []A, v A) {
	for i := range s {
		s[i] = v
	}
}

// nanCountOf counts the elements that are NaN.
type nanCountOf[T Element] struct{ anywhere[int64] }

func (nanCountOf[T]) empty() int64 { return 0 }

func (nanCountOf[T]) fold(x []T, _ int) int64 {
	n := int64(0)
	for _, v := range x {
		if v != v {
			n++
		}
	}
	return n
}

func (nanCountOf[T]) rows(acc []int64, x []T, n, stride, _ int) {
	clear(acc)
	for i := range n {
		for j, v := range x[i*stride : i*stride+len(acc)] {
			if v != v {
				acc[j]++
			}
		}
	}
}

func (nanCountOf[T]) merge(acc, next []int64) { countOf[T]{}.merge(acc, next) }

func (nanCountOf[T]) across(c *spmd.Comm, acc []int64) { spmd.Allreduce(c, acc, spmd.Sum) }

func (nanCountOf[T]) finish(dst, acc []int64, _ int, _ float64) { copy(dst, acc) }

// numberCountOf counts the elements that are not NaN.
type numberCountOf[T Element] struct{ nanCountOf[T] }

func (k numberCountOf[T]) fold(x []T, base int) int64 {
	return int64(len(x)) - k.nanCountOf.fold(x, base)
}

func (k numberCountOf[T]) rows(acc []int64, x []T, n, stride, base int) {
	k.nanCountOf.rows(acc, x, n, stride, base)
	for j := range acc {
		acc[j] = int64(n) - acc[j]
	}
}
