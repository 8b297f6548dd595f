"""A system with dry contacts by addresses: code that goes through its modes is compiled once for all systems, and knows only arrays.

`see` writes everything that `form` tells of an instant into a record (`here_kind`); `see_again` only what changes, where the modes are those that the record was
made ready for (`steady`); `keep_on` pulls a state onto what its modes hold. They are entries (`kernel.erased`) of the type of the system; nothing else is compiled for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types

from ...kernel.apart import apart
from ...kernel.compiled import DISABLED, compiled, inlined
from ...kernel.dispatch import generic
from ...kernel.erased import REALS, Packed, call_code, intrinsic, load, view
from ...kernel.system import dim
from .algebra.code import contact_code, solve_forces
from .algebra.forces import OPEN, ROWS, SLIP
from .records import capacity
from .steady import fixed_forces, held_forces, is_fixed, is_held, is_steady
from .systems.form import (
    contact_form,
    contact_total,
    grip_and_load,
    hold,
    moving_form,
    presses,
    slip_size,
    steady,
)


class FormAt(NamedTuple):
    """Addresses of a system's data and code, and the constants of its form."""

    data: int
    see: int
    move: int
    hold: int
    n: int
    steady: int
    total: int
    size: int
    pressing: int
    code: Any


class FormOf(NamedTuple):
    """The same without the compiler: the system itself."""

    system: Any
    n: int
    steady: int
    total: int
    size: int
    pressing: int
    code: Any


@compiled
def write_form(system, modes, t, y, free, push, c, A, slip, mu, load):
    """Everything at an instant."""
    contact_form(system, modes, t, y, free, push, c, A, slip)
    for k in range(contact_total(system)):
        mu[k], load[k] = grip_and_load(system, t, y, k)


@compiled
def see_entry(address, kind, m0, m1, t, y, free, push, c, A, slip, mu, loads):
    """`write_form` of the system at an address."""
    system = load(address, kind)
    n = dim(system)
    write_form(
        system, (m0, m1), t, view(y, n), view(free, n), view(push, (ROWS, capacity(n))), view(c, ROWS), view(A, (ROWS, ROWS)),
        view(slip, 4), view(mu, 2), view(loads, 2),
    )  # fmt: skip


@compiled
def move_entry(address, kind, m0, m1, t, y, free, push, c, A, slip):
    """`moving_form` of the system at an address."""
    system = load(address, kind)
    n = dim(system)
    moving_form(
        system, (m0, m1), t, view(y, n), view(free, n), view(push, (ROWS, capacity(n))), view(c, ROWS), view(A, (ROWS, ROWS)), view(slip, 4)
    )  # fmt: skip


@compiled
def hold_entry(address, kind, m0, m1, y):
    """`hold` of the system at an address."""
    system = load(address, kind)
    return hold(system, (m0, m1), view(y, dim(system)))


@intrinsic
def _at_see(typingctx, address, data, m0, m1, t, y, free, push, c, A, slip, mu, loads):
    return call_code(types.void, (types.int64, types.int64, types.float64, y, free, push, c, A, slip, mu, loads))


@intrinsic
def _at_move(typingctx, address, data, m0, m1, t, y, free, push, c, A, slip):
    return call_code(types.void, (types.int64, types.int64, types.float64, y, free, push, c, A, slip))


@intrinsic
def _at_hold(typingctx, address, data, m0, m1, y):
    return call_code(types.boolean, (types.int64, types.int64, y))


@generic
def see(form, modes, t, y, here):
    """Everything at an instant into `here`, for the contacts with modes[k] > 0."""


@generic
def move(form, modes, t, y, here):
    """What changes at another instant, for a steady form that `here` holds already."""


@generic
def keep_on(form, modes, y):
    """Pull a state onto what its modes hold; whether it may have changed."""


@see.register(FormAt)
def _(form, modes, t, y, here):
    _at_see(
        form.see, form.data, modes[0], modes[1], t, y, here.free, here.push, here.c, here.A, here.slip, here.mu, here.load
    )  # fmt: skip


@move.register(FormAt)
def _(form, modes, t, y, here):
    _at_move(form.move, form.data, modes[0], modes[1], t, y, here.free, here.push, here.c, here.A, here.slip)


@keep_on.register(FormAt)
def _(form, modes, y):
    return _at_hold(form.hold, form.data, modes[0], modes[1], y)


@see.register(FormOf)
def _(form, modes, t, y, here):
    n = form.n
    write_form(form.system, modes, t, y[:n], here.free[:n], here.push[:, :n], here.c, here.A, here.slip, here.mu, here.load)


@move.register(FormOf)
def _(form, modes, t, y, here):
    n = form.n
    moving_form(form.system, modes, t, y[:n], here.free[:n], here.push[:, :n], here.c, here.A, here.slip)


@keep_on.register(FormOf)
def _(form, modes, y):
    return hold(form.system, modes, y[: form.n])


@compiled
def see_again(form, modes, t, y, here):
    """As `see`; where `here` was made ready for these modes, or holds a steady form whose contacts stay closed, only what changes is written."""
    apart()
    if is_held(modes, here) or is_steady(here):
        move(form, modes, t, y, here)
    else:
        see(form, modes, t, y, here)


class ReadyForm:
    """A system made ready: `form` is what compiled code is given. It must be kept as long as that is used."""

    def __init__(self, system: Any):
        total, size = int(contact_total(system)), int(slip_size(system))
        pressing, n, fixed = int(presses(system)), int(dim(system)), int(steady(system))
        self.form: Any = FormOf(system, n, fixed, total, size, pressing, contact_code())
        if not DISABLED:
            self.packed = p = Packed(system)
            whole, real = types.int64, types.float64
            seeing = p.entry(see_entry, whole, whole, real, *(REALS,) * 8)
            moving = p.entry(move_entry, whole, whole, real, *(REALS,) * 6) if fixed else 0
            holding = p.entry(hold_entry, whole, whole, REALS)
            self.form = FormAt(p.address, seeing, moving, holding, n, fixed, total, size, pressing, contact_code())


# -- the field in a mode ----------------------------------------------------------------------------------------------------------------------


@compiled
def aim(form, modes, given, here):
    """The directions of slip: those of the slips, or where slip has one component, or has just begun, the given ones (given[4 + k] > 0)."""
    for k in range(form.total):
        if modes[k] == SLIP:
            a, b = here.slip[2 * k], here.slip[2 * k + 1]
            size = (a * a + b * b) ** 0.5
            if form.size == 1 or given[4 + k] > 0.0 or size == 0.0:
                here.w[2 * k], here.w[2 * k + 1] = given[2 * k], given[2 * k + 1]
            else:
                here.w[2 * k], here.w[2 * k + 1] = a / size, b / size


@compiled
def forces_here(form, modes, here):
    """The forces of all rows for the directions here.w."""
    apart()
    if is_held(modes, here) and held_forces(form.total, form.size, form.pressing != 0, modes, here):
        return
    solve_forces(
        form.code, form.total, form.size, form.pressing != 0, modes, here.c, here.A, here.mu, here.load, here.w, here.x, here.null
    )  # fmt: skip


@inlined
def add_all(here, out):
    """dy/dt = free + push x, all rows at once, each state by itself."""
    push, x = here.push, here.x
    x0, x1, x2, x3, x4, x5 = x[0], x[1], x[2], x[3], x[4], x[5]
    for j in range(out.size):
        near = push[0, j] * x0 + push[1, j] * x1 + push[2, j] * x2
        out[j] = here.free[j] + near + (push[3, j] * x3 + push[4, j] * x4 + push[5, j] * x5)


@compiled
def add_up(form, modes, here, out):
    """dy/dt = free + push x."""
    if form.total == 2 and form.size == 2 and form.pressing != 0 and modes[0] != OPEN and modes[1] != OPEN:
        add_all(here, out)
        return
    for j in range(out.size):
        out[j] = here.free[j]
    for k in range(form.total):
        if modes[k] != OPEN:
            for a in range(3 * k if form.pressing else 3 * k + 1, 3 * k + 1 + form.size):
                force, push = here.x[a], here.push[a]
                for j in range(out.size):
                    out[j] += push[j] * force


@compiled
def under(form, here, row, k):
    """The part of the acceleration of a row that is due to the forces of contact k."""
    A, x = here.A[row], here.x
    total = A[3 * k + 1] * x[3 * k + 1]
    if form.size == 2:
        total += A[3 * k + 2] * x[3 * k + 2]
    if form.pressing:
        total += A[3 * k] * x[3 * k]
    return total


@compiled
def slip_rate(form, modes, here, row):
    """The acceleration along the surface of one row, c + A x."""
    total = here.c[row]
    if modes[0] != OPEN:
        total += under(form, here, row, 0)
    if form.total == 2 and modes[1] != OPEN:
        total += under(form, here, row, 1)
    return total


@compiled
def slip_rates(form, modes, here, out):
    """The accelerations of the slips, four numbers."""
    for k in range(form.total):
        out[2 * k] = out[2 * k + 1] = 0.0
        if modes[k] != OPEN:
            out[2 * k] = slip_rate(form, modes, here, 3 * k + 1)
            if form.size == 2:
                out[2 * k + 1] = slip_rate(form, modes, here, 3 * k + 2)


@compiled
def field(form, modes, given, t, y, here, out):
    """dy/dt in a mode; everything else about the instant is in `here`."""
    apart()
    if is_fixed(here):
        move(form, modes, t, y, here)
        fixed_forces(here)
        if form.total == 2:
            add_all(here, out)
            return
    else:
        see_again(form, modes, t, y, here)
        aim(form, modes, given, here)
        forces_here(form, modes, here)
    add_up(form, modes, here, out)
