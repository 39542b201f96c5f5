package dft

import "math"

// factors returns n's largest prime factor, and how many factors gonum's plans
// write it as: primes, but fours for pairs of twos.
func factors(n int) (largest, count int) {
	largest = 1
	take := func(p, f int) {
		for n%f == 0 {
			n /= f
			count++
			largest = max(largest, p)
		}
	}
	take(2, 4)
	take(2, 2)
	for p := 3; p*p <= n; p += 2 {
		take(p, p)
	}
	if n > 1 {
		largest = max(largest, n)
		count++
	}
	return largest, count
}

// Smooth returns the smallest product of twos, threes and fives that is at least n.
func Smooth(n int) int {
	best := math.MaxInt
	for five := 1; five < best; five *= 5 {
		for m := five; m < best; m *= 3 {
			k := m
			for k < n {
				k *= 2
			}
			best = min(best, k)
			if m >= n {
				break
			}
		}
		if five >= n {
			break
		}
	}
	return best
}

// Halves returns n1 ≤ n2 with n1·n2 = n that are as near to each other as can be.
func Halves(n int) (n1, n2 int) {
	for d := int(math.Sqrt(float64(n))) + 1; d > 0; d-- {
		if n%d == 0 && d <= n/d {
			return d, n / d
		}
	}
	return 1, n
}
