package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// report prints the comparison of the runs in the files that it is given, and
// writes plots and a page if it is told where.
func report(args []string) error {
	flags := flag.NewFlagSet("report", flag.ExitOnError)
	page := flags.String("html", "", "write one page with the tables and plots to this file")
	plots := flags.String("plots", "", "write the plots as SVG files to this directory")
	brief := flags.Bool("goals", false, "print the goals only, not every case")
	wide := flags.Bool("wide", false, "print one line a case with all runs next to each other, and nothing else")
	flags.Parse(args)
	if flags.NArg() == 0 {
		return errors.New("report: name the files with the results")
	}
	var docs []*document
	for _, path := range flags.Args() {
		d, err := readDocument(path)
		if err != nil {
			return err
		}
		docs = append(docs, d)
	}
	c := compare(docs)
	if *wide {
		fmt.Print(c.sideBySide().markdown())
	} else if err := c.print(os.Stdout, !*brief); err != nil {
		return err
	}
	if *plots == "" && *page == "" {
		return nil
	}
	figures, err := c.figures()
	if err != nil {
		return err
	}
	if *plots != "" {
		if err := os.MkdirAll(*plots, 0o755); err != nil {
			return err
		}
		for _, f := range figures {
			if err := os.WriteFile(filepath.Join(*plots, f.Name+".svg"), []byte(f.SVG), 0o644); err != nil {
				return err
			}
		}
	}
	if *page != "" {
		text, err := c.page(figures)
		if err != nil {
			return err
		}
		return os.WriteFile(*page, text, 0o644)
	}
	return nil
}

// section is a table with its heading.
type section struct {
	Title string
	Note  string
	Table table
}

// sections are the tables of a report in order, those without lines left out.
func (c *comparison) sections(everything bool) []section {
	all := []section{
		{"Runs", "", c.libraries()},
		{"Limits", "Of all ranks together, measured in the same run; latency and bandwidth are between two ranks. A question mark: other programs took more than a tenth of the processors.", c.limitTable()},
		{"Goals", "How many cases of a goal meet it, of those that it could be decided for.", c.goalTable()},
		{"Missed", "", c.missed()},
		{"Cases", "Medians; a ratio is the peer's time divided by Caloric's. A question mark: other programs took more than a tenth of the processors.", c.cases()},
		{"Scaling", "Rows that say model are computed: counted messages and bytes, the measured time of one rank's work, and a latency–bandwidth model.", scalingTable(c.scaling)},
	}
	var some []section
	for _, s := range all {
		if len(s.Table) > 1 && (everything || s.Title != "Cases") {
			some = append(some, s)
		}
	}
	return some
}

func (c *comparison) print(w io.Writer, everything bool) error {
	for _, s := range c.sections(everything) {
		if s.Note != "" {
			s.Note += "\n\n"
		}
		if _, err := fmt.Fprintf(w, "## %s\n\n%s%s\n", s.Title, s.Note, s.Table.markdown()); err != nil {
			return err
		}
	}
	return nil
}
