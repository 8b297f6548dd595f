"""The equations of a periodic orbit, whatever the method: pieces of the orbit fit together, it closes, and it begins somewhere definite.

Unknowns are the states U_0 ... U_{N-1} at the nodes of a mesh 0 = s_0 < ... < s_N = 1 (of the part of the period that is computed), the period
T where nothing drives the system, and what closing adds (`closure`). A method (shooting, collocation) tells where the piece from U_i ends, E_i,
with derivatives. The equations are

    E_i - U_{i+1} = 0,     E_{N-1} - goal(U_0) = 0,      sum_i w_i <U_i - V_i, f(V_i)> = 0,

the last one (with a known neighbour V) only if T is unknown. The states are scaled by 1/sqrt(N), so that lengths do not depend on N.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .closure import Closure
from .period import Period
from .sensitive import with_parameter

SAME = 1e-14


class Links(NamedTuple):
    """What a method knows of the pieces: ends, derivatives by start, period and parameter; rates at their starts; factors for multipliers."""

    ends: np.ndarray
    matrices: np.ndarray
    by_period: np.ndarray
    by_parameter: np.ndarray
    rates: np.ndarray
    factors: np.ndarray


class Reference(NamedTuple):
    """A known neighbour: states and rates at the nodes."""

    states: np.ndarray
    rates: np.ndarray


class Equations:
    """Residual and Jacobian of an orbit; `links(system, U, T)` is the method's. The last column of the Jacobian belongs to the parameter."""

    def __init__(self, system: Any, links: Any, period: Period, closure: Closure, parameter: str | None = None):
        self.system, self.links, self.period, self.closure, self.parameter = system, links, period, closure, parameter
        self.n = closure.n
        self.fixed: tuple[tuple[int, float], ...] = ()  # states whose value at the start is asked for: of a family, one orbit
        self.reference: Reference | None = None
        self._last: tuple[np.ndarray, Any] | None = None
        self._weights: tuple[Any, np.ndarray] | None = None

    @property
    def pieces(self) -> int:
        """N."""
        return self.links.pieces

    @cached_property
    def size(self) -> int:
        """How many unknowns there are, without the parameter."""
        return self.pieces * self.n + (1 if self.period.unknown else 0) + self.closure.extra

    def pack(self, states: np.ndarray, period: float, extra: np.ndarray | None = None) -> np.ndarray:
        """The vector of unknowns."""
        head = states[: self.pieces].ravel() / np.sqrt(self.pieces)
        middle = [period] if self.period.unknown else []
        return np.concatenate([head, middle, np.zeros(self.closure.extra) if extra is None else extra])

    def unpack(self, x: np.ndarray, system: Any) -> tuple[np.ndarray, float, np.ndarray]:
        """States at the nodes, the period, and what closing adds."""
        count = self.pieces * self.n
        U = x[:count].reshape(self.pieces, self.n) * np.sqrt(self.pieces)
        extra = x[self.size - self.closure.extra : self.size]
        return U, float(x[count]) if self.period.unknown else self.period.of(system), extra

    def at(self, p: float | None) -> Any:
        """The system at a value of the parameter."""
        return self.system if p is None or self.parameter is None else with_parameter(self.system, self.parameter, float(p))

    def hold(self, x: np.ndarray, p: float | None = None) -> None:
        """Take an orbit as the known neighbour from now on; what was evaluated of it stays."""
        _, U, _, _, links = self.linked(x, p)
        self.reference = Reference(U.copy(), links.rates.copy())

    def linked(self, x: np.ndarray, p: float | None = None) -> tuple[Any, np.ndarray, float, np.ndarray, Links]:
        """System, states, period, extra unknowns and links of a vector of unknowns; the last ones are remembered."""
        if not self.same(x, p):
            system = self.at(p)
            U, T, extra = self.unpack(x, system)
            if not T > 0.0:
                raise ArithmeticError(f"the period would become {T:.6g}")
            self.keep(x, p, (system, U, T, extra, self.links(system, U, T)))
        assert self._last is not None
        return self._last[1]

    def same(self, x: np.ndarray, p: float | None) -> bool:
        """Whether these unknowns are, to rounding (far below what the flow is known to), those evaluated last."""
        if self._last is None:
            return False
        z = np.append(x, 0.0 if p is None else p)
        last = self._last[0]
        return z.size == last.size and bool(np.abs(z - last).max() <= SAME * (1.0 + np.abs(last).max()))

    def keep(self, x: np.ndarray, p: float | None, found: Any) -> None:
        """Remember what was evaluated."""
        self._last = np.append(x, 0.0 if p is None else p), found

    def forget(self) -> None:
        """What was evaluated last is of no use any more: the mesh or the system is another one."""
        self._last = None

    def residual(self, x: np.ndarray, p: float | None = None) -> np.ndarray:
        """What must vanish."""
        _, U, _, extra, links = self.linked(x, p)
        return self.closing(U, extra, links.ends)

    def quick_residual(self, x: np.ndarray, p: float | None = None) -> np.ndarray | None:
        """The same without derivatives, where the method knows how; None where it does not."""
        ends_alone = getattr(self.links, "ends_alone", None)
        if ends_alone is None:
            return None
        system = self.at(p)
        U, T, extra = self.unpack(x, system)
        return self.closing(U, extra, ends_alone(system, U, T)) if T > 0.0 else None

    def closing(self, U: np.ndarray, extra: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """What must vanish where pieces from U have these ends."""
        goal, _, _ = self.closure.goal(U[0], extra)
        parts = [(ends - np.vstack([U[1:], goal])).ravel()]
        if self.period.unknown:
            weights, reference = self._phase()
            parts.append([float(np.sum(weights * (U - reference.states)))])
        if self.closure.extra:
            parts.append(self.closure.pins(U[0], self._held().states[0])[0])
        if self.fixed:
            parts.append(np.array([U[0, k] - value for k, value in self.fixed]))
        return np.concatenate(parts)

    def _held(self) -> Reference:
        if self.reference is None:
            raise RuntimeError("an orbit needs a reference first: call hold.")
        return self.reference

    def _phase(self) -> tuple[np.ndarray, Reference]:
        """w_i f(V_i), scaled to length one in scaled unknowns."""
        reference = self._held()
        if self._weights is None or self._weights[0] is not reference:
            weights = np.diff(self.links.mesh)[: self.pieces, None] * reference.rates
            self._weights = reference, weights / (np.linalg.norm(weights) * np.sqrt(self.pieces) or 1.0)
        return self._weights[1], reference

    def jacobian(self, x: np.ndarray, p: float | None = None) -> np.ndarray:
        """The derivative of the residual; with a parameter one column more than rows."""
        system, U, _, extra, links = self.linked(x, p)
        N, n, root = self.pieces, self.n, np.sqrt(self.pieces)
        m = self.closure.extra
        J = np.zeros((self.size, self.size + (0 if self.parameter is None else 1)))
        if N == 1:
            J[:n, :n] = links.matrices[0]
        else:
            at = np.arange(N * n).reshape(N, n)
            J[at[:, :, None], at[:, None, :]] = links.matrices * root
            J[np.arange((N - 1) * n), np.arange(n, N * n)] -= root
        _, by_start, by_extra = self.closure.goal(U[0], extra)
        J[(N - 1) * n : N * n, :n] -= by_start * root
        J[(N - 1) * n : N * n, self.size - m : self.size] -= by_extra
        if self.period.unknown:
            J[: N * n, N * n] = links.by_period.ravel()
            J[N * n, : N * n] = self._phase()[0].ravel() * root
        if m:
            J[self.size - m :, :n] = self.closure.pins(U[0], self._held().states[0])[1] * root
        if self.parameter is not None:
            slope = links.by_parameter
            if not self.period.unknown:
                slope = slope + links.by_period * self.period.slope(system, self.parameter)
            J[: N * n, -1] = slope.ravel()
        if self.fixed:  # more equations than unknowns, which a conserved quantity makes agree
            more = np.zeros((len(self.fixed), J.shape[1]))
            more[np.arange(len(self.fixed)), [k for k, _ in self.fixed]] = root
            J = np.vstack([J, more])
        return J

    def factors(self, x: np.ndarray, p: float | None = None) -> np.ndarray:
        """Transition matrices around the part of the orbit that is computed, ending with what closes it."""
        _, _, _, extra, links = self.linked(x, p)
        last = self.closure.last_factor(extra)
        return links.factors if last is None else np.concatenate([links.factors, last[None]])
