"""Points of codimension two without limit directions: orbits wind around them, and one integral decides.

With V of one sign d(ln r)/dphi = R/V: over a turn, whichever way round, ln r changes by I = integral of R/|V| over the circle. I < 0: every
orbit arrives, after infinitely many turns in finite time (each turn takes e^I of the one before); I > 0: every orbit comes from there.
"""

from __future__ import annotations

import numpy as np

from ....kernel.names import InputError
from .limit_field import LimitField


def has_poles(limit: LimitField) -> bool:
    """Whether V, which has no zeros, changes its sign all the same: through infinity, where friction jams. A harmonic field has no poles."""
    if limit.normal_harmonic is not None:
        return False
    v = limit.circumferential(limit.angles)
    return bool(np.any(np.sign(v) != np.sign(v[0])))


def circulation(limit: LimitField, tolerance: float = 1e-12) -> float:
    """I, by the trapezoidal rule (exponentially accurate on a circle), doubled until it stands."""
    before = None
    for count in (180, 360, 720, 1440, 2880):
        phi = 2.0 * np.pi * (np.arange(count) + 0.25) / count
        v = limit.circumferential(phi)
        if np.any(v == 0.0) or np.any(np.sign(v) != np.sign(v[0])):
            raise InputError(
                f"V changes its sign at x = {limit.x.tolist()}: there are limit directions, the circulation is infinite."
            )
        ratio = limit.radial(phi) / np.abs(v)
        value = float(ratio.mean() * 2.0 * np.pi)
        if before is not None and abs(value - before) <= max(
            tolerance * float(np.abs(ratio).mean()), 10.0 * limit.error / limit.scale
        ):
            return value
        before = value
    raise InputError(
        f"the circulation at x = {limit.x.tolist()} does not converge: V nearly vanishes, {np.abs(v).min():.3g} at least."
    )
