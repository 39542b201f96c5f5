package spmd_test

import (
	"testing"

	"caloric/internal/spmdtest"
)

func TestConformance(t *testing.T) { spmdtest.Conformance(t) }
