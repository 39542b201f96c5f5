package program

import (
	"flag"
	"fmt"
	"os"
)

// ParseFlags parses the flags of the program name, which says of itself what it does, and
// what to give it as in example. It ends the program if there is anything else.
func ParseFlags(name, what, example string) {
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "Usage: %s [flags], as in %s %s\n%s\n\n", name, name, example, what)
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "%s: %q is no flag; name the table with -file\n", name, flag.Arg(0))
		os.Exit(2)
	}
}
