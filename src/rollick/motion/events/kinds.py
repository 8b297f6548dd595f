"""Kinds of zeros: +1 rising, -1 falling, a half of it where g only touches zero."""

from __future__ import annotations

import math

from ...kernel.compiled import compiled

RISING, FALLING = 1.0, -1.0
TOUCH = 0.5  # with the sign of its approach: +0.5 from below, -0.5 from above


@compiled
def joined(first, second):
    """The kind of two zeros that are one: it comes from where the first came from, and goes where the second goes."""
    side = math.copysign(1.0, first)
    goes = second if abs(second) == 1.0 else -math.copysign(1.0, second)
    return side if goes == side else TOUCH * side


@compiled
def may_be_one(noise, first, second):
    """Whether zeros of these kinds may be one: two crossings are two, unless there is noise."""
    return noise > 0.0 or abs(first) < 1.0 or abs(second) < 1.0
