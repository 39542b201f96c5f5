package nd

// Memory returns where this rank's elements lie: local element (i, j, …) is
// data[offset + i*strides[0] + j*strides[1] + …]. Writing to data changes the
// array; strides must not be changed. It is for code that hands arrays to other
// libraries; see [NDArray.Local]. Local.
func (a *NDArray[T]) Memory() (data []T, offset int, strides []int) {
	a.lend()
	return a.data, a.offset, a.strides
}
