"""Which contacts touch at an instant: by their gaps, and by the rates of these. One that touches and parts is open; one that touches and approaches is about to hit.

Nothing is moved: `project` of a body would put it onto its surface and take its normal velocity away, which is right for the ODE of lasting contact only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kernel.compiled import compiled
from ...kernel.names import InputError, called
from ...kernel.system import project
from ...mechanics.contact import contact_count
from .by_address import keep_on
from .forces import OPEN
from .form import opening
from .memory import CLOSED

INSIDE = 1e-6  # m: deeper inside a surface is no state of a body (`simulate` moves its start out of surfaces before)
SLOW = 1e-9  # of the largest state: a rate of a gap that is rounding
TINY = 1e-30  # of a complex step


class Touch(NamedTuple):
    """closed: contacts that touch and stay; hits: the first contact that approaches, with its speed; None if none does."""

    closed: tuple[bool, bool]
    hits: tuple[int, float] | None


@compiled
def free_of_contacts(form, y):
    """Take rounding out of what does not depend on contacts (a unit quaternion)."""
    keep_on(form, (OPEN, OPEN), y)


def tidied(system: Any, form: Any, y: np.ndarray) -> None:
    """Pull a state onto what must hold whatever its contacts do."""
    if contact_count.knows(type(system)):
        free_of_contacts(form, y)
    else:
        project(system, y)


def touching(system: Any, total: int, opens: bool, t: float, y: np.ndarray, free: np.ndarray, gaps: np.ndarray) -> Touch:
    """What touches; free: the rates of the states without contacts, which move the places as any others do."""
    if not opens:
        return Touch((total > 0, total > 1), None)
    closed, hits = [False, False], None
    for k in range(total):
        if gaps[k] > CLOSED:
            continue
        if gaps[k] < -INSIDE:
            raise InputError(
                f"contact {k} of {called(system)} is {-gaps[k]:.3g} m inside its surface; give a state that touches it (gap 0), or lies outside."
            )
        rate = float(np.imag(opening(system, t + 1j * TINY, y + 1j * TINY * free, k)) / TINY)
        small = SLOW * float(np.abs(y).max())
        closed[k] = rate <= small
        if rate < -small and hits is None:
            hits = k, -rate
    return Touch((closed[0], closed[1]), hits)
