"""NumPy and SciPy: one process, its BLAS with --threads threads."""

from timing import RANKS, S, TYPES, Run, elementwise, np, tab, vec, vector_setups

import os
import tempfile

import scipy
import scipy.linalg

if RANKS > 1:
    raise SystemExit("NumPy has no ranks")
run = Run("NumPy", f"{np.__version__}, SciPy {scipy.__version__}")


def uniform(t, seed, *shape):
    return np.random.default_rng(seed).random(shape, dtype=TYPES[t]) + TYPES[t](0.5)


def definite(t, n):
    i = np.arange(1, n + 1)
    return (np.minimum.outer(i, i) / n + 0.01 * np.eye(n)).astype(TYPES[t])


REDUCTIONS = {"sum": np.sum, "max": np.max, "argmax": np.argmax, "mean": np.mean, "var": np.var, "std": np.std}

unary, binary, _ = vector_setups(uniform)
elementwise(run, np, uniform)

for t in TYPES:
    for over, axis in (("", None), ("/axis0", 0), ("/axis1", 1)):
        for op, f in REDUCTIONS.items():
            def table():
                x = uniform(t, 1, *S.table)
                return lambda: f(x, axis=axis)
            for split in (0, 1):  # NumPy knows no split: the same figure stands beside both
                run.case(tab(op + over, *S.table, t, f"s{split}"), table)
    for op, f in REDUCTIONS.items():
        run.case(vec(op, S.short, t), lambda: unary(f)(t, S.short))
    for n in (S.vector, S.short):
        run.case(vec("norm", n, t), lambda: unary(np.linalg.norm)(t, n))
        run.case(vec("vdot", n, t), lambda: binary(np.vdot)(t, n))

for t in TYPES:
    def transpose():
        a = uniform(t, 1, S.square, S.square)
        return lambda: np.ascontiguousarray(a.T)
    run.case(tab("transpose-copy", S.square, S.square, t, "s0"), transpose)

for t in TYPES:
    n = S.product

    def product():
        a, b = uniform(t, 1, n, n), uniform(t, 2, n, n)
        return lambda: a @ b
    for a in ("none", "s0", "s1"):
        for b in ("none", "s0", "s1"):
            run.case(tab("matmul", n, n, t, f"{a}·{b}"), product)

    def matvec():
        a, v = uniform(t, 1, n, n), uniform(t, 2, n)
        return lambda: a @ v
    for b in ("none", "s0"):
        run.case(tab("matvec", n, n, t, f"s0·{b}"), matvec)


def cg(a, b, steps):
    x = np.zeros_like(b)
    r = b - a @ x
    p, rs = r, r @ r
    for _ in range(steps):
        ap = a @ p
        alpha = rs / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = r @ r
        p = r + (new / rs) * p
        rs = new
    return x


for t in TYPES:
    def solver():
        a, b = definite(t, S.product), np.ones(S.product, TYPES[t])
        return lambda: cg(a, b, S.steps)
    run.case(tab(f"cg/{S.steps}", S.product, S.product, t, "s0"), solver)


def factor(op, n, matrix, f):
    def setup():
        a = matrix()
        return lambda: f(a)
    run.case(tab(op, n, n, "f64", "s0"), setup)


factor("cholesky", S.product, lambda: definite("f64", S.product), np.linalg.cholesky)
factor("lu", S.product, lambda: uniform("f64", 1, S.product, S.product), scipy.linalg.lu_factor)
factor("qr", S.product, lambda: uniform("f64", 1, S.product, S.product), np.linalg.qr)
factor("eigh", S.spectrum, lambda: definite("f64", S.spectrum), np.linalg.eigh)
for t in TYPES:
    def tall():
        a = uniform(t, 1, *S.tall)
        return lambda: np.linalg.qr(a)
    run.case(tab("qr", *S.tall, t, "s0"), tall)

for t in TYPES:
    run.case(vec("sort", S.order, t), lambda: unary(np.sort)(t, S.order))
    run.case(vec("percentile", S.order, t), lambda: unary(lambda x: np.percentile(x, 50))(t, S.order))


def unique():
    x = np.random.default_rng(1).integers(0, S.order, S.order)
    return lambda: np.unique(x)


run.case(vec("unique", S.order, "i64"), unique)

for t in TYPES:
    n = S.vector
    run.case(vec("mask", n, t), lambda: unary(lambda x: x[x > 1])(t, n))
    run.case(vec("getitem", n, t), lambda: unary(lambda x: float(x[5]))(t, n))
    run.case(vec("concatenate", n, t), lambda: binary(lambda x, y: np.concatenate((x, y)))(t, n))
    run.case(vec("roll", S.roll, t), lambda: unary(lambda x: np.roll(x, 1))(t, S.roll))
    run.case(vec("roll", n, t), lambda: unary(lambda x: np.roll(x, 1))(t, n))
    run.case(vec("cumsum", n, t), lambda: unary(np.cumsum)(t, n))

for t in TYPES:
    rng = np.random.default_rng(1)
    run.case(vec("uniform", S.vector, t), lambda: lambda: rng.random(S.vector, dtype=TYPES[t]))
    run.case(vec("normal", S.vector, t), lambda: lambda: rng.standard_normal(S.vector, dtype=TYPES[t]))

with tempfile.TemporaryDirectory() as d:
    n = int(S.order ** 0.5)
    path = os.path.join(d, "a.csv")
    table = uniform("f64", 1, n, n)
    np.savetxt(path, table, delimiter=",")
    run.case(vec("csv/save", S.order, "f64"), lambda: lambda: np.savetxt(path, table, delimiter=","))
    run.case(vec("csv/load", S.order, "f64"), lambda: lambda: np.loadtxt(path, delimiter=","))


def kmeans():
    x = np.random.default_rng(1).standard_normal((S.tall[0] // 2, 16))

    def steps():
        c = x[:8].copy()
        for _ in range(10):
            d2 = (x * x).sum(1)[:, None] - 2 * (x @ c.T) + (c * c).sum(1)
            label = d2.argmin(1)
            c = np.stack([x[label == k].mean(0) if (label == k).any() else c[k] for k in range(8)])
    return steps


def lasso():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((S.tall[0] // 2, 20))
    y = x @ rng.standard_normal((20, 1))

    def sweeps():
        theta = np.zeros((20, 1))
        for _ in range(10):
            for j in range(20):
                xj = x[:, j:j + 1]
                rho = float((xj * (y - x @ theta + theta[j, 0] * xj)).mean())
                theta[j] = rho if j == 0 else np.sign(rho) * max(abs(rho) - 0.1, 0)
    return sweeps


run.case(f"kmeans/10 {S.tall[0] // 2}x16 f64 s0", kmeans)
run.case(f"lasso/10 {S.tall[0] // 2}x20 f64 s0", lasso)
