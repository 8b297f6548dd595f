"""`fit`: parameters (and numbers of the start) that make a motion agree best with data, and how well the data know them.

Least squares, r_i = (model_i - data_i)/sigma_i, by SciPy's trust-region method with exact derivatives. Near the best point
the parameters are distributed about it with the covariance  C = s^2 (J^T J)^-1,  s^2 = sum r^2/(N - p)  (1 if sigma is known), so that
p +- t_{N-p} sqrt(C_pp) is a confidence interval.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from ...kernel.names import InputError, number
from ...motion.start import check_system, with_rate
from ..sensitivity.evaluate import at_times, evaluated
from ..sensitivity.quantities import Quantity
from ..sensitivity.resets import Reset
from ..sensitivity.sensitivity import Question
from .bounds import bounds_of
from .data import Series, measured
from .fitted import Fit


class Residuals:
    """The residuals of a question against data, with their derivatives, as functions of the inputs."""

    def __init__(self, question: Question, series: Sequence[Series]):
        self.question, self.series = question, series
        self.sizes = np.array([one.size for one in question.inputs])
        self._last: tuple[bytes, np.ndarray, np.ndarray] | None = None
        self.calls = 0

    def both(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals and Jacobian."""
        key = np.asarray(x, float).tobytes()
        if self._last is None or self._last[0] != key:
            self.calls += 1
            q = self.question.with_values(x)
            columns, first = [], None
            for one in q.inputs:
                path = q.path(one)
                r, slope = self.along(q, path)
                first = r if first is None else first
                columns.append(slope / one.size)
            assert first is not None
            self._last = key, first, np.stack(columns, axis=1)
        return self._last[1], self._last[2]

    def along(self, q: Question, path: Any) -> tuple[np.ndarray, np.ndarray]:
        """Residuals and their derivative along one column."""
        values, slopes = [], []
        for k, one in enumerate(self.series):
            if one.t is None:
                v, d = (np.array([x]) for x in evaluated(one.output, q.quantities[k], path, q.which[k]))
            else:
                quantity = q.quantities[k]
                assert isinstance(quantity, Quantity)
                v, d = at_times(quantity, path, one.t)
            values.append((v - one.values) / one.sigma)
            slopes.append(d / one.sigma)
        return np.concatenate(values), np.concatenate(slopes)


def fit(
    system: Any,
    data: Any,
    parameters: Any = (),
    start: Any = None,
    start_of: Any = (),
    *,
    sigma: Any = None,
    bounds: Mapping[str, Any] | None = None,
    until: Any = None,
    since: Any = None,
    level: float = 0.95,
    method: Any = "auto",
    rtol: float | None = None,
    resets: Sequence[Reset] = (),
    max_nfev: int = 200,
) -> Fit:
    """Fit parameters of a system, and numbers of its start, to data.

    Parameters
    ----------
    system, start: where the search begins.
    data: {"t": times, "phi": values, ...} (states, signals or integrals; nan is left out), an `xarray.Dataset`, a pandas table, a `Motion`; or
        outputs of the motion, {"time of omega": 2.35, "max phi": 0.4} (then `until` is needed).
    parameters, start_of: the names that are fitted.
    sigma: the standard deviation of the data, a number or {name: number}; if it is not given it is estimated from the residuals.
    bounds: {name: (low, high)}, None for none; a number of the start by its label, "phi(0)", or by its name.
    level: of the confidence intervals.
    """
    system = check_system(with_rate(system))
    if not 0.0 < number(level, "level") < 1.0:
        raise InputError(f"level = {level!r} is that of confidence intervals, between 0 and 1, e.g. 0.95.")
    series, absolute = measured(system, data, sigma)
    until = _end(series, until, since)
    outputs = [one.output for one in series]
    question = Question(
        system,
        start,
        until,
        outputs,
        parameters,
        start_of,
        since=since,
        method=method,
        rtol=1e-10 if rtol is None else rtol,
        resets=resets,
    )
    question.events = [
        dataclasses.replace(e, terminal=False) if any(one.t is not None for one in series) else e for e in question.events
    ]
    low, high = bounds_of(question.inputs, bounds)
    begin = question.values
    count, free = sum(one.values.size for one in series), begin.size
    if count < free:
        raise InputError(f"{count} data cannot determine {free} numbers; fit fewer, or give more data.")
    residuals = Residuals(question, series)
    found = least_squares(
        lambda x: residuals.both(x)[0],
        begin,
        jac=lambda x: residuals.both(x)[1],
        bounds=(low, high),
        x_scale=residuals.sizes,
        xtol=1e-12,
        ftol=1e-14,
        gtol=1e-14,
        max_nfev=max_nfev,
    )
    r, J = residuals.both(found.x)
    return Fit(question.with_values(found.x), series, found, r, J, residuals.sizes, absolute, level, residuals.calls, (low, high))


def _end(series: Sequence[Series], until: Any, since: Any) -> Any:
    """The end of the motion: as given, or the last time of the data."""
    latest = max((float(one.t[-1]) for one in series if one.t is not None), default=None)
    if until is None and latest is None:
        raise InputError("until is missing: the data are outputs without times, so that the end of the motion must be given.")
    begin = 0.0 if since is None else number(since, "since", "s")
    if until is None and latest is not None and latest <= begin:
        raise InputError(
            f"the last value of the data is at t = {latest:g}, and the motion begins at {begin:g}: it has nothing to be fitted to. Values that are "
            "nan are left out; give values at later times."
        )
    return latest if until is None else until
