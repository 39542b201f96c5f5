package linalg_test

import (
	"math"
	"strings"
	"testing"

	"caloric/linalg"
	"caloric/nd"
)

func TestSolverOptionMistakes(t *testing.T) {
	for want, f := range map[string]func(){
		"the relative tolerance is NaN": func() { linalg.Rtol(math.NaN()) },
		"the absolute tolerance is -1":  func() { linalg.Atol(-1) },
		"the number of steps is -1":     func() { linalg.MaxIter(-1) },
		"a restart after 0 steps":       func() { linalg.Restart(0) },
	} {
		if err := nd.Try(f); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "solver_test.go:") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
