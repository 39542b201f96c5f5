package nd

import (
	"slices"

	"caloric/split"
)

// fftRun is a transform along several axes in progress: of elements T, by way of
// complex elements C, to results R, which are C or real. Of the three arrays the
// last that is set is the current one.
type fftRun[T Number, C Complex, R Number] struct {
	a     *NDArray[T]
	z     *NDArray[C]
	x     *NDArray[R] // only for real results
	into  *NDArray[R] // where the result shall go, or nil
	lines []fftLine   // still to be taken, in an order that is allowed
}

// fftSteps returns the transform of a along lines, in dst if that is not nil. The
// axes that no rank misses a part of come first; then, for the split axis, the array
// is split along another one, and back, unless that would leave most ranks without
// work: see fftWide.
func fftSteps[T Number, C Complex, R Number](dst *NDArray[R], a *NDArray[T], lines []fftLine, stay bool) *NDArray[R] {
	r := fftRun[T, C, R]{a: a, into: dst, lines: slices.Clone(lines)}
	home := fftLayout(a.layout, lines)
	if dst != nil {
		checkDst(dst, a.comm)
		checkResultShape(dst, home.Shape())
		r.a = apart(dst, a)
	}
	if home.Shape().Size() == 0 {
		return r.done(newArray[R](a.comm, home))
	}
	s := -1
	if a.comm.Size() > 1 {
		s = int(a.layout.Axis())
	}
	r.local(s)
	t := fftOtherAxis(r.layout(), s)
	for len(r.lines) > 0 && t < 0 {
		l := r.next(func(l fftLine) bool { return l.axis == s })
		r.wide(l)
		r.local(s)
	}
	if len(r.lines) > 0 {
		r.crop(s)
		r.move(split.Block(r.layout().Shape(), Axis(t), a.comm.Size()))
		r.local(t)
		if len(r.lines) > 0 || !stay {
			r.move(resized(a.layout, r.layout().Shape()))
		}
		r.local(s)
	}
	return r.done(r.result())
}

// fftLayout returns the layout of the transform along lines of an array of layout l:
// l, as far as extents do not change.
func fftLayout(l *split.Layout, lines []fftLine) *split.Layout {
	shape := slices.Clone(l.Shape())
	for _, u := range lines {
		shape[u.axis] = u.out()
	}
	return resized(l, shape)
}

// resized returns the layout of an array of the given shape like that of l: balanced
// if the extent along the split axis changes, else with l's ranges.
func resized(l *split.Layout, shape Shape) *split.Layout {
	for k, n := range shape {
		if n != l.Shape()[k] {
			l = split.Resize(l, k, n)
		}
	}
	return l
}

// fftOtherAxis returns the axis other than s by which an array of layout l is shared
// out most evenly, -1 if even that leaves a rank with more than twice its share.
func fftOtherAxis(l *split.Layout, s int) int {
	best, least := -1, 2.0
	for k, n := range l.Shape() {
		if k == s || n == 0 {
			continue
		}
		if share := float64(ceilDiv(n, l.Ranks())*l.Ranks()) / float64(n); share < least || best < 0 && share == least {
			best, least = k, share
		}
	}
	return best
}

// next removes the first of the lines left that can be taken now and that want
// accepts, and returns it; its axis is -1 if there is none.
func (r *fftRun[T, C, R]) next(want func(l fftLine) bool) fftLine {
	for i, l := range r.lines {
		if l.form == fftReal && len(r.lines) > 1 {
			continue // what becomes real comes last
		}
		if want(l) {
			r.lines = slices.Delete(r.lines, i, i+1)
			return l
		}
		if l.form == fftHalf {
			break // what is real comes first
		}
	}
	return fftLine{axis: -1}
}

// local takes what lines it can along axes other than s.
func (r *fftRun[T, C, R]) local(s int) {
	for {
		l := r.next(func(l fftLine) bool { return l.axis != s })
		if l.axis < 0 {
			return
		}
		to := fftLayout(r.layout(), []fftLine{l})
		switch {
		case l.form == fftReal:
			r.x = fftTarget[R](r, to)
			fftFrom(r, r.x, l)
		case r.z != nil && to == r.z.layout:
			fftLines(r.z, r.z, l)
		default:
			z := fftTarget[C](r, to)
			fftFrom(r, z, l)
			r.z = z
		}
	}
}

// fftTarget returns an array of layout l for results: the destination if it is one.
func fftTarget[E Element, T Number, C Complex, R Number](r *fftRun[T, C, R], l *split.Layout) *NDArray[E] {
	if d, ok := any(r.into).(*NDArray[E]); ok && d != nil && d.layout.Equal(l) {
		return d
	}
	return newArray[E](r.a.comm, l)
}

// fftFrom sets dst to the transform of the current array.
func fftFrom[E Element, T Number, C Complex, R Number](r *fftRun[T, C, R], dst *NDArray[E], l fftLine) {
	if r.z != nil {
		fftLines(dst, r.z, l)
		return
	}
	fftLines(dst, r.a, l)
}

// wide takes a line along the split axis, which stays split.
func (r *fftRun[T, C, R]) wide(l fftLine) {
	switch {
	case l.form == fftReal && r.z != nil:
		r.x = fftWide[C, C, R](r.z, l)
	case l.form == fftReal:
		r.x = fftWide[T, C, R](r.a, l)
	case r.z != nil:
		r.z = fftWide[C, C, C](r.z, l)
	default:
		r.z = fftWide[T, C, C](r.a, l)
	}
}

// crop drops what the transform along the split axis will not read.
func (r *fftRun[T, C, R]) crop(s int) {
	for _, l := range r.lines {
		if l.axis != s {
			continue
		}
		if l.in() < r.layout().Shape()[s] {
			items := slices.Repeat([]Item{Whole()}, s)
			items = append(items, To(l.in()))
			if r.z != nil {
				r.z = r.z.Slice(items...)
			} else {
				r.a = r.a.Slice(items...)
			}
		}
		return
	}
}

func (r *fftRun[T, C, R]) layout() *split.Layout {
	switch {
	case r.x != nil:
		return r.x.layout
	case r.z != nil:
		return r.z.layout
	}
	return r.a.layout
}

func (r *fftRun[T, C, R]) move(l *split.Layout) {
	switch {
	case r.x != nil:
		r.x = moved(r.x, l)
	case r.z != nil:
		r.z = moved(r.z, l)
	default:
		r.a = moved(r.a, l)
	}
}

// result returns the current array as R.
func (r *fftRun[T, C, R]) result() *NDArray[R] {
	if r.x != nil {
		return r.x
	}
	if r.z == nil { // along no axis
		return AsType[R](r.a)
	}
	return any(r.z).(*NDArray[R])
}

// done returns x, copied to the destination if there is one.
func (r *fftRun[T, C, R]) done(x *NDArray[R]) *NDArray[R] {
	if r.into == nil || x == r.into {
		return x
	}
	CopyInto(r.into, x)
	return r.into
}
