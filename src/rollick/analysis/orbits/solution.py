"""From solved equations to an `Orbit`: meshes that are adapted, factors that are refined, and what is to be said about it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...kernel.system import description
from .closure import Closure
from .collocation import Polynomials
from .equations import Equations
from .flow import Flow, Lost
from .harmonic import HarmonicEquations
from .modes_flow import flow_of, through_modes
from .newton import NotFound, Solved, solve
from .orbit import Orbit

DIVISORS = (2, 3, 5)  # an orbit that closes earlier is one gone around several times
SPREAD, HALVINGS, MOST_PIECES = 300.0, 12, 600
RESTING = 1e-3  # an orbit that moves so much less than the guess is an equilibrium
DEPENDS = 1e-9  # a derivative by a free state that counts as one


def solved_orbit(equations: Equations, states: np.ndarray, T: float, tol: float, chosen: Any) -> Orbit:
    """The orbit that the equations have near some states; collocation adapts its mesh."""
    links = equations.links
    collocated = isinstance(links, Polynomials)
    x = equations.pack(states, T)
    if equations.closure.extra:
        first = links(equations.system, states, T)
        refuse_dependence(equations.system, equations.closure, first.factors)
        x = equations.pack(states, T, equations.closure.guessed(states[0], first.ends[-1]))
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
            equations.forget()
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
        words += f"; modes {equations.links.flow.words}"
    mesh, U, impacts = from_zero(equations, system, U, T)
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
        system, equations.period, equations.closure, mesh, U.copy(), T, extra.copy(),
        factors, made, words, impacts,
    )  # fmt: skip


def from_zero(equations: Equations, system: Any, U: np.ndarray, T: float) -> tuple[np.ndarray, np.ndarray, list[Any]]:
    """The mesh, the states and the impacts of an orbit from t = 0 on, wherever shooting began."""
    mesh = equations.links.mesh[:-1].copy()
    impacts = list(equations.links.flow.impacts) if through_modes(system) else []
    if mesh[0] == 0.0:
        return mesh, U, impacts
    end = flow_of(system, derivatives=False).over(np.array([mesh[0] * T, T]), U).ends
    again = [impact._replace(t=float(np.mod(impact.t, T))) for impact in impacts]
    return np.zeros(1), end - equations.closure.advance, sorted(again, key=lambda impact: impact.t)


def refuse_dependence(system: Any, closure: Closure, factors: np.ndarray) -> None:
    """Refuse free states that others depend on: their orbit would close only in appearance."""
    free = list(closure.free)
    if not free:
        return
    others = [k for k in range(closure.n) if k not in free]
    felt = np.abs(factors[:, others][:, :, free]).max(axis=0)
    if felt.size and felt.max() > DEPENDS * max(1.0, float(np.abs(factors).max())):
        names = [q.name for q in description(system).states]
        i, j = np.unravel_index(int(np.argmax(felt)), felt.shape)
        raise InputError(f"{names[free[j]]} is not free: {names[others[i]]} depends on it. Leave it out of free=, or name both.")


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
