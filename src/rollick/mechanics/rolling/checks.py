"""What is checked before a simulation, however a rolling body was made: that it can exist, and that its contact point does not jump."""

from __future__ import annotations

import math

from ...kernel.names import InputError
from ...kernel.system import validate
from ..body import check_body
from .equations import Marble, Rubber, check_rolls


@validate.register(Marble)
@validate.register(Rubber)
def _(system):
    check_body(system.body)
    check_rolls(system.body.shape)
    if not all(map(math.isfinite, system.gravity)):
        raise InputError(f"gravity = {system.gravity!r} must be three finite numbers.")
    if not (math.isfinite(system.sigma) and system.sigma >= 0.0):
        raise InputError(f"sigma = {system.sigma!r} must be zero or above: a damping couple does not feed energy into a body.")
