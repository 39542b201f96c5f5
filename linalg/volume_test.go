package linalg_test

import (
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/spmd"
)

// TestFactorizationVolume: what each rank broadcasts and gathers, in numbers, is what
// the comments of the functions say. Column j or the block from j on belongs to the
// rank that owner returns.
func TestFactorizationVolume(t *testing.T) {
	narrowBlocks(t)
	const n = 50
	type volume func(j, w, m, n int) int
	for _, tt := range []struct {
		name                  string
		rows                  int
		block                 func(p int) int // columns in a block
		single                bool            // one broadcast a column, not a block
		bcast, gather, reduce volume          // elements from column j on, w of them
		run                   func(a *nd.NDArray[float64])
	}{
		{"Cholesky", n, nil, false, func(j, w, m, _ int) int { return w*(m-j) + 1 }, nil, nil,
			func(a *nd.NDArray[float64]) { linalg.FactorCholesky(a) }},
		{"LU", n + 9, nil, false, func(j, w, m, _ int) int { return w * (m - j + 2) }, nil, nil,
			func(a *nd.NDArray[float64]) { linalg.LU(a) }},
		{"R of QR", n, reflectorBlock, false, func(j, w, m, _ int) int { return (m - j + w + 1) * w }, nil, nil,
			func(a *nd.NDArray[float64]) { linalg.QR(a, linalg.OnlyR) }},
		{"QR", n, reflectorBlock, false, func(j, w, m, _ int) int { return (m-j+w+1)*w + (m-j)*w }, nil, nil,
			func(a *nd.NDArray[float64]) { linalg.QR(a, linalg.Reduced) }},
		{"EigValsH", n, reflectorBlock, true, func(j, _, m, _ int) int { return m - j + 2 },
			func(j, _, _, n int) int { return n - j - 1 }, nil,
			func(a *nd.NDArray[float64]) { linalg.EigValsH(a) }},
		{"SVDVals", n + 9, reflectorBlock, true, func(j, _, m, _ int) int { return m - j + 2 },
			func(j, _, _, n int) int { return n - j - 1 }, func(j, _, m, _ int) int { return m - j - 1 },
			func(a *nd.NDArray[float64]) { linalg.SVDVals(a) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
				p := c.Size()
				if p == 1 {
					return
				}
				block := testBlock
				if tt.block != nil {
					block = tt.block(p)
				}
				a := nd.FromFunc(c, nd.Shape{tt.rows, n}, 0, func(i []int) float64 { return dominant[float64](n)(i[0], i[1]) })
				before := c.Stats()
				tt.run(a)
				got := c.Stats().Sub(before)
				var bcast, gather, reduce int
				step := block
				if tt.single {
					step = 1
				}
				for j := 0; j < n; j += step {
					if w := min(step, n-j); j/block%p == c.Rank() {
						bcast += tt.bcast(j, w, tt.rows, n) * (p - 1)
					}
					if tt.gather != nil {
						for i := j + 1; i < n; i++ { // of which this rank has its columns'
							if i/block%p == c.Rank() {
								gather += p - 1
							}
						}
					}
					if tt.reduce != nil && j < n-1 {
						reduce += tt.reduce(j, 1, tt.rows, n)
					}
				}
				if k := got["bcast"].Bytes; k != int64(8*bcast) {
					t.Errorf("rank %d of %d broadcasts %d bytes, want %d", c.Rank(), p, k, 8*bcast)
				}
				if k := got["allgatherv"].Bytes; k != int64(8*gather) {
					t.Errorf("rank %d of %d gathers %d bytes, want %d", c.Rank(), p, k, 8*gather)
				}
				if k := got["allreduce"].Bytes; tt.reduce != nil && k != int64(8*reduce) {
					t.Errorf("rank %d of %d reduces %d bytes, want %d", c.Rank(), p, k, 8*reduce)
				}
			})
		})
	}
}

// reflectorBlock is the width of blocks in which n = 50 columns are dealt out to be reflected.
func reflectorBlock(p int) int { return min(max((50+4*p-1)/(4*p), 8), 32) }
