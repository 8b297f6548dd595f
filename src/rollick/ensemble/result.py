"""The result of an ensemble: what was kept of each member, over what varies; and why some members have no numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from ..kernel.names import choose
from ..kernel.strict_json import dumps
from ..motion.result.outcome import DOUBTFUL, EVENT, FINISHED, INTERRUPTED
from ..motion.result.protocol import Result
from ..motion.result.provenance import environment
from .keep import units_of
from .task import WORDS, Chunk, Task

GOOD = (
    FINISHED,
    EVENT,
    "CC",
    "PCC",
    "ICC",
    "zeno",
    "rest",
    "time",
    "rested",
)  # how members come to their end; the others have failed


class Ensemble(Result):
    """`ensemble["first_omega3"]` over the dimensions of the members, `data` with all of it, `failures`, `status_of(...)`."""

    has_page = False
    shown: tuple[str, ...] = ()  # what is drawn if nothing is named

    def __init__(self, task: Task, units: dict[str, str], found: Chunk, made: dict[str, Any]):
        self.task, self.units, self.found, self._made = task, units, found, made
        self._data: Any = None

    # -- how it ended -----------------------------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        """Finished, interrupted if members are missing, or doubtful if a check of members failed (`verify`)."""
        return INTERRUPTED if (self.found.status < 0).any() else DOUBTFUL if self.trust.doubts else FINISHED

    @property
    def statuses(self) -> dict[str, int]:
        """How many members ended in which way."""
        counted = Counter(self.found.status.tolist())
        return {WORDS[k] if k >= 0 else "not computed": n for k, n in sorted(counted.items(), key=lambda pair: -pair[1])}

    @property
    def message(self) -> str:
        """How many members there are, and how they ended."""
        told = ", ".join(f"{n} {word}" for word, n in self.statuses.items())
        return f"{self.task.members.count} members: {told}."

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The members that did not reach their end: which, what they were, how they ended and why."""
        good = {-1, *(WORDS.index(word) for word in GOOD)}
        places = [i for i, k in enumerate(self.found.status.tolist()) if k not in good]
        return [
            {
                "member": i,
                **self.task.members.row(i),
                "status": WORDS[self.found.status[i]],
                "reason": self.found.reasons.get(i, ""),
            }
            for i in places
        ]

    # -- values -----------------------------------------------------------------------------------------------------------------

    @property
    def system_name(self) -> str:
        """What moves."""
        return self.task.source.title

    def parameters(self) -> dict[str, Any]:
        """The numbers that do not vary, as far as the source tells them."""
        return dict(self.task.source.stated().get("parameters", {}))

    def keys(self) -> list[str]:
        """The names of all that is kept, and of what varies."""
        return list(self.data.variables)

    def __getitem__(self, label: str) -> np.ndarray:
        label = choose(label, list(self.data.variables), f"quantity of the ensemble of {self.title}")
        return self.data[label].values

    def __len__(self) -> int:
        return self.task.members.count

    @property
    def data(self) -> Any:
        """Everything as an `xarray.Dataset` over the dimensions of the members."""
        if self._data is None:
            self._data = self._dataset()
        return self._data

    def _dataset(self) -> Any:
        import xarray as xr

        task, found = self.task, self.found
        members, dims, shape = task.members, tuple(task.members.dims), task.members.shape
        units = units_of(task.source.system) if task.source.is_motion else {}
        coords: dict[str, Any] = {}
        for name, values in members.dims.items():
            coords[name] = (name, values.astype(str) if values.dtype == object else values, {"units": self.units.get(name, "")})
        for name, column in members.columns.items():
            if name not in members.dims:
                coords[name] = (
                    dims,
                    column.astype(str) if column.dtype == object else column,
                    {"units": self.units.get(name, "")},
                )
        variables: dict[str, Any] = {}
        for j, m in enumerate(task.keep.measures):
            variables[_free(m.label, coords)] = (dims, found.values[:, j].reshape(shape), {"units": m.unit(units)})
        for j, name in enumerate(task.keep.functions, start=len(task.keep.measures)):
            variables[_free(name, coords)] = (dims, found.values[:, j].reshape(shape))
        flags = {"flag_values": np.arange(-1, len(WORDS)).tolist(), "flag_meanings": " ".join(["not_computed", *WORDS])}
        variables["status"] = (dims, found.status.reshape(shape), flags)
        variables["end_time"] = (dims, found.time.reshape(shape), {"units": "s"})
        variables["steps"] = (dims, found.steps.reshape(shape))
        if found.paths is not None and task.keep.path is not None:
            coords["t"] = ("t", task.keep.path.times(), {"units": "s"})
            for j, name in enumerate(task.state_names()):
                values = found.paths[:, :, j].reshape(*shape, -1)
                variables[_free(f"{name}_path", coords)] = ((*dims, "t"), values, {"units": units.get(name, "")})
        attributes = {
            "title": f"ensemble of {self.title}",
            "format": "rollick ensemble 1",
            "status": self.status,
            "message": self.message,
            "provenance": dumps(self.provenance),
            "trust": dumps(self.trust.to_dict()),
        }
        return xr.Dataset(variables, coords=coords, attrs=attributes)

    @property
    def provenance(self) -> dict[str, Any]:
        """How it was computed."""
        return {"system": self.system_name, "model": self.model, **self._made, **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """Numbers by label, and what happened to members."""
        return {
            "axes": {name: v.tolist() for name, v in self.task.members.dims.items()},
            "varied": {name: v.tolist() for name, v in self.task.members.columns.items()},
            "values": {label: self.found.values[:, j].tolist() for j, label in enumerate(self.task.keep.labels)},
            "statuses": self.statuses,
            "failures": self.failures,
        }

    # -- words and pictures -------------------------------------------------------------------------------------------------------

    def summary(self) -> str:
        """Ranges of what was kept."""
        dims = " x ".join(f"{name} ({len(v)})" for name, v in self.task.members.dims.items())
        lines = [f"ensemble of {self.title} over {dims}", f"status   {self.status}: {self.message}"]
        for j, label in enumerate(self.task.keep.labels):
            v = self.found.values[:, j]
            good = v[np.isfinite(v)]
            if good.size == 0:
                lines.append(f"{label}: no value anywhere")
                continue
            missing = f", {v.size - good.size} without" if good.size < v.size else ""
            lines.append(f"{label}: {good.min():.6g} to {good.max():.6g}, mean {good.mean():.6g}{missing}")
        if self.trust.checks:
            lines += [f"trust    {line}" if k == 0 else f"       {line}" for k, line in enumerate(str(self.trust).splitlines())]
        lines += [f"  member {f['member']}: {f['status']}: {f['reason'][:150]}" for f in self.failures[:3]]
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None, kind: str | None = None) -> Any:
        """A curve over one dimension, a map over two, histograms and scatter of samples; or as `kind` says: "map", "histogram", "scatter", "pairs". Returns the figure."""
        from .pictures import plot_ensemble

        return plot_ensemble(self, names, path, kind)


def _free(name: str, taken: Any) -> str:
    """A name of a variable that no coordinate has: a state that varies at the start is kept at the end, too."""
    return f"{name}_end" if name in taken else name
