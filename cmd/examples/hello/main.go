// Command hello estimates π from the area under a quarter of a circle.
//
//	SPMD_RANKS=4 go run ./cmd/examples/hello
package main

import (
	"os"

	"caloric/nd"
	"caloric/spmd"
)

func main() {
	spmd.Main(func(c *spmd.Comm) error {
		x := nd.Linspace(c, 0.0, 1, 1_000_001, 0)                         // split along axis 0
		y := nd.Sqrt(nd.ScalarSub(1, nd.Square(x)))                       // every rank its own part
		return nd.Fprint(os.Stdout, nd.MulScalar(nd.Mean[float64](y), 4)) // one allreduce: about π
	})
}
