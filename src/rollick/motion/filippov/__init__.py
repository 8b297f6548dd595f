"""Filippov systems: what happens on arrival at a discontinuity of codimension one, two and three."""

from .derivative import Derivative, along, gradient_of, jacobian_of
from .directions import Direction, limit_directions
from .extended import ExtendedPoint, ExtendedSwitching, classified
from .limit_field import Harmonic, LimitField, harmonic_field
from .quartic import quartic_zeros, radial_speeds
from .sliding_vector import SlidingVector, sliding_vector
from .spiral import circulation
from .switching import Switching, SwitchingPoint
from .tangency import Tangency, lie, tangency

__all__ = [
    "Derivative",
    "Direction",
    "ExtendedPoint",
    "ExtendedSwitching",
    "Harmonic",
    "LimitField",
    "SlidingVector",
    "Switching",
    "SwitchingPoint",
    "Tangency",
    "along",
    "circulation",
    "classified",
    "gradient_of",
    "harmonic_field",
    "jacobian_of",
    "lie",
    "limit_directions",
    "quartic_zeros",
    "radial_speeds",
    "sliding_vector",
    "tangency",
]
