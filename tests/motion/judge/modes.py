"""A body with contacts in a mode each (`held`), as pure data."""

from __future__ import annotations

from typing import Any, NamedTuple

from rollick.kernel.compiled import compiled
from rollick.mechanics.contact import positions, tidy
from rollick.motion.contact.held import IDLE, OPEN, SLIP, STICK
from rollick.motion.contact.onto import pull_onto
from rollick.motion.event_driven.memory import room_for

__all__ = ["IDLE", "OPEN", "SLIP", "STICK", "InMode", "in_mode", "project_mode"]


class InMode(NamedTuple):
    """A body with contacts, each in a mode: 0 open, 1 slip, 2 stick, 3 idle; and forces between redundant ones (`sharing`), three per contact.

    Bodies with several contacts have room for 8, 16, ... of them, so that those with 2 and with 8 are of one type.
    """

    system: Any
    modes: tuple
    shares: tuple


def in_mode(system: Any, modes: tuple[int, ...], shares: Any = None) -> InMode:
    """A body with its contacts in given modes; without `shares`: no forces between redundant ones."""
    more = room_for(len(modes)) - len(modes)
    given = (0.0,) * (3 * len(modes)) if shares is None else tuple(map(float, shares))
    return InMode(system, (*map(int, modes), *(OPEN,) * more), (*given, *(0.0,) * (3 * more)))


@compiled
def any_held(modes):
    """Whether a contact is held."""
    for mode in modes:
        if mode > 0:
            return True
    return False


@compiled
def project_mode(mode, t, y):
    """Pull a state onto what a body in modes holds."""
    tidy(mode.system, y[: positions(mode.system)])
    if any_held(mode.modes):
        pull_onto(mode.system, mode.modes, t, y)
