package linalg

import "sync/atomic"

// setThreads sets how many threads a BLAS behind cgo uses in this process; nil
// if there is none.
var setThreads func(n int)

var threads atomic.Int64

// useWorkers gives a BLAS behind cgo as many threads as the rank has workers,
// which is known only once there are ranks.
func useWorkers(n int) {
	if setThreads != nil && threads.Swap(int64(n)) != int64(n) {
		setThreads(n)
	}
}
