package nd_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

// TestMaskedSelectLarge selects from arrays that a rank's workers share, of which
// one lies in memory in another order than its mask.
func TestMaskedSelectLarge(t *testing.T) {
	const rows, cols = 700, 301
	x, mask := make([]int32, rows*cols), make([]bool, rows*cols)
	var want, turned []int32
	for i := range x {
		x[i], mask[i] = int32(i), i%7 == 3 || i > 100000 && i%3 == 0
		if mask[i] {
			want = append(want, x[i])
		}
	}
	for j := range cols {
		for i := range rows {
			if k := i*cols + j; mask[j*rows+i] {
				turned = append(turned, x[k])
			}
		}
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []nd.Axis{0, nd.None} {
			a := nd.FromSlice(c, x, nd.Shape{rows, cols}, axis)
			m := nd.FromSlice(c, mask, nd.Shape{rows, cols}, axis)
			if d := cmp.Diff(want, nd.MaskedSelect(a, m).Resplit(nd.None).Local()); d != "" {
				t.Errorf("split %v: %s", axis, d)
			}
			m = nd.FromSlice(c, mask, nd.Shape{cols, rows}, nd.None)
			if d := cmp.Diff(turned, nd.MaskedSelect(a.T(), m).Resplit(nd.None).Local()); d != "" {
				t.Errorf("transposed, split %v: %s", axis, d)
			}
		}
	})
}
