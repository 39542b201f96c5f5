// Package reduce holds the reduction operations on typed memory, for the
// transports that do not leave them to MPI.
package reduce

import "caloric/spmd/internal/wire"

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type float interface{ float32 | float64 }

type complexNumber interface{ complex64 | complex128 }

// By is the operation as a function: Combine is [Into].
type By wire.Op

// Combine implements wire.Func.
func (op By) Combine(acc, next wire.Buffer) { Into(wire.Op(op), acc, next) }

// Into sets dst[i] to dst[i] op src[i] for every i. The buffers have one type,
// for which op is defined, and one length. Integers wrap; Min and Max return NaN
// if either operand is NaN.
func Into(op wire.Op, dst, src wire.Buffer) {
	switch dst.Type {
	case wire.Bool:
		bools(op, wire.View[bool](dst), wire.View[bool](src))
	case wire.Int8:
		integers[int8](op, dst, src)
	case wire.Int16:
		integers[int16](op, dst, src)
	case wire.Int32:
		integers[int32](op, dst, src)
	case wire.Int64:
		integers[int64](op, dst, src)
	case wire.Uint8:
		integers[uint8](op, dst, src)
	case wire.Uint16:
		integers[uint16](op, dst, src)
	case wire.Uint32:
		integers[uint32](op, dst, src)
	case wire.Uint64:
		integers[uint64](op, dst, src)
	case wire.Float32:
		floats[float32](op, dst, src)
	case wire.Float64:
		floats[float64](op, dst, src)
	case wire.Complex64:
		complexes[complex64](op, dst, src)
	case wire.Complex128:
		complexes[complex128](op, dst, src)
	}
}

func bools(op wire.Op, d, s []bool) {
	s = s[:len(d)]
	switch op {
	case wire.And:
		for i := range d {
			d[i] = d[i] && s[i]
		}
	case wire.Or:
		for i := range d {
			d[i] = d[i] || s[i]
		}
	case wire.Xor:
		for i := range d {
			d[i] = d[i] != s[i]
		}
	}
}

func integers[T integer](op wire.Op, dst, src wire.Buffer) {
	d := wire.View[T](dst)
	s := wire.View[T](src)[:len(d)]
	switch op {
	case wire.And:
		for i := range d {
			d[i] &= s[i]
		}
	case wire.Or:
		for i := range d {
			d[i] |= s[i]
		}
	case wire.Xor:
		for i := range d {
			d[i] ^= s[i]
		}
	default:
		ordered(op, d, s)
	}
}

func floats[T float](op wire.Op, dst, src wire.Buffer) {
	d := wire.View[T](dst)
	ordered(op, d, wire.View[T](src)[:len(d)])
}

func ordered[T integer | float](op wire.Op, d, s []T) {
	switch op {
	case wire.Sum:
		for i := range d {
			d[i] += s[i]
		}
	case wire.Prod:
		for i := range d {
			d[i] *= s[i]
		}
	case wire.Min: // the built-in functions return NaN for NaN
		for i := range d {
			d[i] = min(d[i], s[i])
		}
	case wire.Max:
		for i := range d {
			d[i] = max(d[i], s[i])
		}
	}
}

func complexes[T complexNumber](op wire.Op, dst, src wire.Buffer) {
	d := wire.View[T](dst)
	s := wire.View[T](src)[:len(d)]
	switch op {
	case wire.Sum:
		for i := range d {
			d[i] += s[i]
		}
	case wire.Prod:
		for i := range d {
			d[i] *= s[i]
		}
	}
}
