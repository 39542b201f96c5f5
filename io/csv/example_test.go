package csv_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"caloric/io/csv"
	"caloric/nd"
	"caloric/spmd"
)

func Example() {
	dir, err := os.MkdirTemp("", "caloric")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "people.csv")
	if err := os.WriteFile(path, []byte("height,weight\n1.6,60\n1.8,80\n1.7,75\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	err = spmd.Run(2, func(c *spmd.Comm) error {
		a, names, err := csv.LoadTable[float64](c, path, 0)
		if err != nil {
			return err
		}
		if c.Rank() == 0 {
			fmt.Println(names, a.Layout())
		}
		if err := nd.Fprint(os.Stdout, nd.Mean[float64](a, nd.Over(0))); err != nil {
			return err
		}
		return csv.Save(path, nd.MulScalar(a, 2), csv.Names(names...), csv.Comma('\t'))
	})
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(path)
	fmt.Printf("%s%v", text, err)
	// Output:
	// [height weight] (3, 2) split 0
	// [ 1.7        71.66666667]
	// height	weight
	// 3.2	120
	// 3.6	160
	// 3.4	150
	// <nil>
}
