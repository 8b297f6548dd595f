"""Explicit Runge-Kutta methods by their tableaus: what a method of one's own derives from."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...kernel.names import InputError, called, number
from ..integrate import Run
from ..ode.steppers import begin
from ..ode.tableau import ByTableau, Tableau, equal_steps
from ..problem import Problem
from ..result.motion import Motion
from .method import Method
from .smooth import JUMPS, Adaptive


def check_tableau(method: Any, embedded: bool) -> None:
    """Refuse a class without a tableau, or with one that is none of its kind."""
    tableau = getattr(type(method), "tableau", None)
    if not isinstance(tableau, Tableau):
        raise InputError(f"{called(method)} needs its coefficients: tableau = Tableau(order, A, b).")
    problem = tableau.mistake()
    if problem:
        raise InputError(f"the tableau of {called(method)} is none of an explicit Runge-Kutta method: {problem}")
    if embedded and tableau.error is None:
        raise InputError(
            f"the tableau of {called(method)} has no estimate of the error; give it `error`, or derive from RungeKutta, which makes equal steps."
        )


@dataclass(frozen=True)
class RungeKutta(Method):
    """A Runge-Kutta method by its `tableau`, with equal steps of about dt."""

    dt: Any = 1e-3

    tableau: ClassVar[Tableau]
    refuses: ClassVar[dict[str, str]] = JUMPS
    lasting: ClassVar[bool] = True
    engine = Adaptive.engine

    def check(self, system: Any) -> None:
        """A tableau, and a step above zero."""
        check_tableau(self, embedded=False)
        if not 0.0 < number(self.dt, "dt", "s") < math.inf:
            raise InputError(f"dt = {self.dt!r} must be a time above zero; 1e-3 is the default.")

    def run(self, problem: Problem) -> Motion:
        """The motion; a body in lasting contact has to start in contact."""
        return Adaptive.run(self, problem)  # type: ignore[arg-type]

    def begin(self, run: Run, s: np.ndarray) -> Any:
        """The stepper, with the step such that a whole number of them reaches the end."""
        stepper = begin(
            lambda engine, n: ByTableau(engine, n, self.tableau, self.name, True), run.engine, run.y, s, run.tolerance
        )
        equal_steps(s, number(self.dt, "dt", "s"))
        return stepper

    @property
    def left_by_finer(self) -> float:  # type: ignore[override]
        """What half the step leaves of the error."""
        return 0.5**self.tableau.order

    def finer(self) -> tuple[Method, str]:
        """With half the step."""
        step = 0.5 * number(self.dt, "dt", "s")
        return dataclasses.replace(self, dt=step), f"dt {step:.3g} s"


@dataclass(frozen=True)
class EmbeddedRungeKutta(Adaptive):
    """A Runge-Kutta method by its `tableau`, with steps chosen by the estimate of their error."""

    tableau: ClassVar[Tableau]
    refuses: ClassVar[dict[str, str]] = JUMPS

    def check(self, system: Any) -> None:
        """A tableau with an estimate of the error; tolerances and step within their ranges."""
        check_tableau(self, embedded=True)
        super().check(system)

    def begin(self, run: Run, s: np.ndarray) -> Any:
        """The stepper."""
        return begin(lambda engine, n: ByTableau(engine, n, self.tableau, self.name, False), run.engine, run.y, s, run.tolerance)
