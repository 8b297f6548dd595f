"""The memory of a motion from event to event: one record, so that compiled code passes one address instead of dozens of arrays."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...kernel.system import dim
from ...mechanics.contact import contact_count, velocities
from ..filippov.records import fields, record
from .guards import LEVELS, ROWS, guard_count
from .sight import choice_kind, sight_kind


@functools.cache
def _kind(count: int, nu: int, n: int, guards: int) -> np.dtype:
    return fields(
        sight=sight_kind(count, nu, n), choice=choice_kind(count), trial=choice_kind(count), before=(count,), closed=(count,), still=(count,), touching=(count,),
        held=(count,), lifted=(count,), wanted=(3 * count,), levels=(LEVELS,), spare=(n,), struck=(n,), y=(n,), values=(ROWS, guards),
    )  # fmt: skip


def memory_kind(system: Any) -> np.dtype:
    """All contacts as they are seen; the choice of modes, and one that is tried; modes before; which contacts are closed, still, touch, were held, have just lifted off (1: yes); slips that
    are wanted; levels of guards; a state a moment later, one before an impact, one inside a step; guards at some places."""
    return _kind(int(contact_count(system)), int(velocities(system)), int(dim(system)), int(guard_count(system)))


def memory(system: Any) -> Any:
    """Memory for a body."""
    return record(memory_kind(system))
