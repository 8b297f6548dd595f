"""How something goes with time: a swing, a ramp, or a course of one's own.

value(course, t)        the value at a time
speed(course, t)        its rate                (default: by complex step)
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import types
from numba.extending import overload

from ...kernel.derivative import EPS
from ...kernel.dispatch import generic
from ...kernel.scalar import Scalar, sincos


class Swing(NamedTuple):
    """middle + amplitude sin(2 pi frequency t + phase); frequency in Hz."""

    amplitude: float
    frequency: float
    phase: float = 0.0
    middle: float = 0.0


class Ramp(NamedTuple):
    """start + rate t."""

    rate: float
    start: float = 0.0


@generic
def value(course: Any, t: Scalar) -> Scalar:
    """The value of a course at a time."""


@generic
def speed(course: Any, t: Scalar) -> Scalar:
    """The rate of a course at a time."""


@value.register(Swing)
def _(course: Swing, t: Scalar) -> Scalar:
    return course.middle + course.amplitude * sincos(6.283185307179586 * course.frequency * t + course.phase)[0]


@speed.register(Swing)
def _(course: Swing, t: Scalar) -> Scalar:
    pace = 6.283185307179586 * course.frequency
    return course.amplitude * pace * sincos(pace * t + course.phase)[1]


@value.register(Ramp)
def _(course: Ramp, t: Scalar) -> Scalar:
    return course.start + course.rate * t


@speed.register(Ramp)
def _(course: Ramp, t: Scalar) -> Scalar:
    return course.rate + 0.0 * t


@speed.otherwise
def _(course: Any, t: Scalar) -> Scalar:
    return differentiated_value(course, t)


def differentiated_value(course: Any, t: Scalar) -> Scalar:
    """The rate of a course that does not tell it: by complex step, and inside a complex step by differences of it."""
    return _rate_along(course, t) if isinstance(t, complex) else _rate(course, t)


@overload(differentiated_value, strict=False)
def _choose(course: Any, t: Any) -> Any:
    return _rate_along if isinstance(t, types.Complex) else _rate


def _rate(course: Any, t: Scalar) -> Scalar:
    return value(course, complex(t, EPS)).imag / EPS


def _rate_along(course: Any, t: Scalar) -> Scalar:
    h = 1e-5
    bend = (_rate(course, t.real + h) - _rate(course, t.real - h)) / (2.0 * h)
    return complex(_rate(course, t.real), bend * t.imag)
