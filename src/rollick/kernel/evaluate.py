"""The rate and the signals of a system as compiled functions of their own, for callers in Python."""

from __future__ import annotations

from .compiled import compiled
from .system import rate, signals


@compiled
def rate_at(system, t, y, out):
    """out = rate(system, t, y)."""
    rate(system, t, y, out)


@compiled
def signals_along(system, t, y, out):
    """All signals at many instants: out[i] = signals(system, t[i], y[i])."""
    for i in range(t.size):
        signals(system, t[i], y[i], out[i])
