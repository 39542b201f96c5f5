//go:build !amd64

package vmath

func best() instructionSet { return pureGo }

var inDouble [numUnary + numBinary]bool

func vector64(int, bool, *float64, *float64, *float64, int) int { panic("vmath: no vectors") }
func vector32(int, bool, *float32, *float32, *float32, int) int { panic("vmath: no vectors") }
