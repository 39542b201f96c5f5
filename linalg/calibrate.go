package linalg

import (
	"time"

	"caloric/spmd"
)

// What is sent and multiplied to measure a model.
const (
	latencyRepeats   = 40
	bandwidthRepeats = 6
	bandwidthBytes   = 1 << 20
	flopsRepeats     = 3
	flopsSide        = 192
)

// MeasureModel measures the latency and bandwidth of messages round the ranks of
// c, all of which send at once, and the rate of a rank's float64 products, and
// returns the model of the slowest rank after setting it as [SetModel] does.
// [MatMul] calls it for the first product of at least 2³² flops of float64 a rank, or
// what takes as long of another type, on a communicator that has no model, unless
// its layouts leave no choice.
//
// Collective. Communication: about 50 messages of which 6 are of 1 MiB, on a
// duplicate of c that [spmd.Comm.Stats] does not count, and one allreduce of three
// numbers, which makes the model the same on every rank. It takes some ten
// milliseconds and 3 MiB.
func MeasureModel(c *spmd.Comm) Model {
	d := c.Aside()
	defer d.Free()
	slow := [3]float64{DefaultModel.Latency, 1 / DefaultModel.Bandwidth, 1 / productRate(d)}
	if d.Size() > 1 {
		slow[0] = exchangeTime(d, 8, latencyRepeats)
		slow[1] = max(exchangeTime(d, bandwidthBytes, bandwidthRepeats)-slow[0], 1e-12) / bandwidthBytes
		spmd.Allreduce(d, slow[:], spmd.Max)
	}
	m := Model{Latency: slow[0], Bandwidth: 1 / slow[1], Flops: 1 / slow[2]}
	SetModel(c, m)
	return m
}

// exchangeTime returns the seconds in which every rank sends n bytes to the next
// one, the least of several times.
func exchangeTime(c *spmd.Comm, n, repeats int) float64 {
	next, previous := (c.Rank()+1)%c.Size(), (c.Rank()+c.Size()-1)%c.Size()
	send, recv := make([]uint8, n), make([]uint8, n)
	c.Barrier()
	return leastTime(repeats, func() { spmd.Sendrecv(c, send, next, recv, previous, 0) })
}

// productRate returns the flops a second of a product on every rank at once.
func productRate(c *spmd.Comm) float64 {
	const n = flopsSide
	x, y, z := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range x {
		x[i], y[i] = 1, 1
	}
	useWorkers(c.Workers())
	c.Barrier()
	return 2 * n * n * n / leastTime(flopsRepeats, func() {
		multiply(dense(z, n, n), dense(x, n, n), dense(y, n, n), c.Workers())
	})
}

// leastTime returns the seconds of the fastest of several calls of f, at least a nanosecond.
func leastTime(repeats int, f func()) float64 {
	least := time.Hour
	for range repeats {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return max(least, time.Nanosecond).Seconds()
}
