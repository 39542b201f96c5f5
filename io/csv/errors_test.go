package csv_test

import (
	"fmt"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io/csv"
	"caloric/io/internal/iotest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// fails loads a file and compares the error, which follows the file's path.
func fails[T nd.Real](t testing.TB, c *spmd.Comm, contents, want string, opts ...csv.Option) {
	t.Helper()
	path := iotest.File(t, c, "data.csv", contents)
	for axis := split.None; axis < 2; axis++ {
		a, err := csv.Load[T](c, path, axis, opts...)
		iotest.IsError(t, err, path+want)
		if a != nil {
			t.Errorf("an array beside the error %v", err)
		}
	}
}

func TestLoadOfBadFiles(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, tt := range []struct{ contents, want string }{
			{"", ": no rows: the file is empty"},
			{"\n\n  \n", ": no rows in the 3 lines of the file"},
			{"\xef\xbb\xbf", ": no rows in the 0 lines of the file"},
			{"x,y\n", ": no rows: nothing follows the names of the columns in line 1"},
			{"\nx,y", ": no rows: nothing follows the names of the columns in line 2"},
			{"x,y\r\n\r\n\n", ": no rows: nothing follows the names of the columns in line 1"},
			{"\xff\xfe1\x00,\x002\x00\n\x00", ": the text is UTF-16, not UTF-8"},

			{"1,2\n3,4,5\n6,7\n", ":2:5: 3 fields where the first line has 2"},
			{"1,2\n3\n6,7\n", ":2:2: 1 field where the first line has 2"},
			{"x,y\n1,2,\n", ":2:5: 3 fields where the first line has 2"},
			{"x,y,z\n1,2,3\n1,2\n", ":3:4: 2 fields where the first line has 3"},
			{"1,2\n3;4\n", ":2:1: field 1: \"3;4\" is not a number"},
			{"1;2\n3;4\n", ":1:1: field 1: \"1;2\" is not a number"},
			{"1.2.3\n4\n", ":1:1: field 1: \"1.2.3\" is not a number"},

			{"1,2\n3,abc\n", ":2:3: field 2: \"abc\" is not a number"},
			{"1,2\n\n\r\n 3 ,  a\"b\"c \n", ":4:7: field 2: \"a\\\"b\\\"c\" is not a number"},
			{"1,2\n3,\"four\"\n", ":2:4: field 2: \"four\" is not a number"},
			{"1,2\n3,4 5\n", ":2:3: field 2: \"4 5\" is not a number"},
			{"1,2\n3,0x1p4\n", ":2:3: field 2: \"0x1p4\" is not a number"},
			{"1,2\n3,-0X1p4\n", ":2:3: field 2: \"-0X1p4\" is not a number"},
			{"1,2\n3,1_000\n", ":2:3: field 2: \"1_000\" is not a number"},
			{"1,2\n3,1e400\n", ":2:3: field 2: \"1e400\" is out of range for float64"},
			{"1,2\n3," + strings.Repeat("x", 50) + "\n", ":2:3: field 2: \"" + strings.Repeat("x", 37) + "...\" is not a number"},
			{"1,2\n3,\n", ":2:3: field 2 is empty (csv.MissingAsNaN reads it as NaN)"},
			{"1,2\n ,3\n", ":2:2: field 1 is empty (csv.MissingAsNaN reads it as NaN)"},
			{"1,2\n\"\",3\n", ":2:2: field 1 is empty (csv.MissingAsNaN reads it as NaN)"},
			{"1,2\n3,NA\n", ":2:3: field 2: \"NA\" is not a number"},

			{"1,2\n3,\"4\n5\",6\n", ":2:3: a quoted field does not end on its line; fields of several lines are not read"},
			{"\"x\ny\",z\n1,2\n", ":1:1: a quoted field does not end on its line; fields of several lines are not read"},
			{"1,2\n\"3\"4,5\n", ":2:4: text follows the closing quote of a field"},
			{"1,2\n3,\"\"\"\"\n", ":2:4: field 2: \"\\\"\" is not a number"},
			{"1,2\n3,4\x00\n", ":2:3: field 2: \"4\\x00\" is not a number"},
			{"1,2\r3,4\r", ":1:4: a carriage return inside a line: lines have to end in LF or CR LF"},
			{"a,b\r1,2\r3,4\r", ":1:4: a carriage return inside a line: lines have to end in LF or CR LF"},

			// The first of several, wherever the ranks' ranges lie.
			{"1\n2\n3\n4\nfive\n6\nseven\n8\nnine\n", ":5:1: field 1: \"five\" is not a number"},
			{"1\n2\n3\n4\n5\n6\nseven\n8,9\nnine\n", ":7:1: field 1: \"seven\" is not a number"},
			{"1\n2\n3\n4\n5\n6\n7\n8\nnine", ":9:1: field 1: \"nine\" is not a number"},
		} {
			fails[float64](t, c, tt.contents, tt.want)
		}
		fails[int64](t, c, "1,2\n3,4.0\n", ":2:3: field 2: \"4.0\" is not an integer")
		fails[int64](t, c, "1,2\n3,nan\n", ":2:3: field 2: \"nan\" is not an integer")
		fails[int64](t, c, "1,2\n3,9223372036854775808\n", ":2:3: field 2: \"9223372036854775808\" is out of range for int64")
		fails[uint64](t, c, "1,2\n3,18446744073709551616\n", ":2:3: field 2: \"18446744073709551616\" is out of range for uint64")
		fails[uint64](t, c, "1,2\n3,-4\n", ":2:3: field 2: \"-4\" is out of range for uint64")
		fails[int8](t, c, "1,2\n3,128\n", ":2:3: field 2: \"128\" is out of range for int8")
		fails[uint8](t, c, "1,2\n3,256\n", ":2:3: field 2: \"256\" is out of range for uint8")
		fails[float32](t, c, "1,2\n3,1e39\n", ":2:3: field 2: \"1e39\" is out of range for float32")
		fails[float64](t, c, "x,y\n1,2\n", ":1:1: field 1: \"x\" is not a number", csv.Header(false))
		fails[float64](t, c, "1,2\n3,4\n", ": no rows: nothing follows the names of the columns in line 2", csv.Header(true), csv.Skip(1))
		fails[float64](t, c, "1,2\n3,4\n", ": no rows in the 2 lines of the file", csv.Skip(7))
		fails[float64](t, c, "a b\n1 2\n3 4 5\n", ":3:5: 3 fields where the first line has 2", csv.Comma(' '))
		fails[float64](t, c, "1\t2\n3\t\n", ":2:3: field 2 is empty (csv.MissingAsNaN reads it as NaN)", csv.Comma('\t'))
		fails[float64](t, c, "# x\n1,2\n#\n3,q\n", ":4:3: field 2: \"q\" is not a number", csv.Comment('#'))
		fails[float64](t, c, "1,2\n3,?\n", ":2:3: field 2: \"?\" is not a number", csv.MissingAsNaN())
	})
}

func TestReadTableOfAnotherSize(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		_, _, err := csv.ReadTable[float64](c, strings.NewReader("1,2\n3,4\n"), 90000, "table", 0)
		iotest.IsError(t, err, "table: the text ends before its size")
		for want, f := range map[string]func(){
			"table has -1 bytes": func() { csv.ReadTable[float64](c, strings.NewReader(""), -1, "table", 0) },
			"split axis 2 is out of range for a table": func() {
				csv.ReadTable[float64](c, strings.NewReader(""), 0, "table", 2)
			},
			"comments cannot start with '1'":      func() { csv.Comment('1') },
			"fields cannot be separated by '\\n'": func() { csv.Comma('\n') },
			"-1 lines to skip":                    func() { csv.Skip(-1) },
		} {
			if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
		if err := csv.Save("", nd.Zeros[float64](c, nd.Shape{2}, 0)); err == nil || !strings.Contains(err.Error(), "the path is empty") {
			t.Errorf("error %v of saving without a path", err)
		}
	})
}

// TestLoadCountsLines puts one faulty row at every place of a long file.
func TestLoadCountsLines(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const rows = 23
		for bad := range rows {
			var b strings.Builder
			b.WriteString("first,second\r\n")
			line := 0
			for i := range rows {
				if i%5 == 0 {
					b.WriteString("\n")
				}
				if i == bad {
					line = strings.Count(b.String(), "\n") + 1
					b.WriteString("1,2,3\n")
					continue
				}
				fmt.Fprintf(&b, "%d,%d\n", i, i*i*i)
			}
			fails[float64](t, c, b.String(), fmt.Sprintf(":%d:5: 3 fields where the first line has 2", line))
		}
	})
}

func TestLoadOfNoFile(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		_, err := csv.Load[float64](c, "testdata/none.csv", 0)
		iotest.IsError(t, err, "open testdata/none.csv: no such file or directory")
		_, err = csv.Load[float64](c, ".", 0)
		iotest.IsError(t, err, "open .: not a regular file")
	})
}

// TestLoadWhenOneRankFails lets only one rank fail to open or to read.
func TestLoadWhenOneRankFails(t *testing.T) {
	contents := "x,y\n" + strings.Repeat("1,2\n", 50)
	for _, op := range []string{"open", "read"} {
		spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
			bad := c.Size() - 1
			path := iotest.File(t, c, "data.csv", contents)
			defer iotest.Break(c, bad, op)()
			for axis := split.None; axis < 2; axis++ {
				_, err := csv.Load[float64](c, path, axis)
				iotest.IsError(t, err, iotest.OnRank(c, bad)+op+" "+path+": "+iotest.ErrBroken.Error())
			}
		})
	}
}
