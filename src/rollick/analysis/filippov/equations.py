"""The equations of the boundaries between regions: what vanishes there, and where to start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...kernel.names import InputError
from .plane import Plane, system_at
from .theory.directions import slope_of_v
from .theory.double import DoubleSwitching
from .theory.extended import ExtendedSwitching
from .theory.margin import static_margin
from .theory.spiral import circulation
from .theory.switching import Switching
from .theory.what_next import what_next


class Equation(NamedTuple):
    """A residual of unknowns that end in (p, q), a start, and a name."""

    residual: Callable[[np.ndarray], Any]
    start: np.ndarray
    label: str


def equations(system: Any, plane: Plane, middle: np.ndarray, pair: tuple[str, str]) -> list[Equation]:
    """The equations that may hold on the boundary near a point, the likeliest first."""
    here = system_at(system, (Switching, ExtendedSwitching, DoubleSwitching), *middle)
    make = {Switching: _one, ExtendedSwitching: _two, DoubleSwitching: _three}[type(here)]
    return make(system, plane, middle, pair)


def _one(system: Any, plane: Plane, middle: np.ndarray, pair: tuple[str, str]) -> list[Equation]:
    """The normal speed of one field vanishes."""

    def rate(z: np.ndarray, side: int) -> np.ndarray:
        here = system_at(system, (Switching,), *z)
        return np.array([here.rates(plane.state(*z))[side]])

    made = [
        Equation(lambda z: rate(z, 0), middle, "tangency of the positive field"),
        Equation(lambda z: rate(z, 1), middle, "tangency of the negative field"),
    ]
    return sorted(made, key=lambda e: float(np.abs(e.residual(middle)[0])))


def _two(system: Any, plane: Plane, middle: np.ndarray, pair: tuple[str, str]) -> list[Equation]:
    """G(phi) = 0: a limit direction turns neutral; V = V' = 0: two directions appear; the circulation vanishes."""

    def limit(z: np.ndarray) -> Any:
        return system_at(system, (ExtendedSwitching,), *z[-2:]).limit_field(plane.state(*z[-2:]))

    at = limit(middle)
    size = np.linalg.norm(at.normal_part(at.angles), axis=1)
    v = np.abs(at.circumferential(at.angles))
    fold = lambda z: np.array([limit(z).circumferential(z[0])[0], slope_of_v(limit(z), float(z[0]))])
    tangency = Equation(
        lambda z: limit(z).normal_part(z[0])[0],
        np.append(at.angles[np.argmin(size)], middle),
        "tangency: a neutral limit direction",
    )
    pieces = [tangency, Equation(fold, np.append(at.angles[np.argmin(v)], middle), "two limit directions meet")]
    if all(kind.endswith("spiral") for kind in pair):
        pieces = [Equation(lambda z: np.array([circulation(limit(z))]), middle, "the circulation vanishes")]
    return pieces


def _three(system: Any, plane: Plane, middle: np.ndarray, pair: tuple[str, str]) -> list[Equation]:
    """G(phi+, phi-) = 0, the rate of leaving to one side, or the static margin."""
    here = lambda z: system_at(system, (DoubleSwitching,), *z[-2:])
    places = list(here(middle).index)
    made: list[Equation] = []
    for shift in _around(plane, middle):
        for c in what_next(here(shift), plane.state(*shift)).candidates:
            if c.mode == "SS" and c.direction is not None:
                G = lambda z: here(z).near(np.asarray(plane.state(*z[-2:]), float), z[0], z[1])[places]
                made.append(
                    Equation(G, np.array([c.direction.phi_plus, c.direction.phi_minus, *middle]), "both contacts start to slip")
                )
            else:
                place = here(middle).index[0 if c.mode == "SR" else 1]
                rate = lambda z, c=c, place=place: np.array(
                    [here(z).side(c.mode, np.asarray(plane.state(*z), float), float(c.side))[place]]
                )
                made.append(Equation(rate, middle, f"F_{c.mode} starts to leave"))
    if here(middle).static is not None:
        made.append(Equation(lambda z: np.array([_margin(here(z), plane.state(*z))]), middle, "the static margin vanishes"))
    return made


def _margin(system: DoubleSwitching, x: Any) -> float:
    if system.static is None:
        raise InputError("this system has static forces in a part of the plane only; give them everywhere, or nowhere.")
    return static_margin(system.static(np.asarray(x, float))).value


def _around(plane: Plane, middle: np.ndarray) -> list[np.ndarray]:
    """A few points on all sides, near enough to look like the boundary."""
    small = 0.01 * plane.spans
    return [middle + small * np.array(s) for s in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))]
