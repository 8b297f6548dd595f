"""Extended Filippov systems: one smooth field that is discontinuous on a set of codimension two, H1 = H2 = 0 (Definition 2.8).

Spatial Coulomb friction is one: its force jumps only where both components of the slip vanish.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....kernel.names import InputError
from .at_once import around
from .derivative import gradient_of
from .directions import Direction, limit_directions
from .limit_field import LimitField, limit_along, orthonormal
from .points import Field, callable_or_refused, evaluated, positive, state
from .sliding_vector import SlidingVector, sliding_vector
from .spiral import circulation, has_poles


@dataclass(frozen=True)
class ExtendedPoint:
    """What an extended Filippov system does at a point of its set.

    kind: `attracting sliding`, `repelling sliding`, `crossing`, `tangency`; without limit directions `attracting spiral`, `repelling spiral`,
    `neutral spiral`, or `jammed` (the limit field has poles). directions: None if every direction is one. circulation: the integral of R/|V| over a turn, for spirals.
    future: `stays`, `leaves along one orbit`, `not unique`, or `undecided` (tangencies, degenerate directions).
    """

    x: np.ndarray
    kind: str
    directions: list[Direction] | None
    circulation: float | None
    future: str
    limit: LimitField
    reason: str

    @property
    def isotropic(self) -> bool:
        """Whether every direction is a limit direction."""
        return self.directions is None

    @property
    def departure(self) -> Direction | None:
        """The direction along which the one orbit leaves, if there is exactly one."""
        if self.future != "leaves along one orbit" or self.directions is None:
            return None
        return next(d for d in self.directions if d.does == "repels")

    def sliding(self) -> SlidingVector:
        """The sliding vector at this point."""
        return sliding_vector(self.limit)


@dataclass(frozen=True)
class ExtendedSwitching:
    """An extended Filippov system: `ExtendedSwitching(field, H1, H2)`, functions of the state.

    limit(x, phi): F*(phi) where it is known (many times faster if it takes an array of angles, one row per state), else it is extrapolated from the
    field; phi counts from the gradient of H1 towards the part of that of H2 perpendicular to it. gradients(x): both gradients as rows. scale: a distance over which the field (off the set) varies little; steps of the
    extrapolation are parts of it. tolerance: what counts as a radial speed of zero, part of the largest.
    """

    field: Field
    H1: Callable[[np.ndarray], Any]
    H2: Callable[[np.ndarray], Any]
    limit: Callable[[np.ndarray, float], Any] | None = None
    gradients: Callable[[np.ndarray], Any] | None = None
    scale: float = 1.0
    tolerance: float = 1e-9
    limit_tolerance: float = 1e-8
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("field", "H1", "H2"):
            callable_or_refused(getattr(self, name), name)
        for name in ("limit", "gradients"):
            callable_or_refused(getattr(self, name), name, optional=True)
        for name in ("scale", "tolerance", "limit_tolerance"):
            positive(getattr(self, name), name)

    def slopes(self, x: np.ndarray) -> np.ndarray:
        """The gradients of H1 and H2 as rows."""
        if self.gradients is None:
            return np.stack([gradient_of(self.H1, x), gradient_of(self.H2, x)])
        rows = np.asarray(self.gradients(x), float)
        if rows.shape != (2, x.size):
            raise InputError(f"gradients must return two rows of {x.size} numbers, not an array of shape {rows.shape}.")
        return rows

    def normals(self, x: Any) -> np.ndarray:
        """The orthonormal normals n1, n2 as rows; the point must be on the set."""
        x = state(x)
        rows = self.slopes(x)
        for name, H, row in (("H1", self.H1, rows[0]), ("H2", self.H2, rows[1])):
            value = abs(float(H(x)))
            if value > 1e-9 * float(np.linalg.norm(row)) * (self.scale + float(np.linalg.norm(x))):
                raise InputError(
                    f"x = {x.tolist()} is not on the discontinuity set: {name} = {value:.3g} there; both must vanish."
                )
        return orthonormal(*rows)

    def limit_field(self, x: Any, route: str = "auto") -> LimitField:
        """F*(phi) at a point of the set; route `extrapolated` takes the field even where the limit is given."""
        x = state(x)
        normals = self.normals(x)
        if self.limit is not None and route == "auto":
            given = self.limit
            one = lambda phi: evaluated(lambda z: given(z, phi), x, "limit")
            return LimitField(x, normals, around(lambda phi: given(x, phi), x, one))
        if route not in ("auto", "extrapolated"):
            raise InputError(f"unknown route {route!r}: 'auto' or 'extrapolated'.")
        worst = [0.0]

        def star(phi: np.ndarray) -> np.ndarray:
            rows = []
            for p in np.atleast_1d(phi):
                n = np.cos(p) * normals[0] + np.sin(p) * normals[1]
                near = lambda eps, n=n: evaluated(self.field, x + eps * n, "the field")
                value, error = limit_along(
                    near, 1e-2 * self.scale, self.limit_tolerance, f"the field at x = {x.tolist()}, phi = {p:.6g},"
                )
                worst[0] = max(worst[0], error)
                rows.append(value)
            return np.stack(rows)

        star(np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False) + 0.1)  # an estimate of the error on the whole circle
        return LimitField(x, normals, star, worst[0])

    def at(self, x: Any, route: str = "auto") -> ExtendedPoint:
        """What happens at a point of the set (Theorem 2.15, and the circulation where it does not apply); route: of `limit_directions`."""
        return classified(self.limit_field(x), route, self.tolerance)

    def sliding_vector(self, x: Any) -> SlidingVector:
        """The tangent combinations of the limit vectors at a point of the set."""
        return sliding_vector(self.limit_field(x))


def classified(limit: LimitField, route: str = "auto", tolerance: float = 1e-9) -> ExtendedPoint:
    """What happens at a point with this limit field."""
    directions = limit_directions(limit, route, tolerance)
    make = lambda kind, future, reason, turn=None: ExtendedPoint(limit.x, kind, directions, turn, future, limit, reason)
    if directions is None:
        radial = limit.radial(limit.angles)
        low, high = float(radial.min()), float(radial.max())
        small = max(tolerance * limit.scale, 4.0 * limit.error)
        text = f"V = 0 everywhere, every direction is a limit direction, R from {low:.6g} to {high:.6g}"
        if low < -small and high < -small:
            return make("attracting sliding", "stays", text)
        if low > small:
            return make("repelling sliding", "not unique", text)
        return make("crossing", "not unique", text) if low < -small and high > small else make("tangency", "undecided", text)
    if not directions:
        if has_poles(limit):
            return make(
                "jammed",
                "undecided",
                "no limit direction; V changes its sign where it is infinite: slip has no normal force there (Painleve)",
            )
        turn = circulation(limit)
        text = (
            f"no limit direction; the integral of R/|V| over a turn is {turn:.6g}: the radius is multiplied by {np.exp(turn):.6g}"
        )
        if abs(turn) <= tolerance:
            return make("neutral spiral", "undecided", text, turn)
        return make("attracting spiral", "stays", text, turn) if turn < 0 else make("repelling spiral", "not unique", text, turn)
    does = [d.does for d in directions]
    text = ", ".join(f"phi = {d.angle:.6g} {d.does} (R = {d.radial:.6g}, {d.kind})" for d in directions)
    if "tangent" in does:
        return make("tangency", "undecided", text)
    if "repels" not in does:
        return make("attracting sliding", "stays", text)
    if "attracts" not in does:
        return make("repelling sliding", "not unique", text)
    leaving = [d for d in directions if d.does == "repels"]
    if len(leaving) == 1 and leaving[0].orbits != "fan":
        future = "leaves along one orbit" if leaving[0].orbits == "one" else "undecided"
    else:
        future = "not unique"
    return make("crossing", future, text)
