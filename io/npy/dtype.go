package npy

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"caloric/nd"
)

// kinds maps NumPy's type letters and sizes to element types.
var kinds = map[string]string{
	"b1": "bool", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64",
	"u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
	"f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128",
}

// goType returns the element type of a NumPy dtype such as "<f8", and whether
// its bytes are in the other order than this machine's. The type is empty if no
// element type is like it.
func goType(dtype string) (name string, swapped bool) {
	order, kind := byte('='), dtype
	if dtype != "" && (dtype[0] == '<' || dtype[0] == '>' || dtype[0] == '|' || dtype[0] == '=') {
		order, kind = dtype[0], dtype[1:]
	}
	name = kinds[kind]
	return name, name != "" && order == otherOrder && kind[1:] != "1"
}

// dtypeOf returns the name of T and its NumPy dtype on this machine.
func dtypeOf[T nd.Element]() (name, dtype string) {
	name = typeName[T]()
	for kind, n := range kinds {
		if n == name && kind[1:] == "1" {
			return name, "|" + kind
		} else if n == name {
			return name, string(nativeOrder) + kind
		}
	}
	panic("npy: no dtype for " + name)
}

var nativeOrder, otherOrder = byteOrders()

func byteOrders() (native, other byte) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return '<', '>'
	}
	return '>', '<'
}

// wordSize returns the bytes of the words whose order matters in T.
func wordSize[T nd.Element]() int {
	switch any(*new(T)).(type) {
	case complex64:
		return 4
	case complex128:
		return 8
	}
	return int(unsafe.Sizeof(*new(T)))
}

func itemSize[T nd.Element]() int64 { return int64(unsafe.Sizeof(*new(T))) }

func typeName[T nd.Element]() string { return fmt.Sprintf("%T", *new(T)) }
