"""A time step whose contact problem must be solved: if it is not, the step is refused and made in halves, quarters, ...

A part that was accepted is kept, and the parts grow again where they can. After `MOST` halvings the motion ends there, with what was computed.
"""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...mechanics.contact import positions, velocities
from .step import accepted, moreau_step
from .work import HALVED_STEPS

MOST = 10
PARTS = 2**MOST


@compiled
def careful_step(system, t, y, dt, scheme, tol, factors, sweeps, w):
    """Advance y = (q, u, sums) by dt; the worst residual of its parts. Above `accepted` the step could not be made, and y is of no use."""
    nq = positions(system)
    n = nq + velocities(system)
    enough = accepted(scheme, tol)
    worst = 0.0
    level, done = 0, 0
    while done < PARTS:
        size = PARTS >> level
        part = dt * size / PARTS
        error = moreau_step(system, t + dt * done / PARTS, y[:nq], y[nq:n], part, scheme, tol, factors, sweeps, y[n:], w)
        if error <= enough:
            worst = max(worst, error)
            done += size
            if level > 0 and done % (2 * size) == 0:
                level -= 1
        else:
            w.last[w.last.shape[0] - 1, HALVED_STEPS] += 1.0 if level == 0 else 0.0
            level += 1
            if level > MOST:
                return error if error > enough else 1e300
    return worst
