// Command hello computes π as the area of a circle, with an array split over the
// ranks. It is the program of the README.
package main

import (
	"caloric/nd"
	"caloric/spmd"
)

func main() {
	spmd.Main(func(c *spmd.Comm) error {
		x := nd.Linspace(c, 0.0, 1, 1_000_001, 0)             // split along axis 0
		y := nd.Sqrt(nd.ScalarSub(1, nd.Square(x)))           // every rank its own part
		return nd.Print(nd.MulScalar(nd.Mean[float64](y), 4)) // one allreduce: about π
	})
}
