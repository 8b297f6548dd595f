"""What is asked of a motion when it is done: was its future always unique, do its forces fit its modes, and why did it stop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...kernel.names import called
from .automaton import DryModes, Instant
from .code import DRIVE, JUDGED, MARGIN, SIZE, contact_code
from .forces import ROLL, ROWS, SLIP
from .future import Future
from .mode import SURE, all_forces

JAMMED = 1e-3  # of `drive`: where steps become too short so close to zero, that is why
WRONG = 1e-5  # of the forces at hand: so far outside what a mode allows, it has ended


def recorded(dry: DryModes, motion: Any) -> Iterator[tuple[str, Any, Instant]]:
    """The recorded instants inside modes: name, modes, contacts."""
    begins = [t for _, t in motion.provenance["methods"]]
    names = [name for name, _ in motion.provenance["methods"]]
    for t, y in zip(motion.t, motion.y):
        place = int(np.searchsorted(begins, t, side="left")) - 1
        if place >= 0 and t not in begins:
            modes: Any = tuple("OSR".index(letter) for letter in names[place].ljust(2, "O"))
            yield names[place], modes, dry.instant(t, y, modes)


def forces(dry: DryModes, modes: Any, seen: Instant) -> tuple[np.ndarray, np.ndarray]:
    """The forces in given modes, and what `judged` tells."""
    x, null, told = np.zeros(ROWS), np.zeros(ROWS), np.zeros(JUDGED)
    all_forces(contact_code(), *dry.shape, modes, seen.c, seen.A, seen.mu, seen.load, seen.w, x, null, told)
    return x, told


def fork(dry: DryModes, motion: Any) -> tuple[float, list[Future]] | None:
    """The first recorded instant of rolling at which another combination is consistent as well."""
    if not dry.shape[2]:
        return None
    for name, modes, seen in recorded(dry, motion):
        if "R" in name:
            still: Any = tuple(m == ROLL for m in modes)
            found = dry.futures(seen, modes, still)
            if len(found) > 1:
                return seen.t, found
    return None


def contradiction(dry: DryModes, motion: Any) -> str:
    """A sentence if a recorded state contradicts the mode that it is in: a pull, or a force outside its cone."""
    for name, modes, seen in recorded(dry, motion):
        if any(m == SLIP and v < SURE * n for m, v, n in zip(modes, dry.speeds(seen), dry.none)):
            continue  # the direction of slip is not known well enough
        x, told = forces(dry, modes, seen)
        pull = min((x[3 * k] for k in range(dry.count) if modes[k] == SLIP and dry.shape[2]), default=0.0)
        if min(told[MARGIN], pull) < -WRONG * told[SIZE]:
            return (
                f"{called(dry.system)} was followed in {name} at t = {seen.t:.10g}, where a contact would pull, or its friction be more than mu N: "
                f"a change of mode was missed, and the motion is wrong from there on. Take a smaller rtol or max_step."
            )
    return ""


def jammed(dry: DryModes, motion: Any) -> bool:
    """Whether a motion ends where slip is about to lose its unique normal force."""
    modes: Any = tuple("OSR".index(letter) for letter in motion.provenance["methods"][-1][0].ljust(2, "O"))
    _, told = forces(dry, modes, dry.instant(motion.end_time, motion.end_state, modes))
    return bool(SLIP in modes and abs(told[DRIVE]) < JAMMED)
