"""MPI itself, through mpi4py's buffers: mpirun -n RANKS python mpi4py_cases.py"""

from timing import S, Run, count, np

import mpi4py
from mpi4py import MPI

comm = MPI.COMM_WORLD
run = Run("mpi4py", f"{mpi4py.__version__}, {MPI.Get_library_version().split(',')[0]}", comm)
n, p = S.order, comm.size


def name(op, n):
    return f"{op} n={count(n)} f64"


def allreduce(n):
    def setup():
        send, recv = np.zeros(n), np.zeros(n)
        return lambda: comm.Allreduce(send, recv, op=MPI.SUM)
    return setup


def bcast():
    buf = np.zeros(n)
    return lambda: comm.Bcast(buf)


def allgather():
    send, recv = np.zeros(n // p), np.zeros(n // p * p)
    return lambda: comm.Allgatherv(send, (recv, [n // p] * p))


def alltoall():
    each = n // p // p
    send, recv = np.zeros(each * p), np.zeros(each * p)
    return lambda: comm.Alltoallv((send, [each] * p), (recv, [each] * p))


run.case("barrier", lambda: comm.Barrier)
run.case(name("allreduce", 1), allreduce(1))
run.case(name("allreduce", n), allreduce(n))
run.case(name("bcast", n), bcast)
run.case(name("allgatherv", n), allgather)
run.case(name("alltoallv", n), alltoall)
