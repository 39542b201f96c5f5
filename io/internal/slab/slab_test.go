package slab_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/io/internal/iotest"
	"caloric/io/internal/slab"
	"caloric/split"
	"caloric/spmd"
)

func TestMain(m *testing.M) { spmdtest.Main(m) }

// TestRuns reads and writes the parts of arrays whose elements are their
// positions in the file.
func TestRuns(t *testing.T) {
	for _, shape := range []split.Shape{{}, {0}, {7}, {4, 3}, {3, 0, 2}, {2, 5, 3}, {1, 1, 9}, {2, 3, 2, 5}} {
		n := shape.Size()
		file := make([]int32, n)
		for i := range file {
			file[i] = int32(i)
		}
		const off = 8
		image := append(make([]byte, off), slab.Bytes(file)...)
		for ranks := 1; ranks < 6; ranks++ {
			for _, l := range iotest.Layouts(shape, ranks) {
				out := buffer(make([]byte, len(image)))
				touched := 0
				for r := range ranks {
					runs := slab.RunsOf(l, r)
					part := make([]int32, runs.Length*runs.Count)
					if err := slab.Read(bytes.NewReader(image), off, runs, part); err != nil {
						t.Errorf("%v rank %d: %v", l, r, err)
					}
					if want := elements(l, r, ranks); !slices.Equal(part, want) {
						t.Errorf("%v rank %d reads %v, want %v", l, r, part, want)
					}
					if err := slab.Write(out, off, runs, part); err != nil {
						t.Errorf("%v rank %d: %v", l, r, err)
					}
					touched += len(part)
				}
				if !bytes.Equal(out, image) || touched != n {
					t.Errorf("%v: %d elements were written as %v", l, touched, out)
				}
			}
		}
	}
}

// elements returns the positions in C order of what rank holds, of a replicated
// array its share.
func elements(l *split.Layout, rank, ranks int) []int32 {
	out := []int32{}
	if l.Replicated() {
		flat := split.Block(split.Shape{l.Shape().Size()}, 0, ranks)
		lo, hi := flat.Range(rank)
		for i := lo; i < hi; i++ {
			out = append(out, int32(i))
		}
		return out
	}
	lo, hi := l.Range(rank)
	inner := l.Shape()[l.Axis()+1:].Size()
	for i := range l.Shape().Size() {
		if k := i / inner % l.Shape()[l.Axis()]; k >= lo && k < hi {
			out = append(out, int32(i))
		}
	}
	return out
}

type buffer []byte

func (b buffer) WriteAt(p []byte, off int64) (int, error) { return copy(b[off:], p), nil }

func TestStaged(t *testing.T) {
	for _, tt := range []struct {
		layout *split.Layout
		want   string
	}{
		{split.Block(split.Shape{1000, 8}, 0, 4), "(1000, 8) split 0"},
		{split.Block(split.Shape{1000, 8}, 1, 4), "(1000, 8) split 0"},
		{split.Block(split.Shape{1000, 8}, 1, 1), "(1000, 8) split 1"},
		{split.Block(split.Shape{1000, 8}, split.None, 4), "(1000, 8) replicated"},
		{split.Block(split.Shape{1000, 8000}, 1, 4), "(1000, 8000) split 1"}, // long runs
		{split.Block(split.Shape{9, 8}, 1, 4), "(9, 8) split 1"},             // few runs
		{split.Block(split.Shape{2, 500, 8}, 2, 4), "(2, 500, 8) split 1"},   // axis 0 is too short
		{split.Block(split.Shape{3, 3, 3, 8}, 3, 4), "(3, 3, 3, 8) split 3"}, // every one is
		{split.Block(split.Shape{1000, 0}, 1, 4), "(1000, 0) split 1"},
		{split.WithCounts(split.Shape{1000, 8}, 1, []int{0, 8}), "(1000, 8) split 0"},
	} {
		if got := slab.Staged(tt.layout, 8); got.String() != tt.want {
			t.Errorf("%v is staged as %v, want %s", tt.layout, got, tt.want)
		}
	}
}

func TestSwap(t *testing.T) {
	for word, want := range map[int]string{1: "01234567", 2: "10325476", 4: "32107654", 8: "76543210"} {
		b := []byte("01234567")
		if slab.Swap(b, word); string(b) != want {
			t.Errorf("words of %d: %s, want %s", word, b, want)
		}
	}
}

func TestFromRank(t *testing.T) {
	type value struct {
		Shape split.Shape
		Text  string
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for root := range c.Size() {
			calls := 0
			v, err := slab.FromRank(c, root, func() (value, error) {
				calls++
				return value{split.Shape{1, root}, "a\xff"}, nil
			})
			if err != nil || !v.Shape.Equal(split.Shape{1, root}) || v.Text != "a\xff" {
				t.Errorf("%+v, %v", v, err)
			}
			_, err = slab.FromRank(c, root, func() (value, error) { return value{}, errors.New("no value") })
			iotest.IsError(t, err, "no value")
			if (calls == 1) != (c.Rank() == root) {
				t.Errorf("called %d times on rank %d", calls, c.Rank())
			}
		}
	})
}

// TestReadPastTheEnd names the byte at which the file ends.
func TestReadPastTheEnd(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		path := iotest.File(t, c, "short", "12345")
		f, err := slab.Open(c, path)
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		_, err = f.ReadAt(make([]byte, 4), 3)
		iotest.IsError(t, err, path+": byte 5: unexpected EOF")
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error("not io.ErrUnexpectedEOF")
		}
		c.Barrier()
	})
}

// TestSavePanic leaves no file behind when a rank cannot go on.
func TestSavePanic(t *testing.T) {
	spmdtest.Embedded(t)
	dir := t.TempDir()
	err := spmd.Run(3, func(c *spmd.Comm) error {
		return slab.Save(c, dir+"/a", "ten bytes", 10, func(io.WriterAt) error {
			if c.Rank() == 1 {
				panic("rank 1 is lost")
			}
			return nil
		})
	})
	if err == nil {
		t.Error("no error")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}
