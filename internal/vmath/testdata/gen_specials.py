"""Writes specials.txt: NumPy's values of the functions of package vmath at special
arguments. A line holds a function and the values, in the order of the arguments, which
are the first line; functions of two arguments have a line for each first argument from
the second line's shorter list, and the values for each second one.

    python3 gen_specials.py > specials.txt
"""
import math

import numpy as np

inf, nan = np.inf, np.nan
pi, big, tiny = np.pi, np.finfo(float).max, 2.0**-1074
x = [nan, inf, 0, 1, 2, 3, 0.5, 0.25, 8, 10, 27, 100, 1000, 1e22, big, float(np.finfo(np.float32).max), 2.0**-1022, 2.0**-126]
x += [tiny, 1.5 * 2.0**-1030, 2.0**-1023, 2.0**-149, 1.5 * 2.0**-140, 2.0**-60, 2.0**-30, 2.0**-27, 2.0**-13, 2.0**60, 2.0**-500, 2.0**500]
x += [87, 88.5, 88.75, 103, 104, 127, 128, 149, 150, 151, 700, 708, 709, 709.75, 709.8, 710, 710.47, 710.48, 720, 744, 745, 745.25, 746]
x += [1021, 1023, 1024, 1074, 1075, 1076, pi, pi / 2, pi / 4, 411774.5, 8e5, 22, 21.75, 9.1, 2.0**28, 2.0**29]
x += [float(np.float32(v)) for v in (pi, pi / 2, 1e22)]
x += [np.nextafter(1, 0), np.nextafter(1, 2), np.nextafter(0.5, 0), 1 - 2.0**-24, 1 + 2.0**-23]
pairs = [nan, inf, 0, 1, 2, 3, 0.5, 1.5, 1e22, 2.0**53 + 2, big, 2.0**-1022, tiny, 1.5 * 2.0**-1030, 2.0**-149, 2.0**-126, 2.0**127, 2.0**500, 1000]
x, pairs = (np.array(list(v) + [-u for u in v], dtype=float) for v in (x, pairs))


def line(name, values):
    print(name, *(str(v) if not math.isfinite(v) else v.hex() for v in map(float, values)))


np.seterr(all="ignore")
line("x", x)
line("pairs", pairs)
names = "Sqrt Cbrt Exp Exp2 Expm1 Log Log2 Log10 Log1p Sin Cos Tan Asin Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh"
for name in names.split():
    f = {"a": "arc"}.get(name[0].lower(), "") + name.lower()[1:] if name[0] == "A" else name.lower()
    line(name, getattr(np, f)(x))
for name, f in ("Pow", np.power), ("Atan2", np.arctan2), ("Hypot", np.hypot):
    for u in pairs:
        line(name, f(u, pairs))
