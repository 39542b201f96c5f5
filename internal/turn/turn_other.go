//go:build !amd64

package turn

import "unsafe"

const enabled = false

func strip(unsafe.Pointer, int, unsafe.Pointer, int, int, int) {}
