//go:build !amd64

package gemm

type instructionSet struct {
	name string
	use  func()
}

func instructions() []instructionSet { return nil }
