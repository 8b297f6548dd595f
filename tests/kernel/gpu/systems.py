"""Systems as arguments of kernels: their rates, signals, sizes and Jacobians."""

import numpy as np
from numba import complex128, cuda, float64

from rollick.archetypes.rattleback import AsPrinted, quaternion_form
from rollick.kernel.compiled import compiled
from rollick.kernel.derivative import EPS, rate_jacobian, system_jacobian
from rollick.kernel.system import dim, integral_count, rate, signals
from rollick.motion.ode.extended import Accumulating

from .checks import COUNT, RANDOM, STATES, STONE, check, launch


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


def rate_check(name, system, y, kernel=rate_kernel, on_cpu=rate_on_cpu, width=None, tolerance=1e-11):
    def run():
        width_ = width or y.shape[1]
        out, expected = np.zeros((COUNT, width_), y.dtype), np.zeros((COUNT, width_), y.dtype)
        launch(kernel, COUNT, system, y, out)
        on_cpu(system, y, expected)
        return out, expected

    check(name, tolerance)(run)


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
