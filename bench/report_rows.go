package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// peerColumn is a peer as a column of the table: NumPy has one for each number of
// threads, libraries with ranks are compared with the same number of ranks.
type peerColumn struct {
	library string
	threads int // 0: not part of the column
}

func (p peerColumn) String() string {
	if p.threads == 0 {
		return p.library
	}
	return fmt.Sprintf("%s, %d thr.", p.library, p.threads)
}

// row is one case of one run of Caloric, with what its peers took.
type row struct {
	run      *document
	result   result
	fraction float64  // of the limit, 0 if it has none
	peers    []result // one for each column; an empty name if the peer has no such case
	verdicts []verdict
}

// verdict is what became of one goal.
type verdict struct {
	goal  goal
	value float64
	known bool // false if what the goal compares with was not measured
	met   bool
}

// comparison is everything that a report shows.
type comparison struct {
	runs    []*document // Caloric's
	peers   []*document
	columns []peerColumn
	rows    []row
	scaling []point
}

// compare sorts out the documents. Cases keep the order in which they were run;
// runs are ordered by ranks, then build.
func compare(docs []*document) *comparison {
	c := new(comparison)
	for _, d := range docs {
		c.scaling = append(c.scaling, d.Scaling...)
		switch {
		case d.Library != "Caloric":
			c.peers = append(c.peers, d)
		case len(d.Results) > 0:
			c.addRun(d)
		}
	}
	slices.SortStableFunc(c.runs, func(a, b *document) int {
		return cmp.Or(cmp.Compare(a.Ranks, b.Ranks), cmp.Compare(a.Transport, b.Transport), cmp.Compare(a.Build, b.Build))
	})
	for _, d := range c.peers {
		p := columnOf(d)
		if !slices.Contains(c.columns, p) {
			c.columns = append(c.columns, p)
		}
	}
	slices.SortFunc(c.columns, func(a, b peerColumn) int {
		return cmp.Or(cmp.Compare(importance(a.library), importance(b.library)),
			cmp.Compare(a.library, b.library), cmp.Compare(a.threads, b.threads))
	})
	for _, name := range caseOrder(c.runs) {
		for _, d := range c.runs {
			for _, r := range d.Results {
				if r.Name == name {
					c.rows = append(c.rows, c.row(d, r))
				}
			}
		}
	}
	return c
}

// addRun adds a run of Caloric. What was measured with one build on the same
// ranks counts as one run, as what the command process writes; of two results of
// one case the first counts.
func (c *comparison) addRun(d *document) {
	for _, r := range c.runs {
		if r.Build == d.Build && r.Transport == d.Transport && r.Ranks == d.Ranks && r.Threads == d.Threads {
			for _, more := range d.Results {
				if !slices.ContainsFunc(r.Results, func(x result) bool { return x.Name == more.Name }) {
					r.Results = append(r.Results, more)
				}
			}
			if r.Limits == nil {
				r.Limits, r.LimitsForeign = d.Limits, d.LimitsForeign
			}
			return
		}
	}
	c.runs = append(c.runs, d)
}

// importance orders the peers' columns.
func importance(library string) int {
	if i := slices.Index([]string{"Heat", "NumPy", "Dask"}, library); i >= 0 {
		return i
	}
	return 3
}

func columnOf(d *document) peerColumn {
	if d.Transport == "mpi" {
		return peerColumn{library: d.Library}
	}
	return peerColumn{d.Library, d.Threads}
}

// caseOrder returns the names of the cases of all runs, each once, in the order
// of the first run that has it.
func caseOrder(runs []*document) []string {
	var order []string
	seen := map[string]bool{}
	for _, d := range runs {
		for _, r := range d.Results {
			if !seen[r.Name] {
				seen[r.Name] = true
				order = append(order, r.Name)
			}
		}
	}
	return order
}

func (c *comparison) row(d *document, r result) row {
	w := row{run: d, result: r, fraction: d.fraction(r)}
	for _, p := range c.columns {
		w.peers = append(w.peers, c.peer(p, d, r.Name))
	}
	if r.Error != "" {
		return w
	}
	for _, g := range goals {
		if g.cases.MatchString(r.Name) && (g.ranks == 0 || g.ranks == d.Ranks) && g.tags.allows(d.Build) {
			w.verdicts = append(w.verdicts, c.judge(g, w))
		}
	}
	return w
}

// peer returns the result of a peer that stands beside a run's, an empty one if
// there is none. Of several runs the first counts.
func (c *comparison) peer(p peerColumn, run *document, name string) result {
	var docs []*document
	for _, d := range c.peers {
		if columnOf(d) == p && (d.Transport != "mpi" || d.Ranks == run.Ranks) {
			docs = append(docs, d)
		}
	}
	return find(docs, name)
}

// judge decides whether a goal is met.
func (c *comparison) judge(g goal, w row) verdict {
	v := verdict{goal: g}
	switch {
	case g.limit:
		v.value, v.known = w.fraction, w.fraction > 0
		v.met = v.value >= g.atLeast
	case g.bare != "":
		op, rest, _ := strings.Cut(w.result.Name, " ")
		bare := g.bare + strings.TrimSuffix(op, "/into") + " " + rest
		for _, r := range w.run.Results {
			if r.Name == bare {
				v.value, v.known = w.result.Median-r.Median, true
			}
		}
		v.met = v.value <= g.atMost
	case g.resident:
		// Three blocks of 8 bytes an element.
		blocks := 3 * 8 * float64(fullSizes.resident) / float64(w.run.Ranks)
		v.value, v.known = w.result.Median/blocks, true
		v.met = v.value <= g.atMost
	default:
		for i, p := range c.columns {
			r := w.peers[i]
			if p.library != g.peer || r.Median == 0 || g.threads != 0 && p.threads != g.threads {
				continue
			}
			// The fastest of several columns is the one to beat.
			if ratio := r.Median / w.result.Median; !v.known || ratio < v.value {
				v.value, v.known = ratio, true
			}
		}
		v.met = v.value >= g.atLeast
	}
	v.met = v.met && v.known
	return v
}

// String prints a verdict: the goal, and whether it is met.
func (v verdict) String() string {
	mark := "MISSED"
	switch {
	case !v.known:
		mark = "not measured"
	case v.met:
		mark = "met"
	}
	return v.goal.String() + ": " + mark
}

// String prints what a goal asks for.
func (g goal) String() string {
	switch {
	case g.limit:
		return fmt.Sprintf("≥ %.0f %% of limit", 100*g.atLeast)
	case g.bare != "":
		return "≤ " + quantity(g.atMost, inSeconds) + " over loop"
	case g.resident:
		return fmt.Sprintf("≤ %.2f × three blocks", g.atMost)
	case g.threads > 0:
		return fmt.Sprintf("≥ %s× %s on %d thread", short(g.atLeast), g.peer, g.threads)
	}
	return fmt.Sprintf("≥ %s× %s", short(g.atLeast), g.peer)
}

// short prints a ratio without needless digits.
func short(v float64) string {
	switch {
	case v >= 10:
		return fmt.Sprintf("%.0f", v)
	case v == float64(int(v)):
		return fmt.Sprint(int(v))
	case v >= 1:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// hasTag reports whether a build has a tag.
func hasTag(build, tag string) bool { return slices.Contains(strings.Split(build, ","), tag) }
