"""A motion: what `simulate` returns.

States, derived signals and accumulated integrals over time, events, how it ended, and where it came from. The labelled
`xarray.Dataset` and the signals are made when first asked for, so that a million motions cost no more than their integration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...kernel import strict_json
from ...kernel.compiling import compiling
from ...kernel.evaluate import signals_along
from ...kernel.names import InputError, choose
from ...kernel.system import Description, description
from ...kernel.trial import try_signals
from ..events.event import Occurrence
from ..ode import control as c
from ..ode.dense import empty_coefficients, sample
from .outcome import Outcome
from .protocol import Result
from .provenance import provenance
from .trust import Trust, from_dict

if TYPE_CHECKING:
    from collections.abc import Callable

    from xarray import Dataset

    from .again import Known


class Motion(Result):
    """The motion of a system from a start. `motion["alpha"]`, `motion.t`, `motion.data`, `motion.events`, `motion.plot()`."""

    def __init__(
        self,
        system: Any,
        about: Description,
        t: np.ndarray,
        y: np.ndarray,
        integrals: np.ndarray | None,
        events: list[Occurrence],
        outcome: Outcome,
        made: dict[str, Any],
        end: tuple[float, np.ndarray, np.ndarray | None],
        transition: np.ndarray | None = None,
        dense: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None,
        derived: np.ndarray | None = None,
    ):
        self.system, self.about = system, about
        self.t, self.y, self.q = t, y, integrals
        self._events: list[Occurrence] | Callable[[], list[Occurrence]] = events
        self.outcome, self._provenance = outcome, made
        self.end_time, self.end_state, self.end_integrals = end
        self.transition = transition
        self.trust = Trust()
        self._dense = dense
        self._derived = derived
        self._data: Dataset | None = None
        self._known: tuple[np.ndarray, Known | None] | None = None  # what was asked for last between its instants, see `again`

    @staticmethod
    def describe(system: Any) -> Description:
        """The description of a system."""
        return description(system)

    @classmethod
    def from_run(cls, run: Any, outcome: Outcome) -> Motion:
        """The motion of a finished (or broken off) run."""
        n, m, recorder = run.n, run.m, run.recorder
        end_time, end = (float(run.control[c.TIME]), run.y.copy()) if recorder.end is None else recorder.end
        if run.at is None:
            t, full = np.concatenate(recorder.times), np.concatenate(recorder.states)
        else:
            t, full = recorder.at[: recorder.at_count].copy(), recorder.at_out[: recorder.at_count].copy()
        dense = None
        if run.keep_dense:
            coefficients = [empty_coefficients(0, run.y.size), *recorder.coefficients]
            dense = np.concatenate(recorder.times), np.concatenate(recorder.states), np.concatenate(coefficients)
        k = n + m
        transition = None
        if run.problem.variational:
            transition = full[:, k : k + k * k].reshape(-1, k, k).transpose(0, 2, 1)[:, :, :n].copy()
        return cls(
            run.system,
            description(run.system),
            t,
            np.ascontiguousarray(full[:, :n]),
            np.ascontiguousarray(full[:, n:k]) if m else None,
            run.occurrences,
            outcome,
            provenance(run),
            (end_time, end[:n], end[n:k] if m else None),
            transition,
            dense,
        )

    # -- what it is of, and how it ended ----------------------------------------------------------------------------------------------------------

    @property
    def provenance(self) -> dict[str, Any]:
        """Where it came from: system, start, method, cost, versions; enough to compute it again."""
        return self._provenance

    @property
    def model(self) -> str | None:
        """The name of the model that was simulated; None for a system of one's own."""
        return self.provenance.get("model")

    def of_model(self, name: str) -> Motion:
        """The same motion, which now knows the name of its model."""
        self._provenance = {**self.provenance, "model": name}
        self._data = None
        return self

    @property
    def system_name(self) -> str:
        """The class of the system."""
        name: str = self.provenance["system"]
        return name

    @property
    def events(self) -> list[Occurrence]:
        """The events, in the order of time."""
        if not isinstance(self._events, list):
            self._events = self._events()
        return self._events

    def tell_by(self, telling: Callable[[], list[Occurrence]]) -> None:
        """Events from now on are what `telling()` returns, when they are asked for."""
        self._events = telling

    @property
    def status(self) -> str:
        """finished, event, left_domain, max_steps, wall_limit, interrupted, step_underflow, not_finite, bad_event or exception (`STATUSES`)."""
        return self.outcome.status

    @property
    def message(self) -> str:
        """How the motion ended, in a sentence."""
        return self.outcome.message

    @property
    def complete(self) -> bool:
        """Whether it reached its final time or a terminal event."""
        return self.outcome.complete

    # -- values ----------------------------------------------------------------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """Everything that can be asked for by name."""
        integrals = [q.name for q in self.about.integrals] if self.q is not None else []
        return ["t", *(q.name for q in self.about.states), *(q.name for q in self.about.signals), *integrals]

    @property
    def derived(self) -> np.ndarray:
        """The signals at the output times, one column each."""
        if self._derived is None:
            self._derived = self.signals_at(self.t, self.y)
        return self._derived

    def signals_at(self, t: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The signals at given times and states."""
        out = np.empty((len(t), len(self.about.signals)))
        if self.about.signals and len(t):
            if self.system is None:
                raise InputError(
                    "the system of this motion is not known here (it was read from a file), so that signals cannot be recomputed."
                )
            with compiling("the signals", self.system):
                try_signals(self.system, t[0], y[0])
                signals_along(self.system, np.ascontiguousarray(t, float), np.ascontiguousarray(y, float), out)
        return out

    def keys(self) -> list[str]:
        """The names of time, states, integrals and signals."""
        return list(self.names)

    def __getitem__(self, name: str) -> np.ndarray:
        name = choose(name, self.names, f"quantity of {self.title}")
        if name == "t":
            return self.t
        for group, values in ((self.about.states, self.y), (self.about.integrals, self.q), (self.about.signals, None)):
            for j, quantity in enumerate(group):
                if quantity.name == name:
                    return (self.derived if values is None else values)[:, j]
        raise KeyError(name)

    def __len__(self) -> int:
        return self.t.size

    def at(self, t: Any, name: str | None = None) -> Any:
        """The states at any time inside the motion, or one named quantity there, from the dense output (`dense=True`); one row per time."""
        if self._dense is None:
            raise InputError("this motion keeps no dense output; simulate with dense=True, or ask for the times with at=[...].")
        times = np.atleast_1d(np.asarray(t, float))
        ts, ys, fs = self._dense
        low, high = min(ts[0], ts[-1]), max(ts[0], ts[-1])
        if times.size and (times.min() < low or times.max() > high):
            raise InputError(
                f"time {times[(times < low) | (times > high)][0]:g} lies outside the motion, which runs from {ts[0]:g} to {ts[-1]:g}."
            )
        out = np.empty((times.size, ys.shape[1]))
        sample(ts, ys, fs, times, out)
        n = len(self.about.states)
        values = out[:, :n]
        if name is not None:
            name = choose(name, self.names, f"quantity of {self.title}")
            signals_ = [q.name for q in self.about.signals]
            if name == "t":
                values = times
            elif name in signals_:
                values = self.signals_at(times, values)[:, signals_.index(name)]
            else:
                values = out[:, [q.name for q in (*self.about.states, *self.about.integrals)].index(name)]
        return values[0] if np.ndim(t) == 0 else values

    @property
    def has_dense(self) -> bool:
        """Whether `at` answers for any time."""
        return self._dense is not None

    @property
    def data(self) -> Dataset:
        """The motion as an `xarray.Dataset`, with units."""
        if self._data is None:
            from .files import to_dataset

            self._data = to_dataset(self)
        return self._data

    def repeated(self, at: np.ndarray) -> Motion:
        """The same motion, computed once more from its provenance with output at other times; its integrals begin at zero."""
        from .again import repeated

        motion: Motion = repeated(self, at)
        return motion

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        numbers: dict[str, Any] = self.provenance["parameters"]
        return numbers

    def state_names(self) -> list[str]:
        """The names of the states."""
        return [q.name for q in self.about.states]

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The instants, the states, and the signals and integrals."""
        derived = [q.name for q in self.about.signals]
        derived += [q.name for q in self.about.integrals] if self.q is not None else []
        return self.t, {name: self[name] for name in self.state_names()}, {name: self[name] for name in derived}

    # -- files, pictures, words --------------------------------------------------------------------------------------------------

    def to_netcdf(self, path: Any) -> None:
        """Write the motion to a netCDF file; `Motion.open` reads it back. The file appears whole or not at all."""
        from .files import write

        write(self, path)

    @staticmethod
    def open(path: Any) -> Motion:
        """Read a motion from a netCDF file."""
        from .files import FORMAT, open_data

        return of_data(open_data(path, FORMAT, "motion written by this program"), path)

    def plot(self, *names: str, path: Any = None, kind: str = "time", theme: str | None = None, size: str | None = None) -> Any:
        """A picture; with `path` (.png, .pdf or .svg), save it. Returns the figure.

        kind: "time" (quantities over time; default: the system's own choice), "phase" (two quantities against each other), "energy" (where the
        energy is and goes), "track" (of the contact point), "sphere" (a unit vector, such as the normal in body axes, on its sphere).
        theme: light or dark; size: screen, or the single or double column of a journal (see `plot_style`).
        """
        from ...plotting.kinds import plot_kind

        return plot_kind(self, kind, names, path, theme, size)

    def scene(self, title: str | None = None, **look: Any) -> dict[str, Any]:
        """The body with what it touches, moving: the data of its page."""
        from ...view.scene_data import motion_data

        return motion_data(self, title, **look)

    def summary(self) -> str:
        """What happened, in a few lines."""
        from .summary import summary

        return summary(self)

    def _repr_html_(self) -> str:
        from .summary import html

        return html(self)


def of_data(data: Any, path: Any) -> Motion:
    """The motion in a data set that was read from a file."""
    from .files import numbers_of, restored

    def made(given: Any) -> Motion:
        motion = Motion(**numbers_of(given))
        if "trust" in given.attrs:
            motion.trust = from_dict(strict_json.loads(given.attrs["trust"]))
        motion._data = given
        return motion

    return restored(made, data, path, (Exception,))  # whatever a damaged file may lead to
