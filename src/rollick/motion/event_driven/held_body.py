"""A body with its contacts in modes that are in a record, as an ODE; and its signals, for the guards.

These are the least slip of contacts that slip by Coulomb's law, the least normal force, the least margin mu N - |T| of those that stick, `drive` (where it passes through zero, slip
loses its unique normal force: Painleve), and how far contacts that are idle are off.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.local_array import local_array
from ...kernel.scalar import real, sqrt
from ...kernel.system import dim, project, rate
from ...mechanics.contact import contact_count, contacts_move, gap, law_of, positions, tidy
from ..contact.balance import force_count
from ..contact.held import FAR, IDLE, OPEN, STICK, account_size, held, mode_rate, mode_rate_with_losses
from ..contact.onto import pull_onto
from ..contact.resistance import grip

LEAST_SLIP, NORMAL, MARGIN, DRIVE, IDLE_GAP = range(5)  # what `mode_signals` tells


class HeldBody(NamedTuple):
    """A body, and the choice of its modes (`sight.choice_kind`)."""

    system: Any
    choice: Any


class AccountedBody(NamedTuple):
    """The same with the account of its contacts: its states are followed by the sums of `account_size`."""

    system: Any
    choice: Any


@compiled
def is_any_held(modes):
    """Whether a contact is held."""
    for k in range(modes.size):
        if modes[k] > 0:
            return True
    return False


@compiled
def held_rate(system, choice, t, y, out):
    """dy/dt, compiled once for all that asks for it."""
    apart()
    mode_rate(system, choice.modes[:], choice.shares[:], t, y, out)


@compiled
def keep_held(system, choice, y):
    """gap, gap' and the slip of contacts that stick at zero; where surfaces move that takes the time (`follow.follow_modes`)."""
    apart()
    tidy(system, y[: positions(system)])
    if is_any_held(choice.modes) and not contacts_move(system):
        pull_onto(system, choice.modes[:], 0.0, y)
    return True


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
def tell_signals(system, choice, t, y, out):
    """Least slip, normal force, margin, `drive`, gap of what is idle."""
    apart()
    mode_signals(system, choice.modes[:], choice.shares[:], t, y, out)


@compiled
def accounted_rate(system, choice, t, y, out):
    """dy/dt, and what is added to the account."""
    apart()
    n = dim(system)
    mode_rate_with_losses(system, choice.modes[:], choice.shares[:], t, y, out[:n], out[n : n + account_size(system)])


@dim.register(HeldBody)
def _(body):
    return int(dim(body.system))


@dim.register(AccountedBody)
def _(body):
    return int(dim(body.system)) + int(account_size(body.system))


@rate.register(HeldBody)
def _(body, t, y, out):
    held_rate(body.system, body.choice, t, y, out)


@rate.register(AccountedBody)
def _(body, t, y, out):
    accounted_rate(body.system, body.choice, t, y, out)


@project.register(HeldBody)
@project.register(AccountedBody)
def _(body, y):
    return keep_held(body.system, body.choice, y)
