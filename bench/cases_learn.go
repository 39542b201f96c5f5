package main

import (
	"fmt"

	"caloric/internal/learn"
	"caloric/linalg"
	"caloric/nd"
	"caloric/random"
	"caloric/spmd"
)

// learnCases run what cmd/examples/kmeans and cmd/examples/lasso do: 10 steps from
// the first 8 rows as centers, and 10 sweeps of coordinate descent.
func learnCases(s sizes) []benchCase {
	rows := s.tall[0] / 2
	return []benchCase{
		{name: fmt.Sprintf("kmeans/10 %dx16 f64 s0", rows), setup: func(c *spmd.Comm) func() {
			x := random.Normal(random.New(3), c, nd.Shape{rows, 16}, 0, 0.0, 1)
			centers := x.Slice(nd.To(8)).Resplit(nd.None)
			return func() { check(learn.KMeans(x, centers, learn.KMeansOptions{Steps: 10})) }
		}},
		{name: fmt.Sprintf("lasso/10 %dx20 f64 s0", rows), setup: func(c *spmd.Comm) func() {
			g := random.New(3)
			x := random.Normal(g, c, nd.Shape{rows, 20}, 0, 0.0, 1)
			y := linalg.MatMul(x, random.Normal(g, c, nd.Shape{20}, nd.None, 0.0, 1))
			return func() { check(learn.Lasso(x, y, 0.1, learn.LassoOptions{Sweeps: 10})) }
		}},
	}
}

// check panics if there is an error, which ends the program with its text.
func check[R any](_ R, err error) {
	if err != nil {
		panic(err)
	}
}
