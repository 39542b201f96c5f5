package random

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/spmd"
)

func rowsOf[T nd.Element](t testing.TB, n int, d RowDistribution[T]) []T {
	return draw(t, n, func(c *spmd.Comm, shape nd.Shape) *nd.NDArray[T] { return SampleRows(New(5), c, shape[0], 0, d) })
}

func TestSampleRowsOnAnyRanks(t *testing.T) {
	d := RowDistribution[float64]{3, func(r *rand.Rand, row []float64) {
		for i := range row {
			row[i] = greedy(r)
		}
	}}
	want := rowsOf(t, 10, d)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		silently(t, c, func() {
			for _, axis := range []nd.Axis{nd.None, 0} {
				checkPart(t, "rows", SampleRows(New(5), c, 10, axis, d), func(i int) float64 { return want[i] })
			}
		})
		if err := nd.Try(func() { SampleRows(New(5), c, 10, 1, d) }); err == nil {
			t.Error("no error for a split of the rows")
		}
	})
}

func TestDirichlet(t *testing.T) {
	const n = 20000
	alpha := []float64{0.5, 2, 1.5}
	x := rowsOf(t, n, Dirichlet(alpha...))
	for j, a := range alpha {
		col := make([]float64, n)
		for i := range col {
			col[i] = x[3*i+j]
			if s := x[3*i] + x[3*i+1] + x[3*i+2]; math.Abs(s-1) > 1e-15 {
				t.Fatalf("row %d adds up to %v", i, s)
			}
		}
		checkMoments(t, col, a/4, a*(4-a)/(16*5), 5)
	}
}

func TestMultinomial(t *testing.T) {
	const n, trials = 20000, 12
	p := []float64{0.2, 0.5, 0, 0.3}
	x := rowsOf(t, n, Multinomial[int32](trials, p...))
	for j, q := range p {
		col := make([]float64, n)
		for i := range col {
			col[i] = float64(x[4*i+j])
			if s := x[4*i] + x[4*i+1] + x[4*i+2] + x[4*i+3]; s != trials {
				t.Fatalf("row %d has %d trials", i, s)
			}
		}
		checkMoments(t, col, trials*q, trials*q*(1-q), 3)
	}
}

func TestMultivariateNormal(t *testing.T) {
	const n = 20000
	x := rowsOf(t, n, MultivariateNormal([]float64{1, -2}, []float64{4, 1.5, 1.5, 1}))
	a, b := make([]float64, n), make([]float64, n)
	for i := range a {
		a[i], b[i] = x[2*i], x[2*i+1]
	}
	checkMoments(t, a, 1, 4, 3)
	checkMoments(t, b, -2, 1, 3)
	if r := correlation(a, b); math.Abs(r-0.75) > 0.02 {
		t.Errorf("correlation %v, want 0.75", r)
	}
}

func TestChoiceSubsetShuffle(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, axis := range []nd.Axis{nd.None, 0, 1} {
			a := nd.Arange[int64](c, 0, 21, 1, nd.None).Reshape(7, 3).Resplit(axis)
			for _, along := range []int{0, -1} {
				items := a.Shape()[(along+2)%2]
				choice, subset, shuffle := Choice(New(2), a, 50, along), Subset(New(2), a, items-1, along), Shuffle(New(2), a, along)
				for _, r := range []*nd.NDArray[int64]{choice, subset, shuffle} {
					if r.Split() != axis {
						t.Errorf("the result of split %v has split %v", axis, r.Split())
					}
				}
				whole := Shuffle(New(2), a.Resplit(nd.None), along).Gather()
				if got := shuffle.Gather(); !slices.Equal(got, whole) {
					t.Errorf("split %v, axis %d: %v, want %v", axis, along, got, whole)
				}
				slices.Sort(whole)
				if !slices.Equal(whole, a.Gather()) {
					t.Errorf("axis %d: shuffled %v", along, whole)
				}
				if got := firstsOf(subset, along); len(slices.Compact(got)) != items-1 {
					t.Errorf("axis %d: the subset has %v", along, got)
				}
				if got := slices.Compact(firstsOf(choice, along)); len(got) != items {
					t.Errorf("axis %d: 50 choices of %d items have %v", along, items, got)
				}
			}
		}
		if err := nd.Try(func() { Subset(New(1), nd.Zeros[int8](c, nd.Shape{3}, 0), 4, 0) }); err == nil {
			t.Error("no error for 4 different ones of 3")
		}
		if err := nd.Try(func() { Choice(New(1), nd.Zeros[int8](c, nd.Shape{0}, 0), 4, 0) }); err == nil {
			t.Error("no error for a choice of nothing")
		}
		if got := Choice(New(1), nd.Zeros[int8](c, nd.Shape{0}, 0), 0, 0); got.Size() != 0 {
			t.Errorf("no choices are %v", got)
		}
	})
}

// firstsOf returns in order the first number of every item along axis.
func firstsOf(a *nd.NDArray[int64], axis int) []int64 {
	items := []nd.Item{nd.Index(0), nd.Whole()}
	if axis == 0 {
		items = []nd.Item{nd.Whole(), nd.Index(0)}
	}
	got := a.Slice(items...).Gather()
	slices.Sort(got)
	return got
}
