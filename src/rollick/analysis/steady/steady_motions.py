"""Many steady motions: all that a search in a box of states finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, choose, number
from ...kernel.system import description
from ...kernel.units import whole
from ...motion.result.outcome import FINISHED, INTERRUPTED
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from ...motion.result.provenance import parameters as numbers_of
from .equations import Equations
from .newton import search
from .steady_motion import SteadyMotion

MOST_FREE = 12  # unknowns beyond which a box is too large to be searched


class SteadyMotions(Result):
    """The steady motions found in a box, in the order of their states: a sequence of `SteadyMotion`."""

    has_page = False

    def __init__(
        self, equations: Equations, motions: list[SteadyMotion], box: dict[str, tuple[float, float]], unsteady: int, starts: int
    ):
        self.equations, self.motions, self.box, self.unsteady, self.starts = equations, motions, box, unsteady, starts
        self.stopped = False

    @property
    def status(self) -> str:
        """Whether all starts were made."""
        return INTERRUPTED if self.stopped else FINISHED

    def of_model(self, name: str) -> Any:
        """The same result, which now knows the name of its model."""
        for motion in self.motions:
            motion.of_model(name)
        return super().of_model(name)

    def __len__(self) -> int:
        return len(self.motions)

    def __contains__(self, motion: object) -> bool:
        return any(motion is one for one in self)

    def __iter__(self) -> Iterator[SteadyMotion]:
        return iter(self.motions)

    def __getitem__(self, k: int) -> SteadyMotion:
        return self.motions[k]

    @property
    def message(self) -> str:
        """How many were found."""
        within = ", ".join(f"{low:g} <= {name} <= {high:g}" for name, (low, high) in self.box.items())
        more = f"; {self.unsteady} more would not keep what is held" if self.unsteady else ""
        return f"{len(self)} steady motion{'' if len(self) == 1 else 's'} found from {self.starts} starts in {within}{more}."

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.equations.system)

    @property
    def data(self) -> Any:
        """States, rates and eigenvalues as an `xarray.Dataset` over the motions."""
        import xarray as xr

        names = list(self.equations.names)
        most = max((m.eigenvalues.size for m in self), default=0)
        values = np.full((len(self), most, 2), np.nan)
        for k, m in enumerate(self):
            values[k, : m.eigenvalues.size] = np.stack([m.eigenvalues.real, m.eigenvalues.imag], -1)
        variables = {
            "state": (("motion", "name"), np.array([m.y for m in self]).reshape(len(self), len(names))),
            "rate": (("motion", "name"), np.array([m.rates for m in self]).reshape(len(self), len(names))),
            "eigenvalues": (("motion", "eigenvalue", "part"), values, {"units": "1/s"}),
            "unstable": ("motion", np.array([m.unstable for m in self], int)),
        }
        attributes = {"title": f"steady motions of {self.title}", "message": self.message, "format": "rollick steady 1"}
        return xr.Dataset(variables, coords={"name": names, "part": ["real", "imag"]}, attrs=attributes)

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return numbers_of(self.equations.system)

    @property
    def provenance(self) -> dict[str, Any]:
        """The system, what was set aside, and the box."""
        return {
            **self.equations.about(),
            "box": {k: list(v) for k, v in self.box.items()},
            "starts": self.starts,
            **environment(),
        }

    def own_numbers(self) -> dict[str, Any]:
        """The motions."""
        return {"steady_motions": [m.own_numbers() for m in self]}

    def plot(self, *names: str, path: Any = None) -> Any:
        """Their eigenvalues in the complex plane; returns the figure."""
        from .pictures import plot_eigenvalues

        if names:
            raise InputError(f"steady motions are drawn by their eigenvalues; there is nothing called {names[0]!r} to draw.")
        return plot_eigenvalues(self.motions, path)

    def summary(self) -> str:
        """All of them, in a few lines each."""
        return "\n\n".join([f"{self.title}: {self.message}", *(m.summary() for m in self)])


def steady_motions(
    system: Any,
    box: Mapping[str, tuple[Any, Any]],
    near: Any = None,
    free: str | Iterable[str] = "auto",
    hold: Iterable[str] | Mapping[str, Any] = (),
    starts: int = 64,
    seed: int = 0,
    progress: bool | None = None,
) -> SteadyMotions:
    """All steady motions that are found in a box of states: from many starts, each repeated around those known (deflation).

    box: name -> (low, high) for the states to solve for that are neither free nor held. No such search proves that there are no others; `met` of each
    result says how many starts led to it. Ctrl-C ends the search, and what was found is kept.
    """
    about = description(system).states
    names = [q.name for q in about]
    units = {q.name: q.unit for q in about}
    ranges = {}
    if not isinstance(box, Mapping):
        raise InputError(f'box = {box!r} must be ranges by name, as {{"{names[0]}": (low, high)}}.')
    for name, pair in box.items():
        name = choose(name, names, f"state of {called(system)}")
        try:
            low, high = (number(value, name, units[name]) for value in pair)
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"box[{name!r}] = {pair!r} must be two numbers (low, high).") from None
        if not low < high:
            raise InputError(f"box[{name!r}] = ({low:g}, {high:g}) must be (low, high) with low below high.")
        ranges[name] = (low, high)
    starts = whole(starts, "starts", 1)
    middle = {name: 0.5 * (low + high) for name, (low, high) in ranges.items()}
    begin = {**(dict(near) if isinstance(near, Mapping) else {}), **middle} if near is None or isinstance(near, Mapping) else near
    equations = Equations(system, begin, (), free, hold)
    missing = [name for name in equations.kept_names() if name not in ranges]
    if missing:
        raise InputError(f"box has no range for {', '.join(missing)} of {called(system)}; give one, or hold what is conserved.")
    if equations.n > MOST_FREE:
        raise InputError(
            f"{equations.n} unknowns are too many for a search in a box (at most {MOST_FREE}); begin near a motion (steady_motion)."
        )
    corners = np.array([ranges[name] for name in equations.kept_names()])
    none = np.zeros(0)
    given = equations.y[equations.kept]
    found, made, stopped = search(equations, none, corners[:, 0], corners[:, 1], starts, seed, given, progress)
    motions = [SteadyMotion(equations, x, met) for x, met in found if not equations.unsteady(x, none)]
    motions.sort(key=lambda m: tuple(np.round(m.y[equations.kept], 9)))
    result = SteadyMotions(equations, motions, ranges, len(found) - len(motions), made)
    result.stopped = stopped
    return result
