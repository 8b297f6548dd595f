"""Pivoting and contour friction, and the free combination of the three: sliding + pivoting + contour.

*Pivoting* resists the angular velocity omega_n about the normal: the couple is radius * lambda_tau, |lambda_tau| <= mu N.
*Contour* (rolling) friction resists the wandering of the contact point on the body, gamma_R = rho': |lambda_R| <= mu N.

    pivot_couple(law, omega_n)      couple about the normal per normal force
    contour_ratio(law, c1, c2)      (lambda_R1, lambda_R2) per normal force
    prox_pivoting(law, x, N)        the point nearest to x of |lambda_tau| <= mu N
    prox_contour(law, x1, x2, N)    the point nearest to x of the disk |lambda_R| <= mu N

For the dry laws couple and ratio are those of motion; at rest they are zero, and any admissible value may act. The reservoir of a
combination is the product of the reservoirs of its parts: disk x interval x disk.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import inlined
from ...kernel.dispatch import constant, generic
from ...kernel.names import InputError, called
from ...kernel.paths import measured
from ...kernel.scalar import Scalar, absolute, maximum, real, sign
from ...kernel.system import validate
from ...kernel.vector import Vector
from .limits import check_not_negative, check_positive
from .sliding import arm, direction, into_disk, jumps, prox, set_valued, size, traction


class NoPivoting(NamedTuple):
    """No pivoting friction."""

    mu: float = 0.0


@measured(radius="m")
class DryPivoting(NamedTuple):
    """Dry pivoting friction, set-valued: |lambda_tau| <= mu N, with the couple radius * lambda_tau."""

    mu: float
    radius: float


@measured(radius="m", eps="m/s")
class RegularisedPivoting(NamedTuple):
    """lambda_tau = -mu N w/(|w| + eps), w = radius omega_n."""

    mu: float
    radius: float
    eps: float


class NoContour(NamedTuple):
    """No contour friction."""

    mu: float = 0.0


class DryContour(NamedTuple):
    """Dry contour (rolling) friction, set-valued: |lambda_R| <= mu N."""

    mu: float


@measured(eps="m/s")
class RegularisedContour(NamedTuple):
    """lambda_R = -mu N c/(|c| + eps), c the velocity of the contact point on the body."""

    mu: float
    eps: float


class Friction(NamedTuple):
    """What resists at a contact: sliding, pivoting and contour friction."""

    sliding: Any
    pivoting: Any
    contour: Any


def friction(sliding: Any, pivoting: Any = None, contour: Any = None) -> Friction:
    """A combination of laws; Contensou friction brings its own pivoting."""
    made = Friction(sliding, NoPivoting() if pivoting is None else pivoting, NoContour() if contour is None else contour)
    validate(made)
    return made


@validate.register(DryPivoting)
def _(law: DryPivoting) -> None:
    check_not_negative(law, "mu")
    check_positive(law, "radius")


@validate.register(RegularisedPivoting)
def _(law: RegularisedPivoting) -> None:
    check_not_negative(law, "mu")
    check_positive(law, "radius", "eps")


@validate.register(DryContour)
def _(law: DryContour) -> None:
    check_not_negative(law, "mu")


@validate.register(RegularisedContour)
def _(law: RegularisedContour) -> None:
    check_not_negative(law, "mu")
    check_positive(law, "eps")


@validate.register(Friction)
def _(law: Friction) -> None:
    if not traction.knows(type(law.sliding)):
        raise InputError(traction.complaint(type(law.sliding)))
    if not pivot_couple.knows(type(law.pivoting)):
        raise InputError(f"pivoting = {called(law.pivoting)}: {pivot_couple.complaint(type(law.pivoting))}")
    if not contour_ratio.knows(type(law.contour)):
        raise InputError(f"contour = {called(law.contour)}: {contour_ratio.complaint(type(law.contour))}")
    if pivots(law.sliding) and not isinstance(law.pivoting, NoPivoting):
        raise InputError(f"{called(law.sliding)} friction includes pivoting; leave out {called(law.pivoting)}.")
    for part in law:
        validate(part)


@generic
def pivot_couple(law: Any, spin: Scalar) -> Scalar:
    """The couple about the normal per normal force at an angular velocity about it."""


@generic
def contour_ratio(law: Any, c1: Scalar, c2: Scalar) -> Any:
    """lambda_R per normal force when the contact point moves on the body with the velocity (c1, c2)."""


@traction.otherwise
def _(law: Any, v1: Scalar, v2: Scalar, spin: Scalar) -> tuple[Vector, Vector]:
    zero = 0.0 * (v1 + v2)  # a law of pivoting or of contour friction by itself
    return (zero, zero, pivot_couple(law, spin)), (zero, zero, zero)


@pivot_couple.otherwise
def _(law: Any, spin: Scalar) -> Scalar:
    return 0.0 * spin  # a law that does not act on pivoting


@contour_ratio.otherwise
def _(law: Any, c1: Scalar, c2: Scalar) -> tuple[Scalar, Scalar]:
    return 0.0 * c1, 0.0 * c2  # a law that does not act on the contact point's way over the body


@pivot_couple.register(NoPivoting)
def _(law: NoPivoting, spin: Scalar) -> Scalar:
    return 0.0 * spin


@pivot_couple.register(DryPivoting)
def _(law: DryPivoting, spin: Scalar) -> Scalar:
    return -law.mu * law.radius * sign(spin) + 0.0 * spin


@pivot_couple.register(RegularisedPivoting)
def _(law: RegularisedPivoting, spin: Scalar) -> Scalar:
    w = law.radius * spin
    return -law.mu * law.radius * (w / (absolute(w) + law.eps))


@contour_ratio.register(NoContour)
def _(law: NoContour, c1: Scalar, c2: Scalar) -> tuple[Scalar, Scalar]:
    return 0.0 * c1, 0.0 * c2


@contour_ratio.register(DryContour)
def _(law: DryContour, c1: Scalar, c2: Scalar) -> tuple[Scalar, Scalar]:
    d1, d2 = direction(c1, c2)
    return -law.mu * d1, -law.mu * d2


@contour_ratio.register(RegularisedContour)
def _(law: RegularisedContour, c1: Scalar, c2: Scalar) -> tuple[Scalar, Scalar]:
    s = size(c1, c2) + law.eps
    return -law.mu * (c1 / s), -law.mu * (c2 / s)


@arm.register(DryPivoting)
@arm.register(RegularisedPivoting)
def _(law: DryPivoting | RegularisedPivoting) -> Scalar:
    return law.radius


@arm.register(Friction)
def _(law: Friction) -> Scalar:
    return arm(law.sliding) + arm(law.pivoting)


@set_valued.register(DryPivoting)
@set_valued.register(DryContour)
def _(law: DryPivoting | DryContour) -> bool:
    return True


# To a type checker the result of a compiled or generic function is Any; so is that of a function which hands it on.
@set_valued.register(Friction)
def _(law: Friction) -> Any:
    return set_valued(law.sliding) or set_valued(law.pivoting) or set_valued(law.contour)


@jumps.register(DryPivoting)
@jumps.register(DryContour)
def _(law: DryPivoting | DryContour) -> bool:
    return law.mu > 0.0


@jumps.register(Friction)
def _(law: Friction) -> Any:
    return jumps(law.sliding) or jumps(law.pivoting) or jumps(law.contour)


@constant
def row_count(law: Any) -> Any:
    """How many rows a contact has: normal and two tangential (3), pivoting (4), contour (6). A constant of its type."""


@row_count.otherwise
def _(law: Any) -> int:
    return 4 if pivots(law) else 3


@generic
def pivots(law: Any) -> Any:
    """Whether a law acts on pivoting. A constant of its type."""


@pivots.otherwise
def _(law: Any) -> bool:
    return False


@pivots.register(DryPivoting)
@pivots.register(RegularisedPivoting)
def _(law: DryPivoting | RegularisedPivoting) -> bool:
    return True


@pivots.register(Friction)
def _(law: Friction) -> Any:
    return pivots(law.sliding) or pivots(law.pivoting)


@row_count.register(Friction)
def _(law: Friction) -> int:
    if not isinstance(law.contour, NoContour):
        return 6
    return 4 if pivots(law) else 3


@inlined
def clamp(x: Scalar, bound: Scalar) -> Scalar:
    """x, no farther from zero than the bound; zero if the bound is negative."""
    radius = maximum(bound, 0.0 * bound)
    return x + 0.0 * radius if absolute(real(x)) <= real(radius) else radius * sign(x) + 0.0 * x


@generic
def prox_pivoting(law: Any, x: Scalar, normal: Scalar) -> Scalar:
    """The admissible lambda_tau nearest to x."""


@prox_pivoting.otherwise
def _(law: Any, x: Scalar, normal: Scalar) -> Scalar:
    return 0.0 * x


@prox_pivoting.register(DryPivoting)
def _(law: DryPivoting, x: Scalar, normal: Scalar) -> Scalar:
    return clamp(x, law.mu * normal)


@generic
def prox_contour(law: Any, x1: Scalar, x2: Scalar, normal: Scalar) -> Any:
    """The admissible lambda_R nearest to x."""


@prox_contour.otherwise
def _(law: Any, x1: Scalar, x2: Scalar, normal: Scalar) -> tuple[Scalar, Scalar]:
    return 0.0 * x1, 0.0 * x2


@prox_contour.register(DryContour)
def _(law: DryContour, x1: Scalar, x2: Scalar, normal: Scalar) -> Any:
    return into_disk(x1, x2, law.mu * normal)


__all__ = [
    "DryContour", "DryPivoting", "Friction", "NoContour", "NoPivoting", "RegularisedContour", "RegularisedPivoting",
    "contour_ratio", "friction", "pivot_couple", "pivots", "prox", "prox_contour", "prox_pivoting", "row_count",
]  # fmt: skip
