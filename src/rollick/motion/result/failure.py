"""When an integrator cannot go on: at what time, in which state, why, and what to try."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.evaluate import rate_at
from ...kernel.hooks import diagnose
from ...kernel.names import called
from ...kernel.not_compiled import raised_inside
from ...kernel.system import description
from ..ode import control as c
from . import outcome as o
from .outcome import Outcome


def explain(status: int, run: Any, method: Any, s: np.ndarray) -> Outcome:
    """The outcome of a run whose step size fell to nothing, or whose rates are not finite."""
    if hasattr(method, "failure"):
        return method.failure(status, run, s)
    probe = np.empty(run.y.size)
    rate_at(run.engine, float(s[c.TIME]), run.y, probe)
    bad = [q.name for q, value in zip(description(run.system).states, probe) if not np.isfinite(value)]
    return broken_down(status, run, method.name, s, bad)


def broken_down(status: int, run: Any, method: str, s: np.ndarray, bad: list[str], instead: str = "radau") -> Outcome:
    """The outcome of a run that cannot go on; bad: the states whose rates are not finite; instead: the method to try."""
    t, y = float(s[c.TIME]), run.y[: run.n]
    state = ", ".join(f"{q.name} = {value:.6g}" for q, value in zip(description(run.system).states, y))
    where = f"at t = {t:.10g} ({state}), method {method}"
    known = diagnose(run.system, t, y.copy())
    if status == c.NOT_FINITE:
        which = f"the rate of {', '.join(bad)} is not finite there" if bad else "its rates are not finite just beyond"
        what = f"{called(run.system)} cannot go on {where}: {which}."
        advice = (
            known
            or "A division by zero, a square root of a negative number or a singular mass matrix does this: check the state and the parameters."
        )
        return Outcome(o.NOT_FINITE, f"{what} {advice} The motion until then is kept.")
    what = f"{called(run.system)} cannot go on {where}: the step fell to {abs(s[c.STEP]):.2g}, below what the time can resolve."
    advice = known or (
        "The motion has a singularity or a jump there, or the tolerance asks for too much: "
        f"loosen rtol, try method='{instead}', or stop before it with a terminal event."
    )
    return Outcome(o.UNDERFLOW, f"{what} {advice} The motion until then is kept.")


def explain_exception(error: Exception, run: Any, s: np.ndarray) -> Outcome:
    """The outcome of a run whose equations raised an exception."""
    message = f"{called(run.system)} cannot go on after t = {s[c.TIME]:.10g}: its equations raise {raised_inside(error)}. The motion until then is kept."
    return Outcome(o.RAISED, message)


def out_of_steps(t: float, step: float, max_steps: float, advice: str) -> Outcome:
    """The outcome of a run that has made as many steps as it may; advice: what to do besides."""
    return Outcome(
        o.MOST_STEPS,
        f"stopped at t = {t:.6g} after max_steps = {max_steps:g} steps (the next would be {abs(step):.3g} long). "
        f"Raise max_steps, {advice}; what was computed until then is here.",
    )
