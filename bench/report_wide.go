package main

import "strings"

// sideBySide is the table of all runs next to each other: one line a case, one
// column a run of Caloric, of Heat and of NumPy. The ratio is the time of Heat on
// the most ranks divided by the best of Caloric's on as many.
func (c *comparison) sideBySide() table {
	columns := make([][]*document, 0, len(c.runs)+4)
	head := []string{"case"}
	for _, d := range c.runs {
		columns = append(columns, []*document{d})
		head = append(head, ranksText(d.Ranks)+", "+runName(d))
	}
	var rival []*document
	for _, library := range []string{"Heat", "NumPy"} {
		for _, same := range sameRun(c.peers, library) {
			columns = append(columns, same)
			d := same[0]
			head = append(head, strings.Join([]string{library, ranksText(d.Ranks), plural(d.Threads, "thread")}, ", "))
			if library == "Heat" && (rival == nil || d.Ranks > rival[0].Ranks) {
				rival = same
			}
		}
	}
	t := table{append(head, "ratio")}
	for _, name := range caseOrder(c.runs) {
		if strings.HasPrefix(name, "bare/") {
			continue
		}
		line, best := []string{name}, 0.0
		for i, docs := range columns {
			r := find(docs, name)
			line = append(line, r.shown())
			if i < len(c.runs) && rival != nil && docs[0].Ranks == rival[0].Ranks && r.Median > 0 && (best == 0 || r.Median < best) {
				best = r.Median
			}
		}
		last := ""
		if h := find(rival, name); h.Median > 0 && best > 0 {
			last = ratio(h.Median, best)
		}
		t = append(t, append(line, last))
	}
	return t
}

// sameRun returns the documents of a library, those of as many ranks and threads together.
func sameRun(docs []*document, library string) [][]*document {
	var groups [][]*document
next:
	for _, d := range docs {
		if d.Library != library {
			continue
		}
		for i, g := range groups {
			if g[0].Ranks == d.Ranks && g[0].Threads == d.Threads {
				groups[i] = append(g, d)
				continue next
			}
		}
		groups = append(groups, []*document{d})
	}
	return groups
}

// find returns the first result of that name, an empty one if there is none.
func find(docs []*document, name string) result {
	for _, d := range docs {
		for _, r := range d.Results {
			if r.Name == name {
				return r
			}
		}
	}
	return result{}
}
