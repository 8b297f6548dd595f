"""The equations of steady motions: the rates of the states that neither ride along nor are held, as functions of these states and parameters.

    F(x; p) = rate of the kept states = 0

*Free* states (`symmetry`) do not enter. *Held* states keep a given value, and their own rate is not among the equations; it must vanish by itself, as it
does for conserved states (Koiller's l of a rolling body, the spin of a rattleback): this is checked wherever a steady motion is told.
A parameter is a float field of the system, or such a state, whose value is then varied instead of being held.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...kernel.names import InputError, called, choose, number
from ...kernel.paths import fields_of
from ...kernel.system import description, validate
from ...motion.result.provenance import parameters as numbers_of
from ...motion.result.rebuilt import type_name
from ...motion.start import state_vector
from .constraints import Constraints
from .field import STEP, WEIGHTS, Field
from .forms import Forms
from .symmetry import constant_rates, dependence, free_states
from .turning import Turning

TINY = 1e-60  # a state below it is zero: its square, times a complex step, leaves the range of floating point
UNSTEADY = 1e-7  # the largest rate of a held state, in the size of its terms


def names_in(given: Any, option: str, allowed: str) -> Any:
    """Names given one by one, as a list, or as the keys of a mapping (which is kept); a single name is one, not its letters."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        return given
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable):
        raise InputError(f"{option} = {given!r} must be {allowed}.")
    return list(given)


class Equations:
    """F(x; p) of a system, its derivatives, and what was left out of it."""

    def __init__(
        self,
        system: Any,
        near: Any,
        parameters: tuple[str, ...] = (),
        free: str | Iterable[str] = "auto",
        hold: Iterable[str] | Mapping[str, Any] = (),
    ):
        states = [q.name for q in description(system).states]
        self.parameters = tuple(parameters)
        fields = [p for p in parameters if p not in states]
        self.field = Field(system, tuple(fields))
        self.system, self.names = self.field.system, self.field.names
        about = description(self.system).states
        self.units = {q.name: q.unit for q in about}
        self.y = np.array(state_vector(self.system, near), float)
        hold, free = (
            names_in(hold, "hold", "names of states, or name: value"),
            names_in(free, "free", '"auto", or names of states'),
        )
        held = [choose(name, states, f"state of {called(system)}") for name in hold]
        for name, value in hold.items() if isinstance(hold, Mapping) else ():
            self.y[states.index(choose(name, states, f"state of {called(system)}"))] = number(value, name, self.units[name])
        if not np.all(np.isfinite(self.y)):
            raise InputError(f"the state to begin at is not finite: {dict(zip(states, self.y.tolist()))}.")
        if len(set(parameters)) < len(parameters):
            raise InputError(f"the parameters {', '.join(parameters)} must differ.")
        self.field.try_at(self.y)
        self.depends = dependence(self.field, self.y)
        if free == ["auto"]:
            loose = free_states(self.depends)
        else:
            loose = [states.index(choose(name, states, f"state of {called(system)}")) for name in free]
            self._check_free(loose)
        varied = [states.index(p) for p in parameters if p in states]
        both = [states[i] for i in loose if i in varied or states[i] in held]
        if both:
            raise InputError(
                f"{', '.join(both)} of {called(system)} enters no rate of the others: it can neither be held nor be a parameter."
            )
        self.free = loose
        self.held = [states.index(name) for name in held if states.index(name) not in varied]
        self.varied = varied
        self.kept = [i for i in range(len(states)) if i not in loose and i not in self.held and i not in varied]
        self.reduced = [i for i in range(len(states)) if i not in loose]
        self.turning = Turning(self.field, self.y, self.reduced)
        self.constraints = Constraints(self.system, self.y, self.reduced, self.turning)
        frozen = [states[i] for i in self.turning.quaternion if i in self.held or i in varied]
        if frozen:
            raise InputError(f"{', '.join(frozen)} belongs to the attitude of {called(system)}; hold or vary another state.")
        self.steady_rates = constant_rates(self.depends, loose)
        if not self.kept:
            raise InputError(
                f"no state of {called(system)} is left to solve for: {', '.join(states[i] for i in loose) or 'none'} ride along, "
                f"{', '.join(states[i] for i in (*self.held, *varied)) or 'none'} are held or varied. Name fewer in hold, or give free=()."
            )
        self.n = len(self.kept)
        # where parameter k lives: ("state", index) or ("field", number within the field's)
        self.homes = [("state", states.index(p)) if p in states else ("field", fields.index(p)) for p in parameters]
        self._rows = np.ix_(self.kept, self.kept)
        self._tall = np.ix_(self.kept, self.reduced)
        self._square = np.ix_(self.reduced, self.reduced)

    def _check_free(self, loose: list[int]) -> None:
        kept = [i for i in range(len(self.names)) if i not in loose]
        for j in loose:
            felt = [self.names[i] for i in kept if self.depends[i, j]]
            if felt:
                raise InputError(f"{self.names[j]} is not free: the rate of {', '.join(felt)} depends on it.")

    # -- where -------------------------------------------------------------------------------------------------------------------

    def own_values(self) -> np.ndarray:
        """The parameters as the system and the start have them."""
        return np.array([self.y[k] if home == "state" else self.field.own[k] for home, k in self.homes])

    def kept_names(self) -> tuple[str, ...]:
        """The names of the unknowns."""
        return tuple(self.names[i] for i in self.kept)

    def state(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """The full state, and the parameters set."""
        y = self.y.copy()
        y[self.kept] = np.where(np.abs(x) < TINY, 0.0, x)
        values = []
        for (home, k), value in zip(self.homes, p):
            if home == "state":
                y[k] = value
            else:
                values.append(value)
        if values:
            self.field.set(values)
        return y

    def system_at(self, p: Any) -> Any:
        """The system with these parameters."""
        return self.field.at([value for (home, _), value in zip(self.homes, p) if home == "field"])

    def rates_at(self, y: np.ndarray) -> np.ndarray:
        """The rates of all states, in a frame that turns with the body (`turning`)."""
        f = self.field.rate(y)
        return self.turning.value(y, f) if self.turning else f

    def jacobian_at(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """These and their derivatives with respect to all states."""
        f, J = self.field.rate_and_jacobian(y)
        if self.turning and np.all(np.isfinite(J)) and np.all(np.isfinite(f)):
            return self.turning.with_jacobian(y, f, J)
        return f, J

    def pulled(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """x, pulled onto the system's constraints if it has some."""
        return self.constraints.pulled(self.state(x, p))[self.kept] if self.constraints else x

    # -- values and derivatives ----------------------------------------------------------------------------------------------------

    def values(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """F."""
        return self.rates_at(self.state(x, p))[self.kept]

    def with_matrix(self, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """F and A = F_x."""
        f, J = self.jacobian_at(self.state(x, p))
        return f[self.kept], J[self._rows]

    def matrix(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """A = F_x."""
        return self.with_matrix(x, p)[1]

    def full(self, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All rates and their derivatives with respect to all states, in a frame that turns with the body."""
        return self.jacobian_at(self.state(x, p))

    def reduced_matrix(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """What small deviations obey: the derivatives of the reduced system, without free states, and without what is redundant in attitudes."""
        y = self.state(x, p)
        A = self.jacobian_at(y)[1][self._square]
        if not (self.turning or self.constraints):
            return A
        T = (self.constraints or self.turning).tangents(y, self.reduced)
        return T.T @ A @ T

    def kept_tangents(self, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """A basis of the directions, in the unknowns, that are neither redundant nor a turn."""
        if not (self.turning or self.constraints):
            return np.eye(self.n)
        return (self.constraints or self.turning).tangents(self.state(x, p), self.kept)

    def drifts(self, x: np.ndarray, p: np.ndarray) -> dict[str, float]:
        """The constant rates of what rides along: states, and turns of the body."""
        y = self.state(x, p)
        f = self.field.rate(y)
        turns = dict(zip(self.turning.names, self.turning.rates(y, f).tolist()))
        turned = {
            *self.turning.quaternion,
            *(int(i) for L in self.turning.turns for i in np.flatnonzero(np.any(L != 0.0, axis=1))),
        }
        steady = [i for i in self.steady_rates if not any(self.depends[i, j] for j in turned)]
        return {self.names[i]: float(f[i]) for i in steady} | turns

    def slope(self, x: np.ndarray, p: np.ndarray, k: int) -> np.ndarray:
        """F_p for parameter k."""
        home, j = self.homes[k]
        y = self.state(x, p)
        if home == "state":
            return self.jacobian_at(y)[1][self.kept, j]
        return self.field.slope(lambda: self.rates_at(y), j)[self.kept]

    def with_slopes(self, x: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """F, and F_(x, p) with one column for each unknown and each parameter."""
        y = self.state(x, p)
        f, J = self.jacobian_at(y)
        columns = np.empty((self.n, self.n + len(p)))
        columns[:, : self.n] = J[self._rows]
        for k, (home, j) in enumerate(self.homes):
            if home == "state":
                columns[:, self.n + k] = J[self.kept, j]
            else:
                columns[:, self.n + k] = self.field.slope(lambda: self.rates_at(y), j)[self.kept]
        return f[self.kept], columns

    def matrix_along(self, x: np.ndarray, p: np.ndarray, v: np.ndarray, size: float) -> np.ndarray:
        """d/ds A(x + s v): column j is B(v, e_j). Differences of order six of exact Jacobians."""
        length = float(np.linalg.norm(v))
        if length == 0.0:
            return np.zeros((self.n, self.n))
        h = STEP * size / length
        total = np.zeros((self.n, self.n))
        for j, weight in enumerate(WEIGHTS, 1):
            total += weight * (self.matrix(x + j * h * v, p) - self.matrix(x - j * h * v, p))
        return total / h

    def matrix_slope(self, x: np.ndarray, p: np.ndarray, k: int) -> np.ndarray:
        """dA/dp for parameter k."""
        home, j = self.homes[k]
        if home == "field":
            y = self.state(x, p)
            return self.field.slope(lambda: self.jacobian_at(y)[1][self._rows], j)
        h = STEP * self.parameter_sizes()[k]
        total = np.zeros((self.n, self.n))
        for i, weight in enumerate(WEIGHTS, 1):
            for sign in (1.0, -1.0):
                q = np.array(p, float)
                q[k] += sign * i * h
                total += sign * weight * self.matrix(x, q)
        return total / h

    def forms(self, x: np.ndarray, p: np.ndarray) -> Forms:
        """The multilinear forms of F in x."""
        y = self.state(x, p)
        values = list(self.field.values)

        def rates(X: np.ndarray) -> np.ndarray:
            self.field.set(values)
            Z = np.broadcast_to(y.astype(complex), (len(X), y.size)).copy()
            Z[:, self.kept] = X
            F = self.field.complex_rates(Z)
            return (self.turning.complex_values(Z, F) if self.turning else F)[:, self.kept]

        return Forms(rates, x, self.state_size(x))

    def state_size(self, x: np.ndarray) -> float:
        """A size of states over which rates change: the largest of them, or one."""
        largest = float(np.max(np.abs(x))) if x.size else 0.0
        return largest if largest > 1e-6 else 1.0

    def parameter_sizes(self) -> list[float]:
        """Typical sizes of the parameters."""
        return [abs(self.y[k]) or 1.0 if home == "state" else self.field.sizes[k] for home, k in self.homes]

    def tell_sizes(self, width: float) -> None:
        """A range of parameters that matters (infinite: not known), for those that are zero in the system itself, or next to it."""
        for home, k in self.homes:
            if home == "field":
                own = abs(self.field.own[k])
                if np.isfinite(width):
                    self.field.sizes[k] = min(1.0, width) if own == 0.0 else max(own, 1e-3 * min(1.0, width))
                else:
                    self.field.sizes[k] = own if own > 1e-9 else 1.0

    # -- what was left out -----------------------------------------------------------------------------------------------------------

    def not_conserved(self) -> str:
        """Why coefficients of normal forms are not computed, or "": a held or varied state that moves beside the branch would move along with the critical ones.

        (Its values are a line of steady motions then, and a Hopf point on it one without parameters, which has no l1.)
        """
        loose = [self.names[i] for i in (*self.held, *self.varied) if self.depends[i].any()]
        return f"{', '.join(loose)} is steady on the branch, but not conserved beside it" if loose else ""

    def unsteady(self, x: np.ndarray, p: np.ndarray) -> str:
        """A sentence if the rate of a held or varied state does not vanish by itself, or what must hold does not."""
        wrong = self.constraints.violated(self.state(x, p))
        if wrong:
            return wrong
        for i in (*self.held, *self.varied):
            f, J = self.full(x, p)
            y = self.state(x, p)
            size = float(np.max(np.abs(J[i]) * np.maximum(np.abs(y), 1e-3))) + float(np.max(np.abs(J)) * 1e-3)
            if not abs(f[i]) <= UNSTEADY * max(size, 1e-12):
                return (
                    f"{self.names[i]} is held or varied, but its rate there is {f[i]:.3g}, not zero: it is not conserved by this system, and "
                    f"cannot be held"
                )
        return ""

    def impossible(self, p: np.ndarray) -> str:
        """Why there is no system with these parameters, by its own word (`validate`), or ""."""
        if not self.field.paths:
            return ""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what is merely unusual
                validate(self.system_at(p))
        except InputError as error:
            return str(error).rstrip(".")
        return ""

    def unit(self, name: str) -> str:
        """The unit of a state or parameter, "" where none is told."""
        known = description(self.system).parameters
        return self.units.get(name) or (known[name].unit if name in known else "")

    def about(self) -> dict[str, Any]:
        """The equations in plain values."""
        return {
            "system": called(self.system),
            "type": type_name(type(self.system)),
            "parameters": numbers_of(self.system),
            "free": [self.names[i] for i in self.free],
            "held": {self.names[i]: float(self.y[i]) for i in self.held},
            "near": self.y.tolist(),
        }


def parameters_of(system: Any) -> list[str]:
    """What can be a parameter of a system's steady motions: its float fields, and its states."""
    return [*fields_of(system), *(q.name for q in description(system).states)]
