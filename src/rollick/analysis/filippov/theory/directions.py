"""Limit directions of a point of codimension two: along which orbits arrive at it or leave it.

They are the zeros of V on the circle. With time counted in dt/r the flow is (ln r)' = R, phi' = V: a direction with R < 0 is *attracting*, with R > 0
*repelling*. It is a *node* if V'/R > 0: a whole fan of orbits arrives (or leaves) along it; a *saddle* if V'/R < 0: exactly one does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....kernel.names import InputError, choose
from .limit_field import LimitField
from .quartic import quartic_zeros, v_coefficients, v_derivatives
from .zeros import DOUBLE, sampled_zeros


class Direction(NamedTuple):
    """A limit direction: its angle, R and V' there, what it does, which kind it is, how many orbits, how often V vanishes.

    does: `attracts`, `repels` or `tangent` (R = 0). kind: `node`, `saddle`, or `degenerate` (V' = 0 or R = 0).
    orbits: `one`, `fan`, or `undecided`.
    """

    angle: float
    radial: float
    slope: float
    does: str
    kind: str
    orbits: str
    multiplicity: int


def limit_directions(limit: LimitField, route: str = "auto", tolerance: float = 1e-9) -> list[Direction] | None:
    """The limit directions by `sampling`, by the `quartic` (harmonic fields only), or `auto`: the quartic where it applies.

    None: V vanishes everywhere, every direction is a limit direction (the isotropic case). R counts as zero below `tolerance` of the
    largest |G|, or below the error of the limit.
    """
    route = choose(route, ("auto", "sampling", "quartic"), "route")
    harmonic = limit.normal_harmonic
    if route == "quartic" and harmonic is None:
        raise InputError(
            "the limit field has more than cos(phi) and sin(phi) in it: the quartic does not apply, use route='sampling'."
        )
    if limit.scale == 0.0:
        return None
    small = max(DOUBLE, 4.0 * limit.error / limit.scale)
    zeros: list[tuple[float, int]] | None
    if harmonic is not None and route != "sampling":
        zeros = quartic_zeros(*harmonic, tolerance=small)
    else:
        values = limit.circumferential(limit.angles)
        if np.abs(values).max() <= small * limit.scale:
            zeros = None
        else:
            v = lambda phi: float(limit.circumferential(phi)[0])
            zeros = sampled_zeros(v, limit.angles, values, limit.scale, small)
    if zeros is None:
        return None
    return [_described(limit, angle, times, max(tolerance, small)) for angle, times in zeros]


def slope_of_v(limit: LimitField, angle: float) -> float:
    """V'(phi): from the coefficients of a harmonic field, else by extrapolated differences."""
    if limit.normal_harmonic is not None:
        return float(v_derivatives(v_coefficients(*limit.normal_harmonic), angle)[1])
    h = 1e-2
    differences = []
    for step in (h, h / 2, h / 4):
        ahead, behind = limit.circumferential(np.array([angle + step, angle - step]))
        differences.append((ahead - behind) / (2 * step))
    first, second = (4 * differences[1] - differences[0]) / 3, (4 * differences[2] - differences[1]) / 3
    return float((16 * second - first) / 15)


def _described(limit: LimitField, angle: float, times: int, tolerance: float) -> Direction:
    radial, slope = float(limit.radial(angle)[0]), slope_of_v(limit, angle)
    if abs(radial) <= tolerance * limit.scale:
        return Direction(angle, radial, slope, "tangent", "degenerate", "undecided", times)
    does = "repels" if radial > 0.0 else "attracts"
    if times == 2 or slope == 0.0:
        return Direction(angle, radial, slope, does, "degenerate", "undecided", times)
    node = slope / radial > 0.0
    return Direction(angle, radial, slope, does, "node" if node else "saddle", "fan" if node else "one", times)
