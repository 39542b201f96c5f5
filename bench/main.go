package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"caloric/spmd"
)

func main() {
	args := os.Args[1:]
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		fail(runCases(args))
		return
	}
	i := slices.IndexFunc(commands, func(k command) bool { return k.name == args[0] })
	if i < 0 {
		fail(fmt.Errorf("there is no command %q; -h lists them, -run chooses cases", args[0]))
	}
	fail(commands[i].run(args[1:]))
}

// command is what the program does instead of measuring cases.
type command struct {
	name string
	help string // none: only the program itself starts it
	run  func([]string) error
}

var commands = []command{
	{"process", "measure a program from its start to its end, and its peak memory", process},
	{"scaling", "measure and model strong and weak scaling", scaling},
	{"report", "print tables of the results in files, write plots and a page", report},
	{"start", "", start},
	{"peak", "", peak},
}

// usage prints what the program can be told.
func usage(flags *flag.FlagSet) {
	w := flags.Output()
	fmt.Fprint(w, "Usage: bench [flags]            measure cases\n       bench command [flags]    do something else; -h tells the command's flags\n\nCommands:\n")
	for _, k := range commands {
		if k.help != "" {
			fmt.Fprintf(w, "  %-10s%s\n", k.name, k.help)
		}
	}
	fmt.Fprint(w, "\nFlags:\n")
	flags.PrintDefaults()
}

// fail ends the program if there is an error.
func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parse parses the flags of a command that takes nothing else.
func parse(flags *flag.FlagSet, args []string) {
	flags.Parse(args)
	if flags.NArg() > 0 {
		fail(fmt.Errorf("%q is no flag", flags.Arg(0)))
	}
}

// selection is a regular expression as a flag; the empty one matches nothing.
type selection struct{ *regexp.Regexp }

func (s *selection) String() string {
	if s.Regexp == nil {
		return ""
	}
	return s.Regexp.String()
}

func (s *selection) Set(v string) (err error) {
	s.Regexp, err = regexp.Compile(v)
	return err
}

func (s *selection) matches(name string) bool {
	return s.Regexp != nil && s.Regexp.String() != "" && s.MatchString(name)
}

// choice selects cases.
type choice struct{ run, skip selection }

func (c *choice) has(name string) bool {
	return (c.run.Regexp == nil || c.run.MatchString(name)) && !c.skip.matches(name)
}

// of returns the names that are selected; it is an error if none is.
func (c *choice) of(names []string) ([]string, error) {
	some := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !c.has(name) })
	if len(some) > 0 {
		return some, nil
	}
	text := fmt.Sprintf("-run %q", c.run.String())
	if c.skip.Regexp != nil {
		text += fmt.Sprintf(" without -skip %q", c.skip.String())
	}
	return nil, fmt.Errorf("%s matches no case; -list prints the names", text)
}

// runCases measures the limits and the cases that the flags select.
func runCases(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	flags.Usage = func() { usage(flags) }
	var chosen choice
	ranks := flags.Int("ranks", 0, "embedded ranks, 1 if not set; not for a program that mpirun starts")
	flags.Var(&chosen.run, "run", "only the cases whose names match this regular expression")
	flags.Var(&chosen.skip, "skip", "not the cases whose names match this one")
	file := flags.String("json", "", "write the results to this file, - for standard output")
	s := settings{warmups: 1}
	flags.IntVar(&s.samples, "samples", 7, "samples a case")
	flags.DurationVar(&s.budget, "budget", 2*time.Second, "stop after three samples when a case has taken this long")
	flags.DurationVar(&s.sample, "sample", 10*time.Millisecond, "repeat short cases until a sample takes this long")
	quick := flags.Bool("quick", false, "three short samples a case, for trying things out")
	tiny := flags.Bool("tiny", false, "small sizes, for testing the harness")
	list := flags.Bool("list", false, "print the names of the cases and end")
	parse(flags, args)
	if *quick {
		s.samples, s.sample, s.budget = 3, time.Millisecond, 500*time.Millisecond
	}
	size := fullSizes
	if *tiny {
		size = tinySizes
	}
	if *list {
		some, err := chosen.of(names(size))
		for _, name := range some {
			fmt.Println(name)
		}
		return err
	}
	if _, err := chosen.of(caseNames(size)); err != nil {
		return err
	}
	quiet := *file == "-"
	spmd.Main(func(c *spmd.Comm) error {
		dir, err := sharedDir(c)
		if err != nil {
			return err
		}
		defer removeDir(c, dir)
		doc := newDocument(c)
		doc.Limits, doc.LimitsForeign = limits(c, s, size)
		if c.Rank() == 0 && !quiet {
			fmt.Print(doc.header())
		}
		for _, k := range cases(size, dir) {
			if !chosen.has(k.name) {
				continue
			}
			r := measure(c, s, k)
			doc.Results = append(doc.Results, r)
			if c.Rank() == 0 && !quiet {
				fmt.Println(doc.line(r))
			}
			if c.Rank() == 0 && *file != "" && !quiet {
				err = doc.write(*file) // what is interrupted has its results until then
			}
		}
		if c.Rank() == 0 && quiet {
			err = doc.write(*file)
		}
		return spmd.Agree(c, err)
	}, spmd.Ranks(*ranks))
	return nil
}

// sharedDir makes a directory for the files of the cases, the same on every rank.
func sharedDir(c *spmd.Comm) (string, error) {
	name := make([]uint8, 512)
	var err error
	if c.Rank() == 0 {
		var dir string
		dir, err = os.MkdirTemp("", "bench")
		copy(name, dir)
	}
	if err := spmd.Agree(c, err); err != nil {
		return "", err
	}
	spmd.Bcast(c, name, 0)
	return strings.TrimRight(string(name), "\x00"), nil
}

func removeDir(c *spmd.Comm, dir string) {
	if c.Rank() == 0 {
		os.RemoveAll(dir)
	}
}
