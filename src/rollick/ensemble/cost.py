"""What an ensemble will cost, from a sample of its members."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import numpy as np

from .call import make_task
from .task import WORDS
from .threads import cores

TRIED = 12


def estimate(
    system: Any, starts: Any, until: Any = None, *, workers: int | None = None, tried: int = TRIED, **asked: Any
) -> dict[str, Any]:
    """Seconds for all members, on some threads; some members, spread over all, are computed to learn it."""
    asked.pop("chunk", None)
    task, _, _ = make_task(system, starts, until, **asked)
    count = task.members.count
    places = np.unique(np.linspace(0, count - 1, min(tried, count)).astype(int)).tolist()
    task.chunk(places[0], places[0] + 1)  # compiles
    taken, ended = [], []
    for i in places:
        began = time.perf_counter()
        found = task.chunk(i, i + 1)
        taken.append(time.perf_counter() - began)
        ended.append(WORDS[int(found.status[0])])
    threads = workers or cores()
    each = float(np.mean(taken))
    told = ", ".join(f"{n} {word}" for word, n in Counter(ended).items())
    return {
        "members": count, "tried": len(places), "ended": told, "seconds_each": each, "slowest": max(taken), "workers": threads,
        "seconds": each * count / threads, "core_hours": each * count / 3600.0,
    }  # fmt: skip
