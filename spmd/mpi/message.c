//go:build mpi && cgo

// Point-to-point messages of any length.
//
// A message of n bytes travels as n / spmd_limit full parts and one part of the
// rest, which may be empty. Since only the last part is not full, a message of
// another length than expected is noticed in whichever part the two differ.

#include <limits.h>
#include <stdlib.h>
#include "transport.h"

// Half the range of an int, so that sums of two counts stay in it.
intptr_t spmd_limit = 1 << 30;

spmd_batch *spmd_batch_new(void) { return calloc(1, sizeof(spmd_batch)); }

void spmd_batch_free(spmd_batch *b) {
	free(b->reqs);
	free(b->want);
	free(b);
}

// spmd_batch_add returns the place for one more request, for a message of want bytes.
MPI_Request *spmd_batch_add(spmd_batch *b, int want) {
	if (b->n == b->cap) {
		b->cap = b->cap ? 2 * b->cap : 8;
		b->reqs = realloc(b->reqs, b->cap * sizeof *b->reqs);
		b->want = realloc(b->want, b->cap * sizeof *b->want);
	}
	b->want[b->n] = want;
	b->reqs[b->n] = MPI_REQUEST_NULL;
	return &b->reqs[b->n++];
}

// result returns the first error of a completed batch and empties it.
static int result(spmd_batch *b, int err, const MPI_Status *st) {
	for (int i = 0; i < b->n; i++) {
		// MPI sets the statuses' errors only when it says that one of them is an error.
		if (err == MPI_ERR_IN_STATUS && st[i].MPI_ERROR != MPI_SUCCESS && st[i].MPI_ERROR != MPI_ERR_PENDING) {
			err = st[i].MPI_ERROR;
		}
		if (err == MPI_SUCCESS && b->want[i] >= 0) {
			int got;
			err = MPI_Get_count(&st[i], MPI_BYTE, &got);
			if (err == MPI_SUCCESS && got != b->want[i]) err = SPMD_SHORT;
		}
	}
	b->n = 0;
	return err;
}

int spmd_batch_wait(spmd_batch *b) {
	if (b->n == 0) return MPI_SUCCESS;
	MPI_Status small[64], *st = b->n <= 64 ? small : malloc(b->n * sizeof *st);
	int err = result(b, MPI_Waitall(b->n, b->reqs, st), st);
	if (st != small) free(st);
	return err;
}

int spmd_batch_test(spmd_batch *b, int *done) {
	*done = 1;
	if (b->n == 0) return MPI_SUCCESS;
	MPI_Status small[64], *st = b->n <= 64 ? small : malloc(b->n * sizeof *st);
	int err = MPI_Testall(b->n, b->reqs, done, st);
	if (err != MPI_SUCCESS) *done = 1;
	if (*done) err = result(b, err, st);
	if (st != small) free(st);
	return err;
}

int spmd_isend(spmd_batch *b, const char *buf, intptr_t bytes, int to, int tag, MPI_Comm comm) {
	for (;;) {
		int n = bytes < spmd_limit ? bytes : spmd_limit;
		int err = MPI_Isend(buf, n, MPI_BYTE, to, tag, comm, spmd_batch_add(b, -1));
		if (err != MPI_SUCCESS || n < spmd_limit) return err;
		buf += n;
		bytes -= n;
	}
}

int spmd_irecv(spmd_batch *b, char *buf, intptr_t bytes, int from, int tag, MPI_Comm comm) {
	for (;;) {
		int n = bytes < spmd_limit ? bytes : spmd_limit;
		int err = MPI_Irecv(buf, n, MPI_BYTE, from, tag, comm, spmd_batch_add(b, n));
		if (err != MPI_SUCCESS || n < spmd_limit) return err;
		buf += n;
		bytes -= n;
	}
}

int spmd_send(const char *buf, intptr_t bytes, int to, int tag, MPI_Comm comm) {
	for (;;) {
		int n = bytes < spmd_limit ? bytes : spmd_limit;
		int err = MPI_Send(buf, n, MPI_BYTE, to, tag, comm);
		if (err != MPI_SUCCESS || n < spmd_limit) return err;
		buf += n;
		bytes -= n;
	}
}

int spmd_recv(char *buf, intptr_t bytes, int from, int tag, MPI_Comm comm) {
	for (;;) {
		MPI_Status st;
		int got, n = bytes < spmd_limit ? bytes : spmd_limit;
		int err = MPI_Recv(buf, n, MPI_BYTE, from, tag, comm, &st);
		if (err == MPI_SUCCESS) err = MPI_Get_count(&st, MPI_BYTE, &got);
		if (err == MPI_SUCCESS && got != n) err = SPMD_SHORT;
		if (err != MPI_SUCCESS || n < spmd_limit) return err;
		buf += n;
		bytes -= n;
	}
}

int spmd_sendrecv(const char *send, intptr_t send_bytes, int to, char *recv, intptr_t recv_bytes, int from, int tag, MPI_Comm comm) {
	spmd_batch b = {0};
	int err = spmd_irecv(&b, recv, recv_bytes, from, tag, comm);
	if (err == MPI_SUCCESS) err = spmd_isend(&b, send, send_bytes, to, tag, comm);
	if (err == MPI_SUCCESS) err = spmd_batch_wait(&b);
	free(b.reqs);
	free(b.want);
	return err;
}
