"""Whether an event function is zero at an end of a step; in the first step of a motion it has then fired already, in the last it may be about to."""

from __future__ import annotations

from ...kernel.compiled import compiled
from .probe import COMPONENT, LENGTH, resolution
from .scan import AT_ONCE


@compiled
def is_zero(p, component, x):
    """Whether g is zero at an end x of the step: to tolerance, or to the rounding of a located zero."""
    p.note[COMPONENT] = component
    beside = resolution(p, 1.0 - AT_ONCE if x > 0.0 else AT_ONCE)[0]
    here, near = resolution(p, x)
    return abs(here) <= near + abs(beside - here)


@compiled
def arrives(p, component, before, longest):
    """The kind of the crossing that a motion ends at, 0 if there is none: g is zero to tolerance at the very end, and getting there.

    `before` is its latest zero in the last step. It gets there if it would cross within a hundredth of the longest step; a function
    that dies away does not.
    """
    if before >= 1.0 - AT_ONCE or not is_zero(p, component, 1.0):
        return 0
    middle = 0.5 * (before + 1.0)
    g_middle, g_end = resolution(p, middle)[0], resolution(p, 1.0)[0]
    rate = abs(g_middle - g_end) / ((1.0 - middle) * abs(p.note[LENGTH]))
    if abs(g_middle) <= abs(g_end) or abs(g_end) > 0.01 * longest * rate:
        return 0
    return 1 if g_middle < 0.0 else -1
