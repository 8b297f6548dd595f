"""A drop test: `drop(device, phi0, h0)` and what it tells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .convergence import Convergence, tolerances
from .device import Device
from .oscillator import reference_peak
from .result import Drop
from .sequence import FOUND, IMPACT_COLUMNS, IMPACTS, PEAK, PHASE_COLUMNS, PHASES, run_drop
from .settings import Settings, drop_start, settings


def drop(
    device: Device,
    phi0: Any = math.pi / 4,
    h0: Any = 10.0,
    *,
    v0: Any = 0.0,
    w0: Any = 0.0,
    report: bool = True,
    rtol: float = 1e-6,
    **choices: Any,
) -> Drop:
    """Drop a device from the height h0 of its mass centre, at the angle phi0, and follow it until it rests.

    Parameters
    ----------
    device: see `rollick.archetypes.dropped_device.device`; all numbers are dimensionless (half-length 1, gravity 1).
    phi0, h0, v0, w0: the start, h and phi with their rates; the oscillator begins at rest (5.26).
    report: whether to repeat the drop with other tolerances, to tell how many digits of R are certain.
    rtol: the relative agreement that counts as converged.
    choices: eps, scheme, centrifugal, simultaneous, ringdown, until, max_impacts; see `settings`.
    """
    chosen = settings(**choices)
    start = np.array(drop_start(phi0, h0, v0, w0))
    reference = float(reference_peak(reference_speed(start), device.delta, device.Omega))
    impacts, phases, found = logged(device, chosen, start, reference)
    convergence = study(device, chosen, start, reference, rtol) if report else None
    return Drop(device, chosen, tuple(start.tolist()), reference, impacts, phases, found, convergence)


def reference_speed(start: np.ndarray) -> float:
    """u_r'(0): the speed of a fall through h(0) (5.24), for a rod that is thrown the speed with the same energy."""
    return math.sqrt(2.0 * start[0] + start[2] ** 2)


def logged(device: Device, chosen: Settings, start: np.ndarray, reference: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Impacts, phases and findings of one drop; with more room if the first logs were too short."""
    room, found = 1000, np.empty(FOUND)
    while True:
        impacts, phases = np.empty((room, len(IMPACT_COLUMNS))), np.empty((room, len(PHASE_COLUMNS)))
        run_drop(device, chosen.rules(), start, reference, impacts, phases, found)
        n, m = int(found[IMPACTS]), int(found[PHASES])
        if max(n, m) <= room:
            return impacts[:n].copy(), phases[:m].copy(), found
        room = max(n, m) + 10


def shock_ratio(device: Device, chosen: Settings, start: np.ndarray, reference: float) -> float:
    """R (5.22) alone."""
    none, found = np.empty((0, 0)), np.empty(FOUND)
    run_drop(device, chosen.rules(), start, reference, none, none, found)
    return float(found[PEAK] / reference)


def study(device: Device, chosen: Settings, start: np.ndarray, reference: float, rtol: float = 1e-6) -> Convergence:
    """R with ever smaller tolerance."""
    eps = tolerances(chosen.eps)
    return Convergence(
        tuple(eps), tuple(shock_ratio(device, chosen.with_eps(e), start, reference) for e in eps), chosen.eps, rtol
    )
