"""Writes golden.json: values of scikit-learn, NumPy and SciPy for the two tables."""

import json

import numpy as np
import scipy.stats
from sklearn.cluster import KMeans
from sklearn.linear_model import Lasso

digits = np.loadtxt("../../tables/digits.csv", delimiter=",")
cancer = np.loadtxt("../../tables/breast_cancer.csv", delimiter=",", skiprows=1)


def numbers(a):
    """The numbers of a to 14 digits."""
    return [float(f"{v:.14g}") for v in np.ravel(a)]


def kmeans():
    """Clusters of the digits, from given centers, after some steps."""
    x = digits[:, :64]
    first = x[:10] + x[10:20] * 0.3141592653  # no row is as far from two of them
    lost = first.copy()
    lost[3] = 200  # no row is nearest to this one
    for name, init, steps in [
        ("first", first, [1, 2, 5, 10, 300]),
        ("lost", lost, [1, 2, 300]),
        ("three", first[[5, 7, 2]], [300]),
    ]:
        for n in steps:
            m = KMeans(len(init), init=init, n_init=1, max_iter=n, tol=0, algorithm="lloyd").fit(x)
            yield {
                "start": name, "steps": n, "taken": m.n_iter_, "inertia": m.inertia_,
                "labels": "".join(map(str, m.labels_)),
                "centers": numbers(m.cluster_centers_) if n in (1, 300) else [],
            }
    m = KMeans(10, init=first, n_init=1, max_iter=300, tol=1e-2, algorithm="lloyd").fit(x)
    yield {"start": "first", "steps": 300, "tol": 1e-2, "taken": m.n_iter_, "inertia": m.inertia_,
           "labels": "".join(map(str, m.labels_)), "centers": []}


def sweeps(x, y, penalty, n):
    """n sweeps of coordinate descent in plain loops, from 0."""
    x, y = x - x.mean(0), y - y.mean()
    w, r = np.zeros(x.shape[1]), y.copy()
    for _ in range(n):
        for j in range(len(w)):
            r += x[:, j] * w[j]
            z = x[:, j] @ r / len(y)
            w[j] = np.sign(z) * max(abs(z) - penalty, 0) / (x[:, j] @ x[:, j] / len(y))
            r -= x[:, j] * w[j]
    return w


def lasso():
    """Models of the tumours' class: of scikit-learn, and after few sweeps."""
    y = cancer[:, 30]
    scaled = (cancer[:, :30] - cancer[:, :30].mean(0)) / cancer[:, :30].std(0)
    for scale, x in (False, cancer[:, :30]), (True, scaled):
        for penalty in 0.001, 0.01, 0.1, 0.3:
            m = Lasso(alpha=penalty, tol=1e-13, max_iter=5_000_000, precompute=True).fit(x, y)
            yield {"scaled": scale, "lambda": penalty, "coefficients": numbers(m.coef_),
                   "intercept": m.intercept_, "r2": m.score(x, y)}
        for penalty, n in (0.01, 1), (0.01, 3), (0.001, 10):
            yield {"scaled": scale, "lambda": penalty, "sweeps": n, "coefficients": numbers(sweeps(x, y, penalty, n))}


def moments():
    """Moments of both tables, over all, over rows and, of the first rows, over columns."""
    for name, table in ("digits", digits), ("breast_cancer", cancer):
        for axis in None, 0, 1:
            x = np.ravel(table) if axis is None else table[:12] if axis else table
            a = 0 if axis is None else axis
            with np.errstate(all="ignore"):
                rows = [x.mean(a), x.var(a), x.std(a), scipy.stats.skew(x, a), scipy.stats.kurtosis(x, a), x.min(a), x.max(a)]
            yield {"table": name, "axis": -1 if axis is None else axis,
                   "values": [[None if np.isnan(v) else v for v in numbers(r)] for r in rows]}


with open("golden.json", "w") as f:
    parts = [f' "{g.__name__}": [\n' + ",\n".join("  " + json.dumps(d, separators=(",", ":")) for d in g()) + "\n ]"
             for g in (kmeans, lasso, moments)]
    f.write("{\n" + ",\n".join(parts) + "\n}\n")
