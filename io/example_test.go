package io_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"caloric/io"
	"caloric/nd"
	"caloric/spmd"
)

func Example() {
	dir, err := os.MkdirTemp("", "caloric")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	err = spmd.Run(3, func(c *spmd.Comm) error {
		path := filepath.Join(dir, "a.npy")
		a := nd.Arange(c, 0.0, 12, 1, 0) // split over the ranks
		if err := io.Save(path, a); err != nil {
			return err
		}
		b, err := io.Load[float64](c, path, 0) // each rank reads its part
		if err != nil {
			return err
		}
		return nd.Fprint(os.Stdout, nd.Sum(b))
	})
	fmt.Println(err)
	// Output:
	// 66.0
	// <nil>
}
