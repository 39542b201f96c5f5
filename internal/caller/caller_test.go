package caller

import (
	"runtime"
	"strings"
	"testing"
)

func TestExported(t *testing.T) {
	tests := []struct{ base, want string }{
		{"nd.Sum", "nd.Sum"},
		{"nd.Sum[...]", "nd.Sum"},
		{"nd.Sum[...].func1", "nd.Sum"},
		{"nd.Sum[...].func1.2", "nd.Sum"},
		{"nd.Sum[...]-range1", "nd.Sum"},
		{"nd.Sum.gowrap1", "nd.Sum"},
		{"nd.Sum.deferwrap2", "nd.Sum"},
		{"nd.(*NDArray[...]).Resplit", "nd.NDArray.Resplit"},
		{"nd.(*NDArray[...]).Resplit.func1", "nd.NDArray.Resplit"},
		{"spmd.(*Comm).Barrier-fm", "spmd.Comm.Barrier"},
		{"spmd.Stats.String", "spmd.Stats.String"},
		{"csv.Load[...]", "csv.Load"},
		{"nd.moved[...]", ""},
		{"nd.(*walk).Next", ""},
		{"nd.init", ""},
		{"nd.glob..func1", ""},
	}
	for _, tt := range tests {
		if got := exported(tt.base); got != tt.want {
			t.Errorf("exported(%q) = %q, want %q", tt.base, got, tt.want)
		}
	}
}

func TestLibraryFunc(t *testing.T) {
	tests := []struct {
		function, file string
		want           string
		library        bool
	}{
		{"caloric/nd.Sum[...]", "/m/nd/reduce.go", "nd.Sum", true},
		{"caloric/nd.unary[...]", "/m/nd/elementwise.go", "", true},
		{"caloric/io/csv.Load[...]", "/m/io/csv/load.go", "csv.Load", true},
		{"caloric/spmd/internal/embedded.Run", "/m/spmd/internal/embedded/run.go", "", true},
		{"caloric/internal/misuse.Panic", "/m/internal/misuse/misuse.go", "", true},
		{"caloric/nd.TestSum", "/m/nd/reduce_test.go", "", false},
		{"caloric/nd_test.TestSum", "/m/nd/reduce_test.go", "", false},
		{"caloric/bench/scaling.Run", "/m/bench/scaling/run.go", "", false},
		{"main.main", "/m/cmd/examples/ridge/main.go", "", false},
		{"caloric/ndx.Sum", "/m/ndx/sum.go", "", false},
		{"example.com/caloric/nd.Sum", "/m/nd/sum.go", "", false},
		{"sort.Slice", "/go/src/sort/slice.go", "", false},
	}
	for _, tt := range tests {
		got, ok := libraryFunc(runtime.Frame{Function: tt.function, File: tt.file})
		if got != tt.want || ok != tt.library {
			t.Errorf("libraryFunc(%s in %s) = %q, %v, want %q, %v", tt.function, tt.file, got, ok, tt.want, tt.library)
		}
	}
}

func TestSiteString(t *testing.T) {
	tests := []struct {
		s    Site
		want string
	}{
		{Site{"nd.Sum", "dir/file.go", 12}, "nd.Sum at dir/file.go:12"},
		{Site{"nd.Sum", "", 0}, "nd.Sum"},
		{Site{"", "dir/file.go", 12}, "dir/file.go:12"},
		{Site{}, ""},
	}
	for _, tt := range tests {
		if got := tt.s.String(); got != tt.want {
			t.Errorf("%#v prints as %q, want %q", tt.s, got, tt.want)
		}
	}
}

func TestShortPath(t *testing.T) {
	for file, want := range map[string]string{
		"/home/me/job/main.go": "job/main.go",
		"job/main.go":          "job/main.go",
		"/main.go":             "/main.go",
		"main.go":              "main.go",
		"":                     "",
	} {
		if got := shortPath(file); got != want {
			t.Errorf("shortPath(%q) = %q, want %q", file, got, want)
		}
	}
}

// TestFindInUserCode: without a library function on the stack, the site is the caller's line.
func TestFindInUserCode(t *testing.T) {
	_, _, line, _ := runtime.Caller(0)
	s := Find()
	if s.Func != "" || !strings.HasSuffix(s.File, "caller/caller_test.go") || s.Line != line+1 {
		t.Errorf("Find() = %+v, want line %d of this file", s, line+1)
	}
}
