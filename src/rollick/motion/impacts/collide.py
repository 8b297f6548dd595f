"""`collide`: a plate, a restitution coefficient and a start; out come all impacts, and how it ended.

How a sequence runs, from phase to phase, is in `phases.py`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, choose, number
from ...kernel.renamed import renamed
from ...mechanics.plate import Plate
from .phases import Phases
from .record import Collisions
from .simultaneous import RULES

NAMES = ("phi_x", "phi_y", "h", "omega_x", "omega_y", "v")
LARGEST, RECORDED = 10**12, 20_000_000
UNITS = ("rad", "rad", "m", "rad/s", "rad/s", "m/s")


def start_of(start: Any) -> tuple[np.ndarray, np.ndarray]:
    """q and p from a dict of names (those not given are zero), or from six numbers."""
    if isinstance(start, dict):
        values = dict.fromkeys(NAMES, 0.0)
        for name, given in start.items():
            name = choose(name, NAMES, "coordinate of the start")
            unit = UNITS[NAMES.index(name)]
            values[name] = number(given, name, unit)
        flat = np.array([values[n] for n in NAMES])
    else:
        try:
            flat = np.asarray(start, float).ravel()
        except (TypeError, ValueError):
            flat = np.empty(0)
        if flat.size != 6 or not np.all(np.isfinite(flat)):
            raise InputError(f"a start is a dict of {', '.join(NAMES)}, or these six numbers, finite; got {start!r}.")
    return flat[:3].copy(), flat[3:].copy()


@renamed(most="max_impacts")
def collide(
    plate: Plate,
    gamma: float,
    start: Any,
    *,
    g: float = 0.0,
    max_impacts: int = 10_000,
    until: float = math.inf,
    rule: str = "sequential",
    tolerance: float = 1e-12,
    tie: float | None = None,
    beyond: bool = True,
    rising: bool = True,
    record: bool = True,
) -> Collisions:
    """Let a plate fly and collide.

    Parameters
    ----------
    plate: the body, see `rollick.mechanics.plate` (`plate`, `regular`) and `rollick.archetypes.rod`, `polygon`.
    gamma: Newton's coefficient of restitution, 0 .. 1.
    start: a dict of phi_x, phi_y, h, omega_x, omega_y, v, or these six numbers. No point may start below the plane.
    g: gravity; zero for none.
    max_impacts: end after so many impacts.
    until: end at this time.
    rule: what points do that touch at once: "sequential", "simultaneous" or "stop"; see `rollick.motion.impacts.simultaneous`.
    tolerance: of the sequential rule: velocities below this part of the first one count as zero.
    tie: relative difference of times below which impacts are simultaneous. Default: only points in lasting contact take part in
        simultaneous impacts under the sequential rule, and 1e-12 under the others.
    beyond: go on past accumulations, in lasting contact; otherwise end there.
    rising: without gravity, end when the mass centre rises: the body can never come to rest any more (Lemma 1).
    record: keep every impact; otherwise only the ending.
    """
    gamma = number(gamma, "gamma")
    if not 0.0 <= gamma <= 1.0:
        raise InputError(f"gamma = {gamma!r} must lie between 0 (no rebound) and 1 (no loss).")
    g = number(g, "g", "m/s^2")
    if g < 0.0:
        raise InputError(f"g = {g!r} must be zero (no gravity) or above: it pulls towards the plane.")
    if not isinstance(plate, Plate):
        raise InputError(f"the body must be a Plate (see rollick.mechanics.plate), not {called(plate)}.")
    limit = max_impacts
    if not (isinstance(limit, (int, float)) and math.isfinite(limit) and limit == int(limit) and 1 <= limit <= LARGEST):
        raise InputError(
            f"max_impacts = {limit!r} must be a whole number from 1 to {LARGEST}; with record=False memory is no matter, but time is."
        )
    if record and limit > RECORDED:
        raise InputError(
            f"max_impacts = {limit!r} take more memory than there is; record at most {RECORDED}, or use record=False."
        )
    last = math.inf if until in (None, math.inf) else number(until, "until", "s")
    if not last > 0.0:
        raise InputError(f"until = {until!r} must be above zero.")
    if not (isinstance(tolerance, (int, float)) and 0.0 <= tolerance < 1.0):
        raise InputError(f"tolerance = {tolerance!r} must lie between 0 and 1.")
    choose(rule, RULES, "rule for simultaneous impacts")
    q, p = start_of(start)
    if plate.count == 2 and not any(plate.y) and (q[0] or p[0]):
        raise InputError("a rod does not turn about its own axis here: leave phi_x and omega_x zero.")
    low = plate.f @ q
    if low.min() < -1e-12 * np.abs(q).max():
        raise InputError(f"point {int(low.argmin())} starts {-low.min():.3g} below the plane; raise h or tilt less.")
    return Phases(plate, gamma, g, q, p, int(limit), last, rule, tolerance, tie, beyond, rising, record).go()
