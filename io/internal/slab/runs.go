package slab

import (
	"encoding/binary"
	"io"
	"unsafe"

	"caloric/nd"
	"caloric/split"
)

// Runs says which elements of a file in C order one rank's part of an array is:
// Count runs of Length consecutive elements, the first at Start and each next
// one Stride further on.
type Runs struct{ Start, Length, Stride, Count int }

// RunsOf returns the elements that rank holds in layout l. Of a replicated
// array, which any rank could read or write, each rank takes an equal share.
func RunsOf(l *split.Layout, rank int) Runs {
	if l.Replicated() {
		l = Flat(l)
	}
	shape, axis := l.Shape(), l.Axis()
	row := shape[axis+1:].Size()
	lo, hi := l.Range(rank)
	r := Runs{lo * row, (hi - lo) * row, shape[axis] * row, shape[:axis].Size()}
	switch {
	case r.Length*r.Count == 0:
		r = Runs{}
	case r.Length == r.Stride: // the runs follow each other
		r = Runs{r.Start, r.Length * r.Count, r.Length * r.Count, 1}
	}
	return r
}

// Flat returns the balanced layout of l's elements in one row.
func Flat(l *split.Layout) *split.Layout {
	return split.Block(split.Shape{l.Shape().Size()}, 0, l.Ranks())
}

// shortRun is the number of bytes of a run below which one access for each run
// costs more than moving the data between ranks.
const shortRun = 8 << 10

// Staged returns the layout in which an array of layout l is best read or
// written: l itself if the ranks' runs are long or few, else one that is split
// along an earlier axis, and has longer ones. elem is the bytes of an element.
func Staged(l *split.Layout, elem int) *split.Layout {
	shape, axis := l.Shape(), int(l.Axis())
	if l.Ranks() == 1 || axis <= 0 || shape.Size() == 0 {
		return l
	}
	run := shape[axis:].Size() / l.Ranks() * elem
	if runs := shape[:axis].Size(); run >= shortRun || runs <= 16 {
		return l
	}
	for k, n := range shape[:axis] {
		if n >= l.Ranks() { // else some rank would hold much more than its share
			return split.Block(shape, split.Axis(k), l.Ranks())
		}
	}
	return l
}

// Read fills dst with the elements of r from a file whose element 0 is at
// offset off.
func Read[T nd.Element](f io.ReaderAt, off int64, r Runs, dst []T) error {
	return r.each(off, Bytes(dst), int(unsafe.Sizeof(*new(T))), f.ReadAt)
}

// Write writes src to the elements of r in a file whose element 0 is at offset off.
func Write[T nd.Element](f io.WriterAt, off int64, r Runs, src []T) error {
	return r.each(off, Bytes(src), int(unsafe.Sizeof(*new(T))), f.WriteAt)
}

func (r Runs) each(off int64, b []byte, elem int, access func(p []byte, off int64) (int, error)) error {
	n := r.Length * elem
	off += int64(r.Start) * int64(elem)
	for range r.Count {
		if _, err := access(b[:n], off); err != nil {
			return err
		}
		b, off = b[n:], off+int64(r.Stride)*int64(elem)
	}
	return nil
}

// Bytes returns the memory of s.
func Bytes[T nd.Element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// Swap reverses the bytes of each word of b, which has 1, 2, 4 or 8 bytes.
func Swap(b []byte, word int) {
	big, little := binary.BigEndian, binary.LittleEndian
	switch word {
	case 2:
		for ; len(b) >= 2; b = b[2:] {
			little.PutUint16(b, big.Uint16(b))
		}
	case 4:
		for ; len(b) >= 4; b = b[4:] {
			little.PutUint32(b, big.Uint32(b))
		}
	case 8:
		for ; len(b) >= 8; b = b[8:] {
			little.PutUint64(b, big.Uint64(b))
		}
	}
}
