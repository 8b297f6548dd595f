"""Curves of solutions: problem (`Problem`), algorithm (`PseudoArclength`), result (`Branch`); `trace_branch` runs one on the other."""

from .arclength import PseudoArclength
from .bordered import Bordered, Singular, tangent_of
from .branch import Branch
from .branching import branch_tangents, directional
from .corrector import NoConvergence, correct
from .pictures import plot_branches
from .point import KINDS, Point, Special
from .problem import Finding, Problem
from .trace import resume, trace_branch

__all__ = [
    "KINDS",
    "Bordered",
    "Branch",
    "Finding",
    "NoConvergence",
    "Point",
    "Problem",
    "PseudoArclength",
    "Singular",
    "Special",
    "branch_tangents",
    "correct",
    "directional",
    "plot_branches",
    "resume",
    "tangent_of",
    "trace_branch",
]
