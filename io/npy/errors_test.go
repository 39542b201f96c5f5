package npy_test

import (
	"encoding/binary"
	"os"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io/internal/iotest"
	"caloric/io/npy"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

func TestLoadOfTheWrongType(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, tt := range []struct{ name, want string }{
			{"int64", "byte 20: the file holds int64 (dtype <i8), not float64; load it as int64 and convert it with nd.AsType"},
			{"float32_big", "byte 20: the file holds float32 (dtype >f4), not float64; load it as float32 and convert it with nd.AsType"},
			{"bool", "byte 20: the file holds bool (dtype |b1), not float64; load it as bool and convert it with nd.AsType"},
			{"bad_object", "byte 20: dtype object: the file holds pickled Python objects, not numbers"},
			{"bad_record", "byte 20: dtype [('x', '<f8'), ('y', '<i4', (2,))] is not supported"},
			{"bad_half", "byte 20: dtype <f2 is not supported"},
			{"bad_string", "byte 20: dtype <U2 is not supported"},
			{"bad_bytes", "byte 20: dtype |S2 is not supported"},
			{"bad_time", "byte 20: dtype <M8[D] is not supported"},
			{"bad_long", "byte 20: dtype <f16 is not supported"},
		} {
			path := "testdata/" + tt.name + ".npy"
			a, err := npy.Load[float64](c, path, 0)
			iotest.IsError(t, err, path+": "+tt.want)
			if a != nil {
				t.Errorf("%s: an array beside the error", tt.name)
			}
		}
	})
}

// file returns a .npy file of the given header text and data.
func file(version byte, text string, data int) string {
	h := []byte{0x93, 'N', 'U', 'M', 'P', 'Y', version, 0}
	if version == 1 {
		h = binary.LittleEndian.AppendUint16(h, uint16(len(text)))
	} else {
		h = binary.LittleEndian.AppendUint32(h, uint32(len(text)))
	}
	return string(h) + text + strings.Repeat("\x00", data)
}

func TestLoadOfBadFiles(t *testing.T) {
	good := "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n"
	in := func(old, new string) string { return file(1, strings.Replace(good, old, new, 1), 48) }
	cases := []struct{ name, contents, want string }{
		{"empty", "", "byte 0: the file ends within its first 6 bytes, which make a .npy file"},
		{"short", "\x93NUM", "byte 4: the file ends within its first 6 bytes, which make a .npy file"},
		{"magic only", "\x93NUMPY\x01", "byte 7: the file ends within its header"},
		{"no length", "\x93NUMPY\x02\x00\x10\x00", "byte 10: the file ends within its header"},
		{"text", "1,2\n3,4\n", `byte 0: no .npy file: it does not start with \x93NUMPY`},
		{"nearly", "\x93NUMPX\x01\x00", `byte 5: no .npy file: it does not start with \x93NUMPY`},
		{"version", file(4, good, 48), "byte 6: format version 4.0 is not 1.0, 2.0 or 3.0"},
		{"header cut", file(1, good, 0)[:40], "byte 40: the file ends within its header of 60 bytes"},
		{"huge header", "\x93NUMPY\x02\x00\xff\xff\xff\xff" + good, "byte 8: a header of 4294967295 bytes"},
		{"truncated", file(1, good, 47), "byte 117: the file ends here, but shape (2, 3) of float64 needs 1 bytes more"},
		{"no data", file(3, good, 0), "byte 72: the file ends here, but shape (2, 3) of float64 needs 48 bytes more"},
		{"trailing", file(1, good, 50), "byte 118: 2 bytes follow the last element of shape (2, 3) of float64"},
		{"no dict", file(1, "hello\n", 0), "byte 10: '{' expected in the header"},
		{"nothing", file(1, "", 0), "byte 10: '{' expected in the header"},
		{"no shape", in("'shape': (2, 3), ", ""), "byte 10: the header has no key \"shape\""},
		{"no descr", in("'descr': '<f8', ", ""), "byte 10: the header has no key \"descr\""},
		{"twice", in("'shape'", "'descr'"), `byte 51: key "descr" stands twice`},
		{"unknown key", in("'shape'", "'form'"), `byte 51: unknown key "form"`},
		{"no colon", in("'descr':", "'descr'"), "byte 19: ':' expected in the header"},
		{"no comma", in("'<f8',", "'<f8'"), "byte 26: ',' or '}' expected in the header"},
		{"open string", in("'<f8',", "'<f8"), "byte 26: ',' or '}' expected in the header"},
		{"no bool", in("False", "false"), "byte 44: True or False expected in the header"},
		{"negative", in("(2, 3)", "(-2, 3)"), "byte 61: extent expected in the shape"},
		{"float extent", in("(2, 3)", "(2., 3)"), "byte 62: ')' expected in the header"},
		{"number shape", in("(2, 3)", "(6)"), "byte 61: the shape is a number, not a tuple"},
		{"list shape", in("(2, 3)", "[2, 3]"), "byte 60: '(' expected in the header"},
		{"large shape", in("(2, 3)", "(9223372036854775807, 2)"), "byte 60: shape (9223372036854775807, 2) has more than 2^63-1 elements"},
		{"larger extent", in("(2, 3)", "(9223372036854775808, 2)"), "byte 61: extent expected in the shape"},
		{"large data", in("(2, 3)", "(4611686018427387904, 1)"), "byte 88: shape (4611686018427387904, 1) of float64 does not fit into 2^63 bytes"},
		{"many axes", in("(2, 3)", "("+strings.Repeat("1, ", 17)+")"), "byte 60: shape (1" + strings.Repeat(", 1", 16) + ") has more than 16 axes"},
		{"open bracket", in("'<f8'", "[('x', '<f8')"), "byte 20: a bracket is not closed in the header"},
		{"goes on", in("}", "}, 1"), "byte 69: the header goes on after its dictionary"},
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, tt := range cases {
			path := iotest.File(t, c, tt.name+".npy", tt.contents)
			for axis := split.None; axis < 2; axis++ {
				_, err := npy.Load[float64](c, path, axis)
				iotest.IsError(t, err, path+": "+tt.want)
			}
		}
		for _, contents := range []string{
			file(1, "{'shape':(2L,3L),'fortran_order':False,\"descr\":\"<f8\"}", 48),
			file(2, "  {'descr': 'f8' , 'fortran_order' : False, 'shape': (2,\n3,)}  \n", 48),
		} {
			path := iotest.File(t, c, "odd.npy", contents)
			loadPath(t, c, path, nd.Shape{2, 3}, func(int) float64 { return 0 })
		}
	})
}

// TestLoadOfOddBools reads bytes that are neither 0 nor 1, which are true.
func TestLoadOfOddBools(t *testing.T) {
	contents := file(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (7,), }", 0) + "\x00\x01\x02\xff\x00\x80\x00"
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := iotest.File(t, c, "bool.npy", contents)
		loadPath(t, c, path, nd.Shape{7}, func(i int) bool { return i == 1 || i == 2 || i == 3 || i == 5 })
	})
}

func TestLoadErrorsOfTheCaller(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []nd.Axis{3, -2} {
			_, err := npy.Load[float64](c, "testdata/float64.npy", axis)
			if err == nil || !strings.HasSuffix(err.Error(), "is out of range for shape (4, 3, 2)") {
				t.Errorf("split %d: %v", axis, err)
			}
		}
		_, err := npy.Load[float64](c, "testdata/none.npy", 0)
		iotest.IsError(t, err, "open testdata/none.npy: no such file or directory")
		if !os.IsNotExist(unwrapped(err)) {
			t.Errorf("%v does not say fs.ErrNotExist", err)
		}
	})
}

func unwrapped(err error) error { return err.(interface{ Unwrap() error }).Unwrap() }

// TestLoadWhenOneRankFails lets only one rank fail to open or to read.
func TestLoadWhenOneRankFails(t *testing.T) {
	for _, op := range []string{"open", "read"} {
		spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
			bad := c.Size() - 1
			if c.Size() == 1 && op == "read" {
				return // there a read of the header fails: another message
			}
			defer iotest.Break(c, bad, op)()
			path := "testdata/wide.npy"
			for _, axis := range []nd.Axis{split.None, 1} {
				_, err := npy.Load[float64](c, path, axis)
				iotest.IsError(t, err, iotest.OnRank(c, bad)+op+" "+path+": "+iotest.ErrBroken.Error())
			}
		})
	}
}
