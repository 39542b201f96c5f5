package caller_test

import (
	"errors"
	"runtime"
	"testing"

	"caloric/internal/misuse"
	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// TestFindThroughTheLibrary makes mistakes and looks at which call they are
// blamed on.
func TestFindThroughTheLibrary(t *testing.T) {
	err := spmd.Run(1, func(c *spmd.Comm) error {
		a := nd.Zeros[float32](c, nd.Shape{3, 2}, 0)
		transpose := a.Transpose
		var line int // of the mistake
		tests := []struct {
			name, want string
			mistake    func()
		}{
			{"function", "nd.Zeros", func() {
				line = nextLine()
				nd.Zeros[float64](c, nd.Shape{3}, 5)
			}},
			{"outermost of nested library calls", "nd.Ones", func() {
				line = nextLine()
				nd.Ones[int32](c, nd.Shape{3}, 5)
			}},
			{"method", "nd.NDArray.Transpose", func() {
				line = nextLine()
				a.Transpose(1, 1)
			}},
			{"method value", "nd.NDArray.Transpose", func() {
				line = nextLine()
				transpose(1, 1)
			}},
			{"user's callback inside the library", "nd.Full", func() {
				nd.FromFunc(c, nd.Shape{1}, split.None, func([]int) float64 {
					line = nextLine()
					nd.Full(c, nd.Shape{-1}, 1.5, 0)
					return 0
				})
			}},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				var e *misuse.Error
				if err := nd.Try(tt.mistake); !errors.As(err, &e) {
					t.Fatalf("error %v", err)
				}
				if e.Func != tt.want || e.File != "caller/find_test.go" || e.Line != line {
					t.Errorf("%v, want %s at line %d", e, tt.want, line)
				}
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// nextLine returns the line after the caller's.
func nextLine() int {
	_, _, line, _ := runtime.Caller(1)
	return line + 1
}
