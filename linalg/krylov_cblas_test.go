//go:build cblas

package linalg_test

// complexAllocates: netlib hands OpenBLAS complex factors by pointers to memory
// that it allocates for each product.
const complexAllocates = true
