"""Quantities at the ends of members whose motions were not kept: states and sums as they are, signals and functions computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel.evaluate import signals_along
from ...kernel.system import description
from ...kernel.trial import try_signals
from ..keep import FINAL
from .one_by_one import value_of_function
from .prepared import Group


def named_at_end(group: Group, measures: Sequence[Any], ends: np.ndarray, times: np.ndarray, which: np.ndarray) -> np.ndarray:
    """The measures that are named quantities at the end, a row for each of the members `which`; nan for other measures."""
    about = description(group.lead.system)
    known = [q.name for q in (*about.states, *about.integrals[: group.lead.m])]
    signals = [q.name for q in about.signals]
    found = np.full((which.size, len(measures)), np.nan)
    wanted = [m.what if m.code == FINAL and isinstance(m.what, str) else "" for m in measures]
    for j, what in enumerate(wanted):
        if what in known:
            found[:, j] = ends[which, known.index(what)]
    if any(what in signals for what in wanted) and which.size:
        row = np.empty((1, len(signals)))
        for k, i in enumerate(which.tolist()):
            system, y = group.system(i), np.ascontiguousarray(ends[i : i + 1, : group.lead.n])
            if k == 0:
                try_signals(system, times[i], y[0])
            signals_along(system, times[i : i + 1], y, row)
            for j, what in enumerate(wanted):
                if what in signals:
                    found[k, j] = row[0, signals.index(what)]
    return found


def all_at_end(
    group: Group,
    measures: Sequence[Any],
    ends: np.ndarray,
    times: np.ndarray,
    steps: np.ndarray,
    which: np.ndarray,
    left: np.ndarray,
) -> np.ndarray:
    """The measures at the end, functions among them, a row for each of the members `which`; one of which a function cannot be had is marked in `left`."""
    values = named_at_end(group, measures, ends, times, which)
    for j, m in enumerate(measures):
        if m.code != FINAL or isinstance(m.what, str):
            continue
        for k, i in enumerate(which.tolist()):
            y = ends[i] if steps[i] else group.starts[i]
            try:
                values[k, j] = value_of_function(m, group.system(i), float(times[i]), y)
            except Exception:
                left[i] = True
    return values
