package csv

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// fault is what is wrong in a file: at a line and the column of a byte, from 1
// on, or in the file as a whole, where line is 0.
type fault struct {
	line   int64
	column int
	text   string
}

func (f *fault) Error() string { return f.text }

// faultf returns what is wrong at position at of a line whose number is not known yet.
func faultf(at int, format string, args ...any) error {
	return &fault{column: at + 1, text: fmt.Sprintf(format, args...)}
}

// atLine sets the line of a fault.
func atLine(line int64, err error) error {
	if f, ok := err.(*fault); ok {
		return &fault{line, f.column, f.text}
	}
	return err
}

// inFile returns a fault with its place in front. Other errors name the file already.
func inFile(path string, err error) error {
	f, ok := err.(*fault)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return fmt.Errorf("%s: the text ends before its size", path)
	case !ok:
		return err
	case f.line == 0:
		return fmt.Errorf("%s: %w", path, f)
	}
	return fmt.Errorf("%s:%d:%d: %w", path, f.line, f.column, f)
}

// isRow reports whether a line is a row, rather than empty or a comment.
func (o *options) isRow(line []byte) bool {
	if len(line) > 0 && line[0] > ' ' {
		return o.comment == 0 || line[0] != o.comment
	}
	return o.skipBlanks(line, 0) < len(line)
}

// field returns the field of line that starts at pos without the spaces and
// quotes around it, the position of its first byte, and that of the next field,
// which is -1 after the last one.
func (o *options) field(line []byte, pos int) (field []byte, at, next int, err error) {
	at = o.skipBlanks(line, pos)
	if at < len(line) && line[at] == '"' {
		return o.quoted(line, at)
	}
	end := at
	if o.comma == ' ' {
		for end < len(line) && line[end] != ' ' && line[end] != '\t' {
			end++
		}
		return line[at:end], at, following(line, o.skipBlanks(line, end)), nil
	}
	if n := bytes.IndexByte(line[at:], o.comma); n >= 0 {
		end, next = at+n, at+n+1
	} else {
		end, next = len(line), -1
	}
	for end > at && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	return line[at:end], at, next, nil
}

// skipBlanks returns the position of the first byte from pos on that is neither
// a space nor a tab, unless tabs separate fields.
func (o *options) skipBlanks(line []byte, pos int) int {
	for pos < len(line) && (line[pos] == ' ' || line[pos] == '\t' && o.comma != '\t') {
		pos++
	}
	return pos
}

// following returns pos, or -1 at the end of the line.
func following(line []byte, pos int) int {
	if pos == len(line) {
		return -1
	}
	return pos
}

// quoted is field for one whose opening quote is at pos. Inside, two quotes
// stand for one.
func (o *options) quoted(line []byte, pos int) (field []byte, at, next int, err error) {
	at = pos + 1
	end, doubled := at, false
	for {
		i := bytes.IndexByte(line[end:], '"')
		if i < 0 {
			return nil, at, -1, faultf(pos, "a quoted field does not end on its line; fields of several lines are not read")
		}
		end += i
		if end+1 == len(line) || line[end+1] != '"' {
			break
		}
		doubled = true
		end += 2
	}
	field = line[at:end]
	if doubled {
		field = bytes.ReplaceAll(field, []byte(`""`), []byte(`"`))
	}
	next = o.skipBlanks(line, end+1)
	switch {
	case next == len(line):
		return field, at, -1, nil
	case o.comma == ' ' && next > end+1:
		return field, at, next, nil
	case o.comma != ' ' && line[next] == o.comma:
		return field, at, next + 1, nil
	}
	return nil, at, -1, faultf(end+1, "text follows the closing quote of a field")
}

// split returns the text of every field of line.
func (o *options) split(line []byte) (fields []string, err error) {
	for pos := 0; pos >= 0; {
		f, _, next, err := o.field(line, pos)
		if err != nil {
			return nil, err
		}
		fields = append(fields, string(f))
		pos = next
	}
	return fields, nil
}

// quote returns a name as a field.
func (o *options) quote(name string) string {
	if name == "" || strings.TrimSpace(name) != name || strings.ContainsRune(name, '"') ||
		strings.IndexByte(name, o.comma) >= 0 || o.comma == ' ' && strings.IndexByte(name, '\t') >= 0 {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}
