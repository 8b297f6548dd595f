"""From impact to impact inside a kernel: a rod that chatters, and polygons with and without gravity."""

import math

import numpy as np
from numba import cuda

from rollick.archetypes.rod import rod, rod_start
from rollick.kernel.compiled import compiled
from rollick.kernel.local_array import float64, int64, local_array
from rollick.mechanics.plate import regular
from rollick.motion.impacts.loop import BEFORE, COLUMNS, COUNT, EXPONENT_Q, INTEGERS, LABELS, LAST, collisions

from .checks import FEW, check, launch

KEPT = 8  # impacts whose record is kept


@compiled
def sequence(f, w, gamma, g, first, most, until, out):
    """Collide; out: the state, the whole numbers, the code, and which points were hit at first."""
    s = local_array(7, float64)
    k = local_array(INTEGERS, int64)
    values = local_array((KEPT, COLUMNS), float64)
    labels = local_array((KEPT, LABELS), int64)
    for i in range(6):
        s[i] = first[i]
    s[6] = 0.0
    for i in range(INTEGERS):
        k[i] = 0
    k[LAST] = -1
    k[BEFORE] = -1
    code = collisions(f, w, gamma, g, s, k, most, until, -1.0, True, values, labels)
    for i in range(7):
        out[i] = s[i]
    for i in range(INTEGERS):
        out[7 + i] = k[i]
    out[7 + INTEGERS] = code
    for i in range(KEPT):
        met = i < k[COUNT]
        out[8 + INTEGERS + i] = labels[i, 0] if met else -1.0
        out[8 + INTEGERS + KEPT + i] = values[i, 0] if met else 0.0  # flight times


@cuda.jit
def sequence_kernel(f, w, gamma, g, starts, most, until, out):
    i = cuda.grid(1)
    if i < starts.shape[0]:
        sequence(f, w, gamma, g, starts[i], most, until, out[i])


def impact_check(name, plate, gamma, g, first, most, happens, until=math.inf, tolerance=1e-9):
    """`happens`: what must be so of the CPU's whole numbers, so that something is checked."""

    def run():
        f, w = np.ascontiguousarray(plate.f), np.ascontiguousarray(plate.w)
        starts = np.tile([first.get(n, 0.0) for n in ("phi_x", "phi_y", "h", "omega_x", "omega_y", "v")], (FEW, 1))
        starts[:, 5] -= 0.2 * np.arange(FEW) / FEW
        out = np.zeros((FEW, 8 + INTEGERS + 2 * KEPT))
        launch(sequence_kernel, FEW, f, w, gamma, g, starts, most, until, out)
        expected = np.zeros_like(out)
        for y, row in zip(starts, expected):
            sequence(f, w, gamma, g, y, most, until, row)
        assert happens(expected[:, 7 : 7 + INTEGERS]), expected
        # States are small in some entries: each column against its own size. Whole numbers must be the same.
        whole = slice(7, 8 + INTEGERS + KEPT)
        assert np.array_equal(out[:, whole], expected[:, whole]), (out[:, whole], expected[:, whole])
        return out, expected

    check(name, tolerance)(run)


ROD = rod_start(omega=0.1)
TILTED = {"phi_x": 0.01, "phi_y": 0.02, "h": 1.0, "omega_x": 0.03, "omega_y": 0.05, "v": -1.0}
impact_check(
    "collisions: a rod chatters beyond the range of doubles",
    rod(0.2), 0.2, 0.0, ROD, 400, lambda k: np.all(k[:, COUNT] == 400) and np.all(k[:, EXPONENT_Q] < 0),
)  # fmt: skip
impact_check("collisions: a rod that leaves", rod(0.5), 0.6, 0.0, ROD, 400, lambda k: np.all(k[:, COUNT] < 20))
impact_check("collisions: a square plate", regular(4, 0.25), 0.2, 0.0, TILTED, 40, lambda k: np.all(k[:, COUNT] >= 2))
impact_check("collisions: a pentagon under gravity", regular(5, 0.4), 0.5, 9.81, TILTED, 30, lambda k: np.all(k[:, COUNT] >= 10))
impact_check(
    "collisions: a square under gravity, for a while",
    regular(4, 0.4),
    0.5,
    9.81,
    TILTED,
    30,
    lambda k: np.all(k[:, COUNT] >= 1),
    0.5,
)
