package nd_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// dice turns a fuzzer's bytes into choices; when they run out every choice is 0.
type dice []byte

// below returns a number less than n.
func (d *dice) below(n int) int {
	if len(*d) == 0 {
		return 0
	}
	b := (*d)[0]
	*d = (*d)[1:]
	return int(b) % n
}

func (d *dice) shape() nd.Shape {
	s := make(nd.Shape, 1+d.below(3))
	for k := range s {
		s[k] = d.below(6)
	}
	return s
}

// layout returns any layout of shape: replicated, or any counts along any axis.
func (d *dice) layout(ranks int, shape nd.Shape) *split.Layout {
	axis := split.Axis(d.below(len(shape)+1) - 1)
	if axis == split.None {
		return split.Block(shape, axis, ranks)
	}
	counts, left := make([]int, ranks), shape[axis]
	for r := range counts {
		counts[r] = d.below(left + 1)
		left -= counts[r]
	}
	counts[ranks-1] += left
	return split.WithCounts(shape, axis, counts)
}

// bound returns a bound of a range of an axis of extent n, or past its ends.
func (d *dice) bound(n int) int {
	if i := d.below(2*n + 6); i > 0 {
		return i - n - 3
	}
	return nd.Open
}

// selected is a basic slice with what it selects, worked out one axis at a time.
type selected struct {
	items []nd.Item
	shape nd.Shape
	at    []int // the positions in the C order of the source
}

func (d *dice) slice(shape nd.Shape) selected {
	s := selected{shape: nd.Shape{}, at: []int{0}}
	axis := func(picked []int, n int) {
		var next []int
		for _, base := range s.at {
			for _, i := range picked {
				next = append(next, base*n+i)
			}
		}
		s.at = next
	}
	whole := func(n int) {
		s.shape = append(s.shape, n)
		axis(pySlice(nd.Open, nd.Open, 1, n), n)
	}
	ellipsis := d.below(5)
	for k := 0; k < len(shape); k++ {
		n := shape[k]
		if k == ellipsis { // in place of this axis
			s.items = append(s.items, nd.Ellipsis())
			whole(n)
			continue
		}
		switch d.below(8) {
		case 0, 1:
			if n > 0 {
				i := d.below(2*n) - n
				s.items = append(s.items, nd.Index(i))
				axis([]int{(i + n) % n}, n)
				continue
			}
			fallthrough
		case 2:
			s.items = append(s.items, nd.Whole())
			whole(n)
			continue
		case 3:
			s.items = append(s.items, nd.NewAxis())
			s.shape = append(s.shape, 1)
		}
		start, stop, step := d.bound(n), d.bound(n), d.below(6)-3
		if step >= 0 {
			step++
		}
		s.items = append(s.items, nd.Range(start, stop, step))
		picked := pySlice(start, stop, step, n)
		s.shape = append(s.shape, len(picked))
		axis(picked, n)
	}
	return s
}

// fuzzRanks runs f on a world of the ranks that the dice choose.
func fuzzRanks(t *testing.T, data []byte, f func(c *spmd.Comm, d dice)) {
	spmdtest.Embedded(t)
	d := dice(data)
	n := 1 + d.below(5)
	spmdtest.Run(t, n, func(c *spmd.Comm) { f(c, d) })
}

// foundSeeds returns the inputs of testdata/seeds_<name>.txt, which fuzzing found to
// take new ways through the code: a line each.
func foundSeeds(f *testing.F, name string) []string {
	text, err := os.ReadFile("testdata/seeds_" + name + ".txt")
	if err != nil {
		f.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// addFound adds the found inputs of a test that takes bytes.
func addFound(f *testing.F, name string) {
	for _, line := range foundSeeds(f, name) {
		s, err := strconv.Unquote(line)
		if err != nil {
			f.Fatalf("%v: %s", err, line)
		}
		f.Add([]byte(s))
	}
}

// addSeeds adds reproducible seeds.
func addSeeds(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 60 {
		b := make([]byte, 48)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		f.Add(b)
	}
}

func FuzzSlice(f *testing.F) {
	addSeeds(f)
	addFound(f, "slice")
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRanks(t, data, func(c *spmd.Comm, d dice) {
			shape := d.shape()
			a := counting(c, d.layout(c.Size(), shape))
			s := d.slice(shape)
			want := make([]int32, len(s.at))
			for i, p := range s.at {
				want[i] = int32(p) + 1
			}
			got := a.Slice(s.items...)
			if !got.Shape().Equal(s.shape) || !slices.Equal(got.Gather(), want) {
				t.Errorf("%v of %v: shape %v, want %v: %v, want %v", s.items, a.Layout(), got.Shape(), s.shape, got.Gather(), want)
			}
			// A slice of the slice, which may be a view, or unbalanced.
			if len(s.shape) == 0 || len(s.shape) > 3 {
				return
			}
			u := d.slice(s.shape)
			again := make([]int32, len(u.at))
			for i, p := range u.at {
				again[i] = want[p]
			}
			if got := got.Slice(u.items...); !got.Shape().Equal(u.shape) || !slices.Equal(got.Gather(), again) {
				t.Errorf("%v of %v of %v: %v, want %v", u.items, s.items, a.Layout(), got.Gather(), again)
			}
		})
	})
}

// values returns negative numbers in an array of a shape that broadcasts to shape,
// and them broadcast, in C order.
func (d *dice) values(c *spmd.Comm, shape nd.Shape) (*nd.NDArray[int32], []int32) {
	vs := slices.Clone(shape[d.below(len(shape)+1):])
	for k := range vs {
		if d.below(4) == 0 {
			vs[k] = 1
		}
	}
	l := split.Block(vs, split.None, c.Size())
	if len(vs) > 0 {
		l = d.layout(c.Size(), vs)
	}
	v := nd.FromLayout(c, l, func(i []int) int32 { return -int32(flat(vs, i)) - 1 })
	var all []int32
	eachIndex(shape, func(index []int) {
		i := slices.Clone(index[len(shape)-len(vs):])
		for k := range i {
			if vs[k] == 1 {
				i[k] = 0
			}
		}
		all = append(all, -int32(flat(vs, i))-1)
	})
	return v, all
}

func FuzzSetSlice(f *testing.F) {
	addSeeds(f)
	addFound(f, "setslice")
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRanks(t, data, func(c *spmd.Comm, d dice) {
			shape := d.shape()
			l := d.layout(c.Size(), shape)
			a := counting(c, l)
			s := d.slice(shape)
			v, all := d.values(c, s.shape)
			want := countTo(shape.Size())
			for i, p := range s.at {
				want[p] = all[i]
			}
			a.SetSlice(v, s.items...)
			if !slices.Equal(a.Gather(), want) || !a.Layout().Equal(l) {
				t.Errorf("%v of %v = %v: %v, want %v", s.items, l, v.Layout(), a.Gather(), want)
			}
			w, scalar := nd.Copy(a), slices.Clone(want)
			for _, p := range s.at {
				scalar[p] = 7
			}
			w.SetSliceScalar(7, s.items...)
			checkValues(t, w, scalar)
		})
	})
}

// keys returns indices of an axis of extent n > 0 in an array of a shape that
// broadcasts to shape, and the indices broadcast, from 0 on.
func (d *dice) keys(c *spmd.Comm, shape nd.Shape, n int) (*nd.NDArray[int64], []int) {
	v, all := d.values(c, shape)
	salt := d.below(251)
	k := nd.FromLayout(c, v.Layout(), func(i []int) int64 {
		return int64((flat(v.Shape(), i)+1)*(salt+1)%(2*n) - n)
	})
	at := make([]int, len(all))
	for i, x := range all {
		at[i] = (int(-x)*(salt+1)%(2*n) - n + n) % n
	}
	return k, at
}

// FuzzTake reads, assigns and adds by arrays of indices.
func FuzzTake(f *testing.F) {
	addSeeds(f)
	addFound(f, "take")
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRanks(t, data, func(c *spmd.Comm, d dice) {
			shape := d.shape()
			if shape.Size() == 0 {
				return
			}
			l := d.layout(c.Size(), shape)
			a := counting(c, l)
			first := d.below(len(shape))       // the first axis that has keys
			n := 1 + d.below(len(shape)-first) // how many have
			ks := d.shape()                    // the keys' shape
			ks = ks[:d.below(len(ks)+1)]
			arrays := make([]*nd.NDArray[int64], first+n)
			index := make([][]int, n)
			full := nd.Shape{} // the keys' shape as broadcast from their arrays
			for j := range n {
				arrays[first+j], index[j] = d.keys(c, ks, shape[first+j])
				s, err := split.BroadcastShapes(full, arrays[first+j].Shape())
				if err != nil {
					t.Fatal(err)
				}
				full = s
			}
			// The reference works on all of ks; axes that no array has are left out.
			if !full.Equal(ks) {
				ks = full
				for j := range n {
					b := nd.BroadcastTo(arrays[first+j], ks...).Gather()
					index[j] = index[j][:0]
					for _, i := range b {
						index[j] = append(index[j], (int(i)+shape[first+j])%shape[first+j])
					}
				}
			}
			result := slices.Concat(shape[:first], ks, shape[first+n:])
			var at []int // the positions in a of the result's elements
			eachIndex(result, func(i []int) {
				key := flat(ks, i[first:first+len(ks)])
				src := slices.Clone(i[:first])
				for j := range n {
					src = append(src, index[j][key])
				}
				at = append(at, flat(shape, append(src, i[first+len(ks):]...)))
			})
			want := make([]int32, len(at))
			for i, p := range at {
				want[i] = int32(p) + 1
			}
			got := nd.TakeAt(a, arrays...)
			if !got.Shape().Equal(result) || !slices.Equal(got.Gather(), want) {
				t.Errorf("keys of %v from axis %d on of %v: %v, want %v", arrays[first].Layout(), first, l, got.Gather(), want)
			}
			v, all := d.values(c, result)
			set, sum := countTo(shape.Size()), countTo(shape.Size())
			// The values of equal keys count in the order of the keys, whatever the rows.
			for i, p := range at {
				set[p] = all[i]
				sum[p] += all[i]
			}
			b := nd.Copy(a)
			nd.SetAt(a, arrays, v)
			if !slices.Equal(a.Gather(), set) {
				t.Errorf("keys of %v from axis %d on of %v set to %v: %v, want %v", arrays[first].Layout(), first, l, v.Layout(), a.Gather(), set)
			}
			nd.AddAt(b, arrays, v)
			checkValues(t, b, sum)
		})
	})
}

// FuzzMask reads and assigns by masks.
func FuzzMask(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRanks(t, data, func(c *spmd.Comm, d dice) {
			shape := d.shape()
			l := d.layout(c.Size(), shape)
			a := counting(c, l)
			lead := 1 + d.below(len(shape))
			salt := d.below(97)
			inside := func(i []int) bool { return (flat(shape[:lead], i)*37+salt)%5 < 2 }
			mask := nd.FromLayout(c, d.layout(c.Size(), shape[:lead]), inside)
			var want []int32
			var at []int
			eachIndex(shape, func(i []int) {
				if inside(i[:lead]) {
					want, at = append(want, int32(flat(shape, i))+1), append(at, flat(shape, i))
				}
			})
			got := nd.MaskedSelect(a, mask)
			if !slices.Equal(got.Gather(), want) {
				t.Errorf("mask %v of %v: %v, want %v", mask.Layout(), l, got.Gather(), want)
			}
			v, all := d.values(c, got.Shape())
			set := countTo(shape.Size())
			for i, p := range at {
				set[p] = all[i]
			}
			nd.SetWhere(a, mask, v)
			if !slices.Equal(a.Gather(), set) {
				t.Errorf("mask %v of %v set to %v: %v, want %v", mask.Layout(), l, v.Layout(), a.Gather(), set)
			}
		})
	})
}
