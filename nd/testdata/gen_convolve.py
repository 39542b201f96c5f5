#!/usr/bin/env python3
"""Writes convolve.json: what NumPy's convolve and correlate and SciPy's convolve2d
and correlate2d give, for golden_convolve_test.go.

A case is [function, type, mode, ends, fill, axis, shape and values of the operand,
of the kernel, and of the result]; of complex numbers the real and imaginary parts
follow each other. Where SciPy has no such boundary, or gives up on a kernel larger
than the operand, the operand is padded by numpy.pad before.
"""
import json
import os

import numpy as np
from scipy import signal

rng = np.random.default_rng(3)
cases = []
DTYPES = ["float64", "int32", "complex128", "uint8", "float32", "int8", "int64", "complex64", "int16", "uint32"]
PAD = {"fill": "constant", "wrap": "wrap", "symmetric": "symmetric", "edge": "edge", "reflect": "reflect"}
SCIPY = {"fill": "fill", "wrap": "wrap", "symmetric": "symm"}
turn = 0


def array(dtype, shape):
    t = np.dtype(dtype)
    if t.kind == "c":
        return (np.round(rng.normal(size=shape), 3) + 1j * np.round(rng.normal(size=shape), 3)).astype(t)
    if t.kind == "f":
        return np.round(rng.normal(size=shape) * 4, 3).astype(t)
    lo, hi = (0, 250) if t.kind == "u" else (-120, 120)
    return rng.integers(lo, hi, size=shape).astype(t)


def plain(a):
    a = np.asarray(a)
    if a.dtype.kind == "c":
        return np.stack([a.real, a.imag], -1).ravel().astype(float).round(12 if a.dtype == np.complex128 else 6).tolist()
    if a.dtype.kind == "f":
        return a.ravel().astype(float).round(13 if a.dtype == np.float64 else 7).tolist()
    return a.ravel().tolist()


def dtype():
    global turn
    turn += 1
    return DTYPES[turn % len(DTYPES)]


def add(name, t, mode, ends, fill, axis, a, k, res):
    assert res.dtype == np.dtype(t), (name, t, res.dtype)
    cases.append([name, t, mode, ends, fill, axis, list(a.shape), plain(a), list(k.shape), plain(k), list(res.shape), plain(res)])


# vectors
for n, m in [(1, 1), (5, 1), (1, 5), (2, 2), (7, 3), (7, 4), (3, 7), (4, 7), (4, 8), (6, 6), (13, 5), (2, 9), (11, 8), (16, 2)]:
    for mode in ["full", "same", "valid"]:
        for name, f in [("convolve", np.convolve), ("correlate", np.correlate)]:
            for _ in range(2 if n != 1 else 1):
                t = dtype()
                a, v = array(t, n), array(t, m)
                add(name, t, mode, "crop", 0, 0, a, v, f(a, v, mode))
add("convolve", "float64", "full", "crop", 0, 0, np.array(2.5), np.array([1.0, 2]), np.convolve(2.5, [1.0, 2]))

# many vectors
for s, m, axis in [([4, 6], 3, 1), ([6, 4], 3, 0), ([5, 3], 2, -1), ([3, 4], 6, 0), ([2, 5, 3], 4, 1), ([2, 5, 3], 2, 0)]:
    for mode in ["full", "same", "valid"]:
        t = dtype()
        a, v = array(t, s), array(t, m)
        add("along", t, mode, "crop", 0, axis, a, v, np.apply_along_axis(lambda x: np.convolve(x, v, mode), axis, a))


# matrices
def reference(f, a, k, mode, ends, fill):
    """f of a padded by as much as the kernel reaches."""
    p = [(d, d) for d in k.shape]
    b = np.pad(a, p, PAD[ends], **({"constant_values": fill} if ends == "fill" else {}))
    full = f(b, k, "valid")  # kernel's last element over b's first: 1 before a's full
    full = full[1:-1, 1:-1]
    n, m = a.shape, k.shape
    if mode == "full":
        return full
    if mode == "same":
        at = [(d - 1) // 2 if f is signal.convolve2d else d // 2 for d in m]
        return full[at[0]:at[0] + n[0], at[1]:at[1] + n[1]]
    return full[m[0] - 1:n[0], m[1] - 1:n[1]]


for s, ks in [([5, 6], [3, 3]), ([4, 5], [2, 4]), ([6, 4], [1, 3]), ([7, 2], [4, 1]), ([3, 3], [5, 4]), ([5, 5], [5, 5]),
              ([1, 7], [1, 2]), ([2, 3], [4, 5]), ([9, 3], [2, 2])]:
    for mode in ["full", "same", "valid"]:
        for ends in PAD:
            for name, f in [("convolve2d", signal.convolve2d), ("correlate2d", signal.correlate2d)]:
                t = dtype()
                while t in ["int16", "uint32"]:  # the other types do
                    t = dtype()
                fill = 3 if ends == "fill" and turn % 2 else 0
                a, k = array(t, s), array(t, ks)
                if mode == "valid" and (s[0] < ks[0] or s[1] < ks[1]):
                    if s[0] > ks[0] or s[1] > ks[1] or ends != "fill":
                        continue
                    res = f(a, k, mode)
                    if name == "correlate2d" and np.iscomplexobj(res):
                        # Where it exchanges the operands SciPy's correlate2d forgets the
                        # conjugate; its correlate does not.
                        res = signal.correlate(a, k, mode, "direct")
                else:
                    res = reference(f, a, k, mode, ends, fill)
                    if ends in SCIPY and (ends == "fill" or s[0] >= ks[0] and s[1] >= ks[1]):
                        own = f(a, k, mode, SCIPY[ends], fill)
                        assert np.allclose(res, own, 1e-5, 1e-4), (name, t, mode, ends, s, ks, res, own)
                        res = own
                add(name, t, mode, ends, fill, 0, a, k, res)

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "convolve.json")
with open(path, "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(len(cases), "cases", os.path.getsize(path), "bytes")
