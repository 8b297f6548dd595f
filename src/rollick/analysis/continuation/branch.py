"""A branch: the points of a curve of solutions, the special points on it, and how it ended at both ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, choose
from ...motion.result.outcome import FINISHED, INCOMPLETE
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from .point import Point, Special

ORDER = (*INCOMPLETE,)  # of two ends the one that is told first


class Branch(Result):
    """What a continuation found. Points are in the order of arclength `s`, which is zero at the start."""

    has_page = False

    def __init__(
        self,
        about: dict[str, Any],
        points: list[Point],
        specials: list[Special],
        ends: tuple[tuple[str, str], tuple[str, str]],
        more: dict[str, Any] | None = None,
    ):
        self.about = about  # the problem in plain values, units, method, bounds
        self.points, self.ends = points, ends  # (status, message) where s is least, and where it is greatest
        self.specials = numbered(specials)
        self.more = more or {}  # what `resume` needs: weights, steps, memory
        if about.get("model"):
            self.of_model(str(about["model"]))

    # -- how it ended ------------------------------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        """The worse of how its two ends came about."""
        return min((end[0] for end in self.ends if end[0]), key=lambda word: (word not in ORDER, word == ""), default=FINISHED)

    @property
    def message(self) -> str:
        """How both ends came about."""
        told = [message for status, message in self.ends if status]
        return "; ".join(dict.fromkeys(told)) + "."

    @property
    def doubts(self) -> list[str]:
        """What is uncertain: sign changes that could not be located, say."""
        return list(self.more.get("doubts", []))

    # -- values --------------------------------------------------------------------------------------------------------------------

    @property
    def system_name(self) -> str:
        """What it is a branch of."""
        return f"{self.about.get('what', 'solutions')} of {self.about.get('system', self.about.get('problem', '?'))}"

    @property
    def parameter(self) -> str:
        """The name of the parameter."""
        return str(self.about["parameter"])

    @property
    def names(self) -> list[str]:
        """The names of the unknowns."""
        return list(self.about["unknowns"])

    @property
    def z(self) -> np.ndarray:
        """Unknowns and parameter, one row for each point."""
        return np.array([p.z for p in self.points])

    @property
    def s(self) -> np.ndarray:
        """Arclength, zero at the start."""
        return np.array([p.s for p in self.points])

    @property
    def unstable(self) -> np.ndarray:
        """The number of growing directions at each point; -1 where it is not known."""
        return np.array([-1 if p.unstable is None else p.unstable for p in self.points], int)

    def __len__(self) -> int:
        return len(self.points)

    def keys(self) -> list[str]:
        """The names of all quantities along the branch."""
        return list(self.quantities())

    def __getitem__(self, name: str) -> np.ndarray:
        """A quantity along the branch, by name: the parameter, an unknown, a measure, s."""
        name = choose(name, self.quantities(), f"quantity of the branch of {self.system_name}")
        if name == "s":
            return self.s
        if name == self.parameter:
            return self.z[:, -1]
        if name in self.names:
            return self.z[:, self.names.index(name)]
        return np.array([p.measures[name] for p in self.points])

    def quantities(self) -> list[str]:
        """What can be asked for by name."""
        measures = list(self.points[0].measures) if self.points else []
        return [self.parameter, *self.names, *(m for m in measures if m not in self.names), "s"]

    def special(self, label: str) -> Special:
        """A special point by its label, as "H1", or by its kind if there is one only."""
        of_kind = [p for p in self.specials if p.kind == label]
        if len(of_kind) == 1:
            return of_kind[0]
        if not self.specials:
            raise InputError(f"there are no special points on this branch of {self.system_name}.")
        label = choose(label, [p.label for p in self.specials], "special point of this branch")
        return next(p for p in self.specials if p.label == label)

    @property
    def events(self) -> list[Special]:
        """The special points."""
        return self.specials

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system at the start of the branch."""
        return dict(self.about.get("parameters", {}))

    @property
    def provenance(self) -> dict[str, Any]:
        """The problem, the method, and with what it was computed."""
        return {**self.about, **self.more.get("made", environment())}

    def unit(self, name: str) -> str:
        """The unit of a quantity, or ""."""
        return str(self.about.get("units", {}).get(name, ""))

    @property
    def data(self) -> Any:
        """The numbers as an `xarray.Dataset`."""
        from .files import dataset

        return dataset(self)

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """Arclength (as t); unknowns and parameter; measures that are one number, and the number of growing directions."""
        states = {name: self[name] for name in (*self.names[:50], self.parameter)}
        first = self.points[0].measures if self.points else {}
        derived = {name: self[name] for name, value in first.items() if np.ndim(value) == 0 and name not in states}
        return self.s, states, {**derived, "unstable": self.unstable}

    def state_names(self) -> list[str]:
        """The unknowns, which special points are told with."""
        return self.names

    def own_numbers(self) -> dict[str, Any]:
        """The special points with their numbers; the parameter's name."""
        special = [
            {
                "label": p.label,
                "kind": p.kind,
                "title": p.title,
                self.parameter: p.parameter,
                "unknowns": dict(zip(self.names[:50], p.z)),
                "numbers": p.numbers,
                "sentence": p.sentence,
            }
            for p in self.specials
        ]
        return {"parameter": self.parameter, "special_points": special, "doubts": self.doubts}

    # -- words and pictures ----------------------------------------------------------------------------------------------------------

    def summary(self) -> str:
        """What was found, in a few lines."""
        lines = [f"{self.title if self.model is None else f'{self.model}: {self.system_name}'}, {len(self.points)} points"]
        lines.append(f"status   {self.status}: {self.message}")
        if self.points:
            values = self.z[:, -1]
            unit = self.unit(self.parameter)
            lines.append(f"along    {self.parameter} from {values.min():.9g} to {values.max():.9g}{f' {unit}' if unit else ''}")
        known = self.unstable[self.unstable >= 0]
        if known.size:
            lines.append(f"stable   nothing grows at {np.count_nonzero(known == 0)} of {known.size} points")
        largest = float(np.max(np.abs(self.z[:, -1]), initial=0.0)) if self.points else 0.0
        for p in self.specials:
            where = f"{self.parameter} = {0.0 if abs(p.parameter) < 1e-14 * largest else p.parameter:.12g}"  # rounding is zero
            told = "".join(f", {name} = {value:.9g}" for name, value in p.numbers.items())
            lines.append(f"{p.label:<8} {p.title} at {where}{told}" + (f"; {p.sentence}" if p.sentence else ""))
        lines += [f"doubt    {doubt}" for doubt in self.doubts]
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """Quantities over the parameter: stable solid, unstable dashed, special points labelled. Returns the figure."""
        from .pictures import plot_branches

        return plot_branches([self], names, path)

    @classmethod
    def open(cls, path: Any) -> Branch:
        """A branch from a file."""
        from .files import open_branch

        return open_branch(path)


def numbered(specials: list[Special]) -> list[Special]:
    """Special points with labels, in the order of the branch: LP1, LP2, H1."""
    count: dict[str, int] = {}
    for p in sorted(specials, key=lambda p: p.s):
        count[p.kind] = count.get(p.kind, 0) + 1
        p.label = f"{p.kind}{count[p.kind]}"
    return sorted(specials, key=lambda p: p.s)
