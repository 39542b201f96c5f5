package main

import (
	"math"
	"math/bits"

	"caloric/spmd"
)

// network is the latency–bandwidth model of a message (Hockney 1994, "The
// communication challenge for MPP"): a message of b bytes takes latency +
// b/bandwidth.
type network struct {
	Latency   float64 `json:"latency"`   // seconds
	Bandwidth float64 `json:"bandwidth"` // bytes a second
}

// time models what one rank's counted communication takes on p ranks. Operations
// that are counted as messages take these one after another; the others take the
// steps of their usual algorithms (Thakur, Rabenseifner, Gropp 2005,
// "Optimization of collective communication operations in MPICH"):
//
//	barrier             ⌈log₂ p⌉ messages
//	allreduce           2⌈log₂ p⌉ messages, 2(p−1)/p of the operand twice: out and in
//	reduce, exscan      ⌈log₂ p⌉ messages, the operand once
//	bcast               ⌈log₂ p⌉ messages, the operand twice (scatter and allgather)
//	all others          the messages and bytes as counted
func (n network) time(s spmd.Stats, p int) float64 {
	if p == 1 {
		return 0
	}
	steps := float64(bits.Len(uint(p - 1)))
	t := 0.0
	for op, c := range s {
		calls, messages, volume := float64(c.Calls), float64(c.Messages), float64(c.Bytes)
		switch op {
		case "barrier":
			messages, volume = calls*steps, 0
		case "allreduce", "iallreduce":
			messages, volume = 2*calls*steps, volume*2*float64(p-1)/float64(p)
		case "reduce", "exscan":
			messages = calls * steps
		case "bcast":
			// The root counts its data once per other rank, the others nothing.
			messages, volume = calls*steps, 2*volume/float64(p-1)
		}
		t += messages*n.Latency + volume/n.Bandwidth
	}
	return t
}

// growth is how the extent of a problem grows with p ranks so that each has as
// much to do: with the power 1/order of p.
func growth(n, p, order int) int {
	return int(math.Round(float64(n) * math.Pow(float64(p), 1/float64(order))))
}
