package slab

import (
	"bytes"
	"encoding/gob"
	"errors"

	"caloric/spmd"
)

// FromRank calls f on rank root and returns its result on every rank. V is what
// encoding/gob can carry.
//
// Collective. Communication: two broadcasts, of 16 bytes and of the result. The
// error is f's, with the same text on every rank.
func FromRank[V any](c *spmd.Comm, root int, f func() (V, error)) (V, error) {
	var v V
	var err error
	var text bytes.Buffer
	head := []int64{0, 0} // the length of what follows; 1 if it is an error text
	if c.Rank() == root {
		if v, err = f(); err == nil {
			err = gob.NewEncoder(&text).Encode(&v)
		}
		if err != nil {
			text.Reset()
			text.WriteString(err.Error())
			head[1] = 1
		}
		head[0] = int64(text.Len())
	}
	spmd.Bcast(c, head, root)
	body := text.Bytes()
	if c.Rank() != root {
		body = make([]byte, head[0])
	}
	spmd.Bcast(c, body, root)
	switch {
	case c.Rank() == root:
		return v, err
	case head[1] == 1:
		return v, errors.New(string(body))
	}
	if err := gob.NewDecoder(bytes.NewReader(body)).Decode(&v); err != nil {
		panic(err) // root encoded the same type
	}
	return v, nil
}
