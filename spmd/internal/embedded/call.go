package embedded

import (
	"fmt"
	"reflect"
	"slices"

	"caloric/spmd/internal/wire"
)

// call describes a collective as one member called it.
type call struct {
	kind       kind
	op         wire.Op
	user       bool // a caller's own reduction
	root       int
	buf        wire.Buffer // what the others read, or reduce in place
	counts     []int       // equal on all members
	starts     []int       // where the block for each member starts in buf, for alltoallv
	color, key int
	shown      any // what others read from, where that is no buffer
}

type kind uint8

const (
	barrier kind = iota
	bcast
	reduction
	allreduce
	allgatherv
	gatherv
	scatterv
	alltoallv
	reduceScatter
	exscan
	split
	dup
	free
	iallreduce
)

var kindNames = [...]string{"barrier", "bcast", "reduce", "allreduce", "allgatherv", "gatherv", "scatterv",
	"alltoallv", "reducescatter", "exscan", "split", "dup", "free", "iallreduce"}

// String says what was called, as errors name it: "allreduce sum of 1 float64".
func (c *call) String() string {
	s := kindNames[c.kind]
	n := c.buf.Len
	switch c.kind {
	case barrier, split, dup, free:
		return s
	case reduction, allreduce, reduceScatter, exscan, iallreduce:
		if c.user {
			s += " by a function"
		} else {
			s += " " + c.op.String()
		}
	case scatterv:
		n = start(c.counts, len(c.counts))
	}
	s += fmt.Sprintf(" of %d %s", n, typeName(c.buf))
	switch c.kind {
	case bcast, reduction, gatherv, scatterv:
		s += fmt.Sprintf(" with root %d", c.root)
	}
	if c.counts != nil && len(c.counts) <= 16 {
		s += fmt.Sprintf(", counts %v", c.counts)
	}
	return s
}

func typeName(b wire.Buffer) string {
	if b.Type == wire.Raw {
		return fmt.Sprintf("%d-byte structs", b.Elem)
	}
	return b.Type.String()
}

// fits reports whether two members' calls are the same collective with
// arguments that fit together.
func (c *call) fits(d *call) bool {
	if c.kind != d.kind || c.op != d.op || c.user != d.user || c.root != d.root ||
		reflect.TypeOf(c.shown) != reflect.TypeOf(d.shown) || c.buf.Type != d.buf.Type || c.buf.Elem != d.buf.Elem || !slices.Equal(c.counts, d.counts) {
		return false
	}
	switch c.kind {
	case bcast, reduction, allreduce, reduceScatter, exscan, iallreduce:
		return c.buf.Len == d.buf.Len
	}
	return true
}

// misfit says how the calls of n members do not fit together, "" if they do.
func misfit(n int, call func(r int) *call) string {
	first, cause := call(0), ""
	for r := 1; r < n; r++ {
		switch c := call(r); {
		case c.kind != first.kind:
			return "ranks called different collectives"
		case !c.fits(first):
			cause = "ranks called " + kindNames[c.kind] + " with different arguments"
		}
	}
	return cause
}

// start returns where member r's piece starts.
func start(counts []int, r int) int {
	at := 0
	for _, n := range counts[:r] {
		at += n
	}
	return at
}
