"""`find_orbit`: a periodic orbit near a guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...kernel.compiling import compiling
from ...kernel.hooks import settle
from ...kernel.names import InputError, called, number
from ...kernel.not_compiled import explained
from ...kernel.system import description
from ...kernel.trial import try_once
from ...motion.result.motion import Motion
from ...motion.start import check_system, state_vector, with_rate
from .asked import names_given, refuse_no_symmetry
from .closure import Closure, closure_of, places
from .collocation import Collocation
from .equations import Equations
from .flow import Lost
from .harmonic import HarmonicBalance, HarmonicEquations
from .impact_find import impact_orbit
from .impacts import impact_gap
from .modes_flow import QUIET, flow_of, modes_method, nearest_part, quiet_part, through_modes
from .newton import NotFound
from .orbit import Orbit
from .period import Period, period_of
from .returns import first_return, nearest_return
from .shooting import MultipleShooting, Shooting
from .solution import series_orbit, solved_orbit
from .watch import watched

METHODS: dict[str, Any] = {
    "shooting": Shooting,
    "multiple_shooting": MultipleShooting,
    "collocation": Collocation,
    "harmonic_balance": HarmonicBalance,
}


def find_orbit(
    system: Any,
    guess: Any,
    period: Any = None,
    *,
    method: Any = None,
    cycles: int = 1,
    transient: Any = 0.0,
    symmetry: Any = None,
    free: Sequence[str] = (),
    advance: Mapping[str, Any] | None = None,
    turning: Sequence[tuple[str, str]] = (),
    hold: Mapping[str, Any] | Sequence[str] = (),
    tol: float = 1e-11,
    wall_limit: float | None = None,
    progress: bool | None = None,
) -> Orbit:
    """The periodic orbit near a guess.

    guess: a state (dict, sequence), a `Motion` (its end), an `Orbit`, or a function of the fraction 0 <= s <= 1 of the period that gives states.
    period: of a system that runs by itself a guess (None: the guess's motion is followed until it returns); of a driven one the period of the
        drive: a number, the name of its angular frequency, or a function of the system. `cycles`: how many of these the orbit takes.
    method: `Shooting()`, `MultipleShooting(segments=)`, `Collocation(intervals=, degree=)`, `HarmonicBalance(harmonics=)`, or a name of these.
    transient: follow the guess so long first (for orbits that attract).
    symmetry: what half a period does: {"x": -1} or "all" changes signs; a matrix S of order m: y(T/m) = S y(0).
    free: states on which nothing depends, which may advance by anything in a period; advance: by how much states are known to advance
        ({"phi": "360deg"}); turning: pairs of states that may turn together by any angle.
    hold: states whose value at the start is kept ("alpha", or {"alpha": "1deg"}): where energy is conserved, orbits come in families, and this says which one.
    tol: of Newton's last step, relative.
    wall_limit: give up after so many seconds (without compilation). progress: a bar (default: on terminals, for searches longer than a second).
    """
    system = check_system(with_rate(system))
    chosen = method_of(method)
    closure = closure_of(system, symmetry, free, advance, turning)
    search = watched(f"a periodic orbit of {called(system)}", wall_limit, progress)
    with explained(system), compiling("the flow", system), search:
        start, profile = beginning(system, guess)
        refuse(system, chosen, hold)
        if not through_modes(system):
            try_once(system, 0.0, start.copy())
        law, T = period_of(system, guess.period if isinstance(guess, Orbit) and period is None else period, start, cycles)
        refuse_no_symmetry(system, closure, start, T, not law.unknown)
        wait = number(transient, "transient", "s")
        if not wait >= 0.0:
            raise InputError(f"transient = {transient!r} must not be below zero.")
        if impact_gap.knows(type(system)):
            return impact_orbit(system, start, law, T, wait, closure, chosen, tol)
        if wait > 0.0:
            start, profile = followed(system, start, wait, law, T), None
        if T is None:
            T = returned(system, start, closure)
        elif law.unknown and profile is None and not through_modes(system):
            T = nearest_return(system, start, T, closure)
        try:
            return solved(system, chosen, law, closure, start, profile, T, hold, tol)
        except (NotFound, Lost, ArithmeticError, np.linalg.LinAlgError) as error:
            raise InputError(
                f"no periodic orbit of {called(system)} is found by {chosen.name} near period {T:.6g}: {error}. Give a better guess "
                "(transient=... helps with orbits that attract), another period, or another method."
            ) from None


def refuse(system: Any, chosen: Any, hold: Any) -> None:
    """Refuse what a method does not follow, and states held where there is no family."""
    if through_modes(system) and not isinstance(chosen, (Shooting, MultipleShooting)):
        raise InputError(
            f"orbits of {called(system)} go from mode to mode, which {chosen.name} does not follow; take Shooting() or MultipleShooting()."
        )
    if through_modes(system):
        try:
            modes_method(system)
        except InputError as error:
            raise InputError(
                f"orbits of {called(system)} would go from mode to mode, but it is none that can be followed so: {str(error).partition('; take ')[0]}."
            ) from None
    if hold and impact_gap.knows(type(system)):
        raise InputError("hold is for families of smooth orbits; an orbit with impacts has no such family here. Leave it out.")
    if hold and isinstance(chosen, HarmonicBalance):
        raise InputError("harmonic balance holds no state; take shooting or collocation, or leave hold out.")


def returned(system: Any, start: np.ndarray, closure: Closure) -> float:
    """The period from the motion of a start itself."""
    if through_modes(system):
        raise InputError(f"orbits of {called(system)} go from mode to mode: give a guess of the period, period=...")
    return first_return(system, start, closure.free)


def solved(
    system: Any, chosen: Any, law: Period, closure: Closure, start: np.ndarray, profile: Any, T: float, hold: Any, tol: float
) -> Orbit:
    """The orbit by the method."""
    if isinstance(chosen, HarmonicBalance):
        balance = HarmonicEquations(system, chosen, law, closure)
        states = nodes(system, np.append(balance.parts, 1.0), start, profile, T, balance.M)
        return series_orbit(balance, states, T, tol, chosen)
    equations = Equations(system, chosen.links(system, closure, None), law, closure)
    equations.fixed = fixed_states(system, hold, start)
    for k, value in equations.fixed:
        start[k] = value
    if through_modes(system) and equations.pieces == 1:
        start = begun_elsewhere(equations, start, T)
    states = nodes(system, equations.links.mesh, start, profile, T, equations.pieces)
    return solved_orbit(equations, states, T, tol, chosen)


def begun_elsewhere(equations: Equations, start: np.ndarray, T: float) -> np.ndarray:
    """The state with which shooting begins: at a quiet part of the period, where the guess changes its mode next to t = 0 and nothing else says where to begin."""
    flow, closure = flow_of(equations.system, derivatives=False), equations.closure
    if closure.order > 1 or closure.extra or equations.fixed:
        return start
    flow.over(np.array([0.0, T]), start[None])
    if nearest_part(flow.changes, T, 0.0) > QUIET:
        return start
    part = quiet_part(flow.changes, T)
    equations.links.begin_at(part)
    return np.asarray(flow.over(np.array([0.0, part * T]), start[None]).ends[0])


def fixed_states(system: Any, hold: Any, start: np.ndarray) -> tuple[tuple[int, float], ...]:
    """Places and values of the states that are held."""
    about = description(system).states
    names = list(names_given(hold, "hold"))
    at = places(system, names, "state")
    if not isinstance(hold, Mapping):
        return tuple((k, float(start[k])) for k in at)
    return tuple((k, number(hold[name], name, about[k].unit)) for k, name in zip(at, names))


def method_of(method: Any) -> Any:
    """The method from what a user says."""
    if method is None:
        return Shooting()
    if isinstance(method, str):
        key = method.strip().lower().replace("-", "_").replace(" ", "_")
        if key not in METHODS:
            raise InputError(f"unknown method {method!r} for orbits; allowed: {', '.join(METHODS)}.")
        return METHODS[key]()
    if isinstance(method, type) and method in METHODS.values():
        return method()
    if not isinstance(method, tuple(METHODS.values())):
        raise InputError(
            f"a method for orbits is Shooting(), MultipleShooting(), Collocation() or HarmonicBalance(); got {method!r}."
        )
    return method


def beginning(system: Any, guess: Any) -> tuple[np.ndarray, Any]:
    """The start of a guess, and a function of the fraction of the period if there is more than that."""
    if isinstance(guess, Orbit):
        return guess.start.copy(), lambda s: guess.at(np.asarray(s) * guess.period)
    if isinstance(guess, Motion):
        return np.array(guess.end_state, float), None
    if callable(guess):
        try:
            profile = lambda s: np.array([guess(float(x)) for x in np.atleast_1d(s)], float)
            start, n = profile(0.0)[0], len(description(system).states)
            if start.shape != (n,):
                raise InputError(f"a guess that is a function gives the {n} states of {called(system)}; it gave {start.size}.")
            return start, profile
        except (TypeError, ValueError) as error:
            raise InputError(
                f"a guess that is a function gives a state for a fraction of the period; it raised {error}."
            ) from None
    y = state_vector(system, guess)
    return np.array(settle(system, y)[0], float), None


def followed(system: Any, start: np.ndarray, wait: float, law: Period, T: float | None) -> np.ndarray:
    """The state after a transient: of a driven system a whole number of periods."""
    span = wait if law.unknown or T is None else T * max(1.0, np.ceil(wait / T))
    flow = flow_of(system, derivatives=False)
    try:
        return flow.over(np.array([0.0, span]), start[None]).ends[0]
    except Lost as error:
        raise InputError(f"the transient cannot be followed: {error}.") from None


def nodes(system: Any, mesh: np.ndarray, start: np.ndarray, profile: Any, T: float, pieces: int) -> np.ndarray:
    """First states at the nodes: from the profile, or by following the start."""
    if pieces == 1:
        return start[None]
    if profile is not None:
        return np.atleast_2d(profile(mesh[:-1]))
    return np.vstack([start, flow_of(system, derivatives=False).over(mesh[:-1] * T, start[None], chained=True).ends])
