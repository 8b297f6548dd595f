"""Friction at a contact: sliding, pivoting and contour laws, set-valued and smooth, and what they dissipate.

`contensou` and `friction` are functions here; the modules of the same names are reached by `from
rollick.mechanics.laws.contensou import ...`.
"""

from . import contensou_response, couple_response  # noqa: F401 (they register responses)
from .checked import (
    constant_load,
    coulomb,
    drag,
    dry_contour,
    dry_pivoting,
    linearised,
    regularised,
    regularised_contour,
    regularised_pivoting,
    viscous,
)
from .contensou import Contensou, Hull, Table, boundary, contensou, equivalent_eps, equivalent_radius, nearest, project
from .dissipation import Drag, contour_force, dissipation, drag_couple, drag_power, slip_force
from .each import Each, each, law_at, laws_in
from .friction import (
    DryContour,
    DryPivoting,
    Friction,
    NoContour,
    NoPivoting,
    RegularisedContour,
    RegularisedPivoting,
    contour_ratio,
    friction,
    pivot_couple,
    pivots,
    prox_contour,
    prox_pivoting,
    row_count,
)
from .limit_surface import exact_surface, hertz, level, polynomial_surface
from .sliding import ConstantLoad, Coulomb, Linearised, Regularised, Viscous, arm, jumps, prox, set_valued, traction

__all__ = [
    "ConstantLoad", "Contensou", "Coulomb", "Drag", "DryContour", "DryPivoting", "Each", "Friction", "Hull", "Linearised", "NoContour",
    "NoPivoting", "Regularised", "RegularisedContour", "RegularisedPivoting", "Table", "Viscous", "arm", "boundary",
    "constant_load", "contensou", "contour_force", "contour_ratio", "coulomb", "dissipation", "drag", "drag_couple", "drag_power",
    "dry_contour", "dry_pivoting", "each", "equivalent_eps", "equivalent_radius", "exact_surface", "friction", "hertz", "jumps", "law_at", "laws_in", "level",
    "linearised", "nearest", "pivot_couple", "pivots", "polynomial_surface", "project", "prox", "prox_contour", "prox_pivoting",
    "regularised", "regularised_contour", "regularised_pivoting", "row_count", "set_valued", "slip_force", "traction", "viscous",
]  # fmt: skip
