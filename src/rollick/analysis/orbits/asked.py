"""What a user says about an orbit, checked: names, pairs, advances, times; and whether a closure is a symmetry of the system at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...kernel.evaluate import rate_at
from ...kernel.names import InputError, called
from ...kernel.system import description
from .modes_flow import through_modes

STATES = 4  # beside the start, at which a symmetry is tried
NO_SYMMETRY = 1e-7  # relative: by how much it may be missed


def names_given(given: Any, what: str) -> tuple[str, ...]:
    """One name, or several."""
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Iterable) or not all(isinstance(name, str) for name in given):
        raise InputError(f"{what} names states, as {what}=['x', 'y']; got {given!r}.")
    return tuple(given)


def pairs_given(given: Any) -> tuple[tuple[str, str], ...]:
    """Pairs of names."""
    pairs = list(given) if isinstance(given, (list, tuple)) else None
    if pairs is None or not all(
        isinstance(p, (list, tuple)) and len(p) == 2 and all(isinstance(x, str) for x in p) for p in pairs
    ):
        raise InputError(f"turning lists pairs of states, as turning=[('x', 'y')]; got {given!r}.")
    return tuple((a, b) for a, b in pairs)


def advances_given(given: Any) -> dict[str, Any]:
    """Names with amounts."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise InputError(f"advance says by how much states advance, as advance={{'phi': '360deg'}}; got {given!r}.")
    return dict(given)


def matrix_given(given: Any, n: int, names: list[str]) -> np.ndarray:
    """The matrix of a symmetry."""
    try:
        S = np.array(given, float)
    except (TypeError, ValueError):
        raise InputError(
            f"symmetry is 'all', a dict of signs as {{'x': -1}}, or a {n} x {n} matrix over {', '.join(names)}; got {given!r}."
        ) from None
    if S.shape != (n, n):
        raise InputError(f"symmetry is a {n} x {n} matrix over {', '.join(names)}; got the shape {S.shape}.")
    return S


def refuse_no_symmetry(system: Any, closure: Any, start: np.ndarray, T: float | None, driven: bool) -> None:
    """Refuse a symmetry, a turn or an advance that the rate does not have: the orbit would close only in appearance.

    Tried at some states near the start: f(t + T/m, S y + a) = S f(t, y); f(R y) = R f(y) for a rotation R of the turning pairs; f(y + a) = f(y).
    """
    if through_modes(system) or (closure.order == 1 and not closure.turning and not np.any(closure.advance)):
        return
    rng = np.random.default_rng(3)
    maps = []
    if closure.order > 1:
        maps.append(("symmetry", closure.matrix, closure.advance, (T or 0.0) / closure.order if driven else 0.0))
    if closure.turning:
        maps.append(("turning", closure.rotation(0.7), np.zeros(closure.n), 0.0))
    if closure.order == 1 and np.any(closure.advance):
        maps.append(("advance", np.eye(closure.n), closure.advance, 0.0))
    for what, S, a, later in maps:
        for _ in range(STATES):
            y = start + 0.1 * (0.1 + np.abs(start)) * rng.normal(size=start.size)
            t = float(rng.uniform(0.0, 3.0))
            there, here = np.empty(y.size), np.empty(y.size)
            rate_at(system, t + later, np.ascontiguousarray(S @ y + a), there)
            rate_at(system, t, np.ascontiguousarray(y), here)
            off = np.abs(there - S @ here)
            if not np.all(np.isfinite(off)):
                continue
            if off.max() > NO_SYMMETRY * (1.0 + float(np.abs(here).max())):
                name = description(system).states[int(np.argmax(off))].name
                raise InputError(
                    f"{what} is none of {called(system)}: carried by it, the rate of {name} comes out wrong by {off.max():.3g}. Leave {what} out, or correct it."
                )
