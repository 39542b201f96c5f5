//go:build !amd64

package nontemporal

const enabled = false

func lines(_, _ *byte, _ int) {}

func linesAhead(_, _ *byte, _ int, _, _ *byte) {}

func fence() {}
