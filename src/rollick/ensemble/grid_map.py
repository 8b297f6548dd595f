"""A quantity over a grid of parameters: an ensemble whose members are points, computed by any function of them.

The work is a function of grid points that spends its time in compiled code, which leaves the other threads running. A point's result
must depend on the point and its flat index alone (seeds follow the index), so that neither the number of threads nor an interruption
changes the map. Threads, progress, and what survives a kill are those of `ensemble`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..kernel.names import InputError
from ..motion.result.outcome import FINISHED
from .keep import Keeping
from .members import Grid, Members
from .stored.map_file import mapped
from .task import REFUSED, WORDS, Chunk

Work = Callable[[np.ndarray, int], Any]


class Points:
    """The work of a map, as an ensemble has it: its members are the points of a grid."""

    def __init__(self, work: Work, members: Members, names: list[str]):
        self.work, self.members, self.names = work, members, names
        self.keep = Keeping(functions=dict.fromkeys(names, work))

    def state_names(self) -> list[str]:
        """A point has no states."""
        return []

    def chunk(self, first: int, last: int) -> Chunk:
        """The points from `first` to before `last`."""
        count = last - first
        points = np.stack([column[first:last] for column in self.members.columns.values()], axis=1)
        told = self.work(points, first)
        found, reasons = told if isinstance(told, tuple) else (told, {})
        values = np.asarray(found, float)
        if values.size != count * len(self.names):
            raise ValueError(f"the work on {count} points returned {values.shape}; expected ({count}, {len(self.names)}).")
        status = np.full(count, WORDS.index(FINISHED), np.int16)
        status[list(reasons)] = WORDS.index(REFUSED)
        return Chunk(values.reshape(count, -1), status, np.full(count, np.nan), np.zeros(count, np.int64), None, dict(reasons))


def grid_map(
    work: Work,
    axes: Mapping[str, Any],
    names: tuple[str, ...] | list[str],
    *,
    about: Mapping[str, Any] | None = None,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
    chunk: int | None = None,
    title: str = "",
    on: Any = "threads",
) -> Any:
    """The `xarray.Dataset` of `names` over the grid of `axes`.

    Parameters
    ----------
    work: `work(points, first)` returns an array (len(points), len(names)), or that and {place: why it has no value}. `points` is
        (k, len(axes)), in C order; `first` is the flat index of the first of them.
    axes: name -> values, the outermost first.
    about: plain values that define the map besides its axes (fixed parameters, seed); stored, and compared when a map is resumed.
    store: a netCDF file, written when the map is complete; until then finished chunks are kept in a folder beside it, FILE.nc.parts, from which
        the same call goes on.
    workers: threads (default: one for each core this process may use).
    chunk: points for one call of `work` (default: a 64th of the grid, at most 64).
    on: where points are computed, as for `ensemble`; an Executor of processes needs a `work` that can be pickled.

    A point whose work raises ends the map. An interruption is passed on, after what was finished has been stored.
    """
    if not axes:
        raise InputError("a map needs at least one axis, e.g. {'rho': [0.1, 0.2]}.")
    if set(names) & {*axes, "done"}:
        raise InputError(f"the names {', '.join(names)} of a map must differ from its axes and from 'done'.")
    grid = {name: np.atleast_1d(np.asarray(values, float)) for name, values in axes.items()}
    for name, values in grid.items():
        if values.ndim != 1 or values.size == 0 or not np.all(np.isfinite(values)):
            raise InputError(f"axis {name} of the map must be a list of finite numbers, at least one; got {axes[name]!r}.")
    task = Points(work, Grid(grid).members(lambda name: ""), list(names))
    size = chunk if chunk is not None else max(1, min(64, task.members.count // 64))
    return mapped(task, about or {}, store=store, workers=workers, progress=progress, chunk=size, title=title, on=on)
