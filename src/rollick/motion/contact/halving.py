"""A time step whose contact problem must be solved: if it is not, the step is refused and made in halves, quarters, ...

A part that was accepted is kept, and the parts grow again where they can. After `MOST` halvings the motion ends there, with what was computed.
A step in which the contact would turn too far, seen by the body (a fast top; a disk about to lie flat, around which the contact runs ever
faster), is made in parts as well, `FINEST` halvings at most.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...mechanics.contact import positions, velocities
from .gathering import THESIS
from .step import accepted, moreau_step
from .turning import FAR
from .work import HALVED_STEPS, TURN, TURNED_STEPS

MOST = 10
FINEST = 5
PARTS = 2**MOST


@compiled
def careful_step(system, t, y, dt, scheme, tol, factors, sweeps, w):
    """Advance y = (q, u, sums) by dt; the worst residual of its parts. Above `accepted` the step could not be made, and y is of no use."""
    nq = positions(system)
    n = nq + velocities(system)
    enough = accepted(scheme, tol)
    worst = 0.0
    last = w.last.shape[0] - 1
    least = 0
    while scheme != THESIS and w.last[last, TURN] * dt > FAR * (1 << least) and least < FINEST:
        least += 1
    w.last[last, TURNED_STEPS] += 1.0 if least > 0 else 0.0
    level, done = least, 0
    while done < PARTS:
        size = PARTS >> level
        part = dt * size / PARTS
        error = moreau_step(system, t + dt * done / PARTS, y[:nq], y[nq:n], part, scheme, tol, factors, sweeps, y[n:], w)
        if error <= enough:
            worst = max(worst, error)
            done += size
            if level > least and done % (2 * size) == 0:
                level -= 1
        else:
            w.last[last, HALVED_STEPS] += 1.0 if level == least else 0.0
            level += 1
            if level > MOST:
                return error if error > enough else 1e300
    return worst
