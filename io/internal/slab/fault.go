package slab

// Fault is for tests of what happens when the world fails on one rank: unless
// nil, it is asked before each operation ("open", "read", "create", "write",
// "close", "rename") of each rank, and its error is that operation's.
var Fault func(rank int, op string) error

func fault(rank int, op string) error {
	if Fault == nil {
		return nil
	}
	return Fault(rank, op)
}
