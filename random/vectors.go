package random

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../internal/asmgen ./random -out ../../random/z_amd64.s -stubs ../../random/z_amd64.go -pkg random

// vectors says whether words and numbers are computed eight at a time. The bits are
// the same either way. Tests turn it off.
var vectors = hasVectors && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL && cpu.X86.HasPOPCNT

// lanes is the number of counters, and of words, that are worked on at a time.
const lanes = 8

// wordsVectors sets out to the words from number first on, if there are enough to
// be worth it, and reports whether it did.
func (s *stream) wordsVectors(out []uint64, first uint64) bool {
	if !vectors || len(out) < 4*lanes/2 {
		return false
	}
	skip := int(first % 4)
	groups := (skip + len(out) + 4*lanes - 1) / (4 * lanes)
	if 4*lanes*groups == len(out) {
		philoxVectors(&out[0], groups, first/4, s.draw, s.part, s.use, s.key, s.id)
		return true
	}
	var whole [batch + 4*lanes]uint64
	philoxVectors(&whole[0], groups, first/4, s.draw, s.part, s.use, s.key, s.id)
	copy(out, whole[skip:])
	return true
}

// convertVectors does convert's work for the first words, as many as fill vectors,
// and returns how many.
func (u *uniform[T]) convertVectors(dst []T, words []uint64) int {
	n := len(words) / lanes
	if !vectors || n == 0 {
		return 0
	}
	_ = dst[lanes*n-1]
	p := unsafe.Pointer(&dst[0])
	if unsafe.Sizeof(dst[0]) == 8 {
		uniformVectors64((*float64)(p), &words[0], n, float64(u.lo), float64(u.width), float64(u.last))
	} else {
		uniformVectors32((*float32)(p), &words[0], n, float32(u.lo), float32(u.width), float32(u.last))
	}
	return lanes * n
}

// center is the coefficients of the central region as centralVectors takes them.
var center = [2][8]float64{centerNum, centerDen}

// convertVectors sets dst to the numbers that the first words stand for, as many
// as fill vectors, and returns how many.
func (k normal[T]) convertVectors(dst []T, words []uint64) int {
	n := len(words) / lanes
	if !vectors || n == 0 {
		return 0
	}
	_ = dst[lanes*n-1]
	var x [batch]float64
	var tails [batch]uint64
	for _, i := range tails[:centralVectors(&x[0], &words[0], n, &center[0][0], &tails[0])] {
		x[i%batch] = tail(words[i])
	}
	p := unsafe.Pointer(&dst[0])
	if unsafe.Sizeof(dst[0]) == 8 {
		scaleVectors64((*float64)(p), &x[0], n, k.mean, k.std)
	} else {
		scaleVectors32((*float32)(p), &x[0], n, k.mean, k.std)
	}
	return lanes * n
}
