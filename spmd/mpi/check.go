//go:build mpi && cgo

package mpi

// #include "transport.h"
import "C"

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"caloric/internal/caller"
	"caloric/spmd/internal/wire"
)

// checked is a communicator whose ranks compare what they call before they call
// it, as SPMD_CHECK=1 wants.
type checked struct {
	*comm
	records *comm // of the same ranks
}

func (j *Job) check(c *comm) (*checked, error) {
	records, err := c.dup()
	if err != nil {
		return nil, err
	}
	k := &checked{c, records}
	j.checked = append(j.checked, k)
	return k, nil
}

// record is what a rank tells of its call: a hash of all that has to agree, and
// the call in words.
type record [256]byte

func newRecord(hash uint64, text string) record {
	var r record
	for i := range 8 {
		r[i] = byte(hash >> (8 * i))
	}
	copy(r[8:], text)
	return r
}

func (r *record) text() string { return strings.TrimRight(string(r[8:]), "\x00") }

// exchange starts to gather the ranks' records.
func (c *checked) exchange(mine record) (*request, []record) {
	send, everyone := []record{mine}, make([]record, c.size)
	return c.records.iallgather(wire.Of(send), wire.Of(everyone)), everyone
}

// call is a call whose record is on its way to the other ranks.
type call struct {
	*request
	what     string
	everyone []record
}

// noRoot is the root of a call that has none.
const noRoot = -1

// announce tells the other ranks that this one calls what, which has to agree,
// and in which words.
func (c *checked) announce(what, words string) call {
	h := fnv.New64a()
	h.Write([]byte(what))
	words += " in " + caller.Find().String()
	r, everyone := c.exchange(newRecord(h.Sum64(), words))
	return call{r, words, everyone}
}

// same checks that all ranks call what with equal operands.
func (c *checked) same(what string, b wire.Buffer, root int) error {
	what = fmt.Sprintf("%s of %d %s%s", what, b.Len, typeName(b), withRoot(root))
	return c.announce(what, what).agree()
}

// sameCounts checks that all ranks call what with equal types and counts.
func (c *checked) sameCounts(what string, b wire.Buffer, counts []int, root int) error {
	key := fmt.Sprint(what, b.Type, root, counts)
	words := fmt.Sprintf("%s of %d %s%s", what, b.Len, typeName(b), withRoot(root))
	if len(counts) <= 16 {
		words += fmt.Sprintf(", counts %v", counts)
	}
	return c.announce(key, words).agree()
}

func withRoot(root int) string {
	if root == noRoot {
		return ""
	}
	return fmt.Sprintf(" with root %d", root)
}

func typeName(b wire.Buffer) string {
	if b.Type == wire.Raw {
		return fmt.Sprintf("%d-byte structs", b.Elem)
	}
	return b.Type.String()
}

// agree waits for the other ranks' records and compares them. Whatever this
// communicator has delayed has started then: ranks have to start their
// operations in one order.
func (k call) agree() error {
	j := k.c.job
	ready := func() bool {
		return k.Test() && !slices.ContainsFunc(j.delayed, func(d *delayed) bool { return d.c == k.c })
	}
	if !j.poll(ready, k.c.timeout) {
		return fmt.Errorf("waited %v for the other ranks to call %s", k.c.timeout, k.what)
	}
	return k.compare()
}

// compare compares the ranks' records, which have come.
func (k call) compare() error {
	if k.err != nil {
		return k.err
	}
	same := true
	for _, r := range k.everyone {
		same = same && [8]byte(r[:]) == [8]byte(k.everyone[0][:])
	}
	if same {
		return nil
	}
	return errors.New("ranks called different collectives:" + list(k.everyone))
}

// list returns a line for each rank whose record has a text, or for each run of
// alike ranks if they are many.
func list(everyone []record) string {
	var b strings.Builder
	for lo := 0; lo < len(everyone); {
		hi := lo + 1
		for len(everyone) > 16 && hi < len(everyone) && everyone[hi] == everyone[lo] {
			hi++
		}
		switch text := everyone[lo].text(); {
		case text == "":
		case hi == lo+1:
			fmt.Fprintf(&b, "\n  rank %d: %s", lo, text)
		default:
			fmt.Fprintf(&b, "\n  ranks %d-%d: %s", lo, hi-1, text)
		}
		lo = hi
	}
	return b.String()
}

func (c *checked) Barrier() error {
	if err := c.announce("barrier", "barrier").agree(); err != nil {
		return err
	}
	return c.comm.Barrier()
}

func (c *checked) Bcast(b wire.Buffer, root int) error {
	if err := c.same("bcast", b, root); err != nil {
		return err
	}
	return c.comm.Bcast(b, root)
}

func (c *checked) Reduce(b wire.Buffer, op wire.Op, root int) error {
	if err := c.same("reduce "+op.String(), b, root); err != nil {
		return err
	}
	return c.comm.Reduce(b, op, root)
}

func (c *checked) Allreduce(b wire.Buffer, op wire.Op) error {
	if err := c.same("allreduce "+op.String(), b, noRoot); err != nil {
		return err
	}
	return c.comm.Allreduce(b, op)
}

func (c *checked) AllreduceFunc(b wire.Buffer, f wire.Func) error {
	if err := c.same("allreduce by a function", b, noRoot); err != nil {
		return err
	}
	return c.comm.AllreduceFunc(b, f)
}

func (c *checked) Allgatherv(send, recv wire.Buffer, n []int) error {
	if err := c.sameCounts("allgatherv", send, n, noRoot); err != nil {
		return err
	}
	return c.comm.Allgatherv(send, recv, n)
}

func (c *checked) Gatherv(send, recv wire.Buffer, n []int, root int) error {
	if err := c.sameCounts("gatherv", send, n, root); err != nil {
		return err
	}
	return c.comm.Gatherv(send, recv, n, root)
}

func (c *checked) Scatterv(send, recv wire.Buffer, n []int, root int) error {
	if err := c.sameCounts("scatterv", send, n, root); err != nil {
		return err
	}
	return c.comm.Scatterv(send, recv, n, root)
}

func (c *checked) Alltoallv(send wire.Buffer, sendCounts []int, recv wire.Buffer, recvCounts []int) error {
	k := c.announce(fmt.Sprint("alltoallv", send.Type), fmt.Sprintf("alltoallv of %d %v", send.Len, send.Type))
	if err := k.agree(); err != nil {
		return err
	}
	if err := c.pairs(k.what, sendCounts, recvCounts); err != nil {
		return err
	}
	return c.comm.Alltoallv(send, sendCounts, recv, recvCounts)
}

// pairs compares what each rank sends to each other with what that one expects.
func (c *checked) pairs(what string, sendCounts, recvCounts []int) error {
	ones := slices.Repeat([]int{1}, c.size)
	sent := make([]int, c.size)
	out, in := wire.Of(sendCounts), wire.Of(sent)
	if err := mpiError(C.spmd_alltoallv(pointer(out), counts(ones), pointer(in), counts(ones), C.int(out.Elem), c.records.c)); err != nil {
		return err
	}
	var mine record
	for r, n := range sent {
		if n != recvCounts[r] {
			mine = newRecord(1, fmt.Sprintf("expects %d elements from rank %d, which sends %d, in %s", recvCounts[r], r, n, what))
			break
		}
	}
	done, everyone := c.exchange(mine)
	if err := done.Wait(); err != nil {
		return err
	}
	if wrong := list(everyone); wrong != "" {
		return errors.New("counts do not fit:" + wrong)
	}
	return nil
}

func (c *checked) ReduceScatter(send, recv wire.Buffer, n []int, op wire.Op) error {
	if err := c.sameCounts("reducescatter "+op.String(), send, n, noRoot); err != nil {
		return err
	}
	return c.comm.ReduceScatter(send, recv, n, op)
}

func (c *checked) Exscan(b wire.Buffer, op wire.Op) error {
	if err := c.same("exscan "+op.String(), b, noRoot); err != nil {
		return err
	}
	return c.comm.Exscan(b, op)
}

// Iallreduce returns before the ranks have compared their calls, as they may
// come here at different times, with messages to each other in between. The
// reduction starts once they have: MPI writes past the shorter operand if
// lengths differ.
func (c *checked) Iallreduce(b wire.Buffer, op wire.Op) (wire.Request, error) {
	what := fmt.Sprintf("iallreduce %v of %d %v", op, b.Len, b.Type)
	k := c.announce(what, what)
	d := &delayed{call: k, start: func() (wire.Request, error) { return c.comm.Iallreduce(b, op) }}
	c.job.delayed = append(c.job.delayed, d)
	return d, nil
}

// delayed is an operation that starts when the ranks' calls are known to agree.
type delayed struct {
	call
	start   func() (wire.Request, error)
	started wire.Request
	err     error
}

// startDelayed starts what the ranks have agreed on, in the order of the calls.
// Every wait does this, so that no rank keeps the others waiting.
func (j *Job) startDelayed() {
	held := map[*comm]bool{} // by an earlier operation that has yet to start
	j.delayed = slices.DeleteFunc(j.delayed, func(d *delayed) bool {
		if held[d.c] || !d.call.Test() {
			held[d.c] = true
			return false
		}
		if d.err = d.compare(); d.err == nil {
			d.started, d.err = d.start()
		}
		return true
	})
}

func (d *delayed) Wait() error {
	if !d.c.job.poll(d.decided, d.c.timeout) {
		return fmt.Errorf("waited %v for the other ranks to call %s", d.c.timeout, d.what)
	}
	if d.err != nil {
		return d.err
	}
	return d.started.Wait()
}

func (d *delayed) Test() bool {
	d.c.job.startDelayed()
	return d.err != nil || d.started != nil && d.started.Test()
}

// decided reports whether the operation has started or never will.
func (d *delayed) decided() bool { return d.err != nil || d.started != nil }

func (c *checked) Split(color, key int) (wire.Transport, error) {
	if err := c.announce("split", "split").agree(); err != nil {
		return nil, err
	}
	part, err := c.split(color, key)
	if part == nil {
		return nil, err
	}
	return c.job.check(part)
}

func (c *checked) Dup() (wire.Transport, error) {
	if err := c.announce("dup", "dup").agree(); err != nil {
		return nil, err
	}
	d, err := c.dup()
	if err != nil {
		return nil, err
	}
	return c.job.check(d)
}

func (c *checked) Free() error {
	if err := c.announce("free", "free").agree(); err != nil {
		return err
	}
	c.job.checked = slices.DeleteFunc(c.job.checked, func(k *checked) bool { return k == c })
	if err := c.records.Free(); err != nil {
		return err
	}
	return c.comm.Free()
}

// returned tells the other ranks, on each communicator, that this one calls
// nothing more, and waits until all of them do the same.
func (j *Job) returned() error {
	calls := make([]call, len(j.checked))
	for i, c := range j.checked {
		r, everyone := c.exchange(newRecord(0, "returned"))
		calls[i] = call{r, "", everyone}
	}
	var err error
	j.poll(func() bool {
		all := true
		for _, k := range calls {
			if !k.Test() {
				all = false
			} else if err = k.agree(); err != nil {
				return true
			}
		}
		return all
	}, 0)
	return err
}
