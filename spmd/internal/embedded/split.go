package embedded

import (
	"cmp"
	"fmt"
	"slices"

	"caloric/spmd/internal/wire"
)

// Split implements wire.Transport.
func (m *member) Split(color, key int) (wire.Transport, error) {
	if err := m.enter(call{kind: split, color: color, key: key}, nil); err != nil {
		return nil, err
	}
	if color < 0 {
		return nil, m.leave()
	}
	var members []int // of m.g, those of the same color, in the new order
	for r := range m.Size() {
		if m.call(r).color == color {
			members = append(members, r)
		}
	}
	slices.SortStableFunc(members, func(a, b int) int { return cmp.Compare(m.call(a).key, m.call(b).key) })
	return m.join(members, fmt.Sprintf("%s.Split(%d)", m.g.name, color))
}

// Dup implements wire.Transport.
func (m *member) Dup() (wire.Transport, error) {
	if err := m.enter(call{kind: dup}, nil); err != nil {
		return nil, err
	}
	members := make([]int, m.Size())
	for r := range members {
		members[r] = r
	}
	return m.join(members, m.g.name+".Dup()")
}

// join returns this member's end of a new group of members, which the first of
// them makes.
func (m *member) join(members []int, name string) (wire.Transport, error) {
	if members[0] == m.me {
		ranks := make([]int, len(members))
		for i, r := range members {
			ranks[i] = m.g.ranks[r]
		}
		m.side(m.me).made = newGroup(m.g.w, ranks, name)
	}
	if err := m.leave(); err != nil {
		return nil, err
	}
	return m.side(members[0]).made.member(slices.Index(members, m.me)), nil
}

// Free implements wire.Transport.
func (m *member) Free() error {
	err := m.enter(call{kind: free}, nil)
	m.freed = true
	return err
}

// Abort implements wire.Transport.
func (m *member) Abort(err error) {
	w := m.g.w
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.first < 0 {
		w.first = m.rank
		w.errs[m.rank] = err
	}
	w.end("")
}
