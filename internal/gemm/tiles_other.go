//go:build !amd64

package gemm

// Other processors have no tiles.
var (
	tiles64 tile[float64]
	tiles32 tile[float32]
)
