"""Sliding friction at one contact point: force and couple for a given slip, and the reservoir of forces of the set-valued laws.

The slip velocity of the contact point is v (two components in the plane), omega_n the angular velocity about the normal, N the
normal force. Every law answers

    traction(law, v1, v2, omega_n)      (a, b), each a triple: force along the plane and couple about the normal are N a + b
    prox(law, x1, x2, xt, N)            the point of the reservoir at normal force N that is nearest to x (set-valued laws)

with xt the couple over the law's arm (a force). For the set-valued laws the traction is that of nonzero slip, the point of the
reservoir that dissipates most; at rest any point of the reservoir may act, and the traction is zero. A reservoir at N <= 0 is
the origin alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.compiled import inlined
from ...kernel.dispatch import generic
from ...kernel.paths import measured
from ...kernel.scalar import Scalar, absolute, maximum, real, sqrt
from ...kernel.system import validate
from ...kernel.vector import Vector
from .limits import check_fraction, check_not_negative, check_positive

TINY, LARGER = 1e-290, 1e100


class Coulomb(NamedTuple):
    """Spatial dry friction, set-valued: |lambda_T| <= mu N, opposite to the slip; e_T is a tangential restitution in impacts."""

    mu: float
    e_T: float = 0.0


@measured(eps="m/s")
class Regularised(NamedTuple):
    """Coulomb friction made smooth, T(3.33): lambda_T = -mu N v/(|v| + eps). Once differentiable at v = 0, no more."""

    mu: float
    eps: float


@measured(eps="m/s", load="N")
class ConstantLoad(NamedTuple):
    """The regularised law with a constant load (m g, say) in place of the normal force, T(4.28)."""

    mu: float
    eps: float
    load: float


@measured(eps="m/s", load="N")
class Linearised(NamedTuple):
    """The regularised law for slow slip and a constant load, T(4.13), (4.61): lambda_T = -(mu load/eps) v."""

    mu: float
    eps: float
    load: float


@measured(c="N s/m")
class Viscous(NamedTuple):
    """lambda_T = -c v; c = 0: no friction."""

    c: float = 0.0


@generic
def traction(law: Any, v1: Scalar, v2: Scalar, spin: Scalar) -> Any:
    """(a, b): the force along the plane (two components) and the couple about the normal are N a + b."""


@generic
def prox(law: Any, x1: Scalar, x2: Scalar, xt: Scalar, normal: Scalar) -> Any:
    """The point of the law's reservoir at a normal force (or percussion) that is nearest to (x1, x2, xt)."""


@generic
def set_valued(law: Any) -> Any:
    """Whether a law is set-valued: it can hold a body at rest. A constant of its type."""


@generic
def jumps(law: Any) -> Any:
    """Whether the force jumps where the slip is zero, whatever else moves, so that no ODE passes that place. Default: set-valued laws do."""


@generic
def arm(law: Any) -> Scalar:
    """The length by which the couple about the normal is divided to be a force (0: the law has no such couple)."""


@set_valued.otherwise
def _(law: Any) -> bool:
    return False


# To a type checker the result of a compiled or generic function is Any; so is that of a function which hands it on.
@jumps.otherwise
def _(law: Any) -> Any:
    return set_valued(law)


@arm.otherwise
def _(law: Any) -> Scalar:
    return 0.0


@set_valued.register(Coulomb)
def _(law: Coulomb) -> bool:
    return True


@jumps.register(Coulomb)
def _(law: Coulomb) -> bool:
    return law.mu > 0.0


@validate.register(Coulomb)
def _(law: Coulomb) -> None:
    check_not_negative(law, "mu")
    check_fraction(law, "e_T")


@validate.register(Regularised)
def _(law: Regularised) -> None:
    check_not_negative(law, "mu")
    check_positive(law, "eps")


@validate.register(ConstantLoad)
@validate.register(Linearised)
def _(law: ConstantLoad | Linearised) -> None:
    check_not_negative(law, "mu", "load")
    check_positive(law, "eps")


@validate.register(Viscous)
def _(law: Viscous) -> None:
    check_not_negative(law, "c")


@inlined
def size(v1: Scalar, v2: Scalar) -> Scalar:
    """|v|, without overflow or underflow of the squares; differentiable by complex step where v is not zero."""
    m = max(absolute(real(v1)), absolute(real(v2)))
    if m == 0.0 or 1e-140 < m < 1e140:
        return sqrt(v1 * v1 + v2 * v2)
    return m * sqrt((v1 / m) * (v1 / m) + (v2 / m) * (v2 / m))


@inlined
def is_tiny(v: Scalar) -> bool:
    """Whether v, or a length of such numbers, may have only a few bits: LARGER of it has them all."""
    tiny: bool = absolute(real(v)) < TINY
    return tiny


@inlined
def direction(v1: Scalar, v2: Scalar) -> tuple[Scalar, Scalar]:
    """v/|v|, and zero for v = 0."""
    if is_tiny(v1) and is_tiny(v2):
        v1, v2 = LARGER * v1, LARGER * v2
    s = size(v1, v2)
    if real(s) > 0.0:
        return v1 / s, v2 / s
    return 0.0 * (v1 + v2), 0.0 * (v1 + v2)


@inlined
def into_disk(x1: Scalar, x2: Scalar, bound: Scalar) -> tuple[Scalar, Scalar]:
    """The point nearest to x of a disk about the origin whose radius is `bound`, or zero if that is negative."""
    s = size(x1, x2)
    radius = maximum(bound, 0.0 * bound)
    if real(s) <= real(radius):
        return x1 + 0.0 * (s + radius), x2 + 0.0 * (s + radius)
    return radius * (x1 / s), radius * (x2 / s)


@inlined
def _nothing(v1: Scalar) -> Vector:
    zero = 0.0 * v1
    return zero, zero, zero


@traction.register(Coulomb)
def _(law: Coulomb, v1: Scalar, v2: Scalar, spin: Scalar) -> tuple[Vector, Vector]:
    d1, d2 = direction(v1, v2)
    return (-law.mu * d1, -law.mu * d2, 0.0 * spin), _nothing(v1)


@traction.register(Regularised)
def _(law: Regularised, v1: Scalar, v2: Scalar, spin: Scalar) -> tuple[Vector, Vector]:
    s = size(v1, v2) + law.eps
    return (-law.mu * (v1 / s), -law.mu * (v2 / s), 0.0 * spin), _nothing(v1)


@traction.register(ConstantLoad)
def _(law: ConstantLoad, v1: Scalar, v2: Scalar, spin: Scalar) -> tuple[Vector, Vector]:
    s = size(v1, v2) + law.eps
    most = -law.mu * law.load
    return _nothing(v1), (most * (v1 / s), most * (v2 / s), 0.0 * spin)


@traction.register(Linearised)
def _(law: Linearised, v1: Scalar, v2: Scalar, spin: Scalar) -> tuple[Vector, Vector]:
    k = -law.mu * law.load / law.eps
    return _nothing(v1), (k * v1, k * v2, 0.0 * spin)


@traction.register(Viscous)
def _(law: Viscous, v1: Scalar, v2: Scalar, spin: Scalar) -> tuple[Vector, Vector]:
    return _nothing(v1), (-law.c * v1, -law.c * v2, 0.0 * spin)


@prox.otherwise
def _(law: Any, x1: Scalar, x2: Scalar, xt: Scalar, normal: Scalar) -> Vector:
    return 0.0 * x1, 0.0 * x2, 0.0 * xt  # a smooth law has no reservoir; never asked for


@prox.register(Coulomb)
def _(law: Coulomb, x1: Scalar, x2: Scalar, xt: Scalar, normal: Scalar) -> Vector:
    y1, y2 = into_disk(x1, x2, law.mu * normal)
    return y1, y2, 0.0 * xt
