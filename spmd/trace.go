package spmd

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"caloric/internal/caller"
)

// event is one timed call for the trace.
type event struct {
	op           operation
	start, dur   int64 // ns
	bytes        int
	commSize     int
	messagesSent int
}

// begin returns the time at which a call starts, 0 when nothing is timed.
func (c *Comm) begin() int64 {
	if c.freed {
		panic(&Error{Op: "call", Rank: c.rank, Site: caller.Find().String(), Cause: errors.New("use of a freed communicator")})
	}
	if c.job.trace == "" {
		return 0
	}
	return int64(time.Since(c.job.started))
}

// end counts and traces a call, and panics if it failed.
func (c *Comm) end(o operation, start int64, messages, bytes int, err error) {
	if err != nil {
		c.fail(o, err)
	}
	c.count(o, messages, bytes)
	c.traced(o, start, messages, bytes)
}

// traced notes a call for the trace, if there is to be one.
func (c *Comm) traced(o operation, start int64, messages, bytes int) {
	if c.job.trace != "" {
		c.job.events = append(c.job.events, event{o, start, int64(time.Since(c.job.started)) - start, bytes, c.size, messages})
	}
}

// traceOf returns the events of this rank as JSON objects with commas between.
func traceOf(c *Comm) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"name":"process_name","ph":"M","pid":%d,"args":{"name":"rank %d"}}`, c.rank, c.rank)
	for _, e := range c.job.events {
		fmt.Fprintf(&b, ",\n"+`{"name":%q,"ph":"X","pid":%d,"tid":0,"ts":%.3f,"dur":%.3f,"args":{"ranks":%d,"messages":%d,"bytes":%d}}`,
			e.op.String(), c.rank, float64(e.start)/1e3, float64(e.dur)/1e3, e.commSize, e.messagesSent, e.bytes)
	}
	return b.String()
}

// writeTrace writes the ranks' events to the job's trace file: the JSON array
// format of Chrome's trace viewer, one process a rank, times in microseconds.
//
// Collective over the world. Communication: two gathervs.
func writeTrace(c *Comm) error {
	mine := traceOf(c)
	counts := make([]int, c.size)
	ones := make([]int, c.size)
	for r := range ones {
		ones[r] = 1
	}
	lengths := make([]int64, c.size)
	Allgatherv(c, []int64{int64(len(mine))}, lengths, ones)
	for r, n := range lengths {
		counts[r] = int(n)
	}
	all := make([]byte, sum(counts))
	Gatherv(c, []byte(mine), all, counts, 0)
	if c.rank != 0 {
		return nil
	}
	var out bytes.Buffer
	sep := "[\n"
	for _, n := range counts {
		out.WriteString(sep)
		out.Write(all[:n])
		all = all[n:]
		sep = ",\n"
	}
	out.WriteString("\n]\n")
	if err := os.WriteFile(c.job.trace, out.Bytes(), 0o644); err != nil {
		return fmt.Errorf("spmd: SPMD_TRACE: %w", err)
	}
	return nil
}
