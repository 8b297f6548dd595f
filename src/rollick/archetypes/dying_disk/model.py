"""The dying disk as a model of the command line: `rollick simulate dying_disk`."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ...kernel.names import InputError, choose, number
from ...motion.impacts.collide import NAMES, collide
from ...motion.impacts.record import Collisions
from ..models import Model, Parameter, read_parameters
from .disk import Disk, disk
from .mechanisms import rolling_start
from .selfsimilar import rolling_down

_PARAMETERS = {
    "n": Parameter(25.0, "", "contact points: many for a disk that is not round, 3 for a rough floor"),
    "rho": Parameter(0.5, "", "radius of gyration about a diameter / radius (homogeneous: 0.5)"),
    "gamma": Parameter(0.5, "", "coefficient of restitution, 0 .. 1"),
    "g": Parameter(1.0, "", "gravity, in radii/s^2"),
    "most": Parameter(20_000.0, "", "end after so many impacts"),
    "rule": Parameter("sequential", "", "for points that touch at once", ("sequential", "simultaneous", "stop")),
}
_START: dict[str, str | float] = {"self_similar": 1.0, "disturbed": 0.01}


class Case(NamedTuple):
    """A disk under gravity, as the command line makes it."""

    disk: Disk
    g: float
    most: int
    rule: str


def _make(**given: Any) -> Case:
    v = read_parameters(_PARAMETERS, given, "the dying disk")
    if v["g"] <= 0.0:
        raise InputError(f"g = {v['g']:g} must be above zero; without gravity take the model polygon.")
    if v["most"] < 1:
        raise InputError(f"most = {v['most']:g} must be 1 or more.")
    return Case(disk(v["n"], v["rho"], v["gamma"]), v["g"], int(v["most"]), v["rule"])


def _start(case: Case, given: dict[str, Any]) -> Any:
    """A start of `collide`: six coordinates; or tilt and phase of a rolling disk; or the self-similar motion, disturbed."""
    known = (*NAMES, "tilt", "phase", "self_similar", "disturbed")
    names = {choose(n, known, "name of a start of the dying disk"): x for n, x in given.items()}
    if "tilt" in names and "self_similar" not in names:
        other = [n for n in names if n not in ("tilt", "phase")]
        if other:
            raise InputError(f"a rolling start is given by tilt and phase alone; leave out {', '.join(other)}.")
        tilt = number(names["tilt"], "tilt", "rad")
        if not 0.0 < tilt < 0.3:
            raise InputError(
                f"tilt = {names['tilt']!r} must be above 0 and small (below 0.3 rad); the model holds for small tilts."
            )
        start = rolling_start(case.disk.rho, tilt, number(names.get("phase", 0.0), "phase", "rad"))
        start[3:] *= math.sqrt(case.g)
        return start
    if "self_similar" not in names and "disturbed" not in names:
        return names
    other = [n for n in names if n not in ("self_similar", "disturbed")]
    if other:
        raise InputError(
            f"the self-similar start takes self_similar (its first time between impacts) and disturbed; leave out {other[0]}."
        )
    motion = rolling_down(case.disk, case.g)
    if motion is None or not motion.feasible:
        raise InputError(
            f"self-similar motion with gravity cannot happen for n = {case.disk.n}, rho = {case.disk.rho:g}, gamma = {case.disk.gamma:g}; "
            "start with tilt, e.g. --start tilt=0.01."
        )
    tau = number(names.get("self_similar", 1.0), "self_similar", "s")
    if tau <= 0.0:
        raise InputError(f"self_similar = {tau:g} is the time to the second impact and must be above zero.")
    part = number(names.get("disturbed", 0.0), "disturbed")
    start = motion.start.copy()
    start[:3] *= tau * tau
    start[3:] *= tau
    start[5] *= 1.0 + part
    start[2] += max(1e-13, 1e-3 * abs(part)) * abs(start[2])  # just above the plane
    return start


def run(system: Case, start: dict[str, Any], until: float | None = None, progress: bool | None = None) -> Collisions:
    """Let the disk rattle."""
    limit = math.inf if until is None else until
    begin = _start(system, dict(start or _START))
    return collide(system.disk.plate, system.disk.gamma, begin, g=system.g, most=system.most, until=limit, rule=system.rule)


MODEL = Model(
    "dying_disk",
    "Euler's disk as a polygon of contact points: impacts round its edge, ever faster, until it rests",
    "a thesis on dynamics induced by sequences of collisions, chapter 4",
    _PARAMETERS,
    _make,
    _START,
    math.inf,
    (),
    "To leading order in the tilt; lengths in radii. The default start is self-similar motion, disturbed by one percent. See also `rollick disk`.",
    "self_similar (time to the second impact) with disturbed (a part); or tilt and phase of a disk that rolls; or "
    + ", ".join(NAMES),
    run=run,
)
