// The MPI calls of package mpi. Functions return MPI_SUCCESS, an MPI error code
// or SPMD_SHORT. Pointers to data are char * so that Go may pass any memory
// without pointers in it; lengths and counts are Go ints.

#ifndef SPMD_TRANSPORT_H
#define SPMD_TRANSPORT_H

#include <mpi.h>
#include <stdint.h>

enum { SPMD_SHORT = -1 }; // a message was shorter than the buffer for it

// The most bytes that one MPI call is given.
extern intptr_t spmd_limit;

// A batch is a list of MPI requests to be completed together.
typedef struct {
	int n, cap;
	MPI_Request *reqs;
	int *want; // the bytes that a receive must bring; -1 if not a receive
} spmd_batch;

spmd_batch *spmd_batch_new(void);
MPI_Request *spmd_batch_add(spmd_batch *b, int want);
int spmd_batch_wait(spmd_batch *b);
int spmd_batch_test(spmd_batch *b, int *done);
void spmd_batch_free(spmd_batch *b);

// Point to point. Tags are those of the caller, or SPMD_TAG for what this
// package sends within its own collectives.
enum { SPMD_TAG = 1 << 15 };
int spmd_isend(spmd_batch *b, const char *buf, intptr_t bytes, int to, int tag, MPI_Comm comm);
int spmd_irecv(spmd_batch *b, char *buf, intptr_t bytes, int from, int tag, MPI_Comm comm);
int spmd_send(const char *buf, intptr_t bytes, int to, int tag, MPI_Comm comm);
int spmd_recv(char *buf, intptr_t bytes, int from, int tag, MPI_Comm comm);
int spmd_sendrecv(const char *send, intptr_t send_bytes, int to, char *recv, intptr_t recv_bytes, int from, int tag, MPI_Comm comm);

// Collectives that move data. Counts are elements of elem bytes, one per rank.
int spmd_bcast(char *buf, intptr_t bytes, int root, MPI_Comm comm);
int spmd_allgatherv(const char *send, char *recv, const intptr_t *counts, int elem, MPI_Comm comm);
int spmd_gatherv(const char *send, char *recv, const intptr_t *counts, int elem, int root, MPI_Comm comm);
int spmd_scatterv(const char *send, const intptr_t *counts, char *recv, int elem, int root, MPI_Comm comm);
int spmd_alltoallv(const char *send, const intptr_t *send_counts, char *recv, const intptr_t *recv_counts, int elem, MPI_Comm comm);
int spmd_iallgather(spmd_batch *b, const char *send, char *recv, int bytes, MPI_Comm comm);

// Collectives that reduce. Type and op are the numbers of wire.Type and wire.Op.
int spmd_make_ops(void);
int spmd_reduce(char *buf, intptr_t n, int type, int op, int root, MPI_Comm comm);
int spmd_allreduce(char *buf, intptr_t n, int type, int op, MPI_Comm comm);
int spmd_iallreduce(spmd_batch *b, char *buf, intptr_t n, int type, int op, MPI_Comm comm);
int spmd_exscan(char *buf, intptr_t n, int type, int op, MPI_Comm comm);
int spmd_reduce_scatter(const char *send, char *recv, const intptr_t *counts, int type, int op, MPI_Comm comm);

// Communicators and the world.
int spmd_dup_world(MPI_Comm *dup);
int spmd_split(MPI_Comm comm, int color, int key, MPI_Comm *part, int *joined);
int spmd_world_rank(MPI_Comm comm, int rank);
int spmd_probe(MPI_Comm comm, int *from, int *bytes); // whether a message with tag 0 is here
int spmd_node(int *ranks, int *cores);
void spmd_error_text(int code, char *text); // MPI_MAX_ERROR_STRING bytes

#endif
