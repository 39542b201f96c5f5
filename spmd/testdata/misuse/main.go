// Command misuse makes the mistake that its argument names, on rank 1 of 3.
package main

import (
	"errors"
	"os"
	"runtime"
	"time"

	"caloric/spmd"
)

var errNoFile = errors.New("open nowhere.csv: no such file")

func main() { spmd.Main(mistake) }

func mistake(c *spmd.Comm) error {
	wrong := c.Rank() == 1
	switch os.Args[1] {
	case "none":
		spmd.AllreduceOne(c, int64(1), spmd.Sum)
	case "panic":
		if wrong {
			panic("boom")
		}
		c.Barrier()
	case "goexit":
		if wrong {
			runtime.Goexit()
		}
		c.Barrier()
	case "freed":
		part := c.Dup()
		part.Free()
		if wrong {
			part.Barrier()
		}
	case "error":
		if wrong {
			return errNoFile
		}
		c.Barrier()
	case "error while others are busy":
		if wrong {
			return errNoFile
		}
		time.Sleep(time.Hour)
	case "late error": // every rank gets to its end
		if wrong {
			return errNoFile
		}
	case "agreed error":
		return spmd.Agree(c, errNoFile)
	case "return":
		if wrong {
			return nil
		}
		c.Barrier()
	case "return in part":
		part := c.Split(c.Rank()/2, 0)
		if wrong {
			return nil
		}
		if c.Rank() == 0 {
			part.Barrier()
		}
	case "return before send":
		if wrong {
			return nil
		}
		spmd.Recv(c, make([]float64, 3), 1, 7)
	case "long message", "short message":
		n := map[string]int{"long message": 4, "short message": 2}[os.Args[1]]
		if wrong {
			spmd.Send(c, make([]float64, n), 0, 7)
		} else if c.Rank() == 0 {
			spmd.Recv(c, make([]float64, 3), 1, 7)
		}
	case "other collective":
		if wrong {
			spmd.AllreduceOne(c, 1.0, spmd.Sum)
		} else {
			c.Barrier()
		}
	case "other type":
		if wrong {
			spmd.AllreduceOne(c, float32(1), spmd.Sum)
		} else {
			spmd.AllreduceOne(c, 1.0, spmd.Sum)
		}
	case "other count":
		spmd.Allreduce(c, make([]float64, 1+c.Rank()), spmd.Sum)
	case "other count later":
		spmd.Iallreduce(c, make([]float64, 1+1000*c.Rank()), spmd.Sum).Wait()
	case "other block":
		counts := []int{1, 1, 1}
		recv := []int{1, 1, 1}
		if wrong {
			recv[2] = 2
		}
		spmd.Alltoallv(c, make([]int8, 3), counts, make([]int8, 2+recv[2]), recv)
	case "abort":
		if wrong {
			c.Abort(errNoFile)
		}
		c.Barrier()
	}
	return nil
}
