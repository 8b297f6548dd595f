"""Filippov systems: what happens on arrival at a discontinuity of codimension one, two and three."""

from .derivative import Derivative, along, gradient_of, jacobian_of
from .directions import Direction, limit_directions
from .double import DoubleSwitching, direction
from .double_directions import DoubleDirection, double_directions
from .extended import ExtendedPoint, ExtendedSwitching, classified
from .limit_field import Harmonic, LimitField, harmonic_field
from .margin import Margin, StaticForces, slack, static_margin
from .quartic import quartic_zeros, radial_speeds
from .sliding_vector import SlidingVector, sliding_vector
from .spiral import circulation
from .switching import Switching, SwitchingPoint
from .tangency import Tangency, lie, tangency
from .what_next import Candidate, WhatNext, what_next

__all__ = [
    "Candidate",
    "Derivative",
    "Direction",
    "DoubleDirection",
    "DoubleSwitching",
    "ExtendedPoint",
    "ExtendedSwitching",
    "Harmonic",
    "LimitField",
    "Margin",
    "SlidingVector",
    "StaticForces",
    "Switching",
    "SwitchingPoint",
    "Tangency",
    "WhatNext",
    "along",
    "circulation",
    "classified",
    "direction",
    "double_directions",
    "gradient_of",
    "harmonic_field",
    "jacobian_of",
    "lie",
    "limit_directions",
    "quartic_zeros",
    "radial_speeds",
    "slack",
    "sliding_vector",
    "static_margin",
    "tangency",
    "what_next",
]
