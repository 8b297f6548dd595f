"""What `identify` answers: the parameters with their intervals, what the data do not know, and what is left of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import chi2
from scipy.stats import t as student

from ...kernel.names import InputError, called, choose
from ...kernel.system import description
from ...motion.result.digits import to_error
from ...motion.result.outcome import FINISHED, MOST_STEPS
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from ...motion.result.provenance import parameters as numbers_of
from .information import WEAK, information
from .runs import ODD, Judged, judged

COMPONENTS = ("x", "y", "z", "turn_1", "turn_2", "turn_3")
FORMAT = "rollick identification 1"
TINY = 1e-12  # the size of a number whose own is not known


class Identified(Result):
    """`values`, `errors`, `intervals` by `names` (the parameters first, then the start); `residuals` (frames, components) in units of sigma."""

    has_page = False

    def __init__(
        self, *, system: Any, track: Any, frames: Any, shooting: Any, x: np.ndarray, found: Any, known: bool, level: float, use: str,
        parameters: int, starts: tuple[int, int], calls: tuple[int, int], seconds: float, limits: Any, called_as: Any = None,
    ):  # fmt: skip
        self.track, self.frames, self.shooting, self.use, self.level, self.known = track, frames, shooting, use, level, known
        self.calls, self.seconds, self.starts, self.count = calls, seconds, starts, parameters
        self._converged, self._said = bool(found.status > 0), str(found.message)
        self.values = np.array(x, float)
        self.inputs = shooting.inputs
        self.paths = [one.label for one in self.inputs]
        self.names = [dict(called_as or {}).get(path, path) for path in self.paths]
        units = {q.name: q.unit for q in (*description(system).states, *description(system).signals)}
        self.units = [one.unit or ("" if one.parameter else units.get(one.name.partition("[")[0], "")) for one in self.inputs]
        J = shooting.jacobian(x)
        self.components = COMPONENTS if use == "pose" else COMPONENTS[3:]
        self.residuals = shooting.residuals(x).reshape(-1, len(self.components))
        self.sum_of_squares = float(np.sum(self.residuals**2))
        self.data_count = int(self.residuals.size)
        self.freedom = self.data_count - len(self.names)
        low, high = limits
        near = 1e-6 * np.maximum(np.abs(x), 1e-12)
        self.at_bound = [n for n, v, a, b, e in zip(self.names, x, low, high, near) if v - a <= e or b - v <= e]
        self.jacobian = J
        sizes = np.array(
            [max(abs(v), TINY if one.parameter else _typical(unit)) for v, one, unit in zip(x, self.inputs, self.units)]
        )
        self.information = information(J, sizes, self.names)
        self.errors, self.correlation, self.covariance = (
            self.information.errors,
            self.information.correlation,
            self.information.covariance,
        )
        factor = float(student.ppf(0.5 + 0.5 * level, np.inf if known else self.freedom))
        self.intervals = np.stack([self.values - factor * self.errors, self.values + factor * self.errors], axis=1)
        question = shooting.windows[0].question.with_values(shooting.parts(x)[0])
        self._system, self.start = (
            question.system,
            dict(zip([o.name for o in question.inputs[parameters:]], shooting.parts(x)[0][parameters:])),
        )

    # -- how it ended -----------------------------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        """finished, or max_steps if the search was broken off."""
        return FINISHED if self._converged else MOST_STEPS

    @property
    def chance(self) -> float:
        """The chance of residuals as large as these or larger, if the model and the noise are right."""
        return float(chi2.sf(self.sum_of_squares, self.freedom))

    @property
    def weak(self) -> list[str]:
        """Parameters whose standard error exceeds half their value."""
        return [n for n, v, e in zip(self.names[: self.count], self.values, self.errors) if np.isfinite(e) and e > WEAK * abs(v)]

    @property
    def message(self) -> str:
        """How it ended, and what the data do not know."""
        said = [
            "the sum of squares is least here." if self._converged else f"the search did not converge ({self._said.rstrip('.')})."
        ]
        if self.starts[0] > 1:
            said.append(f"{self.starts[1]} of {self.starts[0]} first values lead here.")
        if self.at_bound:
            said.append(f"{', '.join(self.at_bound)} at a bound: the intervals are those without it.")
        for one in self.information.unknown:
            if len(one) == 1:
                said.append(f"The data do not determine {next(iter(one))}.")
            else:
                said.append(
                    f"The data do not determine {', '.join(one)} apart: they may change together as {_together(one)} (of their sizes). Fix one of them."
                )
        size = np.sqrt(self.sum_of_squares / self.freedom)
        if self.known and self.chance < ODD:
            said.append(
                f"What is left is {size:.3g} times the noise that was given (chance {self.chance:.1g}): the law does not explain the data, or the noise is larger; the intervals are too narrow."
            )
        if self.known and chi2.cdf(self.sum_of_squares, self.freedom) < ODD:
            said.append(
                f"What is left is {size:.3g} times the noise that was given: that is too large, and so are the intervals."
            )
        if self.weak:
            said.append(f"The data hardly determine {', '.join(self.weak)} (standard error above half the value).")
        return " ".join(said)

    # -- values -----------------------------------------------------------------------------------------------------------------

    def keys(self) -> list[str]:
        """The identified numbers, by their names and their paths."""
        return [*self.names, *self.paths]

    def __getitem__(self, name: str) -> float:
        return float(self.values[self.place(name)])

    def place(self, name: str) -> int:
        """The number of an input, by its name or the end of it."""
        if name in self.names or name in self.paths:
            return self.names.index(name) if name in self.names else self.paths.index(name)
        short = [k for k, n in enumerate(self.paths) if n.endswith(f".{name}") or n == f"{name}(0)"]
        return short[0] if len(short) == 1 else self.names.index(choose(name, self.names, "identified number"))

    def interval(self, name: str) -> tuple[float, float]:
        """The confidence interval of a number."""
        a, b = self.intervals[self.place(name)]
        return float(a), float(b)

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self._system)

    @property
    def system(self) -> Any:
        """The system with the parameters found."""
        return self._system

    def parameters(self) -> dict[str, Any]:
        """The numbers of that system."""
        return numbers_of(self.system)

    def motion(self, until: Any = None) -> Any:
        """The motion with the numbers found (of the first window)."""
        from ...motion.simulate import simulate

        w = self.shooting.windows[0]
        p = w.question.starting.problem
        values = self.shooting.parts(self.values)[0]
        begin = w.question.with_values(values).starting.problem.start
        return simulate(self.system, begin, p.t1 if until is None else until, since=p.t0, rtol=1e-9, dense=True, progress=False)

    def poses(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times of the frames, and places and attitudes of the fitted motion there; window after window."""
        from .pose import pose_along

        t, r, R = [], [], []
        for w, part in zip(self.shooting.windows, self.shooting.parts(self.values)):
            q = w.question.with_values(part)
            y, _ = q.path(None).at(w.track.t)
            place, attitude = pose_along(q.system, y)
            t.append(w.track.t)
            r.append(place)
            R.append(attitude)
        return np.concatenate(t), np.concatenate(r), np.concatenate(R)

    @property
    def judged(self) -> list[Judged]:
        """Runs and correlation of the residuals of each component."""
        return [judged(name, self.residuals[:, k]) for k, name in enumerate(self.components)]

    @property
    def data(self) -> Any:
        """Values, errors, intervals, correlation, residuals and the track as an `xarray.Dataset`."""
        import xarray as xr

        variables: dict[str, Any] = {
            "value": ("input", self.values),
            "standard_error": ("input", self.errors),
            "interval": (("input", "end"), self.intervals),
            "correlation": (("input", "other"), self.correlation),
            "unit": ("input", self.units),
            "residual": (("frame", "component"), self.residuals),
            "t": ("frame", np.concatenate([w.track.t for w in self.shooting.windows]), {"units": "s"}),
        }
        coords = {"input": self.names, "other": self.names, "end": ["low", "high"], "component": list(self.components)}
        attrs = {"title": f"identification of {self.title} from {self.track.name}", "format": FORMAT, "level": self.level}
        return xr.Dataset(
            variables, coords=coords, attrs=attrs | ({"synthetic": self.track.synthetic} if self.track.synthetic else {})
        )

    @property
    def provenance(self) -> dict[str, Any]:
        """System, method, cost."""
        q = self.shooting.windows[0].question
        made = {"system": self.system_name, "model": self.model, "method": q.method.name, "rtol": float(q.method.rtol)}
        cost = {"motions": self.calls[0], "jacobians": self.calls[1], "seconds": round(self.seconds, 3)}
        return {**made, **cost, "track": self.track.name, "synthetic": self.track.synthetic, **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """The fitted numbers and how well they fit."""
        rows = zip(self.names, self.units, self.values.tolist(), self.errors.tolist(), self.intervals.tolist())
        return {
            "fitted": [{"name": n, "unit": u, "value": v, "standard_error": e, "interval": i} for n, u, v, e, i in rows],
            "parameters_fitted": self.names[: self.count],
            "correlation": self.correlation.tolist(),
            "level": self.level,
            "not_determined": self.information.unknown,
            "weakly_determined": self.weak,
            "noise": dict(self.frames.noise),
            "noise_known": self.known,
            "frames": len(self.frames),
            "sum_of_squares": self.sum_of_squares,
            "degrees_of_freedom": self.freedom,
            "chance": self.chance if self.known else None,
            "residuals": [one.as_dict() for one in self.judged],
            "first_values": {"tried": self.starts[0], "led_here": self.starts[1]},
            "told": list(self.track.told),
        }

    def table(self, start: bool = True) -> list[tuple[str, str, str, str]]:
        """Rows (name, value, standard error, interval) with units."""
        rows = []
        for k, name in enumerate(self.names if start else self.names[: self.count]):
            unit = f" {self.units[k]}" if self.units[k] else ""
            error = self.errors[k]
            known = np.isfinite(error)
            a, b = self.intervals[k]
            rows.append(
                (
                    name,
                    f"{to_error(self.values[k], error)}{unit}",
                    to_error(error, error) if known else "not determined",
                    f"[{to_error(a, error)}, {to_error(b, error)}]" if known else "none",
                )
            )
        return rows

    def summary(self) -> str:
        """The numbers with their intervals, in lines."""
        lines = [f"identification of {self.title} from {self.track.name}: {len(self.frames)} frames, {self.data_count} data"]
        if self.track.synthetic:
            lines.append(self.track.synthetic)
        lines += [f"status   {self.status}: {self.message}"]
        rows = self.table()
        widths = [max(len(row[k]) for row in rows) for k in range(4)]
        for k, row in enumerate(rows):
            lines.append(
                f"{row[0]:{widths[0]}} = {row[1]:{widths[1]}}  +- {row[2]:{widths[2]}}  {100 * self.level:g} % in {row[3]}".rstrip()
            )
            if k == self.count - 1 and len(rows) > self.count:
                lines.append("start")
        noise = self.frames.noise
        source = "given" if self.known else "from the residuals"
        lines.append(f"noise ({source}) {1e3 * noise['position']:.3g} mm, {np.degrees(noise['angle']):.3g} deg")
        rms = np.sqrt(self.sum_of_squares / self.freedom)
        lines.append(
            f"root mean square of residuals / sigma {rms:.4f}" + (f"; chance of larger {self.chance:.3g}" if self.known else "")
        )
        odd = [one for one in self.judged if one.suspicious]
        lines.append(f"residuals: {'no pattern found' if not odd else 'a pattern in ' + ', '.join(one.name for one in odd)}")
        return "\n".join([*lines, *self.track.told])

    def plot(self, *names: str, path: Any = None) -> Any:
        """Angles, spin speed, phase portrait and residuals, as Sailer's Figures 7.6 and 7.7."""
        from .pictures import plot_identified

        if names:
            raise InputError("the picture of an identification is one; leave out the names.")
        return plot_identified(self, path)

    def report(self, path: Any = None, comparison: Any = None) -> str:
        """A report as text in Markdown, or a page (path ending in .html) with its pictures inside; `comparison`: with other laws."""
        from .report import write_report

        return write_report(self, path, comparison)


def _typical(unit: str) -> float:
    """A size for a number that happens to be small."""
    return {"rad": 1.0, "rad/s": 1.0, "m": 0.1, "m/s": 0.1}.get(unit, TINY)


def _together(one: dict[str, float]) -> str:
    return ", ".join(f"{v:+.2f} {n}" for n, v in list(one.items())[:4])
