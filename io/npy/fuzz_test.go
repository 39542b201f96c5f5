package npy

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzHeader reads any bytes as a header: an error names a byte of the file or
// its end, and a header that is read is one that the checks can work with.
func FuzzHeader(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.npy")
	if err != nil || len(paths) == 0 {
		f.Fatal("no testdata", err)
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[:min(len(b), 160)])
	}
	f.Add([]byte("\x93NUMPY\x01\x00\x40\x00{'descr': [('x', '<f8')], 'shape': (3L, 4L), }"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := decodeHeader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			bad, ok := err.(*badByte)
			if !ok || bad.at < 0 || bad.at > int64(len(b)) {
				t.Fatalf("%v: not at a byte of the file, which has %d", err, len(b))
			}
			return
		}
		if h.Offset > int64(len(b)) || h.Shape.Size() < 0 {
			t.Fatalf("%+v of %d bytes", h, len(b))
		}
		if err := check[float64](h, int64(len(b))); err == nil {
			if n := int64(len(b)) - h.Offset; n != 8*int64(h.Shape.Size()) {
				t.Fatalf("%+v with %d bytes of data", h, n)
			}
		}
		if h.Type == "" || h.Fortran {
			return
		}
		// What is written of a header reads the same.
		enc := encodeHeader(h.DType, h.Shape)
		back, err := decodeHeader(bytes.NewReader(enc), int64(len(enc)))
		if err != nil || !back.Shape.Equal(h.Shape) || back.DType != h.DType || back.Offset%64 != 0 || back.Offset != int64(len(enc)) {
			t.Fatalf("%+v is written %q and read %+v, %v", h, enc, back, err)
		}
	})
}

func TestHeaderOfLongShapes(t *testing.T) {
	for axes := range 17 {
		shape := make([]int, axes)
		for k := range shape {
			shape[k] = 1 + k%4*3
		}
		enc := encodeHeader("<f8", shape)
		h, err := decodeHeader(bytes.NewReader(enc), int64(len(enc)))
		if err != nil || !h.Shape.Equal(shape) || len(enc)%64 != 0 || !strings.HasSuffix(string(enc), " \n") {
			t.Errorf("%d axes: %+v, %v, %q", axes, h, err, enc)
		}
	}
}
