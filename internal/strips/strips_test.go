package strips

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func random[T Number](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		switch p := any(&x[i]).(type) {
		case *float32:
			*p = float32(r.Float64() - 0.5)
		case *float64:
			*p = r.Float64() - 0.5
		case *complex64:
			*p = complex(float32(r.Float64()-0.5), float32(r.Float64()-0.5))
		case *complex128:
			*p = complex(r.Float64()-0.5, r.Float64()-0.5)
		}
	}
	return x
}

// withLoops runs f with the loops in Go.
func withLoops[T Number](f func()) {
	k := kernelsOf[T]()
	was := *k
	*k = kernels[T]{}
	f()
	*k = was
}

func close[T Number](x, y []T) bool {
	limit := 1e-12
	if _, ok := any(x).([]float32); ok {
		limit = 1e-4
	}
	for i, v := range x {
		var d float64
		switch z := any(v - y[i]).(type) {
		case float32:
			d = math.Abs(float64(z))
		case float64:
			d = math.Abs(z)
		}
		if !(d <= limit) {
			return false
		}
	}
	return true
}

// results are what every function makes of some matrices with gaps between their rows.
func results[T Number](seed uint64, rows, cols int) (all [][]T) {
	r := rand.New(rand.NewPCG(seed, 1))
	ldv, ldc, ldz := Width+int(seed%3), cols+int(seed%5), cols+int(seed%2)
	v, c, y := random[T](r, (rows+1)*ldv), random[T](r, (rows+1)*ldc), random[T](r, Width*ldz+3)
	Dots(rows, cols, v, ldv, c, ldc, y, ldz)
	all = append(all, slices.Clone(y))
	Sub(rows, cols, v, ldv, c, ldc, y, ldz)
	all = append(all, c)
	x := random[T](r, Together*rows*Width)
	by := [Width]T(random[T](r, Width))
	for j := range Width {
		g := Eliminate(x, &by, j)
		all = append(all, slices.Clone(x), g[:])
	}
	Scale(x, &by)
	return append(all, x)
}

var instructions = map[string]func(){}

// TestInstructions: every set of instructions rounds alike, and computes what loops do.
func TestInstructions(t *testing.T) {
	t.Run("float32", testInstructions[float32])
	t.Run("float64", testInstructions[float64])
}

func testInstructions[T Number](t *testing.T) {
	was := *kernelsOf[T]()
	defer func() { *kernelsOf[T]() = was }()
	seed := uint64(0)
	for _, rows := range []int{0, 1, 2, 7, 30} {
		for n := range 11 {
			seed++
			cols := n * Lanes[T]()
			if n == 10 {
				cols = 3 // by loops
			}
			var want [][]T
			withLoops[T](func() { want = results[T](seed, rows, cols) })
			var first [][]T
			for name, use := range instructions {
				use()
				got := results[T](seed, rows, cols)
				for i := range got {
					if !close(got[i], want[i]) {
						t.Fatalf("%s %d×%d: result %d is %v, not %v", name, rows, cols, i, got[i], want[i])
					}
					if first != nil && !slices.Equal(got[i], first[i]) {
						t.Fatalf("%s %d×%d: result %d depends on the instructions", name, rows, cols, i)
					}
				}
				first = got
			}
		}
	}
}

// TestDefinitions takes small whole numbers, of which every sum is exact.
func TestDefinitions(t *testing.T) {
	t.Run("float32", testDefinitions[float32])
	t.Run("float64", testDefinitions[float64])
	t.Run("complex64", testDefinitions[complex64])
	t.Run("complex128", testDefinitions[complex128])
}

func testDefinitions[T Number](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	whole := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			for range r.IntN(4) {
				x[i]++
			}
		}
		return x
	}
	rows, cols := 13, 3*Lanes[T]()
	v, c, y := whole(rows*Width), whole(rows*cols), whole(Width*cols)
	wantY, wantC := slices.Clone(y), slices.Clone(c)
	for i := range rows {
		for k := range Width {
			for j := range cols {
				wantY[k*cols+j] += v[i*Width+k] * c[i*cols+j]
			}
		}
	}
	Dots(rows, cols, v, Width, c, cols, y, cols)
	for i := range rows {
		for k := range Width {
			for j := range cols {
				wantC[i*cols+j] -= v[i*Width+k] * y[k*cols+j]
			}
		}
	}
	Sub(rows, cols, v, Width, c, cols, y, cols)
	if !slices.Equal(y, wantY) || !slices.Equal(c, wantC) {
		t.Error("products differ from their definition")
	}
	for j := range Width {
		x, by := whole(2*Together*Width), [Width]T(whole(Width))
		want, products := slices.Clone(x), [Width]T{}
		for i := 0; i < len(x); i += Width {
			for k := range Width {
				if j > 0 {
					want[i+k] -= by[k] * x[i+j-1]
				}
			}
			for k := range Width {
				products[k] += conj(want[i+j]) * want[i+k]
			}
		}
		if got := Eliminate(x, &by, j); got != products || !slices.Equal(x, want) {
			t.Errorf("column %d: products %v, not %v", j, got, products)
		}
		for i := range want {
			want[i] *= by[i%Width]
		}
		if Scale(x, &by); !slices.Equal(x, want) {
			t.Errorf("columns are multiplied to %v", x)
		}
	}
}

func TestShort(t *testing.T) {
	for i, f := range []func(){
		func() { Dots(2, 8, make([]float64, 8), 4, make([]float64, 16), 8, make([]float64, 31), 8) },
		func() { Sub(2, 8, make([]float64, 7), 4, make([]float64, 16), 8, make([]float64, 32), 8) },
		func() { Sub(2, 8, make([]float64, 8), 4, make([]float64, 15), 8, make([]float64, 32), 8) },
		func() { Eliminate(make([]float32, 12), new([Width]float32), 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("call %d reads beyond its memory", i)
				}
			}()
			f()
		}()
	}
}
