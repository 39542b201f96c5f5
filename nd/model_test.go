package nd_test

import (
	"fmt"
	"slices"

	"caloric/nd"
)

// model is a whole array in C order, on which operations are plain loops. The
// property tests compare arrays with it.
type model struct {
	shape nd.Shape
	x     []int64
}

func newModel(shape nd.Shape, at func(index []int) int64) model {
	m := model{slices.Clone(shape), make([]int64, 0, shape.Size())}
	eachIndex(shape, func(i []int) { m.x = append(m.x, at(i)) })
	return m
}

func (m model) at(index []int) int64 { return m.x[flat(m.shape, index)] }

// broadcast returns the shape that a and b broadcast to.
func broadcast(a, b nd.Shape) nd.Shape {
	if len(a) < len(b) {
		a, b = b, a
	}
	out := slices.Clone(a)
	for k, d := range b {
		if o := len(a) - len(b) + k; out[o] == 1 {
			out[o] = d
		}
	}
	return out
}

// combined returns f of a and b, element by element of the shape that they broadcast to.
func combined(a, b model, f func(x, y int64) int64) model {
	operand := func(m model, index []int) int64 {
		own := slices.Clone(index[len(index)-len(m.shape):])
		for k, d := range m.shape {
			if d == 1 {
				own[k] = 0
			}
		}
		return m.at(own)
	}
	return newModel(broadcast(a.shape, b.shape), func(i []int) int64 { return f(operand(a, i), operand(b, i)) })
}

func (m model) transposed(perm []int) model {
	shape := make(nd.Shape, len(perm))
	for k, p := range perm {
		shape[k] = m.shape[p]
	}
	return newModel(shape, func(i []int) int64 {
		src := make([]int, len(perm))
		for k, p := range perm {
			src[p] = i[k]
		}
		return m.at(src)
	})
}

// cut is an entry of a slice: the indices of an axis that it selects. It removes
// the axis if drop is set, and inserts a new one if added is.
type cut struct {
	item        nd.Item
	indices     []int
	drop, added bool
}

func (m model) sliced(cuts []cut) model {
	var shape nd.Shape
	for _, c := range cuts {
		if c.added {
			shape = append(shape, 1)
		} else if !c.drop {
			shape = append(shape, len(c.indices))
		}
	}
	return newModel(shape, func(i []int) int64 {
		var src []int
		for _, c := range cuts {
			switch {
			case c.added:
				i = i[1:]
			case c.drop:
				src = append(src, c.indices[0])
			default:
				src = append(src, c.indices[i[0]])
				i = i[1:]
			}
		}
		return m.at(src)
	})
}

// reduced returns f of the elements that are reduced together over axes, nil for all.
func (m model) reduced(axes []int, keep bool, f func([]int64) int64) model {
	g, shape := groups(m.x, m.shape, axes, keep)
	out := model{shape: shape}
	for _, x := range g {
		out.x = append(out.x, f(x))
	}
	return out
}

// differs compares what this rank holds of a with the model.
func (m model) differs(a *nd.NDArray[int64]) error {
	if !a.Shape().Equal(m.shape) {
		return fmt.Errorf("%v has not the shape %v", a.Layout(), m.shape)
	}
	box := a.Layout().Local(a.Comm().Rank())
	if n := len(a.Local()); !a.LocalShape().Equal(box.Shape()) || n != box.Size() {
		return fmt.Errorf("%v of %v holds %v, %d elements", a.Comm(), a.Layout(), a.LocalShape(), n)
	}
	var err error
	eachLocal(a, func(at int, v int64) {
		if v != m.x[at] && err == nil {
			err = fmt.Errorf("element %d of %v is %d, want %d", at, a.Layout(), v, m.x[at])
		}
	})
	return err
}
