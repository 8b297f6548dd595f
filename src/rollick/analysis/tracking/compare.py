"""Which law explains the data? Several identifications from one track, with the same noise, side by side.

With k numbers fitted to n data, and chi2 the sum of squares over the noise:

    AIC = chi2 + 2 k,  BIC = chi2 + k ln n;   weights exp(-AIC/2) (Akaike), scaled to the sum 1

Of two laws of which one is the other with some parameters left out (at a fixed value), the smaller is refuted if the larger fits better than by chance:

    F = ((chi2_0 - chi2_1)/(k_1 - k_0)) / (chi2_1/(n - k_1)),

F-distributed if the smaller is right, whatever the size of the noise. (For a parameter that was fixed at its bound, zero friction say, the chance is at most half
of what is told.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import f as fisher

from ...kernel.names import InputError
from ...motion.result.outcome import FINISHED, MOST_STEPS
from ...motion.result.protocol import Result
from .identified import Identified

REFUTED = 1e-3


@dataclass(frozen=True)
class Row:
    """One law: data, fitted numbers, sum of squares, AIC, BIC, Akaike's weight, components in which a pattern is left."""

    name: str
    n: int
    k: int
    chi2: float
    aic: float
    bic: float
    weight: float
    patterns: tuple[str, ...]


@dataclass(frozen=True)
class Nested:
    """A law within a larger one: F, its degrees of freedom, and the chance of so large an F if the smaller law is right."""

    smaller: str
    larger: str
    F: float
    more: int
    freedom: int
    chance: float


class Comparison(Result):
    """`rows` (the best first, by AIC), `nested` pairs, `best`; `fits` by name."""

    has_page = False

    def __init__(self, fits: Mapping[str, Identified]):
        self.fits = dict(fits)
        if len(self.fits) < 2:
            raise InputError("a comparison needs two identifications or more.")
        first = next(iter(self.fits.values()))
        for name, fit in self.fits.items():
            same = (
                fit.use == first.use
                and fit.residuals.shape == first.residuals.shape
                and fit.frames.t.shape == first.frames.t.shape
            )
            if not same or not np.array_equal(fit.frames.covariance, first.frames.covariance):
                raise InputError(
                    f"{name} was fitted to other data, or with other noise, than {next(iter(self.fits))}: they cannot be compared. Give the track its noise first (with_noise)."
                )
        found = [self._row(name, fit) for name, fit in self.fits.items()]
        least = min(row[4] for row in found)
        weights = np.array([np.exp(-0.5 * (row[4] - least)) for row in found])
        rows = [
            Row(row[0], row[1], row[2], row[3], row[4], row[5], float(w), row[6])
            for row, w in zip(found, weights / weights.sum())
        ]
        self.rows = sorted(rows, key=lambda row: row.aic)
        names = list(self.fits)
        self.nested = [self._test(a, b) for a in names for b in names if a != b and _within(self.fits[a], self.fits[b])]

    @staticmethod
    def _row(name: str, fit: Identified) -> tuple[Any, ...]:
        n, k, chi2 = fit.data_count, len(fit.names), fit.sum_of_squares
        return (
            name,
            n,
            k,
            chi2,
            chi2 + 2.0 * k,
            chi2 + k * float(np.log(n)),
            tuple(one.name for one in fit.judged if one.suspicious),
        )

    def _test(self, smaller: str, larger: str) -> Nested:
        a, b = self.fits[smaller], self.fits[larger]
        more, freedom = len(b.names) - len(a.names), b.freedom
        F = max(0.0, (a.sum_of_squares - b.sum_of_squares) / more) / (b.sum_of_squares / freedom)
        return Nested(smaller, larger, float(F), more, freedom, float(fisher.sf(F, more, freedom)))

    @property
    def best(self) -> str:
        """The law with the least AIC."""
        return self.rows[0].name

    @property
    def title(self) -> str:
        """What is compared."""
        return f"{len(self.rows)} laws on {next(iter(self.fits.values())).track.name}"

    @property
    def status(self) -> str:
        """finished, if all identifications are."""
        return FINISHED if all(fit.status == FINISHED for fit in self.fits.values()) else MOST_STEPS

    @property
    def message(self) -> str:
        """Which law explains the data, and which are refuted."""
        top = self.rows[0]
        said = [
            f"{top.name} explains the data best (AIC {top.aic:.1f}, {self.rows[1].aic - top.aic:.1f} below {self.rows[1].name})."
        ]
        gone = list(dict.fromkeys(one.smaller for one in self.nested if one.chance < REFUTED))
        lost = [one for one in self.nested if self._worse(one)]
        for one in lost:
            said.append(
                f"{one.larger} fits worse than {one.smaller}, which it contains: its search has not found the least sum of squares; begin it elsewhere."
            )
        if gone:
            said.append(f"Refuted by larger laws: {', '.join(gone)}.")
        spare = [one for one in self.nested if one.larger == top.name and one.chance >= 0.05]
        for one in spare:
            said.append(f"{one.smaller} does as well within chance (F test {one.chance:.2g}).")
        if top.patterns:
            said.append(f"Even so its residuals show a pattern ({', '.join(top.patterns)}): something is missing.")
        return " ".join(said)

    def _worse(self, one: Nested) -> bool:
        """Whether a larger law fits worse than one within it, by more than the search leaves open."""
        a, b = self.fits[one.smaller], self.fits[one.larger]
        return bool(b.sum_of_squares > a.sum_of_squares + 0.1 * max(1.0, a.sum_of_squares / a.freedom))

    @property
    def data(self) -> Any:
        """The table as an `xarray.Dataset`."""
        import xarray as xr

        names = ["n", "k", "chi2", "aic", "bic", "weight"]
        variables = {name: ("law", [getattr(row, name) for row in self.rows]) for name in names}
        return xr.Dataset(
            variables,
            coords={"law": [row.name for row in self.rows]},
            attrs={"title": f"comparison of {self.title}", "format": "rollick comparison 1"},
        )

    def own_numbers(self) -> dict[str, Any]:
        """The table, the nested pairs, and each identification."""
        return {
            "best": self.best,
            "laws": [row.__dict__ | {"patterns": list(row.patterns)} for row in self.rows],
            "nested": [one.__dict__ for one in self.nested],
            "fits": {name: fit.own_numbers() for name, fit in self.fits.items()},
        }

    def table(self) -> list[tuple[str, ...]]:
        """Rows of texts: law, k, chi2/(n - k), AIC above the best, BIC above the best, weight, patterns."""
        aic, bic = self.rows[0].aic, min(row.bic for row in self.rows)
        return [
            (
                row.name,
                str(row.k),
                f"{row.chi2 / (row.n - row.k):.4f}",
                f"{row.aic - aic:.1f}",
                f"{row.bic - bic:.1f}",
                f"{row.weight:.3g}",
                ", ".join(row.patterns) or "none",
            )
            for row in self.rows
        ]

    def summary(self) -> str:
        """The table in lines."""
        head = ("law", "numbers", "chi2/(n - k)", "AIC", "BIC", "weight", "patterns left")
        rows = [head, *self.table()]
        widths = [max(len(row[k]) for row in rows) for k in range(len(head))]
        lines = [f"comparison of {self.title}", f"status   {self.status}: {self.message}"]
        lines += ["  ".join(f"{cell:{w}}" for cell, w in zip(row, widths)).rstrip() for row in rows]
        lines += [
            f"F test  {one.smaller} within {one.larger}: F = {one.F:.4g} ({one.more}, {one.freedom}), chance {one.chance:.2g}"
            for one in self.nested
        ]
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """The residuals of each law over time."""
        from .pictures import plot_comparison

        return plot_comparison(self, path)

    def report(self, path: Any = None) -> str:
        """A report on the best law, with the comparison."""
        return self.fits[self.best].report(path, self)


def compare(fits: Mapping[str, Identified]) -> Comparison:
    """Identifications of several laws from one track with the same noise, by name."""
    return Comparison(fits)


def _fields(system: Any, prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in zip(system._fields, system):
        if hasattr(value, "_fields"):
            found |= _fields(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def _within(smaller: Identified, larger: Identified) -> bool:
    """Whether a law is another with some of the fitted parameters held."""
    if type(smaller.system) is not type(larger.system) or not set(smaller.paths) < set(larger.paths):
        return False
    a, b = _fields(smaller.system), _fields(larger.system)
    return a.keys() == b.keys() and all(a[k] == b[k] for k in a if k not in larger.paths)
