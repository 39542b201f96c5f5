package npy

import (
	"fmt"
	"math"

	"caloric/io/internal/slab"
	"caloric/nd"
)

// Header is what a .npy file says about its array.
type Header struct {
	Shape   nd.Shape
	DType   string // NumPy's name of the element type, "<f8"; a structured one as it stands in the file
	Type    string // the element type to load it as, "float64"; empty if there is none
	Fortran bool   // the first index varies fastest
	Version int    // of the format: 1, 2 or 3
	Offset  int64  // of the first element, in bytes

	descr int64 // the offset of the dtype
}

// Info returns the header of the .npy file at path.
//
// Local. Communication: none.
func Info(path string) (Header, error) {
	f, err := slab.OpenLocal(path, 0)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	h, err := readHeader(f)
	return h, located(path, err)
}

// readHeader returns f's header. It does not check the size of the data.
func readHeader(f *slab.File) (Header, error) {
	size, err := f.Size()
	if err != nil {
		return Header{}, err
	}
	return decodeHeader(f, size)
}

// badByte is an error in a file's contents.
type badByte struct {
	at   int64
	text string
}

func (e *badByte) Error() string { return fmt.Sprintf("byte %d: %s", e.at, e.text) }

func badf(at int64, format string, args ...any) error {
	return &badByte{at, fmt.Sprintf(format, args...)}
}

// located returns an error in the contents of the file at path with the path in front.
func located(path string, err error) error {
	if _, ok := err.(*badByte); ok {
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}

// check returns an error unless h describes an array of T that fills a file of
// the given size.
func check[T nd.Element](h Header, size int64) error {
	name := typeName[T]()
	switch {
	case h.Type == "" && h.DType == "|O":
		return badf(h.descr, "dtype object: the file holds pickled Python objects, not numbers")
	case h.Type == "":
		return badf(h.descr, "dtype %s is not supported", h.DType)
	case h.Type != name:
		return badf(h.descr, "the file holds %s (dtype %s), not %s; load it as %s and convert it with nd.AsType",
			h.Type, h.DType, name, h.Type)
	}
	elem := itemSize[T]()
	n := int64(h.Shape.Size())
	if n > (math.MaxInt64-h.Offset)/elem {
		return badf(h.Offset, "shape %v of %s does not fit into 2^63 bytes", h.Shape, name)
	}
	switch need := h.Offset + n*elem; {
	case size < need:
		return badf(size, "the file ends here, but shape %v of %s needs %d bytes more", h.Shape, name, need-size)
	case size > need:
		return badf(need, "%d bytes follow the last element of shape %v of %s", size-need, h.Shape, name)
	}
	return nil
}
