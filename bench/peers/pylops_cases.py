"""PyLops-MPI's distributed vectors: mpirun -n RANKS python pylops_cases.py"""

from timing import S, TYPES, Run, np, vec

from mpi4py import MPI
import pylops_mpi
from pylops_mpi import DistributedArray

run = Run("PyLops-MPI", pylops_mpi.__version__, MPI.COMM_WORLD)


def uniform(t, seed, n):
    x = DistributedArray(global_shape=n, dtype=TYPES[t])
    x[:] = np.random.default_rng(seed).random(x.local_shape).astype(TYPES[t]) + TYPES[t](0.5)
    return x


for t in TYPES:
    for n in (S.vector, S.short):
        def pair(f):
            def setup():
                x, y = uniform(t, 1, n), uniform(t, 2, n)
                return lambda: f(x, y)
            return setup
        run.case(vec("add", n, t), pair(lambda x, y: x + y))
        run.case(vec("vdot", n, t), pair(lambda x, y: x.dot(y, vdot=True)))
        run.case(vec("norm", n, t), pair(lambda x, y: x.norm()))
