//go:build !linux

package recycle

import "unsafe"

const hugeBytes = 1 << 62

func adviseHuge([]byte) {}

func adviseAround(unsafe.Pointer) {}
