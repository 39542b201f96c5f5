"""Dask arrays on threads: one process, as many workers as threads, as many blocks as workers."""

from timing import RANKS, S, THREADS, TYPES, Run, np, split_name, tab, vec

import dask
import dask.array as da

if RANKS > 1:
    raise SystemExit("Dask has workers, not ranks")
dask.config.set(scheduler="threads", num_workers=THREADS)
run = Run("Dask", dask.__version__)


def blocks(shape, split):
    return tuple(-(-n // THREADS) if axis == split else n for axis, n in enumerate(shape))


def uniform(t, seed, split, *shape):
    x = np.random.default_rng(seed).random(shape, dtype=TYPES[t]) + TYPES[t](0.5)
    return da.from_array(x, chunks=blocks(shape, split)).persist()


def persisted(f):
    return lambda: f().persist()


for t in TYPES:
    for n in (S.vector, S.short):
        def pair(f):
            def setup():
                x, y = uniform(t, 1, 0, n), uniform(t, 2, 0, n)
                return persisted(lambda: f(x, y))
            return setup
        for op, f in {"add": lambda x, y: x + y, "muladd": lambda x, y: x * y + x, "exp": lambda x, y: da.exp(x),
                      "log": lambda x, y: da.log(x), "sin": lambda x, y: da.sin(x), "sqrt": lambda x, y: da.sqrt(x),
                      "greater": lambda x, y: x > y}.items():
            run.case(vec(op, n, t), pair(f))

for t in TYPES:
    for split in (0, 1):
        for over, axis in (("", None), ("/axis0", 0), ("/axis1", 1)):
            for op in ("sum", "max", "argmax", "mean", "var", "std"):
                def table():
                    x = uniform(t, 1, split, *S.table)
                    return lambda: getattr(x, op)(axis=axis).compute()
                run.case(tab(op + over, *S.table, t, f"s{split}"), table)

    def norm():
        x = uniform(t, 1, 0, S.vector)
        return lambda: da.linalg.norm(x).compute()

    def vdot():
        x, y = uniform(t, 1, 0, S.vector), uniform(t, 2, 0, S.vector)
        return lambda: da.vdot(x, y).compute()
    run.case(vec("norm", S.vector, t), norm)
    run.case(vec("vdot", S.vector, t), vdot)

for t in TYPES:
    n = S.square
    for a, b in ((0, 1), (1, 0)):
        def move():
            x = uniform(t, 1, a, n, n)
            return persisted(lambda: x.rechunk(blocks((n, n), b)))
        run.case(f"resplit {a}→{b} {n} {t}", move)
    n = S.product
    for a in (None, 0, 1):
        for b in (None, 0, 1):
            def product():
                x, y = uniform(t, 1, a, n, n), uniform(t, 2, b, n, n)
                return persisted(lambda: x @ y)
            run.case(tab("matmul", n, n, t, f"{split_name(a)}·{split_name(b)}"), product)

    def tall():
        x = uniform(t, 1, 0, *S.tall)
        return lambda: dask.persist(*da.linalg.qr(x))
    run.case(tab("qr", *S.tall, t, "s0"), tall)

    def mask():
        x = uniform(t, 1, 0, S.vector)
        return persisted(lambda: x[x > 1])

    def cumsum():
        x = uniform(t, 1, 0, S.vector)
        return persisted(lambda: da.cumsum(x, axis=0))

    def concatenate():
        x, y = uniform(t, 1, 0, S.vector), uniform(t, 2, 0, S.vector)
        return persisted(lambda: da.concatenate((x, y)))

    def roll():
        x = uniform(t, 1, 0, S.vector)
        return persisted(lambda: da.roll(x, 1))
    run.case(vec("mask", S.vector, t), mask)
    run.case(vec("cumsum", S.vector, t), cumsum)
    run.case(vec("concatenate", S.vector, t), concatenate)
    run.case(vec("roll", S.vector, t), roll)
    rng = da.random.default_rng(1)
    run.case(vec("uniform", S.vector, t), lambda: persisted(
        lambda: rng.random(S.vector, dtype=TYPES[t], chunks=-(-S.vector // THREADS))))


def unique():
    x = da.from_array(np.random.default_rng(1).integers(0, S.order, S.order), chunks=-(-S.order // THREADS)).persist()
    return lambda: da.unique(x).compute()


run.case(vec("unique", S.order, "i64"), unique)
