package csv

import (
	"fmt"
	"io"
	"slices"

	"caloric/internal/misuse"
	"caloric/io/internal/slab"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// Load reads the table of a CSV file. The result has two axes, rows and columns.
//
// Collective; path is the same on every rank. Result split: axis; along axis 0 the
// rows stay on the ranks that read them, which leaves an unbalanced layout, the
// other ones are balanced.
// Communication: one allreduce of 24 bytes, two broadcasts of the columns' names
// and one allgatherv of 24 bytes; the table in one more allgatherv for axis None
// or alltoallv for axis 1. The error is the same on every rank; it names the
// file, the line and the column, or the rank that could not read.
// Panics if axis is out of range.
func Load[T nd.Real](c *spmd.Comm, path string, axis nd.Axis, opts ...Option) (*nd.NDArray[T], error) {
	a, _, err := LoadTable[T](c, path, axis, opts...)
	return a, err
}

// LoadTable is [Load] that also returns the names of the columns, nil if the
// file does not name them.
func LoadTable[T nd.Real](c *spmd.Comm, path string, axis nd.Axis, opts ...Option) (*nd.NDArray[T], []string, error) {
	o := loadOptions[T](c, axis, opts)
	f, err := slab.Open(c, path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return read[T](c, f, f.Size, path, axis, o)
}

// ReadTable is [LoadTable] of size bytes that every rank can read from r, alike
// on each: a table in memory, for example. Errors call it by name.
//
// Collective. Result split, communication and panics: as [Load].
func ReadTable[T nd.Real](c *spmd.Comm, r io.ReaderAt, size int64, name string, axis nd.Axis, opts ...Option) (*nd.NDArray[T], []string, error) {
	if size < 0 {
		misuse.Panic("%s has %d bytes", name, size)
	}
	return read[T](c, r, func() (int64, error) { return size, nil }, name, axis, loadOptions[T](c, axis, opts))
}

// loadOptions resolves the options of a table that is to be read.
func loadOptions[T nd.Real](c *spmd.Comm, axis nd.Axis, opts []Option) options {
	o := resolve(opts)
	switch {
	case o.missing && !isFloat[T]():
		misuse.Panic("MissingAsNaN for %T, which has no NaN", *new(T))
	case axis < split.None || axis > 1:
		misuse.Panic("split axis %d is out of range for a table", axis)
	case o.names != nil:
		misuse.Panic("Names is an option of Save")
	}
	return o
}

// read reads the table that f holds.
func read[T nd.Real](c *spmd.Comm, f io.ReaderAt, length func() (int64, error), path string, axis nd.Axis, o options) (*nd.NDArray[T], []string, error) {
	s, err := slab.FromRank(c, 0, func() (start, error) {
		size, err := length()
		if err != nil {
			return start{}, err
		}
		s, err := readStart(f, size, &o)
		return s, inFile(path, err)
	})
	if err != nil {
		return nil, nil, err
	}
	p := part[T]{opts: &o, cols: s.Cols, span: cut(s.Offset, s.Size, c.Rank(), c.Size()), parse: rowParserOf[T]()}
	err = p.span.each(f, chunk, p.line)
	counts, err := exchange(c, path, s.Lines, p.rows, p.lines, err)
	if err != nil {
		return nil, nil, err
	}
	rows := 0
	for _, n := range counts {
		rows += n
	}
	if rows == 0 {
		return nil, nil, inFile(path, s.noRows())
	}
	a := nd.Wrap(c, split.WithCounts(nd.Shape{rows, s.Cols}, 0, counts), trimmed(p.values))
	if axis != 0 {
		a = a.Resplit(axis)
	}
	return a, s.Names, nil
}

// exchange tells every rank how many rows each has read. If any has failed, the
// first faulty line of the file is the error, its number counted from the lines
// of the ranks before.
func exchange(c *spmd.Comm, path string, before int64, rows int, lines int64, err error) (counts []int, _ error) {
	const n = 3
	record := []int64{int64(rows), lines, 0}
	if err != nil {
		record[2] = 1
	}
	counts, lengths := make([]int, c.Size()), make([]int, c.Size())
	for r := range lengths {
		lengths[r] = n
	}
	all := make([]int64, n*c.Size())
	spmd.Allgatherv(c, record, all, lengths)
	for r := range counts {
		counts[r] = int(all[n*r])
		before += all[n*r+1]
		if all[n*r+2] == 0 {
			continue
		}
		_, err := slab.FromRank(c, r, func() (none int, _ error) {
			if _, ok := err.(*fault); ok {
				return none, inFile(path, atLine(before, err))
			}
			return none, fmt.Errorf("rank %d: %w", r, err)
		})
		return nil, err
	}
	return counts, nil
}

// chunk is how many bytes are read at a time.
const chunk = 1 << 20

// part is what one rank reads.
type part[T nd.Real] struct {
	opts   *options
	cols   int
	span   span
	parse  rowParser[T]
	values []T
	rows   int
	lines  int64
}

// line takes the next line.
func (p *part[T]) line(line []byte, next int64) error {
	p.lines++
	if !p.opts.isRow(line) {
		return nil
	}
	p.reserve(next)
	values, err := p.parse(p.opts, p.cols, line, p.values)
	if err != nil {
		return err
	}
	p.values = values
	p.rows++
	return nil
}

// reserve makes room for the next row and, if it has to move the values, for as
// many as the bytes that are left will hold if they go on as they began.
func (p *part[T]) reserve(next int64) {
	n := len(p.values)
	if cap(p.values)-n >= p.cols {
		return
	}
	whole := float64(n) * float64(p.span.hi-p.span.lo) / float64(next-p.span.lo)
	more := min(max(int(1.05*whole)-n, n/4), 7*n)
	values := make([]T, n, n+more+64*p.cols) // append would take up to a quarter more
	copy(values, p.values)
	p.values = values
}

// trimmed returns values without much unused memory behind.
func trimmed[T any](values []T) []T {
	if cap(values)-len(values) > len(values)/4 {
		return slices.Clone(values)
	}
	return values
}
