#!/usr/bin/env python3
"""Writes fft.json: what NumPy's Fourier transforms give, for golden_fft_test.go.

The operands are element(i) in C order, computed alike there: small multiples of
1/4, exact in every type. A case is [function, dtype of the operand, dtype of the
result, shape, axes or null, lengths or null, norm, result shape, result], complex
results as pairs in turn. NumPy computes in double precision; float32 operands too,
as those of fft.json are exact.
"""
import json
import os

import numpy as np

cases = []
NORMS = ["backward", "ortho", "forward"]


def operand(shape, dtype):
    i = np.arange(int(np.prod(shape)), dtype=np.int64)
    re, im = (i * 7 + 3) % 11 - 5, (i * i * 5 + i) % 13 - 6
    if dtype.startswith("complex"):
        return ((re + 1j * im) / 4).reshape(shape)
    if dtype.startswith("float"):
        return (re / 4).reshape(shape)
    return re.astype(dtype).reshape(shape)


REAL_OUT = {"irfft", "hfft", "irfft2", "irfftn"}
turn = 0


def case(name, dtype, shape, axes=None, lengths=None, norm="backward", single=False):
    a = operand(shape, dtype)
    f = getattr(np.fft, name)
    kw = {"norm": norm}
    if name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
        kw["axis"] = -1 if axes is None else axes[0]
        if lengths:
            kw["n"] = lengths[0]
    else:
        if axes is not None:
            kw["axes"] = axes
        if lengths:
            kw["s"] = lengths
            kw.setdefault("axes", list(range(-len(lengths), 0)))
    r = f(a, **kw)
    bits = 64 if single else 128
    out = "float%d" % (bits // 2) if name in REAL_OUT else "complex%d" % bits
    r = np.ascontiguousarray(r)
    flat = r.ravel().view(np.float64) if np.iscomplexobj(r) else r.ravel()
    digits = 9 if single else 15
    values = [float("%.*g" % (digits, v)) if abs(v) > 1e-13 else 0 for v in flat]
    values = [int(v) if v == int(v) else v for v in values]
    cases.append([name, dtype, out, list(shape), axes, lengths, NORMS.index(norm), list(r.shape), values])


def operand_dtypes(name):
    """The types of operands in double and in single precision."""
    if name in ("rfft", "ihfft", "rfft2", "rfftn"):
        return ["float64", "int32", "float32", "uint8"]
    if name in REAL_OUT:
        return ["complex128", "complex128", "complex64"]
    return ["complex128", "float64", "complex64", "int64", "float32", "int8"]


def each(name, *args, **kw):
    """A case with the next of the types and norms."""
    global turn
    types = operand_dtypes(name)
    dtype = types[turn % len(types)]
    norm = NORMS[turn // 2 % 3]
    single = dtype in ("float32", "complex64", "uint8", "int8")
    case(name, dtype, *args, norm=norm, single=single, **kw)
    turn += 1


ONE = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
# lengths: 1, 2, primes, powers, composites, a prime that is a convolution
for name in ONE:
    for n in [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 16, 25, 30, 36, 47]:
        if n == 1 and name in ("irfft", "hfft"):
            continue
        each(name, [n])
case("fft", "complex128", [101])
case("fft", "float64", [113])
case("ifft", "complex128", [103])
case("rfft", "float64", [107])
case("irfft", "complex128", [55], lengths=[109])
# padding and cropping
for name in ONE:
    for shape, n in [([7], 12), ([7], 4), ([7], 1), ([6], 7), ([1], 5), ([9], 9), ([5], 17)]:
        each(name, shape, lengths=[n])
# axes, with and without padding
for name in ONE:
    for shape in [[4, 5], [7, 3], [2, 3, 4], [6, 1], [1, 8], [9, 2, 2]]:
        for axis in range(len(shape)):
            if shape[axis] == 1 and name in ("irfft", "hfft"):
                continue
            each(name, shape, axes=[axis - len(shape) if turn % 2 else axis])
    each(name, [4, 5], axes=[0], lengths=[6])
    each(name, [4, 5], axes=[0], lengths=[3])
    each(name, [4, 5], axes=[-1], lengths=[8])
    each(name, [2, 7, 3], axes=[1], lengths=[4])
    each(name, [0, 5], axes=[1])
    each(name, [3, 0], axes=[0])
# several axes
for name in ["fft2", "ifft2", "rfft2", "irfft2"]:
    for shape in [[4, 5], [5, 4], [7, 7], [2, 3, 4], [1, 6]]:
        each(name, shape)
    each(name, [5, 6], lengths=[3, 8])
    each(name, [5, 6], lengths=[7, 4])
    each(name, [3, 4, 5], axes=[0, 1])
    each(name, [3, 4, 5], axes=[2, 0])
    each(name, [3, 4, 2], axes=[-1, 0], lengths=[5, 2])
for name in ["fftn", "ifftn", "rfftn", "irfftn"]:
    for shape in [[6], [4, 5], [8, 3], [3, 4, 5], [4, 2, 3], [2, 3, 2, 2]]:
        each(name, shape)
    for axes in [[0], [1], [0, 2], [2, 0], [1, 0], [-1, -2], [1, 2, 0], [0, 0], [1, 0, 1]]:
        each(name, [3, 4, 5] if len(axes) < 3 else [3, 5, 2], axes=axes)
    each(name, [3, 4, 5], axes=[0, 1], lengths=[5, 2])
    each(name, [3, 4, 5], lengths=[2, 9])
    each(name, [3, 4, 5], axes=[2, 0], lengths=[-1, 4])
    each(name, [5, 3], lengths=[9, 2])
    each(name, [5, 3], axes=[1, 0], lengths=[4, 8])
    each(name, [0, 4], axes=[1])
case("fftn", "complex128", [3, 4], axes=[])
case("ifftn", "float64", [5], axes=[])

# frequencies and shifts: [function, n, spacing, values], [function, shape, axes or null, where each element comes from]
for n in [1, 2, 3, 8, 9, 10]:
    for d in [1.0, 0.125, 0.3]:
        cases.append(["fftfreq", n, d, np.fft.fftfreq(n, d).tolist()])
        cases.append(["rfftfreq", n, d, np.fft.rfftfreq(n, d).tolist()])
for name in ["fftshift", "ifftshift"]:
    for shape in [[1], [6], [7], [4, 5], [3, 2, 5], [0, 3]]:
        a = np.arange(int(np.prod(shape))).reshape(shape)
        cases.append([name, shape, None, getattr(np.fft, name)(a).ravel().tolist()])
        for axes in [[0], [-1]]:
            cases.append([name, shape, axes, getattr(np.fft, name)(a, axes).ravel().tolist()])
    a = np.arange(30).reshape(3, 2, 5)
    cases.append([name, [3, 2, 5], [2, 0], getattr(np.fft, name)(a, (2, 0)).ravel().tolist()])

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "fft.json"), "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(len(cases), "cases")
