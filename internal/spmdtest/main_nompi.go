//go:build !mpi

package spmdtest

import (
	"testing"

	"caloric/spmd"
)

func run(m *testing.M) int { return m.Run() }

func onWorld(testing.TB, func(*spmd.Comm)) { panic("built without MPI") }
