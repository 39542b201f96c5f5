#!/usr/bin/env python3
"""Writes indexing.json: NumPy's answers to indexing and assignment.

A case has an operation, a dtype, its operands and the arrays that NumPy gives.
An array is [dtype, shape, values]; complex values are re, im in turn, and NaN is null.
Run it in this folder: python3 gen_indexing.py
"""
import json
import numpy as np

rng = np.random.default_rng(3)
DTYPES = ["bool", "int8", "int32", "int64", "uint8", "float32", "float64", "complex64", "complex128"]
cases = []
turn = 0


def dtype():
    global turn
    turn += 1
    return DTYPES[turn % len(DTYPES)]


def array(shape, dt):
    v = rng.integers(0, 100, shape)
    if dt == "bool":
        return (v % 2).astype(dt)
    if dt.startswith("complex"):
        return (v + 1j * rng.integers(0, 100, shape)).astype(dt)
    if dt.startswith("float"):
        return (v / 4).astype(dt)
    return v.astype(dt)


def enc(a):
    a = np.asarray(a)
    flat = a.ravel()
    if a.dtype.kind == "c":
        flat = np.stack([flat.real, flat.imag], -1).ravel()
    if a.dtype.kind == "b":
        v = [int(x) for x in flat]
    elif a.dtype.kind in "iu":
        v = flat.tolist()
    else:
        v = [None if np.isnan(x) else int(x) if float(x).is_integer() else float(x) for x in flat]
    return [a.dtype.name, list(a.shape), v]


def case(op, dt, a, out, **more):
    c = {"op": op, "dtype": dt, "a": enc(a), "out": [enc(o) for o in out]}
    for k, v in more.items():
        if k in ("keys", "more"):
            c[k] = [None if x is None else enc(x) for x in v]
        elif k in ("mask", "values"):
            c[k] = enc(v)
        else:
            c[k] = v
    cases.append(c)


def idx(n, shape):
    return rng.integers(-n, n, shape) if n else np.zeros(shape, int)


SHAPES = [(7,), (1,), (3, 4), (9, 2), (1, 5), (2, 3, 5), (4, 1, 3)]
for s in SHAPES:
    for ax in range(-len(s), len(s)):
        for ks in [(), (1,), (6,), (2, 3), (0,), (3, 1, 2)]:
            if ax < 0 and ks not in [(6,), ()]:
                continue
            dt = dtype()
            a, k = array(s, dt), idx(s[ax], ks)
            case("take", dt, a, [np.take(a, k, ax)], keys=[k], axis=ax)
case("take", "int32", np.zeros((0, 3), "int32"), [np.zeros((0, 3), "int32")], keys=[np.zeros(0, int)], axis=0)
case("take", "int32", np.zeros((4, 0), "int32"), [np.zeros((2, 0), "int32")], keys=[np.array([1, -1])], axis=0)
for s in SHAPES + [()]:
    for ks in [(), (5,), (2, 3)]:
        dt = dtype()
        a = array(s, dt)
        k = idx(a.size, ks)
        case("takeflat", dt, a, [np.take(a, k)], keys=[k])

# Paired arrays; None is a whole axis.
PAIRS = [
    ((6,), [(4,)]), ((6,), [(2, 2)]), ((6, 2), [(2,), (2,)]), ((6, 2), [(3, 1), (2,)]), ((6, 2), [(), (3,)]),
    ((6, 2), [None, (4,)]), ((6, 2), [(), ()]), ((3, 4, 5), [(3,)]), ((3, 4, 5), [(3,), (3,)]),
    ((3, 4, 5), [(2, 1), (1, 3), (2, 3)]), ((3, 4, 5), [None, (4,), (4,)]), ((3, 4, 5), [(4,), None, (4,)]),
    ((3, 4, 5), [(4,), None, ()]), ((3, 4, 5), [None, (2, 2)]), ((3, 4, 5), [None, (0,), (1,)]), ((3, 4, 5), [None, None, (3,)]),
    ((2, 3, 2, 3), [None, (2,), (2,)]), ((2, 3, 2, 3), [(2,), None, (2,), None]),
]


def pair(s, kss):
    return [None if ks is None else idx(s[j], ks) for j, ks in enumerate(kss)]


def np_keys(keys):
    return tuple(slice(None) if k is None else k for k in keys)


for s, kss in PAIRS:
    for _ in range(2):
        dt = dtype()
        a, keys = array(s, dt), pair(s, kss)
        case("takeat", dt, a, [a[np_keys(keys)]], keys=keys)
        for values in (0, 1, 2):
            dt = dtype()
            a = array(s, dt)
            got = a[np_keys(keys)]
            vs = [got.shape, got.shape[1:], ()][values]
            v = array(vs, dt)
            b = a.copy()
            b[np_keys(keys)] = v
            case("setat", dt, a, [b], keys=keys, values=v)
            if dt == "bool":
                continue
            b = a.copy()
            # NumPy 2.4's add.at reads past the end of values that it has to broadcast.
            np.add.at(b, np_keys(keys), np.broadcast_to(v, got.shape).copy())
            case("addat", dt, a, [b], keys=keys, values=v)

for s in [(6,), (3, 4), (2, 3, 4)]:
    for ax in range(len(s)):
        for ext in (0, 1, 2, 5):
            ks = list(s)
            ks[ax] = ext
            dt = dtype()
            a = array(s, dt)
            k = idx(s[ax], ks)
            case("along", dt, a, [np.take_along_axis(a, k, ax)], keys=[k], axis=ax)
            if len(s) > 1:
                ones = [d if j == ax else 1 for j, d in enumerate(ks)]
                k1 = idx(s[ax], ones)
                case("along", dt, a, [np.take_along_axis(a, k1, ax)], keys=[k1], axis=ax - len(s))
            # NumPy does not say which of equal keys wins here; C order is what it does.
            for vs in [ks, ()]:
                v = array(vs, dt)
                b = a.copy()
                np.put_along_axis(b, k, v, ax)
                case("putalong", dt, a, [b], keys=[k], axis=ax, values=v)

for s in SHAPES:
    for nk, nv in [((4,), 4), ((5,), 2), ((2, 2), 4), ((2,), 5), ((3,), 1), ((0,), 0)]:
        dt = dtype()
        a = array(s, dt)
        k, v = idx(a.size, nk), array((nv,), dt)
        b = a.copy()
        np.put(b, k, v)
        case("put", dt, a, [b], keys=[k], values=v)

for s in SHAPES + [(2, 2, 2, 3), (0, 3), (5, 0)]:
    for lead in range(1, len(s) + 1):
        for density in (0.0, 0.4, 1.0):
            m = rng.random(s[:lead]) < density
            dt = dtype()
            a = array(s, dt)
            case("mask", dt, a, [a[m]], mask=m)
            got = a[m]
            for vs in [got.shape, (got.shape[1:], (), (1,) * got.ndim)[turn % 3]]:
                dt = dtype()
                a, v = array(s, dt), array(vs, dt)
                b = a.copy()
                b[m] = v
                case("setwhere", dt, a, [b], mask=m, values=v)
    m = rng.random(s) < 0.5
    for n in (1, 3, 50):
        dt = dtype()
        a, v = array(s, dt), array((n,), dt)
        b = a.copy()
        np.place(b, m, v)
        case("place", dt, a, [b], mask=m, values=v)
    for k in range(len(s)):
        dt = dtype()
        a = array(s, dt)
        cond = rng.random(max(0, s[k] - k % 2)) < 0.5
        case("compress", dt, a, [np.compress(cond, a, k)], mask=cond, axis=k)
    case("extract", dt, a, [np.extract(m.ravel(), a)], mask=m.ravel())

for s in SHAPES + [(2, 2, 2, 3), (0, 3)]:
    for dt in DTYPES[:2] + [dtype()]:
        a = array(s, dt) * (rng.random(s) < 0.5).astype(dt)
        case("nonzero", dt, a, np.nonzero(a))
        case("argwhere", dt, a, [np.argwhere(a), np.flatnonzero(a)])
case("argwhere", "float64", np.array(np.nan), [np.argwhere(np.array(np.nan)), np.array([0])])

for cs, xs, ys in [((6,), (6,), (6,)), ((3, 4), (3, 4), (3, 4)), ((3, 4), (4,), (3, 1)), ((4,), (3, 4), ()), ((), (3, 4), (3, 4)),
                   ((3, 1), (1, 4), (1,)), ((2, 3, 4), (3, 4), (2, 1, 1)), ((3, 1), (), ()), ((0, 3), (3,), (1, 3))]:
    for _ in range(2):
        dt = dtype()
        m, x, y = rng.random(cs) < 0.5, array(xs, dt), array(ys, dt)
        if dt.startswith("float") and x.size:
            x.flat[0] = np.nan
        case("where", dt, x, [np.where(m, x, y)], mask=m, values=y)
        b = array(np.broadcast_shapes(cs, xs, ys), dt)
        d = b.copy()
        np.copyto(d, y, where=m)
        case("copyto", dt, b, [d], mask=m, values=y)

for s in [(8,), (3, 4)]:
    for _ in range(3):
        dt = dtype()
        conds = [rng.random(s) < 0.4 for _ in range(3)]
        choices = [array(s, dt), array(s[-1:], dt), array((), dt)]
        default = array((), dt)
        case("select", dt, default, [np.select(conds, choices, default)], keys=conds, more=choices)
        index = rng.integers(0, 3, s)
        case("choose", dt, default, [np.choose(index, choices)], keys=[index], more=choices)

for dt in ["int8", "uint8", "float64"]:
    for n in (0, 1, 12):
        a = np.sort(array((n,), dt) % 20)
        for vs in [(), (9,), (3, 4)]:
            v = array(vs, dt) % 20
            if dt.startswith("float"):
                if n == 12:
                    a[-2:] = np.nan
                if v.ndim:
                    v.flat[1] = np.nan
            for side in ("left", "right"):
                case("searchsorted", dt, a, [np.searchsorted(a, v, side)], values=v, side=side)

for s in [(7,), (3, 4), (2, 3, 4)]:
    n = int(np.prod(s))
    for ks in [(), (6,), (2, 3)]:
        k = rng.integers(0, n, ks)
        parts = np.unravel_index(k, s)
        case("unravel", "int64", k, parts, axes=list(s))
        case("ravelmulti", "int64", parts[0], [k], keys=list(parts), axes=list(s))
    case("indices", "int64", 0, [np.indices(s)], axes=list(s))
    case("ix", "int64", 0, [np.broadcast_arrays(*np.ix_([0, 2, 1], [3, 4]))[0]], keys=[np.array([0, 2, 1]), np.array([3, 4])])
for n, k, m in [(4, 0, 4), (3, 1, 5), (5, -2, 3), (2, 4, 3), (0, 0, 2), (3, -7, 3), (3, 7, 3), (6, -1, 1)]:
    case("tril", "int64", 0, np.tril_indices(n, k, m), axes=[n, k, m])
    case("triu", "int64", 0, np.triu_indices(n, k, m), axes=[n, k, m])
for n, d in [(4, 2), (3, 3), (0, 2), (5, 1)]:
    case("diagindices", "int64", 0, np.diag_indices(n, d), axes=[n, d])

# Basic slices: numbers are indices, [start, stop, step] ranges, "n" new axes, "e" the ellipsis.
SLICES = [
    ((6,), [[[1, 5, 2]], [[None, None, -1]], [[-2, None, -2]], [3], [-1], [[2, 100, 1]], [[5, 2, 1]], ["n", 2], [[0, None, -1]], ["e"], []]),
    ((4, 3), [[1], ["e", -1], [[None, None, -1]], [[1, 3, 1], [None, None, -1]], [[None, None, -2], 1], [2, [None, None, -1]], [-1, 0],
              [[0, 4, 3], "n"], ["n", 1, "n"], ["e", [0, 2, 1]], [[3, 0, -1], [2, 0, -1]]]),
    ((2, 3, 4), [[0], ["e", 2], [[None, None, 1], 1], [[None, None, 1], [None, None, -1], [3, 0, -2]], [1, "e", [None, None, -1]],
                 [[None, None, -1], "e", 0], ["n", 0, "n", [0, 2, 1], "n"], [0, 1, 2], [[None, None, 1], [None, None, 1], [1, 3, 1]]]),
]


def py(item):
    if isinstance(item, list):
        return slice(*item)
    return {"n": None, "e": Ellipsis}.get(item, item)


for s, lists in SLICES:
    for items in lists:
        key = tuple(py(i) for i in items)
        dt = dtype()
        a = array(s, dt)
        case("slice", dt, a, [a[key]], items=items)
        shape = a[key].shape
        options = {shape, (), shape[1:]}
        if shape:
            options |= {shape[:-1] + (1,), (1,) * len(shape), (1,) + shape[1:], (1,) + shape}
        for vs in sorted(options):
            dt = dtype()
            a, v = array(s, dt), array(vs, dt)
            b = a.copy()
            b[key] = v
            case("setslice", dt, a, [b], items=items, values=v)

with open("indexing.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
count = {}
for c in cases:
    count[c["op"]] = count.get(c["op"], 0) + 1
print(len(cases), count)
