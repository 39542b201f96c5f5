//go:build race

package recycle

// poison fills what Make returns, so that tests with the race detector find
// results that are not written whole.
const poison = true
