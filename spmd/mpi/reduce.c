//go:build mpi && cgo

// Collectives that reduce.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "transport.h"

// In the order of wire.Type.
static MPI_Datatype type_of(int type, int *elem) {
	const MPI_Datatype types[] = {MPI_C_BOOL, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T,
		MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T,
		MPI_FLOAT, MPI_DOUBLE, MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX};
	const char sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
	*elem = sizes[type];
	return types[type];
}

enum { BOOL = 0, INT8, INT16, UINT8 = 5, UINT16, FLOAT32 = 9, FLOAT64, COMPLEX64, COMPLEX128 };        // wire.Type
enum { SUM, PROD, MIN, MAX, AND, OR, XOR };                             // wire.Op
static MPI_Op sum8, sum16, min32, max32, min64, max64, prod64, prod128;

// MPI's own minimum of floats drops a NaN or keeps it as the ranks happen to
// lie. Here a NaN wins, and -0 is below 0, whichever comes first.
#define FLOAT_OP(name, T, better, sign)                                          \
	static void name(void *in, void *inout, int *n, MPI_Datatype *type) {         \
		const T *a = in;                                                          \
		T *b = inout;                                                             \
		(void)type;                                                               \
		for (int i = 0; i < *n; i++) {                                            \
			if (isnan(a[i]) || isnan(b[i])) b[i] = NAN;                           \
			else if (a[i] better b[i] || (a[i] == b[i] && sign signbit(a[i]))) b[i] = a[i]; \
		}                                                                         \
	}
FLOAT_OP(float_min, float, <, !!)
FLOAT_OP(float_max, float, >, !)
FLOAT_OP(double_min, double, <, !!)
FLOAT_OP(double_max, double, >, !)

// The product as Go has it, without the special cases of C for infinities. The
// two terms of the imaginary part are rounded apart: fused, they would make
// a*b and b*a, and so the ranks' results, differ in the last bit.
#define COMPLEX_PROD(name, T)                                                     \
	static void name(void *in, void *inout, int *n, MPI_Datatype *type) {         \
		const T *a = in;                                                          \
		T *b = inout;                                                             \
		(void)type;                                                               \
		for (int i = 0; i < 2 * *n; i += 2) {                                     \
			volatile T p = a[i] * b[i + 1], q = a[i + 1] * b[i];                  \
			b[i] = a[i] * b[i] - a[i + 1] * b[i + 1];                             \
			b[i + 1] = p + q;                                                     \
		}                                                                         \
	}
COMPLEX_PROD(float_complex_prod, float)
COMPLEX_PROD(double_complex_prod, double)

// Open MPI 4.1 adds vectors of 8- and 16-bit integers with saturation (in its
// AVX operations) and the rest of them without. Here they wrap, signed or not.
#define WRAPPING_SUM(name, T)                                                     \
	static void name(void *in, void *inout, int *n, MPI_Datatype *type) {         \
		const T *a = in;                                                          \
		T *b = inout;                                                             \
		(void)type;                                                               \
		for (int i = 0; i < *n; i++) b[i] = (T)(a[i] + b[i]);                     \
	}
WRAPPING_SUM(wrapping_sum8, uint8_t)
WRAPPING_SUM(wrapping_sum16, uint16_t)

int spmd_make_ops(void) {
	struct { MPI_User_function *f; MPI_Op *op; } made[] = {
		{wrapping_sum8, &sum8}, {wrapping_sum16, &sum16},
		{float_min, &min32}, {float_max, &max32}, {double_min, &min64}, {double_max, &max64},
		{float_complex_prod, &prod64}, {double_complex_prod, &prod128}};
	int err = MPI_SUCCESS;
	for (int i = 0; i < (int)(sizeof made / sizeof *made) && err == MPI_SUCCESS; i++) err = MPI_Op_create(made[i].f, 1, made[i].op);
	return err;
}

static MPI_Op op_of(int op, int type) {
	switch (op) {
	case SUM: return type == INT8 || type == UINT8 ? sum8 : type == INT16 || type == UINT16 ? sum16 : MPI_SUM;
	case PROD: return type == COMPLEX64 ? prod64 : type == COMPLEX128 ? prod128 : MPI_PROD;
	case MIN: return type == FLOAT32 ? min32 : type == FLOAT64 ? min64 : MPI_MIN;
	case MAX: return type == FLOAT32 ? max32 : type == FLOAT64 ? max64 : MPI_MAX;
	case AND: return type == BOOL ? MPI_LAND : MPI_BAND;
	case OR: return type == BOOL ? MPI_LOR : MPI_BOR;
	default: return type == BOOL ? MPI_LXOR : MPI_BXOR;
	}
}

// A reduction of n elements in parts of at most spmd_limit bytes: call uses the
// variables at, part, dt and o.
#define IN_PARTS(buf, n, type, op, call)                                          \
	int elem, err = MPI_SUCCESS;                                                  \
	MPI_Datatype dt = type_of(type, &elem);                                       \
	MPI_Op o = op_of(op, type);                                                   \
	intptr_t most = spmd_limit / elem;                                            \
	for (intptr_t i = 0; i < n && err == MPI_SUCCESS; i += most) {                \
		int part = n - i < most ? n - i : most;                                   \
		char *at = buf + i * elem;                                                \
		err = call;                                                               \
	}                                                                             \
	return err;

int spmd_allreduce(char *buf, intptr_t n, int type, int op, MPI_Comm comm) {
	IN_PARTS(buf, n, type, op, MPI_Allreduce(MPI_IN_PLACE, at, part, dt, o, comm))
}

static int reduce_to(const char *from, char *to, intptr_t n, int type, int op, int root, int rank, MPI_Comm comm) {
	IN_PARTS((char *)from, n, type, op, MPI_Reduce(at, rank == root ? to + i * elem : NULL, part, dt, o, root, comm))
}

int spmd_reduce(char *buf, intptr_t n, int type, int op, int root, MPI_Comm comm) {
	int rank, elem;
	MPI_Comm_rank(comm, &rank);
	if (rank != root || n == 0) return reduce_to(buf, NULL, n, type, op, root, rank, comm);
	// In place would do, but MPICH 4.0 then crashes on operations of our own.
	type_of(type, &elem);
	char *copy = malloc(n * elem);
	memcpy(copy, buf, n * elem);
	int err = reduce_to(copy, buf, n, type, op, root, rank, comm);
	free(copy);
	return err;
}

static int exscan_to(const char *from, char *to, intptr_t n, int type, int op, MPI_Comm comm) {
	IN_PARTS((char *)from, n, type, op, MPI_Exscan(at, to, part, dt, o, comm))
}

int spmd_exscan(char *buf, intptr_t n, int type, int op, MPI_Comm comm) {
	int rank;
	MPI_Comm_rank(comm, &rank);
	if (rank == 0) { // MPI may write into what it receives into: not into buf
		char *unused = malloc(n * 16 < spmd_limit ? n * 16 : spmd_limit);
		int err = exscan_to(buf, unused, n, type, op, comm);
		free(unused);
		return err;
	}
	IN_PARTS(buf, n, type, op, MPI_Exscan(MPI_IN_PLACE, at, part, dt, o, comm))
}

int spmd_iallreduce(spmd_batch *b, char *buf, intptr_t n, int type, int op, MPI_Comm comm) {
	IN_PARTS(buf, n, type, op, MPI_Iallreduce(MPI_IN_PLACE, at, part, dt, o, comm, spmd_batch_add(b, -1)))
}

int spmd_reduce_scatter(const char *send, char *recv, const intptr_t *counts, int type, int op, MPI_Comm comm) {
	int rank, size, elem, err = MPI_SUCCESS;
	MPI_Datatype dt = type_of(type, &elem);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	intptr_t total = 0;
	int *ints = malloc(size * sizeof *ints);
	for (int r = 0; r < size; r++) {
		total += counts[r];
		ints[r] = counts[r];
	}
	if (total * elem <= spmd_limit) {
		if (total > 0) err = MPI_Reduce_scatter(send, recv, ints, dt, op_of(op, type), comm);
	} else {
		for (int r = 0; r < size && err == MPI_SUCCESS; r++) {
			err = reduce_to(send, recv, counts[r], type, op, r, rank, comm);
			send += counts[r] * elem;
		}
	}
	free(ints);
	return err;
}
