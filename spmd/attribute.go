package spmd

import (
	"fmt"
	"slices"
)

// attribute is a value that a library keeps with a communicator.
type attribute struct{ key, value any }

// SetAttr keeps value with c under key, in place of what it kept there before.
// A library keeps with a communicator what it has measured on it or made from it,
// as by MPI_Comm_set_attr (MPI 3.1, section 6.7); its keys are of a type of its
// own. If value has a method Free(), [Comm.Free] calls it.
//
// Local.
func (c *Comm) SetAttr(key, value any) {
	i := slices.IndexFunc(c.attributes, func(a attribute) bool { return a.key == key })
	if i < 0 {
		c.attributes = append(c.attributes, attribute{key, value})
		return
	}
	c.attributes[i].value = value
}

// Attr returns what c keeps under key, or else what the communicators keep that c
// was made from, the closest first; nil if none does.
//
// Local.
func (c *Comm) Attr(key any) any {
	for p := c; p != nil; p = p.parent {
		for _, a := range p.attributes {
			if a.key == key {
				return a.value
			}
		}
	}
	return nil
}

// freeAttributes frees what can be, in the order in which it was set, which is
// the same on every rank.
func (c *Comm) freeAttributes() {
	for _, a := range c.attributes {
		if f, ok := a.value.(interface{ Free() }); ok {
			f.Free()
		}
	}
	c.attributes = nil
}

// Aside is [Comm.Dup], of which [Comm.Stats] of c and of the communicators it was
// made from count nothing, neither its making nor what is sent over it: for
// measurements that must not change what a program finds counted.
//
// Collective. Communication: one exchange.
func (c *Comm) Aside() *Comm {
	start := c.begin()
	t, err := c.t.Dup()
	if err != nil {
		c.fail(opDup, err)
	}
	c.traced(opDup, start, 0, 0)
	c.made++
	d := c.derive(t, fmt.Sprintf("copy %d", c.made))
	d.aside = true
	return d
}
