#!/usr/bin/env python3
"""Writes shape.json: what NumPy's shape functions do, for golden_shape_test.go.

The arrays hold 1, 2, 3 ... in C order (the second one goes on where the first
ends), so that a result tells where each element comes from, whatever the type;
0 stands for what is filled in. A case is [function, input shapes, arguments,
result shape, result values]; with several results, lists of the last two.
"""
import json
import os

import numpy as np

cases = []
MODES = ["zero", "edge", "reflect", "symmetric", "wrap"]


def arrays(shapes):
    out, n = [], 0
    for s in shapes:
        size = int(np.prod(s))
        out.append((np.arange(n, n + size) + 1).reshape(s))
        n += size
    return out


def case(name, shapes, args, f):
    res = f(*arrays(shapes))
    if isinstance(res, (list, tuple)):
        cases.append([name, shapes, args, [list(r.shape) for r in res], [r.ravel().tolist() for r in res]])
    else:
        cases.append([name, shapes, args, [list(res.shape)], [res.ravel().tolist()]])


SHAPES = [[7], [1], [0], [4, 5], [5, 3], [3, 0], [1, 6], [6, 1], [2, 3, 4], [3, 2, 2, 2]]

# reshape
for s, t in [([7], [7]), ([12], [3, 4]), ([12], [4, 3]), ([12], [2, 3, 2]), ([3, 4], [12]), ([3, 4], [4, 3]),
             ([3, 4], [2, 6]), ([4, 6], [6, 4]), ([4, 6], [2, 2, 6]), ([4, 6], [4, 3, 2]), ([4, 6], [8, -1]),
             ([2, 3, 4], [-1]), ([2, 3, 4], [6, 4]), ([2, 3, 4], [2, 12]), ([2, 3, 4], [4, 3, 2]),
             ([2, 3, 4], [3, -1, 2]), ([2, 3, 4], [1, 24, 1]), ([1], []), ([], [1]), ([], [1, 1]), ([1, 1], []),
             ([0], [0, 3]), ([0, 3], [3, 0]), ([0, 4], [-1]), ([4, 0], [2, 0, 7]), ([16, 2], [2, 8, 2]),
             ([2, 25], [50]), ([50], [2, 25]), ([3, 5, 2], [30, 1]), ([30, 1], [5, 6]), ([2, 2, 2, 2], [4, 4]),
             ([4, 4], [2, 2, 2, 2]), ([60], [3, 4, 5]), ([5, 4, 3], [3, 4, 5]), ([17], [1, 17]), ([1, 17], [17, 1])]:
    case("reshape", [s], [t], lambda a: a.reshape(t))
for s in SHAPES + [[]]:
    case("ravel", [s], [], lambda a: a.ravel())
for s, t in [([3], [7]), ([3], [2, 2]), ([2, 3], [4, 4]), ([2, 3], [2]), ([2, 3], [3, 2]), ([0], [2, 2]), ([5], [0]),
             ([2], [30]), ([1], [3, 3]), ([4, 3], [13]), ([3, 4], [5, 5]), ([5], []), ([9], [2, 8])]:
    case("resize", [s], [t], lambda a: np.resize(a, t))

# axes
for s, ax in [([5], [0]), ([5], [1]), ([5], [-1]), ([4, 3], [1]), ([4, 3], [0, 3]), ([4, 3], [0, 1, 2]), ([], [0]),
              ([2, 3, 4], [-2])]:
    case("expanddims", [s], [ax], lambda a: np.expand_dims(a, tuple(ax)))
for s, ax in [([1, 5], []), ([1, 5], [0]), ([5, 1], [-1]), ([1, 1], []), ([1, 1], [0]), ([2, 1, 3], [1]), ([1, 4, 1], []),
              ([1, 4, 1], [2]), ([3, 4], []), ([1, 0], [0]), ([1], [])]:
    case("squeeze", [s], [ax], lambda a: np.squeeze(a, tuple(ax)) if ax else np.squeeze(a))
for f, t in [([0], [2]), ([2], [0]), ([-1], [0]), ([0], [-1]), ([1], [1]), ([0, 1], [1, 2]), ([0, 2], [2, 0]), ([2, 0], [0, 1])]:
    case("moveaxes", [[2, 3, 4]], [f, t], lambda a: np.moveaxis(a, f, t))
for i, j in [(0, 1), (0, 2), (-1, 0), (1, 1)]:
    case("swapaxes", [[2, 3, 4]], [[i, j]], lambda a: np.swapaxes(a, i, j))
for i, j in [(2, 0), (0, 2), (0, 3), (1, 0), (1, 3), (-1, 1), (0, 0), (2, -1)]:
    case("rollaxis", [[2, 3, 4]], [[i, j]], lambda a: np.rollaxis(a, i, j))
for s in [[], [5], [3, 4], [2, 3, 2]]:
    case("atleast", [s], [[1]], np.atleast_1d)
    case("atleast", [s], [[2]], np.atleast_2d)
    case("atleast", [s], [[3]], np.atleast_3d)

# broadcasting
for s, t in [([3], [2, 3]), ([1], [4]), ([1, 3], [4, 3]), ([3, 1], [3, 5]), ([1, 1], [2, 3]), ([], [2, 2]), ([4], [4]),
             ([2, 1, 3], [2, 4, 3]), ([3, 1], [2, 3, 4]), ([0], [3, 0]), ([1], [0])]:
    case("broadcastto", [s], [t], lambda a: np.broadcast_to(a, t))
for ss in [[[3], [2, 1]], [[4, 1], [1, 3]], [[5], []], [[2, 3], [3], [1, 1]]]:
    case("broadcastarrays", ss, [], lambda *a: list(np.broadcast_arrays(*a)))
for ss in [[[4], [3]], [[3], [4], [2]], [[5]], [[1], [6]], [[2], []], [[0], [3]], []]:
    for order, name in enumerate(["xy", "ij"]):
        case("meshgrid", ss, [[order]], lambda *a: list(np.meshgrid(*a, indexing=name)))
        case("meshgridsparse", ss, [[order]], lambda *a: list(np.meshgrid(*a, indexing=name, sparse=True)))

# joining
for ss, ax in [([[3], [4]], 0), ([[3], [0], [2]], 0), ([[7]], 0), ([[2, 3], [4, 3]], 0), ([[2, 3], [2, 1]], 1),
               ([[2, 3], [2, 3], [2, 3]], -1), ([[2, 3, 2], [2, 1, 2]], 1), ([[0, 3], [5, 3]], 0), ([[5, 2], [5, 4], [5, 1], [5, 2]], 1),
               ([[1], [1], [1], [1], [1]], 0), ([[4, 1, 3], [4, 2, 3]], -2), ([[0], [0]], 0), ([[9, 2], [1, 2]], 0)]:
    case("concatenate", ss, [[ax]], lambda *a: np.concatenate(a, ax))
for ss, ax in [([[3], [3]], 0), ([[3], [3]], 1), ([[3], [3]], -1), ([[2, 3], [2, 3], [2, 3]], 0), ([[2, 3], [2, 3]], 1),
               ([[2, 3], [2, 3]], 2), ([[], [], []], 0), ([[4, 0], [4, 0]], 1), ([[5, 2]], -3)]:
    case("stack", ss, [[ax]], lambda *a: np.stack(a, ax))
for ss in [[[3], [4]], [[2, 3], [2, 1]], [[2, 3, 2], [2, 1, 2]], [[], [2]]]:
    case("hstack", ss, [], lambda *a: np.hstack(a))
for ss in [[[3], [3]], [[2, 3], [1, 3]], [[3], [2, 3]], [[2, 3, 2], [1, 3, 2]], [[], []]]:
    case("vstack", ss, [], lambda *a: np.vstack(a))
for ss in [[[3], [3]], [[2, 3], [2, 3]], [[2, 3, 2], [2, 3, 1]], [[], []]]:
    case("dstack", ss, [], lambda *a: np.dstack(a))
for ss in [[[3], [3]], [[3], [3, 2]], [[4, 2], [4, 1]], [[], []], [[5], [5], [5]]]:
    case("columnstack", ss, [], lambda *a: np.column_stack(a))
for ss, ax in [([[3], [2]], None), ([[2, 3], [4]], None), ([[2, 3], [1, 3]], 0), ([[2, 3], [2, 2]], 1), ([[0], [2]], None)]:
    case("append", ss, [[]] if ax is None else [[ax]], lambda a, b: np.append(a, b, ax))
case("assemble", [[2, 3], [2, 1], [1, 3], [1, 1]], [[2]], lambda a, b, c, d: np.block([[a, b], [c, d]]))
case("assemble", [[3], [2], [1], [4]], [[2]], lambda a, b, c, d: np.block([[a, b], [c, d]]).reshape(2, 5) if False else np.vstack([np.hstack([a, b]), np.hstack([c, d])]))

# cutting
for s, n, ax in [([6], 3, 0), ([6], 1, 0), ([4, 6], 2, 0), ([4, 6], 3, 1), ([4, 6], 6, -1), ([0, 2], 2, 0)]:
    case("split", [s], [[n, ax]], lambda a: np.split(a, n, ax))
for s, n, ax in [([7], 3, 0), ([3], 5, 0), ([5, 4], 3, 0), ([5, 4], 3, 1), ([2, 3, 7], 4, 2)]:
    case("arraysplit", [s], [[n, ax]], lambda a: np.array_split(a, n, ax))
for s, at, ax in [([7], [2, 5], 0), ([7], [0, 3, 3], 0), ([7], [5, 2], 0), ([7], [-3], 0), ([7], [9, 20], 0), ([5, 4], [1], 1), ([5, 4], [], 0)]:
    case("splitat", [s], [at, [ax]], lambda a: np.split(a, at, ax))
case("hsplit", [[6]], [[2]], lambda a: np.hsplit(a, 2))
case("hsplit", [[3, 6]], [[3]], lambda a: np.hsplit(a, 3))
case("vsplit", [[6, 2]], [[3]], lambda a: np.vsplit(a, 3))
case("dsplit", [[2, 2, 4]], [[2]], lambda a: np.dsplit(a, 2))
for s, ax in [([4], 0), ([3, 4], 0), ([3, 4], 1), ([2, 3, 2], -2), ([0, 2], 0)]:
    case("unstack", [s], [[ax]], lambda a: list(np.unstack(a, axis=ax)))

# repeating
for s, r in [([5], [2]), ([5], [1]), ([5], [0]), ([3], [9]), ([2, 3], [2]), ([2, 3], [2, 1]), ([2, 3], [3, 2]), ([2, 3], [2, 2, 2]),
             ([4], [2, 3]), ([], [3]), ([0], [4]), ([2, 2, 2], [1, 2, 1]), ([1, 4], [5, 1]), ([2, 3], [])]:
    case("tile", [s], [r], lambda a: np.tile(a, r))
for s, n, ax in [([5], 2, None), ([5], 0, None), ([5], 3, 0), ([2, 3], 2, None), ([2, 3], 2, 0), ([2, 3], 2, 1), ([2, 3, 2], 3, -2), ([0], 2, 0), ([], 3, None), ([4, 3], 1, 0)]:
    case("repeat", [s], [[n]] if ax is None else [[n], [ax]], lambda a: np.repeat(a, n, ax))
for s, n, ax in [([3], [1, 2, 3], None), ([4], [0, 2, 0, 1], 0), ([2, 3], [1, 0, 2], 1), ([2, 3], [3, 1], 0), ([2, 2], [1, 1, 2, 2], None), ([6], [1, 1, 1, 5, 1, 1], 0), ([3], [0, 0, 0], 0)]:
    case("repeateach", [s], [n] if ax is None else [n, [ax]], lambda a: np.repeat(a, n, ax))

# rolling and flipping
for s in SHAPES:
    for by in [1, -2, 3, 100, 0]:
        case("roll", [s], [[by]], lambda a: np.roll(a, by))
        if by > 0:
            ax = by % len(s)
            case("roll", [s], [[by], [ax]], lambda a: np.roll(a, by, ax))
            case("roll", [s], [[-by], [-1]], lambda a: np.roll(a, -by, -1))
for by, ax in [([1, 2], [0, 1]), ([1, -1], [1, 0]), ([2, 3], [1, 1]), ([5, 5], [-1, -2])]:
    case("rolleach", [[4, 5]], [by, ax], lambda a: np.roll(a, by, ax))
for s in SHAPES:
    case("flip", [s], [[]], lambda a: np.flip(a))
    for ax in range(len(s)):
        case("flip", [s], [[ax]], lambda a: np.flip(a, ax))
case("flip", [[3, 3]], [[-2, -1]], lambda a: np.flip(a, (-2, -1)))
case("flip", [[2, 3, 4]], [[0, 2]], lambda a: np.flip(a, (0, 2)))
for s in [[4, 5], [1, 6], [0, 3], [2, 3, 2]]:
    case("fliplr", [s], [], np.fliplr)
    case("flipud", [s], [], np.flipud)
    for k in range(-1, 5):
        case("rot90", [s], [[k]], lambda a: np.rot90(a, k))
case("rot90", [[2, 3, 4]], [[1], [1, 2]], lambda a: np.rot90(a, 1, (1, 2)))
case("rot90", [[2, 3, 4]], [[3], [2, 0]], lambda a: np.rot90(a, 3, (2, 0)))

# padding
for mode, name in enumerate(MODES):
    np_mode = "constant" if name == "zero" else name
    for s, w in [([5], [[1, 2]]), ([5], [[0, 3]]), ([5], [[4, 4]]), ([5], [[11, 7]]), ([1], [[2, 2]]), ([2], [[3, 5]]), ([3, 4], [[1, 1], [2, 0]]),
                 ([3, 4], [[0, 0], [3, 3]]), ([2, 2, 3], [[1, 0], [0, 1], [2, 2]]), ([4, 2], [[2, 2]]), ([9], [[0, 0]])]:
        case("pad", [s], [[mode]] + w, lambda a: np.pad(a, w if len(w) > 1 else w[0], np_mode))
case("pad", [[0]], [[0], [2, 1]], lambda a: np.pad(a, (2, 1)))
case("pad", [[0, 2]], [[1], [0, 0], [2, 1]], lambda a: np.pad(a, ((0, 0), (2, 1)), "edge"))

# diagonals and triangles
for s in [[4, 5], [5, 3], [3, 3], [1, 4], [0, 3]]:
    for k in [0, 1, -1, 2, -3, 9]:
        case("diagonal", [s], [[k]], lambda a: np.diagonal(a, k))
        case("tril", [s], [[k]], lambda a: np.tril(a, k))
        case("triu", [s], [[k]], lambda a: np.triu(a, k))
for ax in [(0, 1), (1, 0), (0, 2), (1, 2), (-1, 0)]:
    case("diagonal", [[3, 4, 3]], [[1], list(ax)], lambda a: np.diagonal(a, 1, *ax))
for k in [0, -1, 2]:
    case("tril", [[2, 3, 4]], [[k]], lambda a: np.tril(a, k))
    case("triu", [[2, 4, 3]], [[k]], lambda a: np.triu(a, k))
for s in [[5], [1], [0]]:
    for k in [0, 1, -2]:
        case("diag", [s], [[k]], lambda a: np.diag(a, k))
case("diag", [[3, 4]], [[1]], lambda a: np.diag(a, 1))
case("diagflat", [[2, 2]], [[0]], lambda a: np.diagflat(a))
case("diagflat", [[3]], [[-1]], lambda a: np.diagflat(a, -1))


def filled(a):
    np.fill_diagonal(a, 0)
    return a


for s in [[3, 3], [5, 3], [3, 5], [3, 3, 3], [1, 4]]:
    case("filldiagonal", [s], [], filled)

# windows
for s, size, ax, step in [([7], 3, 0, 1), ([7], 7, 0, 1), ([7], 1, 0, 1), ([9], 3, 0, 2), ([9], 2, 0, 4), ([9], 4, 0, 9), ([5, 4], 2, 0, 1),
                          ([5, 4], 3, 1, 1), ([5, 4], 4, 0, 1), ([2, 6, 3], 4, 1, 2), ([30], 11, 0, 3)]:
    case("unfold", [s], [[ax, size, step]],
         lambda a: np.moveaxis(np.moveaxis(np.lib.stride_tricks.sliding_window_view(a, size, ax), ax, 0)[::step], 0, ax % a.ndim))

# deleting and inserting
for s, i, ax in [([6], [2], None), ([6], [0, 5], None), ([6], [-1, 1, 1], None), ([6], [], None), ([3, 4], [1, 7], None), ([3, 4], [1], 0),
                 ([3, 4], [0, -1], 1), ([3, 4], [0, 1, 2], 0), ([2, 3, 4], [2], -1), ([5], [4, 3, 2, 1, 0], 0)]:
    case("delete", [s], [i] if ax is None else [i, [ax]], lambda a: np.delete(a, np.array(i, int), ax))
for s, v, i, ax in [([6], [], [2], None), ([6], [3], [2], None), ([6], [2], [0, 6], None), ([6], [3], [3, 0, 3], None), ([6], [1], [1, 4], None),
                    ([6], [2], [-1, 2], None), ([0], [2], [0], None), ([3, 4], [4], [1], 0), ([3, 4], [2, 4], [1], 0), ([3, 4], [2, 4], [3, 0], 0),
                    ([3, 4], [3, 1], [4], 1), ([3, 4], [3, 2], [0, 2], 1), ([3, 4], [], [1, 1], 1), ([3, 4], [1, 4], [0, 2], 0), ([2, 3], [4], [6, 0, 3, 3], None),
                    ([3, 4], [2], [3, 1], 1), ([6], [5], [6], 0)]:
    case("insert", [s, v], [i] if ax is None else [i, [ax]], lambda a, b: np.insert(a, i, b, ax))

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shape.json")
with open(path, "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(len(cases), "cases", os.path.getsize(path), "bytes")
