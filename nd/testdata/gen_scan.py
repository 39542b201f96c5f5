#!/usr/bin/env python3
"""Writes scan.json: NumPy's cumulative sums, differences, gradients, integrals and
interpolations, for golden_scan_test.go.

A case is [function, type, inputs, arguments, results]. An input or result is
[type, shape, values], the values in C order as words between spaces.
"""
import json
import os

import numpy as np

rng = np.random.default_rng(20240517)
cases = []
INTS = ["int8", "int32", "int64", "uint8"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NUMBERS = INTS + FLOATS + COMPLEX


def word(x):
    if np.iscomplexobj(x):
        return word(x.real) + "," + word(x.imag)
    if isinstance(x, (bool, np.bool_)):
        return str(bool(x))
    if isinstance(x, np.floating):
        return str(x) if np.isfinite(x) else {True: "nan"}.get(bool(np.isnan(x)), "inf" if x > 0 else "-inf")
    return str(int(x))


def array(a):
    a = np.asarray(a)
    return [str(a.dtype), list(a.shape), " ".join(word(x) for x in a.ravel())]


def case(name, ins, args, out):
    outs = out if isinstance(out, (list, tuple)) else [out]
    cases.append([name, str(ins[0].dtype), [array(a) for a in ins], args, [array(o) for o in outs]])


def data(dtype, shape):
    dtype = np.dtype(dtype)
    if dtype == bool:
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        lo, hi = max(info.min, -1000), min(info.max, 1000)
        return rng.integers(lo, hi, shape, endpoint=True).astype(dtype)
    x = rng.integers(-400, 400, shape) / 8
    if dtype.kind == "c":
        x = x + 1j * (rng.integers(-400, 400, shape) / 8)
    return np.asarray(x).astype(dtype)


def small(dtype, shape):  # for products
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        return (rng.integers(1, 4, shape)).astype(dtype)
    x = rng.integers(20, 45, shape) / 32 * rng.choice([-1, 1], shape)
    if dtype.kind == "c":
        x = x + 1j * (rng.integers(-30, 30, shape) / 32)
    return np.asarray(x).astype(dtype)


SHAPES = [([7], [0, None]), ([5, 4], [0, 1, None]), ([2, 3, 4], [0, 1, -1]), ([1], [0]), ([0], [0, None]), ([3, 0], [0, 1]),
          ([1, 9], [0, 1, None]), ([13, 2], [-2])]


# sums and products in the type itself
with np.errstate(all="ignore"):
    for i, dtype in enumerate(NUMBERS):
        for j, (shape, axes) in enumerate(SHAPES):
            for k, axis in enumerate(axes):
                if (i + j + k) % 3 == 0:
                    a = data(dtype, shape)
                    case("cumsum", [a], {"axis": axis}, np.cumsum(a, axis, dtype=dtype))
                if (i + j + k) % 3 == 1:
                    a = small(dtype, shape)
                    case("cumprod", [a], {"axis": axis}, np.cumprod(a, axis, dtype=dtype))
                if (i + 2 * j + k) % 5 == 0:
                    a = data(dtype, shape)
                    ax = 0 if axis is None else axis
                    case("cumulativesum", [a], {"axis": ax}, np.cumulative_sum(a, axis=ax, include_initial=True, dtype=dtype))
                if (i + 2 * j + k) % 5 == 1:
                    a = small(dtype, shape)
                    ax = 0 if axis is None else axis
                    case("cumulativeprod", [a], {"axis": ax}, np.cumulative_prod(a, axis=ax, include_initial=True, dtype=dtype))
    case("cumsum", [np.array(3.5)], {"axis": None}, np.cumsum(np.array(3.5)))
    case("cumprod", [np.array(3)], {"axis": None}, np.cumprod(np.array(3)))
    case("cumsum", [np.full(9, 100, np.int8)], {"axis": 0}, np.cumsum(np.full(9, 100, np.int8), dtype=np.int8))
    case("cumsum", [np.full((3, 40), 7, np.uint8)], {"axis": 1}, np.cumsum(np.full((3, 40), 7, np.uint8), 1, dtype=np.uint8))
    for shape, axis in [([12, 9], 0), ([12, 9], 1), ([4, 3, 11], 0), ([4, 3, 11], 1), ([30], 0), ([3, 20], 0)]:  # rows side by side
        for dtype in ["int64", "float64", "float32", "complex128"]:
            a, b = data(dtype, shape), small(dtype, shape)
            case("cumsum", [a], {"axis": axis}, np.cumsum(a, axis, dtype=dtype))
            case("cumprod", [b], {"axis": axis}, np.cumprod(b, axis, dtype=dtype))

    # in a wider type
    for dtype, to in [("int8", "int64"), ("uint8", "int32"), ("int32", "float64"), ("float32", "float64"), ("int8", "float32"),
                      ("float64", "int64"), ("int64", "int8")]:
        for shape, axis in [([8], 0), ([4, 3], 0), ([4, 3], 1), ([2, 3, 3], None)]:
            a = data(dtype, shape)
            case("cumsumas", [a], {"axis": axis, "to": to}, np.cumsum(a.astype(to), axis, dtype=to))
            b = small(dtype, shape) if dtype != "float64" else np.round(data(dtype, shape))
            case("cumprodas", [b], {"axis": axis, "to": to}, np.cumprod(b.astype(to), axis, dtype=to))

    # extremes, with NaN
    for dtype in INTS + FLOATS:
        for shape, axis in [([7], 0), ([5, 4], 0), ([5, 4], 1), ([2, 3, 9], 1), ([2, 3, 2], None), ([0], 0), ([3, 0], 0), ([10, 9], 0)]:
            for nans in [0, 1] if dtype in FLOATS else [0]:
                a = data(dtype, shape)
                if nans and a.size:
                    a.flat[rng.integers(0, a.size, 1 + a.size // 8)] = np.nan
                    a.flat[rng.integers(0, a.size)] = rng.choice([np.inf, -np.inf])
                acc = a.ravel() if axis is None else a
                case("cummax", [a], {"axis": axis}, np.maximum.accumulate(acc, axis or 0))
                case("cummin", [a], {"axis": axis}, np.minimum.accumulate(acc, axis or 0))
    for word_ in ["int8", "int64", "uint8"]:
        info = np.iinfo(word_)
        a = np.array([info.min, info.min, 3, info.max, 0], word_)
        case("cummax", [a], {"axis": 0}, np.maximum.accumulate(a))
        case("cummin", [a[::-1].copy()], {"axis": 0}, np.minimum.accumulate(a[::-1]))

    # NaN, infinities and zeros in sums and products
    for dtype in FLOATS + COMPLEX:
        for shape, axis in [([9], 0), ([6, 4], 0), ([4, 6], 1), ([3, 2, 2], None), ([5, 10], 0), ([1, 1], 0)]:
            a, b = data(dtype, shape), small(dtype, shape)
            for x in (a, b):
                x.flat[rng.integers(0, x.size, 1 + x.size // 4)] = np.nan
            case("nancumsum", [a], {"axis": axis}, np.nancumsum(a, axis))
            case("nancumprod", [b], {"axis": axis}, np.nancumprod(b, axis))
            if dtype in FLOATS:
                case("cumsum", [a], {"axis": axis}, np.cumsum(a, axis))
    for values in [[1, np.inf, 2, -1], [np.inf, 1, -np.inf, 5], [-np.inf, 3, 3, -np.inf], [1, np.nan, np.inf], [0.0, np.inf, 1]]:
        a = np.array(values)
        case("cumsum", [a], {"axis": 0}, np.cumsum(a))
        case("cumprod", [a], {"axis": 0}, np.cumprod(a))
        case("nancumsum", [a], {"axis": 0}, np.nancumsum(a))
    for name in ["nancumsum", "nancumprod"]:
        a = data("int32", [4, 3])
        case(name, [a], {"axis": 0}, getattr(np, name)(a, 0, dtype=np.int32))

    # differences
    for i, dtype in enumerate(["bool"] + NUMBERS):
        for j, (shape, n, axis) in enumerate([([9], 1, 0), ([9], 2, -1), ([9], 3, 0), ([9], 8, 0), ([9], 9, 0), ([9], 12, 0), ([9], 0, 0),
                                              ([5, 4], 1, 0), ([5, 4], 1, 1), ([5, 4], 2, 0), ([4, 5], 3, 1), ([2, 6, 3], 1, 1), ([2, 6, 3], 4, 1),
                                              ([1], 1, 0), ([0], 1, 0), ([0, 3], 1, 0), ([0, 3], 1, 1), ([3, 0], 2, 0), ([25], 5, 0), ([2, 3, 4], 1, -1)]):
            if (i + j) % 3 == 0:
                a = data(dtype, shape)
                case("diff", [a], {"axis": axis, "n": n}, np.diff(a, n, axis))
    for i, dtype in enumerate(["float64", "int32", "uint8", "complex64", "bool"]):
        for j, (shape, n, axis, pre, app) in enumerate([([7], 1, 0, [2], None), ([7], 1, 0, None, [3]), ([7], 2, 0, [1], [1]), ([7], 1, 0, [], []),
                                                        ([4, 3], 1, 0, [], None), ([4, 3], 1, 1, None, []), ([4, 3], 1, 0, [2, 3], [1, 3]),
                                                        ([4, 3], 2, 1, [4, 1], None), ([0], 1, 0, [3], [2]), ([2, 3, 4], 1, 1, [2, 1, 4], []),
                                                        ([3], 6, 0, [2], [3])]):
            if (i + j) % 2 and i > 1:
                continue
            a, kw, ins, args = data(dtype, shape), {}, [], {"axis": axis, "n": n}
            ins.append(a)
            for key, s in [("prepend", pre), ("append", app)]:
                if s is not None:
                    x = data(dtype, s)
                    args[key] = len(ins)
                    ins.append(x)
                    kw[key] = x
            case("diff", ins, args, np.diff(a, n, axis, **kw))
    for dtype, shape, begin, end in [("float64", [6], 0, 0), ("int32", [3, 4], 0, 0), ("int64", [6], 2, 0), ("float32", [6], 0, 3), ("uint8", [2, 2, 2], 1, 1),
                                     ("int64", [0], 2, 1), ("float64", [1], 1, 1), ("complex128", [5], 1, 2), ("float64", [], 0, 0)]:
        a, b, e = data(dtype, shape), data(dtype, [begin]), data(dtype, [end])
        case("ediff1d", [a, b, e], {}, np.ediff1d(a, to_begin=b if begin else None, to_end=e if end else None))

    # gradients
    for i, dtype in enumerate(FLOATS + COMPLEX):
        for j, (shape, axis) in enumerate([([9], 0), ([3], 0), ([5, 4], 0), ([5, 4], 1), ([3, 5, 4], 1), ([3, 4, 5], -1), ([20], 0), ([2, 3, 0], 1)]):
            for order in [1, 2]:
                a = data(dtype, shape)
                n = shape[axis]
                x = np.cumsum(rng.integers(1, 9, n)) / 8
                if (i + j) % 2:
                    case("gradient", [a], {"axis": axis, "order": order}, np.gradient(a, axis=axis, edge_order=order))
                    case("gradient", [a], {"axis": axis, "order": order, "x": [list(x)]}, np.gradient(a, x, axis=axis, edge_order=order))
                else:
                    case("gradient", [a], {"axis": axis, "order": order, "h": [0.25]}, np.gradient(a, 0.25, axis=axis, edge_order=order))
    for shape, n in [([2], 2), ([2, 4], 2)]:
        a = data("float64", shape)
        case("gradient", [a], {"axis": 0, "order": 1}, np.gradient(a, axis=0))
        case("gradient", [a], {"axis": 0, "order": 1, "x": [[1, 1.5]]}, np.gradient(a, [1, 1.5], axis=0))
    a = data("float64", [6])
    case("gradient", [a], {"axis": 0, "order": 2, "x": [list(range(6))]}, np.gradient(a, range(6), edge_order=2))
    for shape in [[5, 4], [3, 4, 3], [7]]:
        a = data("float64", shape)
        case("gradients", [a], {"order": 1}, np.gradient(a))
        case("gradients", [a], {"order": 2, "h": [0.5]}, np.gradient(a, 0.5, edge_order=2))
        h = [0.5 * (k + 1) for k in range(len(shape))]
        case("gradients", [a], {"order": 1, "h": h}, np.gradient(a, *h))
        xs = [list(np.cumsum(rng.integers(1, 9, d)) / 8) for d in shape]
        case("gradients", [a], {"order": 2, "x": xs}, np.gradient(a, *[np.array(x) for x in xs], edge_order=2))

    # integrals
    for dtype in FLOATS + COMPLEX:
        for shape, axis in [([9], 0), ([5, 4], 0), ([5, 4], -1), ([2, 6, 3], 1), ([1], 0), ([0], 0), ([2], 0), ([1, 4], 0), ([3, 0], 0)]:
            a = data(dtype, shape)
            case("trapezoid", [a], {"axis": axis, "h": [0.25]}, np.trapezoid(a, dx=0.25, axis=axis))
            x = (np.cumsum(rng.integers(1, 9, shape[axis])) / 8).astype(dtype)
            case("trapezoidat", [a, x], {"axis": axis}, np.trapezoid(a, x, axis=axis))
            if len(shape) > 1 and a.size:
                x = data(dtype, shape)
                case("trapezoidat", [a, x], {"axis": axis}, np.trapezoid(a, x, axis=axis))

    # interpolation
    for dtype in FLOATS:
        xp = np.array([-2, -1, 0.5, 0.5, 3, 7], dtype)
        fp = np.array([1, 4, -2, 5, 0.5, 2], dtype)
        for shape in [[11], [3, 4], [], [0]]:
            x = (rng.integers(-300, 900, shape) / 100).astype(dtype)
            case("interp", [x, xp, fp], {}, np.interp(x, xp, fp).astype(dtype))
        x = np.array([-3, -2, -1.5, -1, 0, 0.5, 0.75, 3, 7, 7.5, np.nan, np.inf, -np.inf], dtype)
        case("interp", [x, xp, fp], {}, np.interp(x, xp, fp).astype(dtype))
        case("interp", [x, xp, fp], {"left": -9}, np.interp(x, xp, fp, left=-9).astype(dtype))
        case("interp", [x, xp, fp], {"left": -9, "right": 8}, np.interp(x, xp, fp, left=-9, right=8).astype(dtype))
        y = x[:10]
        p = np.array([1, 5, -3, 8], dtype)
        case("interp", [y, p, fp[:4]], {"period": 10}, np.interp(y, p, fp[:4], period=10).astype(dtype))
        case("interp", [y, p, fp[:4]], {"period": -4.5}, np.interp(y, p, fp[:4], period=-4.5).astype(dtype))
        case("interp", [x, xp[:1], fp[:1]], {}, np.interp(x, xp[:1], fp[:1]).astype(dtype))
        case("interp", [x, xp[:1], fp[:1]], {"left": 0, "right": 1}, np.interp(x, xp[:1], fp[:1], left=0, right=1).astype(dtype))
        case("interp", [x, xp[1:3], np.array([np.inf, np.inf], dtype)], {}, np.interp(x, xp[1:3], [np.inf, np.inf]).astype(dtype))
        case("interp", [x, xp[1:3], np.array([1, np.inf], dtype)], {}, np.interp(x, xp[1:3], [1, np.inf]).astype(dtype))

    # angles
    for dtype in FLOATS:
        for shape, axis in [([12], 0), ([5, 4], 0), ([5, 4], -1), ([2, 6, 3], 1), ([1], 0), ([0], 0), ([2], 0), ([3, 0], 0)]:
            a = (rng.integers(-40, 40, shape) / 8).astype(dtype)
            case("unwrap", [a], {"axis": axis, "period": 4}, np.unwrap(a, period=4, axis=axis).astype(dtype))
            a = rng.uniform(-7, 7, shape).astype(dtype)
            case("unwrap", [a], {"axis": axis, "period": 2 * np.pi}, np.unwrap(a, axis=axis).astype(dtype))
    a = np.array([0, 3, 1, np.nan, 2, 9])
    case("unwrap", [a], {"axis": 0, "period": 4}, np.unwrap(a, period=4))

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scan.json")
with open(path, "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(len(cases), "cases", os.path.getsize(path), "bytes")
