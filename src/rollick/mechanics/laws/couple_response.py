"""The responses (see `response`) of pivoting friction and of contour friction."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.derivative import EPS
from .friction import (
    DryContour,
    DryPivoting,
    NoContour,
    NoPivoting,
    RegularisedContour,
    RegularisedPivoting,
    contour_ratio,
    pivot_couple,
    prox_contour,
    prox_pivoting,
)
from .response import (
    NONE,
    NOTHING,
    implicit,
    into_disk_slope,
    prox_slope,
    respond_contour,
    respond_pivoting,
    rounded,
    rounded_disk,
)
from .sliding import prox, set_valued, traction


@respond_pivoting.register(NoPivoting)
def _(law, x, normal, kt, lever):
    return NOTHING


@respond_pivoting.register(DryPivoting)
def _(law, x, normal, kt, lever):
    bound = law.mu * normal
    if abs(x) <= bound and bound > 0.0:
        return x, 1.0, 0.0
    side = 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)
    return side * bound, 0.0, side * law.mu


@respond_pivoting.register(RegularisedPivoting)
def _(law, x, normal, kt, lever):
    p, _, along, more = rounded(abs(x), law.mu * normal, law.eps, kt)
    side = 1.0 if x >= 0.0 else -1.0
    return side * p, along, side * law.mu * more


class PivotingAlone(NamedTuple):
    """A smooth law of pivoting friction, as one of sliding friction that acts on the couple only."""

    law: Any


@traction.register(PivotingAlone)
def _(alone, v1, v2, spin):
    zero = 0.0 * (v1 + v2)
    return (zero, zero, pivot_couple(alone.law, spin)), (zero, zero, zero)


@respond_pivoting.otherwise
def _(law, x, normal, kt, lever):
    if set_valued(law):
        a = prox_pivoting(law, complex(x, EPS), complex(normal, 0.0))
        b = prox_pivoting(law, complex(x, 0.0), complex(normal, EPS))
        return prox_pivoting(law, x, normal) + 0.0, a.imag / EPS, b.imag / EPS
    p, _, _, third = implicit(PivotingAlone(law), 0.0, 0.0, x, normal, 0.0, 0.0, kt, lever)
    return p[2], third[2], third[3]


@respond_contour.register(NoContour)
def _(law, x1, x2, normal, k):
    return NOTHING, NONE, NONE, NONE


@respond_contour.register(DryContour)
def _(law, x1, x2, normal, k):
    return into_disk_slope(x1, x2, law.mu * normal, law.mu)


@respond_contour.register(RegularisedContour)
def _(law, x1, x2, normal, k):
    return rounded_disk(x1, x2, law.mu * normal, law.eps, k, law.mu)


class ContourAlone(NamedTuple):
    """A smooth law of contour friction, as one of sliding friction."""

    law: Any


@traction.register(ContourAlone)
def _(alone, v1, v2, spin):
    a, b = contour_ratio(alone.law, v1, v2)
    zero = 0.0 * v1
    return (a, b, 0.0 * spin), (zero, zero, zero)


class DryContourAlone(NamedTuple):
    """A set-valued law of contour friction, as one of sliding friction."""

    law: Any


@prox.register(DryContourAlone)
def _(alone, x1, x2, xt, normal):
    a, b = prox_contour(alone.law, x1, x2, normal)
    return a, b, 0.0 * xt


@respond_contour.otherwise
def _(law, x1, x2, normal, k):
    if set_valued(law):
        return prox_slope(DryContourAlone(law), x1, x2, 0.0, normal)
    return implicit(ContourAlone(law), x1, x2, 0.0, normal, 0.0, k, 0.0, 0.0)
