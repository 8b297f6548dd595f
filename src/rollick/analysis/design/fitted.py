"""What `fit` answers: the best numbers with their uncertainties, the residuals, and whether the data tell the parameters apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import t as student

from ...kernel.names import InputError, called, choose
from ...motion.result.digits import to_error, with_error
from ...motion.result.outcome import FINISHED, MOST_STEPS
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from ...motion.result.provenance import parameters as numbers_of
from .data import Series

SINGULAR = 1e9  # condition of the scaled Jacobian beyond which combinations of inputs are not known


class Fit(Result):
    """`values`, `errors` (standard), `intervals`, `correlation`, `residuals` (in units of sigma), by the `names` of the inputs."""

    has_page = False

    def __init__(
        self,
        question: Any,
        series: Sequence[Series],
        found: Any,
        residuals: np.ndarray,
        J: np.ndarray,
        sizes: np.ndarray,
        absolute: bool,
        level: float,
        calls: int,
        limits: tuple[np.ndarray, np.ndarray],
    ):
        self.question, self.measured, self.level, self.calls = question, series, level, calls
        self.names = [one.label for one in question.inputs]
        self.units = [one.unit for one in question.inputs]
        self.values, self.residuals = np.array(found.x, float), residuals
        self.freedom = residuals.size - self.values.size
        self.sum_of_squares = float(residuals @ residuals)
        self.absolute, self._converged, self._said = absolute, bool(found.status > 0), str(found.message)
        _low, _high = limits
        self.at_bound = [n for n, a in zip(self.names, found.active_mask) if a != 0]
        scaled = J * sizes
        singular = np.linalg.svd(scaled, compute_uv=False)
        self.condition = float(singular[0] / singular[-1]) if singular[-1] > 0.0 else np.inf
        self.known = self.condition < SINGULAR and (absolute or self.freedom > 0)
        p = self.values.size
        self.scatter = 1.0 if absolute else float(np.sqrt(self.sum_of_squares / self.freedom)) if self.freedom > 0 else np.nan
        if self.known:
            _, R = np.linalg.qr(scaled)
            inverse = np.linalg.inv(R)
            self.covariance = self.scatter**2 * (inverse @ inverse.T) * np.outer(sizes, sizes)
            self.errors = np.sqrt(np.diag(self.covariance))
            self.correlation = self.covariance / np.outer(self.errors, self.errors)
            factor = (
                float(student.ppf(0.5 + 0.5 * level, max(self.freedom, 1)))
                if not absolute
                else float(student.ppf(0.5 + 0.5 * level, np.inf))
            )
            self.intervals = np.stack([self.values - factor * self.errors, self.values + factor * self.errors], axis=1)
        else:
            self.covariance = np.full((p, p), np.nan)
            self.errors, self.correlation, self.intervals = np.full(p, np.nan), np.full((p, p), np.nan), np.full((p, 2), np.nan)

    @property
    def status(self) -> str:
        """finished, or max_steps if the search was broken off."""
        return FINISHED if self._converged else MOST_STEPS

    @property
    def message(self) -> str:
        """How it ended."""
        told = "the sum of squares is least here." if self._converged else f"the search did not converge ({self._said})"
        if self.at_bound:
            told += f" {', '.join(self.at_bound)} at a bound: intervals are those without it."
        if not self.known and self.freedom == 0 and not self.absolute:
            told += " As many numbers as data: there is no uncertainty without sigma."
        elif not self.known:
            told += f" The data do not tell {', '.join(self.names)} apart (condition {self.condition:.1e}): there are no intervals; fit fewer."
        return told

    def keys(self) -> list[str]:
        """The names of the fitted numbers."""
        return list(self.names)

    def __getitem__(self, name: str) -> float:
        return float(self.values[self.names.index(choose(name, self.names, "fitted number"))])

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.question.system)

    @property
    def system(self) -> Any:
        """The system with the fitted parameters."""
        return self.question.system

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system with the fitted parameters."""
        return numbers_of(self.system)

    @property
    def data(self) -> Any:
        """Values, errors, intervals, correlation and residuals as an `xarray.Dataset`."""
        import xarray as xr

        variables = {
            "value": ("input", self.values),
            "standard_error": ("input", self.errors),
            "interval": (("input", "end"), self.intervals),
            "correlation": (("input", "other"), self.correlation),
            "unit": ("input", self.units),
            "residual": ("datum", self.residuals),
            "of": ("datum", [one.label for one in self.measured for _ in one.values]),
        }
        coords = {"input": self.names, "other": self.names, "end": ["low", "high"]}
        return xr.Dataset(
            variables, coords=coords, attrs={"title": f"fit of {self.title}", "format": "rollick fit 1", "level": self.level}
        )

    @property
    def provenance(self) -> dict[str, Any]:
        """System, method, cost."""
        q = self.question
        made = {
            "system": self.system_name,
            "model": self.model,
            "method": q.method.name,
            "rtol": float(q.method.rtol),
            "evaluations": self.calls,
        }
        return {**made, **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """The fitted numbers."""
        rows = zip(self.names, self.units, self.values.tolist(), self.errors.tolist(), self.intervals.tolist())
        return {
            "fitted": [{"name": n, "unit": u, "value": v, "standard_error": e, "interval": i} for n, u, v, e, i in rows],
            "correlation": self.correlation.tolist(),
            "level": self.level,
            "residuals": self.residuals.tolist(),
            "sum_of_squares": self.sum_of_squares,
            "degrees_of_freedom": self.freedom,
            "scatter": self.scatter,
        }

    def summary(self) -> str:
        """The fitted numbers with their intervals."""
        lines = [f"fit of {self.title} to {self.residuals.size} data", f"status   {self.status}: {self.message}"]
        width = max(map(len, self.names))
        for k, name in enumerate(self.names):
            a, b = self.intervals[k]
            value, error, unit = self.values[k], self.errors[k], self.units[k]
            if not self.known:
                lines.append(f"{name:{width}} = {value:.8g} {unit}".rstrip())
                continue
            told = f"   {100 * self.level:g} % in [{to_error(a, error)}, {to_error(b, error)}]"
            lines.append(f"{name:{width}} = {with_error(value, error)} {unit}".rstrip() + told)
        if self.known and len(self.names) > 1:
            i, j = max(((i, j) for i in range(len(self.names)) for j in range(i)), key=lambda ij: abs(self.correlation[ij]))
            lines.append(f"largest correlation {self.correlation[i, j]:+.3f}, between {self.names[j]} and {self.names[i]}")
        word = "root mean square of residuals / sigma" if self.absolute else "scatter of the data about the motion"
        lines.append(f"{word} {np.sqrt(self.sum_of_squares / max(self.freedom, 1)):.4g}")
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """Data, motion and residuals; returns the figure."""
        from .pictures import plot_fit

        if not any(one.t is not None for one in self.measured):
            raise InputError("the data of this fit are single outputs, which have no curve; its numbers are in data.")
        return plot_fit(self, names, path)
