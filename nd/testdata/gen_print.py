"""Makes print.json, NumPy's text of arrays. Run it here: python3 gen_print.py

Each case has the type, the shape and the elements of an array, in C order (of
large arrays the number of them, which counts from 0 in steps of step), and what
print shows. Complex numbers are written as two numbers with a comma.
"""

import json

import numpy as np

cases = []


def words(a):
    if a.dtype.kind == "c":
        return " ".join(f"{re!r},{im!r}" for re, im in zip(a.real.ravel().tolist(), a.imag.ravel().tolist()))
    return " ".join(repr(x) for x in a.ravel().tolist())


def case(name, values, dtype):
    a = np.array(values, dtype=dtype)
    cases.append({"name": name, "type": str(a.dtype), "shape": list(a.shape), "values": words(a), "text": str(a)})


def counted(name, shape, dtype, step=1):
    a = (np.arange(np.prod(shape)) * step).astype(dtype).reshape(shape)
    cases.append({"name": name, "type": dtype, "shape": list(shape), "step": step, "text": str(a)})


nan, inf = np.nan, np.inf
draw = np.random.default_rng(1)

numbers_0d = [0, -0.0, 3, 0.1, 1 / 3, -2.5, 123456, 1e6, 1234567.5, 1e15 + 0.5, 1e16, 1e-4, 0.00012, 9e-5, nan, inf, -inf]
for t in ["float64", "float32"]:
    for x in numbers_0d:
        case("0-d", x, t)
for z in [0, 1 + 2j, 2j, complex(-0.0, 1), complex(1, -0.0), 0.1 - 1e20j, 1 / 3 + 1e-7j, complex(nan, inf), complex(0, nan),
          complex(0, -inf), complex(1, -inf), complex(-inf, 1e16)]:
    case("0-d", z, "complex128")
    case("0-d", z, "complex64")
case("0-d", -5, "int8")
case("0-d", 2**64 - 1, "uint64")
case("0-d", True, "bool")

for shape in [(0,), (0, 3), (2, 0), (1, 0, 4)]:
    case("empty", np.zeros(shape), "float64")
    case("empty", np.zeros(shape), "bool")

for name, values in {
    "whole": [1, 2, 3],
    "one decimal": [1.5, 2, -3.25],
    "thirds": [1 / 3, 2 / 3, 1],
    "negative zero": [0.0, -0.0],
    "digits cut at 8": [0.123456789012, 1],
    "rounded up to the point": [0.999999999999, 1.5],
    "ties": [0.000244140625, 0.000732421875, 0.1 + 2**-30],
    "far apart": [1, 1000.5],
    "too far apart": [1, 1001],
    "small": [1e-4, 0.001],
    "too small": [0.9e-4, 0.001],
    "large": [99999999.0, 1e7],
    "too large": [1e8, 2e8],
    "too large, with digits": [123456789.125, 987654321],
    "largest of float32 without exponent": [999999.0, 99999.5],
    "float32 with exponent": [1000000.0, 999999.0],
    "exponents of two widths": [1e100, 1e-3, 1],
    "exponents, digits cut": [1 / 3 * 1e10, 2 / 3 * 1e-10, 1],
    "largest and smallest": [1.7976931348623157e308, 5e-324],
    "nan alone": [nan],
    "infinities alone": [inf, -inf],
    "infinity alone": [inf],
    "nan among whole numbers": [nan, 1, 22],
    "negative infinity among whole numbers": [-inf, 1, 2],
    "infinity among decimals": [inf, 1.25, nan],
    "infinity among exponents": [inf, 1e20, -1e-20],
    "zero among small numbers": [0, 1e-10],
    "many": [x / 7 for x in range(-30, 30)],
    "square": [[1.5, -2], [1000, 0.001]],
    "column": [[1.5], [-20], [nan]],
    "cube": [[[1, 2.5], [3, 4]], [[5, 6], [-7, inf]]],
    "four axes": np.arange(16).reshape(2, 2, 2, 2) / 4,
}.items():
    for t in ["float64", "float32"]:
        with np.errstate(over="ignore"):
            case(name, values, t)

for i in range(40):
    n, scale, digits = draw.integers(1, 8), draw.integers(-9, 9), draw.integers(0, 12)
    x = np.round(draw.normal(size=n), digits) * 10.0 ** scale * 10.0 ** draw.integers(-2, 3, size=n)
    case(f"drawn {i}", x, ["float64", "float32"][i % 2])
for i in range(12):
    z = np.round(draw.normal(size=4) + 1j * draw.normal(size=4), draw.integers(0, 12)) * 10.0 ** draw.integers(-5, 9)
    case(f"drawn complex {i}", z, ["complex128", "complex64"][i % 2])

case("complex", [1 + 2j, -1.5 - 20j, 0], "complex128")
case("complex", [[1 + 2j, 3], [complex(nan, -inf), -1e10j]], "complex128")
case("complex", [1 / 3 + 2 / 3j, 1e7], "complex64")
case("complex", [complex(inf, nan), complex(-0.0, -0.0)], "complex64")
case("bool", [True, True], "bool")
case("bool", [[True, False], [False, False]], "bool")
for t in ["int8", "int16", "int32", "int64"]:
    case("extremes", [np.iinfo(t).min, 0, np.iinfo(t).max, -1], t)
for t in ["uint8", "uint16", "uint32", "uint64"]:
    case("extremes", [[0, np.iinfo(t).max], [7, 42]], t)

for t, step in [("int64", 1), ("int32", -1), ("float64", 1), ("float64", 0.125), ("float32", 1e5)]:
    counted("wrapped", (40,), t, step)
    counted("wrapped rows", (3, 30), t, step)
    counted("just all", (1000,), t, step)
    counted("summarized", (1001,), t, step)
    counted("summarized rows", (50, 60), t, step)
    counted("summarized, few rows", (2, 600), t, step)
    counted("summarized, few columns", (600, 6), t, step)
    counted("summarized, wrapped", (7, 1, 200), t, step)
    counted("summarized cube", (12, 11, 10), t, step)
counted("wrapped", (50,), "complex128", 0.25)
counted("wrapped", (50,), "bool")
case("a word longer than a line", [[[[[[[[[[[[1 + 1j, 2]]]]]]]]]]]], "complex128")
case("deep", np.ones((1,) * 16), "float64")


def optioned(name, a, **options):
    a = np.asarray(a)
    large = a.size > 1000
    c = {"name": name, "type": str(a.dtype), "shape": list(a.shape), "options": options, "text": np.array2string(a, **options)}
    c.update({"step": 1} if large else {"values": words(a)})
    cases.append(c)


mixed = [[1 / 3, -2e-5, 12345.678], [nan, 1e-10, -inf]]
plain = [[1 / 3, -2.5, 12.625], [0.1, 7, -0.0005]]
for t in ["float64", "float32", "complex64", "complex128"]:
    for values in [mixed, plain, [[1e9 / 3, 2, 3e-9]], [[0.0], [2.0]]]:
        for digits in [0, 1, 3, 12]:
            optioned("precision", np.array(values, t), precision=digits)
            optioned("precision, suppressed", np.array(values, t), precision=digits, suppress_small=True)
        optioned("suppressed", np.array(values, t), suppress_small=True)
    for x in [1 / 3, 1e-7, 2, nan]:
        optioned("0-d", np.array(x, t), precision=3)
        optioned("0-d", np.array(x, t), suppress_small=True)
optioned("0-d", np.array(True), precision=3)
optioned("0-d", np.array(-7), precision=3)
for shape in [(20,), (6, 20), (3, 4, 5), (9, 1), (1, 9), (2, 2, 2, 2), (0,), ()]:
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    for t in ["int64", "float64", "bool"]:
        for threshold in [0, 5, 19, 20]:
            for edge in [1, 2, 4]:
                if threshold in (0, 20) or edge == 2:
                    optioned("threshold", a.astype(t), threshold=threshold, edgeitems=edge)
        for sep in [", ", ",", "", " | ", ";  "]:
            optioned("separator", a.astype(t), separator=sep, threshold=30)
        for width in [1, 12, 20, 21, 22, 23, 40, 200]:
            optioned("width", a.astype(t), max_line_width=width, separator=", " if width % 2 else " ")
optioned("large", np.arange(2000.0).reshape(40, 50), threshold=2000, max_line_width=60)
optioned("large", np.arange(2000.0).reshape(40, 50), edgeitems=2, precision=1, separator=", ")

with open("print.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
