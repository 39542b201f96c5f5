package nd

import (
	"sync"
	"unsafe"

	"caloric/internal/misuse"
	"caloric/split"
	"caloric/spmd"
)

// A reducer reduces elements T to an accumulator A and that to a result R. Its
// methods work on blocks, so that the loops inside are compiled for their types.
// Accumulators hold no pointers: they travel between ranks as they are.
type reducer[T Element, A any, R Element] interface {
	// empty returns the accumulator of no elements.
	empty() A
	// fold reduces at least one element, of which the first has index base
	// among the elements that are reduced together on this rank.
	fold(x []T, base int) A
	// rows sets acc[j] to the reduction of x[j], x[stride+j], … over n ≥ 1 rows,
	// the first of which has index base.
	rows(acc []A, x []T, n, stride, base int)
	// merge sets acc[j] to acc[j] ⊕ next[j]; acc comes before next.
	merge(acc, next []A)
	// ordered reports whether elements must be met in C order.
	ordered() bool
	// place turns what depends on local positions into global positions.
	place(acc []A, p placement)
	// across combines the ranks' accumulators in one allreduce.
	across(c *spmd.Comm, acc []A)
	// finish writes the results of reductions over count elements each.
	finish(dst []R, acc []A, count int, ddof float64)
}

// placement says where a rank's part lies in the array that is reduced.
type placement struct {
	local, global []int // shapes
	axis          int   // the split axis, -1 for none
	start         int   // of the local part along it
	reduced       [MaxDims]bool
}

// anywhere is embedded by the reducers that do not care about positions.
type anywhere[A any] struct{}

func (anywhere[A]) ordered() bool        { return false }
func (anywhere[A]) place([]A, placement) {}

// Option says how a reduction is to be taken; see [Over], [KeepDims], [DDof],
// [OnlyWhere] and [Initial].
type Option struct {
	kind optionKind
	n    int8
	axes [MaxDims]int8
	ddof float64
	with any // what other options carry
}

type optionKind uint8

const (
	overOption optionKind = iota + 1
	keepDimsOption
	ddofOption
	whereOption
	initialOption
	methodOption
	unbiasedOption
	pearsonOption
	rowVarOption
	fweightsOption
	aweightsOption
)

// Over reduces along the given axes; negative ones count from the end. Without
// it a reduction is taken over the whole array.
func Over(axes ...int) Option {
	o := Option{kind: overOption}
	if len(axes) > MaxDims {
		misuse.Panic("%d axes given; an array has at most %d", len(axes), MaxDims)
	}
	for _, a := range axes {
		if a < -MaxDims || a >= MaxDims {
			misuse.Panic("axis %d is out of range; an array has at most %d axes", a, MaxDims)
		}
		o.axes[o.n] = int8(a)
		o.n++
	}
	return o
}

// KeepDims keeps the reduced axes with extent 1, so that the result broadcasts
// against the operand.
func KeepDims() Option { return Option{kind: keepDimsOption} }

// DDof sets the delta degrees of freedom of [Var] and [Std]: the sum of squares
// is divided by n-ddof. It is 0 by default.
func DDof(ddof float64) Option { return Option{kind: ddofOption, ddof: ddof} }

// reduction is a reduction of an array of some layout, resolved from options.
type reduction struct {
	reduced  [MaxDims]bool
	all      bool // over the whole array, without Over
	keepDims bool
	ddof     float64
	count    int            // elements that go into one result
	where    *NDArray[bool] // of [OnlyWhere], nil without
	initial  any            // of [Initial], nil without
}

// resolve checks the options against a's shape.
func resolve[T Element](a *NDArray[T], opts []Option) reduction {
	shape := a.layout.Shape()
	r := reduction{all: true, count: 1}
	for _, o := range opts {
		switch o.kind {
		case keepDimsOption:
			r.keepDims = true
		case ddofOption:
			r.ddof = o.ddof
		case whereOption:
			r.where = o.with.(*NDArray[bool])
		case initialOption:
			r.initial = o.with
		case fweightsOption, aweightsOption:
			misuse.Panic("weights are for Cov and CorrCoef; Average takes those of a mean")
		case overOption:
			r.all = false
			for _, a := range o.axes[:o.n] {
				axis, err := split.NormalizeAxis(int(a), len(shape))
				misuse.Check(err)
				if r.reduced[axis] {
					misuse.Panic("axis %d is named twice", axis)
				}
				r.reduced[axis] = true
			}
		}
	}
	for k, d := range shape {
		if r.all {
			r.reduced[k] = true
		}
		if r.reduced[k] {
			r.count *= d
		}
	}
	return r
}

// axes returns the reduced axes, ascending.
func (r *reduction) axes(ndim int) []int {
	axes := make([]int, 0, ndim)
	for k := range ndim {
		if r.reduced[k] {
			axes = append(axes, k)
		}
	}
	return axes
}

// reduceTo returns the reduction r of a by k in a new array.
func reduceTo[T Element, A any, R Element](k reducer[T, A, R], a *NDArray[T], r reduction) *NDArray[R] {
	l, _ := split.Reduce(a.layout, r.axes(a.NDim()), r.keepDims)
	dst := newRaw[R](a.comm, l)
	reduceLocal(k, dst, a, &r)
	return dst
}

// reduceInto sets dst to the reduction r of a by k.
func reduceInto[T Element, A any, R Element](k reducer[T, A, R], dst *NDArray[R], a *NDArray[T], r reduction) {
	checkDst(dst, a.comm)
	if !r.fits(dst.layout, a.layout) || !dst.IsContiguous() {
		l, _ := split.Reduce(a.layout, r.axes(a.NDim()), r.keepDims)
		if !l.Shape().Equal(dst.layout.Shape()) {
			misuse.Panic("the reduction of %v has shape %v, the destination is %v", a.layout, l.Shape(), dst.layout)
		}
		CopyInto(dst, reduceTo(k, a, r))
		return
	}
	reduceLocal(k, dst, a, &r)
}

// fits reports whether dst is the layout of the reduction of a, without making one.
func (r *reduction) fits(dst, a *split.Layout) bool {
	shape, n, axis := dst.Shape(), 0, split.None
	for k, d := range a.Shape() {
		if r.reduced[k] {
			if !r.keepDims {
				continue
			}
			d = 1
		} else if Axis(k) == a.Axis() {
			axis = Axis(n)
		}
		if n >= len(shape) || shape[n] != d {
			return false
		}
		n++
	}
	if n != len(shape) || axis != dst.Axis() {
		return false
	}
	for p := 0; axis != split.None && p < a.Ranks(); p++ {
		lo, hi := a.Range(p)
		if l, h := dst.Range(p); l != lo || h != hi {
			return false
		}
	}
	return true
}

// reduceLocal reduces this rank's part of a, combines the ranks' accumulators if
// the split axis is reduced, and writes the results to dst, which is contiguous.
func reduceLocal[T Element, A any, R Element](k reducer[T, A, R], dst *NDArray[R], a *NDArray[T], r *reduction) {
	if r.where != nil || r.initial != nil {
		reduceSelected(k, dst, a, *r)
		return
	}
	out := dst.local()
	acc, mem := borrow[A](len(out))
	defer giveBack(mem)
	accumulate(k, acc, a, r)
	k.finish(out, acc, r.count, r.ddof)
}

// accumulate sets acc to the accumulators of all ranks' elements.
func accumulate[T Element, A any, R Element](k reducer[T, A, R], acc []A, a *NDArray[T], r *reduction) {
	var n nest
	n.build(a.offset, a.shape, a.strides, r, k.ordered())
	if a.expr != nil {
		reduceLazy(k, &n, acc, a)
	} else {
		reduceNest(k, &n, acc, a.data, a.comm.Workers())
	}
	axis := int(a.layout.Axis())
	k.place(acc, placement{a.shape, a.layout.Shape(), axis, a.localStart(), r.reduced})
	if axis >= 0 && r.reduced[axis] {
		k.across(a.comm, acc)
	}
}

// accPool holds memory for accumulators, so that a reduction into an existing
// array allocates nothing.
var accPool = sync.Pool{New: func() any { return new([]complex128) }}

func borrow[A any](n int) ([]A, *[]complex128) {
	mem := accPool.Get().(*[]complex128)
	if n == 0 { // too little memory for even one A must not be called one
		return nil, mem
	}
	var zero A
	need := (n*int(unsafe.Sizeof(zero)) + 15) / 16
	if len(*mem) < need {
		*mem = make([]complex128, need)
	}
	return unsafe.Slice((*A)(unsafe.Pointer(unsafe.SliceData(*mem))), n), mem
}

// maxPooled bounds what a borrowed block keeps when it is given back, in 16-byte units.
const maxPooled = 1 << 16

func giveBack(mem *[]complex128) {
	if len(*mem) > maxPooled {
		*mem = nil
	}
	accPool.Put(mem)
}
