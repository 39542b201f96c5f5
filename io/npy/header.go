package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"caloric/nd"
	"caloric/split"
)

const magic = "\x93NUMPY"

// maxHeader bounds the header text that is read; NumPy itself refuses more than
// 10000 bytes.
const maxHeader = 1 << 20

// decodeHeader reads the header at the start of a file of the given size.
func decodeHeader(f io.ReaderAt, size int64) (Header, error) {
	start := make([]byte, min(size, 12))
	if _, err := f.ReadAt(start, 0); err != nil && err != io.EOF {
		return Header{}, err
	}
	for i := range magic {
		if i >= len(start) {
			return Header{}, badf(size, "the file ends within its first 6 bytes, which make a .npy file")
		}
		if start[i] != magic[i] {
			return Header{}, badf(int64(i), "no .npy file: it does not start with \\x93NUMPY")
		}
	}
	if len(start) < 8 {
		return Header{}, badf(size, "the file ends within its header")
	}
	h := Header{Version: int(start[6])}
	if start[6] < 1 || start[6] > 3 || start[7] != 0 {
		return Header{}, badf(6, "format version %d.%d is not 1.0, 2.0 or 3.0", start[6], start[7])
	}
	first, length := 10, int64(0)
	if h.Version > 1 {
		first = 12
	}
	if len(start) < first {
		return Header{}, badf(size, "the file ends within its header")
	}
	if h.Version == 1 {
		length = int64(binary.LittleEndian.Uint16(start[8:]))
	} else {
		length = int64(binary.LittleEndian.Uint32(start[8:]))
	}
	h.Offset = int64(first) + length
	if length > maxHeader {
		return Header{}, badf(8, "a header of %d bytes", length)
	}
	if h.Offset > size {
		return Header{}, badf(size, "the file ends within its header of %d bytes", length)
	}
	text := make([]byte, length)
	if _, err := f.ReadAt(text, int64(first)); err != nil && err != io.EOF {
		return Header{}, err
	}
	return h, h.parse(text, int64(first))
}

// parse sets the fields that the header text, which starts at offset base, gives.
func (h *Header) parse(text []byte, base int64) error {
	p := literal{text: text, base: base}
	seen := map[string]bool{}
	err := p.dict(func(key string, at int) (err error) {
		if seen[key] {
			return p.fail(at, "key %q stands twice", key)
		}
		seen[key] = true
		switch key {
		case "descr":
			p.space()
			h.descr = base + int64(p.pos)
			h.DType, err = p.descr()
		case "fortran_order":
			h.Fortran, err = p.boolean()
		case "shape":
			p.space()
			start := p.pos
			if h.Shape, err = p.shape(); err == nil {
				if e := split.Check(h.Shape, split.None, 1); e != nil {
					err = p.fail(start, "%v", e)
				} else if len(h.Shape) > nd.MaxDims {
					err = p.fail(start, "shape %v has more than %d axes", h.Shape, nd.MaxDims)
				}
			}
		default:
			err = p.fail(at, "unknown key %q", key)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !seen[key] {
			return p.fail(0, "the header has no key %q", key)
		}
	}
	h.Type, _ = goType(h.DType)
	return nil
}

// encodeHeader returns the header of a C-ordered array of the given dtype: what
// NumPy writes, whose data starts at a multiple of 64 bytes.
func encodeHeader(dtype string, shape nd.Shape) []byte {
	const prefix, align = len(magic) + 4, 64
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %v, }", dtype, shape)
	if len(shape) > 0 {
		// Room for the first extent to grow in place.
		text += strings.Repeat(" ", max(0, 21-len(fmt.Sprint(shape[0]))))
	}
	text += strings.Repeat(" ", align-(prefix+len(text)+1)%align) + "\n"
	h := append([]byte(magic), 1, 0)
	h = binary.LittleEndian.AppendUint16(h, uint16(len(text)))
	return append(h, text...)
}
