package learn

import (
	"errors"
	"fmt"
	"math"

	"caloric/nd"
	"caloric/split"
	"caloric/spmd"
)

// byRows returns x split along its rows.
func byRows[T nd.Float](x *nd.NDArray[T]) *nd.NDArray[T] {
	if x.Split() == 0 {
		return x
	}
	return x.Resplit(0)
}

// withRowsOf returns y, an array of one axis, split as the rows of x are.
func withRowsOf[T nd.Float](x, y *nd.NDArray[T]) *nd.NDArray[T] {
	l := split.WithCounts(y.Shape(), 0, x.Layout().Counts())
	if y.Layout().Equal(l) {
		return y
	}
	moved := nd.Wrap(x.Comm(), l, make([]T, x.LocalShape()[0]))
	nd.CopyInto(moved, y)
	return moved
}

var errTooLarge = errors.New("the numbers are too large to square and to add up")

// CheckFinite returns a *NotFiniteError of the first number of a that is not finite, or
// nil if there is none. a has one axis or two and is called what.
//
// Collective. The error is the same on every rank. Communication: one allreduce of 8
// bytes.
func CheckFinite[T nd.Float](a *nd.NDArray[T], what string) error {
	first, inner := int64(math.MaxInt64), int64(1)
	if len(a.Shape()) == 2 {
		inner = int64(a.Shape()[1])
	}
	lo, columns := [2]int64{}, inner
	if s := a.Split(); s != nd.None {
		from, _ := a.Layout().Range(a.Comm().Rank())
		lo[s] = int64(from)
		if s == 1 {
			columns = int64(a.LocalShape()[1])
		}
	}
	for i, v := range a.Local() {
		if v-v != 0 { // NaN or Inf
			first = (lo[0]+int64(i)/columns)*inner + lo[1] + int64(i)%columns
			break
		}
	}
	first = spmd.AllreduceOne(a.Comm(), first, spmd.Min)
	if first == math.MaxInt64 {
		return nil
	}
	e := &NotFiniteError{What: what, Row: int(first / inner), Column: -1}
	if len(a.Shape()) == 2 {
		e.Column = int(first % inner)
	}
	return e
}

// NotFiniteError says where a number is that is not finite.
type NotFiniteError struct {
	What        string // the table
	Row, Column int    // from 0; of an array of one axis the column is -1
}

// Error returns "row 5, column 2 of the table is not a finite number", counted from 1.
func (e *NotFiniteError) Error() string {
	if e.Column < 0 {
		return fmt.Sprintf("row %d of %s is not a finite number", e.Row+1, e.What)
	}
	return fmt.Sprintf("row %d, column %d of %s is not a finite number", e.Row+1, e.Column+1, e.What)
}

// notFinite says why sums over x are not finite.
func notFinite[T nd.Float](x *nd.NDArray[T]) error {
	if err := CheckFinite(x, "the table"); err != nil {
		return err
	}
	return errTooLarge
}

// pick is a row that was found by its key.
type pick[T nd.Float] struct {
	key   float64 // -Inf if no row has one
	index int     // in the whole table
	label int
	row   []T
}

// candidate is what the ranks compare to find a pick.
type candidate struct {
	key          float64
	index, label int64
}

// pickLargest returns the row of x with the largest of keys, the first one of
// equals, and its label. NaN and -Inf are no keys. x is split along its rows; keys
// and labels are those of this rank's rows, and labels may be nil.
//
// Communication: one allreduce of 24 bytes and one broadcast of a row.
func pickLargest[T nd.Float](x *nd.NDArray[T], rows []T, keys []float64, labels []int64) pick[T] {
	c, d := x.Comm(), x.Shape()[1]
	lo, _ := x.Layout().Range(c.Rank())
	best := []candidate{{key: math.Inf(-1)}}
	for i, k := range keys {
		if k > best[0].key {
			best[0].key, best[0].index = k, int64(lo+i)
		}
	}
	if labels != nil && !math.IsInf(best[0].key, -1) {
		best[0].label = labels[int(best[0].index)-lo]
	}
	spmd.AllreduceFunc(c, best, func(acc, next []candidate) {
		for i, b := range next {
			if b.key > acc[i].key {
				acc[i] = b
			}
		}
	})
	p := pick[T]{best[0].key, int(best[0].index), int(best[0].label), make([]T, d)}
	if math.IsInf(p.key, -1) {
		return p
	}
	owner := x.Layout().Owner(int(best[0].index))
	if owner == c.Rank() {
		i := int(best[0].index) - lo
		copy(p.row, rows[i*d:(i+1)*d])
	}
	spmd.Bcast(c, p.row, owner)
	return p
}

// transpose sets columns to the first numbers of n rows, less origin, as columns: those
// of the first column come first. A row begins stride after the one before.
func transpose[S, T nd.Float](columns []S, rows []T, stride, n int, origin []S) {
	i := 0
	for ; i+4 <= n; i += 4 {
		// Four rows at a time fill what is written in a line.
		x0, x1 := rows[i*stride:][:len(origin)], rows[(i+1)*stride:][:len(origin)]
		x2, x3 := rows[(i+2)*stride:][:len(origin)], rows[(i+3)*stride:][:len(origin)]
		at := i
		for t, m := range origin {
			to := (*[4]S)(columns[at:])
			to[0], to[1], to[2], to[3] = S(x0[t])-m, S(x1[t])-m, S(x2[t])-m, S(x3[t])-m
			at += n
		}
	}
	for ; i < n; i++ {
		for t, v := range rows[i*stride:][:len(origin)] {
			columns[t*n+i] = S(v) - origin[t]
		}
	}
}
