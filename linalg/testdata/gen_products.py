"""Writes products.json: products of arrays, norms and powers by NumPy.

    python3 gen_products.py > products.json

Element number k, in C order, of operand s is ((k·7 + s·5 + k²) mod 11) − 5, the
imaginary part of complex ones ((k·5 + s·3) mod 7) − 3. Complex numbers are
written as their real and imaginary parts in turn.
"""

import json

import numpy as np


def operand(s, shape, cplx):
    k = np.arange(int(np.prod(shape, dtype=int)))
    re = (k * 7 + s * 5 + k * k) % 11 - 5.0
    if cplx:
        re = re + 1j * ((k * 5 + s * 3) % 7 - 3.0)
    return re.reshape(shape)


def numbers(x):
    x = np.asarray(x)
    if np.iscomplexobj(x):
        x = np.stack([x.real, x.imag], -1)
    return [int(v) if v == int(v) else float(v) for v in x.ravel()]


EINSUM = [
    ("ij,jk->ik", (5, 4), (4, 3)),
    ("ij,jk", (5, 4), (4, 3)),
    ("ij,jk->ki", (9, 2), (2, 7)),
    ("ij,ij->i", (6, 5), (6, 5)),
    ("ij,ij->", (6, 5), (6, 5)),
    ("ij,ji", (6, 5), (5, 6)),
    ("ij,ij->ji", (6, 5), (6, 5)),
    ("i,j->ij", (7,), (3,)),
    ("ii", (6, 6)),
    ("ii->i", (6, 6)),
    ("iji->j", (4, 5, 4)),
    ("ijk->ki", (3, 4, 5)),
    ("ba", (3, 4)),
    ("ij->", (3, 4)),
    ("bij,bjk->bik", (5, 2, 3), (5, 3, 4)),
    ("bij,bjk->ikb", (5, 2, 3), (5, 3, 4)),
    ("bij,jk->bik", (5, 2, 3), (3, 4)),
    ("...ij,...jk->...ik", (2, 3, 2, 3), (3, 3, 4)),
    ("...ij,j", (4, 2, 3), (3,)),
    ("i...,i...->...", (4, 3), (4, 1)),
    ("ij,kj->ik", (4, 1), (3, 5)),
    ("ijk,jil->kl", (3, 4, 5), (4, 3, 2)),
    ("ijkl,jl->ki", (2, 3, 4, 2), (3, 2)),
    ("ijk,klij->l", (2, 3, 4), (4, 5, 2, 3)),
    ("ij,k->k", (3, 4), (5,)),
    ("aij,kj->ik", (2, 3, 4), (5, 4)),
    ("ij,jk,kl->il", (3, 4), (4, 2), (2, 5)),
    ("ij,jk,ki", (3, 4), (4, 2), (2, 3)),
    ("i,ij,j->", (4,), (4, 5), (5,)),
    ("ij,ik,il->jkl", (4, 2), (4, 3), (4, 2)),
    ("pi,qj,ijk,rk->pqr", (2, 3), (3, 4), (3, 4, 2), (4, 2)),
    ("ij,jk", (0, 4), (4, 3)),
    ("ij,jk", (3, 0), (0, 2)),
    ("aa,bb->ab", (3, 3), (4, 4)),
    (",ij->ij", (), (3, 4)),
]


def products():
    for spec, *shapes in EINSUM:
        yield "einsum", spec, shapes, [], lambda ops, spec=spec: np.einsum(spec, *ops)
    for sa, sb in [((5,), (5,)), ((3, 5), (5,)), ((5,), (2, 3, 5)), ((4, 5), (3, 5)), ((), (3, 2))]:
        yield "inner", "", [sa, sb], [], lambda ops: np.inner(*ops)
    for sa, sb in [((5,), (7,)), ((3, 2), (4,)), ((), (3,)), ((0,), (3,))]:
        yield "outer", "", [sa, sb], [], lambda ops: np.outer(*ops)
    for sa, sb in [((5,), (3,)), ((3, 2), (2, 4)), ((4,), (2, 3)), ((2, 3), (5,)), ((2, 1, 3), (1, 4, 2)), ((), (3, 2)), ((0, 2), (3, 3)), ((9, 2), (2, 2))]:
        yield "kron", "", [sa, sb], [], lambda ops: np.kron(*ops)
    for sa, sb, axis in [((5,), (5,), -1), ((4, 5), (4, 5), -1), ((5, 4), (5, 4), 0), ((3, 4, 5), (4, 5), -1), ((3, 1, 5), (4, 5), -1), ((3, 0), (3, 0), 1)]:
        yield "vecdot", "", [sa, sb], [axis], lambda ops, axis=axis: np.vecdot(*ops, axis=axis)
    for sa, sb, axis in [((3,), (3,), -1), ((5, 3), (5, 3), -1), ((3, 6), (3, 6), 0), ((5, 3), (3,), -1), ((2, 1, 3), (4, 3), -1), ((4, 3, 2), (4, 3, 2), 1)]:
        yield "cross", "", [sa, sb], [axis], lambda ops, axis=axis: np.cross(*ops, axis=axis)
    for sa, sb, n in [((2, 3, 4), (3, 4, 5), 2), ((2, 3, 4), (4, 5), 1), ((3, 2), (2, 3), 0), ((2, 3), (2, 3), 2), ((9, 2, 3), (2, 3, 8), 2)]:
        yield "tensordot", "", [sa, sb], [n], lambda ops, n=n: np.tensordot(*ops, axes=n)
    for sa, sb, ax in [((3, 4, 5), (4, 3, 2), ([1, 0], [0, 1])), ((3, 4, 5), (5, 2, 4), ([-1, 1], [0, 2])), ((6, 5), (7, 6), ([0], [1])), ((2, 3, 4, 2), (4, 2, 3), ([3, 2], [1, 0]))]:
        yield "tensordotover", "", [sa, sb], ax[0] + ax[1], lambda ops, ax=ax: np.tensordot(*ops, axes=ax)
    for sa, sb in [((5, 2, 3), (5, 3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((2, 1, 2, 3), (3, 3, 2)), ((4, 2, 3), (3,)), ((3,), (4, 3, 2)), ((1, 2, 3), (5, 3, 2)), ((0, 2, 3), (0, 3, 2)), ((8, 3, 0), (8, 0, 2))]:
        yield "matmul", "", [sa, sb], [], lambda ops: np.matmul(*ops)
    for shapes in [[(4, 5), (5, 3)], [(4,), (4, 5), (5, 3)], [(4, 9), (9, 2), (2, 6), (6,)], [(6,), (6, 2), (2,)], [(10, 2), (2, 12), (12, 3), (3, 8)]]:
        yield "multidot", "", shapes, [], lambda ops: np.linalg.multi_dot(ops)


def cases():
    for op, spec, shapes, args, f in products():
        for cplx in (False, True):
            r = np.asarray(f([operand(s + 1, shape, cplx) for s, shape in enumerate(shapes)]))
            yield dict(op=op, spec=spec, shapes=shapes, args=args, complex=cplx, shape=r.shape, result=numbers(r))
    for n in (0, 1, 2, 3, 7, -1, -2, -3):
        for cplx in (False, True):
            a = operand(1, (4, 4), cplx)
            r = np.linalg.matrix_power(a, n)
            yield dict(op="matrixpower", spec="", shapes=[a.shape], args=[n], complex=cplx, shape=r.shape, result=numbers(r))
    orders = ["fro", 1, -1, np.inf, -np.inf, 2, -2, "nuc"]
    for shape, axes in [((5, 7), (0, 1)), ((8, 3), (0, 1)), ((1, 4), (0, 1)), ((4, 3, 5), (1, 2)), ((4, 3, 5), (2, 0)), ((2, 3, 2, 4), (-1, 1))]:
        for i, ord in enumerate(orders):
            for cplx in (False, True):
                r = np.linalg.norm(operand(1, shape, cplx), ord, axes)
                yield dict(op="norm", spec="", shapes=[shape], args=[i, *axes], complex=cplx, shape=r.shape, result=numbers(r))
    for i, ord in enumerate(orders):
        for cplx in (False, True):
            a = operand(1, (4, 4), cplx)
            yield dict(op="cond", spec="", shapes=[a.shape], args=[i], complex=cplx, shape=[], result=numbers(np.linalg.cond(a, ord)))
    for cplx in (False, True):
        a = operand(2, (2, 3, 3, 2), cplx)
        r = np.linalg.tensorinv(a, 2)
        yield dict(op="tensorinv", spec="", shapes=[a.shape], args=[2], complex=cplx, shape=r.shape, result=numbers(r))
        a, b = operand(1, (2, 3, 6), cplx), operand(2, (2, 3), cplx)
        r = np.linalg.tensorsolve(a, b)
        yield dict(op="tensorsolve", spec="", shapes=[a.shape, b.shape], args=[], complex=cplx, shape=r.shape, result=numbers(r))


rows = [json.dumps(c, separators=(",", ":")) for c in cases()]
print("[" + ",\n".join(rows) + "]")
