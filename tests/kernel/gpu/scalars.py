"""Scalars, vectors, matrices and quaternions: on floats, on floats with a complex step, on complex numbers."""

import math

import numpy as np
from numba import cuda

from rollick.kernel import quaternion as q
from rollick.kernel import scalar as sc
from rollick.kernel import vector as v
from rollick.kernel.compiled import compiled
from rollick.kernel.derivative import EPS

from .checks import COUNT, RANDOM, check, launch


def one_argument(f):
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = f(x[i])

    return kernel


def two_arguments(f):
    @cuda.jit
    def kernel(x, y, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = f(x[i], y[i])

    return kernel


DOMAINS = {
    "sqrt": (0.1, 9.0), "sin": (-9.0, 9.0), "cos": (-9.0, 9.0), "tan": (-1.4, 1.4), "asin": (-0.9, 0.9), "acos": (-0.9, 0.9), "atan": (-9.0, 9.0),
    "exp": (-9.0, 9.0), "log": (0.1, 9.0), "sinh": (-4.0, 4.0), "cosh": (-4.0, 4.0), "tanh": (-4.0, 4.0), "absolute": (-9.0, 9.0),
    "sign": (-9.0, 9.0), "real": (-9.0, 9.0),
}  # fmt: skip


def scalar_check(name, kind):
    """A function of one number: on floats, on floats with a complex step, on complex numbers."""

    def run():
        f = getattr(sc, name)
        x = RANDOM.uniform(*DOMAINS[name], COUNT)
        if kind == "step":
            x = x + 1j * EPS
        elif kind == "complex":
            x = x + 1j * RANDOM.uniform(-2.0, 2.0, COUNT)
        expected = np.array([f(a) for a in x.tolist()])
        out = np.zeros_like(expected)
        launch(one_argument(f), COUNT, x, out)
        return out, expected

    check(f"{name}, {kind}", 1e-14 if kind != "float" else 2e-15)(run)


for _name in DOMAINS:
    for _kind in ("float", "step", "complex"):
        scalar_check(_name, _kind)


def binary_check(name, left, right):
    """A function of two numbers, each a float or a float with a complex step."""

    def run():
        f = getattr(sc, name)
        x, y = RANDOM.uniform(-3.0, 3.0, (2, COUNT))
        x, y = (a + 1j * EPS if kind == "step" else a for a, kind in ((x, left), (y, right)))
        expected = np.array([f(a, b) for a, b in zip(x.tolist(), y.tolist())])
        out = np.zeros_like(expected)
        launch(two_arguments(f), COUNT, x, y, out)
        return out, expected

    check(f"{name}, {left} and {right}", 1e-14)(run)


for _name in ("atan2", "maximum", "minimum"):
    for _left, _right in (("float", "float"), ("step", "float"), ("float", "step"), ("step", "step")):
        binary_check(_name, _left, _right)


@cuda.jit
def sincos_kernel(x, s, c):
    i = cuda.grid(1)
    if i < x.size:
        s[i], c[i] = sc.sincos(x[i])


def sincos_check(name, x, tolerance):
    def run():
        expected = np.ascontiguousarray(np.array([sc.sincos(a) for a in x.tolist()]).T)
        out = np.zeros_like(expected)
        launch(sincos_kernel, x.size, x, out[0], out[1])
        return out, expected

    check(f"sincos, {name}", tolerance)(run)


sincos_check("float", RANDOM.uniform(-20.0, 20.0, COUNT), 2e-15)
sincos_check("large", np.array([1e4, 99999.9, 100000.1, -1e7, 1e12, 0.5 * math.pi, -math.pi]), 2e-15)
sincos_check("step", RANDOM.uniform(-20.0, 20.0, COUNT) + 1j * EPS, 1e-14)


# vectors: functions of a row of numbers, which call many functions of the kernel and can themselves be called anywhere


@compiled
def vectors(x, out):
    """Everything that makes numbers and vectors of vectors."""
    u, w = (x[0], x[1], x[2]), (x[3], x[4], x[5])
    out[0] = v.dot(u, w)
    out[1] = v.norm(u)
    pieces = v.add(v.cross(u, w), v.axpy(x[0], v.sub(u, w), v.unit(w)))
    out[2], out[3], out[4] = pieces[0], pieces[1], pieces[2]


@compiled
def matrices(x, out):
    """Everything that is done with matrices."""
    u, w = (x[0], x[1], x[2]), (x[3], x[4], x[5])
    m = v.matadd(v.matscale(3.0, v.outer(u, w)), v.skew(u))
    m = v.matadd(
        m, ((4.0 + x[0], 0.0 * x[0], 0.0 * x[0]), (0.0 * x[0], 5.0 + x[0], 0.0 * x[0]), (0.0 * x[0], 0.0 * x[0], 6.0 + x[0]))
    )
    a, b = v.solve(m, w), v.matvec(v.inverse(v.transpose(m)), w)
    d = v.vecmat(u, v.matmul(m, m))
    out[0] = v.det(m)
    for i in range(3):
        out[1 + i] = a[i]
        out[4 + i] = b[i]
        out[7 + i] = d[i]


@compiled
def quaternions(x, out):
    """Everything that is done with quaternions."""
    p = q.quaternion_normalised((x[0], x[1], x[2], x[3] + 1.0))
    r = q.quaternion_product(p, q.quaternion_about((0.6 + 0.0 * x[4], 0.0 * x[4], 0.8 + 0.0 * x[4]), x[4]))
    m = v.matmul(
        q.quaternion_matrix(q.quaternion_conjugate(r)),
        v.matmul(q.rotation_x(x[0]), v.matmul(q.rotation_y(x[1]), q.rotation_z(x[2]))),
    )
    s = q.quaternion_rate(r, (x[3], x[4], x[5]))
    for i in range(3):
        for j in range(3):
            out[3 * i + j] = m[i][j]
    for i in range(4):
        out[9 + i] = s[i]


def row_kernel(body):
    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.shape[0]:
            body(x[i], out[i])

    return kernel


def row_check(name, body, width, kind):
    def run():
        x = RANDOM.uniform(0.2, 1.0, (COUNT, 6)) + (1j * EPS * RANDOM.uniform(0.5, 1.0, (COUNT, 6)) if kind == "step" else 0.0)
        out, expected = np.zeros((COUNT, width), x.dtype), np.zeros((COUNT, width), x.dtype)
        for i in range(COUNT):
            body(x[i], expected[i])
        launch(row_kernel(body), COUNT, x, out)
        return out, expected

    check(f"{name}, {kind}", 1e-12)(run)


for _name, _body, _width in (("vectors", vectors, 5), ("matrices", matrices, 10), ("quaternions", quaternions, 13)):
    for _kind in ("float", "step"):
        row_check(_name, _body, _width, _kind)
