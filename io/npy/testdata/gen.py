"""Makes the .npy files of this folder with NumPy. Run it here: python3 gen.py"""

import numpy as np
from numpy.lib import format

n, shape = 24, (4, 3, 2)
i = np.arange(n)
types = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float32", "float64", "complex64", "complex128"]


def values(name):
    """Element i in C order; load_test.go computes the same."""
    if name == "bool":
        v = i % 3 == 0
    elif name.startswith("int"):
        v = i * 11 - 100
    elif name.startswith("uint"):
        v = i * 11
    elif name.startswith("float"):
        v = i / 8 - 1
    else:
        v = i / 8 - 1j * i
    return v.astype(name).reshape(shape)


def save(name, a, version=None):
    with open(name + ".npy", "wb") as f:
        format.write_array(f, a, version, allow_pickle=True)


for t in types:
    a = values(t)
    save(t, a)
    save(t + "_fortran", np.asfortranarray(a))
    if a.itemsize > 1:
        save(t + "_big", a.astype(a.dtype.newbyteorder(">")))
save("int32_big_fortran", np.asfortranarray(values("int32").astype(">i4")))
save("int16_v2", values("int16"), (2, 0))
save("int16_v3", values("int16"), (3, 0))

save("scalar", np.array(7.5))
save("scalar_int", np.array(20200101, dtype=np.int64))
save("empty", np.zeros((0, 3)))
save("empty_inner", np.zeros((3, 0, 2), order="F"))
save("vector", np.arange(5.0))
save("vector_fortran", np.asfortranarray(np.arange(5.0)))
save("wide", np.arange(70.0).reshape(1, 70, 1))

save("bad_object", np.array([1, "a", None], dtype=object))
save("bad_record", np.zeros(2, dtype=[("x", "<f8"), ("y", "<i4", (2,))]))
save("bad_half", np.zeros(2, dtype=np.float16))
save("bad_string", np.array(["ab", "c"]))
save("bad_bytes", np.array([b"ab", b"c"]))
save("bad_time", np.array(["2020-01-01"], dtype="M8[D]"))
save("bad_long", np.zeros(2, dtype=np.longdouble))
