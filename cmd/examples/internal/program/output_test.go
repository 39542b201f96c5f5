package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

func TestCheckOutputs(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.csv")
	if err := os.WriteFile(in, []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.csv")
	if err := os.Symlink(in, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":                                  "",
		filepath.Join(dir, "new.csv"):       "",
		filepath.Join(dir, "new.NPY"):       "",
		filepath.Join(dir, "new.xyz"):       "the extension is none of",
		filepath.Join(dir, "no", "new.csv"): "no such file",
		filepath.Join(in, "new.csv"):        "in.csv is no folder",
		filepath.Join(dir, "..", "new.d.csv") + string(filepath.Separator): "the extension is none of",
		in:   "is a file that is read",
		link: "is a file that is read",
	} {
		var got error
		spmdtest.Run(t, 3, func(c *spmd.Comm) {
			if err := CheckOutputs(c, []string{"", in}, Output{"out", path}); c.Rank() == 2 {
				got = err
			} else if (err == nil) != (want == "") {
				t.Errorf("%s: %v on rank %d", path, err, c.Rank())
			}
		})
		if want == "" && got != nil || want != "" && (got == nil || !strings.Contains(got.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, got, want)
		}
	}
}
