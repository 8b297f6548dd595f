"""Moreau's time stepping inside a kernel: a ball that slips until it rolls, one that bounces, a block that slides on its four corners."""

import math

import numpy as np
from numba import cuda

from rollick.kernel.compiled import compiled
from rollick.kernel.dispatch import constant
from rollick.kernel.hooks import start_state
from rollick.kernel.local_array import float64, int64, local_array
from rollick.mechanics.body import Body
from rollick.mechanics.contact import contact_count, positions, velocities
from rollick.mechanics.laws.sliding import Coulomb, Regularised
from rollick.mechanics.mass.primitives import box, solid_sphere
from rollick.mechanics.shapes.convex import Sphere
from rollick.mechanics.sliding import sliding
from rollick.mechanics.surfaces.plane import Plane
from rollick.motion.contact.gathering import DEFAULT, MIDPOINT, THESIS
from rollick.motion.contact.step import moreau_step
from rollick.motion.contact.work import FACTORS, MEMORY, ROWS, VECTORS, WHOLE, Work
from rollick.motion.methods.stepping import FACTORS as PUBLISHED

from .checks import FEW, SIMULATED, check, launch

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
HALF = (0.1, 0.06, 0.02)
BLOCK = Body.from_parts(box(1.0, *(2.0 * h for h in HALF)), Sphere(math.hypot(*HALF)))
CORNERS = [(sx * HALF[0], sy * HALF[1], -HALF[2]) for sx in (-1.0, 1.0) for sy in (-1.0, 1.0)]
R = tuple(float(r) for r in (*PUBLISHED, 1.0, 0.0))


@constant
def contact_room(system):
    """Rows of all contacts together."""


@contact_room.otherwise
def _(system):
    return ROWS * contact_count(system)


@constant
def vector_room(system):
    """The longest vector of a step."""


@vector_room.otherwise
def _(system):
    return max(positions(system), velocities(system), FACTORS * contact_count(system))


@constant
def memory_room(system):
    """What contacts remember: a row for each, and one for all."""


@memory_room.otherwise
def _(system):
    return contact_count(system) + 1


@compiled
def steps(system, first, dt, scheme, tol, count, out):
    """`count` steps of a system with contacts; out: q, u and the sums of the accounting. The worst residual of the contact problems."""
    nq, nu, contacts = positions(system), velocities(system), contact_count(system)
    n, longest, memory = contact_room(system), vector_room(system), memory_room(system)
    w = Work(
        local_array((nu, nu), float64),
        local_array((2, n, nu), float64),
        local_array((3, n, n), float64),
        local_array((3, ROWS, ROWS), float64),
        local_array((VECTORS, longest), float64),
        local_array((WHOLE, contacts), int64),
        local_array((memory, MEMORY), float64),
    )
    factors = local_array(FACTORS, float64)
    for i in range(FACTORS):
        factors[i] = R[i]
    for i in range(VECTORS):
        for j in range(longest):
            w.v[i, j] = 0.0
    for k in range(contacts):
        for i in range(WHOLE):
            w.k[i, k] = 0
    for k in range(memory):
        for i in range(MEMORY):
            w.last[k, i] = 0.0
    for j in range(nq + nu):
        out[j] = first[j]
    for j in range(6):
        out[nq + nu + j] = 0.0
    worst = 0.0
    for i in range(count):
        error = moreau_step(system, i * dt, out[:nq], out[nq : nq + nu], dt, scheme, tol, factors, 10000, out[nq + nu :], w)
        worst = max(worst, error)
    return worst


@cuda.jit
def steps_kernel(system, starts, dt, scheme, tol, count, out, worst):
    i = cuda.grid(1)
    if i < starts.shape[0]:
        worst[i] = steps(system, starts[i], dt, scheme, tol, count, out[i])


def states(system, given, name, values):
    """Starts that differ in one number."""
    return np.array([start_state(system, {**given, name: float(value)}) for value in values])


def step_check(name, system, starts, dt, count, scheme=DEFAULT, tol=1e-12, tolerance=1e-9, happens=None):
    """`happens`: what must be so of the CPU's (q, u, sums), so that something is checked."""

    def run():
        made = min(count, 120 // int(contact_count(system)) ** 2 // 4) if SIMULATED else count  # plain Python is slow
        out, worst = np.zeros((len(starts), starts.shape[1] + 6)), np.zeros(len(starts))
        launch(steps_kernel, len(starts), system, starts, dt, scheme, tol, made, out, worst)
        expected, wanted = np.zeros_like(out), np.zeros(len(starts))
        for i, y in enumerate(starts):
            wanted[i] = steps(system, y, dt, scheme, tol, made, expected[i])
        solved = 10.0 * tol  # residuals themselves are rounding: both must be small
        assert wanted.max() <= solved, wanted
        assert SIMULATED or happens is None or happens(expected), expected
        return np.column_stack([out, worst <= solved]), np.column_stack([expected, wanted <= solved])

    check(name, tolerance)(run)


def rolls(y):
    """The ball of radius 0.1 about the y axis does not slip any more."""
    return np.abs(y[:, 7] - 0.1 * y[:, 11]).max() < 1e-6


SPEEDS = np.linspace(1.0, 1.1, FEW)
SLIPPING = sliding(BALL, law=Coulomb(0.3))
BACKSPIN = states(SLIPPING, {"q0": 1.0, "omega2": -20.0}, "vx", SPEEDS)
step_check("moreau_step: a ball slips, then rolls", SLIPPING, BACKSPIN, 5e-3, 400, happens=rolls)
step_check("moreau_step: the same by the midpoint scheme", SLIPPING, BACKSPIN, 5e-3, 400, MIDPOINT, happens=rolls)
step_check("moreau_step: the same as in the thesis", SLIPPING, BACKSPIN, 5e-3, 400, THESIS, 1e-8, 1e-6, happens=rolls)

SMOOTH = sliding(BALL, law=Regularised(0.3, 0.1))
step_check("moreau_step: a smooth law", SMOOTH, BACKSPIN, 5e-3, 400)

BOUNCING = sliding(BALL, law=Coulomb(0.3), e_N=0.7)
DROPPED = states(BOUNCING, {"q0": 1.0, "vx": 0.5, "vy": 0.1, "omega2": 3.0}, "gap", np.linspace(0.01, 0.02, FEW))
step_check("moreau_step: a ball bounces", BOUNCING, DROPPED, 2e-3, 400, happens=lambda y: np.all(y[:, 17] > 0.05))

FOUR_FEET = sliding(BLOCK, on=Plane(0.3), law=Coulomb(0.2), feet=CORNERS)
DOWNHILL = states(FOUR_FEET, {"q0": 1.0, "vy": 0.1}, "vx", SPEEDS)
step_check("moreau_step: a block slides on four corners", FOUR_FEET, DOWNHILL, 2e-3, 200, tolerance=1e-6)
