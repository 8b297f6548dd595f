"""Charts: outputs of a motion over a grid of parameters (or numbers of the start), as an ensemble (`ensemble.grid_map`): in threads, kept in a file, resumable.

Points at which an output does not exist (an event that does not happen, a system that cannot be) are nan; how many there are, and why, is told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..ensemble.grid_map import grid_map
from ..ensemble.stored.map_file import reasons_of
from ..kernel.names import InputError, called, mapping_of, numbers
from ..kernel.paths import path_of
from ..kernel.system import description
from ..motion.result.outcome import FINISHED
from ..motion.result.protocol import Result
from ..motion.result.provenance import environment
from ..motion.result.provenance import parameters as numbers_of
from ..motion.start import check_system, with_rate
from .chart_points import Points


class Chart(Result):
    """`values[label]` over the grid of `axes`."""

    has_page = False
    status = FINISHED

    def __init__(
        self,
        system: Any,
        axes: dict[str, np.ndarray],
        units: dict[str, str],
        values: dict[str, np.ndarray],
        why: dict[str, int],
        made: dict[str, Any],
    ):
        self.system, self.axes, self.units, self.values, self.why, self._made = system, axes, units, values, why, made

    @property
    def message(self) -> str:
        """How many points there are, and how many have no value."""
        total = int(np.prod([v.size for v in self.axes.values()]))
        empty = int(np.any([np.isnan(v) for v in self.values.values()], axis=0).sum())
        if not empty:
            return f"{total} points."
        most = max(self.why, key=lambda k: self.why[k], default="")
        return f"{total} points, {empty} of them without a value" + (f" ({self.why[most]} times: {most})." if most else ".")

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.system)

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return numbers_of(self.system)

    def keys(self) -> list[str]:
        """The labels of the chart."""
        return list(self.values)

    def __getitem__(self, label: str) -> np.ndarray:
        if label not in self.values:
            raise InputError(f"{label!r} is not in this chart; there are {', '.join(self.values)}.")
        return self.values[label]

    @property
    def data(self) -> Any:
        """The chart as an `xarray.Dataset`."""
        import xarray as xr

        dims = tuple(self.axes)
        variables = {label: (dims, v, {"units": self.units.get(label, "")}) for label, v in self.values.items()}
        coords = {name: (name, v, {"units": self.units.get(name, "")}) for name, v in self.axes.items()}
        return xr.Dataset(variables, coords=coords, attrs={"title": f"chart of {self.title}", "format": "rollick chart 1"})

    @property
    def provenance(self) -> dict[str, Any]:
        """How it was computed."""
        return {"system": self.system_name, "model": self.model, **self._made, **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """The grid and what is on it."""
        return {
            "axes": {name: v.tolist() for name, v in self.axes.items()},
            "values": {label: v.tolist() for label, v in self.values.items()},
            "units": self.units,
            "without_value": self.why,
        }

    def summary(self) -> str:
        """Ranges of what is on the chart."""
        lines = [
            f"chart of {self.title} over {' x '.join(f'{n} ({v.size})' for n, v in self.axes.items())}",
            f"status   {self.status}: {self.message}",
        ]
        for label, v in self.values.items():
            unit = self.units.get(label, "")
            if not np.any(np.isfinite(v)):
                lines.append(f"{label}: no value anywhere")
                continue
            told = []
            if np.all(v == v.flat[0]):
                lines.append(f"{label}: {v.flat[0]:.6g} {unit}".rstrip() + " everywhere")
                continue
            for word, k in (("least", np.nanargmin(v)), ("greatest", np.nanargmax(v))):
                at = ", ".join(f"{n} = {self.axes[n][i]:.6g}" for n, i in zip(self.axes, np.unravel_index(int(k), v.shape)))
                told.append(f"{word} {v.ravel()[int(k)]:.6g} {unit}".rstrip() + f" at {at}")
            lines.append(f"{label}: " + "; ".join(told))
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """Curves over one parameter, a coloured map over two; returns the figure."""
        from .map_pictures import plot_chart

        return plot_chart(self, names, path)


def chart(
    system: Any,
    start: Any,
    until: Any,
    axes: Mapping[str, Any],
    outputs: Any,
    *,
    since: Any = None,
    method: Any = "auto",
    rtol: float | None = 1e-9,
    resets: Any = (),
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
    max_steps: float = 1e6,
    make: Callable[..., Any] | None = None,
    made_of: Mapping[str, str] | None = None,
) -> Chart:
    """Outputs of the motion over a grid.

    axes: {parameter or number of the start: values}, the outermost first; a name that is a parameter is one, "phi(0)" or any other is of the start.
    outputs: as for `sensitivity`, or functions of a system with one number, {"label": f(system)}.
    method: any; motions made of time steps or impacts are asked by their record (`recorded`).
    make, made_of: a function that makes the system from numbers, and the names of these with their units: axes with such names are its arguments.
    store: a netCDF file; the same chart goes on where it was broken off. workers: threads.
    """
    functions: dict[str, Callable[..., Any]] = dict(outputs) if isinstance(outputs, Mapping) else {}
    checked = check_system(with_rate(system))
    axes = mapping_of(axes, "axes", "{'mu': [0.1, 0.2, 0.3]}")
    built = {n: unit for n, unit in mapping_of(made_of or {}, "made_of", "{'tilt': 'rad'}").items() if n in axes}
    if built and make is None:
        raise InputError(f"{', '.join(built)} of the axes are arguments of make, which is not given.")
    parameters, begun, names = _named(checked, [n for n in axes if n not in built])
    options = {"since": since, "method": method, "rtol": rtol, "resets": resets, "max_steps": max_steps}
    question = Points(system, start, until, _asked(checked, functions, outputs), parameters, begun, options, bool(functions))
    labels = list(functions) or [one.label for one in question.outputs]
    units = question.units | built
    names = [n if n in built else names.pop(0) for n in axes]
    grid = {n: _values(axes[given], units[n], n) for n, given in zip(names, axes)}
    if not functions:
        units |= question.output_units()

    def work(points: np.ndarray, first: int) -> tuple[np.ndarray, dict[int, str]]:
        found, reasons = np.full((len(points), len(labels)), np.nan), {}
        for k, point in enumerate(points):
            values = dict(zip(names, point.tolist()))
            try:
                at = question
                if make is not None and built:
                    at = question.of(make(**{n: values.pop(n) for n in built}))
                found[k] = [float(f(at.system_with(values))) for f in functions.values()] if functions else at.values(values)
            except InputError as error:
                reasons[k] = reason(str(error))
        return found, reasons

    made = {"system": called(checked), "parameters": numbers_of(checked), "start": question.start.tolist(),
            "until": question.until, "rtol": rtol, "outputs": labels, **question.about()}  # fmt: skip
    found = grid_map(
        work,
        grid,
        [f"v{k}" for k in range(len(labels))],
        about=made,
        store=store,
        workers=workers,
        progress=progress,
        title="chart",
    )
    values = {label: found[f"v{k}"].values for k, label in enumerate(labels)}
    return Chart(checked, grid, units, values, reasons_of(found), made)


def _named(system: Any, axes: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Which axes are parameters, which are numbers of the start, and the labels of all in their order."""
    parameters, begun, names = [], [], []
    for name in axes:
        try:
            if name.endswith("(0)"):
                raise InputError("a number of the start")
            names.append(path_of(system, name))
            parameters.append(names[-1])
        except InputError:
            begun.append(name.removesuffix("(0)"))
            names.append(f"{begun[-1]}(0)")
    return parameters, begun, names


def _asked(system: Any, functions: Mapping[str, Callable[..., Any]], outputs: Any) -> Any:
    """The outputs; with functions of the system any state serves, to have a motion that could be asked."""
    return [description(system).states[0].name] if functions else outputs


def _values(given: Any, unit: str, name: str) -> np.ndarray:
    return np.atleast_1d(numbers(given, name, unit))


def reason(message: str) -> str:
    """Why a point has no value, without what to do about it: the first sentence; of a motion that stopped early not when, but why."""
    first, _, rest = message.partition(". ")
    why = rest.partition(". ")[0]
    return f"the motion stops before its end: {why[:1].lower()}{why[1:]}" if " stopped at t = " in first and why else first
