package spmd_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"caloric/spmd"
)

// sites notes the lines from which ranks make the calls that an error should name.
type sites struct {
	mu    sync.Mutex
	lines map[int]int // by rank of the world
}

// at returns c, for a call on the same line.
func (s *sites) at(c *spmd.Comm, rank int) *spmd.Comm {
	_, _, line, _ := runtime.Caller(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[rank] = line
	return c
}

// TestMistakes has ranks whose calls do not fit together, and compares the
// error, in which every rank's operation and line are named.
func TestMistakes(t *testing.T) {
	floats := func(n int) []float64 { return make([]float64, n) }
	const different = "ranks called different collectives"
	for _, test := range []struct {
		name  string
		ranks int
		want  []string // the cause, then a line for each rank; @ stands for the place
		call  func(s *sites, c *spmd.Comm)
	}{
		{"counts", 2, []string{"ranks called allreduce with different arguments", "allreduce sum of 1 float64 in spmd.Allreduce@", "allreduce sum of 2 float64 in spmd.Allreduce@"},
			func(s *sites, c *spmd.Comm) {
				spmd.Allreduce(s.at(c, c.Rank()), floats(1+c.Rank()), spmd.Sum)
			}},
		{"one small, one large", 2, []string{"ranks called allreduce with different arguments", "allreduce sum of 1 float64 in spmd.Allreduce@", "allreduce sum of 901 float64 in spmd.Allreduce@"},
			func(s *sites, c *spmd.Comm) {
				spmd.Allreduce(s.at(c, c.Rank()), floats(1+900*c.Rank()), spmd.Sum)
			}},
		{"types", 2, []string{"ranks called bcast with different arguments", "bcast of 1 int32 with root 0 in spmd.BcastOne@", "bcast of 1 float32 with root 0 in spmd.BcastOne@"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 0 {
					spmd.BcastOne(s.at(c, 0), int32(1), 0)
				} else {
					spmd.BcastOne(s.at(c, 1), float32(1), 0)
				}
			}},
		{"operations", 2, []string{"ranks called allreduce with different arguments", "allreduce min of 1 int8 in spmd.AllreduceOne@", "allreduce max of 1 int8 in spmd.AllreduceOne@"},
			func(s *sites, c *spmd.Comm) {
				spmd.AllreduceOne(s.at(c, c.Rank()), int8(1), []spmd.Op{spmd.Min, spmd.Max}[c.Rank()])
			}},
		{"roots", 3, []string{"ranks called reduce with different arguments", "reduce sum of 3 float64 with root 0 in spmd.Reduce@", "reduce sum of 3 float64 with root 1 in spmd.Reduce@",
			"reduce sum of 3 float64 with root 2 in spmd.Reduce@"},
			func(s *sites, c *spmd.Comm) {
				spmd.Reduce(s.at(c, c.Rank()), floats(3), spmd.Sum, c.Rank())
			}},
		{"counts arrays", 2, []string{"ranks called allgatherv with different arguments", "allgatherv of 1 float64, counts [1 2] in spmd.Allgatherv@", "allgatherv of 1 float64, counts [2 1] in spmd.Allgatherv@"},
			func(s *sites, c *spmd.Comm) {
				spmd.Allgatherv(s.at(c, c.Rank()), floats(1), floats(3), [][]int{{1, 2}, {2, 1}}[c.Rank()])
			}},
		{"blocks", 3, []string{"counts do not fit: rank 2 sends 1 elements to rank 1, which expects 2",
			"alltoallv of 3 float64 in spmd.Alltoallv@", "alltoallv of 3 float64 in spmd.Alltoallv@", "alltoallv of 3 float64 in spmd.Alltoallv@"},
			func(s *sites, c *spmd.Comm) {
				recv := []int{1, 1, 1 + c.Rank()%2}
				spmd.Alltoallv(s.at(c, c.Rank()), floats(3), []int{1, 1, 1}, floats(recv[2]+2), recv)
			}},
		{"a function and an operation", 2, []string{"ranks called allreduce with different arguments", "allreduce sum of 1 float64 in spmd.AllreduceOne@", "allreduce by a function of 1 float64 in spmd.AllreduceFunc@"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 0 {
					spmd.AllreduceOne(s.at(c, 0), 1.0, spmd.Sum)
				} else {
					spmd.AllreduceFunc(s.at(c, 1), floats(1), func(acc, next []float64) {})
				}
			}},
		{"blocking and not", 2, []string{"ranks wait for each other", "allreduce sum of 1 float64 in spmd.AllreduceOne@", "iallreduce sum of 1 float64 in spmd.Request.Wait@"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 0 {
					spmd.AllreduceOne(s.at(c, 0), 1.0, spmd.Sum)
				} else {
					spmd.Iallreduce(s.at(c, 1), floats(1), spmd.Sum).Wait()
				}
			}},
		{"non-blocking", 2, []string{"ranks called iallreduce with different arguments", "iallreduce sum of 1 float64 in spmd.", "iallreduce sum of 1001 float64 in spmd."},
			func(s *sites, c *spmd.Comm) {
				spmd.Iallreduce(c, floats(1+1000*c.Rank()), spmd.Sum).Wait()
			}},
		{"communicators", 2, []string{"ranks wait for each other", "barrier in spmd.Comm.Barrier@", "barrier on world.Dup() in spmd.Comm.Barrier@"},
			func(s *sites, c *spmd.Comm) {
				dup := c.Dup()
				if c.Rank() == 1 {
					c = dup
				}
				s.at(c, c.Rank()).Barrier()
			}},
		{"in a part", 4, []string{different, "barrier on world.Split(1) in spmd.Comm.Barrier@", "r",
			"exscan xor of 1 bool on world.Split(1) in spmd.Exscan@", "r"}, // "running" or "returned"
			func(s *sites, c *spmd.Comm) {
				part := c.Split(1-c.Rank()%2, 0)
				switch c.Rank() {
				case 0:
					s.at(part, 0).Barrier()
				case 2:
					spmd.Exscan(s.at(part, 2), []bool{true}, spmd.Xor)
				}
			}},
		{"recv without send", 2, []string{"ranks wait for ranks that have returned", "recv of 3 float64 from rank 1 with tag 7 in spmd.Recv@", "returned"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 0 {
					spmd.Recv(s.at(c, 0), floats(3), 1, 7)
				}
			}},
		{"other tag", 2, []string{"ranks wait for ranks that have returned", "recv of 3 float64 from rank 1 with tag 7 in spmd.Recv@", "returned"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 0 {
					spmd.Recv(s.at(c, 0), floats(3), 1, 7)
				} else {
					spmd.Send(c, floats(3), 0, 8)
				}
			}},
		{"send without recv", 2, []string{"ranks wait for ranks that have returned", "returned", "send of 3000 float64 to rank 0 with tag 7 in spmd.Send@"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 1 {
					spmd.Send(s.at(c, 1), floats(3000), 0, 7)
				}
			}},
		{"mutual recv", 2, []string{"ranks wait for each other", "recv of 1 float64 from rank 1 with tag 0 in spmd.Recv@", "recv of 1 float64 from rank 0 with tag 0 in spmd.Recv@"},
			func(s *sites, c *spmd.Comm) {
				spmd.Recv(s.at(c, c.Rank()), floats(1), 1-c.Rank(), 0)
			}},
		{"recv from itself", 1, []string{"ranks wait for each other", "recv of 1 float64 from rank 0 with tag 0 in spmd.Recv@"},
			func(s *sites, c *spmd.Comm) {
				spmd.Recv(s.at(c, 0), floats(1), 0, 0)
			}},
		{"recv and barrier", 2, []string{"ranks wait for each other", "irecv of 1 float64 from rank 1 with tag 0 in spmd.Request.Wait@", "barrier in spmd.Comm.Barrier@"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 0 {
					spmd.Irecv(s.at(c, 0), floats(1), 1, 0).Wait()
				} else {
					s.at(c, 1).Barrier()
				}
			}},
		{"length of a message", 2, []string{"a message with tag 3 does not fit: rank 0 sends 4000 float64, rank 1 receives 3 float64",
			"send of 4000 float64 to rank 1 with tag 3 in spmd.Send@", "recv of 3 float64 from rank 0 with tag 3 in spmd.Recv@"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 0 {
					spmd.Send(s.at(c, 0), floats(4000), 1, 3)
				} else {
					spmd.Recv(s.at(c, 1), floats(3), 0, 3)
				}
			}},
		{"type of a message", 2, []string{"a message with tag 3 does not fit: rank 0 sends 2 int64, rank 1 receives 2 uint64",
			"barrier in spmd.Comm.Barrier@", "recv of 2 uint64 from rank 0 with tag 3 in spmd.Recv@"},
			func(s *sites, c *spmd.Comm) {
				if c.Rank() == 0 {
					spmd.Send(c, make([]int64, 2), 1, 3)
					c.Barrier()
					s.at(c, 0).Barrier()
				} else {
					c.Barrier()
					spmd.Recv(s.at(c, 1), make([]uint64, 2), 0, 3)
				}
			}},
		{"sendrecv with different lengths", 2, []string{"a message with tag 0 does not fit", "sendrecv of ", "sendrecv of "},
			func(s *sites, c *spmd.Comm) {
				spmd.Sendrecv(s.at(c, c.Rank()), floats(1000), 1-c.Rank(), floats(1000+c.Rank()), 1-c.Rank(), 0)
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &sites{lines: map[int]int{}}
			err := run(t, test.ranks, func(c *spmd.Comm) error {
				test.call(s, c)
				return nil
			})
			if err == nil {
				t.Fatal("no error")
			}
			got := strings.Split(err.Error(), "\n  ")
			if len(got) != len(test.want) {
				t.Fatalf("want %d lines, got:\n%v", len(test.want), err)
			}
			for i, want := range test.want {
				if i == 0 {
					want = "spmd: " + want
				} else {
					want = fmt.Sprintf("rank %d: %s", i-1, want)
				}
				want = strings.ReplaceAll(want, "@", fmt.Sprintf(" at spmd/mismatch_test.go:%d", s.lines[i-1]))
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("line %d is\n%s\nwant\n%s", i, got[i], want)
				}
			}
		})
	}
}
