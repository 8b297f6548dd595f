"""Laws as people enter them: the same as the classes, with every number checked.

Numbers may be texts with a unit ("3mm", "20 mm"). What cannot be is refused with what was given and what is allowed.
"""

from __future__ import annotations

from typing import Any

from ...kernel.names import InputError, number
from .dissipation import Drag
from .friction import DryContour, DryPivoting, RegularisedContour, RegularisedPivoting
from .sliding import ConstantLoad, Coulomb, Linearised, Regularised, Viscous


def not_negative(given: Any, what: str, unit: str = "") -> float:
    """A finite number that is zero or above."""
    value = number(given, what, unit)
    if value < 0.0:
        raise InputError(f"{what} = {given!r} is negative; it must be zero or above.")
    return value


def positive(given: Any, what: str, unit: str = "", way_out: str = "") -> float:
    """A finite number above zero."""
    value = number(given, what, unit)
    if value <= 0.0:
        raise InputError(f"{what} = {given!r} must be above zero{way_out}.")
    return value


def _eps(given: Any) -> float:
    return positive(given, "eps", "m/s", "; for eps = 0, friction without smoothing, use the dry law")


def coulomb(mu: Any, e_T: Any = 0.0) -> Coulomb:
    """Dry friction |lambda_T| <= mu N; e_T from 0 to 1 is the tangential restitution in impacts."""
    restitution = number(e_T, "e_T")
    if not 0.0 <= restitution <= 1.0:
        raise InputError(f"e_T = {e_T!r} must lie between 0 and 1.")
    return Coulomb(not_negative(mu, "mu"), restitution)


def regularised(mu: Any, eps: Any) -> Regularised:
    """lambda_T = -mu N v/(|v| + eps), eps in m/s."""
    return Regularised(not_negative(mu, "mu"), _eps(eps))


def constant_load(mu: Any, eps: Any, load: Any) -> ConstantLoad:
    """lambda_T = -mu load v/(|v| + eps), load in N."""
    return ConstantLoad(not_negative(mu, "mu"), _eps(eps), not_negative(load, "load", "N"))


def linearised(mu: Any, eps: Any, load: Any) -> Linearised:
    """lambda_T = -(mu load/eps) v."""
    return Linearised(not_negative(mu, "mu"), _eps(eps), not_negative(load, "load", "N"))


def viscous(c: Any = 0.0) -> Viscous:
    """lambda_T = -c v, c in N s/m."""
    return Viscous(not_negative(c, "c", "N s/m"))


def dry_pivoting(mu: Any, radius: Any) -> DryPivoting:
    """|couple| <= mu N radius."""
    return DryPivoting(not_negative(mu, "mu"), positive(radius, "radius", "m"))


def regularised_pivoting(mu: Any, radius: Any, eps: Any) -> RegularisedPivoting:
    """couple = -mu N radius w/(|w| + eps), w = radius omega_n, eps in m/s."""
    return RegularisedPivoting(not_negative(mu, "mu"), positive(radius, "radius", "m"), _eps(eps))


def dry_contour(mu: Any) -> DryContour:
    """|lambda_R| <= mu N."""
    return DryContour(not_negative(mu, "mu"))


def regularised_contour(mu: Any, eps: Any) -> RegularisedContour:
    """lambda_R = -mu N c/(|c| + eps), eps in m/s."""
    return RegularisedContour(not_negative(mu, "mu"), _eps(eps))


def drag(sigma: Any = 0.0) -> Drag:
    """The couple -sigma omega on the body, sigma in N m s."""
    return Drag(not_negative(sigma, "sigma", "N m s"))


__all__ = [
    "constant_load", "coulomb", "drag", "dry_contour", "dry_pivoting", "linearised", "regularised", "regularised_contour",
    "regularised_pivoting", "viscous",
]  # fmt: skip
