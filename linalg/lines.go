package linalg

import (
	"sync"

	"caloric/internal/parallel"
	"caloric/nd"
	"caloric/split"
)

// lines are the lines of a rank's elements along one axis, as rows of lines that
// lie side by side.
type lines[T nd.Number] struct {
	data         []T
	offset       int
	length, step int   // of a line
	width, apart int   // how many lines lie side by side, and how far apart
	rows         int   // how many rows of such lines there are
	shape        []int // of the rows
	strides      []int
}

func linesOf[T nd.Number](a *nd.NDArray[T], axis int) lines[T] {
	data, offset, strides := a.Memory()
	l := lines[T]{data: data, offset: offset, width: 1, rows: 1}
	for k, d := range a.LocalShape() {
		if k == axis {
			l.length, l.step = d, strides[k]
			continue
		}
		l.shape = append(l.shape, d)
		l.strides = append(l.strides, strides[k])
	}
	if last := len(l.shape) - 1; last >= 0 {
		l.width, l.apart = l.shape[last], l.strides[last]
		l.shape, l.strides = l.shape[:last], l.strides[:last]
	}
	l.rows = split.Shape(l.shape).Size()
	return l
}

// Lines are reduced in groups of lineWidth, so that of lines side by side whole
// cache lines are read, and lineBlock elements of each at a time.
const (
	lineWidth = 16
	lineBlock = 256
)

type lineBuffer [lineWidth * lineBlock]float64

var lineBuffers = sync.Pool{New: func() any { return new(lineBuffer) }}

// norms sets sums, of m.planes() numbers a line, to the reductions of all lines.
func (l *lines[T]) norms(m measure, sums []float64, workers int) {
	groups := (l.width + lineWidth - 1) / lineWidth
	n := groups * l.rows
	parts := 1
	if l.rows*l.width*l.length >= parallelSize {
		parts = min(workers, n)
	}
	if parts <= 1 {
		l.groups(m, sums, groups, 0, n)
		return
	}
	parallel.Ranges(parts, n, func(lo, hi int) { l.groups(m, sums, groups, lo, hi) })
}

// groups reduces the groups lo ≤ g < hi of lines; perRow of them make a row.
func (l *lines[T]) groups(m measure, sums []float64, perRow, lo, hi int) {
	buf := lineBuffers.Get().(*lineBuffer)
	defer lineBuffers.Put(buf)
	k := m.planes()
	for g := lo; g < hi; g++ {
		row, first := g/perRow, g%perRow*lineWidth
		n := min(lineWidth, l.width-first)
		off := l.rowOffset(row) + first*l.apart
		s := l.group(m, buf, off, n, l.length)
		for j := range n {
			copy(sums[(row*l.width+first+j)*k:][:k], s[j][:])
		}
	}
}

// rowOffset returns where the first line of a row starts.
func (l *lines[T]) rowOffset(row int) int {
	off := l.offset
	for k := len(l.shape) - 1; k >= 0; k-- {
		off += row % l.shape[k] * l.strides[k]
		row /= l.shape[k]
	}
	return off
}

// group reduces the length elements from off on of n lines, in halves.
func (l *lines[T]) group(m measure, buf *lineBuffer, off, n, length int) (s [lineWidth]sum3) {
	if length > lineBlock {
		h := (length/2 + lineBlock - 1) / lineBlock * lineBlock
		s = l.group(m, buf, off, n, h)
		high := l.group(m, buf, off+h*l.step, n, length-h)
		for j := range n {
			s[j] = merge(m, s[j], high[j])
		}
		return s
	}
	if abs(l.step) <= abs(l.apart) {
		for j := range n {
			magnitudes(buf[j*lineBlock:], 1, l.data, off+j*l.apart, l.step, length)
		}
	} else {
		for i := range length {
			magnitudes(buf[i:], lineBlock, l.data, off+i*l.step, l.apart, n)
		}
	}
	for j := range n {
		s[j] = m.fold(buf[j*lineBlock:][:length])
	}
	return s
}
