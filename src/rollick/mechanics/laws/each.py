"""Laws of several kinds in one system: each contact has its own.

    each(first, second, ...)        the law of contact 0, 1, ...; the last one stands for all contacts beyond it
    law_at(law, k)                  the law for contact k: itself, or of laws put together by `each` the k-th

Compiled code wants one type for the laws of all contacts, so that what `law_at` returns for them is a `Chosen`: the laws, linked, and the
place of the one that acts. Whoever needs it goes along the links; the types are known while compiling. A contact then has as many rows
as the law with the most of them; the rows that its own law does not have carry no force.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.dispatch import generic
from ...kernel.names import InputError
from ...kernel.scalar import Scalar
from ...kernel.system import validate
from .friction import Friction, friction, row_count
from .impact import tangential_restitution
from .sliding import arm, set_valued


class Each(NamedTuple):
    """The law of the first contact, and those of the rest: again an `Each`, or one law for all that remain."""

    first: Any
    rest: Any


class Chosen(NamedTuple):
    """The law at the place `which` among `laws`."""

    laws: Any
    which: int


def each(*laws: Any) -> Friction | Each:
    """The law of contact 0, of contact 1, ...; the last one stands for all contacts beyond it."""
    if not laws:
        raise InputError("each() needs at least one friction law, e.g. each(Coulomb(0.3), Viscous(0.1)).")
    whole = [law if isinstance(law, Friction) else friction(law) for law in laws]
    for law in whole:
        validate(law)
    linked: Friction | Each = whole[-1]
    for law in reversed(whole[:-1]):
        linked = Each(law, linked)
    return linked


def laws_in(law: Any) -> list[Any]:
    """The laws of an `Each` one by one, or the one law."""
    found = []
    while isinstance(law, Each):
        found.append(law.first)
        law = law.rest
    return [*found, law]


@generic
def law_at(law: Any, k: int) -> Any:
    """The law for contact k."""


@law_at.otherwise
def _(law: Any, k: int) -> Any:
    return law


@law_at.register(Each)
def _(law: Each, k: int) -> Chosen:
    return Chosen(law, k)


@generic
def first_law(law: Any) -> Any:
    """The law of contact 0, as itself."""


@first_law.otherwise
def _(law: Any) -> Any:
    return law


@first_law.register(Chosen)
def _(law: Chosen) -> Any:
    return law.laws.first


@validate.register(Each)
def _(law: Each) -> None:
    for part in law:
        validate(part)


# To a type checker the result of a compiled or generic function is Any; so is that of a function which hands it on.
@row_count.register(Each)
def _(law: Each) -> Any:
    return max(row_count(law.first), row_count(law.rest))


@row_count.register(Chosen)
def _(law: Chosen) -> Any:
    return row_count(law.laws)


@set_valued.register(Each)
def _(law: Each) -> Any:
    return set_valued(law.first) or set_valued(law.rest)


@set_valued.register(Chosen)
def _(law: Chosen) -> Any:
    return set_valued(law.laws)


@arm.register(Chosen)
def _(law: Chosen) -> Scalar:
    if law.which == 0:
        return arm(law.laws.first)
    return arm(law_at(law.laws.rest, law.which - 1))


@tangential_restitution.register(Chosen)
def _(law: Chosen) -> Scalar:
    if law.which == 0:
        return tangential_restitution(law.laws.first)
    return tangential_restitution(law_at(law.laws.rest, law.which - 1))
