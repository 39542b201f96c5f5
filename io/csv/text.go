package csv

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"caloric/nd"
)

// text is the text of one rank's rows. A rank has to know how long it is before
// any rank behind it can write, so as much of it as is reasonable is kept from
// being measured to being written; the rest is made twice.
type text[T nd.Real] struct {
	comma  byte
	cols   int
	values []T
	append func(dst []byte, x T) []byte
	head   string // before the first row

	kept []byte // the text of the first rows
	done int    // how many values they have
}

const (
	maxKept   = 32 << 20
	textChunk = 1 << 20 // bytes that are written at a time
)

func newText[T nd.Real](o *options, cols int, values []T) *text[T] {
	return &text[T]{comma: o.comma, cols: cols, values: values, append: appenderOf[T]()}
}

// measure returns the number of bytes of the text.
func (t *text[T]) measure() int64 {
	t.kept = append(t.kept, t.head...)
	for t.done < len(t.values) && len(t.kept) < maxKept {
		t.kept, t.done = t.rows(t.kept, t.done)
		whole := float64(len(t.kept)) * float64(len(t.values)) / float64(t.done)
		t.kept = slices.Grow(t.kept, min(int(1.05*whole), maxKept)+textChunk-len(t.kept))
	}
	size := int64(len(t.kept))
	var buf []byte
	for i := t.done; i < len(t.values); {
		buf, i = t.rows(buf[:0], i)
		size += int64(len(buf))
	}
	return size
}

// writeAt writes the text, which has been measured, at offset off of w.
func (t *text[T]) writeAt(w io.WriterAt, off int64) error {
	buf, i := t.kept, t.done
	for len(buf) > 0 {
		if _, err := w.WriteAt(buf, off); err != nil {
			return err
		}
		off += int64(len(buf))
		buf, i = t.rows(buf[:0], i)
	}
	return nil
}

// rows appends the text of the rows from value i on to dst, a chunk of it, and
// returns which value comes next.
func (t *text[T]) rows(dst []byte, i int) ([]byte, int) {
	for end := len(dst) + textChunk; len(dst) < end && i < len(t.values); {
		for range t.cols {
			dst = append(t.append(dst, t.values[i]), t.comma)
			i++
		}
		dst[len(dst)-1] = '\n'
	}
	return dst, i
}

// headerLine returns the line of the columns' names, if there are any.
func (o *options) headerLine() string {
	if len(o.names) == 0 {
		return ""
	}
	fields := make([]string, len(o.names))
	for i, n := range o.names {
		fields[i] = o.quote(n)
	}
	return strings.Join(fields, string(rune(o.comma))) + "\n"
}

// appenderOf returns the function that writes a T in as few digits as identify it.
func appenderOf[T nd.Real]() func(dst []byte, x T) []byte {
	switch any(*new(T)).(type) {
	case float32, float64:
		bits := int(unsafe.Sizeof(*new(T))) * 8
		return func(dst []byte, x T) []byte { return appendFloat(dst, float64(x), bits) }
	case int8, int16, int32, int64:
		return func(dst []byte, x T) []byte { return strconv.AppendInt(dst, int64(x), 10) }
	}
	return func(dst []byte, x T) []byte { return strconv.AppendUint(dst, uint64(x), 10) }
}

// appendFloat writes x as Python does: with an exponent only if it is very large
// or very small.
func appendFloat(dst []byte, x float64, bits int) []byte {
	abs := math.Abs(x)
	switch {
	case x != x:
		return append(dst, "nan"...)
	case math.IsInf(x, 1):
		return append(dst, "inf"...)
	case math.IsInf(x, -1):
		return append(dst, "-inf"...)
	case abs != 0 && (abs < 1e-4 || abs >= 1e16):
		return strconv.AppendFloat(dst, x, 'e', -1, bits)
	}
	return strconv.AppendFloat(dst, x, 'f', -1, bits)
}
