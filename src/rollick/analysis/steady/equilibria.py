"""Branches of steady motions: F(x; p) = 0 of `Equations` as a problem of continuation, with folds, Hopf points and branch points told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, number, pair
from ...kernel.renamed import renamed
from ...motion.result.rebuilt import NotRebuilt, known_type, rebuilt
from ..continuation import Branch, Finding, Problem, PseudoArclength, trace_branch
from .equations import Equations, parameters_of
from .forms import NotAnalytic
from .marginal import forced_zeros
from .newton import default_scale, solve_steady
from .normal_forms import Hopf, Zero, critical_vectors
from .scales import natural_scales, scales_given
from .spectrum import GROWS, critical_pair, growing, matched, ordered, pair_sums, without_forced

EXPECTED = {"LP": 1, "H": 2, "NS": 0}
FLAT = 1e-6  # a quadratic coefficient this much smaller than the cubic one, or than the crossing term, is zero: a pitchfork


class EquilibriumProblem(Problem):
    """Steady motions of a system along one of its numbers.

    parameter: a float field of the system ("c", or "shape.R" of a part), or a state that is conserved (the motion's l, its spin).
    near: a state near one of the motions, as a start of `simulate`; free, hold: see `Equations`. scales: typical sizes by name (unknowns and parameter), in which
    arclength is measured; by default the size of the start, and of what changes over the bounds.
    """

    what = "steady motions"

    def __init__(
        self,
        system: Any,
        parameter: str,
        near: Any,
        free: str | Iterable[str] = "auto",
        hold: Iterable[str] | Mapping[str, Any] = (),
        scales: Mapping[str, float] | None = None,
    ):
        if not isinstance(parameter, str):
            raise InputError(f"parameter = {parameter!r} must be the name of a field or state of {called(system)}.")
        self.equations = e = Equations(system, near, (parameter,), free, hold)
        self.names, self.parameter = e.kept_names(), parameter
        if e.constraints:
            raise InputError(
                f"the states of {called(system)} are redundant (they obey constraints that a projection keeps), so that its steady motions cannot be "
                f"continued in them; steady_motion finds single ones, or take a form of the system with independent states."
            )
        self.forced = len(e.held) + len(e.varied)
        self._last: tuple[np.ndarray, np.ndarray, int] | None = (
            None  # the latest z with its eigenvalues: they are asked for twice
        )
        self.given_scales = scales_given(scales, (*self.names, parameter))
        self.units = {name: e.units[name] for name in self.names} | {
            parameter: e.unit(parameter),
            "growth": "1/s",
            "frequency": "rad/s",
        }
        self.units |= {f"{e.names[i]}_drift": f"{e.units[e.names[i]]}/s" for i in e.steady_rates}
        self.units |= {f"{name.replace(' ', '_')}_drift": "rad/s" for name in e.turning.names}

    # -- F = 0 ---------------------------------------------------------------------------------------------------------------------

    def residual(self, z: np.ndarray) -> np.ndarray:
        """F."""
        return self.equations.values(z[:-1], z[-1:])

    def jacobian(self, z: np.ndarray) -> np.ndarray:
        """F_(x, p)."""
        return self.equations.with_slopes(z[:-1], z[-1:])[1]

    def evaluate(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """F and F_(x, p)."""
        return self.equations.with_slopes(z[:-1], z[-1:])

    def start(self, value: Any = None) -> np.ndarray:
        """z of the steady motion near `near`, with the parameter as the system has it, or as given."""
        e = self.equations
        p = e.own_values() if value is None else np.array([number(value, self.parameter, self.units[self.parameter])])
        x = solve_steady(e, e.y[e.kept], p)
        wrong = e.unsteady(x, p)
        if wrong:
            raise InputError(f"{wrong}.")
        self._refuse_family(x, p)
        return np.append(x, p)

    def _refuse_family(self, x: np.ndarray, p: np.ndarray) -> None:
        """A steady motion that is one of a family at the same parameter is on no branch: its unknowns are more than its equations."""
        for family in forced_zeros(self.equations, x, p, default_scale(x)):
            name = max(family.along, key=lambda key: abs(family.along[key]))
            raise InputError(
                f"at {self.parameter} = {p[0]:.6g} there is {family}: along {self.parameter} they are a sheet, not a branch. Say which of them: hold=('{name}',) "
                f"keeps {name}."
            )

    def scales(self, z: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
        """Those given; for the others the size of the start, and of what changes over the bounds of the parameter."""
        e = self.equations
        e.tell_sizes(bounds[1] - bounds[0])
        return natural_scales(self, z, bounds, self.given_scales)

    def outside(self, z: np.ndarray) -> str:
        """Why z is no steady motion of a system that can exist."""
        e = self.equations
        return e.impossible(z[-1:]) or (e.unsteady(z[:-1], z[-1:]) if e.held or e.varied or e.turning else "")

    # -- what is told of it -----------------------------------------------------------------------------------------------------------

    def eigenvalues(self, z: np.ndarray) -> np.ndarray:
        """Of the reduced system, without those that held states force to be zero; by falling real part."""
        if self._last is None or not np.array_equal(self._last[0], z):
            values = np.linalg.eigvals(self.equations.reduced_matrix(z[:-1], z[-1:]))
            self._last = z.copy(), ordered(without_forced(values, self.forced)), values.size
        return self._last[1]

    def measures(self, z: np.ndarray, J: Any) -> dict[str, Any]:
        """Eigenvalues; the largest real part and its frequency; rates of the states that ride along."""
        e = self.equations
        values = self.eigenvalues(z)
        padded = np.full((self._last[2] if self._last else 0) - self.forced, np.nan + 0j)
        padded[: min(values.size, padded.size)] = values[: padded.size]
        told = {"eigenvalues": padded, "growth": float(values[0].real), "frequency": float(abs(values[0].imag))}
        return told | {f"{name.replace(' ', '_')}_drift": rate for name, rate in e.drifts(z[:-1], z[-1:]).items()}

    def unstable(self, measures: dict[str, Any]) -> int:
        """How many eigenvalues have a positive real part."""
        values = measures["eigenvalues"]
        return growing(values[np.isfinite(values)])

    def expected(self, kind: str) -> int | None:
        """One at folds, two at Hopf points; at branch points none or one."""
        return EXPECTED.get(kind)

    def crossed(self, before: dict[str, Any], after: dict[str, Any]) -> int:
        """How many eigenvalues, followed from one point to the next, change the sign of their real part."""
        old, new = before["eigenvalues"], after["eigenvalues"]
        if not (np.all(np.isfinite(old)) and np.all(np.isfinite(new))):
            return 0
        new = matched(old, new)
        noise = GROWS * max(float(np.max(np.abs(old))), float(np.max(np.abs(new))))
        sides = [np.where(np.abs(v.real) > noise, np.sign(v.real), 0.0) for v in (old, new)]
        return int(np.count_nonzero(sides[0] * sides[1] < 0.0))

    def tests(self, z: np.ndarray, J: Any, tangent: np.ndarray) -> dict[str, float]:
        """H: the product of sums of pairs of eigenvalues."""
        return {"H": pair_sums(self.eigenvalues(z))}

    def classify(self, name: str, z: np.ndarray, J: Any, tangent: np.ndarray) -> Finding | None:
        """Folds, Hopf points and branch points with the coefficients of their normal forms."""
        told = {"LP": self.fold, "H": self.hopf, "BP": self.branch_point}
        try:
            return told[name](z)
        except (NotAnalytic, np.linalg.LinAlgError) as error:
            return Finding(name, f"its coefficients are not known: {error}")

    def fold(self, z: np.ndarray) -> Finding:
        """a of w' = beta + a w^2, or of w'' = beta + a w^2."""
        e = self.equations
        zero = Zero(e.matrix(z[:-1], z[-1:]))
        why = e.not_conserved()
        if why:
            return Finding("LP", f"a is not computed: {why}", {}, {"q": zero.q})
        told = "conservative: w'' = a w^2" if zero.double else ""
        return Finding("LP", told, {"a": zero.quadratic(e.forms(z[:-1], z[-1:]))}, {"q": zero.q})

    def pair_values(self, z: np.ndarray) -> np.ndarray:
        """The eigenvalues of the equations; those of what is redundant in attitudes set aside."""
        e = self.equations
        A = e.matrix(z[:-1], z[-1:])
        if not e.turning:
            return np.linalg.eigvals(A)
        T = e.turning.tangents(e.state(z[:-1], z[-1:]), e.kept)
        return np.linalg.eigvals(T.T @ A @ T)

    def hopf(self, z: np.ndarray) -> Finding:
        """omega, l1, and the critical eigenvector in the unknowns; or a neutral saddle.

        The critical pair is that of the equations (held states do not move), which is the pair of the whole where held states are conserved.
        """
        e = self.equations
        A = e.matrix(z[:-1], z[-1:])
        loose = [e.names[i] for i in (*e.held, *e.varied) if e.depends[i].any()]
        values = self.pair_values(z)
        if loose or values.size < 2:  # held states that are not conserved move along
            values = self.eigenvalues(z)
        i, j = critical_pair(values)
        size = float(np.max(np.abs(values)))
        if abs(values[i].imag) < 1e-7 * size:
            return Finding("NS", "two real eigenvalues add up to zero; no Hopf point", {"eigenvalue": float(abs(values[i].real))})
        omega = float(abs(values[i].imag))
        if loose:
            told = f"l1 is not computed: {', '.join(loose)} is steady on the branch, but not conserved beside it"
            own = np.min(np.abs(np.linalg.eigvals(A) - 1j * omega)) < 1e-6 * size  # a pair of the equations themselves
            return Finding("H", told, {"omega": omega}, {"q": critical_vectors(A, 1j * omega)[0]} if own else {})
        form = Hopf(A, e.forms(z[:-1], z[-1:]), omega)
        kind = "supercritical: stable cycles are born" if form.l1 < 0.0 else "subcritical: unstable cycles are born"
        if abs(form.l1) < 1e-10:
            kind = "degenerate: l1 vanishes, and does not tell whether the cycles are stable"
        others = np.delete(values, [i, j])
        if growing(others):
            kind = kind.partition(":")[0] + f", while {growing(others)} other direction(s) grow"
        q = form.q * np.exp(-1j * np.angle(form.q[np.argmax(np.abs(form.q))]))
        return Finding("H", kind, {"omega": omega, "l1": form.l1}, {"q": q})

    def branch_point(self, z: np.ndarray) -> Finding:
        """a and c of w' = ... + a w^2 + c w^3: transcritical, or a pitchfork."""
        e = self.equations
        A = e.matrix(z[:-1], z[-1:])
        values = np.linalg.svd(A, compute_uv=False)
        if values.size > 1 and values[-2] < 1e-8 * values[0]:
            return Finding("BP", "more than one direction is critical; no coefficients are computed there")
        why = e.not_conserved()
        if why:
            return Finding("BP", f"its coefficients are not computed: {why}")
        zero, forms = Zero(A), e.forms(z[:-1], z[-1:])
        a = zero.quadratic(forms)
        kind = ", conservative: w'' =" if zero.double else ": w' ="
        c = zero.cubic(forms)
        if abs(a) > FLAT * max(1.0, abs(c)):
            return Finding("BP", f"transcritical{kind} ... + a w^2", {"a": a})
        return Finding("BP", f"pitchfork, {'supercritical' if c < 0.0 else 'subcritical'}{kind} ... + c w^3", {"c": c})

    def about(self) -> dict[str, Any]:
        """The system, what is free and held, and the parameter."""
        return {
            "problem": "EquilibriumProblem",
            **self.equations.about(),
            "parameter": self.parameter,
            "unknowns": list(self.names),
            "scales": self.given_scales,
        }


def bounds_of(parameter: str, bounds: Any, unit: str) -> tuple[float | None, float | None] | None:
    """(low, high) with units taken off; None for no bound."""
    if bounds is None:
        return None
    given = pair(bounds)
    if given is None:
        raise InputError(f"bounds = {bounds!r} must be two numbers (low, high), None for no bound.")
    low, high = given
    told = f"bound of {parameter}"
    return None if low is None else number(low, told, unit), None if high is None else number(high, told, unit)


@renamed(method="steps")
def continue_steady(
    system: Any,
    parameter: str,
    near: Any,
    bounds: tuple[Any, Any] | None = None,
    steps: PseudoArclength | None = None,
    *,
    begin: Any = None,
    free: str | Iterable[str] = "auto",
    hold: Iterable[str] | Mapping[str, Any] = (),
    scales: Mapping[str, float] | None = None,
    **options: Any,
) -> Branch:
    """The branch of steady motions of a system along a parameter, from the one near a state; `begin`: the parameter's value there; `steps`: a `PseudoArclength`.

    Options are those of `trace_branch`: directions, file, every, progress.
    """
    problem = EquilibriumProblem(system, parameter, near, free, hold, scales)
    unit = problem.units[parameter]
    limits = bounds_of(parameter, bounds, unit)
    return trace_branch(problem, problem.start(begin), steps, bounds=limits, **options)


def eigenvalues_along(branch: Branch) -> np.ndarray:
    """The eigenvalues of a branch of steady motions, one row for each point, each column one of them, followed along the branch."""
    if not branch.points or "eigenvalues" not in branch.points[0].measures:
        raise InputError(f"the branch of {branch.system_name} has no eigenvalues.")
    rows = [np.asarray(branch.points[0].measures["eigenvalues"], complex)]
    for point in branch.points[1:]:
        rows.append(matched(rows[-1], np.asarray(point.measures["eigenvalues"], complex)))
    return np.array(rows)


def problem_from(about: Mapping[str, Any]) -> EquilibriumProblem:
    """The problem that a file tells of, where its system is of a type that Rollick knows."""
    try:
        system = rebuilt(known_type(about["type"]), about["parameters"])
    except (NotRebuilt, KeyError) as error:
        raise InputError(
            f"the system of this branch ({about.get('system', '?')}) cannot be made again from its file ({error}); give the problem: resume(file, problem)."
        ) from None
    return EquilibriumProblem(
        system, str(about["parameter"]), list(about["near"]), list(about["free"]), dict(about["held"]), dict(about["scales"])
    )


__all__ = ["EquilibriumProblem", "continue_steady", "eigenvalues_along", "parameters_of", "problem_from"]
