//go:build !cblas

package linalg_test

const complexAllocates = false
