"""Filippov systems: what happens on arrival at a discontinuity (`theory`); regions, boundaries and pictures; all futures of a state and of a motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...lazily import lazily

if TYPE_CHECKING:
    from .compatibility import Compatibility as Compatibility
    from .compatibility import compatibility as compatibility
    from .curves import Curve as Curve
    from .curves import trace as trace
    from .line import Stretch as Stretch
    from .line import kinds_along as kinds_along
    from .line import line_picture as line_picture
    from .pictures import map_picture as map_picture
    from .pictures import portrait as portrait
    from .pictures import rose as rose
    from .pictures import switching_portrait as switching_portrait
    from .plane import Plane as Plane
    from .pseudo_equilibria import PseudoEquilibrium as PseudoEquilibrium
    from .pseudo_equilibria import pseudo_equilibria as pseudo_equilibria
    from .regions import RegionMap as RegionMap
    from .regions import boundary_by_bisection as boundary_by_bisection
    from .regions import kind_at as kind_at
    from .regions import region_map as region_map
    from .tangencies import TangencyCurve as TangencyCurve
    from .tangencies import tangency_curve as tangency_curve
    from .tangencies import tangency_points as tangency_points
    from .theory.derivative import Derivative as Derivative
    from .theory.derivative import along as along
    from .theory.derivative import gradient_of as gradient_of
    from .theory.derivative import jacobian_of as jacobian_of
    from .theory.directions import Direction as Direction
    from .theory.directions import limit_directions as limit_directions
    from .theory.double import DoubleSwitching as DoubleSwitching
    from .theory.double import direction as direction
    from .theory.double_directions import DoubleDirection as DoubleDirection
    from .theory.double_directions import double_directions as double_directions
    from .theory.extended import ExtendedPoint as ExtendedPoint
    from .theory.extended import ExtendedSwitching as ExtendedSwitching
    from .theory.extended import classified as classified
    from .theory.limit_field import Harmonic as Harmonic
    from .theory.limit_field import LimitField as LimitField
    from .theory.limit_field import harmonic_field as harmonic_field
    from .theory.margin import Margin as Margin
    from .theory.margin import StaticForces as StaticForces
    from .theory.margin import slack as slack
    from .theory.margin import static_margin as static_margin
    from .theory.quartic import quartic_zeros as quartic_zeros
    from .theory.quartic import radial_speeds as radial_speeds
    from .theory.sliding_vector import SlidingVector as SlidingVector
    from .theory.sliding_vector import sliding_vector as sliding_vector
    from .theory.spiral import circulation as circulation
    from .theory.switching import Switching as Switching
    from .theory.switching import SwitchingPoint as SwitchingPoint
    from .theory.switching import Tangency as Tangency
    from .theory.switching import lie as lie
    from .theory.switching import tangency as tangency
    from .theory.what_next import Candidate as Candidate
    from .theory.what_next import WhatNext as WhatNext
    from .theory.what_next import what_next as what_next
    from .tree import Branch as Branch
    from .tree import motion_tree as motion_tree
    from .what_follows import what_follows as what_follows

lazily(__name__)
