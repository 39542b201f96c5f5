package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"

	"github.com/google/go-cmp/cmp"
)

func TestMain(m *testing.M) { spmdtest.Main(m) }

var update = flag.Bool("update", false, "write testdata/tour.txt from a run on 4 ranks")

// ofRanks are the lines that depend on the number of ranks.
var ofRanks = regexp.MustCompile(`(?m)^ *(rank \d+.*|NDArray.*)\n(\[\]\n|\[\[\[(.*\n)*?.*\]\]\]\n)?`)

// TestTour compares the tour with testdata/tour.txt, whose values are those that
// the tutorial prints: the whole text on 4 ranks, and what does not name ranks on
// every number of them.
func TestTour(t *testing.T) {
	want, err := os.ReadFile("testdata/tour.txt")
	if err != nil && !*update {
		t.Fatal(err)
	}
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		var b bytes.Buffer
		if err := tour(c, &b, 40); err != nil {
			t.Error(err)
		}
		if c.Rank() > 0 {
			if b.Len() > 0 {
				t.Errorf("%v wrote %q", c, b.String())
			}
			return
		}
		got, want := b.String(), string(want)
		if *update && c.Size() == 4 {
			if err := os.WriteFile("testdata/tour.txt", b.Bytes(), 0o666); err != nil {
				t.Error(err)
			}
		}
		if c.Size() != 4 {
			got, want = ofRanks.ReplaceAllString(got, ""), ofRanks.ReplaceAllString(want, "")
		}
		if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" {
			t.Errorf("on %d ranks (-want +got):\n%s", c.Size(), d)
		}
	})
}

func TestTourReportsTheWritersError(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		err := tour(c, full{}, 3)
		if c.Rank() == 0 && !errors.Is(err, errFull) {
			t.Errorf("error %v, want %v", err, errFull)
		}
	})
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
