"""Whole motions of any system by `advance_explicit`, all memory on the thread's stack: variational equations, tangents, lasting contact."""

import math

import numpy as np
from numba import cuda

from rollick.archetypes.tippedisk import start, tippedisk
from rollick.kernel.compiled import compiled
from rollick.kernel.derivative import EPS
from rollick.kernel.hooks import start_state
from rollick.kernel.local_array import float64, local_array
from rollick.kernel.system import dim
from rollick.mechanics.body import Body
from rollick.mechanics.laws.sliding import Regularised
from rollick.mechanics.shapes.convex import Rim
from rollick.mechanics.sliding import Lowest, sliding
from rollick.motion.ode.columns import with_tangent, with_transition
from rollick.motion.ode.extended import Accumulating

from .checks import COUNT, FEW, RANDOM, SIMULATED, STONE, check, launch
from .motions import by_advance, figure_4
from .systems import rate_check

LAW = Regularised(0.3, 0.1)
TIPPEDISK = tippedisk("V1", LAW)  # its ODE is that of lasting contact of any body with contacts
SLIDING = sliding(
    Body.from_inertia(0.4354, (2.4856e-4, 2.2406e-4, 4.6536e-4), Rim(0.045), (2.5e-3, 0.0, 0.0)), law=LAW, feet=Lowest()
)
CONTROL, ROOM = 24, 65


@compiled
def carry(system, first, rtol, end, out):
    """From a start to the end; out: the state there. Why it ended."""
    n = dim(system)
    s = local_array(CONTROL, float64)
    y = local_array(n, float64)
    atol = local_array(n, float64)
    k = local_array((18, n), float64)
    at = local_array(1, float64)
    at_out = local_array((1, n), float64)
    ts = local_array(ROOM, float64)
    ys = local_array((1, n), float64)
    fs = local_array((1, 7, n), float64)
    for j in range(n):
        y[j] = first[j]
        atol[j] = 1e-3 * rtol
    status = by_advance(system, s, y, k, atol, rtol, end, at, at_out, ts, ys, fs)
    for j in range(n):
        out[j] = y[j]
    return status


@cuda.jit
def carry_kernel(system, starts, rtol, end, out, status):
    i = cuda.grid(1)
    if i < starts.shape[0]:
        status[i] = carry(system, starts[i], rtol, end, out[i])


def carry_check(name, system, starts, end, tolerance):
    def run():
        out, status = np.zeros_like(starts), np.zeros(len(starts))
        launch(carry_kernel, len(starts), system, starts, 1e-9, end, out, status)
        expected, wanted = np.zeros_like(starts), np.zeros(len(starts))
        for i, y in enumerate(starts):
            wanted[i] = carry(system, y, 1e-9, end, expected[i])
        assert np.abs(expected - starts).max() > 1e-3, "nothing moves"
        return np.column_stack([out, status]), np.column_stack([expected, wanted])

    check(name, tolerance)(run)


def leaning_disks(count):
    """Tippedisks and sliding disks that spin on their edge, each a little faster than the last."""
    spins = 40.0 + 2.0 * np.arange(count) / count
    disks = [
        np.concatenate(
            start(TIPPEDISK, beta=0.5 * math.pi - 0.1, gamma=-0.5 * math.pi + 0.1, alpha_rate=w, slip=(0.05, 0.2)),
        )
        for w in spins
    ]
    bodies = [
        start_state(
            SLIDING, {"theta": math.pi / 2 - 0.1, "psi": -math.pi / 2 + 0.1, "phi_rate": w, "slip_x": 0.2, "slip_y": 0.05}
        )
        for w in spins
    ]
    return np.array(disks), np.array(bodies)


DISKS, BODIES = leaning_disks(COUNT)
STEP = 1j * EPS * RANDOM.uniform(0.5, 1.0, (COUNT, 13))
END = 0.02 if SIMULATED else 1.0

rate_check("rate of lasting contact (tippedisk)", TIPPEDISK, DISKS)
rate_check("rate of lasting contact (tippedisk), step", TIPPEDISK, DISKS + STEP, tolerance=1e-8)  # by differences, to 1e-9
rate_check("rate of lasting contact and its losses", Accumulating(TIPPEDISK), np.hstack([DISKS, np.zeros((COUNT, 6))]))
rate_check("rate of a Sliding body", SLIDING, BODIES)
rate_check("rate of a Sliding body, step", SLIDING, BODIES + STEP)
carry_check("lasting contact (tippedisk) by advance_explicit", TIPPEDISK, DISKS[:FEW], END, 1e-6)
carry_check("a Sliding body by advance_explicit", SLIDING, BODIES[:FEW], END, 1e-6)


def with_matrix(states):
    """States followed by the unit matrix."""
    n = states.shape[1]
    return np.hstack([states, np.tile(np.eye(n).ravel(), (len(states), 1))])


def beside_a_tangent(states):
    """States followed by a direction."""
    return np.hstack([states, RANDOM.uniform(0.2, 1.0, states.shape)])


STONES = figure_4(FEW)
WHILE = 0.02 if SIMULATED else 2.0
carry_check("variational equations of a stone by advance_explicit", with_transition(STONE), with_matrix(STONES), WHILE, 1e-6)
carry_check("a tangent of a stone by advance_explicit", with_tangent(STONE), beside_a_tangent(STONES), WHILE, 1e-6)
carry_check(
    "a tangent of a Sliding body by advance_explicit", with_tangent(SLIDING), beside_a_tangent(BODIES[:FEW]), 0.5 * END, 1e-5
)
