"""Filippov systems of codimension one: two smooth fields and the surface H = 0 between them.

x' = F1(x) where H > 0, x' = F2(x) where H < 0. With n = grad H/|grad H|, f1 = <F1, n> and f2 = -<F2, n> (2.7-2.10):
f1 f2 > 0 is sliding, attracting if f1 < 0 and repelling if f1 > 0; f1 f2 < 0 is crossing; f1 f2 = 0 is a tangency. The weights
alpha1 = f2/(f1 + f2), alpha2 = f1/(f1 + f2) make F_s = alpha1 F1 + alpha2 F2 tangent to the surface.

A field that depends on time is one of a state more: t with t' = 1.

Tangencies are told by Lie derivatives. Along an orbit of F, H(t) has the derivatives L_F H = <grad H, F>, L_F^2 H, L_F^3 H. Where the first vanishes, the orbit of the field on
the side H > 0 is *visible* if L_F^2 H > 0 (it is in its own half space before and after) and *invisible* if < 0; on the side H < 0 the other
way round. Where the second vanishes too it is a *cusp* (if the third does not), at which visible turns into invisible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ....kernel.names import InputError, choose
from .derivative import Derivative, along, gradient_of
from .points import Field, callable_or_refused, evaluated, positive, state

SIDES = ("positive", "negative")


class Tangency(NamedTuple):
    """A tangency: its kind (`visible`, `invisible`, `cusp`, `degenerate`), L_F^2 H, L_F^3 H, and the errors of both."""

    kind: str
    second: float
    third: float
    second_error: float
    third_error: float


def lie(system: Switching, x: np.ndarray, side: str, order: int) -> Derivative:
    """The Lie derivative of H of order 1, 2 or 3 along the field of a side."""
    if order == 1:
        return Derivative(np.asarray(system.slope(x) @ system.field(x, side)), 0.0, "complex step")
    return along(lambda z: lie(system, z, side, order - 1).value, x, np.real(system.field(x, side)))


def tangency(system: Switching, x: np.ndarray, side: str, tolerance: float = 1e-7) -> Tangency:
    """The kind of the tangency of a side's field at x, where L_F H = 0.

    L_F^2 H counts as zero if it is smaller than its error or than `tolerance` of its size |F|^2 |D grad H| + |grad H| |DF F|, estimated by the
    derivatives along F of gradient and field.
    """
    second, third = lie(system, x, side, 2), lie(system, x, side, 3)
    field = system.field(x, side)
    bend = along(lambda z: system.slope(z), x, field).value
    turn = along(lambda z: system.field(z, side), x, field).value
    size = np.linalg.norm(bend) * np.linalg.norm(field) + np.linalg.norm(system.slope(x)) * np.linalg.norm(turn)
    values = (float(second.value), float(third.value), second.error, third.error)
    if abs(values[0]) > max(tolerance * float(size), 10.0 * second.error):
        visible = (values[0] > 0.0) == (side == "positive")
        return Tangency("visible" if visible else "invisible", *values)
    if abs(values[1]) > 10.0 * third.error and values[1] != 0.0:
        return Tangency("cusp", *values)
    return Tangency("degenerate", *values)


@dataclass(frozen=True)
class SwitchingPoint:
    """What a Filippov system does at a point of its surface.

    kind: `crossing up` (to H > 0), `crossing down`, `attracting sliding`, `repelling sliding`, `tangency`, `boundary equilibrium`.
    rates: <F1, n> and <F2, n>. weights and sliding: those of the tangent combination, None where there is none; in crossing they are formal
    (a weight is negative). tangencies: per side, where there is one.
    """

    x: np.ndarray
    kind: str
    normal: np.ndarray
    rates: tuple[float, float]
    weights: tuple[float, float] | None
    sliding: np.ndarray | None
    tangencies: dict[str, Tangency]
    reason: str

    @property
    def slides(self) -> bool:
        """Whether the point is in a sliding region, attracting or repelling."""
        return self.kind.endswith("sliding")


@dataclass(frozen=True)
class Switching:
    """A Filippov system of codimension one: `Switching(positive, negative, H)`, functions of the state.

    `gradient(x)` of H may be given; else it is taken by complex step, or by differences where H refuses complex numbers.
    `tolerance`: a rate below this part of its field's length counts as zero, a distance below this part of 1 + |x| as being on the surface.
    """

    positive: Field
    negative: Field
    H: Callable[[np.ndarray], Any]
    gradient: Callable[[np.ndarray], Any] | None = None
    tolerance: float = 1e-9
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("positive", "negative", "H"):
            callable_or_refused(getattr(self, name), name)
        callable_or_refused(self.gradient, "gradient", optional=True)
        positive(self.tolerance, "tolerance")

    def field(self, x: Any, side: str) -> np.ndarray:
        """F1 (`positive`) or F2 (`negative`) at a state."""
        return evaluated(getattr(self, choose(side, SIDES, "side")), state(x), f"the {side} field")

    def slope(self, x: np.ndarray) -> np.ndarray:
        """grad H, never zero."""
        gradient = gradient_of(self.H, x, self.gradient)
        if not np.any(gradient):
            raise InputError(f"the gradient of H vanishes at x = {np.real(x).tolist()}: H = 0 is no smooth surface there.")
        return gradient

    def normal(self, x: Any) -> np.ndarray:
        """The unit normal, towards H > 0."""
        gradient = self.slope(state(x))
        return gradient / np.sqrt((gradient * gradient).sum())

    def rates(self, x: Any) -> tuple[float, float]:
        """<F1, n> and <F2, n>: how fast each field goes to H > 0."""
        n = self.normal(x)
        return float(self.field(x, "positive") @ n), float(self.field(x, "negative") @ n)

    def sliding_vector(self, x: Any) -> np.ndarray:
        """F_s = alpha1 F1 + alpha2 F2, tangent to H = const; formal where the point is in crossing. Refused where there is none."""
        up1, up2 = self.rates(x)
        f1, f2 = self.field(x, "positive"), self.field(x, "negative")
        size = float(np.linalg.norm(f1) + np.linalg.norm(f2))
        if abs(up1 - up2) <= 1e-14 * size:
            raise InputError(
                f"both fields have the same normal component {up1:.6g} at x = {list(np.real(x))}: no tangent combination."
            )
        return (up1 * f2 - up2 * f1) / (up1 - up2)

    def at(self, x: Any) -> SwitchingPoint:
        """What happens at a point of the surface, with the reason in words."""
        x = state(x)
        gradient = self.slope(x)
        length = float(np.linalg.norm(gradient))
        distance = abs(float(self.H(x))) / length
        if distance > self.tolerance * (1.0 + float(np.linalg.norm(x))):
            raise InputError(
                f"x = {x.tolist()} is not on the surface H = 0: its distance is about {distance:.3g}. `on_surface` moves it there."
            )
        normal = gradient / length
        fields = {side: self.field(x, side) for side in SIDES}
        up = {side: float(fields[side] @ normal) for side in SIDES}
        sizes = {side: float(np.linalg.norm(fields[side])) for side in SIDES}
        up1, up2 = up["positive"], up["negative"]
        weights, sliding = None, None
        if abs(up1 - up2) > 1e-14 * sum(sizes.values()):
            weights = (-up2 / (up1 - up2), up1 / (up1 - up2))
            sliding = weights[0] * fields["positive"] + weights[1] * fields["negative"]
        zero = [side for side in SIDES if abs(up[side]) <= self.tolerance * sizes[side]]
        still = [side for side in zero if sizes[side] <= self.tolerance * max(sizes.values())]
        tangencies = {side: tangency(self, x, side) for side in zero if side not in still}
        kind, reason = _verdict(up1, up2, zero, still, tangencies)
        return SwitchingPoint(x, kind, normal, (up1, up2), weights, sliding, tangencies, reason)

    def on_surface(self, x: Any) -> np.ndarray:
        """The state moved to H = 0 along the gradient (Newton)."""
        x = state(x)
        for _ in range(50):
            gradient = self.slope(x)
            step = float(self.H(x)) / float(gradient @ gradient) * gradient
            x = x - step
            if np.linalg.norm(step) <= 1e-15 * (1.0 + np.linalg.norm(x)):
                return x
        if np.linalg.norm(step) <= self.tolerance * (1.0 + np.linalg.norm(x)):
            return x
        raise InputError(f"no point of H = 0 was found near x = {x.tolist()}: start nearer to it.")


def _verdict(up1: float, up2: float, zero: list, still: list, tangencies: dict) -> tuple[str, str]:
    rates = f"F1 goes to H > 0 at {up1:.6g}, F2 at {up2:.6g}"
    if still:
        return "boundary equilibrium", f"the {' and the '.join(still)} field vanishes on the surface"
    if len(zero) == 2:
        return (
            "tangency",
            f"both fields are tangent (a two-fold): {', '.join(f'{t.kind} on the {s} side' for s, t in tangencies.items())}",
        )
    if zero:
        return "tangency", f"the {zero[0]} field is tangent to the surface: {tangencies[zero[0]].kind}; {rates}"
    if up1 > 0.0 and up2 > 0.0:
        return "crossing up", f"{rates}: both to the positive side"
    if up1 < 0.0 and up2 < 0.0:
        return "crossing down", f"{rates}: both to the negative side"
    if up1 < 0.0:
        return "attracting sliding", f"{rates}: both towards the surface"
    return "repelling sliding", f"{rates}: both away from the surface, the future is not unique"
