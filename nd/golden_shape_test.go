package nd_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// shapeCase is a case of testdata/shape.json: see gen_shape.py.
type shapeCase struct {
	name   string
	in     [][]int
	args   [][]int
	shapes [][]int
	values [][]int
}

func (c *shapeCase) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&c.name, &c.in, &c.args, &c.shapes, &c.values})
}

// shapeCall applies the function of a case to its arrays.
func shapeCall[T nd.Element](t testing.TB, name string, in []*nd.NDArray[T], args [][]int) []*nd.NDArray[T] {
	one := func(a *nd.NDArray[T]) []*nd.NDArray[T] { return []*nd.NDArray[T]{a} }
	var a *nd.NDArray[T]
	if len(in) > 0 {
		a = in[0]
	}
	arg := func(i int) []int { // args[i], if there is one
		if i < len(args) {
			return args[i]
		}
		return nil
	}
	at := func(i, j int) int { return args[i][j] }
	switch name {
	case "reshape":
		return one(a.Reshape(args[0]...))
	case "ravel":
		return one(nd.Ravel(a))
	case "resize":
		return one(nd.Resize(a, args[0]...))
	case "expanddims":
		return one(nd.ExpandDims(a, args[0]...))
	case "squeeze":
		return one(nd.Squeeze(a, args[0]...))
	case "moveaxes":
		return one(nd.MoveAxes(a, args[0], args[1]))
	case "swapaxes":
		return one(nd.SwapAxes(a, at(0, 0), at(0, 1)))
	case "rollaxis":
		return one(nd.RollAxis(a, at(0, 0), at(0, 1)))
	case "atleast":
		return one([]func(*nd.NDArray[T]) *nd.NDArray[T]{nd.Atleast1D[T], nd.Atleast2D[T], nd.Atleast3D[T]}[at(0, 0)-1](a))
	case "broadcastto":
		return one(nd.BroadcastTo(a, args[0]...))
	case "broadcastarrays":
		return nd.BroadcastArrays(in...)
	case "meshgrid":
		return nd.Meshgrid(nd.MeshOrder(at(0, 0)), in...)
	case "meshgridsparse":
		return nd.MeshgridSparse(nd.MeshOrder(at(0, 0)), in...)
	case "concatenate":
		return one(nd.Concatenate(at(0, 0), in...))
	case "stack":
		return one(nd.Stack(at(0, 0), in...))
	case "hstack":
		return one(nd.HStack(in...))
	case "vstack":
		return one(nd.VStack(in...))
	case "dstack":
		return one(nd.DStack(in...))
	case "columnstack":
		return one(nd.ColumnStack(in...))
	case "append":
		return one(nd.Append(a, in[1], args[0]...))
	case "assemble":
		n := at(0, 0)
		return one(nd.Assemble(in[:n], in[n:]))
	case "split":
		return nd.Split(a, at(0, 0), at(0, 1))
	case "arraysplit":
		return nd.ArraySplit(a, at(0, 0), at(0, 1))
	case "splitat":
		return nd.SplitAt(a, args[0], at(1, 0))
	case "hsplit":
		return nd.HSplit(a, at(0, 0))
	case "vsplit":
		return nd.VSplit(a, at(0, 0))
	case "dsplit":
		return nd.DSplit(a, at(0, 0))
	case "unstack":
		return nd.Unstack(a, at(0, 0))
	case "tile":
		return one(nd.Tile(a, args[0]...))
	case "repeat":
		return one(nd.Repeat(a, at(0, 0), arg(1)...))
	case "repeateach":
		return one(nd.RepeatEach(a, args[0], arg(1)...))
	case "roll":
		return one(nd.Roll(a, at(0, 0), arg(1)...))
	case "rolleach":
		return one(nd.RollEach(a, args[0], args[1]...))
	case "flip":
		return one(nd.Flip(a, args[0]...))
	case "fliplr":
		return one(nd.FlipLR(a))
	case "flipud":
		return one(nd.FlipUD(a))
	case "rot90":
		return one(nd.Rot90(a, at(0, 0), arg(1)...))
	case "pad":
		var widths [][2]int
		for _, w := range args[1:] {
			widths = append(widths, [2]int(w))
		}
		return one(nd.Pad(a, widths, nd.PadMode(at(0, 0))))
	case "diagonal":
		return one(nd.Diagonal(a, at(0, 0), arg(1)...))
	case "diag":
		return one(nd.Diag(a, at(0, 0)))
	case "diagflat":
		return one(nd.DiagFlat(a, at(0, 0)))
	case "tril":
		return one(nd.Tril(a, at(0, 0)))
	case "triu":
		return one(nd.Triu(a, at(0, 0)))
	case "filldiagonal":
		b := nd.Copy(a)
		nd.FillDiagonal(b, *new(T))
		return one(b)
	case "unfold":
		return one(nd.Unfold(a, at(0, 0), at(0, 1), at(0, 2)))
	case "delete":
		return one(nd.Delete(a, args[0], arg(1)...))
	case "insert":
		return one(nd.Insert(a, args[0], in[1], arg(1)...))
	}
	t.Fatalf("unknown function %q", name)
	return nil
}

// run runs the case on one choice of layouts, with every value v of the case as
// element of(v).
func runShapeCase[T nd.Element](t testing.TB, c *spmd.Comm, k *shapeCase, layout int, of func(v int) T) {
	t.Helper()
	var in []*nd.NDArray[T]
	first := 1
	for i, s := range k.in {
		ls := testLayouts(c, s)
		// Neighbours get different layouts, so that all mixes occur.
		l := ls[(layout*(i+1)+i)%len(ls)]
		from := first
		a := nd.FromLayout(c, l, func(index []int) T { return of(from + flat(s, index)) })
		if layout%2 == 1 && len(s) > 1 { // with strides of a transpose
			perm, back := make([]int, len(s)), make([]int, len(s))
			for j := range perm {
				perm[j] = (j + 1) % len(s)
				back[perm[j]] = j
			}
			a = nd.Copy(a.Transpose(perm...)).Transpose(back...)
		}
		in = append(in, a)
		first += nd.Shape(s).Size()
	}
	before := make([][]T, len(in))
	layouts := make([]any, len(in))
	for i, a := range in {
		before[i], layouts[i] = slices.Clone(a.Local()), a.Layout()
	}
	calls := c.Stats()
	out := shapeCall(t, k.name, slices.Clone(in), k.args)
	checkShapeCalls(t, c, k, in, out, c.Stats().Sub(calls))
	if len(out) != len(k.shapes) {
		t.Fatalf("%s%v of %v: %d results, want %d", k.name, k.args, layouts, len(out), len(k.shapes))
	}
	for i, r := range out {
		want := make([]T, len(k.values[i]))
		for j, v := range k.values[i] {
			if v != 0 {
				want[j] = of(v)
			}
		}
		if !r.Shape().Equal(k.shapes[i]) {
			t.Fatalf("%s%v of %v: result %d has shape %v, want %v", k.name, k.args, layouts, i, r.Shape(), k.shapes[i])
		}
		if !r.Layout().LocalShape(c.Rank()).Equal(r.LocalShape()) {
			t.Fatalf("%s%v of %v: result %d has %v, but local shape %v", k.name, k.args, layouts, i, r.Layout(), r.LocalShape())
		}
		if got := r.Gather(); !slices.Equal(got, want) {
			t.Fatalf("%s%v of %v: result %d of %v is\n%v, want\n%v", k.name, k.args, layouts, i, r.Layout(), got, want)
		}
		if r.Comm() != c {
			t.Fatalf("%s: the result left its communicator", k.name)
		}
	}
	for i, a := range in {
		if !slices.Equal(a.Local(), before[i]) || a.Layout() != layouts[i] {
			t.Fatalf("%s%v of %v changed operand %d", k.name, k.args, layouts, i)
		}
	}
}

// shapeCalls is how often each function may communicate: 1 where it is not named.
// A number of -1 stands for the number of operands.
var shapeCalls = map[string]int64{
	"expanddims": 0, "moveaxes": 0, "swapaxes": 0, "rollaxis": 0, "atleast": 0,
	"split": 0, "arraysplit": 0, "splitat": 0, "hsplit": 0, "vsplit": 0, "dsplit": 0,
	"diagonal": 0, "diag": 0, "tril": 0, "triu": 0, "filldiagonal": 0,
	"append": 3, "assemble": 3, "insert": 3, "meshgrid": -1, "meshgridsparse": -1, "broadcastarrays": -1,
}

// checkShapeCalls checks what a case communicated: no more calls than documented,
// none without a split operand, and of one operand no more than the elements that
// have another owner in the result.
func checkShapeCalls[T nd.Element](t testing.TB, c *spmd.Comm, k *shapeCase, in, out []*nd.NDArray[T], got spmd.Stats) {
	t.Helper()
	limit, named := shapeCalls[k.name]
	split := false
	for _, a := range in {
		split = split || !a.Layout().Replicated()
	}
	switch {
	case !split:
		limit = 0
	case limit < 0:
		limit = int64(len(in))
	case !named:
		limit = 1
	}
	total := got.Total()
	if (k.name == "repeat" || k.name == "repeateach" || k.name == "delete") && len(k.args) > 1 {
		limit = 0
	}
	if total.Calls > limit {
		t.Fatalf("%s%v communicates, want at most %d calls\n%v", k.name, k.args, limit, got)
	}
	if len(in) != 1 || len(out) != 1 || got["alltoallv"].Calls != 1 || k.name == "delete" || k.name == "repeat" || k.name == "repeateach" {
		return
	}
	mine, seen := 0, map[[2]int]bool{}
	for f, v := range k.values[0] {
		if v == 0 || owner(in[0].Layout(), v-1) != c.Rank() {
			continue
		}
		to := owner(out[0].Layout(), f)
		if to != c.Rank() && !(k.name == "unfold" && seen[[2]int{v, to}]) { // what is in several windows of a rank travels once
			mine++
			seen[[2]int{v, to}] = true
		}
	}
	size := int64(reflect.TypeFor[T]().Size())
	if total.Bytes > int64(mine)*size {
		t.Fatalf("%s%v of %v to %v sends %d bytes for %d elements of %d", k.name, k.args, in[0].Layout(), out[0].Layout(), total.Bytes, mine, size)
	}
}

func readShapeCases(t testing.TB) []*shapeCase {
	text, err := os.ReadFile("testdata/shape.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []*shapeCase
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestGoldenShape(t *testing.T) {
	cases := readShapeCases(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, k := range cases {
			layouts := 1
			for _, s := range k.in {
				layouts = max(layouts, len(testLayouts(c, s)))
			}
			for l := range layouts {
				switch (i + l) % 9 {
				case 0:
					runShapeCase(t, c, k, l, func(v int) bool { return v%3 != 1 })
				case 1:
					runShapeCase(t, c, k, l, func(v int) int8 { return int8(v) })
				case 2:
					runShapeCase(t, c, k, l, func(v int) int32 { return int32(v) })
				case 3:
					runShapeCase(t, c, k, l, func(v int) int64 { return int64(v) << 33 })
				case 4:
					runShapeCase(t, c, k, l, func(v int) uint8 { return uint8(v) })
				case 5:
					runShapeCase(t, c, k, l, func(v int) float32 { return float32(v) / 2 })
				case 6:
					runShapeCase(t, c, k, l, func(v int) float64 { return float64(v) / 4 })
				case 7:
					runShapeCase(t, c, k, l, func(v int) complex64 { return complex(float32(v), -1) })
				case 8:
					runShapeCase(t, c, k, l, func(v int) complex128 { return complex(float64(v), 0.5) })
				}
			}
		}
	})
}
