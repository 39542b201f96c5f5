"""Makes elementwise.txt, NumPy's results for the elementwise operations. Run it
here: python3 gen_elementwise.py

Lines are "list NAME TYPE value…", operands by name, and "OP TYPE LIST RESULT
value…", the results of an operation on a list. A binary operation is applied to
every pair of the list, the left operand changing slowest. Complex numbers are
written as two numbers with a comma.
"""

import numpy as np

np.seterr(all="ignore")

signed = ["int8", "int16", "int32", "int64"]
unsigned = ["uint8", "uint16", "uint32", "uint64"]
integers = signed + unsigned
floats = ["float32", "float64"]
complexes = ["complex64", "complex128"]
reals = integers + floats
inexact = floats + complexes
numbers = reals + complexes
elements = ["bool"] + numbers


def integer_values(t):
    i = np.iinfo(t)
    v = [0, 1, 2, 3, 5, 7, 12, 100, i.bits - 1, i.bits, i.max - 1, i.max]
    return v + ([-1, -2, -3, -7, i.min, i.min + 1] if i.min else [i.max // 2 + 1])


def float_values(t):
    small, large = (1e-40, 1e38) if t == "float32" else (1e-310, 1e300)
    return [0, -0.0, 1, -1, 0.5, -0.5, 2, -3, 2.5, -7.5, 0.1, small, large, np.inf, -np.inf, np.nan]


def more_floats(t):
    f, far = np.finfo(t), [88.9, 104.0] if t == "float32" else [710.1, 745.2]
    v = [1.5, 3.5, 0.3, 4, 8, 10, 1000, 1e5, 2.0**-5, 1 / 3, 0.75, 1.25, np.pi / 2, 3, 30, 1e-3, 1e-10, 1e9, 1e22,
         1 + 1e-6, 1 - 1e-6, f.max, f.tiny, f.eps, 1 + f.eps, 1 - f.epsneg, 0.9999, 25.25] + far
    return float_values(t) + v + [-x for x in v]


def complex_values(t):
    return [0, 1, -1, 1j, -1j, 2 + 3j, -0.5 + 0.25j, 3 - 4j, -2, 0.1 + 0.2j, 1e10 - 1e-10j, -1e-5 - 1e5j]


def special_complex(t):
    parts = [1.0, np.nan, np.inf, -np.inf]
    return complex_values(t) + [complex(x, y) for x in parts for y in parts]


def more_complex(t):
    parts = [0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 1e-10, -1e10, 0.9999, 50]
    if t == "complex128":
        parts += [-400, 720, 1e200, -1e-200]
    return [complex(x, y) for x in parts for y in parts]


def small_complex(t):
    return [0, 1, -1, 1j, -1j, 2 + 3j, -0.5 + 0.25j, 3 - 4j, -2, 0.1 + 0.2j, 0.5 + 0.5j, -1.5 - 0.7j]


lists = {
    "edge": {"bool": [False, True]} | {t: integer_values(t) for t in integers}
            | {t: float_values(t) for t in floats} | {t: complex_values(t) for t in complexes},
    "more": {t: more_floats(t) for t in floats} | {t: more_complex(t) for t in complexes},
    "small": {t: small_complex(t) for t in complexes},
    "special": {t: special_complex(t) for t in complexes},
    # Within the range of every type, but for integers, which wrap. The large one
    # is not the same when it becomes a float32 by way of a float64.
    "convert": {"bool": [False, True]} | {t: integer_values(t) + [2**54 + 2**30 + 1] * (t[-2:] == "64") for t in integers}
               | {t: [0, -0.0, 0.5, 0.999, 1, 1.5, 2.9, 100, 126.99] for t in floats}
               | {t: [0, 1j, 1.5 - 2j, -3] for t in complexes},
}
lists = {name: {t: np.array(v, dtype=t) for t, v in by.items()} for name, by in lists.items()}


def power(x, y):
    """An integer to a negative power is what is left of the fraction."""
    if not np.issubdtype(x.dtype, np.integer):
        return np.power(x, y)
    n = np.iinfo(x.dtype).bits

    def one(a, b):
        a, b = int(a), int(b)
        if b < 0:
            p = 1 if a == 1 or a == -1 and b % 2 == 0 else a if a == -1 else 0
        else:
            p = pow(a, b, 2**n)
        return p % 2**n

    out = np.array([one(a, b) for a, b in zip(*(z.ravel() for z in np.broadcast_arrays(x, y)))], dtype=f"uint{n}")
    return out.astype(x.dtype)


def conversions(t):
    """The types that numbers of type t are converted to."""
    return complexes + ["bool"] if t in complexes else elements


def wide(f):
    """f in double precision, rounded to the type of its argument."""
    return lambda x: f(x.astype(float)).astype(x.dtype)


def sinc(x):
    """np.sinc, but 0 at whole numbers, where that is 4e-17."""
    n = np.round(x)
    s = np.sin(np.pi * (x - n))
    return np.where(x == 0, 1, np.where(np.fmod(n, 2) != 0, -s, s) / (np.pi * x))


unary = [
    (numbers, {"Neg": np.negative, "Square": np.square}),
    (reals, {"Abs": np.abs, "Sign": np.sign}),
    (complexes, {"Conj": np.conj, "RealPart": np.real, "ImagPart": np.imag, "Modulus": np.abs, "Angle": np.angle}),
    (inexact, {"Reciprocal": np.reciprocal, "Sqrt": np.sqrt, "Exp": np.exp, "Exp2": np.exp2, "Log": np.log,
               "Log2": np.log2, "Log10": np.log10, "Sin": np.sin, "Cos": np.cos, "Tan": np.tan,
               "Asin": np.arcsin, "Acos": np.arccos, "Atan": np.arctan, "Sinh": np.sinh, "Cosh": np.cosh,
               "Tanh": np.tanh, "Asinh": np.arcsinh, "Acosh": np.arccosh, "Atanh": np.arctanh}),
    (floats, {"Cbrt": np.cbrt, "Expm1": np.expm1, "Log1p": np.log1p, "Deg2Rad": np.deg2rad, "Rad2Deg": np.rad2deg,
              "Sinc": wide(sinc), "I0": wide(np.i0), "Spacing": np.spacing,
              "Floor": np.floor, "Ceil": np.ceil, "Trunc": np.trunc, "Rint": np.rint, "SignBit": np.signbit}
             | {f"Round({d})": lambda x, d=d: np.round(x, d) for d in [-2, -1, 0, 1, 2, 3]}),
    (["bool"] + integers, {"BitNot": np.bitwise_not}),
    (elements, {"LogicalNot": np.logical_not}),
    (inexact, {"IsNaN": np.isnan, "IsInf": np.isinf, "IsFinite": np.isfinite}),
]

binary = [
    (numbers, {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Pow": power}),
    (inexact, {"Div": np.divide}),
    (reals, {"FloorDiv": np.floor_divide, "Remainder": np.remainder, "FMod": np.fmod, "Maximum": np.maximum,
             "Minimum": np.minimum, "FMax": np.fmax, "FMin": np.fmin}),
    (floats, {"Heaviside": np.heaviside, "Atan2": np.arctan2, "Hypot": np.hypot, "CopySign": np.copysign,
              "NextAfter": np.nextafter, "LogAddExp": np.logaddexp, "LogAddExp2": np.logaddexp2}),
    (["bool"] + integers, {"BitAnd": np.bitwise_and, "BitOr": np.bitwise_or, "BitXor": np.bitwise_xor}),
    (integers, {"LeftShift": np.left_shift, "RightShift": np.right_shift, "GCD": np.gcd, "LCM": np.lcm}),
    (elements, {"Equal": np.equal, "NotEqual": np.not_equal, "LogicalAnd": np.logical_and,
                "LogicalOr": np.logical_or, "LogicalXor": np.logical_xor}),
    (reals, {"Less": np.less, "LessEqual": np.less_equal, "Greater": np.greater, "GreaterEqual": np.greater_equal}),
]

# Operations on infinite and NaN complex numbers that are the same everywhere.
on_special = ["Neg", "Conj", "IsNaN", "IsInf", "IsFinite", "Equal", "NotEqual", "Add", "Sub",
              "LogicalNot", "LogicalAnd", "LogicalOr", "LogicalXor", "RealPart", "ImagPart", "Modulus", "Angle"]


# Operations of which NumPy's single precision is not precise for large numbers.
on_small = ["Pow", "Exp2", "Square"]


def text(a):
    a = a.ravel()
    if a.dtype.kind == "c":
        return " ".join(f"{re},{im}" for re, im in zip(a.real, a.imag))
    return " ".join(str(x) for x in a)


def list_of(op, t, otherwise):
    if t in complexes and op in on_special:
        return "special"
    if t in complexes and op in on_small:
        return "small"
    return otherwise if otherwise in lists and t in lists[otherwise] else "edge"


with open("elementwise.txt", "w") as f:
    for name, by in lists.items():
        for t, v in by.items():
            print("list", name, t, text(v), file=f)
    for types, ops in unary:
        for op, fn in ops.items():
            for t in types:
                name = list_of(op, t, "more")
                r = fn(lists[name][t])
                print(op, t, name, r.dtype, text(r), file=f)
    for types, ops in binary:
        for op, fn in ops.items():
            for t in types:
                name = list_of(op, t, "edge")
                v = lists[name][t]
                r = fn(v[:, None], v)
                print(op, t, name, r.dtype, text(r), file=f)
    for t in elements:
        for u in conversions(t):
            print("AsType", t, "convert", u, text(lists["convert"][t].astype(u)), file=f)
