//go:build cgo && cblas

package linalg

// #cgo pkg-config: openblas
// void openblas_set_num_threads(int n);
import "C"

import (
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/cblas128"
	"gonum.org/v1/gonum/blas/cblas64"
	"gonum.org/v1/netlib/blas/netlib"
)

// init registers OpenBLAS for this module's products and for gonum's own.
func init() {
	blas32.Use(netlib.Implementation{})
	blas64.Use(netlib.Implementation{})
	cblas64.Use(netlib.Implementation{})
	cblas128.Use(netlib.Implementation{})
	setThreads = func(n int) { C.openblas_set_num_threads(C.int(n)) }
}
