// Package linalg does linear algebra on arrays that are spread over ranks:
// products, norms, factorizations, operators and solvers.
//
//	p := linalg.MatMul(a, b)                                      // any splits
//	s := linalg.VDot(x, y)                                        // one allreduce
//	x, res, err := linalg.CG(linalg.AsOperator(a), b, linalg.Rtol(1e-10))
//
// # Products
//
// The splits of the operands, a (m, k) and b (k, n), choose how the result is split,
// by [split.MatMul], and what small products communicate. Vectors count as (1, k)
// on the left and (k, 1) on the right.
//
//	a      b      communication                       result
//	None   None   none                                None
//	None   1      none                                1
//	0      None   none                                0
//	0      0      b is gathered                       0, a's counts
//	0      1      b is gathered                       0, a's counts
//	1      1      a is gathered                       1, b's counts
//	1      0      partial products, reduce-scatter    0, balanced
//	1      None   partial products, reduce-scatter    0, balanced
//	None   0      partial products, reduce-scatter    0, balanced
//
// A larger product takes the [Algorithm] of least time by a [Model] of
// latency, bandwidth and flops, after moves of the operands where that pays: the
// parts of an operand or the sums travel round a ring of ranks behind the local
// products, or blocks are multiplied on a grid (SUMMA). No rank then holds a whole
// operand or result. [PlanMatMul] says what will be done, and the alternatives.
//
// An operand that is split along its columns is gathered as its transpose, so
// that nothing has to be put in order; a matrix a.T() of a matrix split along its
// rows is sent as it lies in memory. Partial products take columns of a and rows
// of b where they are; if both are split along the inner axis but in different
// counts, the smaller operand moves first. Their sum is one allreduce if the
// result is a vector without rows to split, or if [MatMulInto] is given a replicated
// destination: for the small matrix XᵀX of a tall X that is what one wants.
// Everything happens on the operands' communicator, on one rank without any
// communication. Operands and result may have any counts, also none.
//
// More than two axes: [MatMul] multiplies stacks of matrices, [TensorDot] and
// [TensorDotOver] sum over any axes, and [Einsum] does what its subscripts say, with
// any number of operands. They share one rule: an operand that is split stays if
// the other is replicated, or split alike along an axis that both have; else the
// smaller one moves, or is gathered. Sums over a split axis end in a reduce-scatter.
// [Inner], [Outer], [Kron], [VecDot], [Cross], [MultiDot] and [MatrixPower] are NumPy's.
//
// # Local products
//
// What a rank multiplies is done by BLAS for floating-point numbers. By default
// that is gonum's, in Go, with products of real numbers by vector instructions
// (AVX2 with FMA, or AVX-512) on amd64 processors that have them. The build tag cblas
// registers OpenBLAS through cgo, with as many threads as the rank has workers; any
// other goes by blas64.Use and its siblings for the other types. Transposes and slices
// are read where they lie if BLAS can, which is if one of the strides is 1. Integers,
// which wrap around, are multiplied by loops of this package, and so are complex
// matrices where only gonum's unblocked products are at hand.
//
// Zero times NaN or Inf is NaN, as in NumPy. float32 and complex64 matrices are
// multiplied in their own precision.
//
// # Sums
//
// [Dot], [VDot] and [Norm] return numbers that are the same on every rank. They
// add up pairwise and in double precision, also float32 and complex64, and their
// result does not depend on how many workers a rank has. On the number of ranks
// it depends by rounding. [MatrixNorm] and [MatrixNormOver] are norms of matrices
// as operators.
//
// # Factorizations
//
// [LU] and [FactorCholesky] return factors that solve for any number of right-hand
// sides; [Solve], [Inv], [Det], [SlogDet] use them once. [QR], [QRPivot], [SVD],
// [EigH], [Eig] and [Polar] return arrays; [LstSq], [PInv], [MatrixRank] and [Cond]
// build on them. [RandomizedSVD] and [HierarchicalSVD] find a few singular values of a
// large matrix, an [IncrementalSVD] those of one whose columns arrive in blocks.
// [InvEach], [SolveEach] and others whose names end so do what their first words say for each
// matrix of a stack, as NumPy's functions do. Forms ending in Into write into arrays
// that there are; LUFactors and CholeskyFactors keep the memory that they solve in.
//
// A split matrix is dealt out to the ranks in blocks of columns, in turn, so that
// each has work to the end; what comes back has the split that each function says.
// No rank holds the whole matrix. Tall matrices split along their rows stay where
// they are: of them only triangles of n columns travel (TSQR); a rank factors its
// rows in blocks that stay in cache. Every rank factors a replicated matrix for
// itself, without communication.
//
// What the numbers do is an error value, the same on every rank: [SingularError],
// [NotPositiveDefiniteError], [ErrNotFinite], in a stack a [MatrixError] of them.
//
// # Iterative solvers
//
//	A                             solver                          allreduces a step
//	Hermitian, positive definite  [CG], [PipelinedCG]             2, 1 behind the product
//	Hermitian                     [MINRES]                        1
//	square                        [BiCGSTAB], [GMRES]             2, 1
//	any, least squares            [CGLS], [LSQR]                  2
//
// Some steps need one more; each function says which. [Lanczos] and
// [PowerIteration] find eigenvalues, [Jacobi] and [BlockJacobi] make preconditioners.
//
// A solver takes an [Operator], which a matrix is by [AsOperator], and options.
// It allocates when it sets up and not in its loop, branches on numbers that are
// the same on every rank, and reports what it did in a [Result]. That it did not
// converge is an error value; operands that do not fit are a panic with an
// [nd.Error], as elsewhere.
package linalg
