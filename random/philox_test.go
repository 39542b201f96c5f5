package random

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestKnownAnswers(t *testing.T) {
	text, err := os.ReadFile("testdata/philox4x64.txt")
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var v []uint64
		for _, f := range strings.Fields(line)[2:] {
			x, err := strconv.ParseUint(f, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = append(v, x)
		}
		w0, w1, w2, w3 := philox(v[0], v[1], v[2], v[3], v[4], v[5])
		if got, want := [4]uint64{w0, w1, w2, w3}, [4]uint64(v[6:]); got != want {
			t.Errorf("philox(%x) = %x, want %x", v[:6], got, want)
		}
		tested++
	}
	if tested != 3 {
		t.Errorf("%d known answers, want 3", tested)
	}
}
