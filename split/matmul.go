package split

import "fmt"

// MatMul returns the layout of the product of arrays with layouts a and b: a
// matrix (m, k) times a matrix (k, n), with a vector as (1, k) on the left or
// (k, 1) on the right, whose axis the result then lacks.
//
//	a \ b      None   split 0 (k)   split 1 (n)
//	None       None   0             1
//	0 (m)      0      0             0
//	1 (k)      0      0             1
//
// Where the inner axis k is split in both operands, or in one with the other
// replicated, ranks compute partial products that are summed and left split
// along the rows. A result that has lost its row axis is replicated there, and
// so is the product of two vectors.
func MatMul(a, b *Layout) (*Layout, error) {
	if len(a.shape) == 0 || len(b.shape) == 0 || len(a.shape) > 2 || len(b.shape) > 2 {
		return nil, fmt.Errorf("no matrix product of shapes %v and %v", a.shape, b.shape)
	}
	if a.ranks != b.ranks {
		return nil, fmt.Errorf("operands over %d and %d ranks", a.ranks, b.ranks)
	}
	inner := len(a.shape) - 1
	if a.shape[inner] != b.shape[0] {
		return nil, fmt.Errorf("no matrix product of shapes %v and %v: %d columns against %d rows",
			a.shape, b.shape, a.shape[inner], b.shape[0])
	}
	rows, cols := len(a.shape) == 2, len(b.shape) == 2
	shape := Shape{}
	if rows {
		shape = append(shape, a.shape[0])
	}
	if cols {
		shape = append(shape, b.shape[1])
	}
	if err := shape.check(); err != nil {
		return nil, fmt.Errorf("the matrix product of shapes %v and %v: %w", a.shape, b.shape, err)
	}
	switch {
	case rows && a.axis == 0:
		return a.reshaped(shape, 0), nil
	case cols && b.axis == 1:
		return b.reshaped(shape, Axis(len(shape)-1)), nil
	case rows && (a.axis == 1 || b.axis == 0):
		return Block(shape, 0, a.ranks), nil
	}
	return replicated(shape, a.ranks), nil
}
