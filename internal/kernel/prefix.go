package kernel

// Runs is how many runs [RunSums] and [RunPrefixes] work on side by side.
const Runs = 4

// PrefixRun returns how many elements each of the first [Runs] runs of n elements
// should have, a multiple of 4, or 0 if a plain loop is to do all.
func PrefixRun[T Float](n int) int {
	if n < 64 || vectorsFor[T](n) == nil {
		return 0
	}
	return n / Runs &^ 3
}

// RunSums sets s[k] to the sum of run k of x, of n elements each, one after the
// other, and s[Runs+k] to what rounding has taken from it: every addition's error is
// added up too (Neumaier 1974). n is of [PrefixRun].
func RunSums[T Float](x []T, n int, s *[2 * Runs]float64) {
	_ = x[Runs*n-1]
	vectorsFor[T](Runs*n).runSums(&x[0], n, &s[0])
}

// RunPrefixes sets the elements of the runs of dst, which may be x, to the sums of
// before and the elements of the same run of x up to each, with s[k] and s[Runs+k]
// from before the run, as [RunSums] adds up. An infinite sum, or NaN, remains.
func RunPrefixes[T Float](dst, x []T, n int, s *[2 * Runs]float64, before float64) {
	_, _ = dst[Runs*n-1], x[Runs*n-1]
	vectorsFor[T](Runs*n).runPrefixes(&dst[0], &x[0], n, &s[0], before)
}
