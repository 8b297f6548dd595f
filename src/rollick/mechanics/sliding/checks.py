"""What is checked before a simulation, however a body with friction was made: that it can exist."""

from __future__ import annotations

import math

from ...kernel.names import InputError
from ...kernel.system import validate
from ..body import impossible_body
from .equations import Sliding


@validate.register(Sliding)
def _(system):
    problem = impossible_body(system.body)
    if problem:
        raise InputError(f"this body cannot exist: {problem}")
    if not all(map(math.isfinite, system.gravity)):
        raise InputError(f"gravity = {system.gravity!r} must be three finite numbers.")
    if not (math.isfinite(system.sigma) and system.sigma >= 0.0):
        raise InputError(f"sigma = {system.sigma!r} must be zero or above: a damping couple does not feed energy into a body.")
    restitution = getattr(system, "e_N", 0.0)
    if isinstance(restitution, float) and not 0.0 <= restitution <= 1.0:
        raise InputError(f"e_N = {restitution!r} must lie between 0 (no rebound) and 1 (no loss).")
