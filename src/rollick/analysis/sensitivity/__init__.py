"""Derivatives of what a motion does with respect to parameters and start, through events, resets and changes of mode."""

from .impact_reset import impact_reset
from .outputs import At, AtEvent, EventTime, Integral, Maximum, Minimum, Output
from .resets import Reset
from .sensitivity import Question, sensitivity
from .table import Sensitivity

__all__ = [
    "At",
    "AtEvent",
    "EventTime",
    "Integral",
    "Maximum",
    "Minimum",
    "Output",
    "Question",
    "Reset",
    "Sensitivity",
    "impact_reset",
    "sensitivity",
]
