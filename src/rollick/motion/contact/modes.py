"""A body with contacts in a mode each (`held`).

Signals, for the guards: the least slip of contacts that slip by Coulomb's law, the least normal force, the least margin mu N - |T| of those that
stick, `drive` (where it passes through zero, slip loses its unique normal force: Painleve), and how far contacts that are idle are off.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from ...kernel.scalar import real, sqrt
from ...kernel.system import dim
from ...mechanics.contact import contact_count, gap, law_of, positions, tidy
from .balance import force_count
from .held import FAR, IDLE, OPEN, SLIP, STICK, held
from .onto import pull_onto
from .resistance import grip

__all__ = ["IDLE", "OPEN", "SLIP", "STICK", "InMode", "in_mode", "project_mode"]


class InMode(NamedTuple):
    """A body with contacts, each in a mode: 0 open, 1 slip, 2 stick, 3 idle; and forces between redundant ones (`sharing`), three per contact.

    Bodies with several contacts have room for 8, 16, ... of them, so that those with 2 and with 8 are of one type.
    """

    system: Any
    modes: tuple
    shares: tuple


def room_for(count: int) -> int:
    """The number of contacts that there is room for: 1, 8, 16, 32, ..."""
    room = 1 if count == 1 else 8
    while room < count:
        room *= 2
    return room


def in_mode(system: Any, modes: tuple[int, ...], shares: Any = None) -> InMode:
    """A body with its contacts in given modes; without `shares`: no forces between redundant ones."""
    more = room_for(len(modes)) - len(modes)
    given = (0.0,) * (3 * len(modes)) if shares is None else tuple(map(float, shares))
    return InMode(system, (*map(int, modes), *(OPEN,) * more), (*given, *(0.0,) * (3 * more)))


@compiled
def mode_signals(system, modes, shares, t, y, out):
    """Least slip, least normal force, least margin, `drive`, and how far idle contacts are off."""
    nq, n = positions(system), force_count(system)
    rates = local_array(dim(system), y.dtype)
    x = local_array(n, y.dtype)
    gamma = local_array(n, y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    drive = held(system, modes, shares, t, y, rates, x, gamma, power)
    far = FAR + 0.0 * y[0]
    slip, normal, margin = far, far, far
    idle = 0.0 * y[0]
    for k in range(contact_count(system)):
        if modes[k] == OPEN:
            continue
        if modes[k] == IDLE:
            here = gap(system, t, y[:nq], k)
            here = here if real(here) > 0.0 else -here
            idle = here if real(here) > real(idle) else idle
            continue
        mu = grip(law_of(system, k))
        normal = x[3 * k] if real(x[3 * k]) < real(normal) else normal
        if modes[k] == STICK:
            room = mu * x[3 * k] - sqrt(x[3 * k + 1] * x[3 * k + 1] + x[3 * k + 2] * x[3 * k + 2])
            margin = room if real(room) < real(margin) else margin
        elif mu > 0.0:
            here = sqrt(gamma[3 * k + 1] * gamma[3 * k + 1] + gamma[3 * k + 2] * gamma[3 * k + 2])
            slip = here if real(here) < real(slip) else slip
    out[0], out[1], out[2], out[3], out[4] = slip, normal, margin, drive, idle


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
