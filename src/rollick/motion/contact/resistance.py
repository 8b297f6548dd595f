"""What a friction law says to the modes of a contact: what it resists with by itself, and how much it can hold.

    resistance(law, v1, v2, spin, c1, c2)     (a1, a2, a_c, k1, k2, b1, b2, b_c): per normal force N the force along the surface is N (a1, a2),
                                              the couple about the normal N a_c + b_c, contour friction N (k1, k2); (b1, b2) does not ask for N
    grip(law)                                 mu of a law that can hold (Coulomb's); -1 of one that cannot

The sliding force of a law that can hold is left out of its resistance: it belongs to the modes, slip or stick.
"""

from __future__ import annotations

from typing import Any

from ...kernel.compiled import compiled
from ...kernel.dispatch import generic
from ...mechanics.contact import contact_count, law_of
from ...mechanics.laws.each import Chosen, Each, laws_in
from ...mechanics.laws.friction import Friction, contour_ratio, pivot_couple
from ...mechanics.laws.sliding import Coulomb, set_valued, traction


@generic
def sliding_traction(law, v1, v2, spin):
    """The traction of a smooth sliding law; none of one that can hold."""


@sliding_traction.otherwise
def _(law, v1, v2, spin):
    return traction(law, v1, v2, spin)


@sliding_traction.register(Coulomb)
def _(law, v1, v2, spin):
    zero = 0.0 * (v1 + v2 + spin)
    return (zero, zero, zero), (zero, zero, zero)


@generic
def sliding_grip(law):
    """mu of a law that can hold, otherwise -1."""


@sliding_grip.otherwise
def _(law):
    return -1.0


@sliding_grip.register(Coulomb)
def _(law):
    return law.mu


@compiled
def own_resistance(law, v1, v2, spin, c1, c2):
    """The resistance of one law."""
    a, b = sliding_traction(law.sliding, v1, v2, spin)
    k1, k2 = contour_ratio(law.contour, c1, c2)
    return a[0], a[1], a[2] + pivot_couple(law.pivoting, spin), k1, k2, b[0], b[1], b[2]


@generic
def resistance_among(laws, which, v1, v2, spin, c1, c2):
    """The resistance of the law at a place among linked ones."""


@resistance_among.register(Friction)
def _(laws, which, v1, v2, spin, c1, c2):
    return own_resistance(laws, v1, v2, spin, c1, c2)


@resistance_among.register(Each)
def _(laws, which, v1, v2, spin, c1, c2):
    if which == 0:
        return own_resistance(laws.first, v1, v2, spin, c1, c2)
    return resistance_among(laws.rest, which - 1, v1, v2, spin, c1, c2)


@generic
def resistance(law, v1, v2, spin, c1, c2):
    """What a law resists with by itself; see the head of this file."""


@resistance.register(Friction)
def _(law, v1, v2, spin, c1, c2):
    return own_resistance(law, v1, v2, spin, c1, c2)


@resistance.register(Chosen)
def _(law, v1, v2, spin, c1, c2):
    return resistance_among(law.laws, law.which, v1, v2, spin, c1, c2)


@generic
def grip_among(laws, which):
    """The grip of the law at a place among linked ones."""


@grip_among.register(Friction)
def _(laws, which):
    return sliding_grip(laws.sliding)


@grip_among.register(Each)
def _(laws, which):
    return sliding_grip(laws.first.sliding) if which == 0 else grip_among(laws.rest, which - 1)


@generic
def grip(law):
    """mu of a law that can hold, otherwise -1."""


@grip.register(Friction)
def _(law):
    return sliding_grip(law.sliding)


@grip.register(Chosen)
def _(law):
    return grip_among(law.laws, law.which)


def is_dry(system: Any) -> bool:
    """Whether every contact of a body has Coulomb friction, or none: its modes are not stiff then."""
    return all(float(grip(law_of(system, k))) >= 0.0 for k in range(int(contact_count(system))))


def not_followed(law: Any) -> Any:
    """The part of a law that the modes of a contact cannot follow, or None: what holds may be Coulomb friction alone."""
    for one in laws_in(law.laws if isinstance(law, Chosen) else law):
        if not isinstance(one, Friction):
            return one
        for part in one:
            if set_valued(part) and not isinstance(part, Coulomb):
                return part
    return None
