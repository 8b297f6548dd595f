"""Basins of attraction: from which starts a system comes to which attractor.

An ensemble over a grid of starts, of which the attractors are asked (`ensemble.attractor` says how they are told apart); computed in threads, kept in a file, resumable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..ensemble.attractor import GONE, SAMPLES, UNSETTLED, Attractor, matched, settling
from ..ensemble.call import make_task
from ..ensemble.keep import Path
from ..ensemble.members import Grid
from ..ensemble.stored.map_file import mapped
from ..kernel.compiling import compiling
from ..kernel.names import InputError, called, listed, mapping_of, numbers
from ..kernel.system import description
from ..motion.methods import DOP853, has_dry_friction
from ..motion.result.outcome import FINISHED
from ..motion.result.protocol import Result
from ..motion.result.provenance import environment
from ..motion.result.provenance import parameters as numbers_of
from ..motion.start import check_system, state_vector, with_rate


class Basins(Result):
    """`labels` over the grid (0, 1, ... attractors, -1 gone, -2 not settled), the `attractors` with their features, `fractions` of the starts."""

    has_page = False
    status = FINISHED

    def __init__(
        self,
        system: Any,
        axes: Mapping[str, np.ndarray],
        labels: np.ndarray,
        attractors: list[dict[str, Any]],
        made: dict[str, Any],
    ):
        self.system, self.axes, self.labels, self.attractors, self._made = system, dict(axes), labels, attractors, made

    @property
    def message(self) -> str:
        """What was found."""
        lost = int((self.labels == UNSETTLED).sum())
        told = f"{self.labels.size} starts, {len(self.attractors)} attractors"
        told += f", {int((self.labels == GONE).sum())} starts leave" if (self.labels == GONE).any() else ""
        return told + (
            f"; {lost} starts did not settle in the time given: raise settle (a cycle needs ten periods of watch)."
            if lost
            else "."
        )

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.system)

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return numbers_of(self.system)

    @property
    def fractions(self) -> np.ndarray:
        """The part of the starts that goes to each attractor."""
        return np.array([float((self.labels == k).mean()) for k in range(len(self.attractors))])

    @property
    def data(self) -> Any:
        """Labels and attractors as an `xarray.Dataset`."""
        import xarray as xr

        units = {q.name: q.unit for q in description(self.system).states}
        coords: dict[str, Any] = {name: (name, values, {"units": units.get(name, "")}) for name, values in self.axes.items()}
        variables: dict[str, Any] = {"attractor": (tuple(self.axes), self.labels.astype(np.int32))}
        if self.attractors:
            names = list(self.attractors[0]["mean"])
            coords["state"] = names
            for word in ("least", "greatest", "mean"):
                variables[word] = (("number", "state"), np.array([[a[word][n] for n in names] for a in self.attractors]))
        return xr.Dataset(variables, coords=coords, attrs={"title": f"basins of {self.title}", "format": "rollick basins 1"})

    @property
    def provenance(self) -> dict[str, Any]:
        """How it was computed."""
        return {"system": self.system_name, "model": self.model, **self._made, **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """Attractors with their parts of the grid."""
        listed = [{**a, "fraction": f} for a, f in zip(self.attractors, self.fractions.tolist())]
        return {
            "attractors": listed,
            "axes": {name: values.tolist() for name, values in self.axes.items()},
            "labels": self.labels.tolist(),
            "gone": float((self.labels == GONE).mean()),
            "unsettled": float((self.labels == UNSETTLED).mean()),
        }

    def summary(self) -> str:
        """The attractors."""
        lines = [f"basins of {self.title} over {' x '.join(self.axes)}", f"status   {self.status}: {self.message}"]
        units = {q.name: f" {q.unit}" if q.unit else "" for q in description(self.system).states}
        for k, (a, part) in enumerate(zip(self.attractors, self.fractions)):
            if a["kind"] == "rest":
                told = ", ".join(f"{n} = {v:.6g}{units.get(n, '')}" for n, v in a["mean"].items())
            else:
                told = ", ".join(f"{n} in [{a['least'][n]:.4g}, {a['greatest'][n]:.4g}]{units.get(n, '')}" for n in a["mean"])
            lines.append(f"{k}: {100.0 * part:6.2f} %  {a['kind']:6}  {told}")
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """The basins over two axes of the grid; returns the figure."""
        from .map_pictures import plot_basins

        return plot_basins(self, path)


def basins(
    system: Any,
    axes: Mapping[str, Any],
    start: Any = None,
    *,
    settle: Any,
    watch: Any = None,
    angles: Sequence[str] = (),
    ignore: Sequence[str] = (),
    tolerance: float = 1e-3,
    far: float = 1e6,
    rtol: float = 1e-8,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
) -> Basins:
    """The basins of attraction of a system over a grid of starts.

    Parameters
    ----------
    axes: {state: values}, one or more states, or names that a start understands (the tilt of a body); the others are as in `start`.
    settle: how long each motion is given to come near its attractor; watch: how long it is watched then (default: half of it). A cycle is
        recognised if some five of its periods fit into half of that.
    angles: states that count modulo a full turn; ignore: states that ride along (a track), which do not tell attractors apart.
    tolerance: features that differ by less, relative to the extent of all motions, are the same.
    far: a motion whose states grow beyond this is gone.
    store: a netCDF file; the same map goes on where it was broken off. workers: threads.
    """
    system = check_system(with_rate(system))
    method = DOP853(rtol=rtol)
    if has_dry_friction(system):
        raise InputError(
            f"basins are those of smooth systems here, and {called(system)} has dry friction; take a smooth law such as Regularised(mu, eps), or a chart over numbers of the start "
            f"(chart), which follows it from mode to mode."
        )
    units = {q.name: q.unit for q in description(system).states}
    grid = {n: np.atleast_1d(numbers(v, n, units.get(n, ""))) for n, v in mapping_of(axes, "axes", "{'phi': [0.0, 0.1]}").items()}
    turning, idle = (tuple(listed(x, what, "['phi']")) for x, what in ((angles, "angles"), (ignore, "ignore")))
    asked = Attractor(settle, watch, turning, idle, tolerance, far)
    long, seen = asked.times()
    columns = asked.columns(list(units))
    base = state_vector(system, start)
    begun = {f"{n}(0)": v for n, v in grid.items()}
    plain, _, _ = make_task(system, Grid(begun), long + seen, start=start, method=method, max_steps=1e9, keep=Path([long]))
    for edge in (0, plain.members.count - 1):
        state_vector(system, plain.parts(edge)[1])  # refuses what is no start
    task = settling(plain, asked)
    task.members.dims = grid
    made = {"system": called(system), "parameters": numbers_of(system), "start": base.tolist(), "settle": long, "watch": seen, "samples": SAMPLES, "rtol": rtol,
            "angles": list(angles), "ignore": list(ignore), "far": far}  # fmt: skip
    size = max(1, min(64, task.members.count // 64))
    with compiling("the motions", system):
        found = mapped(task, made, store=store, workers=workers, progress=progress, chunk=size, title="basins")
    features = np.stack([found[name].values.ravel() for name in task.keep.labels], axis=1)
    marks, attractors = matched(features, [name for name, _, _ in columns], tolerance)
    shape = tuple(v.size for v in grid.values())
    return Basins(system, grid, marks.reshape(shape), attractors, {**made, "tolerance": tolerance})
