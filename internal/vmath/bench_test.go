package vmath

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// common is where each function's arguments usually lie.
var common = [numUnary]region{
	fnSqrt: linear(0, 10), fnCbrt: linear(-10, 10), fnExp: linear(-10, 10), fnExp2: linear(-10, 10), fnExpm1: linear(-2, 2),
	fnLog: linear(0.01, 10), fnLog2: linear(0.01, 10), fnLog10: linear(0.01, 10), fnLog1p: linear(-0.9, 10),
	fnSin: linear(-10, 10), fnCos: linear(-10, 10), fnTan: linear(-10, 10),
	fnAsin: linear(-1, 1), fnAcos: linear(-1, 1), fnAtan: linear(-10, 10),
	fnSinh: linear(-5, 5), fnCosh: linear(-5, 5), fnTanh: linear(-3, 3),
	fnAsinh: linear(-10, 10), fnAcosh: linear(1, 10), fnAtanh: linear(-1, 1),
}

var mathUnary = [numUnary]func(float64) float64{
	math.Sqrt, math.Cbrt, math.Exp, math.Exp2, math.Expm1, math.Log, math.Log2, math.Log10, math.Log1p, math.Sin, math.Cos, math.Tan,
	math.Asin, math.Acos, math.Atan, math.Sinh, math.Cosh, math.Tanh, math.Asinh, math.Acosh, math.Atanh,
}

const benchSize = 1000

func perElement(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchSize, "ns/elem")
	b.ReportMetric(0, "ns/op")
}

func drawn[T Float](g region) []T {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]T, benchSize)
	for i := range x {
		x[i] = T(g.draw(r))
	}
	return x
}

// BenchmarkUnary gives the time of an element: of Go's math, and of this package by
// instruction set.
func BenchmarkUnary(b *testing.B) {
	for fn, a := range accuracies1 {
		name := a.name
		x, y := drawn[float64](common[fn]), make([]float64, benchSize)
		x32, y32 := drawn[float32](common[fn]), make([]float32, benchSize)
		b.Run(name+"/math", func(b *testing.B) {
			f := mathUnary[fn]
			for b.Loop() {
				for i, v := range x {
					y[i] = f(v)
				}
			}
			perElement(b)
		})
		benchSets(b, name, one[float64](fn), y, x, x)
		benchSets(b, name, one[float32](fn), y32, x32, x32)
	}
}

// benchSets measures f with each instruction set.
func benchSets[T Float](b *testing.B, name string, f func(dst, x, y []T), dst, x, y []T) {
	defer func() { used = best() }()
	for used = pureGo; used <= best(); used++ {
		b.Run(fmt.Sprintf("%s/%s/%T", name, []string{"go", "avx2", "avx512"}[used], *new(T)), func(b *testing.B) {
			for b.Loop() {
				f(dst, x, y)
			}
			perElement(b)
		})
	}
}

func BenchmarkBinary(b *testing.B) {
	mathBinary := [numBinary]func(x, y float64) float64{math.Pow, math.Atan2, math.Hypot}
	for fn, a := range accuracies2 {
		name := a.name
		x, y, z := drawn[float64](linear(0.1, 10)), drawn[float64](linear(-5, 5)), make([]float64, benchSize)
		x32, y32, z32 := drawn[float32](linear(0.1, 10)), drawn[float32](linear(-5, 5)), make([]float32, benchSize)
		b.Run(name+"/math", func(b *testing.B) {
			f := mathBinary[fn]
			for b.Loop() {
				for i, v := range x {
					z[i] = f(v, y[i])
				}
			}
			perElement(b)
		})
		benchSets(b, name, two[float64](fn), z, x, y)
		benchSets(b, name, two[float32](fn), z32, x32, y32)
	}
}
