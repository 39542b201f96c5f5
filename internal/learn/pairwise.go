package learn

// pairwiseSum adds halves, so that errors grow with the logarithm of the length.
func pairwiseSum(x []float64) float64 {
	if len(x) > 128 {
		return pairwiseSum(x[:len(x)/2]) + pairwiseSum(x[len(x)/2:])
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum
}
