"""A sphere, from inside (a bowl) and from outside (a dome)."""

from __future__ import annotations

from typing import NamedTuple

from ...kernel.compiled import inlined
from ...kernel.scalar import sqrt
from ...kernel.system import validate
from .distance import above_zero, distance, hollow_radius, normal, three_numbers


class Bowl(NamedTuple):
    """The inside of a sphere whose lowest point is `bottom`: distance R - |p - c|, c = bottom + (0, 0, R)."""

    radius: float
    bottom: tuple = (0.0, 0.0, 0.0)


class Dome(NamedTuple):
    """The outside of a sphere whose highest point is `top`: distance |p - c| - R, c = top - (0, 0, R)."""

    radius: float
    top: tuple = (0.0, 0.0, 0.0)


@inlined
def _from(p, at, rise):
    """p - (at + (0, 0, rise)) and its length."""
    d = (p[0] - at[0], p[1] - at[1], p[2] - at[2] - rise)
    return d, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])


@distance.register(Bowl)
def _(bowl, t, p):
    _, far = _from(p, bowl.bottom, bowl.radius)
    return bowl.radius - far


@normal.register(Bowl)
def _(bowl, t, p):
    d, far = _from(p, bowl.bottom, bowl.radius)
    return -d[0] / far, -d[1] / far, -d[2] / far


@distance.register(Dome)
def _(dome, t, p):
    _, far = _from(p, dome.top, -dome.radius)
    return far - dome.radius


@normal.register(Dome)
def _(dome, t, p):
    d, far = _from(p, dome.top, -dome.radius)
    return d[0] / far, d[1] / far, d[2] / far


@hollow_radius.register(Bowl)
def _(bowl):
    return bowl.radius


@validate.register(Bowl)
def _(bowl):
    above_zero(bowl.radius, "radius of Bowl")
    three_numbers(bowl.bottom, "bottom")


@validate.register(Dome)
def _(dome):
    above_zero(dome.radius, "radius of Dome")
    three_numbers(dome.top, "top")
