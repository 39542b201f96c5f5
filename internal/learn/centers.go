package learn

import (
	"fmt"
	"math"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/random"
	"caloric/split"
)

// RandomCenters returns k different rows of x, all choices equally likely: the same
// for a seed on any number of ranks.
//
// Collective. Result split: None. Communication: as random.Subset, and one
// allgatherv of the rows. Panics if k is negative or more than there are rows.
func RandomCenters[T nd.Float](x *nd.NDArray[T], k int, seed uint64) *nd.NDArray[T] {
	return random.Subset(random.New(seed), x, k, 0).Resplit(nd.None)
}

// PlusPlus returns k rows of x, each chosen with a probability that grows as the
// square of its distance to the nearest one chosen before: k-means++ (Arthur and
// Vassilvitskii 2007). They are the same for a seed on any number of ranks. If fewer
// than k rows differ, rows repeat.
//
// A row is drawn by a race: row i arrives at a time that is exponentially distributed
// with rate w_i, so that it is the first one with probability w_i/Σw (Efraimidis and
// Spirakis 2006). Nothing has to be added up over the ranks.
//
// The error, the same on every rank, names the first number that is not finite.
//
// Collective. Result split: None. Communication: one allreduce of 8 bytes, for each
// center one of 24 and one broadcast of a row; one alltoallv if x is split along axis 1.
// Extra memory: 24 bytes a row. Panics if x does not have two axes, or k is not
// positive or more than there are rows.
func PlusPlus[T nd.Float](x *nd.NDArray[T], k int, seed uint64) (*nd.NDArray[T], error) {
	if s := x.Shape(); len(s) != 2 || k < 1 || k > s[0] {
		misuse.Panic("%d centers for a table of shape %v", k, s)
	}
	x = byRows(x)
	if err := CheckFinite(x, "the table"); err != nil {
		return nil, err
	}
	c, n, d, rows := x.Comm(), x.LocalShape()[0], x.Shape()[1], x.Local()
	g := random.New(seed)
	times := nd.Wrap(c, split.WithCounts(x.Shape()[:1], 0, x.Layout().Counts()), make([]float64, n))
	weights, keys := make([]float64, n), make([]float64, n)
	for i := range weights {
		weights[i] = 1
	}
	centers := make([]T, 0, k*d)
	for j := range k {
		random.SampleInto(g, times, random.Exponential(1.0))
		for i, t := range times.Local() {
			// The first to arrive has the largest rate over time. A row that is a
			// center has rate 0 and is chosen last.
			keys[i] = weights[i] / max(t, 0x1p-1000)
		}
		p := pickLargest(x, rows, keys, nil)
		if math.IsInf(p.key, 0) {
			return nil, errTooLarge
		}
		centers = append(centers, p.row...)
		for i := range weights {
			to := squaredDistance(rows[i*d:][:d], p.row)
			if j == 0 || to < weights[i] || math.IsNaN(to) {
				weights[i] = to
			}
		}
	}
	return nd.FromSlice(c, centers, nd.Shape{k, d}, nd.None), nil
}

// Choose returns k centers for x by the method named: "random" or "k-means++".
func Choose[T nd.Float](x *nd.NDArray[T], k int, method string, seed uint64) (*nd.NDArray[T], error) {
	if err := CheckClusters(x, k); err != nil {
		return nil, err
	}
	switch method {
	case "random":
		return RandomCenters(x, k, seed), nil
	case "k-means++":
		return PlusPlus(x, k, seed)
	}
	return nil, fmt.Errorf("%q is no way to choose centers; there are random and k-means++", method)
}
