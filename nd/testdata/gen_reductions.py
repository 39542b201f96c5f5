"""Makes reductions.txt, NumPy's reductions of small arrays. Run it here:
python3 gen_reductions.py

Lines are "array NAME TYPE value…", arrays of shape 2×2×3 by name, and "OP TYPE
NAME AXES RESULT value…", the reductions of an array over AXES, of which "all" is
the whole array and "none" an empty list. Complex numbers are written as two
numbers with a comma.
"""

import itertools

import numpy as np

np.seterr(all="ignore")

signed = ["int8", "int16", "int32", "int64"]
unsigned = ["uint8", "uint16", "uint32", "uint64"]
integers = signed + unsigned
floats = ["float32", "float64"]
complexes = ["complex64", "complex128"]
reals = integers + floats
numbers = reals + complexes
elements = ["bool"] + numbers

shape = (2, 2, 3)
draw = np.random.default_rng(2)


def words(a):
    a = np.asarray(a)
    if a.dtype.kind == "c":
        return " ".join(f"{re},{im}" for re, im in zip(a.real.ravel(), a.imag.ravel()))
    return " ".join(str(x) for x in a.ravel())


def arrays(t):
    """The arrays of type t, by name."""
    n = int(np.prod(shape))
    if t == "bool":
        return {"plain": draw.integers(0, 2, n) > 0, "all": np.ones(n, t), "none": np.zeros(n, t)}
    if t in integers:
        i = np.iinfo(t)
        extremes = draw.permutation(np.resize(np.array([i.min, i.max, 0, 1, i.max - 1], t), n))
        return {"plain": draw.integers(0, 7, n).astype(t), "extremes": extremes, "equal": np.full(n, i.max, t)}
    # Multiples of 1/16, of which sums are exact in any order.
    plain = draw.integers(-99, 99, n) / 16
    if t in complexes:
        return {"plain": plain + 1j * draw.integers(-99, 99, n) / 16, "zeros": np.zeros(n)}
    special = plain.copy()
    special[[3, 5, 7, 10]] = [np.nan, np.inf, np.nan, -np.inf]
    infinite = plain.copy()
    infinite[[0, 5, 11]] = np.inf
    return {"plain": plain, "special": special, "infinite": infinite, "zeros": np.resize([0.0, -0.0], n), "far": plain + 4096}


arrays = {t: {name: a.astype(t).reshape(shape) for name, a in arrays(t).items()} for t in elements}


def wide(t):
    """The type in which numbers of type t are accumulated."""
    return {"float32": "float64", "complex64": "complex128"}.get(t, t)


def own(f):
    """f in the array's own type, of floats by way of the wide one."""
    return lambda a, axis: f(a.astype(wide(a.dtype.name)), axis=axis, dtype=wide(a.dtype.name)).astype(a.dtype)


def double(f, **options):
    return lambda a, axis: f(a.astype("float64"), axis=axis, **options)


ops = {
    "Sum": (numbers, own(np.sum)),
    "Prod": (numbers, own(np.prod)),
    "SumAs[int64]": (integers, lambda a, axis: a.sum(axis, dtype="int64")),
    "SumAs[float64]": (reals, double(np.sum)),
    "ProdAs[uint64]": (unsigned, lambda a, axis: a.prod(axis, dtype="uint64")),
    "ProdAs[float64]": (reals, double(np.prod)),
    "Min": (reals, lambda a, axis: a.min(axis)),
    "Max": (reals, lambda a, axis: a.max(axis)),
    "ArgMin": (reals, lambda a, axis: a.argmin(axis)),
    "ArgMax": (reals, lambda a, axis: a.argmax(axis)),
    "Mean": (reals, double(np.mean)),
    "MeanComplex": (complexes, lambda a, axis: a.astype("complex128").mean(axis)),
    "Var": (reals, double(np.var)),
    "Var(ddof=1)": (reals, double(np.var, ddof=1)),
    "Std": (reals, double(np.std)),
    "All": (elements, lambda a, axis: a.all(axis)),
    "Any": (elements, lambda a, axis: a.any(axis)),
    "CountNonzero": (elements, lambda a, axis: np.asarray(np.count_nonzero(a, axis), "int64")),
}

rounded = ["SumAs[float64]", "Mean", "Var", "Var(ddof=1)", "Std"]

with open("reductions.txt", "w") as f:
    for t, by in arrays.items():
        for name, a in by.items():
            print("array", name, t, words(a), file=f)
    for op, (types, fn) in ops.items():
        for t in types:
            for name, a in arrays[t].items():
                sets = [None] + [s for k in range(4) for s in itertools.combinations(range(3), k)]
                for axes in sets:
                    axis = axes
                    if name == "equal" and op[:3] not in ("Arg", "Min", "Max"):
                        continue
                    if name == "extremes" and t[-2:] in ("32", "64") and op in rounded:
                        continue  # what is left of large numbers depends on the order
                    if op.startswith("Arg"):
                        if axes is not None and len(axes) != 1:
                            continue
                        axis = axes and axes[0]
                    r = np.asarray(fn(a, axis))
                    over = "all" if axes is None else ",".join(map(str, axes)) or "none"
                    print(op, t, name, over, r.dtype, words(r), file=f)
