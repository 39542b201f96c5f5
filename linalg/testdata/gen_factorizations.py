"""Makes factorizations.json, the results of NumPy and SciPy for LU and Cholesky
factorizations and what follows from them. Run it here: python3 gen_factorizations.py

Each case is an object: the element type, the shape and the elements of "a", and
of each result its elements in C order; complex numbers are pairs. Results are
determined to about "cond" roundoffs.
"""

import json

import numpy as np
import scipy.linalg as la

rng = np.random.default_rng(20240917)
types = ["float32", "float64", "complex64", "complex128"]


def numbers(x):
    x = np.asarray(x).ravel()
    if np.iscomplexobj(x):
        return [[float(v.real), float(v.imag)] for v in x]
    return [float(v) for v in x]


def sample(dtype, *shape):
    x = rng.uniform(-1, 1, shape)
    if dtype.startswith("complex"):
        x = x + 1j * rng.uniform(-1, 1, shape)
    return x.astype(dtype)


def wide(x):
    """x in double precision, so that results have more digits than are compared."""
    return x.astype("complex128" if np.iscomplexobj(x) else "float64")


def case(a, name, rhs=2):
    dtype = a.dtype.name
    m, n = a.shape
    c = {"name": name, "type": dtype, "shape": [m, n], "a": numbers(a)}
    w = wide(a)
    p, l, u = la.lu(w, p_indices=True)
    # Row i of A is row p[i] of L·U; perm is the other way round.
    perm = np.argsort(p)
    assert np.allclose(w[perm], l @ u)
    c["perm"], c["l"], c["u"] = [int(i) for i in perm], numbers(l), numbers(u)
    if m == n:
        b = sample(dtype, n, rhs)
        c["rhs"], c["b"] = rhs, numbers(b)
        c["x"] = numbers(np.linalg.solve(w, wide(b)))
        c["xh"] = numbers(np.linalg.solve(w.conj().T, wide(b)))
        c["inv"] = numbers(np.linalg.inv(w))
        c["det"] = numbers(np.linalg.det(w))
        s, d = np.linalg.slogdet(w)
        c["sign"], c["logdet"] = numbers(s), float(d)
        c["trace"] = numbers(np.trace(w))
        c["triangular"] = [
            numbers(la.solve_triangular(w, wide(b), lower=lower, unit_diagonal=unit, trans=trans))
            for lower in (False, True)
            for unit in (False, True)
            for trans in "NTC"
        ]
        h = (a @ a.conj().T + np.eye(n)).astype(dtype)
        h = ((h + h.conj().T) / 2).astype(dtype)
        c["h"], c["cholesky"] = numbers(h), numbers(np.linalg.cholesky(wide(h)))
        c["cond"] = float(max(np.linalg.cond(w), max(np.linalg.cond(np.tril(w)), np.linalg.cond(np.triu(w)))))
    else:
        c["cond"] = 1.0
    if name == "graded":
        c["cond"] = 1.0  # it is diagonal
    return c


cases = []
for dtype in types:
    for n in 1, 2, 5, 8:
        cases.append(case(sample(dtype, n, n), "random"))
    for m, n in (3, 7), (7, 3), (1, 4), (4, 1):
        cases.append(case(sample(dtype, m, n), "random"))
i = np.arange(6)
cases.append(case(1 / (1.0 + i[:, None] + i), "Hilbert"))
cases.append(case(np.diag(10.0 ** np.linspace(-9, 9, 7)), "graded"))

with open("factorizations.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
