package csv

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// linesOf returns the lines of text, as a program would that reads it whole.
func linesOf(text string) []string {
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}

// checkCut cuts text into spans for several ranks and compares all their lines
// with the text's.
func checkCut(t *testing.T, text string, start, ranks, chunk int) {
	t.Helper()
	size := int64(len(text))
	var got []string
	end := int64(start)
	for r := range ranks {
		s := cut(int64(start), size, r, ranks)
		if s.lo != end || s.hi < s.lo {
			t.Fatalf("%d bytes: span %d of %d is [%d:%d]", size, r, ranks, s.lo, s.hi)
		}
		end = s.hi
		err := s.each(strings.NewReader(text), chunk, func(line []byte, next int64) error {
			got = append(got, string(line))
			if next <= s.lo || next > size || next < size && text[next-1] != '\n' {
				t.Fatalf("%q: a line of [%d:%d] ends at %d", text, s.lo, s.hi, next)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := linesOf(text[start:]); end != size || !slices.Equal(got, want) {
		t.Fatalf("%q from %d, cut for %d ranks, %d bytes at a time: %q, want %q", text, start, ranks, chunk, got, want)
	}
}

func TestCut(t *testing.T) {
	for _, text := range []string{"", "\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "\n\n\n", "\r\n\r\n",
		"one\ntwo\nthree\nfour\n", "a\n" + strings.Repeat("long", 20) + "\nb\nc", "\na\n\nb\n\n"} {
		for ranks := 1; ranks < 12; ranks++ {
			for chunk := 1; chunk < 9; chunk++ {
				for start := range min(len(text)+1, 3) {
					checkCut(t, text, start, ranks, chunk)
				}
			}
		}
	}
}

// reader records which bytes of a text are read.
type reader struct {
	text   string
	lo, hi int64
}

func (r *reader) ReadAt(p []byte, off int64) (int, error) {
	r.lo, r.hi = min(r.lo, off), max(r.hi, off+int64(len(p)))
	if r.hi == int64(len(r.text)) {
		return copy(p, r.text[off:]), io.EOF // as a reader may
	}
	return copy(p, r.text[off:]), nil
}

// TestCutReadsOnlyItsPart reads the byte before a span, to see whether a line
// ends there, and as much behind it as the last line may need.
func TestCutReadsOnlyItsPart(t *testing.T) {
	text := strings.Repeat("12,34\n", 50_000)
	for r := range 5 {
		s := cut(0, int64(len(text)), r, 5)
		f := &reader{text: text, lo: s.size}
		if err := s.each(f, 10_000, func([]byte, int64) error { return nil }); err != nil {
			t.Error(err)
		}
		if f.lo < s.lo-1 || f.hi > s.hi+tail {
			t.Errorf("for [%d:%d] the bytes [%d:%d] are read", s.lo, s.hi, f.lo, f.hi)
		}
	}
}

// FuzzCut finds every line once, whatever the number of ranks.
func FuzzCut(f *testing.F) {
	f.Add("a,b\r\n1,2\n\n3,4", byte(0), byte(3), byte(4))
	f.Add("\xef\xbb\xbf1\n2\n", byte(3), byte(5), byte(1))
	f.Fuzz(func(t *testing.T, text string, start, ranks, chunk byte) {
		checkCut(t, text, min(int(start), len(text)), int(ranks%16)+1, int(chunk%32)+1)
	})
}

// FuzzFields splits any line: fields written out again are read the same.
func FuzzFields(f *testing.F) {
	f.Add("1, 2,\"a \"\"b\"\"\" ,", byte(','))
	f.Add(" 1\t2  \"3\" ", byte(' '))
	f.Add("1\t\"2\"\t3", byte('\t'))
	f.Fuzz(func(t *testing.T, line string, comma byte) {
		if strings.IndexByte(", \t;|", comma) < 0 || strings.ContainsAny(line, "\r\n") {
			return
		}
		o := &options{comma: comma}
		fields, err := o.split([]byte(line))
		if err != nil {
			if bad := err.(*fault); bad.column < 1 || bad.column > len(line)+1 {
				t.Fatalf("%q: %v in column %d", line, err, bad.column)
			}
			return
		}
		quoted := make([]string, len(fields))
		for i, s := range fields {
			quoted[i] = o.quote(s)
		}
		again := strings.Join(quoted, string(rune(comma)))
		back, err := o.split([]byte(again))
		if err != nil || !slices.Equal(back, fields) {
			t.Fatalf("%q is %q, written %q, read %q, %v", line, fields, again, back, err)
		}
		// Parsing stays within the line, whatever stands in it.
		dst, err := rowParserOf[float64]()(o, len(fields), []byte(line), nil)
		if err == nil && len(dst) != len(fields) {
			t.Fatalf("%q: %d numbers of %d fields", line, len(dst), len(fields))
		}
	})
}

func TestParseAllocates(t *testing.T) {
	o, parse := &options{comma: ','}, rowParserOf[float64]()
	line := bytes.Repeat([]byte("1.25,-3e7,\"4\", 0.3333333333333333 ,"), 20)
	line = line[:len(line)-1]
	dst := make([]float64, 0, 80)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := parse(o, 80, line, dst); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a row", n)
	}
}

// TestParseShort compares with the standard library, to the bit.
func TestParseShort(t *testing.T) {
	same := func(s string) {
		t.Helper()
		for _, bits := range []int{32, 64} {
			x, ok := parseShort(s, bits)
			if !ok {
				continue
			}
			want, err := strconv.ParseFloat(s, bits)
			if bits == 32 {
				x = float64(float32(x))
			}
			if err != nil || math.Float64bits(x) != math.Float64bits(want) {
				t.Fatalf("%q as float%d is %v, not %v, %v", s, bits, x, want, err)
			}
		}
	}
	for _, s := range []string{"0", "-0", "-0.0", "+1", "1.", ".5", "-.5", "", "-", "+", ".", "-.", "--1", "1.2.3", "1e5", "1_0",
		"9007199254740992", "9007199254740993", "16777216", "16777217", "0.0000000000000001", "123456789012345678", "1234567890123456789"} {
		same(s)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		n := r.Uint64N(pow10[r.IntN(17)])
		s := strconv.FormatUint(n, 10)
		if at := r.IntN(len(s) + 1); r.IntN(4) > 0 {
			s = s[:at] + "." + s[at:]
		}
		if r.IntN(2) == 0 {
			s = "-" + s
		}
		same(s)
	}
}

var pow10 = func() (p [18]uint64) {
	p[0] = 1
	for i := range 17 {
		p[i+1] = 10 * p[i]
	}
	return p
}()
