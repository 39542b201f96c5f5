//go:build !amd64

package keysort

const hasVectors = false

func sortSmall64(dst, src *uint64, n int)                                  { panic("no vectors") }
func sortSmall32(dst, src *uint32, n int)                                  { panic("no vectors") }
func partition64(src, x, y *uint64, n int, pivot uint64, other uint32) int { panic("no vectors") }
func partition32(src, x, y *uint32, n int, pivot uint32, other uint32) int { panic("no vectors") }
func encodeFloats64(dst *uint64, src *float64, n int, zero, flip uint64)   { panic("no vectors") }
func encodeFloats32(dst *uint32, src *float32, n int, zero, flip uint32)   { panic("no vectors") }
func decodeFloats64(dst *float64, src *uint64, n int, flip uint64)         { panic("no vectors") }
func decodeFloats32(dst *float32, src *uint32, n int, flip uint32)         { panic("no vectors") }
func between64(dst, src *uint64, n int, lo, hi uint64) (less, within int)  { panic("no vectors") }
func between32(dst, src *uint32, n int, lo, hi uint32) (less, within int)  { panic("no vectors") }
