package main

import (
	"math"
	"path/filepath"

	"caloric/io/csv"
	"caloric/spmd"
)

// tableFileCases save and load a square table as text.
func tableFileCases(s sizes, dir string) []benchCase {
	n := int(math.Sqrt(float64(s.order)))
	name := func(op string) string { return vectorName[float64](op, s.order) }
	saved := func(c *spmd.Comm, file string) (path string, save func()) {
		path = filepath.Join(dir, file)
		a := uniform[float64](c, 1, 0, n, n)
		return path, func() {
			if err := csv.Save(path, a); err != nil {
				panic(err)
			}
		}
	}
	return []benchCase{
		{name: name("csv/save"), setup: func(c *spmd.Comm) func() {
			_, save := saved(c, "save.csv")
			return save
		}},
		{name: name("csv/load"), setup: func(c *spmd.Comm) func() {
			path, save := saved(c, "load.csv")
			save()
			return func() {
				a, err := csv.Load[float64](c, path, 0)
				must[float64](a, err)
			}
		}},
	}
}
