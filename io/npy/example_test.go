package npy_test

import (
	"fmt"
	"log"
	"os"

	"caloric/io/npy"
	"caloric/nd"
	"caloric/spmd"
)

func ExampleLoad() {
	err := spmd.Run(3, func(c *spmd.Comm) error {
		a, err := npy.Load[float64](c, "testdata/float64_fortran.npy", 1)
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			fmt.Println(a.Layout())
		}
		return nd.Fprint(os.Stdout, nd.Sum(a))
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// (4, 3, 2) split 1
	// 10.5
}

func ExampleInfo() {
	h, err := npy.Info("testdata/int16_big.npy")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Shape, h.DType, h.Type)
	// Output: (4, 3, 2) >i2 int16
}

func ExampleSave() {
	file, err := os.CreateTemp("", "*.npy")
	if err != nil {
		log.Fatal(err)
	}
	file.Close()
	defer os.Remove(file.Name())
	err = spmd.Run(2, func(c *spmd.Comm) error {
		return npy.Save(file.Name(), nd.Arange[int32](c, 0, 6, 1, 0))
	})
	if err != nil {
		log.Fatal(err)
	}
	h, err := npy.Info(file.Name())
	fmt.Println(h.Shape, h.Type, err)
	// Output: (6,) int32 <nil>
}
