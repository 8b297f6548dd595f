"""A branch: the points of a curve of solutions, the special points on it, and how it ended at both ends.

Its file holds all of it, so that it can be drawn, switched from, and gone on with.
"""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np

from ...kernel.names import InputError, choose
from ...kernel.strict_json import strict
from ...motion.result.outcome import FINISHED, INCOMPLETE
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from ...motion.result.sound_file import load
from ...version import __version__
from .point import Point, Special

ORDER = (*INCOMPLETE,)  # of two ends the one that is told first
FORMAT = "rollick branch 1"
NAMED = 24  # unknowns up to which each is a variable of its own
# problems that can be made again from what a file says of them, and the room that does
MAKERS = {"EquilibriumProblem": "rollick.analysis.steady.equilibria:problem_from"}


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
        return of_data(load(path), path)


def numbered(specials: list[Special]) -> list[Special]:
    """Special points with labels, in the order of the branch: LP1, LP2, H1."""
    count: dict[str, int] = {}
    for p in sorted(specials, key=lambda p: p.s):
        count[p.kind] = count.get(p.kind, 0) + 1
        p.label = f"{p.kind}{count[p.kind]}"
    return sorted(specials, key=lambda p: p.s)


# -- files ----------------------------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Numbers, arrays and complex arrays as JSON has them."""
    if isinstance(value, np.ndarray):
        if np.iscomplexobj(value):
            return {"_complex": [value.real.tolist(), value.imag.tolist()]}
        return {"_array": value.tolist()}
    if isinstance(value, complex):
        return {"_complex": [value.real, value.imag]}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def arrays(value: Any) -> Any:
    """What `plain` wrote, as it was."""
    if isinstance(value, dict):
        if set(value) == {"_complex"}:
            real, imag = (np.array(part, float) for part in value["_complex"])
            return real + 1j * imag
        if set(value) == {"_array"}:
            return np.array(value["_array"], float)
        return {k: arrays(v) for k, v in value.items()}
    return [arrays(v) for v in value] if isinstance(value, list) else value


def dataset(branch: Branch) -> Any:
    """The branch as an `xarray.Dataset`: z, tangent, measures and stability over `point`; the special points beside them."""
    import xarray as xr

    names, parameter = branch.names, branch.parameter
    entries = [*names, parameter]
    z = branch.z.reshape(len(branch), len(entries))
    over = ("point",)
    variables: dict[str, Any] = {parameter: (over, z[:, -1], _unit(branch, parameter))}
    if len(names) <= NAMED:
        variables |= {name: (over, z[:, k], _unit(branch, name)) for k, name in enumerate(names)}
    variables["z"] = (("point", "entry"), z)
    variables["tangent"] = (("point", "entry"), np.array([p.tangent for p in branch.points]).reshape(z.shape))
    variables["unstable"] = (over, branch.unstable, {"long_name": "growing directions; -1: not known"})
    for name in branch.points[0].measures if branch.points else ():
        if name in variables:
            continue
        values = [np.asarray(p.measures[name]) for p in branch.points]
        if len({v.shape for v in values}) > 1:  # a mesh that was adapted: padded with nan
            most = max(v.size for v in values)
            values = [np.pad(v.astype(float).ravel(), (0, most - v.size), constant_values=np.nan) for v in values]
        value = np.array(values)
        dims = (*over, *(f"{name}_{k}" for k in range(value.ndim - 1)))
        if np.iscomplexobj(value):
            variables[name] = ((*dims, "part"), np.stack([value.real, value.imag], -1), _unit(branch, name))
        else:
            variables[name] = (dims, value, _unit(branch, name))
    specials = [
        {
            "kind": p.kind, "label": p.label, "sentence": p.sentence, "numbers": plain(p.numbers), "arrays": plain(p.arrays),
            "z": p.z.tolist(), "tangent": p.tangent.tolist(), "s": p.s, "measures": plain(p.measures), "unstable": p.unstable,
        }
        for p in branch.specials
    ]  # fmt: skip
    measured = [
        [name, bool(np.iscomplexobj(value))] for name, value in (branch.points[0].measures if branch.points else {}).items()
    ]
    attributes = {
        "format": FORMAT,
        "title": branch.title,
        "status": branch.status,
        "message": branch.message,
        "about": _dumps(branch.about),
        "ends": _dumps([list(end) for end in branch.ends]),
        "special_points": _dumps(specials),
        "measures": _dumps(measured),
        "more": _dumps(plain(branch.more)),
        "rollick": __version__,
    }
    if branch.model:
        attributes["model"] = branch.model
    coords = {"s": (over, branch.s, {"long_name": "arclength"}), "entry": entries, "part": ["real", "imag"]}
    return xr.Dataset(variables, coords=coords, attrs=attributes)


def _dumps(value: Any) -> str:
    return json.dumps(strict(value), allow_nan=False)


def _unit(branch: Branch, name: str) -> dict[str, str]:
    return {"units": branch.unit(name)} if branch.unit(name) else {}


def of_data(data: Any, path: Any = "the file") -> Branch:
    """The branch in a data set."""
    if data.attrs.get("format") != FORMAT:
        raise InputError(f"{path} is no branch of Rollick (format {data.attrs.get('format', 'unknown')!r}).")
    try:
        about, ends = json.loads(data.attrs["about"]), json.loads(data.attrs["ends"])
        more = arrays(json.loads(data.attrs["more"]))
        measured = json.loads(data.attrs["measures"])
        z, tangents, s, unstable = (data[name].values for name in ("z", "tangent", "s", "unstable"))
        columns: dict[str, np.ndarray] = {}
        for name, is_complex in measured:
            values = data[name].values
            columns[name] = values[..., 0] + 1j * values[..., 1] if is_complex else values
        points = [
            Point(
                z[k],
                tangents[k],
                float(s[k]),
                {n: v[k] for n, v in columns.items()},
                {},
                None if unstable[k] < 0 else int(unstable[k]),
            )
            for k in range(len(s))
        ]
        specials = [
            Special(
                np.array(p["z"], float), np.array(p["tangent"], float), float(p["s"]), arrays(p["measures"]), {}, p["unstable"],
                kind=p["kind"], sentence=p["sentence"], numbers=arrays(p["numbers"]), arrays=arrays(p["arrays"]), label=p["label"],
            )
            for p in json.loads(data.attrs["special_points"])
        ]  # fmt: skip
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise InputError(f"{path} is a damaged branch ({type(error).__name__}: {error}).") from None
    branch = Branch(about, points, specials, (tuple(ends[0]), tuple(ends[1])), more)
    return branch.of_model(str(data.attrs["model"])) if "model" in data.attrs else branch


def problem_of(branch: Branch) -> Any:
    """The problem of a branch, made again from what its file says."""
    kind = str(branch.about.get("problem", ""))
    if kind not in MAKERS:
        raise InputError(
            f"the problem of this branch ({kind or 'unknown'}) cannot be made again from its file; give it: resume(file, problem)."
        )
    module, _, name = MAKERS[kind].partition(":")
    return getattr(importlib.import_module(module), name)(branch.about)
