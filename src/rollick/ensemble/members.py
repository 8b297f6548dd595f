"""The members of an ensemble: which numbers vary (parameters of the system, numbers of the start), and what they are for each member.

    Grid(D=np.linspace(0, 1, 50), omega3=[-3, -5, -8])        all combinations; each name becomes a dimension
    Samples(1000, "sobol", seed=1, D=(0, 1), mu=(0.1, 0.5))   points in a box; (low, high), (low, high, "log"), or a frozen SciPy distribution
    Table(D=[...], mu=[...])                                  one member per row; a dict, a pandas or xarray table, or a CSV file

Values may be texts with units ("5deg"). A name that is a parameter is one; "phi(0)", or any other name, is a number of the start.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..kernel.names import InputError, choose, number, whole

KINDS = ("sobol", "latin", "halton", "random")
MOST = 100_000_000  # members; their numbers are kept in memory
UnitOf = Callable[[str], str]


class Members:
    """Names, one column of values each, and the dimensions that the results have."""

    def __init__(self, columns: Mapping[str, np.ndarray], dims: Mapping[str, np.ndarray]):
        self.columns, self.dims = dict(columns), dict(dims)

    @property
    def names(self) -> list[str]:
        """The names of what varies."""
        return list(self.columns)

    @property
    def count(self) -> int:
        """The number of members."""
        return int(np.prod(self.shape))

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of members along each dimension."""
        return tuple(len(v) for v in self.dims.values())

    def row(self, i: int) -> dict[str, Any]:
        """What varies, for one member."""
        return {
            name: column[i].item() if isinstance(column[i], np.generic) else column[i] for name, column in self.columns.items()
        }


class Grid:
    """All combinations of some values; the first name varies slowest."""

    def __init__(self, axes: Mapping[str, Any] | None = None, /, **more: Any):
        self.axes = _named(axes, more, "axis of a grid", "Grid(D=[0.1, 0.2])")

    @property
    def names(self) -> list[str]:
        """The names of what varies."""
        return list(self.axes)

    def members(self, unit_of: UnitOf) -> Members:
        """The members, their values read as quantities of these units."""
        values = {name: column(given, name, unit_of(name)) for name, given in self.axes.items()}
        count = math.prod(len(v) for v in values.values())
        if count > MOST:
            raise InputError(f"the grid has {count} members; at most {MOST} are possible: take fewer values, or Samples.")
        meshes = np.meshgrid(*(np.arange(len(v)) for v in values.values()), indexing="ij")
        return Members({name: v[mesh.ravel()] for (name, v), mesh in zip(values.items(), meshes)}, values)

    def stated(self) -> dict[str, Any]:
        """The grid in plain values."""
        return {"grid": {name: _plain(v) for name, v in self.axes.items()}}


class Samples:
    """Points in a box, chosen by a rule; the same seed gives the same points."""

    def __init__(
        self, count: int, kind: str = "sobol", /, *, seed: int = 0, ranges: Mapping[str, Any] | None = None, **more: Any
    ):
        self.count = whole(count, "count", 1)
        self.kind = choose(kind, KINDS, "kind of samples")
        self.seed = whole(seed, "seed")
        if self.count > MOST:
            raise InputError(f"{self.count} samples are too many; at most {MOST} are possible.")
        self.ranges = _named(ranges, more, "range of samples", "Samples(1000, 'sobol', D=(0.0, 1.0))")

    @property
    def names(self) -> list[str]:
        """The names of what varies."""
        return list(self.ranges)

    def members(self, unit_of: UnitOf) -> Members:
        """The members, their values read as quantities of these units."""
        unit = self._unit_points()
        columns = {n: _spread(given, unit[:, j], n, unit_of(n)) for j, (n, given) in enumerate(self.ranges.items())}
        return Members(columns, {"member": np.arange(self.count)})

    def _unit_points(self) -> np.ndarray:
        """Points in the unit cube."""
        from scipy.stats import qmc

        d = len(self.ranges)
        if self.kind == "random":
            return np.random.default_rng(self.seed).random((self.count, d))
        rng = np.random.default_rng(self.seed)
        if self.kind == "sobol":
            whole_power = 1 << (self.count - 1).bit_length()  # a whole net, of which the first points are taken
            return qmc.Sobol(d, scramble=True, rng=rng).random(whole_power)[: self.count]
        sampler = qmc.LatinHypercube(d, rng=rng) if self.kind == "latin" else qmc.Halton(d, scramble=True, rng=rng)
        return sampler.random(self.count)

    def stated(self) -> dict[str, Any]:
        """The samples in plain values."""
        told = {name: _told(v) for name, v in self.ranges.items()}
        return {"samples": {"count": self.count, "kind": self.kind, "seed": self.seed, "ranges": told}}


class Table:
    """One member per row."""

    def __init__(self, table: Any = None, /, **more: Any):
        if isinstance(table, (str, Path)):
            table = _read_csv(Path(table))
        elif table is not None and hasattr(table, "data_vars"):  # xarray
            table = {str(name): table[name].values.ravel() for name in table.data_vars}
        elif table is not None and hasattr(table, "to_dict") and hasattr(table, "columns"):  # pandas
            table = {str(name): table[name].to_numpy() for name in table.columns}
        self.table = _named(table, more, "column of a table", "Table(D=[0.1, 0.2], mu=[0.3, 0.3])")
        sizes = {name: len(np.atleast_1d(np.asarray(v, object))) for name, v in self.table.items()}
        if len(set(sizes.values())) > 1:
            told = ", ".join(f"{name} {size}" for name, size in sizes.items())
            raise InputError(f"the columns of a table must be equally long; there are {told}.")

    @property
    def names(self) -> list[str]:
        """The names of what varies."""
        return list(self.table)

    def members(self, unit_of: UnitOf) -> Members:
        """The members, their values read as quantities of these units."""
        columns = {name: column(given, name, unit_of(name)) for name, given in self.table.items()}
        return Members(columns, {"member": np.arange(len(next(iter(columns.values()))))})

    def stated(self) -> dict[str, Any]:
        """The table in plain values."""
        return {"table": {name: _plain(v) for name, v in self.table.items()}}


def as_members(given: Any) -> Grid | Samples | Table:
    """Members from what a user may write: one of the above, or {name: values} for a grid."""
    if isinstance(given, (Grid, Samples, Table)):
        return given
    if isinstance(given, Mapping):
        return Grid(given)
    raise InputError(f"the members of an ensemble are a Grid, Samples or a Table, or {{name: values}} for a grid; got {given!r}.")


def column(given: Any, name: str, unit: str) -> np.ndarray:
    """Values of one name: numbers, or words (the names of laws, say)."""
    if isinstance(given, np.ndarray) and given.dtype == np.float64 and given.size and unit != WORD and np.isfinite(given).all():
        return given.ravel().copy()  # as `number` would leave them
    values = np.atleast_1d(np.asarray(given, object)).ravel()
    if values.size == 0:
        raise InputError(f"{name} has no values; give at least one.")
    if unit == WORD:
        return values
    return np.array([number(v, name, unit, turns=True) for v in values.tolist()], float)


WORD = "(a word)"  # the "unit" of what is no number


def _spread(given: Any, u: np.ndarray, name: str, unit: str) -> np.ndarray:
    """Values between 0 and 1 spread over a range."""
    if unit == WORD:
        raise InputError(f"{name} is a word, not a number; use Grid or Table for it.")
    if hasattr(given, "ppf"):
        return np.asarray(given.ppf(u), float)
    parts = tuple(given) if isinstance(given, (tuple, list)) else ()
    if len(parts) not in (2, 3) or (len(parts) == 3 and parts[2] not in ("log", "linear")):
        raise InputError(f"the range of {name} is (low, high), (low, high, 'log') or a frozen SciPy distribution; got {given!r}.")
    low, high = (number(v, name, unit, turns=True) for v in parts[:2])
    if not low <= high:
        raise InputError(f"the range of {name} begins at {parts[0]} above its end {parts[1]}; exchange them.")
    if len(parts) == 3 and parts[2] == "log":
        if low <= 0.0:
            raise InputError(f"the range of {name} is logarithmic, so that it must begin above zero, not at {parts[0]}.")
        return low * (high / low) ** u
    return low + (high - low) * u


def _named(given: Any, more: Mapping[str, Any], what: str, example: str) -> dict[str, Any]:
    found = {**(dict(given) if given is not None else {}), **more}
    if not found:
        raise InputError(f"at least one {what} is needed, e.g. {example}.")
    return {str(name): value for name, value in found.items()}


def _read_csv(path: Path) -> dict[str, list[str]]:
    """The columns of a CSV file with a line of names."""
    try:
        rows = [
            row for row in csv.reader(path.read_text(encoding="utf-8-sig").splitlines()) if row and not row[0].startswith("#")
        ]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the table {path} cannot be read ({error}).") from None
    if len(rows) < 2:
        raise InputError(f"the table {path} needs a line of names and at least one row of values, separated by commas.")
    names = [name.strip() for name in rows[0]]
    for k, row in enumerate(rows[1:], start=2):
        if len(row) != len(names):
            raise InputError(f"row {k} of {path} has {len(row)} values, but there are {len(names)} names ({', '.join(names)}).")
    return {name: [row[j].strip() for row in rows[1:]] for j, name in enumerate(names)}


def _plain(values: Any) -> Any:
    return np.atleast_1d(np.asarray(values, object)).ravel().tolist()


def _told(given: Any) -> Any:
    if hasattr(given, "ppf"):
        shape = getattr(given, "args", ()), getattr(given, "kwds", {})
        return f"{getattr(getattr(given, 'dist', None), 'name', given)}{shape[0]}{shape[1] or ''}"
    return list(given) if isinstance(given, (tuple, list)) else repr(given)
