"""Writes decompositions.json: matrices, and what NumPy's linalg makes of them.

    python3 gen_decompositions.py > decompositions.json

Complex numbers are written as their real and imaginary parts in turn. R has been
multiplied by signs so that its diagonal is not negative.
"""

import json

import numpy as np

rng = np.random.default_rng(1317)


def hilbert(n):
    i = np.arange(n)
    return 1.0 / (i[:, None] + i + 1)


def matrices():
    yield "square", rng.integers(-9, 10, (8, 8)).astype(float)
    yield "tall", rng.integers(-9, 10, (23, 3)).astype(float)
    yield "wide", rng.integers(-9, 10, (3, 23)).astype(float)
    yield "nearly square", rng.integers(-9, 10, (10, 7)).astype(float)
    yield "nearly square, wide", rng.integers(-9, 10, (7, 9)).astype(float)
    yield "rank 2 of 4", (rng.integers(-5, 6, (9, 2)) @ rng.integers(-5, 6, (2, 4))).astype(float)
    yield "rank 1, tall", np.outer(np.arange(1, 30), [1, -2, 3]).astype(float)
    yield "hilbert", hilbert(6)
    yield "graded", np.diag([1e-9, 1e9, 1e-3, 1.0])
    yield "zero", np.zeros((4, 3))
    yield "row", np.array([[3.0, 4, 12]])
    yield "column", np.array([[3.0], [4], [12]])
    z = rng.integers(-9, 10, (2, 6, 5)).astype(float)
    yield "complex", z[0] + 1j * z[1]
    z = rng.integers(-9, 10, (2, 31, 2)).astype(float)
    yield "complex, tall", z[0] + 1j * z[1]


def numbers(x):
    x = np.asarray(x)
    if np.iscomplexobj(x):
        x = np.stack([x.real, x.imag], -1)
    return [float(v) for v in x.ravel()]


cases = []
for name, a in matrices():
    m, n = a.shape
    b = rng.integers(-9, 10, (m, 2)).astype(a.dtype)
    r = np.linalg.qr(a, mode="r")
    d = np.sign(np.diagonal(r).real)
    r[: len(d)] *= np.where(d == 0, 1, d)[:, None]
    x, _, rank, s = np.linalg.lstsq(a, b, rcond=None)
    case = dict(
        name=name, m=m, n=n, complex=np.iscomplexobj(a), a=numbers(a), b=numbers(b),
        s=numbers(s), rank=int(np.linalg.matrix_rank(a)), lstsq=numbers(x), lstsqRank=int(rank),
        residuals=numbers(np.linalg.norm(b - a @ x, axis=0)),
        pinv=numbers(np.linalg.pinv(a, rcond=max(m, n) * np.finfo(float).eps)),
        norm2=float(np.linalg.norm(a, 2)), nuc=float(np.linalg.norm(a, "nuc")),
    )
    if rank == min(m, n):
        case["r"] = numbers(r)
        case["cond"] = float(np.linalg.cond(a))
    h = a @ a.conj().T - 3 * np.eye(m)
    if m < 12:
        case["h"], case["eigvalsh"] = numbers(h), numbers(np.linalg.eigvalsh(h))
    cases.append(case)

print("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]")
