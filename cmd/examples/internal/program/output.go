package program

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"caloric/spmd"
)

// Output is a file that a flag names.
type Output struct{ Flag, Path string }

// CheckOutputs returns an error if a table cannot be written to one of the
// outputs, before the work for it is done: if the extension is unknown, the folder
// is missing, or the file is one of those read. Empty paths are passed over.
//
// Collective. The error is the same on every rank: what rank 0 finds.
func CheckOutputs(c *spmd.Comm, inputs []string, outputs ...Output) error {
	var all []error
	if c.Rank() == 0 {
		for _, o := range outputs {
			if err := checkOutput(o.Path, inputs); o.Path != "" && err != nil {
				all = append(all, fmt.Errorf("-%s: %w", o.Flag, err))
			}
		}
	}
	return spmd.Agree(c, errors.Join(all...))
}

func checkOutput(path string, inputs []string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv", ".txt", ".npy":
	default:
		return fmt.Errorf("%s: the extension is none of .csv, .npy, .tsv, .txt", path)
	}
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	if !folder.IsDir() {
		return fmt.Errorf("%s is no folder", filepath.Dir(path))
	}
	out, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if out.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	}
	for _, input := range inputs {
		if in, err := os.Stat(input); err == nil && os.SameFile(in, out) {
			return fmt.Errorf("%s is a file that is read", path)
		}
	}
	return nil
}
