#!/usr/bin/env python3
"""Writes statistics.json: what NumPy's and SciPy's statistics and comparisons
return, for golden_statistics_test.go.

It has the arrays, by name as [type, shape, values], and the cases, as [function,
operands, options, result type, result shape, result values]. Values are words in
one string, a complex number two with a comma between. A result of type "error"
stands for an exception.
"""
import json
import os
import warnings

import numpy as np
import scipy.stats

warnings.simplefilter("ignore")
np.seterr(all="ignore")
rng = np.random.default_rng(7)

arrays, cases = {}, []


def words(a):
    a = np.asarray(a)
    if a.dtype.kind == "c":
        return " ".join(f"{re!s},{im!s}" for re, im in zip(a.real.ravel(), a.imag.ravel()))
    return " ".join(str(x) for x in a.ravel())


def array(name, a):
    a = np.asarray(a)
    assert name not in arrays, name
    arrays[name] = [str(a.dtype), list(a.shape), words(a)]
    return name, a


def case(f, names, want, to=None, **opts):
    if isinstance(names, str):
        names = [names]
    if want is None:
        cases.append([f, names, opts, "error", [], ""])
        return
    want = np.asarray(want)
    if to:
        want = want.astype(to)
    cases.append([f, names, opts, str(want.dtype), list(want.shape), words(want)])


def over(ndim):
    return {0: [None], 1: [None, [0]], 2: [None, [0], [1], [-1, 0]], 3: [None, [1], [0, 2], [2], [0, 1, 2]]}[ndim]


def tup(axes):
    return None if axes is None else tuple(axes)


SHAPES = {"v": (11,), "m": (5, 4), "t": (3, 2, 5), "s": (), "o": (1, 7), "e": (0, 3), "z": (3, 0)}
INTS = ["int8", "int32", "int64", "uint8"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def ints(t, shape):
    lo = 0 if t.startswith("u") else -9
    return rng.integers(lo, 12, shape).astype(t)


def floats(t, shape, nan=0.0):
    # Multiples of 1/16, so that float32 holds them as they are.
    a = (rng.integers(-99, 99, shape) / 16).astype(t)
    if nan:
        a = np.where(rng.random(shape) < nan, np.nan, a).astype(t)
    return a


def complexes(t, shape, nan=0.0):
    return (floats("float64", shape, nan) + 1j * floats("float64", shape)).astype(t)


data = {}
for s, shape in SHAPES.items():
    for t in INTS:
        data[s, t] = array(f"{s}-{t}", ints(t, shape))
    for t in FLOATS:
        data[s, t] = array(f"{s}-{t}", floats(t, shape))
        data[s, t, "nan"] = array(f"{s}-{t}-nan", floats(t, shape, 0.35))
    for t in COMPLEX:
        data[s, t, "nan"] = array(f"{s}-{t}-nan", complexes(t, shape, 0.35))
    data[s, "mask"] = array(f"{s}-mask", rng.random(shape) < 0.6)
rows = np.full((4, 6), np.nan)
rows[1] = [1, np.nan, 3, 4, np.nan, -2]
rows[3] = [np.nan, 2, np.nan, np.nan, np.inf, -np.inf]
data["r", "float64", "nan"] = array("r-float64-nan", rows)
data["r", "float32", "nan"] = array("r-float32-nan", rows.astype("float32"))

# Smallest to largest, skewness, kurtosis
for s in "vmtso":
    for t in INTS + FLOATS:
        name, a = data[s, t]
        for axes in over(a.ndim):
            case("Ptp", name, np.ptp(a, tup(axes)), axes=axes)
for s in "vmtso":
    for t in ["int32", "uint8", "float32", "float64"]:
        name, a = data[s, t]
        x = a.astype(float)
        to = "float32" if t == "float32" else "float64"
        for axes in over(a.ndim):
            for bias in [True, False]:
                case("Skew", name, scipy.stats.skew(x, tup(axes), bias=bias), to, axes=axes, unbiased=not bias)
                fisher = rng.random() < 0.5
                case("Kurtosis", name, scipy.stats.kurtosis(x, tup(axes), bias=bias, fisher=fisher), to, axes=axes, unbiased=not bias, pearson=not fisher)
for what, x in {"constant": np.full(9, 2.5), "three": np.array([1.0, 2, 4]), "far": 1e6 + rng.normal(size=40),
                "normal": rng.normal(size=(40, 3)).round(6), "holes": rows, "skewed": (rng.exponential(size=57) ** 3).round(6)}.items():
    name, x = array(what, x)
    if what == "far":
        x = x - 1e6  # exactly; SciPy loses digits by the rounded mean
    for axes in over(x.ndim):
        for bias in [True, False]:
            case("Skew", name, scipy.stats.skew(x, tup(axes), bias=bias), axes=axes, unbiased=not bias)
            case("Kurtosis", name, scipy.stats.kurtosis(x, tup(axes), bias=bias), axes=axes, unbiased=not bias)

# Averages
for t in ["int32", "uint8", "float32", "float64"]:
    to = "float32" if t == "float32" else "float64"
    for s in "vmt":
        name, a = data[s, t]
        whole, w = array(f"w-{s}-{t}", rng.integers(1, 9, a.shape) / 4)
        for axes in over(a.ndim):
            avg, total = np.average(a.astype(float), tup(axes), w, returned=True)
            case("Average", [name, whole], avg, to, axes=axes)
            case("AverageSum", [name, whole], total, to, axes=axes)
            case("Average", [name], np.average(a.astype(float), tup(axes)), to, axes=axes)
            if axes is not None and len(axes) < a.ndim:
                part, v = array(f"w-{s}-{t}-{'_'.join(map(str, axes))}", rng.integers(1, 9, [a.shape[k] for k in axes]) / 4)
                avg, total = np.average(a.astype(float), tup(axes), v, returned=True)
                case("Average", [name, part], avg, to, axes=axes)
                case("AverageSum", [name, part], total, to, axes=axes)
name, a = data["t", "float64"]
for axes in [[2, 0], [1, 0], [2, 1], [-1, 0]]:
    part, v = array(f"w-t-{axes[0]}_{axes[1]}", rng.integers(1, 9, [a.shape[k] for k in axes]) / 4)
    case("Average", [name, part], np.average(a, tup(axes), v), axes=axes)
part, v = array("w-t-counts", rng.integers(1, 9, 5))
case("Average", [name, part], np.average(a, 2, v), axes=[2], weights="int64")

# The family that ignores NaN
def nan_numbers(t):
    return [data[s, t, "nan"] for s in "vmtso"] + ([data["r", t, "nan"]] if t in FLOATS else [])


def nan_arg(f, x, axis):
    """What np.nanargmin means to find: of NaN and Inf alone it finds a NaN."""
    def one(v):
        at = np.flatnonzero(~np.isnan(v))
        return at[f(v[at])]
    return one(x.ravel()) if axis is None else np.apply_along_axis(one, axis, x)


for t in FLOATS:
    for name, a in nan_numbers(t):
        x = a.astype(float)
        for axes in over(a.ndim):
            ax = tup(axes)
            case("NanSum", name, np.nansum(x, ax), t, axes=axes)
            case("NanProd", name, np.nanprod(x, ax), t, axes=axes)
            case("NanMin", name, np.nanmin(a, ax), t, axes=axes)
            case("NanMax", name, np.nanmax(a, ax), t, axes=axes)
            case("NanPtp", name, np.nanmax(x, ax) - np.nanmin(x, ax), t, axes=axes)
            case("NanMean", name, np.nanmean(x, ax), t, axes=axes)
            case("CountNaN", name, np.isnan(x).sum(ax), axes=axes)
            case("CountNotNaN", name, (~np.isnan(x)).sum(ax), axes=axes)
            for ddof in [0, 1, 3]:
                case("NanVar", name, np.nanvar(x, ax, ddof=ddof), t, axes=axes, ddof=ddof)
            case("NanStd", name, np.nanstd(x, ax, ddof=1), t, axes=axes, ddof=1)
            if axes is None or len(axes) == 1:
                ax = None if axes is None else axes[0]
                for f, g in [("NanArgMin", np.argmin), ("NanArgMax", np.argmax)]:
                    try:
                        case(f, name, nan_arg(g, x, ax), axes=axes)
                    except ValueError:
                        case(f, name, None, axes=axes)
for t in INTS:
    for s in "vm":
        name, a = data[s, t]
        for axes in over(a.ndim)[:2]:
            ax = tup(axes)
            case("NanSum", name, np.nansum(a, ax, dtype=t), axes=axes)
            case("NanProd", name, np.nanprod(a, ax, dtype=t), axes=axes)
            case("NanMin", name, np.nanmin(a, ax), axes=axes)
            case("NanMax", name, np.nanmax(a, ax), axes=axes)
            case("NanMean", name, np.nanmean(a, ax), axes=axes)
            case("NanVar", name, np.nanvar(a, ax), axes=axes)
            case("NanArgMax", name, np.nanargmax(a, None if axes is None else axes[0]), axes=axes)
for t in COMPLEX:
    for s in "vmt":
        name, a = data[s, t, "nan"]
        x = a.astype(complex)
        for axes in over(a.ndim):
            case("NanSum", name, np.nansum(x, tup(axes)), t, axes=axes)
            case("NanProd", name, np.nanprod(x, tup(axes)), t, axes=axes)
            case("NanMean", name, np.nanmean(x, tup(axes)), t, axes=axes)
            case("CountNaN", name, np.isnan(x).sum(tup(axes)), axes=axes)
for s in "ez":
    name, a = data[s, "float64", "nan"]
    for axes in over(2):
        case("NanSum", name, np.nansum(a, tup(axes)), axes=axes)
        case("NanMean", name, np.nanmean(a, tup(axes)), axes=axes)
        case("NanVar", name, np.nanvar(a, tup(axes)), axes=axes)
        try:
            case("NanMin", name, np.nanmin(a, tup(axes)), axes=axes)
        except ValueError:
            case("NanMin", name, None, axes=axes)
        try:
            case("Ptp", name, np.ptp(a, tup(axes)), axes=axes)
        except ValueError:
            case("Ptp", name, None, axes=axes)

# Masks and initial values
for s in "vmtso":
    mask, m = data[s, "mask"]
    for t in ["int8", "int64", "uint8", "float32", "float64"]:
        name, a = data[s, t]
        x = a.astype(float) if t in FLOATS else a
        to = "float32" if t == "float32" else "float64"
        for i, axes in enumerate(over(a.ndim)):
            ax, o = tup(axes), dict(axes=axes)
            case("Sum", [name, mask], np.sum(x, ax, dtype=x.dtype, where=m), t, **o)
            case("Mean", [name, mask], np.mean(x, ax, where=m), to, **o)
            case("Max", [name, mask], np.max(a, ax, where=m, initial=3), t, initial=3, **o)
            case("CountNonzero", [name, mask], ((a != 0) & m).sum(ax), **o)
            if (i + len(t)) % 2 == 0:
                case("Prod", [name, mask], np.prod(x, ax, dtype=x.dtype, where=m), t, **o)
                case("Var", [name, mask], np.var(x, ax, where=m, ddof=i % 3), to, ddof=i % 3, **o)
                case("Std", [name, mask], np.std(x, ax, where=m), to, **o)
                case("All", [name, mask], np.all(a, ax, where=m), **o)
                case("Any", [name, mask], np.any(a > 8, ax, where=m), over=8, **o)
            else:
                case("Min", [name, mask], np.min(a, ax, where=m, initial=2), t, initial=2, **o)
                case("Sum", [name], np.sum(x, ax, dtype=x.dtype, initial=7), t, initial=7, **o)
                case("Prod", [name], np.prod(x, ax, dtype=x.dtype, initial=3), t, initial=3, **o)
                case("Max", [name], np.max(a, ax, initial=9), t, initial=9, **o)
    for t in FLOATS:
        name, a = data[s, t, "nan"]
        for axes in over(a.ndim):
            x = a.astype(float)
            case("Sum", [name, mask], np.sum(x, tup(axes), where=m), t, axes=axes)
            case("NanSum", [name, mask], np.nansum(x, tup(axes), where=m), t, axes=axes)
            case("NanMean", [name, mask], np.nanmean(x, tup(axes), where=m), t, axes=axes)
            case("NanVar", [name, mask], np.nanvar(x, tup(axes), where=m), t, axes=axes)
            case("NanMax", [name, mask], np.nanmax(x, tup(axes), where=m, initial=1), t, axes=axes, initial=1)
            case("NanSum", [name], np.nansum(x, tup(axes), initial=2), t, axes=axes, initial=2)
            case("NanMin", [name], np.nanmin(x, tup(axes), initial=2), t, axes=axes, initial=2)
row = array("row-mask", np.array([True, False, True, True]))
column = array("column-mask", np.array([[True], [False], [False], [True], [True]]))
one = array("no-mask", np.array(False))
for mask, m in [row, column, one]:
    name, a = data["m", "float64"]
    for axes in over(2):
        case("Sum", [name, mask], np.sum(a, tup(axes), where=m), axes=axes)
        case("Mean", [name, mask], np.mean(a, tup(axes), where=m), axes=axes)
        case("Min", [name, mask], np.min(a, tup(axes), where=m, initial=5), axes=axes, initial=5)
for s in "ez":
    name, a = data[s, "float64"]
    for axes in over(2):
        case("Max", [name], np.max(a, tup(axes), initial=-1), axes=axes, initial=-1)
        case("Sum", [name], np.sum(a, tup(axes), initial=-1), axes=axes, initial=-1)

# Covariances
big = {"c": (3, 200), "k": (3, 7), "p": (6, 2), "q": (1, 5), "l": (9,)}
for s, shape in big.items():
    n = shape[-1]
    fw, f = array(f"fw-{n}-{s}", rng.integers(1, 5, n))
    aw, w = array(f"aw-{n}-{s}", rng.integers(1, 9, n) / 8)
    for t in ["int8", "float32", "float64"] + COMPLEX[s == "c":]:
        a = ints(t, shape) if t in INTS or t == "uint8" else floats(t, shape) if t in FLOATS else complexes(t, shape)
        name, a = array(f"cov-{s}-{t}", a)
        x = a.astype(complex if t in COMPLEX else float)
        to = t if t in ["float32", "complex64"] else str(x.dtype)
        case("Cov", [name], np.cov(x), to)
        case("CorrCoef", [name], np.corrcoef(x), to)
        if n < 20:
            case("Cov", [name], np.cov(x, rowvar=False), to, columns=True)
        case("Cov", [name], np.cov(x, ddof=0), to, ddof=0)
        case("Cov", [name, "", fw], np.cov(x, fweights=f), to)
        case("Cov", [name, "", "", aw], np.cov(x, aweights=w), to)
        case("Cov", [name, "", fw, aw], np.cov(x, fweights=f, aweights=w), to)
        case("Cov", [name, "", fw, aw], np.cov(x, fweights=f, aweights=w, ddof=0), to, ddof=0)
        case("Cov", [name, name], np.cov(x, x), to)
        case("CorrCoef", [name, name], np.corrcoef(x, x), to)
    name, a = array(f"cov-{s}", (rng.normal(size=shape) + 100).round(6))
    case("Cov", [name], np.cov(a))
    case("CorrCoef", [name], np.corrcoef(a))
    if n < 20:
        case("CorrCoef", [name], np.corrcoef(a, rowvar=False), columns=True)
    more, b = array(f"cov-y-{s}", rng.normal(size=shape[-1:]).round(6))
    case("Cov", [name, more], np.cov(a, b))
    case("CorrCoef", [name, more], np.corrcoef(a, b))
    case("Cov", [more, name], np.cov(b, a, ddof=2), ddof=2)
name, a = array("cov-nan", np.array([[1, 2, 4, 3], [0, 0, 0, 0], [1, np.nan, 2, 3]]))
case("Cov", [name], np.cov(a))
case("CorrCoef", [name], np.corrcoef(a))
name, a = array("cov-one", np.array([[1.0], [2.0]]))
case("Cov", [name], np.cov(a))
case("Cov", [name], np.cov(a, ddof=0), ddof=0)

# Comparisons
values = [0, 1, -1, 1 + 1e-6, 1 + 1e-4, 100, 100.001, 1e-9, np.nan, np.inf, -np.inf, 1e30]
for t in FLOATS:
    xs, x = array(f"close-x-{t}", np.array(values, t)[:, None])
    ys, y = array(f"close-y-{t}", np.array(values, t))
    zs, z = array(f"close-z-{t}", np.array(values[:8], t))
    us, u = array(f"close-u-{t}", np.array(values[:8], t) * np.array(1 + 1e-6, t))
    ns, n = array(f"close-n-{t}", np.where(np.array(values) == 1, 1 + 1e-6, values).astype(t))
    for o in [{}, {"nan": True}, {"rtol": 0.5}, {"atol": 1.0, "rtol": 0.0}, {"atol": 0.0}, {"rtol": 1e-7, "atol": 0.0, "nan": True}]:
        kw = dict(rtol=o.get("rtol", 1e-5), atol=o.get("atol", 1e-8), equal_nan=o.get("nan", False))
        case("IsClose", [xs, ys], np.isclose(x, y, **kw), **o)
        case("IsClose", [xs, zs], np.isclose(x, z, **kw), **o)
        for p, q in [(ys, ys), (zs, zs), (zs, us), (us, zs), (ys, ns)]:
            a, b = (np.array(arrays[k][2].split(), t) for k in (p, q))
            case("AllClose", [p, q], np.allclose(a, b, **kw), **o)
    for o in [{}, {"nan": True}]:
        for p, q in [(ys, ys), (zs, zs), (zs, us), (ys, ns), (xs, ys)]:
            a, b = (np.array(arrays[k][2].split(), t).reshape(arrays[k][1]) for k in (p, q))
            case("ArrayEqual", [p, q], np.array_equal(a, b, equal_nan=bool(o)), **o)
for t in INTS:
    xs, x = array(f"close-x-{t}", np.array([[0], [1], [100], [101], [np.iinfo(t).max], [np.iinfo(t).min]], t))
    ys, y = array(f"close-y-{t}", np.array([0, 1, 2, 100, 101, np.iinfo(t).max, np.iinfo(t).min], t))
    for o in [{}, {"rtol": 0.02}, {"atol": 1.0}]:
        case("IsClose", [xs, ys], np.isclose(x, y, rtol=o.get("rtol", 1e-5), atol=o.get("atol", 1e-8)), **o)
    case("AllClose", [xs, xs], True)
    case("AllClose", [xs, ys], False)
for t in COMPLEX:
    v = [0, 1, 1j, 1 + 1e-6j, 1 + 1e-4j, complex(np.nan, 0), complex(np.inf, 1), complex(1, np.inf), 3 + 4j, 3.00001 + 4.00001j]
    xs, x = array(f"close-x-{t}", np.array(v, t)[:, None])
    ys, y = array(f"close-y-{t}", np.array(v, t))
    for o in [{}, {"nan": True}, {"rtol": 0.5}, {"atol": 1.5}]:
        kw = dict(rtol=o.get("rtol", 1e-5), atol=o.get("atol", 1e-8), equal_nan=o.get("nan", False))
        case("IsClose", [xs, ys], np.isclose(x, y, **kw), **o)
        case("AllClose", [ys, ys], np.allclose(y, y, **kw), **o)
for t in ["bool"] + INTS + FLOATS + COMPLEX:
    def cast(v):
        return np.asarray(v).astype(t)
    m, _ = array(f"eq-m-{t}", cast([[1, 0, 2], [1, 0, 2]]))
    n, _ = array(f"eq-n-{t}", cast([[1, 0, 2], [1, 1, 2]]))
    r, _ = array(f"eq-r-{t}", cast([1, 0, 2]))
    c, _ = array(f"eq-c-{t}", cast([[1], [1]]))
    e, _ = array(f"eq-e-{t}", cast(np.zeros((0, 3))))
    s, _ = array(f"eq-s-{t}", cast(1))
    get = {k: np.array([complex(*map(float, w.split(","))) if "," in w else w == "True" if t == "bool" else float(w) for w in arrays[k][2].split()]).reshape(arrays[k][1]) for k in [m, n, r, c, e, s]}
    for p, q in [(m, m), (m, n), (m, r), (r, m), (m, c), (c, s), (s, s), (e, e), (e, m), (e, r), (r, c)]:
        case("ArrayEqual", [p, q], np.array_equal(get[p], get[q]))
        case("ArrayEquiv", [p, q], np.array_equiv(get[p], get[q]))

# Numbers for what is none
for t in FLOATS + COMPLEX:
    v = [np.nan, np.inf, -np.inf, 0, -0.0, 1.5, -2]
    if t in COMPLEX:
        v = [complex(a, b) for a in v for b in v[:4]]
    for shape in [(-1,), (1, -1)] + ([(7, 4)] if t in COMPLEX else []):
        name, a = array(f"num-{t}-{len(shape)}-{abs(shape[0])}", np.array(v, t).reshape(shape))
        case("NanToNum", [name], np.nan_to_num(a))
        case("NanToNum", [name], np.nan_to_num(a, nan=-1, posinf=5, neginf=-6), numbers=[-1, 5, -6])

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "statistics.json")
used = {n for c in cases for n in c[1]}
with open(path, "w") as f:
    f.write('{"arrays":{\n' + ",\n".join(json.dumps(k) + ":" + json.dumps(v, separators=(",", ":")) for k, v in arrays.items() if k in used))
    f.write('},\n"cases":[\n' + ",\n".join(json.dumps([c[0], c[1], {k: v for k, v in c[2].items() if v is not None and v is not False}, *c[3:]], separators=(",", ":")) for c in cases) + "\n]}\n")
print(len(cases), "cases", os.path.getsize(path), "bytes")
