"""What a body owes to a parameter p inside a mode: f_p, by differences of order six between bodies with other parameters.

Where slip is small its direction, and with it the force, changes over as short distances of p. So velocities are changed beside p such that all slips stay what they are:
f_p = d/dp f(y(p), p) - J dy/dp.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.local_array import float64, int64, local_array
from ...kernel.system import dim
from ...mechanics.contact import contact_count, positions, velocities
from ..contact.balance import force_count
from ..contact.held import SLIP
from ..contact.sharing import solve_in_range
from ..hybrid.differences import STEP
from ..ode.columns import WEIGHTS
from ..ode.dense import copy, interpolate
from .held_body import held_rate
from .sight import see

SIDES = (0.0, *(sign * k * STEP for k in range(1, len(WEIGHTS) + 1) for sign in (1.0, -1.0)))  # of p, in its units


@compiled
def with_slips(system, choice, m, t, y, wanted, out):
    """A state into `out` whose slips at contacts that slip are those wanted (a number for each row), by impulses there."""
    see(system, t, y, 0.0, m.sight)
    sight, nq, rows = m.sight, positions(system), 0
    row_of, off = local_array(force_count(system), int64), local_array(force_count(system), float64)
    x, x0 = local_array(force_count(system), float64), local_array(force_count(system), float64)
    S = local_array((force_count(system), force_count(system)), float64)
    for k in range(contact_count(system)):
        for row in range(3 * k + 1, 3 * k + 3):
            if choice.modes[k] == SLIP:
                row_of[rows], off[rows], x0[rows] = row, sight.gamma[row] - wanted[row], 0.0
                rows += 1
    copy(y, out)
    for i in range(rows):
        for j in range(rows):
            S[i, j] = sight.A[row_of[i], row_of[j]]
    if rows > 0:
        solve_in_range(system, S, S, off, x0, x, rows)
    for i in range(rows):
        for j in range(velocities(system)):
            out[nq + j] -= x[i] * sight.lift[row_of[i], j]


@compiled
def owed_at(bodies, choice, m, t, h, y, f, nodes, J, out):
    """f_p into `out`, and J, at the nodes of a step of length h from (t, y) with dense output f. bodies: the body with its parameter at `SIDES`."""
    system = bodies[0]
    nq, n = positions(system), dim(system)
    state, made, rates = local_array(dim(system), float64), local_array(dim(system), float64), local_array(dim(system), float64)
    wanted, dy = local_array(force_count(system), float64), local_array(dim(system), float64)
    for j in range(nodes.size):
        when = t + nodes[j] * h
        interpolate(nodes[j], y, f, state)
        see(system, when, state, 0.0, m.sight)
        for i in range(force_count(system)):
            wanted[i] = m.sight.gamma[i]
        for a in range(n):
            out[j, a] = dy[a] = 0.0
        for side in range(1, len(bodies)):
            weight = (WEIGHTS[(side - 1) // 2] if side % 2 == 1 else -WEIGHTS[(side - 1) // 2]) / STEP
            with_slips(bodies[side], choice, m, when, state, wanted, made)
            held_rate(bodies[side], choice, when, made, rates)
            for a in range(n):
                out[j, a] += weight * rates[a]
                dy[a] += weight * (made[a] - state[a])
        for a in range(n):
            for b in range(nq, n):
                out[j, a] -= J[j, a, b] * dy[b]
