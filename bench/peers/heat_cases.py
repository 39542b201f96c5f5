"""Heat: mpirun -n RANKS python heat_cases.py, or one process with threads."""

from timing import S, THREADS, Run, args, elementwise, np, split_name, tab, vec, vector_setups

import os
import subprocess
import sys
import tempfile
import time

if args.process:
    # The start of a program and its memory are seen from outside.
    ranks = int(os.environ.get("BENCH_RANKS", "2"))
    run = Run("Heat", "")
    run.doc["ranks"], run.doc["transport"] = ranks, "mpi"
    run.doc["threads"] = max(1, os.cpu_count() // ranks)

    def program(code):
        out = subprocess.run(["mpirun", "--bind-to", "none", "-n", str(ranks), sys.executable, "-c", code],
                             check=True, stdout=subprocess.PIPE, text=True)
        return out.stdout

    times = []
    for i in range(args.samples + 1):
        begin = time.perf_counter()
        program("import heat as ht; assert ht.sum(ht.ones(2, split=0)).item() == 2")
        if i > 0:  # the first run reads the modules from disk
            times.append(time.perf_counter() - begin)
    run.add({"name": "start", "unit": "s", "median": float(np.median(times)), "min": min(times), "max": max(times),
             "samples": len(times), "repeats": 1})
    peak = float(program(f"""
import heat as ht
a, b = ht.ones({S.resident}, dtype=ht.float64, split=0), ht.ones({S.resident}, dtype=ht.float64, split=0)
c = a + b
import re
peak = 1024 * max(ht.MPI_WORLD.handle.allgather(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])))
if ht.MPI_WORLD.rank == 0: print(peak)
"""))
    run.add({"name": vec("rss/add", S.resident, "f64"), "unit": "B", "median": peak, "min": peak, "max": peak,
             "samples": 1, "repeats": 1})
    raise SystemExit

import torch

torch.set_num_threads(THREADS)
import heat as ht
from mpi4py import MPI

run = Run("Heat", f"{ht.__version__}, torch {torch.__version__}", MPI.COMM_WORLD)
TYPES = {"f32": ht.float32, "f64": ht.float64}
NUMPY = {"f32": np.float32, "f64": np.float64}


def uniform(t, split, *shape):
    return ht.random.rand(*shape, dtype=TYPES[t], split=split) + 0.5


def definite(t, n, split):
    i = np.arange(1, n + 1)
    return ht.array((np.minimum.outer(i, i) / n + 0.01 * np.eye(n)).astype(NUMPY[t]), split=split)


REDUCTIONS = {"sum": ht.sum, "max": ht.max, "argmax": ht.argmax, "mean": ht.mean, "var": ht.var, "std": ht.std}

def vector(t, seed, n):
    return uniform(t, 0, n)


unary, binary, _ = vector_setups(vector)
elementwise(run, ht, vector)

for t in TYPES:
    for split in (0, 1):
        for over, axis in (("", None), ("/axis0", 0), ("/axis1", 1)):
            for op, f in REDUCTIONS.items():
                def table():
                    x = uniform(t, split, *S.table)
                    return lambda: f(x, axis=axis)
                run.case(tab(op + over, *S.table, t, f"s{split}"), table)
    for op, f in REDUCTIONS.items():
        run.case(vec(op, S.short, t), lambda: unary(f)(t, S.short))
    for n in (S.vector, S.short):
        run.case(vec("norm", n, t), lambda: unary(ht.linalg.norm)(t, n))
        run.case(vec("vdot", n, t), lambda: binary(ht.linalg.vdot)(t, n))

for t in TYPES:
    n = S.square
    for a, b in ((0, 1), (1, 0), (0, None), (1, None), (None, 0)):
        def move():
            x = uniform(t, a, n, n)
            return lambda: ht.resplit(x, b)
        name = f"resplit {'none' if a is None else a}→{'none' if b is None else b} {n} {t}"
        run.case(name, move)

    def transpose():
        x = uniform(t, 0, n, n)
        return lambda: ht.transpose(x).larray.contiguous()
    run.case(tab("transpose-copy", n, n, t, "s0"), transpose)

for t in TYPES:
    n = S.product
    for a in (None, 0, 1):
        for b in (None, 0, 1):
            def product():
                x, y = uniform(t, a, n, n), uniform(t, b, n, n)
                return lambda: ht.matmul(x, y)
            run.case(tab("matmul", n, n, t, f"{split_name(a)}·{split_name(b)}"), product)
    for b in (None, 0):
        def matvec():
            x, v = uniform(t, 0, n, n), uniform(t, b, n)
            return lambda: ht.matmul(x, v)
        run.case(tab("matvec", n, n, t, f"s0·{split_name(b)}"), matvec)


def cg(a, b, steps):
    """The loop of Heat's own cg with a fixed number of steps."""
    x = ht.zeros_like(b)
    r = b - ht.matmul(a, x)
    p, rs = r, ht.matmul(r, r)
    for _ in range(steps):
        ap = ht.matmul(a, p)
        alpha = rs / ht.matmul(p, ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = ht.matmul(r, r)
        ht.sqrt(new).item()
        p = r + (new / rs) * p
        rs = new
    return x


for t in TYPES:
    def solver():
        a, b = definite(t, S.product, 0), ht.ones(S.product, dtype=TYPES[t], split=0)
        return lambda: cg(a, b, S.steps)
    run.case(tab(f"cg/{S.steps}", S.product, S.product, t, "s0"), solver)


def factor(op, n, matrix, f):
    def setup():
        a = matrix()
        return lambda: f(a)
    run.case(tab(op, n, n, "f64", "s0"), setup)


factor("qr", S.product, lambda: uniform("f64", 0, S.product, S.product), ht.linalg.qr)
if hasattr(ht.linalg, "eigh"):
    factor("eigh", S.spectrum, lambda: definite("f64", S.spectrum, 0), ht.linalg.eigh)
for t in TYPES:
    def tall():
        a = uniform(t, 0, *S.tall)
        return lambda: ht.linalg.qr(a)
    run.case(tab("qr", *S.tall, t, "s0"), tall)

for t in TYPES:
    run.case(vec("sort", S.order, t), lambda: unary(lambda x: ht.sort(x, axis=0))(t, S.order))
    run.case(vec("percentile", S.order, t), lambda: unary(lambda x: ht.percentile(x, 50))(t, S.order))


def unique():
    x = ht.random.randint(0, S.order, size=(S.order,), dtype=ht.int64, split=0)
    return lambda: ht.unique(x, sorted=True)


run.case(vec("unique", S.order, "i64"), unique)

for t in TYPES:
    n = S.vector
    run.case(vec("mask", n, t), lambda: unary(lambda x: x[x > 1])(t, n))
    run.case(vec("getitem", n, t), lambda: unary(lambda x: x[5].item())(t, n))
    run.case(vec("concatenate", n, t), lambda: binary(lambda x, y: ht.concatenate((x, y), 0))(t, n))
    run.case(vec("roll", S.roll, t), lambda: unary(lambda x: ht.roll(x, 1))(t, S.roll))
    if args.tiny:  # at full length Heat's roll takes minutes
        run.case(vec("roll", n, t), lambda: unary(lambda x: ht.roll(x, 1))(t, n))
    run.case(vec("cumsum", n, t), lambda: unary(lambda x: ht.cumsum(x, 0))(t, n))


def state(kind):
    """The counter-based generator gives the same numbers on any number of ranks, as Caloric's does."""
    ht.random.set_state((kind, 1, 0) if kind == "Threefry" else (kind, 1, None, 0, 0.0))


try:
    state("Threefry")
except Exception as e:
    print("Threefry:", e, file=sys.stderr)
for t in TYPES:
    run.case(vec("uniform", S.vector, t), lambda: lambda: ht.random.rand(S.vector, dtype=TYPES[t], split=0))
    run.case(vec("normal", S.vector, t), lambda: lambda: ht.random.randn(S.vector, dtype=TYPES[t], split=0))

n = int(S.order ** 0.5)
d = run.comm.bcast(tempfile.mkdtemp() if run.rank == 0 else None)
path = os.path.join(d, "a.csv")


def csv_save():
    a = uniform("f64", 0, n, n)
    return lambda: ht.save_csv(a, path)


def csv_load():
    ht.save_csv(uniform("f64", 0, n, n), path)
    return lambda: ht.load_csv(path, dtype=ht.float64, split=0)


run.case(vec("csv/save", S.order, "f64"), csv_save)
run.case(vec("csv/load", S.order, "f64"), csv_load)
run.comm.Barrier()
if run.rank == 0 and os.path.exists(path):
    os.remove(path)
    os.rmdir(d)


def kmeans():
    x = ht.random.randn(S.tall[0] // 2, 16, dtype=ht.float64, split=0)
    start = ht.resplit(x[:8], None)

    def steps():
        k = ht.cluster.KMeans(n_clusters=8, init=start, max_iter=10, tol=-1.0)
        k.fit(x)
    return steps


def lasso():
    x = ht.random.randn(S.tall[0] // 2, 20, dtype=ht.float64, split=0)
    y = ht.matmul(x, ht.random.randn(20, 1, dtype=ht.float64))

    def sweeps():
        ht.regression.Lasso(lam=0.1, max_iter=10, tol=None).fit(x, y)
    return sweeps


run.case(f"kmeans/10 {S.tall[0] // 2}x16 f64 s0", kmeans)
run.case(f"lasso/10 {S.tall[0] // 2}x20 f64 s0", lasso)
