"""Timing of the peers, as bench does it for Caloric: the same names, the same JSON.

A case is run once, then timed seven times, fewer if that takes long. A barrier comes
before each sample, a sample is the time of the slowest rank, the result the median.

Importing this module sets up the process, so it comes before NumPy, torch and MPI:
threads = cores / ranks; no choice of kernels for OpenBLAS from the environment, which
would slow it down; and a malloc that keeps freed memory, without which every large
result is paid for with fresh pages. The last two need a new start of the interpreter.
"""

import argparse
import gc
import json
import os
import platform
import re
import resource
import sys
import time

MALLOC = {
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296:glibc.malloc.trim_threshold=17179869184",
    "MALLOC_TOP_PAD_": "268435456",
}
UNSET = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
if any(os.environ.get(k) != v for k, v in MALLOC.items()) or any(k in os.environ for k in UNSET):
    env = {k: v for k, v in os.environ.items() if k not in UNSET} | MALLOC
    os.execve(sys.executable, [sys.executable] + sys.argv, env)

flags = argparse.ArgumentParser()
flags.add_argument("--json", help="write the results to this file")
flags.add_argument("--run", default="", help="only the cases whose names match this regular expression")
flags.add_argument("--skip", help="not the cases whose names match this one")
flags.add_argument("--samples", type=int, default=7)
flags.add_argument("--budget", type=float, default=2.0, help="seconds; stop after three samples when a case has taken this long")
flags.add_argument("--sample", type=float, default=0.01, help="seconds; repeat short cases until a sample takes this long")
flags.add_argument("--threads", type=int, help="threads of a rank; cores / ranks if not given")
flags.add_argument("--quick", action="store_true", help="three short samples a case")
flags.add_argument("--tiny", action="store_true", help="small sizes, for testing the scripts")
flags.add_argument("--process", action="store_true", help="start of a program and peak memory instead")
args = flags.parse_args()
if args.quick:
    args.samples, args.budget, args.sample = 3, 0.5, 0.001

RANKS = int(os.environ.get("OMPI_COMM_WORLD_SIZE") or os.environ.get("PMI_SIZE") or 1)
CORES = len(os.sched_getaffinity(0)) if RANKS == 1 else os.cpu_count()
THREADS = args.threads or max(1, CORES // RANKS)
for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[k] = str(THREADS)

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64}


class Sizes:
    """The sizes of the cases; see sizes.go."""

    def __init__(self, vector, short, order, roll, table, square, product, spectrum, tall, steps, resident):
        self.vector, self.short, self.order, self.roll, self.table = vector, short, order, roll, table
        self.square, self.product, self.spectrum, self.tall = square, product, spectrum, tall
        self.steps, self.resident = steps, resident


if args.tiny:
    S = Sizes(100, 10, 64, 30, (6, 5), 7, 8, 6, (24, 3), 4, 10_000)
else:
    S = Sizes(10_000_000, 1000, 1_000_000, 10_000, (4000, 2500), 4000, 2000, 1000, (200_000, 50), 100, 100_000_000)


def count(n):
    s = str(n)
    return f"{s[0]}e{len(s) - 1}" if len(s) > 3 and not s[1:].strip("0") else s


def vec(op, n, t):
    """The name of a case on vectors of n elements."""
    return f"{op} n={count(n)} {t}"


def tab(op, rows, cols, t, layout):
    """The name of a case on matrices."""
    return f"{op} {rows if rows == cols else f'{rows}x{cols}'} {t} {layout}"


def split_name(axis):
    return "none" if axis is None else f"s{axis}"


def busy():
    """Seconds that all cores have worked since the machine started."""
    with open("/proc/stat") as f:
        v = [int(x) for x in f.readline().split()[1:9]]
    return (sum(v) - v[3] - v[4]) / os.sysconf("SC_CLK_TCK")


def own():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def processor():
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def known_names():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "names.txt")) as f:
        return {line.rstrip("\n") for line in f}


def vector_setups(uniform):
    """How cases on vectors are set up, that uniform(t, seed, n) makes: for f(x), f(x, y) and f(z, x, y)."""
    def unary(f):
        def setup(t, n):
            x = uniform(t, 1, n)
            return lambda: f(x)
        return setup

    def binary(f):
        def setup(t, n):
            x, y = uniform(t, 1, n), uniform(t, 2, n)
            return lambda: f(x, y)
        return setup

    def into(f):
        def setup(t, n):
            x, y, z = (uniform(t, seed, n) for seed in (1, 2, 3))
            return lambda: f(z, x, y)
        return setup
    return unary, binary, into


def elementwise(run, xp, uniform):
    """Runs the elementwise cases of a library whose functions are called as NumPy's."""
    unary, binary, into = vector_setups(uniform)

    def muladd_into(z, x, y):
        xp.multiply(x, y, out=z)
        xp.add(z, x, out=z)

    def where(x, y):
        mask = x > y
        return lambda: xp.where(mask, x, y)
    cases = {
        "add/into": into(lambda z, x, y: xp.add(x, y, out=z)), "add": binary(lambda x, y: x + y),
        "muladd/into": into(muladd_into), "muladd": binary(lambda x, y: x * y + x),
        "exp/into": into(lambda z, x, y: xp.exp(x, out=z)), "exp": unary(xp.exp), "log": unary(xp.log),
        "sin": unary(xp.sin), "sqrt": unary(xp.sqrt), "greater": binary(lambda x, y: x > y),
    }
    for t in TYPES:
        for op, setup in cases.items():
            for n in (S.vector, S.short):
                run.case(vec(op, n, t), lambda: setup(t, n))
        run.case(vec("where", S.vector, t), lambda: where(uniform(t, 1, S.vector), uniform(t, 2, S.vector)))


class Run:
    """One run of one library; comm is None for a library without MPI."""

    def __init__(self, library, version, comm=None, build="default"):
        self.comm = comm
        self.rank, self.size = (comm.rank, comm.size) if comm else (0, 1)
        self.names = None if args.tiny else known_names()
        self.doc = {
            "library": library, "version": version, "build": build, "transport": "mpi" if comm else "none",
            "ranks": self.size, "threads": THREADS, "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "machine": {"processor": processor(), "cores": os.cpu_count(), "system": f"{sys.platform}/{platform.machine()}",
                        "language": "Python " + platform.python_version()},
            "results": [],
        }

    def all(self, v, op="max"):
        if not self.comm:
            return v
        from mpi4py import MPI
        return self.comm.allreduce(v, op=MPI.MAX if op == "max" else MPI.SUM)

    def wanted(self, name):
        return re.search(args.run, name) and not (args.skip and re.search(args.skip, name))

    def add(self, result):
        name = result["name"]
        if self.names is not None and name not in self.names:
            raise SystemExit(f"{name!r} is no name of a case of bench; see names.txt")
        self.doc["results"].append(result)
        if self.rank == 0:
            what = result.get("error") or f"{result['median']:.6g} {result['unit']}"
            print(f"{name:36} {what}", flush=True)
            if args.json:  # after each case, so that a hang costs no more than one
                os.makedirs(os.path.dirname(os.path.abspath(args.json)), exist_ok=True)
                with open(args.json + ".part", "w") as f:
                    json.dump(self.doc, f, indent=1)
                    f.write("\n")
                os.replace(args.json + ".part", args.json)

    def sample(self, f, repeats):
        if self.comm:
            self.comm.Barrier()
        begin = time.perf_counter()
        for _ in range(repeats):
            f()
        return self.all((time.perf_counter() - begin) / repeats)

    def case(self, name, setup):
        """Times the function that setup returns. setup is not called if the case is not wanted."""
        if not self.wanted(name):
            return
        error = None
        try:
            f = setup()
            if self.comm:
                self.comm.Barrier()
            begin = time.perf_counter()
            f()
            first = time.perf_counter() - begin
        except Exception as e:
            error = f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}"[:120]
        errors = self.comm.allgather(error) if self.comm else [error]
        if any(errors):
            self.add({"name": name, "unit": "s", "median": 0, "min": 0, "max": 0, "samples": 0, "repeats": 0,
                      "error": next(e for e in errors if e)})
            return
        gc.collect()
        gc.disable()
        spent = self.all(first)
        if spent < args.budget / 8:
            spent = self.sample(f, 1)
        repeats = max(1, min(1_000_000, int(args.sample / max(spent, 1e-9))))
        if spent < args.budget / 8:
            self.sample(f, repeats)
        least = 1 if spent > 2 * args.budget else 3
        times, total = [], spent
        busy0, own0, wall0 = busy(), own(), time.perf_counter()
        while len(times) < args.samples and (len(times) < least or total < args.budget):
            times.append(self.sample(f, repeats))
            total += times[-1] * repeats
        wall = time.perf_counter() - wall0
        mine = self.all(own() - own0, "sum")
        foreign = max(0.0, min(1.0, (busy() - busy0 - mine) / (wall * os.cpu_count()))) if wall > 0.2 else 0
        gc.enable()
        self.add({"name": name, "unit": "s", "median": float(np.median(times)), "min": min(times), "max": max(times),
                  "samples": len(times), "repeats": repeats, "foreign": round(foreign, 3)})
