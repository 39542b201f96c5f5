package main

import (
	"testing"

	"caloric/internal/spmdtest"
)

func TestMain(m *testing.M) { spmdtest.Main(m) }
