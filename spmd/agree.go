package spmd

import (
	"fmt"
	"strings"
)

// RankError is the error that [Agree] returns: what the ranks that failed had
// to say, the same on every rank.
type RankError struct {
	Ranks []int    // the ranks that failed, ascending
	Texts []string // the error texts of those ranks
	size  int
	local error
}

// Error returns each failing rank's text, or the one text that every rank has.
func (e *RankError) Error() string {
	same := true
	for _, t := range e.Texts {
		same = same && t == e.Texts[0]
	}
	if same && len(e.Ranks) == e.size {
		return e.Texts[0]
	}
	if same && len(e.Ranks) > 1 {
		return fmt.Sprintf("%d ranks (first %d): %s", len(e.Ranks), e.Ranks[0], e.Texts[0])
	}
	lines := make([]string, len(e.Ranks))
	for i, r := range e.Ranks {
		lines[i] = fmt.Sprintf("rank %d: %s", r, e.Texts[i])
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns this rank's own error, nil if it had none.
func (e *RankError) Unwrap() error { return e.local }

// maxAgreeText bounds what one rank adds to a RankError.
const maxAgreeText = 4096

// Agree makes trouble on any rank known to all: it returns nil if every rank
// passes nil, and otherwise the same *[RankError] on every rank. Functions that
// can fail on one rank alone call it before the next collective, so that no
// rank waits for one that has given up.
//
// Collective. Communication: one allreduce of 8 bytes; with an error, two allgathervs.
func Agree(c *Comm, err error) error {
	failed := int64(0)
	if err != nil {
		failed = 1
	}
	if AllreduceOne(c, failed, Max) == 0 {
		return nil
	}
	var text []byte
	if err != nil {
		text = []byte(err.Error())
		text = text[:min(len(text), maxAgreeText)]
	}
	ones := make([]int, c.size)
	for r := range ones {
		ones[r] = 1
	}
	// A rank without an error reports -1, so that an empty text is still an error.
	lengths := make([]int64, c.size)
	mine := int64(len(text))
	if err == nil {
		mine = -1
	}
	Allgatherv(c, []int64{mine}, lengths, ones)
	counts, total := make([]int, c.size), 0
	for r, n := range lengths {
		counts[r] = int(max(n, 0))
		total += counts[r]
	}
	all := make([]byte, total)
	Allgatherv(c, text, all, counts)
	e := &RankError{size: c.size, local: err}
	for r, n := range counts {
		if lengths[r] >= 0 {
			e.Ranks = append(e.Ranks, r)
			e.Texts = append(e.Texts, string(all[:n]))
		}
		all = all[n:]
	}
	return e
}
