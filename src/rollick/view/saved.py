"""Files that Rollick wrote, opened again: as what they were, or, where nothing more is known, as labelled numbers that can be drawn.

    open_saved("motion.nc").plot(path="motion.png")

A file says what it is in its attribute `format`. Motions, collisions and drops come back as such; maps, exponents and tables as `Saved`.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from ..kernel.names import InputError, choose, file_of
from ..kernel.strict_json import loads
from ..motion.result.motion import Motion
from ..motion.result.outcome import FINISHED
from ..motion.result.protocol import Result
from ..motion.result.sound_file import load
from ..motion.result.trust import from_dict
from ..plotting.figure import figure
from ..plotting.save import save
from ..plotting.symbols import in_degrees

# The formats that are more than labelled numbers, and the room that makes a result of the data set and the file's name.
READERS = {
    "rollick motion 1": "rollick.motion.result.motion:of_data",
    "rollick collisions 2": "rollick.motion.impacts.record:of_data",
    "rollick branch 1": "rollick.analysis.continuation.branch:of_data",
    "rollick orbit 1": "rollick.analysis.orbits.orbit:of_data",
    "rollick drop 2": "rollick.archetypes.dropped_device.result:of_data",
    "rollick solid drop 2": "rollick.archetypes.dropped_device.solid_result:of_data",
}
SPECIAL = {"flight": "rollick.archetypes.lander.flight:flight_of"}  # motions that are more than that, by the attribute `result`
MOST_PANELS = 6
MOST_LINES = 12


def open_saved(path: Any) -> Result:
    """What a netCDF file of Rollick holds: a `Motion`, a record of collisions, a drop, or `Saved` numbers."""
    data = load(path)
    kind = str(data.attrs.get("format", ""))
    if kind not in READERS:
        return Saved(data, file_of(path), kind)
    found: Result = _call(READERS[kind], data, path)
    special = str(data.attrs.get("result", ""))
    if isinstance(found, Motion) and special in SPECIAL:
        found = _call(SPECIAL[special], found)
    return found


def _call(home: str, *arguments: Any) -> Any:
    """Call a function of the tables above; it is imported now, so that a file of one kind does not bring in the rooms of all."""
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(module), name)(*arguments)


class Saved(Result):
    """The labelled numbers of a file: `data` (an `xarray.Dataset`), and pictures of them."""

    has_page = False

    def __init__(self, data: Any, path: Path, kind: str = ""):
        self._data, self.path, self.kind = data, path, kind
        if "model" in data.attrs:
            self.of_model(str(data.attrs["model"]))
        if "trust" in data.attrs:
            self.trust = from_dict(loads(data.attrs["trust"]))

    @property
    def data(self) -> Any:
        """The labelled numbers."""
        return self._data

    @property
    def status(self) -> str:
        """How what was saved had ended, as far as the file says."""
        return str(self.data.attrs.get("status", FINISHED))

    @property
    def message(self) -> str:
        """The same in a sentence."""
        return str(self.data.attrs.get("message", "the file holds numbers."))

    @property
    def system_name(self) -> str:
        """The name of the file."""
        return self.path.name

    def summary(self) -> str:
        """What the file holds, in a few lines."""
        title = self.data.attrs.get("title", self.kind or self.path.name)
        sizes = ", ".join(f"{name} {size}" for name, size in self.data.sizes.items())
        names = ", ".join(map(str, self.data.data_vars))
        checked = f"\ntrust    {self.trust.verdict}" if self.trust.checks else ""
        return f"{title} ({self.path.name})\nstatus   {self.status}: {self.message}{checked}\naxes     {sizes}\nholds    {names}"

    @property
    def names(self) -> list[str]:
        """What can be drawn: numbers over one axis, or over two."""
        return [n for n, v in self.data.data_vars.items() if v.dtype.kind in "biuf" and v.ndim in (1, 2) and v.size > 1]

    def is_map(self, name: str) -> bool:
        """Whether a quantity is spread over two axes, both of them long."""
        v = self.data[name]
        return (v.ndim == 2 and min(v.shape) > MOST_LINES) or (
            v.ndim == 2 and all(d in self.data.coords for d in v.dims) and self.graded(v)
        )

    def graded(self, v: Any) -> bool:
        """Whether both axes of a quantity are graded by numbers."""
        return all(self.data[d].dtype.kind in "iuf" for d in v.dims)

    def chosen(self, names: tuple[str, ...]) -> list[str]:
        """What to draw: what was asked for, or what shares the longest axis."""
        if names:
            return [choose(n, self.names, f"quantity of {self.path.name}") for n in names]
        if not self.names:
            raise InputError(f"{self.path} holds no numbers that could be drawn over an axis.")
        longest = max((self.data[n].dims[0] for n in self.names), key=lambda d: self.data.sizes[d])
        return [n for n in self.names if self.data[n].dims[0] == longest and n not in (longest, "done", "t")][
            :MOST_PANELS
        ] or self.names[:1]

    def plot(self, *names: str, path: Any = None) -> Any:
        """One panel per quantity: curves over its axis, or a map; with `path`, save the figure. Returns the figure."""
        shown = self.chosen(names)
        fig, axes = figure(len(shown), height=3.2 if any(map(self.is_map, shown)) else 2.2)
        for ax, name in zip(axes[:, 0], shown):
            (self.draw_map if self.is_map(name) else self.draw_curves)(fig, ax, name)
        axes[0, 0].set_title(str(self.data.attrs.get("title", self.kind or self.path.name)), loc="left", fontsize=10)
        if path is not None:
            save(fig, path)
        return fig

    def label(self, name: str, unit: str | None = None) -> str:
        """A name with its unit."""
        unit = str(self.data[name].attrs.get("units", "")) if unit is None else unit
        return f"{name} [{unit}]" if unit not in ("", "1") else name

    def draw_curves(self, fig: Any, ax: Any, name: str) -> None:
        """A quantity over its first axis: over time where the file knows it, one curve for each component."""
        v = self.data[name]
        along = v.dims[0]
        over = next(
            (n for n in ("t", along) if n in self.data and self.data[n].dims == (along,) and self.data[n].dtype.kind in "iuf"),
            None,
        )
        x = self.data[over].values if over else np.arange(v.shape[0])
        values, unit = in_degrees(v.values.astype(float), str(v.attrs.get("units", "")))
        for k, column in enumerate(values.reshape(len(x), -1).T[:MOST_LINES]):
            ax.plot(x, column, linewidth=0.9, label=str(self.data[v.dims[1]].values[k]) if v.ndim == 2 else None)
        if v.ndim == 2:
            ax.legend(frameon=False, fontsize=8)
        ax.set_ylabel(self.label(name, unit))
        ax.set_xlabel(self.label(over) if over else along)

    def draw_map(self, fig: Any, ax: Any, name: str) -> None:
        """A quantity over two axes, in colours."""
        v = self.data[name]
        rows, columns = (self.data[d].values if d in self.data.coords else np.arange(n) for d, n in zip(v.dims, v.shape))
        finite = np.ma.masked_invalid(v.values.astype(float))
        fig.colorbar(ax.pcolormesh(columns, rows, finite, shading="nearest", cmap="viridis"), ax=ax, label=self.label(name))
        ax.set_xlabel(str(v.dims[1]))
        ax.set_ylabel(str(v.dims[0]))

    def save_html(self, path: Any, title: str | None = None) -> Any:
        """There is no page of plain numbers."""
        kind = f" (format {self.kind!r})" if self.kind else ""
        raise InputError(
            f"{self.path}{kind} holds numbers, not the motion of a body, so that there is nothing to show moving; `rollick plot` draws them."
        )
