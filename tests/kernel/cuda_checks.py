# ruff: noqa: E402
"""The kernel inside CUDA kernels, compared with the CPU: scalars, vectors, solves, generics, derivatives, DOP853, whole motions.

On a machine with an NVIDIA GPU (numba-cuda installed, the package importable):

    PYTHONPATH=src python tests/kernel/cuda_checks.py            every check, then timings
    PYTHONPATH=src python tests/kernel/cuda_checks.py lu motion  the checks whose names contain one of these words

It prints a table and exits with 1 if a check fails; a kernel that does not compile fails its own check only. Without a GPU the same
checks run, as plain Python, under ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1`` (see test_cuda.py).
"""

import math
import sys
import time
import traceback
import warnings

import numpy as np

# numba-cuda 0.30 looks for names that recent NumPy has removed.
for _old, _new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, _old):
        setattr(np, _old, getattr(np, _new))

from numba import complex128, cuda, float64, int64
from numba.core import config

from rollick.archetypes.rattleback import AsPrinted, Rattleback, quaternion_form
from rollick.kernel import quaternion as q
from rollick.kernel import scalar as sc
from rollick.kernel import vector as v
from rollick.kernel.compiled import compiled
from rollick.kernel.derivative import EPS, rate_jacobian, system_jacobian
from rollick.kernel.linear import cholesky_solve, lu_factor, lu_solve
from rollick.kernel.system import dim, integral_count, rate, signals
from rollick.motion.ode import control as c
from rollick.motion.ode.block import Block, Tolerance
from rollick.motion.ode.dense import interpolate
from rollick.motion.ode.dop853 import NEW, dop853_dense, dop853_step
from rollick.motion.ode.explicit import GROW, SAFETY, SHRINK, advance_explicit, first_step
from rollick.motion.ode.extended import Accumulating

SIMULATED = bool(config.ENABLE_CUDASIM)
COUNT = 3 if SIMULATED else 1000  # arguments per check
STONE = Rattleback()
RANDOM = np.random.default_rng(0)
STATES = RANDOM.uniform(-0.3, 0.3, (COUNT, 6)) + np.array([0.0, 0.0, 0.0, 0.0, 0.0, -5.0])

CHECKS = {}


def check(name, tolerance):
    """Decorator: a function that returns (what the GPU found, what the CPU found)."""

    def keep(function):
        CHECKS[name] = function, tolerance
        return function

    return keep


def difference(found, expected):
    """The largest relative difference; complex numbers part by part if their imaginary parts are steps, by modulus otherwise."""
    found, expected = np.asarray(found), np.asarray(expected)
    if np.iscomplexobj(expected) and np.abs(expected.imag).max() < 1e-90:
        return max(difference(found.real, expected.real), difference(found.imag / EPS, expected.imag / EPS))
    if not np.array_equal(np.isnan(found), np.isnan(expected)):
        return math.inf
    size = np.abs(expected)
    size = np.maximum(size, 1e-3 * np.nanmax(size, initial=0.0) + 1e-300)
    return float(np.nanmax(np.abs(found - expected) / size, initial=0.0))


def launch(kernel, count, *arguments, threads=32):
    """One thread for each of `count` items."""
    kernel[(count + threads - 1) // threads, threads](*arguments)
    cuda.synchronize()


# scalars


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


# small linear systems in local arrays

N = 6


def lu_kernel(number):
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            m = cuda.local.array((N, N), number)
            x = cuda.local.array(N, number)
            pivots = cuda.local.array(N, int64)
            for j in range(N):
                x[j] = b[i, j]
                for k in range(N):
                    m[j, k] = a[i, j, k]
            if lu_factor(m, pivots):
                lu_solve(m, pivots, x)
                for j in range(N):
                    out[i, j] = x[j]

    return kernel


def cholesky_kernel(number):
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            m = cuda.local.array((N, N), number)
            x = cuda.local.array(N, number)
            for j in range(N):
                x[j] = b[i, j]
                for k in range(N):
                    m[j, k] = a[i, j, k]
            if cholesky_solve(m, x):
                for j in range(N):
                    out[i, j] = x[j]

    return kernel


def solve_check(name, factory, number, definite):
    def run():
        a, b = RANDOM.normal(size=(COUNT, N, N)), RANDOM.normal(size=(COUNT, N))
        if definite:
            a = a @ a.transpose(0, 2, 1) + np.eye(N)
        else:
            a[:, 0, 0] = 0.0  # so that rows must be exchanged
            a[-1] = 0.0  # and one that is refused
        if number is complex128:
            a, b = a + 0.01j * np.ones((N, N)), b + 0j
        out = np.zeros_like(b)
        launch(factory(number), COUNT, a, b, out)
        expected = np.zeros_like(b)
        good = slice(None) if definite else slice(0, -1)
        expected[good] = np.linalg.solve(a[good], b[good][..., None])[..., 0]
        condition = np.linalg.cond(a[good]).max()
        return out, expected, 1e-14 * condition

    check(name, None)(run)


solve_check("lu, float", lu_kernel, float64, False)
solve_check("lu, complex", lu_kernel, complex128, False)
solve_check("cholesky, float", cholesky_kernel, float64, True)
solve_check("cholesky, complex", cholesky_kernel, complex128, True)


# generics: systems as arguments of kernels


@cuda.jit
def rate_kernel(system, y, out):
    i = cuda.grid(1)
    if i < y.shape[0]:
        rate(system, 0.0, y[i], out[i])


@cuda.jit
def signals_kernel(system, y, out):
    i = cuda.grid(1)
    if i < y.shape[0]:
        signals(system, 0.0, y[i], out[i])


@cuda.jit
def size_kernel(system, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i, 0] = dim(system)
        out[i, 1] = integral_count(system)


@compiled
def rate_on_cpu(system, y, out):
    """As `rate_kernel`."""
    for i in range(y.shape[0]):
        rate(system, 0.0, y[i], out[i])


@compiled
def signals_on_cpu(system, y, out):
    """As `signals_kernel`."""
    for i in range(y.shape[0]):
        signals(system, 0.0, y[i], out[i])


def rate_check(name, system, y, kernel=rate_kernel, on_cpu=rate_on_cpu, width=None):
    def run():
        width_ = width or y.shape[1]
        out, expected = np.zeros((COUNT, width_), y.dtype), np.zeros((COUNT, width_), y.dtype)
        on_cpu(system, y, expected)
        launch(kernel, COUNT, system, y, out)
        return out, expected

    check(name, 1e-11)(run)


rate_check("rate of a system", STONE, STATES)
rate_check("rate of a system, step", STONE, STATES + 1j * EPS)
rate_check("rate of a nested system", AsPrinted(STONE), STATES)
rate_check("rate of a wrapped system, which calls two generics", Accumulating(STONE), np.hstack([STATES, np.zeros((COUNT, 3))]))
rate_check("signals of a system", STONE, STATES, signals_kernel, signals_on_cpu, 11)


@check("rate of the quaternion form", 1e-11)
def _():
    system = quaternion_form(STONE)
    y = RANDOM.uniform(0.1, 1.0, (COUNT, dim(system)))
    out, expected = np.zeros_like(y), np.zeros_like(y)
    rate_on_cpu(system, y, expected)
    launch(rate_kernel, COUNT, system, y, out)
    return out, expected


@check("dim and integral_count", 0.0)
def _():
    out = np.zeros((COUNT, 2))
    launch(size_kernel, COUNT, STONE, out)
    return out, np.tile([6.0, 3.0], (COUNT, 1))


@cuda.jit
def jacobian_kernel(system, y, out):
    i = cuda.grid(1)
    if i < y.shape[0]:
        here = cuda.local.array(6, float64)
        z = cuda.local.array(6, complex128)
        f = cuda.local.array(6, complex128)
        jac = cuda.local.array((6, 6), float64)
        for j in range(6):
            here[j] = y[i, j]
        rate_jacobian(system, 0.0, here, z, f, jac)
        for j in range(6):
            for k in range(6):
                out[i, j, k] = jac[j, k]


@check("rate_jacobian", 1e-10)
def _():
    out = np.zeros((COUNT, 6, 6))
    launch(jacobian_kernel, COUNT, STONE, STATES, out)
    return out, np.array([system_jacobian(STONE, y) for y in STATES])


# DOP853


@cuda.jit
def step_kernel(system, y, h, out, errors):
    i = cuda.grid(1)
    if i < y.shape[0]:
        k = cuda.local.array((18, 6), float64)
        here = cuda.local.array(6, float64)
        atol = cuda.local.array(6, float64)
        for j in range(6):
            here[j] = y[i, j]
            atol[j] = 1e-12
        rate(system, 0.0, here, k[0])
        errors[i] = dop853_step(system, 0.0, here, h, k, 1e-9, atol)
        for j in range(6):
            out[i, j] = k[NEW, j]


@check("dop853_step: the new state", 1e-12)
def _():
    return one_step()[0]


@check("dop853_step: the error estimate", 1e-4)  # a small difference of large numbers
def _():
    return one_step()[1]


def one_step():
    h, out, errors = 4e-3, np.zeros((COUNT, 6)), np.zeros(COUNT)
    launch(step_kernel, COUNT, STONE, STATES, h, out, errors)
    expected, wanted, k = np.zeros((COUNT, 6)), np.zeros(COUNT), np.zeros((18, 6))
    for i, y in enumerate(STATES):
        rate_on_cpu(STONE, y[None], k[:1])
        wanted[i] = dop853_step(STONE, 0.0, y, h, k, 1e-9, np.full(6, 1e-12))
        expected[i] = k[NEW]
    return (out, expected), (errors, wanted)


@compiled
def steps_and_dense(system, y, k, f, atol, h, count, middle):
    """`count` steps of equal length; the state in the middle of the last one by dense output."""
    rate(system, 0.0, y, k[0])
    for n in range(count):
        dop853_step(system, n * h, y, h, k, 1e-9, atol)
        if n == count - 1:
            dop853_dense(system, n * h, y, h, k, f)
            interpolate(0.5, y, f, middle)
        for j in range(dim(system)):
            y[j] = k[NEW, j]
            k[0, j] = k[12, j]


@cuda.jit
def steps_kernel(system, starts, h, count, out, middles):
    i = cuda.grid(1)
    if i < starts.shape[0]:
        k = cuda.local.array((18, 6), float64)
        f = cuda.local.array((7, 6), float64)
        y = cuda.local.array(6, float64)
        atol = cuda.local.array(6, float64)
        middle = cuda.local.array(6, float64)
        for j in range(6):
            y[j] = starts[i, j]
            atol[j] = 1e-12
        steps_and_dense(system, y, k, f, atol, h, count, middle)
        for j in range(6):
            out[i, j] = y[j]
            middles[i, j] = middle[j]


@check("dop853_step in a loop, with dense output", 1e-9)
def _():
    count = 10 if SIMULATED else 250
    out = np.zeros((2, COUNT, 6))
    gentle = STATES * np.array([0.03, 0.03, 1.0, 0.03, 0.03, 1.0])  # equal steps suit no pitching stone
    launch(steps_kernel, COUNT, STONE, gentle, 1e-3, count, out[0], out[1])
    expected = np.zeros((2, COUNT, 6))
    for i in range(COUNT):
        expected[0, i] = gentle[i]
        steps_and_dense(
            STONE, expected[0, i], np.zeros((18, 6)), np.zeros((7, 6)), np.full(6, 1e-12), 1e-3, count, expected[1, i]
        )
    return out, expected


# whole motions, with step-size control


@compiled
def lean(system, y, k, atol, rtol, end):
    """The adaptive loop and nothing else, with the control of `advance_explicit`; the number of steps tried."""
    n = dim(system)
    t = 0.0
    rate(system, t, y, k[0])
    h = first_step(system, t, y, end, 8.0, math.inf, k, rtol, atol)
    most = GROW
    tried = 0
    while t < end and tried < 1000000:
        final = h * 1.01 >= end - t
        if final:
            h = end - t
        error = dop853_step(system, t, y, h, k, rtol, atol)
        tried += 1
        factor = max(SHRINK, SAFETY * error ** (-1.0 / 8.0)) if error > 0.0 else GROW
        if error <= 1.0:
            for j in range(n):
                y[j] = k[NEW, j]
                k[0, j] = k[12, j]
            t = end if final else t + h
            h *= min(most, factor)
            most = GROW
        else:
            h *= factor if math.isfinite(error) else 0.1
            most = 1.0
    return tried if t == end else -tried


@compiled
def by_advance(system, s, y, k, atol, rtol, end, at, at_out, ts, ys, fs):
    """The package's own block of steps, called until the end is reached; why it ended."""
    for j in range(s.size):
        s[j] = 0.0
    s[c.END], s[c.MOST_STEP], s[c.LEFT], s[c.NEXT_AT] = end, math.inf, 1e6, at.size
    rate(system, 0.0, y, k[0])
    s[c.STEP] = first_step(system, 0.0, y, end, 8.0, math.inf, k, rtol, atol)
    status = c.FULL
    while status == c.FULL:
        status = advance_explicit(system, s, y, k, Tolerance(rtol, atol), Block(ts, ys, fs, at, at_out, False, False, False))
    return status


def lean_kernel(**options):
    @cuda.jit(**options)
    def kernel(system, starts, rtol, end, out, status):
        i = cuda.grid(1)
        if i < starts.shape[0]:
            k = cuda.local.array((18, 6), float64)
            y = cuda.local.array(6, float64)
            atol = cuda.local.array(6, float64)
            for j in range(6):
                y[j] = starts[i, j]
                atol[j] = 1e-3 * rtol
            status[i] = lean(system, y, k, atol, rtol, end)
            for j in range(6):
                out[i, j] = y[j]

    return kernel


def advance_kernel(**options):
    @cuda.jit(**options)
    def kernel(system, starts, rtol, end, out, status):
        i = cuda.grid(1)
        if i < starts.shape[0]:
            s = cuda.local.array(24, float64)
            k = cuda.local.array((18, 6), float64)
            y = cuda.local.array(6, float64)
            atol = cuda.local.array(6, float64)
            at = cuda.local.array(1, float64)
            at_out = cuda.local.array((1, 6), float64)
            ts = cuda.local.array(1025, float64)
            ys = cuda.local.array((1, 6), float64)
            fs = cuda.local.array((1, 7, 6), float64)
            for j in range(6):
                y[j] = starts[i, j]
                atol[j] = 1e-3 * rtol
            status[i] = by_advance(system, s, y, k, atol, rtol, end, at, at_out, ts, ys, fs)
            for j in range(6):
                out[i, j] = y[j]

    return kernel


def figure_4(count):
    """Kane and Levinson's start for Fig. 4, with the spin of each motion a little different."""
    starts = np.zeros((count, 6))
    starts[:, :2] = math.radians(0.5)
    starts[:, 5] = -5.0 - 0.01 * np.arange(count) / count
    return starts


END, RTOL = (0.1, 1e-9) if SIMULATED else (20.0, 1e-9)


def motion_check(name, factory, tolerance):
    def run():
        count = 2 if SIMULATED else 64
        starts, out, status = figure_4(count), np.zeros((count, 6)), np.zeros(count)
        launch(factory(), count, STONE, starts, RTOL, END, out, status)
        expected, wanted = starts.copy(), np.zeros(count)
        for i, y in enumerate(expected):
            if factory is lean_kernel:
                wanted[i] = lean(STONE, y, np.zeros((18, 6)), np.full(6, 1e-3 * RTOL), RTOL, END)
            else:
                room = np.zeros(1), np.zeros((1, 6)), np.zeros(1025), np.zeros((1, 6)), np.zeros((1, 7, 6))
                wanted[i] = by_advance(STONE, np.zeros(24), y, np.zeros((18, 6)), np.full(6, 1e-3 * RTOL), RTOL, END, *room)
        # Rounding grows some 600-fold in 20 s, and may once in a while decide whether a step is accepted.
        return np.column_stack([out, status > 0.0]), np.column_stack([expected, wanted > 0.0])

    check(name, tolerance)(run)


motion_check("motion to the end of Fig. 4, a lean loop", lean_kernel, 1e-5)
motion_check("motion to the end of Fig. 4, by advance_explicit", advance_kernel, 1e-5)


@check("both loops make the same steps", 1e-9)
def _():
    """On the CPU: what is timed below is what the package does."""
    first, second = figure_4(1)[0], figure_4(1)[0]
    lean(STONE, first, np.zeros((18, 6)), np.full(6, 1e-3 * RTOL), RTOL, END)
    room = np.zeros(1), np.zeros((1, 6)), np.zeros(1025), np.zeros((1, 6)), np.zeros((1, 7, 6))
    by_advance(STONE, np.zeros(24), second, np.zeros((18, 6)), np.full(6, 1e-3 * RTOL), RTOL, END, *room)
    return first, second


# running them


def run_checks(words):
    """Print the table; how many checks failed."""
    failed = 0
    print(f"{'check':56} {'difference':>11} {'tolerance':>11}  verdict   seconds")
    for name, (function, tolerance) in CHECKS.items():
        if words and not any(word in name for word in words):
            continue
        began = time.perf_counter()
        found, trouble = math.nan, ""
        try:
            out, expected, *own = function()
            tolerance = own[0] if own else tolerance
            found = difference(out, expected)
        except Exception as error:
            trouble = "".join(traceback.format_exception_only(error)).strip()
        good = found <= tolerance if tolerance is not None else False
        failed += not good
        limit = f"{tolerance:11.1e}" if tolerance is not None else " " * 11
        print(
            f"{name:56} {found:11.1e} {limit}  {'agrees' if good else 'FAILED'}  {time.perf_counter() - began:8.2f}", flush=True
        )
        if trouble:
            print("    " + trouble.replace("\n", "\n    ")[:1500], flush=True)
    return failed


def run_timings(count=1 << 17):
    """Motions per second: 20 s of Fig. 4 at rtol 1e-9, one thread per motion."""
    print(f"\n{count} motions of 20 s, rtol 1e-9")
    for name, factory in (("a lean loop", lean_kernel), ("advance_explicit", advance_kernel)):
        for registers in (None, 128):
            try:
                kernel = factory() if registers is None else factory(max_registers=registers)
                for threads in (64, 128):
                    starts = cuda.to_device(figure_4(count))
                    out, status = cuda.device_array((count, 6)), cuda.device_array(count)
                    kernel[1, threads](STONE, starts, RTOL, 0.1, out, status)  # compiled here
                    cuda.synchronize()
                    best = math.inf
                    for _ in range(3):
                        began = time.perf_counter()
                        kernel[(count + threads - 1) // threads, threads](STONE, starts, RTOL, 20.0, out, status)
                        cuda.synchronize()
                        best = min(best, time.perf_counter() - began)
                    bad = int((status.copy_to_host() <= 0.0).sum())
                    used = next(iter(kernel.get_regs_per_thread().values()))
                    text = f"registers {'free' if registers is None else registers} ({used} used), {threads} threads a block"
                    print(f"  {name:18} {text:48} {best:8.3f} s  {count / best:12,.0f} motions/s  {bad} failed", flush=True)
            except Exception as error:
                print(f"  {name}: {type(error).__name__}: {str(error)[:1500]}", flush=True)


def main(words):
    warnings.simplefilter("ignore")
    if not SIMULATED:
        print(f"{cuda.get_current_device().name}")
    failed = run_checks(words)
    if not SIMULATED and not words:
        run_timings()
    print(f"\n{failed} of {len(CHECKS)} checks failed" if failed else "\nall checks agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
