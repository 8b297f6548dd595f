"""Moreau's time stepping for bodies with contacts, friction and impacts."""

from .run import SCHEMES, step_motion

__all__ = ["SCHEMES", "step_motion"]
