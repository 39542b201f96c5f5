// Package asmgen is the room of the programs that write assembly, one for each
// package that has some, named after it: gemm, kernel, keysort, nontemporal, random,
// strips, turn, vmath.
// They use github.com/mmcloughlin/avo, which allocates registers and checks the
// operands of instructions. It is a module of its own, so that the library does not
// require avo. A program is run by go generate in the package that it writes for.
package asmgen
