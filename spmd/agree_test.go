package spmd_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

func TestAgree(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		p, me := c.Size(), c.Rank()
		if err := spmd.Agree(c, nil); err != nil {
			t.Errorf("nobody fails: %v", err)
		}
		local := func(fails bool, text string) error {
			if fails {
				return &fs.PathError{Op: "open", Path: text, Err: fs.ErrNotExist}
			}
			return nil
		}
		// One rank fails.
		err := spmd.Agree(c, local(me == p-1, "a.csv"))
		want := fmt.Sprintf("rank %d: open a.csv: file does not exist", p-1)
		if p == 1 {
			want = "open a.csv: file does not exist"
		}
		agreed(t, c, err, want, p-1)
		if is := errors.Is(err, fs.ErrNotExist); is != (me == p-1) {
			t.Errorf("errors.Is is %v on %v", is, c)
		}
		// All fail alike, or each in its own way.
		agreed(t, c, spmd.Agree(c, local(true, "b.csv")), "open b.csv: file does not exist", upTo(p)...)
		var lines []string
		for r := range p {
			lines = append(lines, fmt.Sprintf("rank %d: open %d.csv: file does not exist", r, r))
		}
		want = strings.Join(lines, "\n")
		if p == 1 {
			want = "open 0.csv: file does not exist"
		}
		agreed(t, c, spmd.Agree(c, local(true, fmt.Sprint(me, ".csv"))), want, upTo(p)...)
		// All but rank 0 fail alike.
		if p > 2 {
			agreed(t, c, spmd.Agree(c, local(me > 0, "d.csv")),
				fmt.Sprintf("%d ranks (first 1): open d.csv: file does not exist", p-1), upTo(p)[1:]...)
		}
		// An error without a text, and one with much.
		if err := spmd.Agree(c, []error{nil, errors.New("")}[min(1, p-1-me)]); p > 1 && err == nil {
			t.Errorf("an error without text is lost on %v", c)
		}
		err = spmd.Agree(c, errors.New(strings.Repeat("x", 100_000)))
		if n := len(err.Error()); n < 1000 || n > 10_000 {
			t.Errorf("a long error has %d bytes on %v", n, c)
		}
		// A communicator of some of the ranks agrees on its own.
		half := c.Split(me%2, 0)
		if err := spmd.Agree(half, local(me%2 == 1, "e.csv")); (err != nil) != (me%2 == 1) {
			t.Errorf("half of the ranks: %v on %v", err, c)
		}
	})
}

func upTo(p int) []int {
	ranks := make([]int, p)
	for r := range ranks {
		ranks[r] = r
	}
	return ranks
}

// agreed checks that err is a RankError with the text want, of the ranks that failed.
func agreed(t testing.TB, c *spmd.Comm, err error, want string, failed ...int) {
	t.Helper()
	var e *spmd.RankError
	if !errors.As(err, &e) {
		t.Errorf("%v on %v is no RankError", err, c)
		return
	}
	if e.Error() != want {
		t.Errorf("error %q on %v, want %q", e, c, want)
	}
	if diff := cmp.Diff(failed, e.Ranks); diff != "" {
		t.Errorf("failed ranks on %v (-want +got):\n%s", c, diff)
	}
}

func TestAgreeCommunicates(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		before := c.Stats()
		if err := spmd.Agree(c, nil); err != nil {
			t.Error(err)
		}
		want := spmd.Stats{"allreduce": {Calls: 1, Messages: 1, Bytes: 8}}
		if c.Size() == 1 {
			want = spmd.Stats{"allreduce": {Calls: 1}}
		}
		if diff := cmp.Diff(want, c.Stats().Sub(before)); diff != "" {
			t.Errorf("Agree without an error on %v (-want +got):\n%s", c, diff)
		}
		before = c.Stats()
		if err := spmd.Agree(c, errors.New("boom")); err == nil {
			t.Errorf("no error on %v", c)
		}
		for op, n := range c.Stats().Sub(before) {
			if calls := map[string]int64{"allreduce": 1, "allgatherv": 2}[op]; n.Calls != calls {
				t.Errorf("Agree with an error: %d calls of %s on %v, want %d", n.Calls, op, c, calls)
			}
		}
	})
}
