package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"caloric/spmd"
)

func main() {
	commands := map[string]func([]string) error{
		"report": report, "scaling": scaling, "process": process, "start": start, "peak": peak,
	}
	args := os.Args[1:]
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		f := commands[args[0]]
		if f == nil {
			fail(fmt.Errorf("there is no command %q; choose cases with -run", args[0]))
		}
		fail(f(args[1:]))
		return
	}
	runCases(args)
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

// runCases measures the limits and the cases that the flags select.
func runCases(args []string) {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	var run, skip selection
	ranks := flags.Int("ranks", 0, "embedded ranks, 1 if not set; not for a program that mpirun starts")
	flags.Var(&run, "run", "only the cases whose names match this regular expression")
	flags.Var(&skip, "skip", "not the cases whose names match this one")
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
	selected := func(name string) bool {
		return (run.Regexp == nil || run.MatchString(name)) && !skip.matches(name)
	}
	if *list {
		for _, name := range names(size) {
			if selected(name) {
				fmt.Println(name)
			}
		}
		return
	}
	quiet := *file == "-"
	spmd.Main(func(c *spmd.Comm) error {
		dir, err := sharedDir(c)
		if err != nil {
			return err
		}
		defer removeDir(c, dir)
		doc := newDocument(c)
		doc.Limits = limits(c, s, size)
		if c.Rank() == 0 && !quiet {
			fmt.Print(doc.header())
		}
		for _, k := range cases(size, dir) {
			if !selected(k.name) {
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
