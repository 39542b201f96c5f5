package nd

import (
	"fmt"
	"io"

	"caloric/split"
)

// printThreshold is the size from which on an array is summarized, and
// printEdge how many items are then shown at each end of an axis.
const (
	printThreshold = 1000
	printEdge      = 3
)

// Fprint writes a to w on rank 0 as NumPy prints arrays: all of it, or of more
// than 1000 elements the corners. Other ranks write nothing. The returned error
// is rank 0's alone.
//
// Collective. Communication: one allgatherv of what is printed, none if a is replicated.
func Fprint[T Element](w io.Writer, a *NDArray[T]) error {
	text := format(a)
	if a.comm.Rank() != 0 {
		return nil
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// String describes a and shows this rank's part of it. It never communicates,
// so that printing on one rank cannot hang. See [Fprint] for the whole array. Local.
func (a *NDArray[T]) String() string {
	part := wrapLocal(a)
	var zero T
	return fmt.Sprintf("NDArray[%T] %v, %v holds %v\n%s", zero, a.layout, a.comm, a.layout.Local(a.comm.Rank()), format(part))
}

// wrapLocal returns this rank's part of a as an array that claims to be replicated.
func wrapLocal[T Element](a *NDArray[T]) *NDArray[T] {
	l := split.Block(a.shape, split.None, a.comm.Size())
	return a.view(l, a.offset, a.shape, a.strides)
}

// format returns the text of a, on every rank.
func format[T Element](a *NDArray[T]) string {
	shape := a.layout.Shape()
	if shape.Size() == 0 {
		return emptyText(shape)
	}
	shown := make([][]int, len(shape)) // the indices to show along each axis
	compact := make(Shape, len(shape))
	summarize := shape.Size() > printThreshold
	for k, d := range shape {
		for i := 0; i < d; i++ {
			if summarize && d > 2*printEdge && i == printEdge {
				i = d - printEdge
			}
			shown[k] = append(shown[k], i)
		}
		compact[k] = len(shown[k])
	}
	values := formatValues(pick(a, shown, compact).Gather())
	return nested(values, shape, compact, 1)
}

func emptyText(shape Shape) string {
	if len(shape) == 1 {
		return "[]"
	}
	return fmt.Sprintf("[] with shape %v", shape)
}

// pick returns the array of a's elements at the given indices along each axis,
// ascending. Each rank keeps those it owns.
func pick[T Element](a *NDArray[T], shown [][]int, shape Shape) *NDArray[T] {
	axis := a.layout.Axis()
	l := split.Block(shape, split.None, a.comm.Size())
	mine := append([][]int(nil), shown...)
	if axis != split.None {
		counts := make([]int, a.comm.Size())
		for _, i := range shown[axis] {
			counts[a.layout.Owner(i)]++
		}
		l = split.WithCounts(shape, axis, counts)
		lo, _ := l.Range(a.comm.Rank())
		own := make([]int, counts[a.comm.Rank()])
		for j := range own {
			own[j] = shown[axis][lo+j] - a.localStart()
		}
		mine[axis] = own
	}
	out := newArray[T](a.comm, l)
	index := make([]int, len(shape))
	for i := range out.data {
		off := a.offset
		for k, j := range index {
			off += mine[k][j] * a.strides[k]
		}
		out.data[i] = a.data[off]
		for k := len(index) - 1; k >= 0; k-- {
			index[k]++
			if index[k] < len(mine[k]) {
				break
			}
			index[k] = 0
		}
	}
	return out
}

// lineWidth is the longest line of an array's text.
const lineWidth = 75

// nested returns values, in the C order of compact, in nested brackets; an axis
// of which not all is shown has an ellipsis in the middle.
func nested(values []string, shape, compact Shape, indent int) string {
	if len(compact) == 0 {
		return values[0]
	}
	n := compact[0]
	cut := n < shape[0]
	if len(compact) == 1 {
		return line(values, cut, indent)
	}
	size := len(values) / n
	sep := "\n"
	for range len(compact) - 2 {
		sep += "\n"
	}
	for range indent {
		sep += " "
	}
	text := "["
	for i := range n {
		if i > 0 {
			text += sep
		}
		if cut && i == printEdge {
			text += "..." + sep
		}
		text += nested(values[i*size:(i+1)*size], shape[1:], compact[1:], indent+1)
	}
	return text + "]"
}

// line returns the innermost axis in brackets, wrapped at the line width.
func line(values []string, cut bool, indent int) string {
	text, width := "[", indent
	add := func(word string) {
		if width+len(word) > lineWidth-1 && width > indent {
			text += "\n"
			for range indent {
				text += " "
			}
			width = indent
		} else if width > indent {
			text += " "
			width++
		}
		text += word
		width += len(word)
	}
	for i, v := range values {
		if cut && i == printEdge {
			add("...")
		}
		add(v)
	}
	return text + "]"
}
