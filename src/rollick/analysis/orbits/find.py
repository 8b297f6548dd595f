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
from ...motion.start import check_system, state_vector
from .closure import Closure, closure_of, places
from .collocation import Collocation, Polynomials
from .equations import Equations
from .flow import Flow, Lost
from .harmonic import HarmonicBalance, HarmonicEquations
from .impacting import ImpactEquations
from .impacts import flights, impact_gap
from .modes_flow import flow_of, through_modes
from .newton import NotFound, Solved, solve
from .orbit import Orbit
from .period import Period, period_of
from .returns import first_return
from .shooting import MultipleShooting, Shooting

METHODS: dict[str, Any] = {
    "shooting": Shooting,
    "multiple_shooting": MultipleShooting,
    "collocation": Collocation,
    "harmonic_balance": HarmonicBalance,
}
DIVISORS = (2, 3, 5)  # an orbit that closes earlier is one gone around several times
SPREAD, HALVINGS, MOST_PIECES = 300.0, 12, 600
RESTING = 1e-3  # an orbit that moves so much less than the guess is an equilibrium


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
    """
    system = check_system(system)
    chosen = method_of(method)
    closure = closure_of(system, symmetry, free, advance, turning)
    with explained(system), compiling("the flow", system):
        start, profile = beginning(system, guess)
        if not through_modes(system):
            try_once(system, 0.0, start.copy())
        elif not isinstance(chosen, Shooting):
            raise InputError(
                f"orbits of {called(system)} go from mode to mode, which {chosen.name} does not follow; take Shooting()."
            )
        law, T = period_of(system, guess.period if isinstance(guess, Orbit) and period is None else period, start, cycles)
        wait = number(transient, "transient", "s")
        if impact_gap.knows(type(system)):
            if hold:
                raise InputError(
                    "hold is for families of smooth orbits; an orbit with impacts has no such family here. Leave it out."
                )
            return impact_orbit(system, start, law, T, wait, closure, chosen, tol)
        if wait > 0.0:
            start, profile = followed(system, start, wait, law, T), None
        if T is None and through_modes(system):
            raise InputError(f"orbits of {called(system)} go from mode to mode: give a guess of the period, period=...")
        if T is None:
            T = first_return(system, start)
        try:
            if isinstance(chosen, HarmonicBalance):
                if hold:
                    raise InputError("harmonic balance holds no state; take shooting or collocation, or leave hold out.")
                balance = HarmonicEquations(system, chosen, law, closure)
                return series_orbit(
                    balance, nodes(system, np.append(balance.parts, 1.0), start, profile, T, balance.M), T, tol, chosen
                )
            equations = Equations(system, chosen.links(system, closure, None), law, closure)
            equations.fixed = fixed_states(system, hold, start)
            for k, value in equations.fixed:
                start[k] = value
            states = nodes(system, equations.links.mesh, start, profile, T, equations.pieces)
            return solved_orbit(equations, states, T, tol, chosen)
        except (NotFound, Lost, ArithmeticError, np.linalg.LinAlgError) as error:
            raise InputError(
                f"no periodic orbit of {called(system)} is found by {chosen.name} near period {T:.6g}: {error}. Give a better guess "
                "(transient=... helps with orbits that attract), another period, or another method."
            ) from None


def fixed_states(system: Any, hold: Any, start: np.ndarray) -> tuple[tuple[int, float], ...]:
    """Places and values of the states that are held."""
    about = description(system).states
    names = list(hold) if not isinstance(hold, str) else [hold]
    at = places(system, names, "state")
    if not isinstance(hold, Mapping):
        return tuple((k, float(start[k])) for k in at)
    return tuple((k, number(hold[name], name, about[k].unit)) for k, name in zip(at, names))


def impact_orbit(
    system: Any, start: np.ndarray, law: Period, T: float | None, wait: float, closure: Closure, chosen: Any, tol: float
) -> Orbit:
    """The orbit near a start of a system with impacts: with the impacts that the start's own motion has in a period."""
    if not isinstance(chosen, Shooting):
        raise InputError(f"orbits of {called(system)} may have impacts, which {chosen.name} does not follow; take Shooting().")
    if T is None:
        raise InputError(f"{called(system)} has impacts and runs by itself: give a guess of the period, period=...")
    plain = Flow(system, method=chosen.integrator, derivatives=False)
    try:
        if wait > 0.0:
            span = T * np.ceil(wait / T)
            end, found = flights(system, plain, start, 0.0, span, T)
            if law.unknown and found and found[-1].t > span - T:  # begin in the middle of a flight, not at an impact
                end, _ = flights(system, plain, end, span, span + 0.01 * T, T)
            start = end
        _, found = flights(system, plain, start, 0.0, T, T)
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
            return profile(0.0)[0], profile
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
        raise InputError(f"the transient cannot be followed: {error}") from None


def nodes(system: Any, mesh: np.ndarray, start: np.ndarray, profile: Any, T: float, pieces: int) -> np.ndarray:
    """First states at the nodes: from the profile, or by following the start."""
    if pieces == 1:
        return start[None]
    if profile is not None:
        return np.atleast_2d(profile(mesh[:-1]))
    return np.vstack([start, flow_of(system, derivatives=False).over(mesh[:-1] * T, start[None], chained=True).ends])


def solved_orbit(equations: Equations, states: np.ndarray, T: float, tol: float, chosen: Any) -> Orbit:
    """The orbit that the equations have near some states; collocation adapts its mesh."""
    links = equations.links
    collocated = isinstance(links, Polynomials)
    x = equations.pack(states, T)
    if equations.closure.extra:
        end = links(equations.system, states, T).ends[-1]
        x = equations.pack(states, T, equations.closure.guessed(states[0], end))
    equations.hold(x)
    began = motion_size(equations, x)
    found = solve(equations, x, tol)
    if motion_size(equations, found.x) <= RESTING * began:
        raise NotFound("Newton's method goes to an equilibrium (where energy is conserved, hold=... keeps a state)")
    moved = 0
    if collocated:
        for _ in range(chosen.adapt):
            U, T, extra = equations.unpack(found.x, equations.system)
            mesh = links.moved_mesh(T)
            change = float(np.max(np.abs(mesh - links.mesh)) * equations.pieces / links.mesh[-1])
            x = equations.pack(links.move(U, T, mesh), T, extra)
            equations.hold(x)
            found = solve(equations, x, tol)
            moved += 1
            if change < 0.1:
                break
    return made_orbit(equations, found, chosen, moved)


def series_orbit(equations: HarmonicEquations, states: np.ndarray, T: float, tol: float, chosen: Any) -> Orbit:
    """The orbit that harmonic balance has near some states."""
    x = equations.pack(states, T)
    equations.hold(x)
    found = solve(equations, x, tol)
    return made_series_orbit(equations, found.x, chosen, found.steps)


def made_series_orbit(equations: HarmonicEquations, x: np.ndarray, chosen: Any, steps: int = 0, p: float | None = None) -> Orbit:
    """The result of a series: nodes on it, and how far the flow misses closing."""
    system, U, T, _, links = equations.linked(x, p)
    later: Any = links
    if float(np.abs(equations.series(x)[1:]).max()) <= 1e-7 * (1.0 + float(np.abs(U).max())) and p is None:
        raise NotFound("Newton's method goes to an equilibrium")
    misses = later.misses
    residual = float(np.linalg.norm(equations.residual(x, p)))
    words = f"{chosen.name} with {equations.H} harmonics, balanced to {residual:.1e}; the flow misses closing by {misses:.1e}"
    mesh = np.linspace(0.0, 1.0, len(later.factors) + 1)[:-1]
    made = {"method": chosen.name, "options": options_of(chosen), "newton_steps": steps, "residual": residual, "misses": misses}
    return Orbit(
        system, equations.period, equations.closure, mesh, equations.states_at(x, mesh), T, np.zeros(0), later.factors, made, words
    )  # fmt: skip


def made_orbit(equations: Equations, found: Solved, chosen: Any, moved: int = 0) -> Orbit:
    """The result, with what is to be said about it."""
    system, U, T, extra, _links = equations.linked(found.x)
    words = f"{chosen.name}, {found.steps} steps of Newton's method, closed to {found.residual:.1e}"
    family = bool(found.family or equations.fixed) and equations.period.unknown
    if family:
        words += "; one of a family of orbits (the equations leave a direction free: a conserved quantity)"
    if through_modes(system):
        words += f"; modes {' '.join(letters for letters, _ in equations.links.flow.visited)}"
    earlier = closes_earlier(system, U[0], T, equations.closure) if equations.period.unknown else 0
    if earlier:
        words += f"; it closes after 1/{earlier} of this period already"
    factors = equations.factors(found.x)
    if not isinstance(equations.links, Polynomials) and not through_modes(system):
        fine = refined(equations, system, U, T)
        last = equations.closure.last_factor(extra)
        factors = fine if last is None else np.concatenate([fine, last[None]])
    made = {
        "method": chosen.name,
        "options": options_of(chosen),
        "newton_steps": found.steps,
        "residual": found.residual,
        "mesh_moves": moved,
    }
    made["family"] = family
    return Orbit(
        system, equations.period, equations.closure, equations.links.mesh[:-1].copy(), U.copy(), T, extra.copy(),
        factors, made, words,
    )  # fmt: skip


def motion_size(equations: Equations, x: np.ndarray) -> float:
    """How much an orbit moves: the largest rate at its nodes times its period."""
    _, _, T, _, links = equations.linked(x)
    return float(np.linalg.norm(links.rates, axis=1).max()) * T


def refined(equations: Equations, system: Any, U: np.ndarray, T: float) -> np.ndarray:
    """Transition matrices over pieces so short that none stretches one direction more than `SPREAD` times as much as another.

    A matrix is known to about the integrator's tolerance of its largest entry; what contracts more than that would be lost in it.
    """
    flow, links = equations.links.flow, equations.links
    times = (links.fractions if equations.pieces == 1 else links.mesh) * T
    for _ in range(HALVINGS):
        found = chained_pieces(flow, links.mesh * T, U, times)
        sizes = np.linalg.svd(found, compute_uv=False)
        wide = sizes[:, 0] > SPREAD * np.maximum(sizes[:, -1], 1e-300)
        if not np.any(wide) or len(times) + wide.sum() > MOST_PIECES:
            return found
        times = np.sort(np.concatenate([times, 0.5 * (times[:-1] + times[1:])[wide]]))
    return found


def chained_pieces(flow: Flow, nodes: np.ndarray, U: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Transition matrices between `times`, which contain the nodes; within a segment each piece starts where the one before it ends."""
    found = []
    for k in range(len(U)):
        inside = times[(times >= nodes[k]) & (times <= nodes[k + 1])]
        found.append(flow.over(inside, U[k : k + 1], chained=True).matrices)
    return np.concatenate(found)


def options_of(chosen: Any) -> dict[str, Any]:
    """The options of a method in plain values."""
    told = {name: value for name, value in vars(chosen).items() if name not in ("name", "integrator")}
    integrator = getattr(chosen, "integrator", None)
    return told if integrator is None else {**told, "integrator": integrator.name, "rtol": float(integrator.rtol)}


def closes_earlier(system: Any, start: np.ndarray, T: float, closure: Closure) -> int:
    """The number of times an orbit goes around in what is taken for its period; 0 for once."""
    if closure.order > 1 or closure.extra:
        return 0
    flow = flow_of(system, derivatives=False)
    try:
        between = flow.over(np.array([0.0, *sorted(T / k for k in DIVISORS)]), start[None], chained=True).ends
    except Lost:
        return 0
    size = 1.0 + float(np.abs(start).max())
    for k, end in zip(sorted(DIVISORS, reverse=True), between):
        if float(np.abs(end - start - closure.advance / k).max()) < 1e-7 * size:
            return k
    return 0
