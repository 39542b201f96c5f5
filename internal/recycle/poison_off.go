//go:build !race

package recycle

const poison = false
