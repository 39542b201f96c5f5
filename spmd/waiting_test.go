package spmd_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/google/go-cmp/cmp"

	"caloric/internal/spmdtest"
	"caloric/spmd"
)

// TestPolling tests requests in a loop that only the job's end can end.
func TestPolling(t *testing.T) {
	requests := map[string]func(c *spmd.Comm) *spmd.Request{
		"irecv":      func(c *spmd.Comm) *spmd.Request { return spmd.Irecv(c, make([]int64, 1), 1, 0) },
		"isend":      func(c *spmd.Comm) *spmd.Request { return spmd.Isend(c, make([]int64, 3000), 1, 0) },
		"iallreduce": func(c *spmd.Comm) *spmd.Request { return spmd.Iallreduce(c, make([]int64, 1), spmd.Sum) },
	}
	for name, request := range requests {
		for _, fails := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/fails=%v", name, fails), func(t *testing.T) {
				err := run(t, 2, func(c *spmd.Comm) error {
					if c.Rank() == 1 {
						time.Sleep(10 * time.Millisecond)
						if fails {
							return errors.New("boom")
						}
						return nil
					}
					r := request(c)
					for !r.Test() {
					}
					r.Wait()
					return nil
				})
				if fails {
					contains(t, err, "rank 1 of 2: boom")
				} else {
					contains(t, err, "ranks wait for ranks that have returned:", "rank 0: "+name+" ", "spmd.Request.Wait at spmd/waiting_test.go:", "rank 1: returned")
				}
			})
		}
	}
}

// TestUnfinishedRequests leaves requests that nobody waits for.
func TestUnfinishedRequests(t *testing.T) {
	err := run(t, 2, func(c *spmd.Comm) error {
		other := 1 - c.Rank()
		spmd.Isend(c, make([]float64, 1), other, 0)
		spmd.Isend(c, make([]float64, 5000), other, 1)
		spmd.Irecv(c, make([]float64, 3), other, 2)
		spmd.Iallreduce(c, make([]float64, 3), spmd.Sum)
		if c.Rank() == 0 {
			spmd.Iallreduce(c, make([]float64, 3), spmd.Sum)
		}
		if n := spmd.AllreduceOne(c, int64(1), spmd.Sum); n != 2 {
			return fmt.Errorf("%d ranks", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestRanksThatRun ends a job while one of its ranks communicates with nobody.
func TestRanksThatRun(t *testing.T) {
	release := make(chan bool)
	err := run(t, 3, func(c *spmd.Comm) error {
		pair := c.Split(c.Rank()/2, 0)
		switch c.Rank() {
		case 0:
			defer close(release)
			pair.Barrier()
		case 1:
			pair.Dup()
		case 2:
			<-release
		}
		return nil
	})
	contains(t, err, "rank 0: barrier on world.Split(0) in", "rank 1: dup on world.Split(0) in", "rank 2: running")
}

func TestManyRanks(t *testing.T) {
	const n = 256
	err := run(t, n, func(c *spmd.Comm) error {
		v := int64(c.Rank())
		for range 3 {
			if sum := spmd.AllreduceOne(c, v, spmd.Sum); sum != n*(n-1)/2 {
				return fmt.Errorf("sum %d", sum)
			}
			buf := []int64{v, v * v, 1, 1, 1, 1, 1, 1, 1}
			spmd.Exscan(c, buf, spmd.Sum)
			if want := v * (v - 1) / 2; v > 0 && buf[0] != want {
				return fmt.Errorf("scan %d, want %d", buf[0], want)
			}
			next, previous := (c.Rank()+1)%n, (c.Rank()+n-1)%n
			spmd.Sendrecv(c, []int64{v}, next, buf[:1], previous, 0)
			if buf[0] != int64(previous) {
				return fmt.Errorf("message %d", buf[0])
			}
			row := c.Split(c.Rank()/16, 0)
			if max := spmd.AllreduceOne(row, v, spmd.Max); max != v/16*16+15 {
				return fmt.Errorf("max %d", max)
			}
			row.Free()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = run(t, n, func(c *spmd.Comm) error {
		if c.Rank() == 2 {
			spmd.BcastOne(c, true, 0)
		} else {
			c.Barrier()
		}
		return nil
	})
	contains(t, err, "ranks 0-1: barrier in ", "rank 2: bcast of 1 bool with root 0 in ", "ranks 3-255: barrier in ")
}

func TestUseAfterFree(t *testing.T) {
	for name, use := range map[string]func(c *spmd.Comm){
		"barrier":                                func(c *spmd.Comm) { c.Barrier() },
		"allreduce sum of 1 float64":             func(c *spmd.Comm) { spmd.AllreduceOne(c, 1.0, spmd.Sum) },
		"isend of 1 int8 to rank 0 with tag 0":   func(c *spmd.Comm) { spmd.Isend(c, []int8{1}, 0, 0) },
		"recv of 1 int8 from rank 0 with tag 0":  func(c *spmd.Comm) { spmd.Recv(c, []int8{1}, 0, 0) },
		"iallreduce sum of 1 float64":            func(c *spmd.Comm) { spmd.Iallreduce(c, []float64{1}, spmd.Sum) },
		"free":                                   func(c *spmd.Comm) { c.Free() },
		"scatterv of 2 bool with root 0, counts": func(c *spmd.Comm) { spmd.Scatterv(c, make([]bool, 2), []int{1, 1}, make([]bool, 1), 0) },
	} {
		t.Run(name, func(t *testing.T) {
			err := run(t, 2, func(c *spmd.Comm) error {
				dup := c.Dup()
				dup.Free()
				use(dup)
				return nil
			})
			contains(t, err, "use of a freed communicator:", name, " on world.Dup() in spmd.", " at spmd/waiting_test.go:")
		})
	}
	err := run(t, 2, func(c *spmd.Comm) error {
		c.Free()
		return nil
	})
	contains(t, err, "the world communicator cannot be freed")
}

func TestPanicInReduction(t *testing.T) {
	for _, n := range []int{1, 1000} {
		err := run(t, 3, func(c *spmd.Comm) error {
			spmd.AllreduceFunc(c, make([]float64, n), func(acc, next []float64) { panic("boom") })
			return nil
		})
		contains(t, err, "panic: boom", "waiting_test.go:")
	}
}

// TestRankOrder adds numbers whose sum depends on the order: it is that of the
// ranks, for operands of any size and however they are reduced.
func TestRankOrder(t *testing.T) {
	const p = 5
	term := func(r, i int) float64 { return math.Ldexp(0.1, 17*((r+i)%3)) * float64(r+1) }
	for _, n := range []int{1, 8, 9, 5000} {
		want := make([]float64, n)
		for i := range want {
			want[i] = term(0, i)
			for r := 1; r < p; r++ {
				want[i] += term(r, i)
			}
		}
		spmdtest.Run(t, p, func(c *spmd.Comm) {
			spmdtest.Embedded(t)
			operand := func() []float64 {
				buf := make([]float64, n)
				for i := range buf {
					buf[i] = term(c.Rank(), i)
				}
				return buf
			}
			check := func(what string, got, want []float64) {
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s of %d (-want +got):\n%s", what, n, diff)
				}
			}
			x, y, z, s := operand(), operand(), operand(), operand()
			spmd.Allreduce(c, x, spmd.Sum)
			check("Allreduce", x, want)
			spmd.Iallreduce(c, y, spmd.Sum).Wait()
			check("Iallreduce", y, want)
			spmd.Reduce(c, z, spmd.Sum, 2)
			if c.Rank() == 2 {
				check("Reduce", z, want)
			}
			spmd.Exscan(c, s, spmd.Sum)
			if c.Rank() == p-1 {
				for i := range s {
					s[i] += term(p-1, i)
				}
				check("Exscan", s, want)
			}
			counts := make([]int, p)
			counts[1] = n
			part := make([]float64, counts[c.Rank()])
			spmd.ReduceScatter(c, operand(), part, counts, spmd.Sum)
			if c.Rank() == 1 {
				check("ReduceScatter", part, want)
			}
		})
	}
}

// TestAllocations counts what collectives allocate: nothing.
func TestAllocations(t *testing.T) {
	const runs = 100
	var one, many, all [2][]float64 // by rank
	for r := range one {
		one[r], many[r], all[r] = make([]float64, 1), make([]float64, 3000), make([]float64, 3000)
	}
	counts := []int{1500, 1500}
	for name, call := range map[string]func(c *spmd.Comm){
		"Barrier":      func(c *spmd.Comm) { c.Barrier() },
		"AllreduceOne": func(c *spmd.Comm) { spmd.AllreduceOne(c, 1.0, spmd.Sum) },
		"BcastOne":     func(c *spmd.Comm) { spmd.BcastOne(c, 1.0, 1) },
		"Allreduce":    func(c *spmd.Comm) { spmd.Allreduce(c, many[c.Rank()], spmd.Max) },
		"Exscan of 1":  func(c *spmd.Comm) { spmd.Exscan(c, one[c.Rank()], spmd.Sum) },
		"Reduce":       func(c *spmd.Comm) { spmd.Reduce(c, many[c.Rank()], spmd.Max, 1) },
		"Allgatherv":   func(c *spmd.Comm) { spmd.Allgatherv(c, many[c.Rank()][:1500], all[c.Rank()], counts) },
		"AllreduceFunc": func(c *spmd.Comm) {
			spmd.AllreduceFunc(c, one[c.Rank()], func(acc, next []float64) { acc[0] = max(acc[0], next[0]) })
		},
		"Alltoallv": func(c *spmd.Comm) { spmd.Alltoallv(c, many[c.Rank()], counts, all[c.Rank()], counts) },
	} {
		err := run(t, 2, func(c *spmd.Comm) error {
			if c.Rank() == 1 {
				for range runs + 2 {
					call(c)
				}
				return nil
			}
			call(c)
			if n := testing.AllocsPerRun(runs, func() { call(c) }); n != 0 {
				return fmt.Errorf("%v allocations", n)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBuffersAreReleased frees what was communicated, also while nothing else is
// communicated.
func TestBuffersAreReleased(t *testing.T) {
	spmdtest.Run(t, 2, func(c *spmd.Comm) {
		spmdtest.Embedded(t)
		buf := make([]float64, 1000)
		gone := weak.Make(&buf[0])
		spmd.Allreduce(c, buf, spmd.Sum)
		spmd.Bcast(c, buf, 0)
		spmd.Bcast(c, buf[:2], 0)
		spmd.AllreduceOne(c, buf[0], spmd.Sum)
		buf = nil
		c.Barrier()
		for range 3 {
			runtime.GC()
		}
		if gone.Value() != nil {
			t.Error("the operand of a collective is kept")
		}
	})
}
