package linalg_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/linalg"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

var update = flag.Bool("update", false, "write the table of docs/matmul.md")

// TestTrafficTable multiplies on up to 256 ranks by every algorithm and compares
// the bytes that a rank sends with the table in the documentation.
func TestTrafficTable(t *testing.T) {
	spmdtest.Embedded(t)
	if krylovRace {
		t.Skip("hundreds of ranks take long under the race detector, and no path that other tests do not")
	}
	const file, begin, end = "../docs/matmul.md", "<!-- traffic -->\n", "<!-- end of traffic -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(text), begin)
	old, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("no %s and %s in %s", begin, end, file)
	}
	table := trafficTable(t)
	if table == old {
		return
	}
	if !*update {
		t.Fatalf("the table in %s is not what is counted (-update writes it):\n%s", file, table)
	}
	if err := os.WriteFile(file, []byte(head+begin+table+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

func trafficTable(t *testing.T) string {
	const n = 256
	sizes := []int{4, 16, 64, 256}
	var s strings.Builder
	row := func(name string, number func(ranks int) float64, format string) {
		fmt.Fprintf(&s, "| %s |", name)
		for _, p := range sizes {
			fmt.Fprintf(&s, " "+format+" |", number(p))
		}
		s.WriteString("\n")
	}
	s.WriteString("| largest number of bytes that a rank sends | P = 4 | 16 | 64 | 256 |\n| --- | ---: | ---: | ---: | ---: |\n")
	summa := map[int]float64{}
	for _, tt := range []struct {
		alg  linalg.Algorithm
		a, b split.Axis
		name string
	}{
		{linalg.GatherRight, 0, 0, "0·0 → 0, gather right"},
		{linalg.RingRight, 0, 0, "0·0 → 0, ring right"},
		{linalg.GatherLeft, 1, 1, "1·1 → 1, gather left"},
		{linalg.RingLeft, 1, 1, "1·1 → 1, ring left"},
		{linalg.RingRight, 0, 1, "0·1 → 0, ring right"},
		{linalg.PartialSums, 1, 0, "1·0 → 0, partial sums"},
		{linalg.RingSums, 1, 0, "1·0 → 0, ring sums"},
		{linalg.SUMMA, 0, 0, "0·0 → 0, SUMMA"},
		{linalg.SUMMA, 1, 0, "1·0 → 0, SUMMA"},
	} {
		row(tt.name, func(p int) float64 {
			sent := largestSent(t, p, n, tt.alg, tt.a, tt.b)
			if tt.alg == linalg.SUMMA && tt.a == 0 {
				summa[p] = sent
			}
			return sent
		}, "%.0f")
	}
	row("bound without an assumption on memory", func(p int) float64 { return freeBound(n, p) }, "%.0f")
	row("bound for M = 3n²/P words a rank", func(p int) float64 { return memoryBound(n, p) }, "%.0f")
	row("0·0 → 0, SUMMA over the first bound", func(p int) float64 { return summa[p] / freeBound(n, p) }, "%.2f")
	return s.String()
}

// largestSent returns the largest number of bytes that a rank sends.
func largestSent(t *testing.T, ranks, n int, alg linalg.Algorithm, i, j split.Axis) float64 {
	var most float64
	spmdtest.Run(t, ranks, func(c *spmd.Comm) {
		a, b := nd.Ones[float64](c, nd.Shape{n, n}, i), nd.Ones[float64](c, nd.Shape{n, n}, j)
		before := c.Stats()
		z := linalg.MatMul(a, b, linalg.UseAlgorithm(alg))
		sent := float64(c.Stats().Sub(before).Total().Bytes)
		sent = spmd.AllreduceOne(c, sent, spmd.Max)
		if c.Rank() == 0 {
			most = sent
		}
		for _, v := range z.Local() {
			if v != float64(n) {
				t.Errorf("%v: an element is %v", alg, v)
				break
			}
		}
	})
	return most
}

// freeBound is half of 3(n³/P)^⅔ − 3n²/P words: what a rank sends and receives at least.
func freeBound(n, ranks int) float64 {
	x, p := float64(n), float64(ranks)
	return 8 * (3*math.Pow(x*x*x/p, 2.0/3) - 3*x*x/p) / 2
}

// memoryBound is half of n³/(2√2·P·√M) − M words for M = 3n²/P.
func memoryBound(n, ranks int) float64 {
	x, p := float64(n), float64(ranks)
	m := 3 * x * x / p
	return max(0, 8*(x*x*x/(2*math.Sqrt2*p*math.Sqrt(m))-m)/2)
}
