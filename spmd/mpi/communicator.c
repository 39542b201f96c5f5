//go:build mpi && cgo

// Communicators, and what is to be known about the node.

#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif
#include <string.h>
#include <unistd.h>
#include "transport.h"

int spmd_dup_world(MPI_Comm *dup) {
	int err = MPI_Comm_dup(MPI_COMM_WORLD, dup);
	// Every communicator made from this one inherits the handler. MPI_COMM_WORLD
	// keeps its own, which ends the job, as gompi ignores the codes that it gets.
	return err == MPI_SUCCESS ? MPI_Comm_set_errhandler(*dup, MPI_ERRORS_RETURN) : err;
}

int spmd_split(MPI_Comm comm, int color, int key, MPI_Comm *part, int *joined) {
	int err = MPI_Comm_split(comm, color < 0 ? MPI_UNDEFINED : color, key, part);
	*joined = err == MPI_SUCCESS && *part != MPI_COMM_NULL;
	return err;
}

int spmd_world_rank(MPI_Comm comm, int rank) {
	MPI_Group part, world;
	int r = -1;
	if (rank < 0) return r;
	MPI_Comm_group(comm, &part);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_translate_ranks(part, 1, &rank, world, &r);
	MPI_Group_free(&part);
	MPI_Group_free(&world);
	return r;
}

int spmd_probe(MPI_Comm comm, int *from, int *bytes) {
	MPI_Status st;
	int here = 0;
	if (MPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &here, &st) != MPI_SUCCESS || !here) return 0;
	*from = st.MPI_SOURCE;
	return MPI_Get_count(&st, MPI_BYTE, bytes) == MPI_SUCCESS;
}

// spmd_node tells how many ranks share this node's memory, and on how many
// cores they may run together: a launcher binds ranks to cores of their own or
// leaves them all to all.
int spmd_node(int *ranks, int *cores) {
	MPI_Comm node;
	int err = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
	if (err != MPI_SUCCESS) return err;
	MPI_Comm_size(node, ranks);
	*cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
	cpu_set_t mine, all;
	CPU_ZERO(&mine);
	if (sched_getaffinity(0, sizeof mine, &mine) != 0) memset(&mine, 0xff, sizeof mine);
	err = MPI_Allreduce(&mine, &all, sizeof mine, MPI_UINT8_T, MPI_BOR, node);
	if (err == MPI_SUCCESS && CPU_COUNT(&all) < *cores) *cores = CPU_COUNT(&all);
#endif
	MPI_Comm_free(&node);
	return err;
}

void spmd_error_text(int code, char *text) {
	int n = 0;
	if (code == SPMD_SHORT) {
		strcpy(text, "the message is shorter than the receiver's buffer");
		return;
	}
	if (MPI_Error_string(code, text, &n) != MPI_SUCCESS) strcpy(text, "unknown MPI error");
}
