package csv

import (
	"bytes"
	"io"
)

// span is a range of bytes of a file: the lines that start in lo ≤ offset < hi
// of a text that starts at start and ends at size.
type span struct{ start, lo, hi, size int64 }

// cut returns the r-th of n spans of equal length that the text from start to
// size is made of.
func cut(start, size int64, r, n int) span {
	length := size - start
	// In this order the product cannot exceed length.
	at := func(r int) int64 { return start + length/int64(n)*int64(r) + length%int64(n)*int64(r)/int64(n) }
	return span{start, at(r), at(r + 1), size}
}

// tail is how many bytes beyond its span a rank reads at a time to find the end
// of its last line.
const tail = 4 << 10

// each reads f in pieces of about chunk bytes and calls do with every line of s,
// without its line break, and the offset of the next line, until do returns an
// error. do must not keep line.
func (s span) each(f io.ReaderAt, chunk int, do func(line []byte, next int64) error) error {
	if s.lo >= s.hi {
		return nil
	}
	at := s.lo              // the offset of pending
	foreign := at > s.start // pending begins in a line of an earlier span
	if foreign {
		at-- // a line starts at lo if a line break is just before
	}
	var pending []byte
	buf := make([]byte, min(int64(chunk), s.size-at))
	for {
		end := at + int64(len(pending))
		n := s.hi - end
		if n <= 0 { // only the rest of the last line is wanted
			n = tail
		}
		n = min(n, int64(len(buf)-len(pending)), s.size-end)
		if n == 0 && end < s.size { // a line longer than the buffer
			buf = append(buf, make([]byte, len(buf))...)
			pending = buf[:len(pending)]
			continue
		}
		// At its end a reader may say so already.
		if k, err := f.ReadAt(buf[len(pending):len(pending)+int(n)], end); k < int(n) {
			return err
		}
		pending = buf[:len(pending)+int(n)]
		last := end+n == s.size
		for at < s.hi {
			i := bytes.IndexByte(pending, '\n')
			if i < 0 && foreign {
				at += int64(len(pending))
				pending = nil
				break
			}
			if i < 0 && !last {
				break
			}
			line, next := pending, s.size
			if i >= 0 {
				line, next = pending[:i], at+int64(i)+1
				pending = pending[i+1:]
			}
			if !foreign {
				if err := do(bytes.TrimSuffix(line, []byte{'\r'}), next); err != nil {
					return err
				}
			}
			foreign = false
			at = next
		}
		if at >= s.hi || last {
			return nil
		}
		pending = buf[:copy(buf, pending)]
	}
}
