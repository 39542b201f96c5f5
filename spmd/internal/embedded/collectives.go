package embedded

import (
	"fmt"
	"unsafe"

	"caloric/spmd/internal/reduce"
	"caloric/spmd/internal/wire"
)

// Barrier implements wire.Transport.
func (m *member) Barrier() error { return m.enter(call{kind: barrier}) }

// inline copies b to this member's slot, for a call that is about to be entered.
func (m *member) inline(b wire.Buffer) {
	s := &m.g.slots[m.me].side[(m.calls+1)&1]
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&s.inline)), inlineBytes), b.Bytes())
}

// inlined returns what member r put in its slot, as elements like b's.
func (m *member) inlined(b wire.Buffer, r int) wire.Buffer {
	b.Ptr = unsafe.Pointer(&m.side(r).inline)
	return b
}

// Bcast implements wire.Transport.
func (m *member) Bcast(buf wire.Buffer, root int) error {
	small := buf.Size() <= inlineBytes
	if small && m.me == root {
		m.inline(buf)
	}
	if err := m.enter(call{kind: bcast, buf: buf, root: root}); err != nil {
		return err
	}
	if small {
		if m.me != root {
			copy(buf.Bytes(), m.inlined(buf, root).Bytes())
		}
		return nil
	}
	if m.me != root {
		copy(buf.Bytes(), m.call(root).buf.Bytes())
	}
	return m.leave()
}

// Allreduce implements wire.Transport.
func (m *member) Allreduce(buf wire.Buffer, op wire.Op) error {
	return m.allreduce(call{kind: allreduce, buf: buf, op: op}, func(acc, next wire.Buffer) { reduce.Into(op, acc, next) })
}

// AllreduceFunc implements wire.Transport.
func (m *member) AllreduceFunc(buf wire.Buffer, f wire.Func) error {
	return m.allreduce(call{kind: allreduce, buf: buf, user: true}, f)
}

func (m *member) allreduce(c call, f wire.Func) error {
	buf := c.buf
	if buf.Size() <= inlineBytes {
		m.inline(buf)
		if err := m.enter(c); err != nil {
			return err
		}
		if m.Size() == 1 {
			return nil
		}
		copy(buf.Bytes(), m.inlined(buf, 0).Bytes())
		for r := 1; r < m.Size(); r++ {
			f(buf, m.inlined(buf, r))
		}
		return nil
	}
	if err := m.enter(c); err != nil {
		return err
	}
	if m.Size() == 1 {
		return nil
	}
	// Each member reduces its share of the elements, in rank order, and writes
	// the result to every member's buffer.
	lo, hi := share(buf.Len, m.me, m.Size())
	m.eachBlock(buf, lo, hi, func(at, n int) {
		acc := m.scratch(buf, n)
		copy(acc.Bytes(), m.call(0).buf.Slice(at, n).Bytes())
		for r := 1; r < m.Size(); r++ {
			f(acc, m.call(r).buf.Slice(at, n))
		}
		for r := range m.Size() {
			copy(m.call(r).buf.Slice(at, n).Bytes(), acc.Bytes())
		}
	})
	return m.leave()
}

// share returns the indices lo ≤ i < hi of n that member r of size works on.
func share(n, r, size int) (lo, hi int) { return n * r / size, n * (r + 1) / size }

// eachBlock calls f for blocks of the elements from lo to hi that fit the
// member's scratch memory.
func (m *member) eachBlock(b wire.Buffer, lo, hi int, f func(at, n int)) {
	step := max(1, blockBytes/2/max(1, b.Elem))
	for at := lo; at < hi; at += step {
		f(at, min(step, hi-at))
	}
}

// Reduce implements wire.Transport.
func (m *member) Reduce(buf wire.Buffer, op wire.Op, root int) error {
	if err := m.enter(call{kind: reduce_, buf: buf, op: op, root: root}); err != nil {
		return err
	}
	if m.me == root && m.Size() > 1 {
		m.eachBlock(buf, 0, buf.Len, func(at, n int) {
			acc := m.scratch(buf, n)
			copy(acc.Bytes(), m.call(0).buf.Slice(at, n).Bytes())
			for r := 1; r < m.Size(); r++ {
				reduce.Into(op, acc, m.call(r).buf.Slice(at, n))
			}
			copy(buf.Slice(at, n).Bytes(), acc.Bytes())
		})
	}
	return m.leave()
}

// Exscan implements wire.Transport. Each member scans its share of the elements
// through all members' buffers.
func (m *member) Exscan(buf wire.Buffer, op wire.Op) error {
	if err := m.enter(call{kind: exscan, buf: buf, op: op}); err != nil {
		return err
	}
	lo, hi := share(buf.Len, m.me, m.Size())
	m.eachBlock(buf, lo, hi, func(at, n int) {
		two := m.scratch(buf, 2*n)
		sum, next := two.Slice(0, n), two.Slice(n, n)
		copy(sum.Bytes(), m.call(0).buf.Slice(at, n).Bytes())
		for r := 1; r < m.Size(); r++ {
			own := m.call(r).buf.Slice(at, n)
			copy(next.Bytes(), own.Bytes())
			copy(own.Bytes(), sum.Bytes())
			reduce.Into(op, sum, next)
		}
	})
	return m.leave()
}

// ReduceScatter implements wire.Transport.
func (m *member) ReduceScatter(send, recv wire.Buffer, counts []int, op wire.Op) error {
	if err := m.enter(call{kind: reduceScatter, buf: send, counts: counts, op: op}); err != nil {
		return err
	}
	at, n := start(counts, m.me), counts[m.me]
	m.eachBlock(send, 0, n, func(i, n int) {
		acc := recv.Slice(i, n)
		copy(acc.Bytes(), m.call(0).buf.Slice(at+i, n).Bytes())
		for r := 1; r < m.Size(); r++ {
			reduce.Into(op, acc, m.call(r).buf.Slice(at+i, n))
		}
	})
	return m.leave()
}

func start(counts []int, r int) int {
	at := 0
	for _, n := range counts[:r] {
		at += n
	}
	return at
}

// Allgatherv implements wire.Transport.
func (m *member) Allgatherv(send, recv wire.Buffer, counts []int) error {
	return m.gather(call{kind: allgatherv, buf: send, counts: counts}, recv, true)
}

// Gatherv implements wire.Transport.
func (m *member) Gatherv(send, recv wire.Buffer, counts []int, root int) error {
	return m.gather(call{kind: gatherv, buf: send, counts: counts, root: root}, recv, m.me == root)
}

func (m *member) gather(c call, recv wire.Buffer, receives bool) error {
	if err := m.enter(c); err != nil {
		return err
	}
	if receives {
		at := 0
		for r, n := range c.counts {
			copy(recv.Slice(at, n).Bytes(), m.call(r).buf.Bytes())
			at += n
		}
	}
	return m.leave()
}

// Scatterv implements wire.Transport.
func (m *member) Scatterv(send, recv wire.Buffer, counts []int, root int) error {
	if err := m.enter(call{kind: scatterv, buf: send, counts: counts, root: root}); err != nil {
		return err
	}
	copy(recv.Bytes(), m.call(root).buf.Slice(start(counts, m.me), counts[m.me]).Bytes())
	return m.leave()
}

// Alltoallv implements wire.Transport.
func (m *member) Alltoallv(send wire.Buffer, sendCounts []int, recv wire.Buffer, recvCounts []int) error {
	m.starts = append(m.starts[:0], 0)
	for _, n := range sendCounts {
		m.starts = append(m.starts, m.starts[len(m.starts)-1]+n)
	}
	if err := m.enter(call{kind: alltoallv, buf: send, starts: m.starts}); err != nil {
		return err
	}
	at := 0
	for r, n := range recvCounts {
		c := m.call(r)
		lo, hi := c.starts[m.me], c.starts[m.me+1]
		if hi-lo != n {
			m.g.w.fail(fmt.Sprintf("counts of an alltoallv do not fit: rank %d sends %d elements to rank %d, which expects %d", r, hi-lo, m.me, n))
			return m.ended()
		}
		copy(recv.Slice(at, n).Bytes(), c.buf.Slice(lo, n).Bytes())
		at += n
	}
	return m.leave()
}
