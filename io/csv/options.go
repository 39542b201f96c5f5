package csv

import (
	"strings"

	"caloric/internal/misuse"
)

// Option says how a file is written, or to be read.
type Option func(*options)

type options struct {
	comma   byte // ' ' for any run of spaces and tabs
	comment byte // 0 for none
	header  headerMode
	skip    int
	missing bool
	names   []string
}

type headerMode uint8

const (
	headerAuto headerMode = iota
	headerYes
	headerNo
)

// Comma separates fields by sep in place of a comma: ';', '\t', '|'. With ' '
// fields are separated by any number of spaces and tabs.
// Panics if numbers are written with sep.
func Comma(sep byte) Option {
	if strings.IndexByte("\r\n\"+-.", sep) >= 0 || isAlphanumeric(sep) || sep == 0 {
		misuse.Panic("fields cannot be separated by %q, which numbers or lines are written with", sep)
	}
	return func(o *options) { o.comma = sep }
}

// Header says whether the first line holds the columns' names. Without this
// option it does if none of its fields looks like a number: is one, such as nan,
// or starts with a digit, a sign or a point.
func Header(yes bool) Option {
	mode := headerNo
	if yes {
		mode = headerYes
	}
	return func(o *options) { o.header = mode }
}

// Skip passes over the first n lines of the file.
// Panics if n is negative.
func Skip(n int) Option {
	if n < 0 {
		misuse.Panic("%d lines to skip", n)
	}
	return func(o *options) { o.skip = n }
}

// Comment passes over lines that start with the given character.
// Panics if numbers or lines are written with it.
func Comment(start byte) Option {
	if strings.IndexByte("\r\n\"+-.", start) >= 0 || isAlphanumeric(start) {
		misuse.Panic("comments cannot start with %q, which numbers or lines are written with", start)
	}
	return func(o *options) { o.comment = start }
}

// MissingAsNaN reads fields that are empty, NA, N/A or null as NaN. It is for
// floating-point types.
func MissingAsNaN() Option { return func(o *options) { o.missing = true } }

// Names writes a first line with the columns' names. It is for [Save]. To read
// names that look like numbers back, use [Header].
// Panics if a name has a line break.
func Names(names ...string) Option {
	for _, n := range names {
		if strings.ContainsAny(n, "\r\n") {
			misuse.Panic("name %q has a line break", n)
		}
	}
	return func(o *options) { o.names = names }
}

func resolve(opts []Option) options {
	o := options{comma: ','}
	for _, set := range opts {
		set(&o)
	}
	return o
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
