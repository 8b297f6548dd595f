"""Steady motions: equilibria and relative equilibria, their stability, and their bifurcations."""

from .equations import Equations, parameters_of
from .equilibria import EquilibriumProblem, continue_steady, eigenvalues_along
from .fold_curve import FoldCurve, trace_folds
from .hopf_curve import HopfCurve, trace_hopfs
from .marginal import Marginal
from .pictures import plot_eigenvalues, plot_spectrum
from .steady_motion import SteadyMotion, steady_motion
from .steady_motions import SteadyMotions, steady_motions

__all__ = [
    "Equations",
    "EquilibriumProblem",
    "FoldCurve",
    "HopfCurve",
    "Marginal",
    "SteadyMotion",
    "SteadyMotions",
    "continue_steady",
    "eigenvalues_along",
    "parameters_of",
    "plot_eigenvalues",
    "plot_spectrum",
    "steady_motion",
    "steady_motions",
    "trace_folds",
    "trace_hopfs",
]
