package csv_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io/csv"
	"caloric/io/internal/iotest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// load reads a file of the given contents with every split and compares it with
// rows of cols values.
func load[T nd.Real](t testing.TB, c *spmd.Comm, contents string, cols int, want []T, opts ...csv.Option) {
	t.Helper()
	path := iotest.File(t, c, "data.csv", contents)
	for axis := split.None; axis < 2; axis++ {
		a, err := csv.Load[T](c, path, axis, opts...)
		if err != nil {
			t.Errorf("%q split %v: %v", contents, axis, err)
			continue
		}
		shape := nd.Shape{len(want) / cols, cols}
		if !a.Shape().Equal(shape) || a.Split() != axis {
			t.Errorf("%q split %v has layout %v, want shape %v", contents, axis, a.Layout(), shape)
		}
		same := func(x, y T) bool { return x == y || x != x && y != y }
		if got := a.Gather(); !slices.EqualFunc(got, want, same) {
			t.Errorf("%q split %v: %v, want %v", contents, axis, got, want)
		}
	}
}

func TestLoadFormats(t *testing.T) {
	one23 := []float64{1, 2, 3, 4, 5, 6}
	cases := []struct {
		name, contents string
		opts           []csv.Option
	}{
		{"plain", "1,2\n3,4\n5,6\n", nil},
		{"no final newline", "1,2\n3,4\n5,6", nil},
		{"CRLF", "1,2\r\n3,4\r\n5,6\r\n", nil},
		{"CRLF, no final newline", "1,2\r\n3,4\r\n5,6", nil},
		{"blank lines", "\n1,2\n\n  \n3,4\n5,6\n\n\r\n\n", nil},
		{"header", "x,y\n1,2\n3,4\n5,6", nil},
		{"header asked for", "x,y\n1,2\n3,4\n5,6", []csv.Option{csv.Header(true)}},
		{"header of numbers", "2001,2002\n1,2\n3,4\n5,6", []csv.Option{csv.Header(true)}},
		{"header CRLF", "x,y\r\n1,2\r\n3,4\r\n5,6\r\n", nil},
		{"byte order mark", "\xef\xbb\xbf1,2\n3,4\n5,6\n", nil},
		{"byte order mark, header", "\xef\xbb\xbfx,y\n1,2\n3,4\n5,6\n", nil},
		{"semicolons", "1;2\n3;4\n5;6\n", []csv.Option{csv.Comma(';')}},
		{"tabs", "1\t2\n3\t 4\n5 \t6\n", []csv.Option{csv.Comma('\t')}},
		{"bars", "1|2\n3|4\n5|6\n", []csv.Option{csv.Comma('|')}},
		{"spaces", "1 2\n 3\t4 \n5   6", []csv.Option{csv.Comma(' ')}},
		{"spaces and quotes", "\"a b\"  c\n1 \"2\"\n 3\t4 \n\"5\" 6", []csv.Option{csv.Comma(' ')}},
		{"spaces around", " 1 ,\t2\n3 , 4  \n 5,6\t\n", nil},
		{"quotes", "\"1\",2\n3,\"4\"\n \"5\" , \" 6 \" \n", nil},
		{"quotes and tabs", "\"1\"\t2\n3\t\"4\"\n\"5\" \t \" 6 \" \n", []csv.Option{csv.Comma('\t')}},
		{"skip", "made by hand,\n\n1,2\n3,4\n5,6\n", []csv.Option{csv.Skip(2)}},
		{"skip and header", "\"an open quote\nx,y\n1,2\n3,4\n5,6\n", []csv.Option{csv.Skip(1)}},
		{"comments", "# a, b, c\n1,2\n#3,\n3,4\n5,6\n#", []csv.Option{csv.Comment('#')}},
		{"other spellings", "+1,2.\n3e0,.4e+1\n005,600E-2\n", nil},
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, tt := range cases {
			load(t, c, tt.contents, 2, one23, tt.opts...)
		}
		load(t, c, "1\n2\n\n3", 1, []float64{1, 2, 3})
		load(t, c, "1,2,3,4", 4, []float64{1, 2, 3, 4})
		load(t, c, "7", 1, []float32{7})
		load(t, c, "temperature\n7\n", 1, []int8{7})
	})
}

func TestLoadNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		load(t, c, "nan,NaN,NAN,-nan,+NaN\ninf,Inf,-INF,+Infinity,-infinity\n", 5,
			[]float64{nan, nan, nan, nan, nan, inf, inf, -inf, inf, -inf})
		load(t, c, "1,,3\n,NA,n/a\nnull,\"\",5\n", 3, []float64{1, nan, 3, nan, nan, nan, nan, nan, 5}, csv.MissingAsNaN())
		load(t, c, "0.1,5e-324,1.7976931348623157e308,-0\n", 4, []float64{0.1, 5e-324, math.MaxFloat64, 0})
		// Rounded once: by way of a float64 this would become 1.
		load(t, c, "1.00000005960464478", 1, []float32{1.0000001})
		load(t, c, "20200101\n20200102\n20200103\n20200104\n20200105\n", 1, []int64{20200101, 20200102, 20200103, 20200104, 20200105})
		load(t, c, "9223372036854775807,-9223372036854775808,+9007199254740993", 3, []int64{math.MaxInt64, math.MinInt64, 1<<53 + 1})
		load(t, c, "18446744073709551615,0,+9007199254740993", 3, []uint64{math.MaxUint64, 0, 1<<53 + 1})
		load(t, c, "-128,127", 2, []int8{-128, 127})
		load(t, c, "255,0", 2, []uint8{255, 0})
		load(t, c, "-32768,32767", 2, []int16{-32768, 32767})
		load(t, c, "4294967295,0", 2, []uint32{math.MaxUint32, 0})
	})
}

func TestLoadTable(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, tt := range []struct {
			contents string
			want     []string
		}{
			{"1,2\n3,4\n", nil},
			{"x,y\n1,2\n", []string{"x", "y"}},
			{" x , \"y, z\"\n1,2\n", []string{"x", "y, z"}},
			{"\"say \"\"x\"\"\",\" y\"\r\n1,2\n", []string{`say "x"`, " y"}},
			{"\xef\xbb\xbf,größe\n1,2\n", []string{"", "größe"}},
			{"\xe9t\xe9,x\n1,2\n", []string{"\xe9t\xe9", "x"}}, // Latin-1 stays as it is
		} {
			path := iotest.File(t, c, "data.csv", tt.contents)
			a, names, err := csv.LoadTable[float64](c, path, 0)
			if err != nil || !slices.Equal(names, tt.want) || (names == nil) != (tt.want == nil) {
				t.Errorf("%q: names %q, %v, want %q", tt.contents, names, err, tt.want)
			} else if cols := a.Shape()[1]; cols != 2 {
				t.Errorf("%q: %d columns", tt.contents, cols)
			}
		}
	})
}

func TestReadTable(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const text = "x,y\n1,2\n3,4\n5,6"
		a, names, err := csv.ReadTable[float64](c, strings.NewReader(text), int64(len(text)), "mine", 1)
		if err != nil || !slices.Equal(names, []string{"x", "y"}) || !slices.Equal(a.Gather(), []float64{1, 2, 3, 4, 5, 6}) || a.Split() != 1 {
			t.Errorf("%v %q %v", a, names, err)
		}
		_, _, err = csv.ReadTable[float64](c, strings.NewReader("1\nx\n"), 4, "mine", 0)
		iotest.IsError(t, err, `mine:2:1: field 1: "x" is not a number`)
	})
}

// TestLoadLeavesRowsWhereTheyFell shows the layout of a file with rows of
// different lengths, and that every rank has parsed lines of its own range only.
func TestLoadLeavesRowsWhereTheyFell(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		const rows = 40
		var b strings.Builder
		starts := make([]int, rows)
		for i := range rows {
			starts[i] = b.Len()
			fmt.Fprintf(&b, "%d,%s1\n", i, strings.Repeat("0", i))
		}
		size := b.Len()
		path := iotest.File(t, c, "data.csv", b.String())
		a, err := csv.Load[int64](c, path, 0)
		if err != nil {
			t.Error(err)
			return
		}
		counts, at := make([]int, c.Size()), func(r int) int { return size/c.Size()*r + size%c.Size()*r/c.Size() }
		for _, s := range starts {
			for r := range counts {
				if s >= at(r) && s < at(r+1) {
					counts[r]++
				}
			}
		}
		if got := a.Layout().Counts(); !slices.Equal(got, counts) {
			t.Errorf("counts %v, want %v", got, counts)
		}
		b2 := a.Balance()
		if !b2.Layout().Balanced() || !slices.Equal(b2.Gather(), a.Gather()) {
			t.Errorf("balanced: %v %v", b2.Layout(), b2.Gather())
		}
	})
}

// TestLoadFewLines has fewer lines than ranks, and a line that spans the ranges
// of several ranks.
func TestLoadFewLines(t *testing.T) {
	long := strings.Repeat(" ", 300)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		load(t, c, "1,2", 2, []float64{1, 2})
		load(t, c, "x,y\n1,2\n", 2, []float64{1, 2})
		load(t, c, "1,2\n3,"+long+"4\n5,6", 2, []float64{1, 2, 3, 4, 5, 6})
		load(t, c, long+"1,2\n3,4", 2, []float64{1, 2, 3, 4})
		load(t, c, "1,2\n3,4"+long, 2, []float64{1, 2, 3, 4})
		load(t, c, "1\n"+strings.Repeat("\n", 100)+"2", 1, []float64{1, 2})
	})
}

// TestLoadManyRows is longer than what is read at a time.
func TestLoadManyRows(t *testing.T) {
	const rows = 120_000
	var b strings.Builder
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d,%g\n", i, -i*i, float64(i)/7)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := iotest.File(t, c, "data.csv", b.String())
		a, err := csv.Load[float64](c, path, 0)
		if err != nil {
			t.Error(err)
			return
		}
		lo, hi := a.Layout().Range(c.Rank())
		if a.Shape()[0] != rows || hi-lo < rows/c.Size()/2 {
			t.Errorf("%v, [%d:%d] here", a.Shape(), lo, hi)
		}
		x := a.Local()
		for i := lo; i < hi; i++ {
			if row := x[3*(i-lo):][:3]; row[0] != float64(i) || row[1] != -float64(i*i) || row[2] != float64(i)/7 {
				t.Errorf("row %d is %v", i, row)
				return
			}
		}
	})
}

func TestLoadCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := iotest.File(t, c, "data.csv", "x,y\n1,2\n3,4\n5,6\n7,8\n")
		for axis, moved := range []string{"allgatherv:1 allreduce:1 bcast:2", "allgatherv:1 allreduce:1 alltoallv:1 bcast:2"} {
			before := c.Stats()
			if _, err := csv.Load[float64](c, path, nd.Axis(axis)); err != nil {
				t.Error(err)
			}
			want := moved
			if c.Size() == 1 {
				want = "allgatherv:1 allreduce:1 bcast:2"
			}
			if got := iotest.Calls(c.Stats().Sub(before)); got != want {
				t.Errorf("split %d communicates %s, want %s", axis, got, want)
			}
		}
	})
}

func TestLoadOptionsThatDoNotFit(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for name, f := range map[string]func(){
			"axis":     func() { csv.Load[float64](c, "none.csv", 2) },
			"NaN":      func() { csv.Load[int64](c, "none.csv", 0, csv.MissingAsNaN()) },
			"names":    func() { csv.Load[int64](c, "none.csv", 0, csv.Names("x")) },
			"digit":    func() { csv.Comma('1') },
			"point":    func() { csv.Comma('.') },
			"newline":  func() { csv.Comma('\n') },
			"negative": func() { csv.Skip(-1) },
			"break":    func() { csv.Names("a\nb") },
		} {
			if nd.Try(f) == nil {
				t.Errorf("%s: no error", name)
			}
		}
	})
}
