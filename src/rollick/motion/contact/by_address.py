"""Any body with contacts as one type for compiled code, which is then compiled once for all bodies, not once per shape and law.

It asks a body for M, h, W, its gaps and its laws through addresses (`kernel.erased`). For time stepping the numbers of positions, velocities, contacts and rows are part of
the type, so that loops over them are written out; for motions from event to event they are data, and one piece of code serves bodies with one contact, another all others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from ...kernel.compiled import DISABLED, compiled
from ...kernel.dispatch import sizes_as_data
from ...kernel.erased import COMPLEX, REALS, Packed, call_listed, intrinsic, load, view
from ...kernel.system import dim
from ...mechanics.contact import (
    contact_count,
    contact_rows,
    contacts_move,
    drag_work,
    gap,
    law_of,
    mass_matrix,
    position_rate,
    positions,
    restitution,
    rows_per_contact,
    smooth_forces,
    surface_velocity,
    tidy,
    velocities,
)
from ...mechanics.laws.friction import row_count
from ...mechanics.laws.impact import tangential_restitution
from ...mechanics.laws.sliding import arm
from ...mechanics.size import body_size, extent
from .held import drag_power
from .local import friction_map, relaxation
from .resistance import grip, resistance
from .work import FACTORS

REAL, WHOLE = types.float64, types.int64
RIGID = (7, 6)  # positions and velocities of a free rigid body


class BodyByAddress(NamedTuple):
    """A body with contacts by the addresses of its data and of the table of its functions; its sizes are numbers of empty tuples, and so part of its type."""

    data: int
    functions: int
    positions: tuple[tuple[()], ...]
    velocities: tuple[tuple[()], ...]
    contacts: tuple[tuple[()], ...]
    rows: tuple[tuple[()], ...]
    moving: tuple[tuple[()], ...]  # none, or one where surfaces move


@sizes_as_data
class BodyOfAnySize(NamedTuple):
    """The same with its sizes as data, but for whether it is a free rigid body, and whether it has a single contact: these are frequent, and faster so."""

    data: int
    functions: int
    position_count: int
    velocity_count: int
    contacts: int
    rows: int
    moving: bool
    rigid: tuple[tuple[()], ...]  # an empty tuple for a free rigid body, with a unit quaternion: 7 positions, 6 velocities
    single: tuple[tuple[()], ...]  # an empty tuple for one contact


@sizes_as_data
class LawOfAnySize(NamedTuple):
    """The friction law of contact k of a body by address, with its number of rows as data."""

    data: int
    functions: int
    k: int
    rows: int


class LawByAddress(NamedTuple):
    """The friction law of contact k of a body by address."""

    data: int
    functions: int
    k: int
    rows: tuple[tuple[()], ...]


@compiled
def position_rate_entry(address, kind, q, u, out):
    """`position_rate` of the body at an address."""
    system = load(address, kind)
    position_rate(system, view(q, positions(system)), view(u, velocities(system)), view(out, positions(system)))


@compiled
def mass_matrix_entry(address, kind, q, out):
    """`mass_matrix` of the body at an address."""
    system = load(address, kind)
    nu = velocities(system)
    mass_matrix(system, view(q, positions(system)), view(out, (nu, nu)))


@compiled
def smooth_forces_entry(address, kind, t, q, u, out):
    """`smooth_forces` of the body at an address."""
    system = load(address, kind)
    nu = velocities(system)
    smooth_forces(system, t, view(q, positions(system)), view(u, nu), view(out, nu))


@compiled
def gap_entry(address, kind, t, q, k):
    """`gap` of contact k of the body at an address."""
    system = load(address, kind)
    return gap(system, t, view(q, positions(system)), k)


@compiled
def contact_rows_entry(address, kind, t, q, k, out):
    """`contact_rows` of contact k of the body at an address."""
    system = load(address, kind)
    contact_rows(system, t, view(q, positions(system)), k, view(out, (rows_per_contact(system), velocities(system))))


@compiled
def surface_velocity_entry(address, kind, t, q, k, out):
    """`surface_velocity` of contact k of the body at an address."""
    system = load(address, kind)
    surface_velocity(system, t, view(q, positions(system)), k, view(out, rows_per_contact(system)))


@compiled
def restitution_entry(address, kind, k):
    """`restitution` of contact k of the body at an address."""
    return float(restitution(load(address, kind), k))


@compiled
def tidy_entry(address, kind, q):
    """`tidy` of the body at an address."""
    system = load(address, kind)
    tidy(system, view(q, positions(system)))


@compiled
def drag_work_entry(address, kind, forced, before, after):
    """`drag_work` of the body at an address."""
    system = load(address, kind)
    nu = velocities(system)
    return float(drag_work(system, view(forced, nu), view(before, nu), view(after, nu)))


@compiled
def friction_map_entry(address, kind, k, P, xi, r, dt, normal, out, slope, width):
    """`friction_map` of the law of contact k of the body at an address; the rows of `slope` are so wide."""
    law = law_of(load(address, kind), k)
    rows = row_count(law)
    friction_map(law, view(P, rows), view(xi, rows), view(r, FACTORS), dt, normal, view(out, rows), view(slope, (rows, width)))


@compiled
def relaxation_entry(address, kind, k, G, width, r):
    """`relaxation` of the law of contact k of the body at an address; the rows of G are so wide."""
    law = law_of(load(address, kind), k)
    rows = row_count(law)
    relaxation(law, view(G, (rows, width)), view(r, FACTORS))


@compiled
def tangential_restitution_entry(address, kind, k):
    """`tangential_restitution` of the law of contact k of the body at an address."""
    return float(tangential_restitution(law_of(load(address, kind), k)))


@compiled
def drag_power_entry(address, kind, u):
    """`drag_power` of the body at an address."""
    system = load(address, kind)
    return drag_power(system, view(u, velocities(system)))


@compiled
def resistance_entry(address, kind, k, v1, v2, spin, c1, c2):
    """`resistance` of the law of contact k of the body at an address."""
    zero = 0.0 * (v1 + v2)
    a1, a2, a_c, k1, k2, b1, b2, b_c = resistance(law_of(load(address, kind), k), v1, v2, spin, c1, c2)
    return a1 + zero, a2 + zero, a_c + zero, k1 + zero, k2 + zero, b1 + zero, b2 + zero, b_c + zero


@compiled
def grip_entry(address, kind, k):
    """`grip` of the law of contact k of the body at an address."""
    return float(grip(law_of(load(address, kind), k)))


@compiled
def body_size_entry(address, kind, q):
    """`body_size` of the body at an address."""
    system = load(address, kind)
    return float(body_size(system, view(q, positions(system))))


@compiled
def extent_entry(address, kind, q):
    """`extent` of the positions of the body at an address."""
    system = load(address, kind)
    return float(extent(system, view(q, positions(system))))


@compiled
def arm_entry(address, kind, k):
    """`arm` of the law of contact k of the body at an address."""
    return float(arm(law_of(load(address, kind), k)))


# What the table of functions holds, in this order: an entry, the types of its arguments, and what it returns. After them come those that are also
# called with complex numbers, in the same order.
ENTRIES = (
    (position_rate_entry, (REALS, REALS, REALS), types.void),
    (mass_matrix_entry, (REALS, REALS), types.void),
    (smooth_forces_entry, (REAL, REALS, REALS, REALS), types.void),
    (gap_entry, (REAL, REALS, WHOLE), REAL),
    (contact_rows_entry, (REAL, REALS, WHOLE, REALS), types.void),
    (surface_velocity_entry, (REAL, REALS, WHOLE, REALS), types.void),
    (drag_power_entry, (REALS,), REAL),
    (resistance_entry, (WHOLE, REAL, REAL, REAL, REAL, REAL), types.UniTuple(REAL, 8)),
    (restitution_entry, (WHOLE,), REAL),
    (tidy_entry, (REALS,), types.void),
    (drag_work_entry, (REALS, REALS, REALS), REAL),
    (friction_map_entry, (WHOLE, REALS, REALS, REALS, REAL, REAL, REALS, REALS, WHOLE), types.void),
    (relaxation_entry, (WHOLE, REALS, WHOLE, REALS), types.void),
    (tangential_restitution_entry, (WHOLE,), REAL),
    (grip_entry, (WHOLE,), REAL),
    (arm_entry, (WHOLE,), REAL),
    (body_size_entry, (REALS,), REAL),
    (extent_entry, (REALS,), REAL),
)
(
    POSITION_RATE, MASS_MATRIX, SMOOTH_FORCES, GAP, CONTACT_ROWS, SURFACE_VELOCITY, DRAG_POWER, RESISTANCE, RESTITUTION, TIDY, DRAG_WORK, FRICTION_MAP,
    RELAXATION, TANGENTIAL_RESTITUTION, GRIP, ARM, BODY_SIZE, EXTENT, ON_COMPLEX,
) = range(len(ENTRIES) + 1)  # fmt: skip
STEPS = (*range(GAP + 1), CONTACT_ROWS, SURFACE_VELOCITY, *range(RESTITUTION, GRIP))  # what time steps ask for
MODES = (*range(ON_COMPLEX), *(ON_COMPLEX + place for place in (CONTACT_ROWS, SURFACE_VELOCITY)))  # motions in modes
STIFF_MODES = (*range(ON_COMPLEX), *(ON_COMPLEX + place for place in range(RESTITUTION)))  # and Jacobians of these
COMPLEX_FOR = {REAL: types.complex128, REALS: COMPLEX, types.UniTuple(REAL, 8): types.UniTuple(types.complex128, 8)}


def entry_at(place: int) -> tuple[Any, tuple[Any, ...], Any]:
    """The entry at a place of the table, the types of its arguments, and that of what it returns."""
    entry, kinds, result = ENTRIES[place % ON_COMPLEX]
    if place < ON_COMPLEX:
        return entry, kinds, result
    return entry, tuple(COMPLEX_FOR.get(kind, kind) for kind in kinds), COMPLEX_FOR.get(result, result)


@intrinsic(prefer_literal=True)
def ask(typingctx, functions, data, place, arguments):
    """What the function at a place of a table returns for the body with its data at an address."""
    on_complex = any(isinstance(getattr(kind, "dtype", kind), types.Complex) for kind in arguments.types)
    wanted = place.literal_value + (ON_COMPLEX if on_complex else 0)
    _, kinds, result = entry_at(wanted)
    return call_listed(result, kinds, wanted, place, arguments)


@positions.register(BodyByAddress)
def _(s):
    return len(s.positions)


@positions.register(BodyOfAnySize)
def _(s):
    return RIGID[0] if len(s.rigid) == 1 else s.position_count


@velocities.register(BodyByAddress)
def _(s):
    return len(s.velocities)


@velocities.register(BodyOfAnySize)
def _(s):
    return RIGID[1] if len(s.rigid) == 1 else s.velocity_count


@contact_count.register(BodyByAddress)
def _(s):
    return len(s.contacts)


@contact_count.register(BodyOfAnySize)
def _(s):
    return 1 if len(s.single) == 1 else s.contacts


@row_count.register(LawByAddress)
def _(law):
    return len(law.rows)


@row_count.register(LawOfAnySize)
def _(law):
    return law.rows


@contacts_move.register(BodyByAddress)
def _(s):
    return len(s.moving) > 0


@contacts_move.register(BodyOfAnySize)
def _(s):
    return s.moving


@dim.register(BodyByAddress)
def _(s):
    return len(s.positions) + len(s.velocities)


@dim.register(BodyOfAnySize)
def _(s):
    return RIGID[0] + RIGID[1] if len(s.rigid) == 1 else s.position_count + s.velocity_count


@law_of.register(BodyByAddress)
def _(s, k):
    return LawByAddress(s.data, s.functions, k, s.rows)


@law_of.register(BodyOfAnySize)
def _(s, k):
    return LawOfAnySize(s.data, s.functions, k, s.rows)


@position_rate.register(BodyByAddress)
@position_rate.register(BodyOfAnySize)
def _(s, q, u, out):
    ask(s.functions, s.data, POSITION_RATE, (q, u, out))


@mass_matrix.register(BodyByAddress)
@mass_matrix.register(BodyOfAnySize)
def _(s, q, out):
    ask(s.functions, s.data, MASS_MATRIX, (q, out))


@smooth_forces.register(BodyByAddress)
@smooth_forces.register(BodyOfAnySize)
def _(s, t, q, u, out):
    ask(s.functions, s.data, SMOOTH_FORCES, (t, q, u, out))


@gap.register(BodyByAddress)
@gap.register(BodyOfAnySize)
def _(s, t, q, k):
    return ask(s.functions, s.data, GAP, (t, q, k))


@contact_rows.register(BodyByAddress)
@contact_rows.register(BodyOfAnySize)
def _(s, t, q, k, out):
    ask(s.functions, s.data, CONTACT_ROWS, (t, q, k, out))


@surface_velocity.register(BodyByAddress)
@surface_velocity.register(BodyOfAnySize)
def _(s, t, q, k, out):
    ask(s.functions, s.data, SURFACE_VELOCITY, (t, q, k, out))


@restitution.register(BodyByAddress)
@restitution.register(BodyOfAnySize)
def _(s, k):
    return ask(s.functions, s.data, RESTITUTION, (k,))


@tidy.register(BodyByAddress)
@tidy.register(BodyOfAnySize)
def _(s, q):
    ask(s.functions, s.data, TIDY, (q,))


@drag_work.register(BodyByAddress)
@drag_work.register(BodyOfAnySize)
def _(s, forced, before, after):
    return ask(s.functions, s.data, DRAG_WORK, (forced, before, after))


@friction_map.register(LawByAddress)
@friction_map.register(LawOfAnySize)
def _(law, P, xi, r, dt, normal, out, slope):
    ask(law.functions, law.data, FRICTION_MAP, (law.k, P, xi, r, dt, normal, out, slope, slope.shape[1]))


@relaxation.register(LawByAddress)
@relaxation.register(LawOfAnySize)
def _(law, G, r):
    ask(law.functions, law.data, RELAXATION, (law.k, G, G.shape[1], r))


@tangential_restitution.register(LawByAddress)
@tangential_restitution.register(LawOfAnySize)
def _(law):
    return ask(law.functions, law.data, TANGENTIAL_RESTITUTION, (law.k,))


@grip.register(LawByAddress)
@grip.register(LawOfAnySize)
def _(law):
    return ask(law.functions, law.data, GRIP, (law.k,))


@body_size.register(BodyByAddress)
@body_size.register(BodyOfAnySize)
def _(s, q):
    return ask(s.functions, s.data, BODY_SIZE, (q,))


@extent.register(BodyByAddress)
@extent.register(BodyOfAnySize)
def _(s, q):
    return ask(s.functions, s.data, EXTENT, (q,))


@arm.register(LawByAddress)
@arm.register(LawOfAnySize)
def _(law):
    return ask(law.functions, law.data, ARM, (law.k,))


@resistance.register(LawByAddress)
@resistance.register(LawOfAnySize)
def _(law, v1, v2, spin, c1, c2):
    return ask(law.functions, law.data, RESISTANCE, (law.k, v1, v2, spin, c1, c2))


@drag_power.register(BodyByAddress)
@drag_power.register(BodyOfAnySize)
def _(s, u):
    return ask(s.functions, s.data, DRAG_POWER, (u,))


def free_body(contacts: int) -> BodyOfAnySize:
    """A free rigid body with so many contacts, at no address: for its type."""
    return BodyOfAnySize(0, 0, *RIGID, contacts, 3, False, ((),), ((),) * (contacts == 1))


class ByAddress:
    """A body made ready: `body` is what compiled code is given that asks for the functions at some places of the table (`STEPS`, `MODES`, `STIFF_MODES`).

    any_size: its sizes are data. It must be kept as long as `body` is used. Without the compiler `body` is the body itself.
    """

    def __init__(self, system: Any, places: tuple[int, ...], any_size: bool = False):
        self.body: Any = system
        if DISABLED:
            return
        self.packed = Packed(system)
        self.functions = np.zeros(2 * ON_COMPLEX, np.int64)
        self.add(places)
        sizes = positions(system), velocities(system), contact_count(system), row_count(law_of(system, 0)), contacts_move(system)
        addresses = self.packed.address, int(self.functions.ctypes.data)
        if any_size:
            nq, nu, contacts, rows = map(int, sizes[:4])
            rigid, single = ((),) * ((nq, nu) == RIGID), ((),) * (contacts == 1)
            self.body = BodyOfAnySize(*addresses, nq, nu, contacts, rows, bool(sizes[4]), rigid, single)
        else:
            self.body = BodyByAddress(*addresses, *(((),) * int(size) for size in sizes))

    def add(self, places: tuple[int, ...]) -> None:
        """Make the functions at some more places of the table ready."""
        for place in () if DISABLED else places:
            if not self.functions[place]:
                entry, kinds, _ = entry_at(place)
                self.functions[place] = self.packed.entry(entry, *kinds)
