package csv

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"caloric/nd"
)

// number reads the text of a field as a T.
type number[T nd.Real] interface{ parse(s string) (T, error) }

type (
	floats[T nd.Real]    struct{ bits int }
	integers[T nd.Real]  struct{ bits int }
	unsigneds[T nd.Real] struct{ bits int }
)

func (n floats[T]) parse(s string) (T, error) {
	if x, ok := parseShort(s, n.bits); ok {
		return T(x), nil
	}
	x, err := strconv.ParseFloat(s, n.bits)
	if err != nil && isSignedNaN(s) {
		return T(math.NaN()), nil
	}
	if err == nil && isGo(s) {
		err = strconv.ErrSyntax
	}
	return T(x), err
}

func (n integers[T]) parse(s string) (T, error) {
	x, err := strconv.ParseInt(s, 10, n.bits)
	return T(x), err
}

func (n unsigneds[T]) parse(s string) (T, error) {
	x, err := strconv.ParseUint(strings.TrimPrefix(s, "+"), 10, n.bits)
	if err != nil && strings.HasPrefix(s, "-") {
		if _, e := strconv.ParseUint(s[1:], 10, 64); e == nil {
			err = strconv.ErrRange
		}
	}
	return T(x), err
}

// parseShort reads decimals without an exponent that are a quotient of a whole
// number and a power of ten that are both exact, so that dividing them rounds
// correctly: in float64, and for few digits also when rounded again to float32.
func parseShort(s string, bits int) (x float64, ok bool) {
	digits, maxMantissa, maxFraction := s, uint64(1)<<53, len(powers)-1
	if bits == 32 {
		maxMantissa, maxFraction = 1<<24, 10
	}
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		digits = s[1:]
	}
	if len(digits) == 0 || len(digits) > 18 { // 18 digits cannot overflow
		return 0, false
	}
	point, m := -1, uint64(0)
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9':
			m = 10*m + uint64(c-'0')
		case c == '.' && point < 0 && len(digits) > 1:
			point = i
		default:
			return 0, false
		}
	}
	fraction := 0
	if point >= 0 {
		fraction = len(digits) - 1 - point
	}
	if m > maxMantissa || fraction > maxFraction {
		return 0, false
	}
	x = float64(m) / powers[fraction]
	if s[0] == '-' {
		x = -x
	}
	return x, true
}

var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

func isSignedNaN(s string) bool {
	return len(s) == 4 && (s[0] == '-' || s[0] == '+') && strings.EqualFold(s[1:], "nan")
}

// isGo reports a number as Go writes them but tables do not: 0x1p-2, 1_000.
func isGo(s string) bool {
	if strings.IndexByte(s, '_') >= 0 {
		return true
	}
	if s[0] == '-' || s[0] == '+' {
		s = s[1:]
	}
	return len(s) > 1 && s[1]|0x20 == 'x'
}

// isNumber reports whether a field of the first line is, or was meant to be, a
// number rather than a name.
func isNumber(s string) bool {
	s = strings.TrimSpace(s)
	_, err := floats[float64]{64}.parse(s)
	return err == nil || s != "" && strings.IndexByte("0123456789+-.", s[0]) >= 0
}

// isMissing reports whether a field says that there is no number.
func isMissing(s string) bool {
	switch strings.ToLower(s) {
	case "", "na", "n/a", "null":
		return true
	}
	return false
}

// rowParser appends the numbers of a line to dst.
type rowParser[T nd.Real] func(o *options, cols int, line []byte, dst []T) ([]T, error)

// rowParserOf returns the parser for T, chosen here so that no field has to ask.
func rowParserOf[T nd.Real]() rowParser[T] {
	bits := int(unsafe.Sizeof(*new(T))) * 8
	switch any(*new(T)).(type) {
	case float32, float64:
		return func(o *options, cols int, line []byte, dst []T) ([]T, error) {
			return parseRow(floats[T]{bits}, o, cols, line, dst)
		}
	case int8, int16, int32, int64:
		return func(o *options, cols int, line []byte, dst []T) ([]T, error) {
			return parseRow(integers[T]{bits}, o, cols, line, dst)
		}
	}
	return func(o *options, cols int, line []byte, dst []T) ([]T, error) {
		return parseRow(unsigneds[T]{bits}, o, cols, line, dst)
	}
}

func parseRow[T nd.Real, N number[T]](n N, o *options, cols int, line []byte, dst []T) ([]T, error) {
	pos := 0
	for k := range cols {
		if pos < 0 {
			return nil, faultf(len(line), "%s where the first line has %d", counted(k), cols)
		}
		f, at, next, err := o.field(line, pos)
		if err != nil {
			return nil, err
		}
		x, err := n.parse(unsafe.String(unsafe.SliceData(f), len(f)))
		if err != nil {
			if x, err = parseOdd(n, o, k, string(f), at, err); err != nil {
				return nil, err
			}
		}
		dst = append(dst, x)
		pos = next
	}
	if pos >= 0 {
		all, err := o.split(line)
		if err != nil {
			return nil, err
		}
		return nil, faultf(pos, "%s where the first line has %d", counted(len(all)), cols)
	}
	return dst, nil
}

// parseOdd reads a field that is no plain number, or says what is wrong with it.
func parseOdd[T nd.Real, N number[T]](n N, o *options, k int, s string, at int, err error) (T, error) {
	if t := strings.TrimSpace(s); t != s { // inside quotes
		if x, err := n.parse(t); err == nil {
			return x, nil
		}
	}
	var zero T
	switch {
	case o.missing && isMissing(s):
		return T(math.NaN()), nil
	case s == "":
		return zero, faultf(at, "field %d is empty (csv.MissingAsNaN reads it as NaN)", k+1)
	case errors.Is(err, strconv.ErrRange):
		return zero, faultf(at, "field %d: %s is out of range for %T", k+1, shortened(s), zero)
	case isFloat[T]():
		return zero, faultf(at, "field %d: %s is not a number", k+1, shortened(s))
	}
	return zero, faultf(at, "field %d: %s is not an integer", k+1, shortened(s))
}

func isFloat[T nd.Real]() bool {
	half := 0.5
	return T(half) != 0
}

func counted(fields int) string {
	if fields == 1 {
		return "1 field"
	}
	return fmt.Sprintf("%d fields", fields)
}

func shortened(s string) string {
	if len(s) > 40 {
		s = s[:37] + "..."
	}
	return strconv.Quote(s)
}
