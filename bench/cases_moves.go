package main

import (
	"fmt"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// moveCases change the split of a square matrix, or its order in memory. Bytes
// are those of the matrix, read once and written once.
func moveCases[T nd.Float](s sizes) []benchCase {
	var list []benchCase
	n := s.square
	size := float64(n*n) * sizeOf[T]()
	for _, m := range [][2]nd.Axis{{0, 1}, {1, 0}, {0, split.None}, {1, split.None}, {split.None, 0}} {
		name := fmt.Sprintf("resplit %s→%s %d %s", axisName(m[0]), axisName(m[1]), n, typeName[T]())
		list = append(list, benchCase{name: name, bytes: 2 * size, limit: "triad", setup: func(c *spmd.Comm) func() {
			a := uniform[T](c, 1, m[0], n, n)
			return func() { a.Resplit(m[1]) }
		}})
	}
	return append(list, benchCase{name: tableName[T]("transpose-copy", n, n, "s0"), bytes: 2 * size, limit: "triad",
		setup: func(c *spmd.Comm) func() {
			a := uniform[T](c, 1, 0, n, n)
			return func() { nd.Copy(a.T()) }
		}})
}
