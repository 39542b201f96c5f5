package csv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// start is what the first lines of a file tell: where its rows begin, and what
// they look like.
type start struct {
	Size   int64 // of the file
	Offset int64 // of the first line that may be a row
	Lines  int64 // the number of lines before Offset
	Cols   int
	Names  []string
	Header bool // the names are in the file
}

// startChunk is how much is read at a time to find the first row.
const startChunk = 16 << 10

var errFound = errors.New("found")

// readStart reads f to its first row.
func readStart(f io.ReaderAt, size int64, o *options) (start, error) {
	s := start{Size: size}
	mark := make([]byte, min(size, 3))
	if _, err := f.ReadAt(mark, 0); err != nil && err != io.EOF {
		return s, err
	}
	if bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		s.Offset = 3
	} else if len(mark) > 1 && (mark[0] == 0xff && mark[1] == 0xfe || mark[0] == 0xfe && mark[1] == 0xff) {
		return s, &fault{text: "the text is UTF-16, not UTF-8"}
	}
	lines := 0
	err := span{s.Offset, s.Offset, size, size}.each(f, startChunk, func(line []byte, next int64) error {
		lines++
		if i := bytes.IndexByte(line, '\r'); i >= 0 && i < len(line)-1 && lines > o.skip {
			return atLine(s.Lines+1, &fault{column: i + 1, text: "a carriage return inside a line: lines have to end in LF or CR LF"})
		}
		if lines > o.skip && o.isRow(line) {
			fields, err := o.split(line)
			if err != nil {
				return atLine(s.Lines+1, err)
			}
			s.Cols = len(fields)
			if !o.isHeader(fields) {
				return errFound
			}
			s.Names, s.Header = fields, true
		}
		s.Offset, s.Lines = next, s.Lines+1
		if s.Header {
			return errFound
		}
		return nil
	})
	if err == nil {
		return s, s.noRows()
	}
	if err != errFound {
		return s, err
	}
	return s, nil
}

// isHeader reports whether the fields of the first line are names.
func (o *options) isHeader(fields []string) bool {
	if o.header != headerAuto {
		return o.header == headerYes
	}
	named := func(f string) bool { return !isMissing(strings.TrimSpace(f)) }
	return slices.ContainsFunc(fields, named) && !slices.ContainsFunc(fields, isNumber)
}

// noRows is the error of a file without a row.
func (s start) noRows() error {
	switch {
	case s.Size == 0:
		return &fault{text: "no rows: the file is empty"}
	case s.Header:
		return &fault{text: fmt.Sprintf("no rows: nothing follows the names of the columns in line %d", s.Lines)}
	}
	return &fault{text: fmt.Sprintf("no rows in the %d lines of the file", s.Lines)}
}
