package embedded

import "caloric/spmd/internal/wire"

// Direct implements wire.Direct.
func (m *member) Direct(gather bool, what wire.Buffer, x any, read func(rank int, x any) error) error {
	c := call{kind: alltoallv, buf: what, shown: x}
	if gather {
		c.kind = allgatherv
	}
	c.buf.Ptr = nil
	if err := m.enter(c, nil); err != nil {
		return err
	}
	for i := range m.Size() { // not all from the same rank at once
		r := (m.me + i) % m.Size()
		if err := read(r, m.call(r).shown); err != nil {
			m.g.w.fail(err.Error())
			return m.ended()
		}
	}
	return m.leave()
}
