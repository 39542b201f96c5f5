package nd

import (
	"fmt"
	"io"
	"os"
	"strings"

	"caloric/split"
)

// Fprint writes a and a line break to w on rank 0 as NumPy prints arrays: all of
// it, or of more than 1000 elements the corners. Other ranks write nothing. The
// returned error is rank 0's alone.
//
//	nd.Fprint(w, a, nd.Precision(3), nd.SuppressSmall())
//
// Collective. Communication: one allgatherv of what is printed, none if a is replicated.
func Fprint[T Element](w io.Writer, a *NDArray[T], opts ...PrintOption) error {
	text := Sprint(a, opts...)
	if a.comm.Rank() != 0 {
		return nil
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// Print is [Fprint] to the standard output.
//
// Collective. Communication: as [Fprint].
func Print[T Element](a *NDArray[T], opts ...PrintOption) error {
	return Fprint(os.Stdout, a, opts...)
}

// Sprint returns, on every rank, the text that [Fprint] writes, without the line
// break at its end.
//
// Collective. Communication: as [Fprint].
func Sprint[T Element](a *NDArray[T], opts ...PrintOption) string {
	return format(a, newPrinting(opts))
}

// Format implements [fmt.Formatter]. %v and %s give [NDArray.String]; any other
// verb, or a width or precision, shows this rank's part with each element so
// formatted: fmt.Printf("%.2f", a). It never communicates. Local.
func (a *NDArray[T]) Format(f fmt.State, verb rune) {
	_, wid := f.Width()
	_, prec := f.Precision()
	if (verb == 'v' || verb == 's') && !wid && !prec || a.comm == nil {
		io.WriteString(f, a.String())
		return
	}
	directive := fmt.FormatString(f, verb)
	part := wrapLocal(a)
	texts := make([]string, 0, part.LocalSize())
	for _, v := range part.Local() {
		texts = append(texts, fmt.Sprintf(directive, v))
	}
	padLeft(texts)
	var text strings.Builder
	switch {
	case len(a.shape) == 0:
		text.WriteString(texts[0])
	case len(texts) == 0:
		text.WriteString("[]")
	default:
		p := newPrinting(nil)
		p.nested(&text, texts, a.shape, a.shape, 0)
	}
	io.WriteString(f, text.String())
}

// String describes a and shows this rank's part of it. It never communicates,
// so that printing on one rank cannot hang. See [Fprint] for the whole array. Local.
func (a *NDArray[T]) String() string {
	if a.comm == nil {
		return fmt.Sprintf("released NDArray %v", a.layout)
	}
	part := wrapLocal(a)
	var zero T
	return fmt.Sprintf("NDArray[%T] %v, %v holds %v\n%s", zero, a.layout, a.comm, a.layout.Local(a.comm.Rank()), format(part, newPrinting(nil)))
}

// wrapLocal returns this rank's part of a as an array that claims to be replicated.
func wrapLocal[T Element](a *NDArray[T]) *NDArray[T] {
	l := split.Block(a.shape, split.None, a.comm.Size())
	return a.view(l, a.offset, a.shape, a.strides)
}

// format returns the text of a, on every rank.
func format[T Element](a *NDArray[T], p printing) string {
	shape := a.layout.Shape()
	if len(shape) == 0 {
		x := a.At()
		if p.optioned {
			return strings.TrimSpace(formatValues([]T{x}, p)[0])
		}
		return formatScalar(x)
	}
	if shape.Size() == 0 {
		return "[]"
	}
	shown := make([][]int, len(shape)) // the indices to show along each axis
	compact := make(Shape, len(shape))
	summarize := shape.Size() > p.threshold
	for k, d := range shape {
		for i := 0; i < d; i++ {
			if summarize && d > 2*p.edge && i == p.edge {
				i = d - p.edge
			}
			shown[k] = append(shown[k], i)
		}
		compact[k] = len(shown[k])
	}
	var text strings.Builder
	p.nested(&text, formatValues(pick(a, shown, compact).Gather(), p), shape, compact, 0)
	return text.String()
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

// nested writes values, in the C order of compact, in nested brackets, of which
// depth are open; an axis of which not all is shown has an ellipsis in the middle.
func (p *printing) nested(text *strings.Builder, values []string, shape, compact Shape, depth int) {
	n := compact[0]
	cut := n < shape[0]
	indent := strings.Repeat(" ", depth+1)
	text.WriteByte('[')
	defer text.WriteByte(']')
	if len(compact) == 1 {
		p.line(text, values, cut, indent)
		return
	}
	size := len(values) / n
	sep := strings.TrimRight(p.separator, " ") + strings.Repeat("\n", len(compact)-1) + indent
	for i := range n {
		if i > 0 {
			text.WriteString(sep)
		}
		if cut && i == p.edge {
			text.WriteString("..." + sep)
		}
		p.nested(text, values[i*size:(i+1)*size], shape[1:], compact[1:], depth+1)
	}
}

// line writes the innermost axis, wrapped where lines, with the brackets that
// follow, would be too long.
func (p *printing) line(text *strings.Builder, values []string, cut bool, indent string) {
	row := indent
	width := p.width - len(indent) + 1 - max(1, len(strings.TrimRight(p.separator, " ")))
	add := func(word string) {
		if len(row) > len(indent) {
			row += p.separator
			if len(row)+len(word) > width {
				text.WriteString(strings.TrimRight(row, " ")[len(indent):] + "\n" + indent)
				row = indent
			}
		}
		row += word
	}
	for i, v := range values {
		if cut && i == p.edge {
			add("...")
		}
		add(v)
	}
	text.WriteString(row[len(indent):])
}
