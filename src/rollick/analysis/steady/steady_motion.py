"""A steady motion: an equilibrium, or one relative to what rides along (spinning, rolling in a circle, travelling); its stability."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ...motion.result.outcome import FINISHED
from ...motion.result.protocol import Result
from ...motion.result.provenance import environment
from ...motion.result.provenance import parameters as numbers_of
from .equations import Equations
from .marginal import Marginal, forced_zeros
from .newton import default_scale, solve_steady
from .spectrum import GROWS, growing, ordered, without_forced

ROUNDING = 1e-12  # in the size of the largest state: less may be rounding of zero; whether it is, the equations say
SLACK = 4.0  # roundings by which F may differ from zero where such states are


class SteadyMotion(Result):
    """The state, the rates of what rides along, and the eigenvalues of small deviations (those forced to be zero set aside and named)."""

    has_page = False
    status = FINISHED
    message = "a steady motion was found."

    def __init__(self, equations: Equations, x: np.ndarray, met: int = 1):
        e = self.equations = equations
        p = np.zeros(0)
        x, self.noise = without_rounding(e, x)
        self.y = e.state(x, p)
        self.rates = e.field.rate(self.y)
        self.drifts = e.drifts(x, p)  # the constant rates of what rides along: states, and turns of the body
        self.met = met  # how many starts led here
        scale = default_scale(x)
        self.marginal: list[Marginal] = forced_zeros(e, x, p, scale)
        values = np.linalg.eigvals(e.reduced_matrix(x, p))
        self.forced = len(self.marginal) + len(e.held)
        self.eigenvalues = ordered(without_forced(values, self.forced))
        self.residual = float(np.max(np.abs(e.values(x, p))))

    @property
    def system(self) -> Any:
        """The system."""
        return self.equations.system

    @property
    def system_name(self) -> str:
        """The kind of system."""
        return called(self.system)

    @property
    def state(self) -> dict[str, float]:
        """The states by name; those that ride along as they were given."""
        return dict(zip(self.equations.names, self.y.tolist()))

    def drift_unit(self, name: str) -> str:
        """The unit of the rate of something that rides along: a state, or a turn of the body."""
        unit = self.equations.units.get(name, "rad")
        return f"{unit}/s" if unit else "1/s"

    @property
    def carried(self) -> list[str]:
        """The states that ride along with a rate that turns with the others: the track of a body that rolls in a circle."""
        e = self.equations
        return [e.names[i] for i in e.free if e.names[i] not in self.drifts]

    @property
    def unstable(self) -> int:
        """How many eigenvalues have a positive real part."""
        return growing(self.eigenvalues)

    @property
    def stability(self) -> str:
        """ "stable" (all deviations die out), "unstable", or "neutral": the linear theory does not decide."""
        if self.unstable:
            return "unstable"
        size = float(np.max(np.abs(self.eigenvalues), initial=0.0)) or 1.0
        return "stable" if np.all(self.eigenvalues.real < -GROWS * size) else "neutral"

    @property
    def data(self) -> Any:
        """States, rates and eigenvalues as an `xarray.Dataset`."""
        import xarray as xr

        e = self.equations
        values = np.stack([self.eigenvalues.real, self.eigenvalues.imag], -1)
        variables = {
            "state": ("name", self.y),
            "rate": ("name", self.rates),
            "eigenvalues": (("eigenvalue", "part"), values, {"units": "1/s"}),
        }
        attributes = {"title": f"steady motion of {self.title}", "stability": self.stability, "format": "rollick steady 1"}
        return xr.Dataset(variables, coords={"name": list(e.names), "part": ["real", "imag"]}, attrs=attributes)

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return numbers_of(self.system)

    @property
    def provenance(self) -> dict[str, Any]:
        """The system and what was set aside."""
        return {**self.equations.about(), **environment()}

    def own_numbers(self) -> dict[str, Any]:
        """State, rates of what rides along, eigenvalues, what is forced."""
        return {
            "state": self.state,
            "drifts": self.drifts,
            "carried": self.carried,
            "eigenvalues": [[v.real, v.imag] for v in self.eigenvalues.tolist()],
            "stability": self.stability,
            "unstable": self.unstable,
            "forced": [str(m) for m in self.marginal] + [f"{self.equations.names[i]} is held" for i in self.equations.held],
            "residual": self.residual,
            "met": self.met,
        }

    def plot(self, *names: str, path: Any = None) -> Any:
        """The eigenvalues in the complex plane; returns the figure."""
        from .pictures import plot_eigenvalues

        if names:
            raise InputError(f"a steady motion is drawn by its eigenvalues; there is nothing called {names[0]!r} to draw.")
        return plot_eigenvalues([self], path)

    def summary(self) -> str:
        """What it is, in a few lines."""
        e = self.equations
        kept = {e.names[i]: self.y[i] for i in e.reduced}
        lines = [f"steady motion of {self.title}: {self.stability}" + (f", {self.unstable} growing" if self.unstable else "")]
        lines.append("state    " + ", ".join(f"{name} = {_with_unit(value, e.units[name])}" for name, value in kept.items()))
        moving = {name: rate for name, rate in self.drifts.items() if abs(rate) > self.noise}
        if moving:
            lines.append(
                "drifts   " + ", ".join(f"{name}' = {_with_unit(rate, self.drift_unit(name))}" for name, rate in moving.items())
            )
        if self.carried:
            lines.append(f"carried  {', '.join(self.carried)} move along with these")
        size = float(np.max(np.abs(self.eigenvalues), initial=0.0))
        lines.append("values   " + ", ".join(_told(v, size) for v in self.eigenvalues) + " 1/s")
        lines += [f"forced   {m}" for m in self.marginal]
        return "\n".join(lines)


def without_rounding(e: Equations, x: np.ndarray) -> tuple[np.ndarray, float]:
    """x with zeros for what is but rounding of zero, and the size of rounding in the rates.

    Small unknowns are zero, all of them or one by one, if the equations hold with these zeros: to a few times what Newton's method left of them, or
    a few roundings of the rates and of the largest sum of terms |J y|.
    """
    p = np.zeros(0)
    y = e.state(x, p)
    f, J = e.jacobian_at(y)
    noise = SLACK * float(np.finfo(float).eps) * max(float(np.max(np.abs(f))), float(np.max(np.abs(J) @ np.abs(y))))
    small = np.flatnonzero((np.abs(x) < ROUNDING * max(1.0, float(np.max(np.abs(y))))) & (x != 0.0))
    allowed = max(SLACK * float(np.max(np.abs(e.values(x, p)))), noise)
    for places in (small, *small[:, None]):
        zeroed = x.copy()
        zeroed[places] = 0.0
        if places.size and np.all(np.abs(e.values(zeroed, p)) <= allowed):
            x = zeroed
    return x, noise


def _with_unit(value: float, unit: str) -> str:
    return f"{value:.9g} {unit}".rstrip()


def _told(value: complex, size: float) -> str:
    """An eigenvalue; parts that are rounding, beside the other part or beside the largest eigenvalue, are zero."""
    least = max(ROUNDING * abs(value), 4.0 * float(np.finfo(float).eps) * size)
    real, imag = (part if abs(part) > least else 0.0 for part in (value.real, value.imag))
    return f"{real:.6g}{imag:+.6g}i" if imag else f"{real:.6g}"


def steady_motion(
    system: Any, near: Any, free: str | Iterable[str] = "auto", hold: Iterable[str] | Mapping[str, Any] = ()
) -> SteadyMotion:
    """The steady motion near a state (given as a start of `simulate`).

    free: states that ride along, whose rate is constant instead of their value ("auto": those that no other rate depends on; () for none).
    hold: states that keep their value, or the value given ({"ell": 0.3}): those that are conserved.
    """
    equations = Equations(system, near, (), free, hold)
    x = solve_steady(equations, equations.y[equations.kept], np.zeros(0))
    wrong = equations.unsteady(x, np.zeros(0))
    if wrong:
        raise InputError(f"{wrong}.")
    return SteadyMotion(equations, x)
