"""Harmonic balance: an orbit as a Fourier series, the equations balanced harmonic by harmonic.

    y(t) = c_0 + sum_{h=1}^{H} (a_h cos h theta + b_h sin h theta),      theta = 2 pi t/T

With C the coefficients, Gamma their values at M > 2 H + 1 equal instants, Gamma^+ the way back (a discrete Fourier transform) and D the derivative by theta,

    R = (2 pi/T) D C - Gamma^+ f(Gamma C) = 0

(alternating frequency and time, Cameron and Griffin 1989). An unknown T needs a phase condition, <C - C_known, D C_known> = 0. The series of a smooth orbit converges
faster than any power of 1/H; what is left out shows in how far the flow itself misses closing (`Orbit.message`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...kernel.names import InputError, whole
from .closure import Closure
from .equations import Equations, Links, Reference
from .flow import TIGHT, Flow
from .period import Period
from .slopes import Slopes

PIECES = 16  # of the flow, for multipliers


@dataclass(frozen=True)
class HarmonicBalance:
    """`harmonics` of them; `samples` instants of the alternation (default: four for each harmonic, and some)."""

    harmonics: int = 20
    samples: int | None = None
    integrator: Any = TIGHT  # for the multipliers
    name: str = "harmonic balance"

    def checked(self) -> tuple[int, int]:
        """H and M."""
        H = whole(self.harmonics, "harmonics")
        M = 4 * H + 8 if self.samples is None else whole(self.samples, "samples")
        if H < 1 or M < 2 * H + 1:
            raise InputError(f"HarmonicBalance needs harmonics = {H} of at least 1, and samples = {M} of at least {2 * H + 1}.")
        return H, M


class Series:
    """What `Equations` ask of links: one start, and the flow that multipliers are made with."""

    pieces = 1

    def __init__(self, flow: Flow):
        self.flow = flow
        self.mesh = self.fractions = np.array([0.0, 1.0])


class HarmonicEquations(Equations):
    """Residual and Jacobian of a Fourier series; unknowns C (one row for each function of the basis), T."""

    links: Series

    def __init__(self, system: Any, method: HarmonicBalance, period: Period, closure: Closure, parameter: str | None = None):
        if closure.order > 1 or closure.extra or np.any(closure.advance):
            raise InputError(
                "harmonic balance knows no symmetry, free, turning or advancing states; take shooting or collocation for these."
            )
        self.H, self.M = method.checked()
        super().__init__(system, Series(Flow(system, None, method.integrator)), period, closure, parameter)
        self.slopes = Slopes(parameter)
        H, M = self.H, self.M
        theta = 2.0 * np.pi * np.arange(M) / M
        self.parts = np.arange(M) / M
        self.gamma = self.basis(theta)
        scale = np.full(2 * H + 1, 2.0 / M)
        scale[0] = 1.0 / M
        self.back = scale[:, None] * self.gamma.T
        self.D = np.zeros((2 * H + 1, 2 * H + 1))
        for h in range(1, H + 1):
            self.D[2 * h - 1, 2 * h], self.D[2 * h, 2 * h - 1] = h, -h  # (a, b) -> (h b, -h a)
        self.turning = np.kron(self.D, np.eye(self.n))  # D of every state
        self.known: np.ndarray | None = None
        self.F, self.J = np.zeros(0), np.zeros((0, 0))

    def basis(self, theta: np.ndarray) -> np.ndarray:
        """1, cos theta, sin theta, cos 2 theta, ... at some angles, one row for each."""
        columns = [np.ones_like(theta)]
        for h in range(1, self.H + 1):
            columns += [np.cos(h * theta), np.sin(h * theta)]
        return np.stack(columns, axis=1)

    @cached_property
    def size(self) -> int:
        """How many unknowns there are, without the parameter."""
        return (2 * self.H + 1) * self.n + (1 if self.period.unknown else 0)

    def pack(self, states: np.ndarray, period: float, extra: np.ndarray | None = None) -> np.ndarray:
        """Unknowns from states at the M instants."""
        C = self.back @ states
        return np.concatenate([C.ravel(), [period] if self.period.unknown else []])

    def series(self, x: np.ndarray) -> np.ndarray:
        """C."""
        return x[: (2 * self.H + 1) * self.n].reshape(2 * self.H + 1, self.n)

    def unpack(self, x: np.ndarray, system: Any) -> tuple[np.ndarray, float, np.ndarray]:
        """The start, the period, nothing."""
        T = float(x[(2 * self.H + 1) * self.n]) if self.period.unknown else self.period.of(system)
        return (self.basis(np.zeros(1)) @ self.series(x)), T, np.zeros(0)

    def hold(self, x: np.ndarray, p: float | None = None) -> None:
        """Take an orbit as the known neighbour from now on."""
        self.known = self.series(x).copy()
        slope = self.D @ self.known
        self.reference = Reference(self.known, slope)
        self._last = None

    def linked(self, x: np.ndarray, p: float | None = None) -> tuple[Any, np.ndarray, float, np.ndarray, Links]:
        """As `Equations.linked`; residual and Jacobian come along."""
        if not self.same(x, p):
            system = self.at(p)
            U, T, nothing = self.unpack(x, system)
            if not T > 0.0:
                raise ArithmeticError(f"the period would become {T:.6g}")
            self._evaluate(system, x, T)
            self.keep(x, p, (system, U, T, nothing, _Later(self, system, x.copy(), T)))
        assert self._last is not None
        return self._last[1]

    def _evaluate(self, system: Any, x: np.ndarray, T: float) -> None:
        n, K = self.n, 2 * self.H + 1
        C = self.series(x)
        y, t = self.gamma @ C, self.parts * T
        f, J, w = self.slopes(system, t, y)
        if not np.all(np.isfinite(f)):
            raise ArithmeticError("the rates along the series are not finite")
        frequency = 2.0 * np.pi / T
        R = frequency * self.D @ C - self.back @ f
        full = np.zeros((self.size, self.size + (0 if self.parameter is None else 1)))
        # d(Gamma^+ f)/dC: Gamma^+ J Gamma, one product of matrices for each pair of states
        block = np.matmul(self.back, J.transpose(1, 2, 0)[..., None] * self.gamma)
        full[: K * n, : K * n] = frequency * self.turning - block.transpose(2, 0, 3, 1).reshape(K * n, K * n)
        by_period = -frequency / T * (self.D @ C)
        if not self.period.unknown and self.parameter is not None:
            by_period = by_period - self.back @ (self.parts[:, None] * self.slopes.by_time(system, t, y))
        parts = [R.ravel()]
        if self.period.unknown:
            held = self._held()
            size = float(np.linalg.norm(held.rates)) or 1.0
            parts.append(np.array([float(np.sum((C - held.states) * held.rates)) / size]))
            full[K * n, : K * n] = held.rates.ravel() / size
            full[: K * n, K * n] = by_period.ravel()
        if self.parameter is not None:
            full[: K * n, -1] = -(self.back @ w).ravel()
            if not self.period.unknown:
                full[: K * n, -1] += by_period.ravel() * self.period.slope(system, self.parameter)
        self.F, self.J = np.concatenate(parts), full

    def residual(self, x: np.ndarray, p: float | None = None) -> np.ndarray:
        """What must vanish."""
        self.linked(x, p)
        return self.F

    def jacobian(self, x: np.ndarray, p: float | None = None) -> np.ndarray:
        """Its derivative."""
        self.linked(x, p)
        return self.J

    def factors(self, x: np.ndarray, p: float | None = None) -> np.ndarray:
        """Transition matrices around the series, by the flow from some of its points."""
        return self.linked(x, p)[4].factors

    def states_at(self, x: np.ndarray, fractions: np.ndarray) -> np.ndarray:
        """The series at fractions of the period."""
        return self.basis(2.0 * np.pi * fractions) @ self.series(x)


class _Later:
    """Links whose factors are computed when asked for: a residual needs none."""

    def __init__(self, equations: HarmonicEquations, system: Any, x: np.ndarray, T: float):
        self.equations, self.system, self.x, self.T = equations, system, x, T

    @cached_property
    def factors(self) -> np.ndarray:
        """Transition matrices of equal parts of the period."""
        flow, mesh = self.equations.links.flow, np.linspace(0.0, 1.0, PIECES + 1)
        flow.put(self.system)
        return flow.over(mesh * self.T, self.equations.states_at(self.x, mesh[:-1])).matrices

    @property
    def matrices(self) -> np.ndarray:
        """The same: what eigenvectors are carried along by."""
        return self.factors

    @cached_property
    def rates(self) -> np.ndarray:
        """y' at the start."""
        e = self.equations
        return 2.0 * np.pi / self.T * (e.basis(np.zeros(1)) @ e.D @ e.series(self.x))

    @property
    def misses(self) -> float:
        """By how much the flow around the series misses closing."""
        flow = self.equations.links.flow
        flow.put(self.system)
        mesh = np.linspace(0.0, 1.0, PIECES + 1)
        starts = self.equations.states_at(self.x, mesh[:-1])
        ends = flow.over(mesh * self.T, starts).ends
        return float(np.abs(ends - np.roll(starts, -1, axis=0)).max())
