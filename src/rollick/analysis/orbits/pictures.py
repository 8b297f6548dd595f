"""Pictures of a periodic orbit: two states against each other, all states over the period, the multipliers about the unit circle."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, choose
from ...kernel.palette import INK, WARM
from ...kernel.system import description

MARK = WARM


def orbit_picture(orbit: Any, names: tuple[str, ...] = (), path: Any = None) -> Any:
    """Phase plane of two states (the first two, or those named), and the multipliers; returns the figure."""
    from ...plotting import figure, finished, label

    about = description(orbit.system)
    states, time = about.states, about.time
    known = [q.name for q in states]
    shown = [choose(name, known, "state of the orbit") for name in names] or known[:2]
    if len(shown) > 2:
        raise InputError(f"a picture of an orbit shows one or two states; {len(shown)} were named.")
    t, y = orbit.points(401)
    for impact in orbit.impacts:  # a jump is no line
        k = int(np.searchsorted(t, impact.t))
        t, y = np.insert(t, k, [impact.t, impact.t]), np.insert(y, k, [impact.state, np.full(len(known), np.nan)], axis=0)
    fig, axes = figure(1, 2, width=9.0, height=4.2)
    left, right = axes[0]
    labels = [label(q.name, q.unit) for q in states]
    if len(shown) == 2:
        i, j = (known.index(name) for name in shown)
        left.plot(y[:, i], y[:, j], color=INK)
        left.plot(*orbit.start[[i, j]], "o", color=INK, markersize=4)
        left.set_xlabel(labels[i])
        left.set_ylabel(labels[j])
    else:
        i = known.index(shown[0])
        left.plot(t, y[:, i], color=INK)
        left.set_xlabel(label("t", time))
        left.set_ylabel(labels[i])
    period = f"{orbit.period:.6g} {time}".rstrip()
    left.set_title(f"{orbit.title}: period {period}, {orbit.stability}", loc="left", fontsize=10)
    around = np.exp(2j * np.pi * np.linspace(0.0, 1.0, 201))
    right.plot(around.real, around.imag, color="0.6", linewidth=0.8)
    right.plot(orbit.multipliers.real, orbit.multipliers.imag, "x", color=MARK, label="multipliers")
    if orbit.trivial:
        one = orbit.all_multipliers[orbit.trivial]
        right.plot(one.real, one.imag, "o", fillstyle="none", color=INK, label="trivial")
    right.set_aspect("equal", adjustable="datalim")
    right.set_xlabel("Re")
    right.set_ylabel("Im")
    right.legend(frameon=False, fontsize=8)
    return finished(fig, path)
