"""Full turns: phi and psi of a rolling motion as continuous angles.

An attitude knows its angles up to full turns only. Along a motion the turns are counted with the help of the rates: from one instant to the
next the angle changes by its difference up to turns, and of all candidates the one closest to the mean rate times the time is taken. Where
none is close the output is too coarse to count, and this is said.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError

CERTAIN = 1.5  # rad between the counted and the predicted change
FINER = 16  # instants per step, where there is dense output


class Turns(NamedTuple):
    """phi and psi at the instants of a motion, in rad, not cut at half turns."""

    phi: np.ndarray
    psi: np.ndarray


def turns(motion: Any) -> Turns:
    """phi and psi of a rolling motion (full form) with all their turns, starting between -pi and pi.

    By dense output (`dense=True`) if there is one, else from instant to instant: then the output must not be coarser than about a quarter
    turn, as it never is without `at`.
    """
    if not {"phi", "psi", "phi_rate", "psi_rate"} <= set(motion.names):
        raise InputError(f"turns are counted for rolling bodies in their full form, not for {motion.provenance['system']}.")
    t = motion.t
    if t.size == 0:
        return Turns(np.empty(0), np.empty(0))
    if motion.has_dense and t.size > 1:
        parts = np.arange(FINER) / FINER
        t = np.append((t[:-1, None] + np.diff(t)[:, None] * parts).ravel(), t[-1])
    count = 1 if t is motion.t else FINER
    get = motion.__getitem__ if t is motion.t else lambda name: motion.at(t, name)
    return Turns(*(_counted(t, get(name), get(f"{name}_rate"), name)[::count] for name in ("phi", "psi")))


def _counted(t: np.ndarray, angle: np.ndarray, rate: np.ndarray, name: str) -> np.ndarray:
    expected = 0.5 * (rate[:-1] + rate[1:]) * np.diff(t)
    change = np.diff(angle)
    change += 2.0 * np.pi * np.round((expected - change) / (2.0 * np.pi))
    lost = np.flatnonzero(~(np.abs(change - expected) < CERTAIN))
    if lost.size:
        k = int(lost[0])
        raise InputError(
            f"the turns of {name} cannot be counted between t = {t[k]:.6g} and {t[k + 1]:.6g} s: either the output is too coarse (leave out "
            f"`at`, or simulate with dense=True), or e3 passes the normal there, where {name} is undefined."
        )
    return np.concatenate([angle[:1], angle[0] + np.cumsum(change)])
