"""The orbit with impacts near a start: with the impacts that the start's own motion has in a period."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError, called
from .closure import Closure
from .flow import Flow, Lost
from .impacting import ImpactEquations
from .impacts import flights
from .newton import NotFound, Solved, solve
from .orbit import Orbit
from .period import Period
from .shooting import Shooting
from .solution import options_of


def impact_orbit(
    system: Any, start: np.ndarray, law: Period, T: float | None, wait: float, closure: Closure, chosen: Any, tol: float
) -> Orbit:
    """The orbit near a start of a system with impacts: with the impacts that the start's own motion has in a period."""
    if not isinstance(chosen, Shooting):
        raise InputError(f"orbits of {called(system)} may have impacts, which {chosen.name} does not follow; take Shooting().")
    if T is None:
        raise InputError(f"{called(system)} has impacts and runs by itself: give a guess of the period, period=...")
    try:
        if wait > 0.0:
            span = T * np.ceil(wait / T)
            end, found = flights(system, chosen.integrator, start, 0.0, span, T)
            if law.unknown and found and found[-1].t > span - T:  # begin in the middle of a flight, not at an impact
                end, _ = flights(system, chosen.integrator, end, span, span + 0.01 * T, T)
            start = end
        _, found = flights(system, chosen.integrator, start, 0.0, T, T)
        equations = ImpactEquations(system, Flow(system, None, chosen.integrator), law, closure, len(found))
        x = equations.pack(start[None], T, np.array([impact.t / T for impact in found]))
        equations.hold(x)
        solved = solve(equations, x, tol)
        orbit = made_impact_orbit(equations, solved.x, chosen, solved)
        if "not real" in orbit.message:
            raise NotFound(f"what Newton's method finds is no motion ({orbit.message})")
        return orbit
    except (NotFound, Lost, ArithmeticError, np.linalg.LinAlgError) as error:
        raise InputError(
            f"no periodic orbit of {called(system)} with the impacts of this guess is found near period {T:.6g}: {error}. "
            "Give a better guess (transient=... helps with orbits that attract)."
        ) from None


def made_impact_orbit(
    equations: ImpactEquations, x: np.ndarray, chosen: Any, solved: Solved | None = None, p: float | None = None
) -> Orbit:
    """The result of a solution with impacts; one that is not real says so."""
    system, U, T, tau, links = equations.linked(x, p)
    residual = float(np.linalg.norm(equations.residual(x, p)))
    impacts = list(equations.impacts)
    words = f"{chosen.name} with {len(impacts)} impacts, closed to {residual:.1e}"
    least = equations.least_gap(system, U, T)
    if any(impact.speed <= 0.0 for impact in impacts):
        words += "; not real: an impact would open the gap (beyond grazing)"
    if least < -1e-9:
        words += f"; not real: between impacts the gap falls to {least:.3g}"
    if np.any(np.diff([0.0, *tau, 1.0]) < 0.0):
        words += "; not real: the impacts are out of order"
    made = {
        "method": chosen.name,
        "options": options_of(chosen),
        "newton_steps": 0 if solved is None else solved.steps,
        "residual": residual,
    }
    states = np.vstack([U, *(impact.after for impact in impacts)])
    return Orbit(
        system, equations.period, equations.closure, np.concatenate([[0.0], tau]), states, T, np.zeros(0), links.factors, made, words, impacts
    )  # fmt: skip
