package nd

import (
	"reflect"
	"unsafe"

	"caloric/internal/misuse"
	"caloric/spmd"
)

// OnlyWhere takes a reduction over the elements at which mask is true. The mask
// broadcasts to the array's shape and is moved to its layout if it has another.
// [Min] and [Max] need an [Initial] value with it, as in NumPy.
//
//	nd.Mean[float64](a, nd.OnlyWhere(nd.GreaterScalar(a, 0.0)), nd.Over(0))
//
// It adds to the communication of a reduction: over the split axis 8 bytes a
// result, to count what is selected, in the same allreduce; and one move of the
// mask if it is split in another way than the array.
// Reductions that look for a position, and quantiles, panic with it. Panics if mask is nil.
func OnlyWhere(mask *NDArray[bool]) Option {
	if mask == nil {
		misuse.Panic("the mask is nil")
	}
	return Option{kind: whereOption, with: mask}
}

// Initial starts a sum or a product with the number v, and makes it a candidate
// for a smallest or largest element, which makes those of no elements v. v is
// converted to the array's type. Other reductions panic with it, and so do all if
// v is not a number of that type.
func Initial[V int | Number](v V) Option { return Option{kind: initialOption, with: v} }

// plain panics if the reduction was given options that only sums and the like take.
func (r *reduction) plain() {
	if r.where != nil || r.initial != nil {
		misuse.Panic("OnlyWhere and Initial are not for this reduction")
	}
}

// Of the reducers, these take no initial value, those find a position and so
// take no mask either, and the last have no result without an element.
func (meanOf[T, A, R]) noInitial()      {}
func (complexMean[T, A, R]) noInitial() {}
func (varOf[T, R]) noInitial()          {}
func (allOf[T]) noInitial()             {}
func (anyOf[T]) noInitial()             {}
func (countOf[T]) noInitial()           {}
func (argOf[T, D]) noMask()             {}
func (minOf[T]) needsElements()         {}
func (maxOf[T]) needsElements()         {}
func (ptpOf[T]) needsElements()         {}
func (ptpOf[T]) noInitial()             {}
func (momentsOf[T, R]) noInitial()      {}
func (nanArgOf[T, D]) noMask()          {}
func (nanCountOf[T]) noInitial()        {}

// checkSelection panics unless k can be taken with r's mask and initial value.
func checkSelection[T Element](k any, r *reduction) {
	if _, is := k.(interface{ noMask() }); is {
		r.plain()
	}
	if r.initial != nil {
		initialAs[T](r.initial)
		inner := k
		if s, is := k.(interface{ inside() any }); is {
			inner = s.inside()
		}
		if _, is := inner.(interface{ noInitial() }); is {
			misuse.Panic("Initial is not for this reduction")
		}
		return
	}
	if _, is := k.(interface{ needsElements() }); is {
		misuse.Panic("OnlyWhere may leave no elements to choose from: give an Initial value")
	}
}

// reduceSelected is [reduceLocal] with a mask or an initial value.
func reduceSelected[T Element, A any, R Element](k reducer[T, A, R], dst *NDArray[R], a *NDArray[T], r reduction) {
	checkSelection[T](k, &r)
	out := dst.Local()
	if r.where != nil {
		checkPair(a, r.where, "a mask")
		m := masked[T, A, R]{counting[T, A, R]{k}}
		acc := reducePair(m, a, r.where, &r, len(out))
		start(m, acc, &r)
		m.finish(out, acc, r.count, r.ddof)
		return
	}
	acc := make([]A, len(out))
	accumulate(k, acc, a, &r)
	start(k, acc, &r)
	k.finish(out, acc, r.count, r.ddof)
}

// start puts the initial value before what was accumulated: it is an element like
// the others, the same on every rank.
func start[T Element, A any, R Element](k reducer[T, A, R], acc []A, r *reduction) {
	if r.initial == nil {
		return
	}
	v := initialAs[T](r.initial)
	for j := range acc {
		first := k.fold([]T{v}, 0)
		k.merge(one(&first), acc[j:j+1])
		acc[j] = first
	}
}

// initialAs returns an initial value as T.
func initialAs[T Element](v any) T {
	if t, is := v.(T); is {
		return t
	}
	var t T
	from, to := reflect.ValueOf(v), reflect.ValueOf(&t).Elem()
	switch {
	case to.CanComplex() && from.CanComplex(), to.CanFloat() && !from.CanComplex():
		to.Set(from.Convert(to.Type()))
		return t
	case to.CanComplex():
		to.SetComplex(complex(from.Convert(reflect.TypeFor[float64]()).Float(), 0))
		return t
	case from.CanConvert(to.Type()):
		n := from.Convert(to.Type())
		negative := n.CanInt() && n.Int() < 0
		if n.Convert(from.Type()).Equal(from) && negative == (from.CanInt() && from.Int() < 0 || from.CanFloat() && from.Float() < 0) {
			to.Set(n)
			return t
		}
	}
	misuse.Panic("the initial value %v is no %T", v, t)
	return t
}

// counted is an accumulator and the number of elements that went into it.
type counted[A any] struct {
	acc A
	n   int64
}

// counting is a reducer that counts the elements it is given, because not all
// results have as many.
type counting[T Element, A any, R Element] struct{ k reducer[T, A, R] }

func (c counting[T, A, R]) inside() any { return c.k }

func (c counting[T, A, R]) empty() counted[A] { return counted[A]{acc: c.k.empty()} }

func (c counting[T, A, R]) fold(x []T, base int) counted[A] {
	return counted[A]{c.k.fold(x, base), int64(len(x))}
}

func (c counting[T, A, R]) rows(acc []counted[A], x []T, n, stride, base int) {
	part, mem := borrow[A](len(acc))
	defer giveBack(mem)
	c.k.rows(part, x, n, stride, base)
	for j, v := range part {
		acc[j] = counted[A]{v, int64(n)}
	}
}

func (c counting[T, A, R]) merge(acc, next []counted[A]) {
	for j := range next[:len(acc)] {
		switch {
		case next[j].n == 0:
		case acc[j].n == 0:
			acc[j] = next[j]
		default:
			c.k.merge(one(&acc[j].acc), one(&next[j].acc))
			acc[j].n += next[j].n
		}
	}
}

func (counting[T, A, R]) ordered() bool                 { return false }
func (counting[T, A, R]) place([]counted[A], placement) {}

func (c counting[T, A, R]) across(comm *spmd.Comm, acc []counted[A]) {
	spmd.AllreduceFunc(comm, acc, c.merge)
}

func (c counting[T, A, R]) finish(dst []R, acc []counted[A], _ int, ddof float64) {
	for j := range acc {
		c.k.finish(dst[j:j+1], one(&acc[j].acc), int(acc[j].n), ddof)
	}
}

// one returns the slice of the one element at p.
func one[A any](p *A) []A { return unsafe.Slice(p, 1) }

// masked reduces the elements at which a mask is true.
type masked[T Element, A any, R Element] struct{ counting[T, A, R] }

func (m masked[T, A, R]) foldPair(x []T, mask []bool) counted[A] {
	buf := scratchPool.Get().(*scratch)
	defer scratchPool.Put(buf)
	kept, n := scratchBlock[T](buf, 0), 0
	for i, v := range x {
		if mask[i] {
			kept[n] = v
			n++
		}
	}
	if n == 0 {
		return m.empty()
	}
	return m.fold(kept[:n], 0)
}
