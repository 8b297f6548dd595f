"""Systems with one or two dry contacts, as the solver for Filippov systems wants them: affine in the contacts' forces.

    x' = free(t, x) + sum over rows of push_row(t, x) lambda_row,      contact accelerations  a = c + A lambda

A contact k has the rows 3k (normal), 3k + 1 and 3k + 2 (along the surface). Coulomb's law: while it slips with the velocity u_k,
T_k = -mu_k N_k u_k/|u_k|; while it rolls u_k = 0 and |T_k| <= mu_k N_k. Either N_k is what keeps the contact closed (`presses`), or it is known: `load`.
Eliminating N_k makes the field discontinuous where u_k = 0: a set of codimension one if slip has one component, two if it has two, and
three where both contacts of one body roll.

A type that registers `contact_total`, `contact_form` and `grip_and_load` (and, if they are not the defaults, the constants) is followed by
`method="event-driven"`. Its contacts stay closed: what may lift off and hit is a body with contacts (`mechanics.contact`).
"""

from __future__ import annotations

from typing import Any

from ....kernel.dispatch import constant, generic
from ....kernel.system import project
from ....mechanics.contact import contact_count


def is_form(system: Any) -> bool:
    """Whether a system is the form of dry contacts, and no body with contacts."""
    return bool(contact_total.knows(type(system))) and not contact_count.knows(type(system))


@constant
def contact_total(system):
    """The number of dry contacts, 1 or 2: a constant of the type."""


@constant
def slip_size(system):
    """The components of slip at a contact, 1 or 2: a constant of the type. Default: 2."""


@slip_size.otherwise
def _(system):
    return 2


@constant
def presses(system):
    """Whether the normal forces are unknown, those that keep the contacts closed: a constant of the type. Default: they are known."""


@presses.otherwise
def _(system):
    return False


@generic
def contact_form(system, modes, t, y, free, push, c, A, slip):
    """free[:n], push[row, :n], c[row], A[row, row], slip[2k], slip[2k + 1], for the contacts with modes[k] > 0.

    Rows that do not exist (normal ones of a known load, the second along the surface if slip has one component) are left alone.
    """


@constant
def steady(system):
    """Whether push, A, grips and loads are constants of the system, which `contact_form` writes whatever the modes: a constant of the type. Default: no.

    Then `moving_form` is what is left at each instant, and forces of what rolls are eliminated once for each pair of modes.
    """


@steady.otherwise
def _(system):
    return False


@generic
def moving_form(system, modes, t, y, free, push, c, A, slip):
    """Of `contact_form`, what changes with time and state, for a steady form: free, c, slip; push and A are there to be read, entries that do not change may be left alone. Default:
    all of it."""


@moving_form.otherwise
def _(system, modes, t, y, free, push, c, A, slip):
    contact_form(system, modes, t, y, free, push, c, A, slip)


@generic
def grip_and_load(system, t, y, k):
    """(mu, N) of contact k; N counts only where it is known, see `presses`."""


@generic
def hold(system, modes, y):
    """Pull a state onto what its modes hold, in place; returns whether it may have changed. Default: the system's `project`, for slips that are states."""


@hold.otherwise
def _(system, modes, y):
    return project(system, y)
