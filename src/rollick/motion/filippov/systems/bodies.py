"""Bodies with two contacts (or one) against surfaces, as systems with dry contacts: the form of any body that `mechanics.contact` knows."""

from __future__ import annotations

from ....kernel.apart import apart
from ....kernel.compiled import compiled
from ....kernel.local_array import local_array
from ....mechanics.contact import contact_count, contacts_move, gap, law_of, positions, tidy, velocities
from ....mechanics.sliding.equations import Sliding
from ....mechanics.sliding.touching import Touching
from ...contact.balance import balance, force_count
from ...contact.onto import pull_onto
from ...contact.resistance import grip
from .form import contact_form, contact_total, grip_and_load, hold, may_open, opening, presses


@compiled
def body_form(system, modes, t, y, free, push, c, A, slip):
    """`balance`, in the rows of `form`."""
    apart()
    nq, nu, n = positions(system), velocities(system), force_count(system)
    c_all = local_array(n, y.dtype)
    A_all = local_array((n, n), y.dtype)
    lift = local_array((n, nu), y.dtype)
    gamma = local_array(n, y.dtype)
    power = local_array((contact_count(system), 5), y.dtype)
    balance(system, modes, t, y, free[:nq], free[nq : nq + nu], c_all, A_all, lift, gamma, power)
    for a in range(n):
        if modes[a // 3] > 0:
            c[a] = c_all[a]
            for i in range(nq):
                push[a, i] = 0.0 * y[0]
            for j in range(nu):
                push[a, nq + j] = lift[a, j]
            for b in range(n):
                if modes[b // 3] > 0:
                    A[a, b] = A_all[a, b]
            if a % 3 > 0:
                slip[2 * (a // 3) + a % 3 - 1] = gamma[a]


@compiled
def hold_body(system, modes, y):
    """gap, gap' and the slip of contacts that roll at zero, unless a surface moves."""
    apart()
    tidy(system, y[: positions(system)])
    if (modes[0] > 0 or modes[1] > 0) and not contacts_move(system):
        pull_onto(system, modes, 0.0, y)
    return True


def known(cls: type) -> None:
    """Register the form of a type of body."""
    contact_total.register(cls)(lambda system: int(contact_count(system)))
    presses.register(cls)(lambda system: True)
    may_open.register(cls)(lambda system: True)
    contact_form.register(cls)(
        lambda system, modes, t, y, free, push, c, A, slip: body_form(system, modes, t, y, free, push, c, A, slip)
    )
    grip_and_load.register(cls)(lambda system, t, y, k: (grip(law_of(system, k)) + 0.0 * y[0], 0.0 * y[0]))
    hold.register(cls)(lambda system, modes, y: hold_body(system, modes, y))
    opening.register(cls)(lambda system, t, y, k: gap(system, t, y[: positions(system)], k))


for body in (Sliding, Touching):
    known(body)
