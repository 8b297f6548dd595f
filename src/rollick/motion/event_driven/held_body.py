"""A body with its contacts in modes that are in a record, as an ODE for compiled code: `contact.modes.InMode` is the same as pure data."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.apart import apart
from ...kernel.compiled import compiled
from ...kernel.system import dim, project, rate
from ...mechanics.contact import contacts_move, positions, tidy
from ..contact.held import account_size, mode_rate, mode_rate_with_losses
from ..contact.modes import mode_signals
from ..contact.onto import pull_onto

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
