"""Steady motions: equilibria and relative equilibria, their stability, and their bifurcations."""

from .equations import Equations, parameters_of
from .equilibria import EquilibriumProblem, continue_steady, eigenvalues_along
from .fold_curve import FoldCurve, trace_folds
from .hopf_curve import HopfCurve, trace_hopfs
from .marginal import Marginal
from .steady_motion import SteadyMotion, steady_motion, steady_motions

__all__ = [
    "Equations",
    "EquilibriumProblem",
    "FoldCurve",
    "HopfCurve",
    "Marginal",
    "SteadyMotion",
    "continue_steady",
    "eigenvalues_along",
    "parameters_of",
    "steady_motion",
    "steady_motions",
    "trace_folds",
    "trace_hopfs",
]
