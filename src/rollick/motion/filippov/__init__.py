"""Filippov systems: what happens on arrival at a discontinuity of codimension one, two and three."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .derivative import Derivative as Derivative
    from .derivative import along as along
    from .derivative import gradient_of as gradient_of
    from .derivative import jacobian_of as jacobian_of
    from .directions import Direction as Direction
    from .directions import limit_directions as limit_directions
    from .double import DoubleSwitching as DoubleSwitching
    from .double import direction as direction
    from .double_directions import DoubleDirection as DoubleDirection
    from .double_directions import double_directions as double_directions
    from .extended import ExtendedPoint as ExtendedPoint
    from .extended import ExtendedSwitching as ExtendedSwitching
    from .extended import classified as classified
    from .limit_field import Harmonic as Harmonic
    from .limit_field import LimitField as LimitField
    from .limit_field import harmonic_field as harmonic_field
    from .margin import Margin as Margin
    from .margin import StaticForces as StaticForces
    from .margin import slack as slack
    from .margin import static_margin as static_margin
    from .quartic import quartic_zeros as quartic_zeros
    from .quartic import radial_speeds as radial_speeds
    from .sliding_vector import SlidingVector as SlidingVector
    from .sliding_vector import sliding_vector as sliding_vector
    from .spiral import circulation as circulation
    from .switching import Switching as Switching
    from .switching import SwitchingPoint as SwitchingPoint
    from .switching import Tangency as Tangency
    from .switching import lie as lie
    from .switching import tangency as tangency
    from .what_next import Candidate as Candidate
    from .what_next import WhatNext as WhatNext
    from .what_next import what_next as what_next

lazily(__name__)
