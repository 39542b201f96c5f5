package main

import "sort"

// live marks the nodes that the results need, and finds the last use of each.
func (e *emitter) live() (used []bool) {
	used = make([]bool, len(e.nodes))
	e.last = make([]value, len(e.nodes))
	end := value(len(e.nodes))
	for _, v := range []value{e.result, e.flags} {
		if v != none {
			used[v], e.last[v] = true, end
		}
	}
	for v := end - 1; v >= 0; v-- {
		if !used[v] {
			continue
		}
		n := e.nodes[v]
		for _, a := range []value{n.a, n.b, n.c} {
			if a != none {
				used[a] = true
				e.last[a] = max(e.last[a], v)
			}
		}
		if n.op == opSign { // may be the register of its operand
			e.last[n.a] = max(e.last[n.a], e.last[v])
		}
	}
	return used
}

// chooseHoisted keeps as many constants in registers, all through the loop, as are free.
func (e *emitter) chooseHoisted(used []bool) {
	most, uses := 0, map[value]int{}
	for v := range e.nodes {
		if !used[v] {
			continue
		}
		live, temps := 0, 0
		for u := range e.nodes {
			mask := e.nodes[u].op.isMask() && e.wide
			if used[u] && e.nodes[u].op != opConst && !mask && u <= v && e.last[u] >= value(v) {
				live++
			}
		}
		n := e.nodes[v]
		for _, a := range []value{n.a, n.b, n.c} {
			if a != none && e.nodes[a].op == opConst {
				temps++
				uses[a]++
			}
		}
		if n.op == opGather {
			temps++
		}
		most = max(most, live+temps)
	}
	free := 16 - most - 1
	if e.wide {
		free = 32 - most - 1
	}
	var list []value
	for v := range uses {
		list = append(list, v)
	}
	sort.Slice(list, func(i, j int) bool {
		if uses[list[i]] != uses[list[j]] {
			return uses[list[i]] > uses[list[j]]
		}
		return list[i] < list[j]
	})
	e.hoist = map[value]bool{}
	for _, v := range list[:max(0, min(free, len(list)))] {
		e.hoist[v] = true
	}
}
