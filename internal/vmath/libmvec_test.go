//go:build linux && amd64 && cgo && (mpi || cblas) && !nolibmvec

package vmath

import "testing"

// TestNarrow runs the tests on the vectors of AVX2, where AVX-512 is what is used.
func TestNarrow(t *testing.T) {
	if !vectorized {
		t.Skip("the processor has no AVX2")
	}
	if !setWide(false) {
		t.Skip("AVX2 is what is used")
	}
	defer setWide(true)
	t.Run("Accuracy", TestAccuracy)
	t.Run("Specials", TestSpecials)
	t.Run("Places", TestPlaces)
}
