package main

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

func TestEveryCaseRuns(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		spmdtest.Run(t, n, func(c *spmd.Comm) {
			for _, k := range cases(tinySizes, spmdtest.TempDir(t, c)) {
				f := k.setup(c)
				f()
				f() // with what the first run has left
			}
		})
	}
}

func TestMeasureIsTheSameOnEveryRank(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		calls := 0
		r := measure(c, settings{warmups: 1, samples: 5, sample: 1000, budget: 1e9}, benchCase{name: "barrier", bytes: 8,
			setup: func(c *spmd.Comm) func() {
				return func() { calls++; c.Barrier() }
			}})
		if r.Samples != 5 || r.Min > r.Median || r.Median > r.Max || r.Min <= 0 {
			t.Errorf("measured %+v", r)
		}
		// Two to estimate, a warm-up and five samples of as many repeats.
		if want := 2 + 6*r.Repeats; calls != want {
			t.Errorf("%d calls, %d repeats: want %d", calls, r.Repeats, want)
		}
		most := spmd.AllreduceOne(c, r.Median, spmd.Max)
		if least := spmd.AllreduceOne(c, r.Median, spmd.Min); most != least {
			t.Errorf("medians from %v to %v", least, most)
		}
	})
}

func TestLimits(t *testing.T) {
	defer func(f func(*spmd.Comm) func() float64) { watch = f }(watch)
	watch = func(*spmd.Comm) func() float64 { return func() float64 { return 0.3 } }
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		l, foreign := limits(c, settings{samples: 1, sample: 1, budget: 1}, tinySizes)
		for _, name := range limitNames {
			between := slices.Contains([]string{"latency", "bandwidth", "barrier", "allreduce"}, name)
			v, ok := l[name]
			if ok != (!between || c.Size() > 1) || ok && v <= 0 {
				t.Errorf("%s is %v", name, v)
			}
			if share := foreign[name]; ok && share != 0.3 {
				t.Errorf("%s was measured while other programs took %v of the processors, want 0.3", name, share)
			}
		}
	})
}

func TestNamesAreUnique(t *testing.T) {
	for _, s := range []sizes{fullSizes, tinySizes} {
		seen := map[string]bool{}
		for _, name := range names(s) {
			if seen[name] {
				t.Errorf("two cases are called %q", name)
			}
			seen[name] = true
		}
	}
}

// A name that is mistyped must not pass for a run without results.
func TestNoCaseIsAnError(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-tiny", "-run", "^ad$"}, `-run "^ad$" matches no case; -list prints the names`},
		{[]string{"-tiny", "-run", "^start$"}, `-run "^start$" matches no case; -list prints the names`},
		{[]string{"-tiny", "-list", "-run", "^ad$"}, `-run "^ad$" matches no case; -list prints the names`},
		{[]string{"-tiny", "-run", "^add n", "-skip", "add"}, `-run "^add n" without -skip "add" matches no case; -list prints the names`},
	} {
		if err := runCases(test.args); err == nil || err.Error() != test.want {
			t.Errorf("%q: error %v, want %s", test.args, err, test.want)
		}
	}
}

func TestUsageListsCommands(t *testing.T) {
	var b strings.Builder
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(&b)
	flags.Int("samples", 7, "samples a case")
	usage(flags)
	for _, want := range []string{"\n  process ", "\n  scaling ", "\n  report ", "-samples"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "peak  ") {
		t.Errorf("a command that nobody types is listed:\n%s", b.String())
	}
}

// The loops that the goals of results in new arrays are held against make one too.
func TestBareLoopsAllocate(t *testing.T) {
	spmdtest.Run(t, 1, func(c *spmd.Comm) {
		for _, k := range bareLoops[float64](tinySizes.short) {
			want := 0.0
			if strings.HasPrefix(k.name, "bare/new/") {
				want = 1
			}
			if got := testing.AllocsPerRun(10, k.setup(c)); got != want {
				t.Errorf("%s allocates %v times, want %v", k.name, got, want)
			}
		}
	})
}

// The peers' scripts accept the names in this file and no others. After a change:
//
//	go run ./bench -list > bench/peers/names.txt
func TestPeersHaveTheNames(t *testing.T) {
	text, err := os.ReadFile("peers/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join(names(fullSizes), "\n") + "\n"; string(text) != want {
		t.Error("peers/names.txt is not the list of the cases")
	}
}

func TestNames(t *testing.T) {
	for want, got := range map[string]string{
		"add/into n=1e7 f64":         vectorName[float64]("add/into", 1e7),
		"unique n=1000001 i64":       vectorName[int64]("unique", 1_000_001),
		"add n=100 f32":              vectorName[float32]("add", 100),
		"sum/axis0 4000x2500 f32 s1": tableName[float32]("sum/axis0", 4000, 2500, splitName(1)),
		"matmul 2000 f64 s0·none":    tableName[float64]("matmul", 2000, 2000, splitName(0)+"·"+splitName(-1)),
		"none":                       axisName(-1),
		"1":                          axisName(1),
		"1e3":                        count(1000),
		"2500":                       count(2500),
		"20e":                        count(20) + "e",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestGoalsHaveCases(t *testing.T) {
	limited, all := map[string]bool{}, names(fullSizes)
	for _, k := range cases(fullSizes, "") {
		limited[k.name] = k.limit != ""
	}
	for _, g := range goals {
		found := 0
		for _, name := range all {
			if g.cases.MatchString(name) {
				found++
				if g.limit && !limited[name] {
					t.Errorf("%s: %s has no limit", g.row, name)
				}
				op, rest, _ := strings.Cut(name, " ")
				if bare := g.bare + strings.TrimSuffix(op, "/into") + " " + rest; g.bare != "" && !slices.Contains(all, bare) {
					t.Errorf("%s: %s is held against %s, which is no case", g.row, name, bare)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: no case matches %v", g.row, g.cases)
		}
	}
}
