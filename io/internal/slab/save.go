package slab

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"caloric/spmd"
)

// Save makes a file of the given size that every rank writes its part of: write
// is called on each rank. The parts go to a temporary file beside path, which
// takes the name path when every rank has written its part, so that path always
// names a whole file: the new one, or after an error what was there before. The
// temporary file is removed after an error.
//
// Collective; size is the same on every rank, and so are path and what, which says
// what is saved: ranks that disagree get an error, and path stays as it was.
// Communication: four broadcasts of few bytes and one allreduce of 8. The error is
// the same on every rank.
func Save(c *spmd.Comm, path, what string, size int64, write func(w io.WriterAt) error) error {
	var made *File // rank 0's
	defer func() {
		if made != nil {
			os.Remove(made.f.Name()) // after the rename there is none; a panic leaves none behind either
		}
	}()
	t, err := FromRank(c, 0, func() (t target, err error) {
		made, t, err = create(path, size)
		t.What, t.Path, t.Size = what, path, size
		return t, named("create", path, err)
	})
	if err != nil {
		return err
	}
	if t.What != what || t.Path != path || t.Size != size {
		err = fmt.Errorf("it saves %s to %s, %d bytes, where rank 0 saves %s to %s, %d bytes", what, path, size, t.What, t.Path, t.Size)
	} else {
		err = writePart(c, made, t.Temp, path, write)
	}
	if err := spmd.Agree(c, err); err != nil {
		return err
	}
	_, err = FromRank(c, 0, func() (struct{ OK bool }, error) {
		err := fault(0, "rename")
		if err == nil {
			err = os.Rename(t.Temp, t.Final)
		}
		return struct{ OK bool }{true}, named("rename", path, err)
	})
	return err
}

// target is where a file is written, what it is to be called, and what rank 0
// was asked for.
type target struct {
	Temp, Final string
	What, Path  string
	Size        int64
}

// create makes the temporary file of a file to be called path.
func create(path string, size int64) (*File, target, error) {
	if err := fault(0, "create"); err != nil {
		return nil, target{}, err
	}
	if path == "" {
		return nil, target{}, errors.New("the path is empty")
	}
	t := target{Final: path}
	mode := fs.FileMode(0o666)
	old, err := os.Stat(path)
	exists := err == nil
	if exists {
		// A device or a pipe must not be replaced; of a link, what it points to.
		if !old.Mode().IsRegular() {
			return nil, target{}, errNotRegular
		}
		if t.Final, err = filepath.EvalSymlinks(path); err != nil {
			return nil, target{}, err
		}
	}
	t.Temp = fmt.Sprintf("%s.tmp-%08x", t.Final, rand.Uint32())
	f, err := os.OpenFile(t.Temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, target{}, err
	}
	err = f.Truncate(size)
	if err == nil && exists {
		err = f.Chmod(old.Mode().Perm())
	}
	if err != nil {
		f.Close()
		os.Remove(t.Temp)
		return nil, target{}, err
	}
	return &File{f, 0, path}, t, nil
}

// writePart opens the temporary file, unless this rank made it, and writes this
// rank's part.
func writePart(c *spmd.Comm, f *File, temp, path string, write func(w io.WriterAt) error) (err error) {
	if f == nil {
		err := fault(c.Rank(), "open")
		var g *os.File
		if err == nil {
			g, err = os.OpenFile(temp, os.O_WRONLY, 0)
		}
		if err != nil {
			return named("open", path, err)
		}
		f = &File{g, c.Rank(), path}
	}
	err = write(f)
	// A network file system may report only now that a write failed.
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
