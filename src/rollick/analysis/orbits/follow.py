"""Branches of periodic orbits: from an orbit, from a Hopf point, from a period doubling or a branch point of another branch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kernel.compiling import compiling
from ...kernel.derivative import system_jacobian
from ...kernel.names import InputError, called
from ...kernel.not_compiled import explained
from ...kernel.trial import try_once
from ...motion.start import check_system, state_vector
from ..continuation.arclength import PseudoArclength
from ..continuation.branch import Branch
from ..continuation.point import Point, Special
from ..continuation.trace import resume, trace_branch
from .closure import closure_of
from .collocation import Polynomials
from .equations import Reference
from .find import method_of
from .flow import Lost
from .harmonic import HarmonicEquations
from .impact_problem import ImpactProblem
from .impacts import impact_gap
from .modes_flow import flow_of, quiet_part
from .orbit import Orbit
from .period import Period
from .problem import OrbitProblem
from .sensitive import parameter_of, with_parameter

NOT_IMAGINARY = 1e-4  # relative: how far from the imaginary axis the eigenvalues of a Hopf point may be
STEPS = PseudoArclength(ds=0.01, ds_max=0.05, tol=1e-10)


class OrbitBranch(Branch):
    """A branch of periodic orbits: a `Branch` whose points are orbits (`orbit`), which others branch off from (`switch`)."""

    problem: OrbitProblem

    @classmethod
    def of(cls, branch: Branch, problem: OrbitProblem) -> OrbitBranch:
        """A branch with the problem that made it."""
        made = cls(branch.about, branch.points, branch.specials, branch.ends, branch.more)
        made.problem = problem
        return made

    def orbit(self, which: int | str | Point = -1) -> Orbit:
        """The orbit at a point: its index, the label of a special point, or the point itself."""
        point = self.point(which)
        e, mesh = self.problem.equations, point.measures.get("mesh")
        if mesh is not None and isinstance(e.links, Polynomials):
            e.links.mesh, e.links.stages = np.asarray(mesh, float), None
            e.forget()
        if "begins_at" in point.measures:
            self.problem.begin_at(float(point.measures["begins_at"]))
        if e.reference is None:  # of a file that was opened
            e.hold(point.z[:-1], point.z[-1])
        return self.problem.orbit(point.z)

    def point(self, which: int | str | Point) -> Point:
        """A point by its index, by the label of a special point, or itself."""
        if isinstance(which, Point):
            return which
        if isinstance(which, str):
            return self.special(which)
        if not isinstance(which, (int, np.integer)) or not -len(self.points) <= which < len(self.points):
            raise InputError(f"this branch has the orbits 0 to {len(self.points) - 1} (or a label, as 'PD1'); got {which!r}.")
        return self.points[which]

    def switch(self, label: str, steps: PseudoArclength | None = None, **options: Any) -> OrbitBranch:
        """The branch that begins at a special point: the doubled orbits of a PD, the other branch of a BPC. Options as those of `trace_branch`."""
        special = self.special(label)
        if special.kind == "PD" and not self.problem.doubles:
            raise InputError(
                "doubled orbits of a family are not followed: give find_orbit the doubled one as a guess, and continue_family that."
            )
        if special.kind == "PD":
            return doubled_branch(self, special, steps, **options)
        if special.kind == "BPC":
            return other_branch(self, special, steps, **options)
        raise InputError(
            f"no branch of periodic orbits is known to begin at {special.label} ({special.title}); allowed: PD, BPC."
        )


def continue_orbit(
    orbit: Orbit,
    parameter: str,
    bounds: tuple[float | None, float | None] | None = None,
    *,
    method: Any = None,
    steps: PseudoArclength | None = None,
    directions: str = "both",
    file: Any = None,
    wall_limit: float | None = None,
    progress: bool | None = None,
) -> OrbitBranch:
    """The branch of periodic orbits through an orbit, over a parameter.

    bounds: of the parameter. method: `Shooting()`, `MultipleShooting()`, `Collocation()` (default: shooting). steps: a `PseudoArclength`.
    file, wall_limit: kept on the way, and the most seconds, see `trace_branch`.
    """
    if not (steps is None or isinstance(steps, PseudoArclength)):
        raise InputError(f"steps is a PseudoArclength(ds=..., ds_max=...), or None; got {steps!r}.")
    problem = orbit_problem(orbit, parameter, method)
    with explained(orbit.system), compiling("the flow", orbit.system):
        try:
            branch = trace_branch(
                problem, begun(problem, orbit), steps or STEPS, bounds=bounds, directions=directions, file=file, wall_limit=wall_limit, progress=progress
            )  # fmt: skip
        except Lost as error:
            raise InputError(
                f"the orbit of period {orbit.period:.9g} cannot be followed along {parameter}: {error}. Try MultipleShooting() or Collocation()."
            ) from None
    return OrbitBranch.of(branch, problem)


def begun(problem: OrbitProblem, orbit: Orbit) -> np.ndarray:
    """z of an orbit, which is the first neighbour."""
    e = problem.equations
    if problem.may_begin_elsewhere:
        flow = flow_of(orbit.system, derivatives=False)
        flow.over(np.array([0.0, orbit.period]), orbit.states[:1])
        problem.begin_at(quiet_part(flow.changes, orbit.period))
    fractions = e.parts if isinstance(e, HarmonicEquations) else e.links.mesh[:-1]
    states = orbit.at(fractions * orbit.period)
    extra = np.array([i.t / orbit.period for i in orbit.impacts]) if isinstance(problem, ImpactProblem) else orbit.extra
    z = np.append(e.pack(states, orbit.period, extra), parameter_of(orbit.system, problem.parameter))
    e.hold(z[:-1], z[-1])
    return z


def orbit_problem(orbit: Orbit, parameter: str, method: Any = None) -> OrbitProblem:
    """The problem whose branch goes through an orbit: what `resume_orbits` and `open_orbits` need besides a file. Families of orbits are refused."""
    if not isinstance(orbit, Orbit):
        raise InputError(f"continue_orbit needs an Orbit (find_orbit finds one); got {called(orbit)}.")
    if orbit.made.get("family"):
        raise InputError(
            f"this orbit of {called(orbit.system)} is one of a family at every value of {parameter} (a quantity is conserved), which has no branch of its own: "
            "continue_family(orbit) follows the family."
        )
    if not isinstance(parameter, str):
        raise InputError(f"name the parameter of {called(orbit.system)} to follow the orbit along; got {parameter!r}.")
    how = method_of(method)
    if impact_gap.knows(type(orbit.system)):
        return ImpactProblem(orbit.system, parameter, orbit.period_law, orbit.closure, how, len(orbit.impacts))
    return OrbitProblem(orbit.system, parameter, orbit.period_law, orbit.closure, how)


def orbits_from_hopf(
    system: Any,
    state: Any,
    parameter: str,
    bounds: tuple[float | None, float | None] | None = None,
    *,
    method: Any = None,
    steps: PseudoArclength | None = None,
    symmetry: Any = None,
    advance: Any = None,
    file: Any = None,
    progress: bool | None = None,
) -> OrbitBranch:
    """The branch of periodic orbits that begins at a Hopf point: an equilibrium `state` of `system` with eigenvalues +- i omega.

    Near it orbits are y + eps Re(q exp(i omega t)), J q = i omega q: the branch begins with eps = 0 and the period 2 pi/omega, in this direction.
    `state` may be a special point (H) of a branch of equilibria over the same parameter. symmetry, advance: as those of `find_orbit`; half of each orbit is computed.
    """
    system = check_system(system)
    value = parameter_of(system, parameter)
    if isinstance(state, Special):
        value = state.parameter
        system = with_parameter(system, parameter, value)
        state = state.z[:-1]
    y = state_vector(system, state)
    with explained(system), compiling("the flow", system):
        try_once(system, 0.0, y.copy())
        lambdas, vectors = np.linalg.eig(system_jacobian(system, y))
        size = float(np.abs(lambdas).max()) or 1.0
        candidates = [
            k for k in range(lambdas.size) if lambdas[k].imag > 1e-9 * size and abs(lambdas[k].real) < NOT_IMAGINARY * size
        ]
        if not candidates:
            told = ", ".join(f"{v.real:.4g}{v.imag:+.4g}i" for v in lambdas)
            raise InputError(
                f"no Hopf point: none of the eigenvalues ({told}) is imaginary at this state and {parameter} = {value:g}."
            )
        k = min(candidates, key=lambda k: abs(lambdas[k].real))
        omega, q = float(lambdas[k].imag), vectors[:, k]
        # the phase of q for which Re q and Im q are orthogonal: a definite amplitude
        q = q * np.exp(-0.5j * np.angle(np.sum(q * q)))
        problem = OrbitProblem(system, parameter, Period(), closure_of(system, symmetry, (), advance), method_of(method))
        e = problem.equations
        fractions = e.parts if isinstance(e, HarmonicEquations) else e.links.mesh[:-1]
        turn = np.exp(2j * math.pi * fractions)[:, None] * q[None, :]
        states, T = np.tile(y, (len(fractions), 1)), 2.0 * math.pi / omega
        z = np.append(e.pack(states, T), value)
        e.reference = Reference(states, (1j * omega * turn).real)
        if isinstance(e, HarmonicEquations):
            e.reference = Reference(e.series(z), e.series(e.pack((1j * omega * turn).real, 0.0)))
        tangent = np.append(e.pack(turn.real, 0.0), 0.0)
        branch = trace_branch(
            problem, z, steps or STEPS, bounds=bounds, directions="forward", tangent=tangent, file=file, progress=progress
        )
    return OrbitBranch.of(branch, problem)


def doubled_branch(branch: OrbitBranch, special: Special, steps: PseudoArclength | None = None, **options: Any) -> OrbitBranch:
    """The branch of orbits of twice the period that begins at a period doubling.

    The doubled orbit is the old one gone around twice; the new branch sets out along the eigenvector of -1, which changes sign after a period.
    """
    old = branch.problem
    if isinstance(old.equations, HarmonicEquations):
        raise InputError("doubled orbits are followed by shooting or collocation: continue the branch by one of these first.")
    if isinstance(old, ImpactProblem):
        hitting, z, tangent = old.doubled(special)
        made = trace_branch(hitting, z, steps or STEPS, tangent=tangent, **{"directions": "forward", **options})
        return OrbitBranch.of(made, hitting)
    orbit = branch.orbit(special)
    problem = OrbitProblem(old.system, old.parameter, old.equations.period.times(2), old.equations.closure, old.method)
    e = problem.equations
    if problem.may_begin_elsewhere:
        problem.begin_at(0.5 * float(old.equations.links.mesh[0]))
    mesh = e.links.mesh[:-1]
    T = orbit.period
    states = orbit.at(np.mod(mesh * 2.0 * T, T))
    vector = flow_along(orbit, np.asarray(special.arrays["vector"], float), (mesh - mesh[0]) * 2.0 * T)
    z = np.append(e.pack(states, 2.0 * T), special.parameter)
    e.hold(z[:-1], z[-1])
    tangent = np.append(e.pack(vector, 0.0), 0.0)
    made = trace_branch(problem, z, steps or STEPS, tangent=tangent, **{"directions": "forward", **options})
    return OrbitBranch.of(made, problem)


def flow_along(orbit: Orbit, vector: np.ndarray, times: np.ndarray) -> np.ndarray:
    """A tangent vector carried along an orbit from its start: v(t) = Phi(t) v(0), with v(t + T) = -v(t)."""
    flow, T = flow_of(orbit.system), orbit.period
    out = []
    for t in times:
        inside = float(np.mod(t, T))
        sign = -1.0 if int(np.floor(t / T + 1e-12)) % 2 else 1.0
        v = vector[0] if inside == 0.0 else flow.over(np.array([0.0, inside]), orbit.start[None]).matrices[0] @ vector[0]
        out.append(sign * v)
    return np.array(out)


def other_branch(branch: OrbitBranch, special: Special, steps: PseudoArclength | None = None, **options: Any) -> OrbitBranch:
    """The other branch of orbits through a branch point."""
    tangents = special.arrays.get("tangents", np.zeros((1, 0)))
    if len(tangents) < 2:
        raise InputError(f"no second branch is known at {special.label}: {special.sentence}.")
    problem = branch.problem
    branch.orbit(special)  # begins where that one did
    problem.equations.hold(special.z[:-1], special.parameter)
    made = trace_branch(problem, special.z, steps or STEPS, tangent=tangents[1], **options)
    return OrbitBranch.of(made, problem)


def resume_orbits(file: Any, problem: OrbitProblem, **options: Any) -> OrbitBranch:
    """Go on with a branch of orbits from its file; `problem`: `branch.problem` of what made it, or `orbit_problem(orbit, parameter, method)` again."""
    return OrbitBranch.of(resume(file, problem, **options), problem)


def open_orbits(file: Any, problem: OrbitProblem) -> OrbitBranch:
    """A branch of orbits from its file, with `orbit` and `switch`; `problem` as of `resume_orbits`."""
    return OrbitBranch.of(Branch.open(file), problem)
