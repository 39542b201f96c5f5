// Package embedded is the transport whose ranks are goroutines of one process.
//
// The members of a communicator meet at a barrier, where each shows the others
// its call; the last to come checks that the calls fit together. Each then
// copies what it needs straight from the others' memory. Ranks that wait spin
// for a moment, then yield, then sleep; when every rank that still runs sleeps
// for something that no one is left to do, the job ends with an error that says
// where each of them is.
package embedded
