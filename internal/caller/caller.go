// Package caller finds where the user's code called into the library, so that
// messages can name the user's line and the library function he called there.
package caller

import (
	"fmt"
	"runtime"
	"strings"
)

// Site is a call from user code into the library.
type Site struct {
	Func string // the library function as its user types it, "nd.Sum"
	File string // the last two elements of the user's file path
	Line int
}

// String returns "nd.Sum at dir/file.go:12", or what of it is known.
func (s Site) String() string {
	switch {
	case s.File == "":
		return s.Func
	case s.Func == "":
		return fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	return fmt.Sprintf("%s at %s:%d", s.Func, s.File, s.Line)
}

// rooms are the packages whose frames belong to the library. Their test files
// and the programs below cmd and bench are users.
var rooms = []string{"spmd", "split", "nd", "linalg", "random", "io", "internal"}

// Find walks the calling goroutine's stack and returns the innermost call that
// leads from user code into the library.
func Find() Site {
	var pcs [64]uintptr
	n := runtime.Callers(2, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	var s Site
	for {
		f, more := frames.Next()
		if name, ok := libraryFunc(f); ok {
			if name != "" {
				s.Func = name
			}
		} else if !strings.HasPrefix(f.Function, "runtime.") {
			s.File, s.Line = shortPath(f.File), f.Line
			return s
		}
		if !more {
			return s
		}
	}
}

// libraryFunc reports whether f is library code, and its name if it is an
// exported function or method of a public package.
func libraryFunc(f runtime.Frame) (name string, ok bool) {
	rest, ok := strings.CutPrefix(f.Function, "caloric/")
	if !ok || strings.HasSuffix(f.File, "_test.go") {
		return "", false
	}
	dir, base := "", rest
	if i := strings.LastIndex(rest, "/"); i >= 0 {
		dir, base = rest[:i+1], rest[i+1:]
	}
	room, _, _ := strings.Cut(dir+base[:strings.Index(base, ".")], "/")
	for _, r := range rooms {
		if room == r {
			if strings.Contains("/"+dir, "/internal/") || room == "internal" {
				return "", true
			}
			return exported(base), true
		}
	}
	return "", false
}

// exported returns a function name as its user types it: type arguments,
// receiver stars and the suffixes of closures, range-over-func bodies
// ("-range1") and method values ("-fm") are cut off. It is empty for a function
// that users cannot call.
func exported(base string) string {
	pkg, fn, _ := strings.Cut(strings.ReplaceAll(base, "[...]", ""), ".")
	parts := strings.Split(strings.NewReplacer("(*", "", ")", "").Replace(fn), ".")
	keep := parts[:0]
	for _, p := range parts {
		p, _, _ = strings.Cut(p, "-")
		if p == "" || p[0] < 'A' || p[0] > 'Z' {
			break
		}
		keep = append(keep, p)
	}
	if len(keep) == 0 {
		return ""
	}
	return pkg + "." + strings.Join(keep, ".")
}

func shortPath(file string) string {
	i := strings.LastIndex(file, "/")
	if i <= 0 {
		return file
	}
	return file[strings.LastIndex(file[:i], "/")+1:]
}
