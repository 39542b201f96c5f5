"""Writes krylov.json: iterates of SciPy's Krylov solvers after a few steps.

Run with NumPy 2.4.6 and SciPy 1.17.1:  python3 gen_krylov.py
"""

import json
import os

import numpy as np
from scipy.sparse import linalg as sp

STEPS = [1, 2, 3, 5]


def flat(x):
    """Real parts, and for complex arrays imaginary parts after each of them."""
    x = np.ascontiguousarray(x)
    return [float(f"{v:.16g}") for v in x.view(float).ravel()]


def matrix(rng, m, n, cplx):
    a = rng.integers(-8, 9, (m, n)) / 4.0
    if cplx:
        a = a + 1j * rng.integers(-8, 9, (m, n)) / 4.0
    return a


def iterates(solve):
    xs = []
    solve(lambda x: xs.append(x.copy()))
    return {k: flat(xs[k - 1]) for k in STEPS}


def square(name, a, b, x0, solvers):
    m = sp.LinearOperator(a.shape, matvec=lambda v: v.ravel() / np.diag(a), dtype=a.dtype)
    case = {"name": name, "complex": bool(np.iscomplexobj(a)), "rows": a.shape[0], "cols": a.shape[1],
            "a": flat(a), "b": flat(b), "x0": flat(x0), "x": flat(np.linalg.solve(a, b)), "steps": {}}
    kw = {"rtol": 0, "maxiter": max(STEPS)}
    for s in solvers:
        if s == "gmres":
            run = {}
            for k in STEPS:
                x, _ = sp.gmres(a, b, x0=x0, rtol=0, restart=k, maxiter=1)
                run[k] = flat(x)
        elif s == "jacobi-cg":
            run = iterates(lambda f: sp.cg(a, b, x0=x0, M=m, callback=f, **kw))
        elif s == "jacobi-bicgstab":
            run = iterates(lambda f: sp.bicgstab(a, b, x0=x0, M=m, callback=f, **kw))
        elif s == "jacobi-minres":
            run = iterates(lambda f: sp.minres(a, b, x0=x0, M=m, callback=f, **kw))
        else:
            run = iterates(lambda f: getattr(sp, s)(a, b, x0=x0, callback=f, **kw))
        case["steps"][s] = run
    return case


def least_squares(name, a, b, damp, x0=None):
    n = a.shape[1]
    full = np.vstack([a, damp * np.eye(n)])
    start = np.zeros(n, a.dtype) if x0 is None else x0
    rhs = np.concatenate([b, damp * start])
    x = np.linalg.lstsq(full, rhs, rcond=None)[0]
    case = {"name": name, "complex": bool(np.iscomplexobj(a)), "rows": a.shape[0], "cols": n, "a": flat(a), "b": flat(b),
            "damp": damp, "x": flat(x), "steps": {"lsqr": {}}, "norms": {}}
    if x0 is not None:
        case["x0"] = flat(x0)
    for k in STEPS[:-1]:
        r = sp.lsqr(a, b, damp=damp, atol=0, btol=0, conlim=0, iter_lim=k, x0=x0)
        assert r[2] == k, (name, k, r[1:3])
        case["steps"]["lsqr"][k] = flat(r[0])
        # r1norm, r2norm, anorm, acond, arnorm, xnorm. SciPy's r1norm with damping is
        # a bound, ours is the norm.
        case["norms"][k] = [float(np.linalg.norm(b - a @ r[0]))] + [float(v) for v in r[4:9]]
        assert damp or abs(case["norms"][k][0] - r[3]) < 1e-12
    return case


def main():
    rng = np.random.default_rng(4)
    cases = []
    for cplx, n in ((False, 12), (True, 9)):
        kind = "complex" if cplx else "real"
        g = matrix(rng, n, n, cplx)
        b, x0 = matrix(rng, n, 1, cplx)[:, 0], matrix(rng, n, 1, cplx)[:, 0]
        definite = g @ g.conj().T / 4 + np.diag(np.arange(1.0, n + 1))
        cases.append(square(kind + " definite", definite, b, x0,
                            ["cg", "jacobi-cg", "bicgstab", "gmres"] + ([] if cplx else ["minres", "jacobi-minres"])))
        general = g / 2 + np.diag(3.0 + np.arange(n))
        cases.append(square(kind + " general", general, b, 0 * x0, ["bicgstab", "jacobi-bicgstab", "gmres"]))
        if not cplx:
            indefinite = (g + g.T) / 2
            cases.append(square("real indefinite", indefinite, b, x0, ["minres", "gmres"]))
        tall, wide = matrix(rng, n, 5, cplx), matrix(rng, 5, n, cplx)
        cases.append(least_squares(kind + " tall", tall, b, 0.0))
        cases.append(least_squares(kind + " tall, damped", tall, b, 1.5))
        cases.append(least_squares(kind + " tall, damped, started", tall, b, 1.5, matrix(rng, 5, 1, cplx)[:, 0]))
        cases.append(least_squares(kind + " wide", wide, b[:5], 0.0))
        cases.append(least_squares(kind + " wide, damped", wide, b[:5], 0.5))
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "krylov.json")
    with open(path, "w") as f:
        json.dump(cases, f, indent=None, separators=(",", ":"))
        f.write("\n")


main()
