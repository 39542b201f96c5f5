package nd_test

import (
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestIndexingCommunication is the table of what indexing and assignment
// communicate: how often a rank calls each operation, and how many bytes it sends
// at most in all of them.
func TestIndexingCommunication(t *testing.T) {
	const rows, cols, some = 12, 4, 5 // of the array on a rank, of it, keys on a rank
	const row, key, local = 8 * cols, 8, 8 * rows * cols
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		p := c.Size()
		n, others := rows*p, int64(p-1)
		at := func(i []int) float64 { return float64(i[0]*cols + i[1]) }
		a := nd.FromFunc(c, nd.Shape{n, cols}, 0, at)
		byCols, whole := a.Resplit(1), a.Resplit(split.None)
		v, sorted := nd.Arange[float64](c, 0, float64(n), 1, 0), nd.Arange[float64](c, 0, float64(n), 1, 0)
		spread := func(i []int) int64 { return int64(i[0] * 7 % n) } // every rank wants from every rank
		known := nd.FromFunc(c, nd.Shape{some * p}, split.None, spread)
		keys := nd.FromFunc(c, nd.Shape{some * p}, 0, spread)
		along := nd.FromFunc(c, nd.Shape{some * p, cols}, 0, spread)
		few := nd.FromFunc(c, nd.Shape{3, cols}, split.None, func(i []int) int64 { return int64(i[0]) })
		one := nd.Full(c, nd.Shape{}, int64(3), split.None)
		positive := nd.FromFunc(c, nd.Shape{n, cols}, 0, func(i []int) bool { return i[0]%3 == 0 })
		positiveCols, positiveWhole := positive.Resplit(1), positive.Resplit(split.None)
		rowMask := nd.FromFunc(c, nd.Shape{n}, 0, func(i []int) bool { return i[0]%3 == 0 })
		knownRows, splitRows := nd.Ones[float64](c, nd.Shape{some * p, cols}, split.None), nd.Ones[float64](c, nd.Shape{some * p, cols}, 0)
		alongRows := nd.Ones[float64](c, nd.Shape{some * p, cols}, 0)
		selected := nd.MaskedSelect(v, rowMask)
		selectedByMask := nd.MaskedSelect(a, rowMask)
		single := nd.Ones[float64](c, nd.Shape{cols}, 0)
		same := nd.ZerosLike(splitRows)
		type calls map[string]int64
		none := calls{}
		wide := int64(8 * n * ((cols + p - 1) / p)) // a part of byCols, or what a rank sends of it
		for _, r := range []struct {
			name  string
			do    func()
			calls calls
			bytes int64
		}{
			{"take, replicated keys", func() { nd.Take(a, known, 0) }, calls{"alltoallv": 1}, some * row * int64(p)},
			{"take into", func() { nd.TakeInto(same, a, known, 0) }, calls{"alltoallv": 1}, some * row * int64(p)},
			{"take, split keys", func() { nd.Take(a, keys, 0) }, calls{"alltoallv": 3}, 8*others + some*key + some*row*int64(p)},
			{"take, one key", func() { nd.Take(a, one, 0) }, calls{"bcast": 1}, row * others},
			{"take along another axis", func() { nd.Take(byCols, known, 0); nd.Take(whole, known, 0) }, none, 0},
			{"take along another axis by split keys", func() { nd.Take(byCols, keys, 0) }, calls{"allgatherv": 1}, some * key * others},
			{"take of a replicated array by split keys", func() { nd.Take(whole, keys, 0) }, calls{"allreduce": 1}, 8},
			{"flat take", func() { nd.TakeFlat(a, known) }, calls{"alltoallv": 1}, some * 8 * int64(p)},
			{"pairs", func() { nd.TakeAt(a, known, one) }, calls{"alltoallv": 1}, some * 8 * int64(p)},
			{"pairs, split keys", func() { nd.TakeAt(a, keys, one) }, calls{"alltoallv": 3}, 8*others + some*key + some*8*int64(p)},
			{"along the split axis", func() { nd.TakeAlongAxis(a, along, 0) }, calls{"alltoallv": 3}, 8*others + some*cols*key + some*row*int64(p)},
			{"along another axis", func() { nd.TakeAlongAxis(byCols, few, 0) }, none, 0},
			{"set by replicated keys", func() { nd.SetAt(a, nd.Keys(known), knownRows); nd.SetAtScalar(a, nd.Keys(known), 1) }, none, 0},
			{"set split values by replicated keys", func() { nd.SetAt(a, nd.Keys(known), splitRows) }, calls{"alltoallv": 1}, some * row},
			{"set by split keys", func() { nd.SetAt(a, nd.Keys(keys), splitRows) }, calls{"alltoallv": 2}, 8*others + some*(key+row)},
			{"set a number by split keys", func() { nd.SetAtScalar(v, nd.Keys(keys), 1) }, calls{"alltoallv": 2}, 8*others + some*(key+8)},
			{"add by split keys", func() { nd.AddAt(a, nd.Keys(keys), splitRows) }, calls{"alltoallv": 2}, 8*others + some*(key+row)},
			{"add by replicated keys", func() { nd.AddAt(a, nd.Keys(known), knownRows) }, none, 0},
			{"put", func() { nd.PutScalar(a, keys, 1) }, calls{"alltoallv": 2}, 8*others + some*(key+8)},
			{"put along the split axis", func() { nd.PutAlongAxis(a, along, alongRows, 0) }, calls{"alltoallv": 2}, 8*others + some*cols*(key+8)},
			{"put along another axis", func() { nd.PutAlongAxisScalar(byCols, few, 1, 0) }, none, 0},
			{"mask", func() { nd.MaskedSelect(a, positive) }, calls{"allgatherv": 1}, 8 * others},
			{"mask of rows", func() { nd.MaskedSelect(a, rowMask) }, calls{"allgatherv": 1}, 8 * others},
			{"replicated mask", func() { nd.MaskedSelect(a, positiveWhole); nd.MaskedSelect(whole, positiveWhole) }, none, 0},
			{"replicated mask of columns", func() { nd.MaskedSelect(byCols, positiveWhole) }, calls{"alltoallv": 1}, wide},
			{"mask of columns", func() { nd.MaskedSelect(byCols, positiveCols) }, calls{"alltoallv": 2, "allgatherv": 1}, wide + wide/8 + 8*others},
			{"mask of a replicated array", func() { nd.MaskedSelect(whole, positive) }, calls{"allgatherv": 1}, 8 * others},
			{"compress", func() { nd.Compress(rowMask, a, 0) }, calls{"allgatherv": 1}, 8 * others},
			{"set by mask", func() {
				nd.SetWhereScalar(a, positive, 1)
				nd.SetWhereScalar(a, rowMask, 1)
				nd.SetWhereScalar(a, positiveWhole, 1)
			}, none, 0},
			{"set by mask, values in place", func() { nd.SetWhere(v, rowMask, selected) }, calls{"allgatherv": 1}, 8 * others},
			{"set rows by mask", func() { nd.SetWhere(a, rowMask, selectedByMask) }, calls{"allgatherv": 1}, 8 * others},
			{"nonzero", func() { nd.Nonzero(a) }, calls{"allgatherv": 1}, 8 * others},
			{"nonzero of columns", func() { nd.FlatNonzero(byCols) }, calls{"alltoallv": 1, "allgatherv": 1}, wide/8 + 8*others},
			{"where", func() { nd.Where(positive, a, a); nd.WhereScalar(positive, a, 0); nd.CopyWhere(a, whole, positive) }, none, 0},
			{"where of another split", func() { nd.Where(positive, a, byCols) }, calls{"alltoallv": 1}, wide},
			{"select", func() {
				nd.Select([]*nd.NDArray[bool]{positive, positiveWhole}, []*nd.NDArray[float64]{a, whole}, 0)
			}, none, 0},
			{"choose", func() {
				nd.Choose(few, nd.Ones[float64](c, nd.Shape{3, cols}, 0), whole.Slice(nd.To(3)), whole.Slice(nd.To(3)))
			}, none, 0},
			{"search a replicated array", func() { nd.SearchSorted(whole.Slice(nd.Whole(), nd.Index(0)), v, nd.Left) }, none, 0},
			{"search replicated values", func() { nd.SearchSorted(sorted, whole, nd.Left) }, calls{"allreduce": 1}, int64(8 * n * cols)},
			{"search", func() { nd.SearchSorted(sorted, v, nd.Right) }, calls{"allgatherv": 1, "alltoallv": 3}, 16*others + 2*8*rows},
			{"set a slice", func() { a.SetSliceScalar(1, nd.From(1)); a.SetSlice(single.Resplit(split.None), nd.Index(2)) }, calls{"allgatherv": 1}, 8 * cols * others},
			{"set a slice that is there", func() { a.SetSlice(nd.Ones[float64](c, nd.Shape{n, 1}, 0), nd.Whole(), nd.To(2)) }, none, 0},
			{"set a slice that is not", func() { a.SetSlice(a.Slice(nd.To(-1)), nd.From(1)) }, calls{"alltoallv": 1}, local},
			{"set a row that is split", func() { a.SetSlice(single, nd.Index(2)) }, calls{"alltoallv": 1}, 8 * cols},
			{"set backwards", func() { a.SetSlice(nd.Ones[float64](c, nd.Shape{rows, cols}, 0), nd.Range(rows-1, nd.Open, -1)) }, calls{"alltoallv": 1}, local},
			{"set backwards, replicated", func() { a.SetSlice(whole, nd.Range(nd.Open, nd.Open, -1)) }, none, 0},
			{"unravel", func() { nd.UnravelIndex(keys, n, cols) }, calls{"allreduce": 1}, 8},
			{"indices", func() {
				nd.UnravelIndex(known, n, cols)
				nd.RavelMultiIndex(nd.Keys(known, one), n, cols)
				nd.Indices(c, nd.Shape{3, n}, 2)
				nd.TrilIndices(c, n, 0, n, 0)
				nd.TriuIndices(c, n, 0, n, 0)
				nd.DiagIndices(c, n, 2, 0)
				nd.Ix(keys, known)
			}, none, 0},
		} {
			before := c.Stats()
			r.do()
			got := c.Stats().Sub(before)
			for op, n := range got {
				if n.Calls != r.calls[op] && !(p == 1 && n.Calls < r.calls[op]) {
					t.Errorf("%s: %d %s calls, want %d", r.name, n.Calls, op, r.calls[op])
				}
			}
			for op, n := range r.calls {
				if got[op].Calls != n && p > 1 {
					t.Errorf("%s: %d %s calls, want %d", r.name, got[op].Calls, op, n)
				}
			}
			if b := got.Total().Bytes; b > r.bytes {
				t.Errorf("%s: rank %d sends %d bytes, want at most %d", r.name, c.Rank(), b, r.bytes)
			}
		}
	})
}
