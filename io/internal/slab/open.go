package slab

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"

	"caloric/spmd"
)

// File is a file that this rank has opened.
type File struct {
	f    *os.File
	rank int
	path string
}

// Open opens a regular file for reading on every rank.
//
// Collective. Communication: one allreduce of 24 bytes. The error is the same on
// every rank; ranks that could open the file close it.
func Open(c *spmd.Comm, path string) (*File, error) {
	f, err := OpenLocal(path, c.Rank())
	// Failure, and the path's hash and its negative, whose maxima differ in size if
	// the ranks' paths do.
	h := fnv.New64a()
	h.Write([]byte(path))
	hash := int64(h.Sum64() >> 1)
	all := []int64{0, hash, -hash}
	if err != nil {
		all[0] = 1
	}
	spmd.Allreduce(c, all, spmd.Max)
	if all[0] == 0 && all[1] != -all[2] {
		err = fmt.Errorf("it loads %s, and another rank another file", path)
		all[0] = 1
	}
	if all[0] == 1 {
		err = spmd.Agree(c, err)
	}
	if err != nil {
		if f != nil {
			f.Close()
		}
		return nil, err
	}
	return f, nil
}

// OpenLocal opens a regular file for reading on this rank. Local.
func OpenLocal(path string, rank int) (*File, error) {
	if err := fault(rank, "open"); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	// A pipe would block, and cannot be read at an offset.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &File{f, rank, path}, nil
}

var errNotRegular = errors.New("not a regular file")

// Path returns the path by which the user knows the file.
func (f *File) Path() string { return f.path }

// Size returns the size of the file in bytes.
func (f *File) Size() (int64, error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// ReadAt fills p from offset off on. A file that ends before is an error that
// names the byte where it ends.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	if err := fault(f.rank, "read"); err != nil {
		return 0, f.named("read", err)
	}
	n, err := f.f.ReadAt(p, off)
	if n == len(p) {
		return n, nil
	}
	if err == io.EOF {
		return n, fmt.Errorf("%s: byte %d: %w", f.path, off+int64(n), io.ErrUnexpectedEOF)
	}
	return n, f.named("read", err)
}

// WriteAt writes p at offset off.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	if err := fault(f.rank, "write"); err != nil {
		return 0, f.named("write", err)
	}
	n, err := f.f.WriteAt(p, off)
	return n, f.named("write", err)
}

// Close closes the file.
func (f *File) Close() error {
	err := f.f.Close()
	if err == nil {
		err = fault(f.rank, "close")
	}
	return f.named("close", err)
}

// named returns err as an error about the path that the user knows, which may
// not be the one of the file that is being written.
func (f *File) named(op string, err error) error { return named(op, f.path, err) }

func named(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		err = l.Err
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}
