"""Makes order.json, NumPy's results for sorting, sets, histograms and quantiles.
Run it here: python3 gen_order.py

Each line is a case: [operation, element type, operands, integers, numbers, words,
results]. An array is [type, shape, elements], the elements in C order, separated
by spaces; complex numbers are two numbers with a comma.
"""

import json
import warnings

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")
rng = np.random.default_rng(20240612)

signed = ["int8", "int32", "int64"]
integers = signed + ["uint8"]
floats = ["float32", "float64"]
reals = integers + floats
complexes = ["complex64", "complex128"]
elements = ["bool"] + reals + complexes
nan, inf = np.nan, np.inf

cases = []


def word(x):
    if isinstance(x, (complex, np.complexfloating)):
        return word(x.real) + "," + word(x.imag)
    if isinstance(x, (float, np.floating)):
        s = str(np.float32(x)) if isinstance(x, np.float32) else format(float(x), ".15g")
        return s[:-2] if s.endswith(".0") else s
    return str(x)


def array(a):
    a = np.asarray(a)
    return [a.dtype.name, list(a.shape), " ".join(word(x) for x in a.ravel())]


def case(op, ins, out, ints=(), numbers=(), words=()):
    ins = [np.asarray(a) for a in ins]
    out = out if isinstance(out, (list, tuple)) else [out]
    cases.append([op, ins[0].dtype.name, [array(a) for a in ins], [int(i) for i in ints],
                  [word(float(x)) for x in numbers], list(words), [array(o) for o in out]])


def values(t, shape, spread=6, special=False):
    n = int(np.prod(shape))
    if t == "bool":
        v = rng.integers(0, 2, n)
    elif t == "uint8":
        v = rng.integers(0, spread, n) * 50 % 256
    elif t in integers:
        v = rng.integers(-spread, spread, n) * (20 if t == "int8" else 123456)
    elif t in floats:
        v = rng.integers(-spread, spread, n) / 4
    else:
        v = rng.integers(-2, 3, n) / 2 + 1j * rng.integers(-2, 3, n) / 2
    v = v.astype(t)
    if special and n:
        if t in floats:
            extra = [nan, inf, -inf, 1e-30, -1e30, nan, 0.1]
        elif t in complexes:
            extra = [complex(nan, 1), complex(1, nan), complex(nan, nan), complex(-2, nan), complex(nan, -1), complex(inf, 2), complex(inf, -inf)]
        elif t in integers:
            i = np.iinfo(t)
            extra = [i.max, i.min, i.max, i.max - 1, i.min + 1, 0, 1]
        else:
            extra = []
        at = rng.permutation(n)[: len(extra)]
        for i, x in zip(at, extra):
            v[i] = x
    return v.reshape(shape)


def descending(a, axis):
    """Indices that sort a: large ones first, NaN last, equal ones in order."""
    def one(v):
        rank = np.zeros(len(v), dtype=np.int64)
        number = ~np.isnan(v)
        _, r = np.unique(v[number], return_inverse=True)
        rank[number] = -r.ravel()
        rank[~number] = 1
        return np.argsort(rank, kind="stable")
    return np.apply_along_axis(one, axis, a)


def shapes_axes():
    yield (13,), 0
    yield (1,), 0
    yield (0,), 0
    yield (5, 4), 0
    yield (5, 4), -1
    yield (3, 4, 5), 1
    yield (11, 1), 0
    yield (2, 3, 2), 2


for t in elements:
    for k, (shape, axis) in enumerate(shapes_axes()):
        a = values(t, shape, special=k % 2 == 0)
        case("sort", [a], np.sort(a, axis=axis, kind="stable"), [axis])
        b = values(t, shape, special=k % 2 == 1)
        case("argsort", [b], np.argsort(b, axis=axis, kind="stable"), [axis])
        if a.size and k not in (1, 6) and not (k == 5 and t in complexes):
            d = values(t, shape, special=t not in complexes)
            order = descending(d, axis)
            case("sortdescending", [d], np.take_along_axis(d, order, axis), [axis])
            case("argsortdescending", [d], order, [axis])
            n = min(3, shape[axis])
            top = np.take(order, range(n), axis=axis)
            case("topk", [d], [np.take_along_axis(d, top, axis), top], [n, axis])
            low = np.take(np.argsort(d, axis=axis, kind="stable"), range(n), axis=axis)
            case("bottomk", [d], [np.take_along_axis(d, low, axis), low], [n, axis])
        if k in (0, 3):
            case("partition", [a], np.sort(a, axis=axis), [axis, 2, -1])
    big = values(t, (300,), spread=400)
    if t in ("uint8", "int8", "int64", "float32"):
        case("argsort", [big % 7 if t != "bool" else big], np.argsort(big % 7, kind="stable"), [0])
    if t in integers + floats:
        u, v, w = values(t, (9,), 2), values(t, (9,), 2), values(t, (9,), 3)
        case("lexsort", [u, v, w], np.lexsort((u, v, w)), [0])

u, v = values("int32", (4, 6), 2), values("int32", (4, 6), 2)
for axis in (0, 1):
    case("lexsort", [u, v], np.lexsort((u, v), axis=axis), [axis])

for t in elements:
    for shape in [(13,), (0,), (1,), (4, 5), (2, 2, 3), ()]:
        a = values(t, shape, 4, special=shape in [(13,), (4, 5)] and t not in complexes)
        case("unique", [a], np.unique(a))
        v, i, j, k = np.unique(a, return_index=True, return_inverse=True, return_counts=True)
        case("uniqueall", [a], [v, i, j.reshape(a.shape), k])
    for shape, axis in [((9, 2), 0), ((2, 9), 1), ((2, 7, 2), -2), ((5,), 0), ((1, 3), 0), ((0, 2), 0)]:
        a = values(t, shape, 2)
        v, i, j, k = np.unique(a, axis=axis, return_index=True, return_inverse=True, return_counts=True)
        case("uniqueaxis", [a], [v, i, j.ravel(), k], [axis])
    for m, n in [(12, 9), (5, 14), (0, 4), (4, 0), (1, 1)]:
        a, b = values(t, (m,), 5, special=t not in complexes), values(t, (n,), 5, special=t not in complexes)
        case("union", [a, b], np.union1d(a, b))
        case("intersect", [a, b], np.intersect1d(a, b))
        case("setdiff", [a, b], np.setdiff1d(a, b))
        case("setxor", [a, b], np.setxor1d(a, b))
        case("isin", [a, b], np.isin(a, b))
    a, b = values(t, (4, 3), 5), values(t, (2, 3), 3)
    case("isin", [a, b], np.isin(a, b))
    case("union", [a, b], np.union1d(a, b))
    case("intersect", [a, b], np.intersect1d(a, b))

for t in integers:
    for n, least in [(15, 0), (9, 12), (0, 0), (0, 3), (1, 1)]:
        a = rng.integers(0, 8, n).astype(t)
        case("bincount", [a], np.bincount(a, minlength=least), [least])
        w = rng.integers(-20, 40, n) / 8
        case("bincountweights", [a, w], np.bincount(a, w, minlength=least).astype(float), [least])

for t in reals:
    x = values(t, (4, 5), 7, special=True)
    for bins in [np.sort(values(t, (6,), 7)), np.unique(values(t, (4,), 7)), np.array([1], t), np.array([], t)]:
        for right in (0, 1):
            case("digitize", [x, bins], np.digitize(x, bins, right=bool(right)), [right])
            if len(bins) > 1 and bins[0] < bins[-1]:
                case("digitize", [x, bins[::-1]], np.digitize(x, bins[::-1], right=bool(right)), [right])
            case("bucketize", [x, bins], np.searchsorted(bins, x, side="right" if right else "left"), [right])

for t in reals:
    for shape in [(23,), (4, 5), (0,), (1,)]:
        a = values(t, shape, 9)
        n = int(np.prod(shape))
        w = rng.integers(-20, 40, shape) / 8
        for bins in (1, 5):
            h, e = np.histogram(a, bins)
            case("histogram", [a], [h, e.astype(float)], [bins])
            h, e = np.histogram(a, bins, weights=w)
            case("histogramweights", [a, w], [h.astype(float), e.astype(float)], [bins])
        if n:
            h, e = np.histogram(a, 5, density=True)
            case("histogramdensity", [a], [h, e.astype(float)], [5])
            lo, hi = (-1.0, 1.5) if t in floats else (0, 100)
            h, e = np.histogram(values(t, shape, 9), 4, range=(lo, hi))
            a = values(t, shape, 9, special=t in floats)
            h, e = np.histogram(a, 4, range=(lo, hi))
            case("histogramin", [a], [h, e.astype(float)], [4], [lo, hi])
            edges = [-50, -1, -1, 0, 0.5, 2, 60]
            h, e = np.histogram(a, edges)
            case("histogramedges", [a], [h, e.astype(float)], [], edges)
            h, e = np.histogram(a, edges, weights=w)
            case("histogramedgesweights", [a, w], [h, e.astype(float)], [], edges)
    a = values(t, (30,), 9)
    for rule in ["auto", "sqrt", "sturges", "rice", "scott", "doane", "fd"]:
        case("binedges", [a], np.histogram_bin_edges(a, rule).astype(float), words=[rule])
    x, y, w = values(t, (30,), 9), values(t, (30,), 9), rng.integers(-20, 40, 30) / 8
    h, ex, ey = np.histogram2d(x, y, (3, 5))
    case("histogram2d", [x, y], [h, ex.astype(float), ey.astype(float)], [3, 5])
    h, ex, ey = np.histogram2d(x, y, (4, 2), weights=w, density=True)
    case("histogram2ddensity", [x, y, w], [h, ex.astype(float), ey.astype(float)], [4, 2])
    s = np.stack([x, y, x[::-1]], axis=1)
    h, e = np.histogramdd(s, (2, 3, 2))
    case("histogramdd", [s], [h] + [x.astype(float) for x in e], [2, 3, 2])

methods = ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf",
           "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased"]
qs = [0, 0.1, 0.25, 1 / 3, 0.5, 0.77, 0.9, 1]


def wide(a):
    return np.asarray(a).astype(np.float64)  # so that the places of quantiles are computed in double precision


def quantile(op, f, a, q, axis, keep, method):
    ax = [] if axis is None else list(axis)
    out = f(wide(a), q, axis=axis and tuple(axis) if axis is not None else None, keepdims=bool(keep), method=method)
    case(op, [a], np.asarray(out), [keep, int(np.ndim(q) == 0)] + ax, np.atleast_1d(q), [method])


for t in reals:
    for m in methods:
        if t in ("int32", "float64"):
            quantile("quantile", np.quantile, values(t, (11,), 9), qs, None, 0, m)
        if t not in ("int32", "float64"):
            quantile("quantile", np.quantile, values(t, (8,), 9), qs[1:-1:2], None, 0, m)
        if t in ("int8", "float32"):
            quantile("quantile", np.quantile, values(t, (6, 5), 9), [0.3, 0.6], (0,), 0, m)
    a = values(t, (6, 5), 9)
    b = values(t, (2, 3, 4), 9)
    for axis in [None, (0,), (-1,), (0, 1)]:
        for keep in (0, 1):
            quantile("quantile", np.quantile, a, 0.4, axis, keep, "linear")
            quantile("quantile", np.quantile, b, [0.1, 0.5, 0.8], axis, keep, "linear")
            for op, f in [("median", np.median), ("nanmedian", np.nanmedian)]:
                case(op, [b], f(wide(b), axis=axis, keepdims=bool(keep)), [keep] + list(axis or []))
    quantile("quantile", np.quantile, values(t, (1,)), 0.3, None, 0, "linear")
    case("median", [values(t, (0,))], np.float64(nan), [0])
for t in floats:
    for shape in [(9,), (5, 4), (3, 2, 4)]:
        a = values(t, shape, 9)
        a[rng.random(shape) < 0.3] = nan
        if len(shape) == 2:
            a[:, 1] = nan
        for axis in [None, (0,), (-1,)]:
            for op, f in [("median", np.median), ("nanmedian", np.nanmedian)]:
                case(op, [a], f(wide(a), axis=axis, keepdims=False), [0] + list(axis or []))
            for m in methods[:: 1 if axis is None and len(shape) != 3 else 5]:
                quantile("nanquantile", np.nanquantile, a, [0.2, 0.95], axis, 0, m)
            quantile("quantile", np.quantile, a, [0.2, 0.5], axis, 0, "linear")

with open("order.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(len(cases), "cases")
