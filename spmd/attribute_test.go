package spmd_test

import (
	"testing"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

type attributeKey struct{}

// TestAttributes: a communicator has what is kept with it and with those it was made from.
func TestAttributes(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		d := c.Dup()
		e := d.Split(c.Rank()%2, 0)
		d.SetAttr(attributeKey{}, 1)
		if c.Attr(attributeKey{}) != nil || d.Attr(attributeKey{}) != 1 || e.Attr(attributeKey{}) != 1 {
			t.Errorf("attributes %v %v %v", c.Attr(attributeKey{}), d.Attr(attributeKey{}), e.Attr(attributeKey{}))
		}
		e.SetAttr(attributeKey{}, 2)
		d.SetAttr(attributeKey{}, 3)
		if d.Attr(attributeKey{}) != 3 || e.Attr(attributeKey{}) != 2 {
			t.Errorf("attributes %v %v", d.Attr(attributeKey{}), e.Attr(attributeKey{}))
		}
		// A communicator that another keeps is freed with it.
		d.SetAttr("kept", d.Dup())
		e.Free()
		before := c.Stats()
		d.Free()
		if n := c.Stats().Sub(before)["free"].Calls; n != 2 {
			t.Errorf("%d communicators freed, want 2", n)
		}
	})
}

// TestAside: what is sent aside is counted there and nowhere else.
func TestAside(t *testing.T) {
	spmdtest.Sweep(t, func(t testing.TB, c *spmd.Comm) {
		before := c.Stats()
		d := c.Aside()
		e := d.Dup()
		sum := spmd.AllreduceOne(e, int64(1), spmd.Sum)
		if counted := c.Stats().Sub(before); len(counted) > 0 || sum != int64(c.Size()) {
			t.Errorf("sum %d, counted\n%v", sum, counted)
		}
		if n := d.Stats()["allreduce"].Calls; n != 1 {
			t.Errorf("%d allreduces counted aside", n)
		}
		e.Free()
		d.Free()
		if counted := c.Stats().Sub(before); len(counted) > 0 {
			t.Errorf("freeing is counted\n%v", counted)
		}
	})
}
