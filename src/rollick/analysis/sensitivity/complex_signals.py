"""The signals of a tilted system at complex instants and states: their values and, in the imaginary parts, a derivative."""

from __future__ import annotations

from ...kernel.compiled import compiled
from ...kernel.system import signals


@compiled
def complex_signals(system, t, y, out):
    """All signals at many instants."""
    for i in range(t.size):
        signals(system, t[i], y[i], out[i])
