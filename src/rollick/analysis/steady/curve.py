"""What curves of folds and of Hopf points in two parameters have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from ..continuation import Branch, Finding, Problem, PseudoArclength, Special, trace_branch
from .equations import Equations
from .equilibria import EquilibriumProblem, bounds_of
from .forms import NotAnalytic
from .normal_forms import Hopf, Zero, bogdanov_takens, hopf_hopf, zero_hopf
from .scales import natural_scales, scales_given
from .spectrum import critical_pair


class CriticalCurve(Problem):
    """Critical steady motions along two parameters: the first is an unknown, the second the parameter of the continuation."""

    core = ()  # a turn in the second parameter is no bifurcation; where such curves cross is not looked for
    kind = "?"

    def __init__(self, problem: EquilibriumProblem, special: Special, second: str, scales: Mapping[str, float] | None = None):
        if not isinstance(problem, EquilibriumProblem):
            raise InputError(f"a curve of {self.what} needs the EquilibriumProblem of the branch; got {called(problem)}.")
        if not isinstance(special, Special):
            raise InputError(
                f'a curve of {self.what} begins at a special point, as branch.special("{self.kind}1") gives it; got {special!r:.60}.'
            )
        if special.kind != self.kind:
            raise InputError(
                f"a curve of {self.what} begins at a point of the kind {self.kind}, not at {special.kind} ({special.title})."
            )
        old = problem.equations
        if second == problem.parameter:
            raise InputError(f"the second parameter must differ from the first, {second}.")
        if second in old.kept_names():
            raise InputError(
                f"{second} is solved for on this branch: the second parameter must be a number of {called(old.system)}, or a state that is held."
            )
        near = old.state(special.z[:-1], special.z[-1:])
        free = [old.names[i] for i in old.free]
        held = [old.names[i] for i in old.held if old.names[i] != second]
        e = self.equations = Equations(old.system_at(special.z[-1:]), near, (problem.parameter, second), free, held)
        if set(e.kept_names()) != set(old.kept_names()) and second not in old.names:
            raise InputError(f"{second} of {called(old.system)} changes which states ride along.")
        self.model = problem.model
        self.first, self.parameter = problem.parameter, second
        self.names = (*e.kept_names(), self.first, *self.extra())
        self.n = e.n
        self.given_scales = scales_given(scales, (*self.names, second))
        self.units = {name: e.unit(name) for name in (*e.kept_names(), self.first, second)} | {"omega": "rad/s"}
        self.begin = np.concatenate([near[e.kept], special.z[-1:]])

    def extra(self) -> tuple[str, ...]:
        """Unknowns besides the states and the first parameter."""
        return ()

    def split(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """x, and both parameters."""
        return z[: self.n], np.array([z[self.n], z[-1]])

    def own_second(self) -> float:
        """The second parameter where the curve begins."""
        return float(self.equations.own_values()[1])

    def residual(self, z: np.ndarray) -> np.ndarray:
        """F."""
        return self.evaluate(z)[0]

    def jacobian(self, z: np.ndarray) -> np.ndarray:
        """F_z."""
        return self.evaluate(z)[1]

    def scales(self, z: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        """As of equilibria."""
        self.equations.tell_sizes(bounds[1] - bounds[0])
        return natural_scales(self, z, bounds, self.given_scales)

    def outside(self, z: np.ndarray) -> str:
        """Why z is no steady motion."""
        e = self.equations
        x, p = self.split(z)
        return e.impossible(p) or (e.unsteady(x, p) if e.held or e.varied or e.turning else "")

    def about(self) -> dict[str, Any]:
        """The system, what is free and held, and both parameters."""
        return {
            "problem": called(self),
            **self.equations.about(),
            "parameter": self.parameter,
            "first": self.first,
            "unknowns": list(self.names),
            "scales": self.given_scales,
        }

    def not_looked_for(self) -> list[str]:
        """Generalised Hopf points, where l1 is not computed."""
        why = self.equations.not_conserved()
        return (
            [f"generalised Hopf points are not looked for, since l1 is not computed: {why}"] if why and self.kind == "H" else []
        )

    def classify(self, name: str, z: np.ndarray, J: Any, tangent: np.ndarray) -> Finding | None:
        """Points of codimension two with the coefficients of their normal forms."""
        x, p = self.split(z)
        e = self.equations
        A = e.matrix(x, p)
        why = e.not_conserved()
        if why:
            return Finding(name, f"its coefficients are not computed: {why}")
        told = {"CP": cusp, "BT": double_zero, "GH": generalised_hopf, "ZH": zero_and_pair, "HH": two_pairs}
        try:
            return told[name](A, e.forms(x, p), self)
        except (NotAnalytic, np.linalg.LinAlgError) as error:
            return Finding(name, f"its coefficients are not known: {error}")


# -- points of codimension two ---------------------------------------------------------------------------------------------------------


def cusp(A: np.ndarray, K: Any, curve: CriticalCurve) -> Finding:
    """c of w' = beta1 + beta2 w + c w^3."""
    zero = Zero(A)
    return Finding("CP", "conservative: w'' = ... + c w^3" if zero.double else "", {"c": zero.cubic(K)})


def double_zero(A: np.ndarray, K: Any, curve: CriticalCurve) -> Finding:
    """a and b of w0' = w1, w1' = beta1 + beta2 w0 + a w0^2 + b w0 w1."""
    a, b = bogdanov_takens(A, K)
    kind = "stable" if a * b < 0.0 else "unstable"
    return Finding("BT", f"the cycles of its Hopf points are {kind} within the centre manifold", {"a": a, "b": b})


def generalised_hopf(A: np.ndarray, K: Any, curve: CriticalCurve) -> Finding | None:
    """l2 where l1 vanishes."""
    values = np.linalg.eigvals(A)
    i, _ = critical_pair(values)
    omega = float(abs(values[i].imag))
    if omega < 1e-7 * float(np.max(np.abs(values))):
        return None
    form = Hopf(A, K, omega)
    l2 = form.l2
    kind = "the outer cycle is stable" if l2 < 0.0 else "the outer cycle is unstable"
    return Finding("GH", f"{kind} within the centre manifold", {"omega": omega, "l2": l2})


def zero_and_pair(A: np.ndarray, K: Any, curve: CriticalCurve) -> Finding | None:
    """s, theta and E of the zero-Hopf normal form; None for a zero beside a neutral saddle."""
    values = np.linalg.eigvals(A)
    others = np.delete(values, int(np.argmin(np.abs(values))))
    i, _ = critical_pair(others)
    omega = float(abs(others[i].imag))
    if omega < 1e-7 * float(np.max(np.abs(values))):
        return None
    return Finding("ZH", "", {"omega": omega, **zero_hopf(A, K, omega)})


def two_pairs(A: np.ndarray, K: Any, curve: CriticalCurve) -> Finding | None:
    """The cubic coefficients at two pairs; None where one is a neutral saddle."""
    values = np.linalg.eigvals(A)
    i, j = critical_pair(values)
    first = float(abs(values[i].imag))
    others = np.delete(values, [i, j])
    i, _ = critical_pair(others)
    second = float(abs(others[i].imag))
    size = 1e-7 * float(np.max(np.abs(values)))
    if first < size or second < size:
        return None
    first, second = max(first, second), min(first, second)
    low = [
        (k, m) for k in range(1, 4) for m in range(1, 4) if k + m <= 4 and abs(k * second - m * first) < 1e-3 * first and k != m
    ]
    if low or abs(first - second) < 1e-3 * first:
        return Finding("HH", "resonant: its coefficients are not computed", {"omega1": first, "omega2": second})
    return Finding("HH", "", {"omega1": first, "omega2": second, **hopf_hopf(A, K, first, second)})


def traced(curve: CriticalCurve, bounds: Any, steps: PseudoArclength | None, options: dict[str, Any]) -> Branch:
    """The branch of a curve."""
    limits = bounds_of(curve.parameter, bounds, "")
    return trace_branch(curve, curve.start(), steps, bounds=limits, **options)  # type: ignore[attr-defined]
