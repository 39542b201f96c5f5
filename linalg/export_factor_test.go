package linalg

// SetTriangularBlock makes factorizations deal out columns in blocks of the given
// width. It returns a function that undoes that.
func SetTriangularBlock(width int) func() {
	narrow, wide := narrowBlock, wideBlock
	narrowBlock, wideBlock = width, width
	return func() { narrowBlock, wideBlock = narrow, wide }
}
