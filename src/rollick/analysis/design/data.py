"""Measured data for a fit: series over time, or single outputs of a motion; each with its uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, choose
from ...kernel.system import description
from ...motion.result.motion import Motion
from ..sensitivity.outputs import At, Output, output_of


@dataclass(frozen=True)
class Series:
    """One measured quantity: at times t (for a single output t is None), its values, its standard deviation (1 where it is not known)."""

    output: Output
    t: np.ndarray | None
    values: np.ndarray
    sigma: float

    @property
    def label(self) -> str:
        """Its name."""
        return str(self.output.what) if isinstance(self.output, At) and self.t is not None else self.output.label


def measured(system: Any, given: Any, sigma: Any) -> tuple[list[Series], bool]:
    """The series of what a user gave, and whether their uncertainties are known.

    given: {"t": times, "phi": values, ...}, an `xarray.Dataset` or pandas table with such columns, a `Motion`; or {"time of omega": 2.35, ...}.
    """
    table = _columns(given)
    times = table.pop("t", None)
    if not table:
        raise InputError(
            "data holds no measured quantity; give e.g. {'t': [...], 'phi': [...]}, or outputs such as {'time of omega': 2.35}."
        )
    about = description(system)
    names = [q.name for q in (*about.states, *about.signals, *about.integrals)]
    known = _sigmas(sigma, list(table))
    found = []
    for name, values in table.items():
        values = np.atleast_1d(np.asarray(values, float))
        s = 1.0 if known is None else known[name]
        if times is None:
            if values.size != 1:
                raise InputError(f"data has {values.size} values of {name!r}, but no times; give them as 't'.")
            found.append(Series(output_of(name), None, values, s))
            continue
        name = choose(name, names, f"state, signal or integral of {called(system)} in the data")
        t = np.atleast_1d(np.asarray(times, float))
        if t.ndim != 1 or values.shape != t.shape:
            raise InputError(f"data has {values.size} values of {name} at {t.size} times; they must be as many.")
        kept = np.isfinite(values)
        if not np.all(np.isfinite(t)) or not kept.any():
            raise InputError(f"data of {name} needs finite times and at least one value; values that are nan are left out.")
        order = np.argsort(t[kept], kind="stable")
        found.append(Series(At(name), t[kept][order], values[kept][order], s))
    if known is None and len({_unit(one, about) for one in found}) > 1:
        raise InputError(
            f"data has quantities of different units ({', '.join(one.label for one in found)}), which cannot be weighed against each other; give "
            f"sigma={{name: standard deviation}}."
        )
    return found, known is not None


def _unit(one: Series, about: Any) -> str:
    units = {q.name: q.unit for q in (*about.states, *about.signals, *about.integrals)}
    return units.get(getattr(one.output, "what", ""), "s") if one.t is not None or isinstance(one.output, At) else one.label


def _columns(given: Any) -> dict[str, Any]:
    """Columns by name."""
    if isinstance(given, Motion):
        return {"t": given.t, **{name: given[name] for name in given.state_names()}}
    if hasattr(given, "data_vars"):  # an xarray.Dataset
        time = [name for name in given.coords if name in ("t", "time")]
        return (
            {"t": given[time[0]].values, **{str(n): given[n].values for n in given.data_vars}} if time else dict(given.data_vars)
        )
    if hasattr(given, "columns"):  # a pandas table
        return {str(name): np.asarray(given[name]) for name in given.columns}
    if isinstance(given, np.ndarray) and given.dtype.names:  # of np.genfromtxt(..., names=True)
        return {name: given[name] for name in given.dtype.names}
    if isinstance(given, Mapping):
        return dict(given)
    raise InputError(
        f"data is {type(given).__name__}; give a dict of columns {{'t': [...], 'phi': [...]}}, an array with named columns "
        "(np.genfromtxt(..., names=True)), an xarray.Dataset, a table or a Motion."
    )


def _sigmas(sigma: Any, names: list[str]) -> dict[str, float] | None:
    """The standard deviation of each quantity; None if they are not known."""
    if sigma is None:
        return None
    given = dict(sigma) if isinstance(sigma, Mapping) else dict.fromkeys(names, sigma)
    missing = [name for name in names if name not in given]
    if missing:
        raise InputError(f"sigma has no standard deviation of {', '.join(missing)}; give one for each quantity of the data.")
    for name in names:
        plain = isinstance(given[name], (int, float, np.number)) and not isinstance(given[name], bool)
        if not (plain and float(given[name]) > 0.0 and np.isfinite(float(given[name]))):
            raise InputError(f"sigma of {name} is {given[name]!r}; it must be a number above zero.")
    return {name: float(given[name]) for name in names}
