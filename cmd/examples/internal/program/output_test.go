package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

func TestCheckOutput(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.csv")
	if err := os.WriteFile(in, []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.csv")
	if err := os.Symlink(in, link); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, want string }{
		{filepath.Join(dir, "new.csv"), ""},
		{filepath.Join(dir, "new.NPY"), ""},
		{filepath.Join(dir, "new.xyz"), "the extension is none of"},
		{filepath.Join(dir, "no", "new.csv"), "no such file"},
		{filepath.Join(in, "new.csv"), "in.csv is no folder"},
		{in, "is a file that is read"},
		{link, "is a file that is read"},
	} {
		err := checkOutput(test.path, []string{"", in})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.path, err, test.want)
		}
	}
}

func TestCheckOutputs(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		if err := CheckOutputs(c, nil, Output{"out", ""}, Output{"labels", ""}); err != nil {
			t.Errorf("without outputs: %v", err)
		}
		err := CheckOutputs(c, nil, Output{"out", "a.xls"}, Output{"labels", "b"})
		if err == nil || !strings.Contains(err.Error(), "-out: a.xls") || !strings.Contains(err.Error(), "-labels: b") {
			t.Errorf("on rank %d: %v", c.Rank(), err)
		}
	})
}
