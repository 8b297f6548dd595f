"""A motion as a curve: at instants so close that nothing is cut off between two of its steps.

Between its steps a motion is known to the accuracy of its method (`motion.result.again`): from its dense output, or by making the same steps once more.
Where that is not possible (a file whose system is not known here) the values of each quantity are joined by splines of the fifth degree, each stretch
without a jump for itself; with ten steps to a swing they are good to 1e-4 of its amplitude, at the ends of a stretch to 1e-3. Output at
chosen times, and what was stepped over impacts, is drawn as it is.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..motion.result.again import is_stepped, known_at

MOST = 40_000  # instants of a curve
PARTS = 8  # of a step
STIFF = "radau"


class Curves(NamedTuple):
    """Instants, and what is asked for there by name. `exact`: whether they are all there is (nothing was put between)."""

    t: np.ndarray
    values: dict[str, np.ndarray]
    exact: bool


def stepped_over(motion: Any) -> bool:
    """Whether a motion was made by time steps of given length, or is known at chosen times that are fewer than its steps."""
    made = motion.provenance
    return is_stepped(motion) or motion.t.size < max(4, int(made.get("steps", 0)))


def jumps(motion: Any) -> np.ndarray:
    """The times at which the rate or the state of a motion may jump: changes of mode, and instants that are listed twice."""
    t = motion.t
    twice = t[1:][np.diff(t) == 0.0]
    changes = [at for _, at in motion.provenance.get("methods", [])[1:]] if in_modes(motion) else []
    listed = [e.t for e in motion.events if in_modes(motion)]
    return np.unique(np.concatenate([twice, np.array(changes, float), np.array(listed, float)]))


def in_modes(motion: Any) -> bool:
    """Whether a motion consists of modes (of contacts, of a flywheel), rather than of methods of integration."""
    return bool(modes(motion))


def modes(motion: Any) -> list[tuple[str, float]]:
    """The modes of a motion and since when each lasts; empty for a motion with one set of equations."""
    own = getattr(motion, "modes", None)
    if own is not None:
        return [(str(name), float(t)) for name, t in own]
    made = motion.provenance
    if made.get("method") != "event-driven":
        return []
    return [(str(name), float(t)) for name, t in made.get("methods", [])]


def curve_times(motion: Any) -> np.ndarray:
    """The instants to draw: eight to a step, fewer in long motions, all those of the motion among them."""
    t = motion.t
    parts = min(PARTS, max(1, MOST // max(t.size, 1)))
    if t.size < 2 or parts == 1 or is_stepped(motion) or (stepped_over(motion) and not motion.has_dense):
        return t
    fine = t[:-1, None] + np.diff(t)[:, None] * (np.arange(parts) / parts)
    return np.append(fine.ravel(), t[-1])


def curves(motion: Any, names: list[str]) -> Curves:
    """Named quantities of a motion as smooth curves."""
    times = curve_times(motion)
    if times.size == motion.t.size:
        return Curves(motion.t, {name: np.asarray(motion[name], float) for name in names}, True)
    return Curves(times, values_at(motion, names, times), False)


def values_at(motion: Any, names: list[str], times: np.ndarray, keep: Any = None) -> dict[str, np.ndarray]:
    """Quantities at any instants, as the motion knows them; else by splines through their values.

    keep: use only these of the motion's instants, by splines.
    """
    known = known_at(motion, times) if keep is None else None
    if known is not None:
        about = motion.about
        groups = ((about.states, known.y), (about.integrals, known.q), (about.signals, known.signals))
        found = {q.name: values[:, j] for group, values in groups if values is not None for j, q in enumerate(group)}
        return {name: times if name == "t" else np.asarray(found[name], float) for name in names}
    rows, breaks, careful = slice(None) if keep is None else keep, jumps(motion), stiff(motion)
    spline = lambda name: joined(motion.t[rows], motion[name][rows], times, breaks, careful)
    return {name: times if name == "t" else spline(name) for name in names}


def stiff(motion: Any) -> bool:
    """Whether steps may be long beside what happens in them."""
    return any(STIFF in str(name).lower() for name, _ in motion.provenance.get("methods", []))


def joined(t: np.ndarray, values: np.ndarray, times: np.ndarray, breaks: np.ndarray, careful: bool = False) -> np.ndarray:
    """Values between given ones, stretch by stretch from break to break; `careful`: without any overshoot."""
    out = np.interp(times, t, values) if t[-1] >= t[0] else np.interp(-times, -t, values)
    sign = 1.0 if t[-1] >= t[0] else -1.0
    edges = np.unique(np.concatenate([[sign * t[0]], sign * np.asarray(breaks, float), [sign * t[-1]]]))
    for low, high in pairwise(edges):
        inside = np.flatnonzero((sign * t >= low) & (sign * t <= high))
        own, first = np.unique(sign * t[inside], return_index=True)
        wanted = (sign * times >= low) & (sign * times <= high)
        y = values[inside[first]]
        if own.size < 4 or not wanted.any() or not np.all(np.isfinite(y)):
            continue
        out[wanted] = _between(own, y, sign * times[wanted], careful)
    return out


def _between(t: np.ndarray, y: np.ndarray, times: np.ndarray, careful: bool) -> np.ndarray:
    """One smooth stretch: a spline of the fifth degree; where it swings beyond what the neighbours allow, or is not wanted, a tame one."""
    from scipy.interpolate import Akima1DInterpolator, make_interp_spline

    tame = Akima1DInterpolator(t, y, method="makima")(times)
    if careful or t.size < 6:
        return tame
    made = make_interp_spline(t, y, k=5)(times)
    k = np.clip(np.searchsorted(t, times, side="right") - 1, 0, t.size - 2)
    low, high = np.minimum(y[k], y[k + 1]), np.maximum(y[k], y[k + 1])
    near = np.maximum(np.abs(np.diff(y))[np.clip(k - 1, 0, t.size - 2)], np.abs(np.diff(y))[np.clip(k + 1, 0, t.size - 2)])
    room = np.maximum(high - low, near) + 1e-300
    wild = (made < low - room) | (made > high + room)
    return np.where(wild, tame, made)
