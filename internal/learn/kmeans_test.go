package learn_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"caloric/internal/learn"
	"caloric/internal/spmdtest"
	"caloric/nd"
	"caloric/random"
	"caloric/split"
	"caloric/spmd"

	"pgregory.net/rapid"
)

// TestKMeansGolden compares with scikit-learn on the digits, for every layout.
func TestKMeansGolden(t *testing.T) {
	all := golden(t)
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for i, k := range all.KMeans {
			x := layouts(c, table(t, c, "digits").Slice(nd.Whole(), nd.To(64)), i)
			centers := nd.Add(x.Slice(nd.To(10)), nd.MulScalar(x.Slice(nd.Range(10, 20)), 0.3141592653)).Resplit(nd.None)
			switch k.Start {
			case "lost":
				centers.SetSliceScalar(200, nd.Index(3))
			case "three":
				centers = nd.Take(centers, nd.FromSlice(c, []int64{5, 7, 2}, nd.Shape{3}, nd.None), 0)
			}
			r, err := learn.KMeans(x, centers, learn.KMeansOptions{Steps: k.Steps, Tol: k.Tol})
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s %d steps on %v", k.Start, k.Steps, x.Layout())
			if r.Steps != k.Taken || r.Converged != (k.Taken < k.Steps) {
				t.Errorf("%s: %d steps, converged %v, want %d", name, r.Steps, r.Converged, k.Taken)
			}
			if math.Abs(r.Inertia-k.Inertia) > 1e-11*k.Inertia {
				t.Errorf("%s: inertia %v, want %v", name, r.Inertia, k.Inertia)
			}
			labels, counts := []byte{}, make([]int, len(r.Counts))
			for _, l := range r.Labels.Gather() {
				labels = append(labels, '0'+byte(l))
				counts[l]++
			}
			if string(labels) != k.Labels || !slices.Equal(counts, r.Counts) {
				t.Errorf("%s: labels differ", name)
			}
			for j, v := range r.Centers.Local() {
				if len(k.Centers) > 0 && math.Abs(v-k.Centers[j]) > 1e-11 {
					t.Fatalf("%s: center %d is %v, want %v", name, j, v, k.Centers[j])
				}
			}
		}
	})
}

// plainKMeans is KMeans in plain loops on one rank, measuring differences.
func plainKMeans(x [][]float64, centers [][]float64, steps int) (labels []int64, taken int) {
	d := len(centers[0])
	label := func() (out []int64) {
		for _, row := range x {
			best, at := math.Inf(1), 0
			for j, c := range centers {
				sum := 0.0
				for t, v := range row {
					sum += (v - c[t]) * (v - c[t])
				}
				if sum < best {
					best, at = sum, j
				}
			}
			out = append(out, int64(at))
		}
		return out
	}
	for taken < steps {
		now := label()
		same := slices.Equal(now, labels)
		labels = now
		sums, counts := make([][]float64, len(centers)), make([]int, len(centers))
		for j := range sums {
			sums[j] = make([]float64, d)
		}
		for i, row := range x {
			counts[labels[i]]++
			for t, v := range row {
				sums[labels[i]][t] += v
			}
		}
		taken++
		for j, n := range counts {
			if n > 0 {
				for t := range sums[j] {
					centers[j][t] = sums[j][t] / float64(n)
				}
			}
		}
		if same {
			return labels, taken
		}
	}
	return label(), taken
}

// TestKMeansProperty compares with plain loops on grids, where sums are exact, far
// from 0 and near it, with ties, on any layout.
func TestKMeansProperty(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for seed := range 40 {
			g := rapid.Custom(func(t *rapid.T) []int { return rapid.SliceOfN(rapid.IntRange(0, 7), 3, 3).Draw(t, "") })
			n := 1 + g.Example(seed)[0]*5 + g.Example(seed)[1]
			d := 1 + g.Example(seed)[2]
			offset := []float64{0, 1 << 20}[seed%2]
			rows := make([][]float64, n)
			flat := []float64{}
			for i := range rows {
				for j := range d {
					rows[i] = append(rows[i], offset+float64((i*7+j*3+seed*i*i)%11))
				}
				flat = append(flat, rows[i]...)
			}
			k := 1 + seed%min(n, 5)
			centers := [][]float64{}
			first := []float64{}
			for j := range k {
				centers = append(centers, slices.Clone(rows[j*n/k]))
				first = append(first, rows[j*n/k]...)
			}
			x := layouts(c, nd.FromSlice(c, flat, nd.Shape{n, d}, 0), seed)
			before := x.Gather()
			r, err := learn.KMeans(x, nd.FromSlice(c, first, nd.Shape{k, d}, nd.None), learn.KMeansOptions{Steps: 1})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(x.Gather(), before) {
				t.Errorf("the table changed")
			}
			distinct := map[string]bool{}
			for _, c := range centers {
				distinct[fmt.Sprint(c)] = true
			}
			if len(distinct) < k {
				continue // a cluster without rows, which the plain loops leave alone
			}
			plainKMeans(rows, centers, 1)
			for i, v := range r.Centers.Local() {
				if want := centers[i/d][i%d]; math.Abs(v-want) > 1e-9*(1+math.Abs(want)) {
					t.Fatalf("seed %d, n %d, d %d, k %d: center %d is %v, want %v", seed, n, d, k, i, v, want)
				}
			}
			total := 0
			for _, n := range r.Counts {
				total += n
			}
			if total != n {
				t.Errorf("%d rows in clusters of %d", total, n)
			}
		}
	})
}

// TestKMeansLostCenters: every cluster without rows gets one, as far as rows differ.
func TestKMeansLostCenters(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := nd.FromSlice(c, []float64{0, 1, 2, 10, 20, 30}, nd.Shape{6, 1}, 0)
		centers := nd.Zeros[float64](c, nd.Shape{4, 1}, nd.None)
		r, err := learn.KMeans(x, centers, learn.KMeansOptions{Steps: 100})
		if err != nil || !r.Converged || slices.Contains(r.Counts, 0) || r.Inertia != 2 {
			t.Errorf("%+v, error %v", r, err)
		}
		// Of equal rows none is far from its center.
		same := nd.Ones[float64](c, nd.Shape{5, 2}, 0)
		r, err = learn.KMeans(same, nd.Ones[float64](c, nd.Shape{3, 2}, nd.None), learn.KMeansOptions{Steps: 100})
		if err != nil || !r.Converged || fmt.Sprint(r.Counts) != "[5 0 0]" || r.Inertia != 0 {
			t.Errorf("%+v, error %v", r, err)
		}
	})
}

func TestKMeansFloat32AndEdges(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := random.Normal[float32](random.New(1), c, nd.Shape{1000, 5}, 0, 1e4, 1)
		centers := x.Slice(nd.To(7)).Resplit(nd.None)
		r, err := learn.KMeans(x, centers, learn.KMeansOptions{Steps: 20})
		if err != nil {
			t.Fatal(err)
		}
		wide, err := learn.KMeans(nd.AsType[float64](x), nd.AsType[float64](centers), learn.KMeansOptions{Steps: 20})
		if err != nil || math.Abs(r.Inertia-wide.Inertia) > 1e-2*wide.Inertia {
			t.Errorf("inertia %v, in float64 %v", r.Inertia, wide.Inertia)
		}
		// As many centers as rows; no steps.
		one := nd.FromSlice(c, []float64{3, 1, 2}, nd.Shape{3, 1}, 0)
		for _, steps := range []int{0, 1, 9} {
			r, err := learn.KMeans(one, one, learn.KMeansOptions{Steps: steps})
			if err != nil || r.Inertia != 0 || fmt.Sprint(r.Labels.Gather()) != "[0 1 2]" || r.Steps > min(steps, 2) {
				t.Errorf("%d steps: %+v, error %v", steps, r, err)
			}
		}
	})
}

func TestKMeansErrors(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			for _, steps := range []int{0, 3} {
				for _, axis := range []nd.Axis{0, 1, nd.None} {
					x := nd.Zeros[float64](c, nd.Shape{9, 3}, axis)
					x.SetSliceScalar(v, nd.Index(4), nd.Index(1))
					x.SetSliceScalar(v, nd.Index(7), nd.Index(0))
					_, err := learn.KMeans(x, nd.Zeros[float64](c, nd.Shape{2, 3}, nd.None), learn.KMeansOptions{Steps: steps})
					if err == nil || err.Error() != "row 5, column 2 of the table is not a finite number" {
						t.Errorf("error %v", err)
					}
					if e := learn.CheckFinite(x, "it"); e == nil || !strings.HasPrefix(e.Error(), "row 5, column 2 of it") {
						t.Errorf("error %v", e)
					}
					if _, err := learn.PlusPlus(x, 9, 1); err == nil || !strings.HasPrefix(err.Error(), "row 5, column 2") {
						t.Errorf("error %v", err)
					}
				}
			}
		}
		huge := nd.FromSlice(c, []float64{1e200, -1e200, 3}, nd.Shape{3, 1}, 0)
		if _, err := learn.KMeans(huge, huge.Slice(nd.To(2)), learn.KMeansOptions{Steps: 5}); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("error %v", err)
		}
		x := nd.Zeros[float64](c, nd.Shape{2, 3}, 0)
		for _, f := range []func(){
			func() { learn.KMeans(x, nd.Zeros[float64](c, nd.Shape{3, 3}, 0), learn.KMeansOptions{}) },
			func() { learn.KMeans(x, nd.Zeros[float64](c, nd.Shape{1, 2}, 0), learn.KMeansOptions{}) },
			func() { learn.KMeans(x, nd.Zeros[float64](c, nd.Shape{3}, 0), learn.KMeansOptions{}) },
			func() { learn.KMeans(x, x, learn.KMeansOptions{Steps: -1}) },
			func() { learn.KMeans(x, x, learn.KMeansOptions{Tol: math.NaN()}) },
			func() { learn.PlusPlus(x, 3, 0) },
			func() { learn.PlusPlus(x.Slice(nd.Index(0)), 1, 0) },
		} {
			if nd.Try(f) == nil {
				t.Error("no panic")
			}
		}
		for k, want := range map[int]string{0: "0 clusters", 3: "more clusters than rows"} {
			if _, err := learn.Choose(x, k, "random", 1); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v", err)
			}
		}
		if _, err := learn.Choose(x, 1, "best", 1); err == nil {
			t.Error("no error")
		}
	})
}

// TestChooseDoesNotDependOnRanks: the same centers on every layout.
func TestChooseDoesNotDependOnRanks(t *testing.T) {
	rows := random.Normal[float64]
	want := map[string][]float64{}
	err := spmd.Run(1, func(c *spmd.Comm) error {
		x := rows(random.New(5), c, nd.Shape{60, 2}, 0, 0, 1)
		for _, m := range []string{"random", "k-means++"} {
			r, err := learn.Choose(x, 6, m, 9)
			if err != nil {
				return err
			}
			want[m] = r.Local()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := rows(random.New(5), c, nd.Shape{60, 2}, 0, 0, 1)
		for _, m := range []string{"random", "k-means++"} {
			for i := range 5 {
				got, err := learn.Choose(layouts(c, x, i), 6, m, 9)
				if err != nil || got.Split() != split.None || !slices.Equal(got.Local(), want[m]) {
					t.Errorf("%s: %v, want %v, error %v", m, got, want[m], err)
				}
			}
		}
		// Far groups each get a center, whatever the seed; equal rows are no trouble.
		y := nd.FromFunc(c, nd.Shape{40, 1}, 0, func(i []int) float64 { return float64(i[0]%4) * 1e6 })
		for seed := range uint64(20) {
			got, err := learn.PlusPlus(y, 5, seed)
			if err != nil {
				t.Fatal(err)
			}
			four := slices.Sorted(slices.Values(got.Local()[:4]))
			if !slices.Equal(four, []float64{0, 1e6, 2e6, 3e6}) {
				t.Errorf("seed %d: %v", seed, got)
			}
		}
	})
}

// TestKMeansCommunication: one allreduce a step.
func TestKMeansCommunication(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		x := random.Normal[float64](random.New(1), c, nd.Shape{500, 3}, 0, 0, 1)
		centers := x.Slice(nd.To(4)).Resplit(nd.None)
		for _, steps := range []int{1, 4} {
			before := c.Stats()["allreduce"]
			if _, err := learn.KMeans(x, centers, learn.KMeansOptions{Steps: steps}); err != nil {
				t.Fatal(err)
			}
			after := c.Stats()["allreduce"]
			if got := after.Calls - before.Calls; got != int64(steps)+1 {
				t.Errorf("%d allreduces for %d steps", got, steps)
			}
		}
	})
}
