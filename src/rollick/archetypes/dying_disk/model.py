"""The dying disk as a model of the command line: `rollick simulate dying_disk`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError, choose, number, whole
from ...kernel.renamed import new_names
from ...motion.impacts.collide import NAMES, collide, start_of
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
    "max_impacts": Parameter(20_000.0, "", "end after so many impacts"),
    "rule": Parameter("sequential", "", "for points that touch at once", ("sequential", "simultaneous", "stop")),
}
DEFAULT_TILT, LARGEST_TILT = 0.1, 0.3  # rad; the model is of leading order in the tilt
_START: dict[str, str | float] = {"tilt": DEFAULT_TILT, "disturbed": 0.01}


class Case(NamedTuple):
    """A disk under gravity, as the command line makes it."""

    disk: Disk
    g: float
    max_impacts: int
    rule: str


def _make(**given: Any) -> Case:
    v = read_parameters(_PARAMETERS, new_names(given, {"most": "max_impacts"}), "the dying disk")
    if v["g"] <= 0.0:
        raise InputError(f"g = {v['g']:g} must be above zero; without gravity take the model polygon.")
    return Case(disk(v["n"], v["rho"], v["gamma"]), v["g"], whole(v["max_impacts"], "max_impacts", 1), v["rule"])


def _start(case: Case, given: dict[str, Any]) -> Any:
    """A start of `collide`: six coordinates; or tilt and phase of a rolling disk; or the self-similar motion, disturbed. None is tilted too far."""
    known = (*NAMES, "tilt", "phase", "self_similar", "disturbed")
    names = {choose(n, known, "name of a start of the dying disk"): x for n, x in given.items()}
    if "self_similar" in names or "disturbed" in names:
        start = _self_similar(case, names)
    elif "tilt" in names:
        start = _rolling(case, names)
    else:
        start = np.concatenate(start_of(names))
    tilt = math.hypot(start[0], start[1])
    if not tilt < LARGEST_TILT:
        raise InputError(
            f"this start is tilted by {tilt:.4g} rad; the model holds for small tilts, below {LARGEST_TILT} rad. Tilt it less, e.g. --start tilt=0.1."
        )
    return start


def _tilt(given: Any) -> float:
    tilt = number(given, "tilt", "rad")
    if not 0.0 < tilt < LARGEST_TILT:
        raise InputError(
            f"tilt = {given!r} must be above 0 and small (below {LARGEST_TILT} rad); the model holds for small tilts."
        )
    return tilt


def _rolling(case: Case, names: dict[str, Any]) -> np.ndarray:
    """A disk that rolls, by tilt and phase."""
    other = [n for n in names if n not in ("tilt", "phase")]
    if other:
        raise InputError(f"a rolling start is given by tilt and phase alone; leave out {', '.join(other)}.")
    start = rolling_start(case.disk.rho, _tilt(names["tilt"]), number(names.get("phase", 0.0), "phase", "rad"))
    start[3:] *= math.sqrt(case.g)
    return start


def _self_similar(case: Case, names: dict[str, Any]) -> np.ndarray:
    """Self-similar motion, of a given tilt or a given time to the second impact, disturbed by a part."""
    other = [n for n in names if n not in ("self_similar", "disturbed", "tilt")]
    if other or ("tilt" in names and "self_similar" in names):
        raise InputError(
            "the self-similar start takes disturbed and either tilt or self_similar (its time to the second impact); "
            f"leave out {other[0] if other else 'one of them'}."
        )
    motion = rolling_down(case.disk, case.g)
    if motion is None or not motion.feasible:
        raise InputError(
            f"self-similar motion with gravity cannot happen for n = {case.disk.n}, rho = {case.disk.rho:g}, gamma = {case.disk.gamma:g}; "
            "start with tilt alone, e.g. --start tilt=0.01."
        )
    if "self_similar" in names:
        tau = number(names["self_similar"], "self_similar", "s")
        if tau <= 0.0:
            raise InputError(f"self_similar = {tau:g} is the time to the second impact and must be above zero.")
    else:
        tau = math.sqrt(_tilt(names.get("tilt", DEFAULT_TILT)) / math.hypot(motion.q[0], motion.q[1]))
    part = number(names.get("disturbed", 0.0), "disturbed")
    start = motion.start.copy()
    start[:3] *= tau * tau
    start[3:] *= tau
    start[5] *= 1.0 + part
    start[2] += max(1e-13, 1e-3 * abs(part)) * abs(start[2])  # just above the plane
    return start


def body(system: Case, start: Any) -> tuple[Any, Any]:
    """The disk as a body with contacts, and its start."""
    from ..falling_plate import FallingPlate, begun, refuse_stop

    refuse_stop(system.rule)
    begin = np.asarray(_start(system, dict(start)), float) if isinstance(start, Mapping) else begun(start)
    return FallingPlate(system.disk.plate, system.disk.gamma, system.g), begin


def run(system: Case, start: dict[str, Any], until: float | None = None, progress: bool | None = None) -> Collisions:
    """Let the disk rattle."""
    limit = math.inf if until is None else until
    begin = _start(system, dict(start or _START))
    options: dict[str, Any] = {"g": system.g, "max_impacts": system.max_impacts, "until": limit, "rule": system.rule}
    return collide(system.disk.plate, system.disk.gamma, begin, **options)


MODEL = Model(
    "dying_disk",
    "Euler's disk as a polygon of contact points: impacts round its edge, ever faster, until it rests",
    "a thesis on dynamics induced by sequences of collisions, chapter 4",
    _PARAMETERS,
    _make,
    _START,
    math.inf,
    (),
    "To leading order in the tilt; lengths in radii. The default start is self-similar motion, tilted by 0.1 rad and disturbed by one percent. See also `rollick disk`.",
    "self-similar motion: disturbed (a part) with tilt or self_similar (time to the second impact); or tilt and phase of a disk that rolls; or "
    + ", ".join(NAMES),
    run=run,
    body=body,
)
