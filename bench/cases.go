package main

import (
	"math"

	"caloric/nd"
	"caloric/random"
	"caloric/spmd"
)

// benchCase is one thing to time. setup, which is collective, makes the operands
// and returns what to run; bytes and flops are those of one run on all ranks
// together, or if everywhere is set on each of them, and limit names what they
// are held against.
type benchCase struct {
	name       string
	bytes      float64
	flops      float64
	everywhere bool
	limit      string
	setup      func(c *spmd.Comm) func()
}

// cases returns the cases of all kinds. dir is a directory for files.
func cases(s sizes, dir string) []benchCase {
	var list []benchCase
	list = append(list, elementwiseCases[float32](s)...)
	list = append(list, elementwiseCases[float64](s)...)
	list = append(list, reductionCases[float32](s)...)
	list = append(list, reductionCases[float64](s)...)
	list = append(list, moveCases[float32](s)...)
	list = append(list, moveCases[float64](s)...)
	list = append(list, productCases[float32](s)...)
	list = append(list, productCases[float64](s)...)
	list = append(list, solverCases[float32](s)...)
	list = append(list, solverCases[float64](s)...)
	list = append(list, factorizationCases(s)...)
	list = append(list, orderCases[float32](s)...)
	list = append(list, orderCases[float64](s)...)
	list = append(list, uniqueCase(s))
	list = append(list, indexingCases[float32](s)...)
	list = append(list, indexingCases[float64](s)...)
	list = append(list, randomCases[float32](s)...)
	list = append(list, randomCases[float64](s)...)
	list = append(list, learnCases(s)...)
	list = append(list, tableFileCases(s, dir)...)
	return append(list, communicationCases(s)...)
}

// names returns the names of all cases, those of the command process included.
func names(s sizes) []string { return append(caseNames(s), startName, peakName(s)) }

// caseNames returns the names of the cases that run in one program.
func caseNames(s sizes) []string {
	var list []string
	for _, k := range cases(s, "") {
		list = append(list, k.name)
	}
	return list
}

// uniform returns numbers from 0.5 to 1.5, different ones for each seed.
func uniform[T nd.Float](c *spmd.Comm, seed uint64, axis nd.Axis, shape ...int) *nd.NDArray[T] {
	return random.Uniform[T](random.New(seed), c, shape, axis, 0.5, 1.5)
}

// vector returns n such numbers, split along axis 0.
func vector[T nd.Float](c *spmd.Comm, seed uint64, n int) *nd.NDArray[T] {
	return uniform[T](c, seed, 0, n)
}

// definite returns a positive definite matrix with the elements min(i, j)/n, and
// 0.01 more on the diagonal: of condition number 8e4 for n = 2000, so that CG is
// not done before its steps are.
func definite[T nd.Float](c *spmd.Comm, n int, axis nd.Axis) *nd.NDArray[T] {
	return nd.FromFunc(c, nd.Shape{n, n}, axis, func(i []int) T {
		v := float64(1+min(i[0], i[1])) / float64(n)
		if i[0] == i[1] {
			v += 0.01
		}
		return T(v)
	})
}

// cube is n³ as a number of operations.
func cube(n int) float64 { return math.Pow(float64(n), 3) }
