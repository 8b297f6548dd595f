"""Scratch on the stack of a thread, and sizes that are constants of a type."""

import numpy as np
from numba import cuda

from rollick.archetypes.tippedisk import tippedisk
from rollick.kernel.compiled import compiled
from rollick.kernel.local_array import complex128, float64, int64, local_array
from rollick.kernel.system import dim, integral_count, signal_count
from rollick.mechanics.contact import contact_count, contacts_move, positions, velocities
from rollick.mechanics.laws.sliding import Regularised
from rollick.motion.ode.columns import Columns, Nothing, with_transition
from rollick.motion.ode.extended import Accumulating

from .checks import COUNT, RANDOM, STONE, check, launch

DISK = tippedisk("V1", Regularised(0.3, 0.1))


@compiled
def powers(x, out):
    """Powers of a matrix times a vector: in a real vector, a whole one, a real and a complex matrix, each scratch of a function of its own."""
    n = 3
    v = local_array(n, float64)
    order = local_array(n, int64)
    m = local_array((n, n), float64)
    for i in range(n):
        v[i] = x[i]
        order[i] = n - 1 - i
        for j in range(n):
            m[i, j] = x[3 + j] + 0.1 * i * x[j]
    for i in range(n):
        out[i] = 0.0
        for j in range(n):
            out[i] += m[i, j] * v[order[j]]
    z = local_array((2, n), complex128)
    for i in range(n):
        z[0, i] = complex(out[i], v[i])
        z[1, i] = z[0, i] * z[0, i]
    for i in range(n):
        out[n + i] = z[1, i].real
        out[2 * n + i] = z[1, i].imag


@compiled
def nested(x, out):
    """Scratch of the caller must survive what is called, again and again."""
    kept = local_array(9, x.dtype)
    for j in range(9):
        kept[j] = 0.0
    for _ in range(4):
        powers(x, out)
        for j in range(9):
            kept[j] += out[j] - 0.5 * kept[j]
    for j in range(9):
        out[j] = kept[j]


@compiled
def scaled_by_dim(system, x, out):
    """Scratch whose size comes from a type: the sum of the first dim(system) entries of a table, 2-D."""
    n = dim(system)
    table = local_array((2, n), float64)
    for i in range(n):
        table[0, i] = x[i % x.size]
        table[1, i] = table[0, i] * (i + 1)
    total = 0.0
    for i in range(n):
        total += table[0, i] + table[1, i]
    out[0] = total
    out[1] = table.shape[1]


@compiled
def sizes(stone, disk, out):
    """Every constant of a type, of systems and of systems made of systems."""
    out[0] = dim(stone)
    out[1] = integral_count(stone)
    out[2] = signal_count(stone)
    out[3] = dim(disk)
    out[4] = positions(disk)
    out[5] = velocities(disk)
    out[6] = contact_count(disk)
    out[7] = contacts_move(disk)
    out[8] = dim(Columns(stone, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0), Nothing(0.0)))
    out[9] = dim(Columns(stone, (0.0,), Nothing(0.0)))
    out[10] = dim(Accumulating(disk))


@cuda.jit
def nested_kernel(x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        nested(x[i], out[i])


@cuda.jit
def by_dim_kernel(system, x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        scaled_by_dim(system, x[i], out[i])


@cuda.jit
def sizes_kernel(stone, disk, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        sizes(stone, disk, out[i])


@check("local_array: real, whole and complex, 1-D and 2-D", 1e-12)
def _():
    x = RANDOM.uniform(0.2, 1.0, (COUNT, 6))
    out, expected = np.zeros((COUNT, 9)), np.zeros((COUNT, 9))
    launch(nested_kernel, COUNT, x, out)
    for i in range(COUNT):
        nested(x[i], expected[i])
    return out, expected


@check("local_array whose size comes from dim(system)", 1e-13)
def _():
    x = RANDOM.uniform(0.2, 1.0, (COUNT, 6))
    out = np.zeros((COUNT, 2))
    launch(by_dim_kernel, COUNT, with_transition(STONE), x, out)
    table = np.tile(x, (1, 7))
    return out, np.column_stack([(table * (2.0 + np.arange(42))).sum(axis=1), np.full(COUNT, 42.0)])


@check("constants of types", 0.0)
def _():
    out = np.zeros((COUNT, 11))
    launch(sizes_kernel, COUNT, STONE, DISK, out)
    expected = np.zeros(11)
    sizes(STONE, DISK, expected)
    assert expected.tolist() == [6, 3, 11, 13, 7, 6, 3, 0, 42, 12, 19], expected
    return out, np.tile(expected, (COUNT, 1))
