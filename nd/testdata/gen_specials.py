#!/usr/bin/env python3
"""Writes specials.json: what NumPy's windows, sequences and functions of two
results return, for golden_specials_test.go.

A case is [function, operands, result type, result shape, result values], where an
operand is [type, shape, values], or a number. Values are words in one string.
"""
import json
import os

import numpy as np

np.seterr(all="ignore")
cases = []


def words(a):
    if a.dtype.kind == "c":
        return " ".join(f"{re!s},{im!s}" for re, im in zip(a.real.ravel(), a.imag.ravel()))
    return " ".join(str(x) for x in a.ravel())


def array(a):
    a = np.asarray(a)
    return [str(a.dtype), list(a.shape), words(a)]


def case(f, operands, want):
    cases.append([f, [array(o) if isinstance(o, np.ndarray) else o for o in operands], *array(want)])


for n in [0, 1, 2, 3, 8, 13]:
    for f in ["Bartlett", "Blackman", "Hamming", "Hanning"]:
        case(f, [n], getattr(np, f.lower())(n))
    for beta in [0, 2.5, 14]:
        case("Kaiser", [n, beta], np.kaiser(n, beta))
    for start, stop in [(0, 3), (2, -1), (0.5, 0.5)]:
        for base in [10, 2, 2.5]:
            case("LogSpace", [start, stop, n, base], np.logspace(start, stop, n, base=base))
    for start, stop in [(1, 1000), (2, 0.25), (-3, -81), (5, 5), (1e-200, 1e200)]:
        case("GeomSpace", [start, stop, n], np.geomspace(start, stop, n))

v = np.array([0, -0.0, 1, -1, 0.5, -2.75, 3.999, 1e10, -1e-10, 1e-300, 1e300, 123.456, np.inf, -np.inf, np.nan])
for t in ["float32", "float64"]:
    for shape in [(15,), (3, 5), (1, 15)]:
        x = v.astype(t).reshape(shape)
        whole = np.modf(x)
        case("Fraction", [x], whole[0])
        case("Whole", [x], whole[1])
        m, e = np.frexp(x)
        e = np.where(np.isfinite(x), e, 0).astype("int32")  # NumPy leaves it open
        case("Mantissa", [x], m)
        case("Exponent", [x], e)
        case("LdExp", [x, np.array([3], "int32")], np.ldexp(x, 3))
    x = v.astype(t)
    case("LdExp", [x[:, None], np.array([0, 1, -1, 60, -1100, 1100], "int32")], np.ldexp(x[:, None], np.array([0, 1, -1, 60, -1100, 1100], "int32")))
    case("PolyVal", [np.array([1, -2, 0.5], t), x[:7].reshape(7, 1)], np.polyval(np.array([1, -2, 0.5], t), x[:7].reshape(7, 1)))
for t in ["int8", "int32", "int64", "uint8"]:
    i = np.iinfo(t)
    x = np.array([0, 1, 2, 3, 7, 100, i.max, i.min, i.max - 1, i.min + 1], t)
    case("BitwiseCount", [x], np.bitwise_count(x))
    case("BitwiseCount", [x.reshape(2, 5)], np.bitwise_count(x.reshape(2, 5)))
    case("PolyVal", [np.array([2, 1, 3], t), x], np.polyval(np.array([2, 1, 3], t), x).astype(t))
    case("PolyVal", [np.array([], t), x], np.zeros_like(x))
for t in ["complex64", "complex128"]:
    p, x = np.array([1, 2j, -1], t), np.array([[1, 1j, 0.5 - 0.25j], [0, -2, 3 + 1j]], t)
    case("PolyVal", [p, x], np.polyval(p, x))

draw = np.random.default_rng(3)
for t in ["int32", "float64", "uint8", "complex64"]:
    for shape in [(7,), (1,), (4, 5), (3, 2, 4), (0, 3), (5, 1)]:
        x = draw.integers(0, 9, shape).astype(t)
        for axis in range(-1, len(shape)):
            if x.size:
                case("ReverseAlong", [x, axis], np.apply_along_axis(lambda v: v[::-1], axis, x))
            if shape[axis]:
                case("EndsAlong", [x, axis], np.stack([np.take(x, 0, axis), np.take(x, -1, axis)], axis))

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "specials.json")
with open(path, "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(len(cases), "cases", os.path.getsize(path), "bytes")
