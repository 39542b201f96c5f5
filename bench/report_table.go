package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// table is a table of text, its first line the columns' heads.
type table [][]string

// markdown prints a table with its columns aligned.
func (t table) markdown() string {
	widths := make([]int, len(t[0]))
	for _, line := range t {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for n, line := range t {
		for i, cell := range line {
			fmt.Fprintf(&b, "| %s%s ", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, w := range widths {
				b.WriteString("| " + strings.Repeat("-", max(w, 3)) + " ")
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}

// cases is the table of ratios: one line for each case and run.
func (c *comparison) cases() table {
	head := []string{"case", "ranks", "build", "Caloric", "of limit"}
	for _, p := range c.columns {
		head = append(head, p.String(), "ratio")
	}
	t := table{append(head, "goals")}
	for _, w := range c.rows {
		line := []string{w.result.Name, fmt.Sprint(w.run.Ranks), runName(w.run), w.result.shown(), ""}
		if w.fraction > 0 {
			line[4] = fmt.Sprintf("%.0f %% %s", 100*w.fraction, w.result.Limit)
		}
		for _, r := range w.peers {
			switch {
			case r.Name == "":
				line = append(line, "", "")
			case r.Error != "":
				line = append(line, "error", "")
			default:
				line = append(line, quantity(r.Median, r.Unit), ratio(r.Median, w.result.Median))
			}
		}
		var verdicts []string
		for _, v := range w.verdicts {
			verdicts = append(verdicts, v.String())
		}
		t = append(t, append(line, strings.Join(verdicts, "; ")))
	}
	return t
}

// shown prints a result, nothing of an empty one; a question mark tells that other
// programs were busy meanwhile.
func (r result) shown() string {
	switch {
	case r.Name == "":
		return ""
	case r.Error != "":
		return "error"
	}
	return doubt(quantity(r.Median, r.Unit), r.Foreign)
}

func runName(d *document) string {
	name := d.Build
	if d.Transport == "mpi" && !hasTag(d.Build, "mpi") {
		name += ", mpi"
	}
	return name
}

func ratio(peer, own float64) string {
	if own == 0 {
		return ""
	}
	return short(peer/own) + "×"
}

// goalTable sums the goals up by their rows: how many of the cases' goals are
// met in which run.
func (c *comparison) goalTable() table {
	type key struct {
		row string
		run *document
	}
	met, known := map[key]int{}, map[key]int{}
	for _, w := range c.rows {
		for _, v := range w.verdicts {
			k := key{v.goal.row, w.run}
			if v.known {
				known[k]++
			}
			if v.met {
				met[k]++
			}
		}
	}
	head := []string{"goal"}
	for _, d := range c.runs {
		head = append(head, runName(d)+", "+ranksText(d.Ranks))
	}
	t := table{head}
	last := ""
	for _, g := range goals {
		if g.row == last {
			continue
		}
		last = g.row
		line := []string{g.row}
		for _, d := range c.runs {
			k := key{g.row, d}
			cell := ""
			if known[k] > 0 {
				cell = fmt.Sprintf("%d of %d", met[k], known[k])
			}
			line = append(line, cell)
		}
		t = append(t, line)
	}
	return t
}

// missed lists the goals that are missed, with what was reached.
func (c *comparison) missed() table {
	t := table{{"case", "ranks", "build", "goal", "reached"}}
	for _, w := range c.rows {
		for _, v := range w.verdicts {
			if v.known && !v.met {
				t = append(t, []string{w.result.Name, fmt.Sprint(w.run.Ranks), runName(w.run), v.goal.String(), v.reached()})
			}
		}
	}
	return t
}

// reached prints a verdict's value in the goal's terms.
func (v verdict) reached() string {
	switch g := v.goal; {
	case g.limit:
		return fmt.Sprintf("%.0f %%", 100*v.value)
	case g.bare != "":
		return quantity(v.value, inSeconds)
	}
	return short(v.value) + "×"
}

// limitTable lists the limits of the runs.
func (c *comparison) limitTable() table {
	head := []string{"limit"}
	for _, d := range c.runs {
		head = append(head, runName(d)+", "+ranksText(d.Ranks))
	}
	t := table{head}
	for _, name := range limitNames {
		line, any := []string{name}, false
		for _, d := range c.runs {
			cell := ""
			if v, ok := d.Limits[name]; ok {
				cell, any = doubt(limitText(name, v), d.LimitsForeign[name]), true
			}
			line = append(line, cell)
		}
		if any {
			t = append(t, line)
		}
	}
	return t
}

// libraries lists the runs that are compared.
func (c *comparison) libraries() table {
	t := table{{"library", "version", "build", "transport", "ranks", "threads", "date", "processor"}}
	for _, list := range [][]*document{c.runs, c.peers} {
		for _, d := range list {
			t = append(t, []string{d.Library, d.Version, d.Build, d.Transport, fmt.Sprint(d.Ranks), fmt.Sprint(d.Threads),
				d.Date, fmt.Sprintf("%s, %d cores", d.Machine.Processor, d.Machine.Cores)})
		}
	}
	return t
}
