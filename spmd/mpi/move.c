//go:build mpi && cgo

// Collectives that move data, as bytes. Where counts are the same on every rank,
// all ranks choose alike between the MPI call and parts below its limit.

#include <stdlib.h>
#include <string.h>
#include "transport.h"

int spmd_bcast(char *buf, intptr_t bytes, int root, MPI_Comm comm) {
	int err = MPI_SUCCESS;
	while (bytes > 0 && err == MPI_SUCCESS) {
		int n = bytes < spmd_limit ? bytes : spmd_limit;
		err = MPI_Bcast(buf, n, MPI_BYTE, root, comm);
		buf += n;
		bytes -= n;
	}
	return err;
}

// A blocks value says where each rank's block lies, in bytes.
typedef struct {
	int rank, size;
	intptr_t total;
	intptr_t *len, *at;       // of each rank's block
	int *small_len, *small_at; // the same as ints if total is within the limit, else NULL
} blocks;

static blocks blocks_of(const intptr_t *counts, int elem, MPI_Comm comm) {
	blocks b = {0};
	MPI_Comm_rank(comm, &b.rank);
	MPI_Comm_size(comm, &b.size);
	b.len = malloc(b.size * (2 * sizeof *b.len + 2 * sizeof *b.small_len));
	b.at = b.len + b.size;
	for (int r = 0; r < b.size; r++) {
		b.len[r] = counts[r] * elem;
		b.at[r] = b.total;
		b.total += b.len[r];
	}
	if (b.total <= spmd_limit) {
		b.small_len = (int *)(b.at + b.size);
		b.small_at = b.small_len + b.size;
		for (int r = 0; r < b.size; r++) {
			b.small_len[r] = b.len[r];
			b.small_at[r] = b.at[r];
		}
	}
	return b;
}

// copy leaves this rank's own block where it belongs.
static void copy(char *to, const char *from, intptr_t bytes) {
	if (bytes > 0) memcpy(to, from, bytes);
}

int spmd_allgatherv(const char *send, char *recv, const intptr_t *counts, int elem, MPI_Comm comm) {
	blocks b = blocks_of(counts, elem, comm);
	int err = MPI_SUCCESS;
	if (b.total == 0) {
		// Nothing moves.
	} else if (b.small_len) {
		err = MPI_Allgatherv(send, b.small_len[b.rank], MPI_BYTE, recv, b.small_len, b.small_at, MPI_BYTE, comm);
	} else { // around the ring, each block one rank further in each step
		int right = (b.rank + 1) % b.size, left = (b.rank + b.size - 1) % b.size;
		copy(recv + b.at[b.rank], send, b.len[b.rank]);
		for (int s = 0; s < b.size - 1 && err == MPI_SUCCESS; s++) {
			int out = (b.rank + b.size - s) % b.size, in = (out + b.size - 1) % b.size;
			err = spmd_sendrecv(recv + b.at[out], b.len[out], right, recv + b.at[in], b.len[in], left, SPMD_TAG, comm);
		}
	}
	free(b.len);
	return err;
}

int spmd_gatherv(const char *send, char *recv, const intptr_t *counts, int elem, int root, MPI_Comm comm) {
	blocks b = blocks_of(counts, elem, comm);
	int err = MPI_SUCCESS;
	if (b.small_len) {
		err = MPI_Gatherv(send, b.small_len[b.rank], MPI_BYTE, recv, b.small_len, b.small_at, MPI_BYTE, root, comm);
	} else if (b.rank != root) {
		if (b.len[b.rank] > 0) err = spmd_send(send, b.len[b.rank], root, SPMD_TAG, comm);
	} else {
		copy(recv + b.at[root], send, b.len[root]);
		for (int r = 0; r < b.size && err == MPI_SUCCESS; r++) {
			if (r != root && b.len[r] > 0) err = spmd_recv(recv + b.at[r], b.len[r], r, SPMD_TAG, comm);
		}
	}
	free(b.len);
	return err;
}

int spmd_scatterv(const char *send, const intptr_t *counts, char *recv, int elem, int root, MPI_Comm comm) {
	blocks b = blocks_of(counts, elem, comm);
	int err = MPI_SUCCESS;
	if (b.small_len) {
		err = MPI_Scatterv(send, b.small_len, b.small_at, MPI_BYTE, recv, b.small_len[b.rank], MPI_BYTE, root, comm);
	} else if (b.rank != root) {
		if (b.len[b.rank] > 0) err = spmd_recv(recv, b.len[b.rank], root, SPMD_TAG, comm);
	} else {
		copy(recv, send + b.at[root], b.len[root]);
		for (int r = 0; r < b.size && err == MPI_SUCCESS; r++) {
			if (r != root && b.len[r] > 0) err = spmd_send(send + b.at[r], b.len[r], r, SPMD_TAG, comm);
		}
	}
	free(b.len);
	return err;
}

// How many peers a rank exchanges blocks with at once. More would only make
// longer queues for MPI to search.
enum { WINDOW = 32 };

// Each pair of ranks knows the length of its blocks, which is all that needs to
// agree: MPI_Alltoallv could be called only if all ranks knew that every
// rank's counts are within its limit.
int spmd_alltoallv(const char *send, const intptr_t *send_counts, char *recv, const intptr_t *recv_counts, int elem, MPI_Comm comm) {
	blocks out = blocks_of(send_counts, elem, comm), in = blocks_of(recv_counts, elem, comm);
	int rank = out.rank, size = out.size, err = MPI_SUCCESS;
	spmd_batch b = {0};
	if (out.len[rank] == in.len[rank]) {
		copy(recv + in.at[rank], send + out.at[rank], in.len[rank]);
	} else {
		err = SPMD_SHORT;
	}
	for (int first = 1; first < size && err == MPI_SUCCESS; first += WINDOW) {
		int end = first + WINDOW < size ? first + WINDOW : size;
		for (int s = first; s < end && err == MPI_SUCCESS; s++) {
			int from = (rank + size - s) % size;
			if (in.len[from] > 0) err = spmd_irecv(&b, recv + in.at[from], in.len[from], from, SPMD_TAG, comm);
		}
		for (int s = first; s < end && err == MPI_SUCCESS; s++) {
			int to = (rank + s) % size;
			if (out.len[to] > 0) err = spmd_isend(&b, send + out.at[to], out.len[to], to, SPMD_TAG, comm);
		}
		if (err == MPI_SUCCESS) err = spmd_batch_wait(&b);
	}
	free(b.reqs);
	free(b.want);
	free(out.len);
	free(in.len);
	return err;
}

int spmd_iallgather(spmd_batch *b, const char *send, char *recv, int bytes, MPI_Comm comm) {
	return MPI_Iallgather(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, comm, spmd_batch_add(b, -1));
}
