package linalg

// SetTriangularBlock makes factorizations deal out columns in blocks of the given
// width. It returns a function that undoes that.
func SetTriangularBlock(width int) func() {
	narrow, wide := narrowBlock, wideBlock
	narrowBlock, wideBlock = width, width
	return func() { narrowBlock, wideBlock = narrow, wide }
}

// SetForeignLimit sets the largest extent that a BLAS behind cgo is given. It
// returns a function that undoes that.
func SetForeignLimit(n int) func() {
	limit := foreignLimit
	foreignLimit = n
	return func() { foreignLimit = limit }
}

// SetTallBlock makes blocks of rows of tall matrices as small as they can be. It
// returns a function that undoes that.
func SetTallBlock() func() {
	size := tallBlock
	tallBlock = 1
	return func() { tallBlock = size }
}
