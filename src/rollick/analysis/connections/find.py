"""Find a connection along a parameter: by shooting, then as a boundary-value problem; both must agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel.names import InputError, number, pair, whole
from ...kernel.palette import INK, WARM
from ...motion.result.outcome import FINISHED
from ...motion.result.protocol import Result
from ..rates import Backwards, Formula, SystemRates, rates_of
from .boundary_value import boundary_problem, solve
from .saddle import Saddle
from .shooting import Ends, Shot, bracketed, shoot

AGREE = 1e-7  # how well both parameters must agree, of the width that was looked at
MOST = 1500  # intervals, beyond which the mesh is not halved any more
NEAR = 1e-6  # where the boundary-value problem ends, in sizes of the connection


@dataclass(frozen=True, repr=False)
class Connection(Result):
    """A homo- or heteroclinic orbit: its parameter by two methods, the states along it, the equilibria at its ends."""

    has_page = False
    parameter: str
    value: float  # by the boundary-value problem; by shooting where that was not asked for
    by_shooting: float | None
    by_boundary_value: float | None
    error: float  # of the boundary-value problem: the change of the parameter when the mesh is halved
    t: np.ndarray
    x: np.ndarray
    source: Saddle
    target: Saddle
    names: tuple[str, ...]
    shots: list[Shot]
    status: str = FINISHED

    @property
    def agreement(self) -> float:
        """The difference of the two parameters."""
        return (
            abs(self.by_shooting - self.by_boundary_value)
            if self.by_shooting is not None and self.by_boundary_value is not None
            else float("nan")
        )

    @property
    def homoclinic(self) -> bool:
        """Whether it ends where it begins."""
        return bool(np.allclose(self.source.x, self.target.x, rtol=1e-9, atol=1e-9))

    @property
    def message(self) -> str:
        """How the parameter was found."""
        if self.by_shooting is None:
            return f"boundary-value problem on {self.t.size - 1} intervals, halving them changes {self.parameter} by {self.error:.1g}"
        if self.by_boundary_value is None:
            return "by shooting alone"
        return f"shooting and boundary-value problem differ by {self.agreement:.1g} in {self.parameter}"

    @property
    def system_name(self) -> str:
        """What it is."""
        return f"{'homoclinic' if self.homoclinic else 'heteroclinic'} connection"

    @property
    def data(self) -> Any:
        """The states over time."""
        import xarray as xr

        return xr.Dataset(
            {name: ("t", row) for name, row in zip(self.names, self.x)}, coords={"t": self.t}, attrs={self.parameter: self.value}
        )

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The states over time."""
        return self.t, dict(zip(self.names, self.x)), {}

    def own_numbers(self) -> dict[str, Any]:
        """The parameter by both methods, the equilibria and their eigenvalues."""
        ends = {
            name: {
                "state": s.x,
                "real": s.eigenvalues.real,
                "imaginary": s.eigenvalues.imag,
                "saddle_quantity": s.saddle_quantity,
            }
            for name, s in (("source", self.source), ("target", self.target))
        }
        return {
            "parameter": self.parameter,
            "value": self.value,
            "by_shooting": self.by_shooting,
            "by_boundary_value": self.by_boundary_value,
            "agreement": self.agreement,
            "error": self.error,
            **ends,
        }

    def summary(self) -> str:
        """In a few lines."""
        lines = [self.title, f"status   {self.status}: {self.message}", f"{self.parameter:<8} {self.value:.12g}"]
        for name, s in (("from", self.source), ("to", self.target)):
            state = ", ".join(f"{k} = {v:.6g}" for k, v in zip(self.names, s.x))
            values = ", ".join(f"{v.real:.6g}" + (f"{v.imag:+.6g}i" if v.imag else "") for v in s.eigenvalues)
            lines.append(f"{name:<8} {state}; eigenvalues {values}; saddle quantity {s.saddle_quantity:.6g}")
        return "\n".join(lines)

    def plot(self, *names: str, path: Any = None) -> Any:
        """Two states against each other (the first two, or those named), and all of them over time."""
        from ...kernel.names import choose
        from ...plotting import figure, finished

        first, second = (self.names.index(choose(n, self.names, "state")) for n in (*names, *self.names)[:2])
        fig, axes = figure(1, 2, width=9.4, height=3.6)
        axes[0, 0].plot(self.x[first], self.x[second], color=INK)
        for s in (self.source, self.target):
            axes[0, 0].plot(s.x[first], s.x[second], "o", color=WARM, markersize=5)
        axes[0, 0].set_xlabel(self.names[first])
        axes[0, 0].set_ylabel(self.names[second])
        for name, row in zip(self.names, self.x):
            axes[0, 1].plot(self.t, row, label=name, linewidth=1.4)
        axes[0, 1].legend(frameon=False)
        axes[0, 1].set_xlabel("t")
        fig.suptitle(f"{self.system_name}, {self.parameter} = {self.value:.9g}", fontsize=10)
        return finished(fig, path)


def _names(rates: Formula, given: Sequence[str] | None, n: int) -> tuple[str, ...]:
    if given is not None:
        if len(given) != n:
            raise InputError(f"names = {given!r} must be {n} names, one for each state.")
        return tuple(given)
    return rates.names if isinstance(rates, SystemRates) else tuple(f"x{k + 1}" for k in range(n))


def interval(between: Any) -> tuple[float, float]:
    """Two values of the parameter, the smaller first."""
    given = pair(between) or (0.0, 0.0)
    found = (number(given[0], "between"), number(given[1], "between"))
    if not found[0] < found[1]:
        raise InputError(f"between = {between!r} must be two values of the parameter, the smaller first.")
    return found


def _state(value: Any, what: str, n: int | None = None) -> np.ndarray:
    try:
        x = np.asarray(value, float)
    except (TypeError, ValueError):
        x = np.zeros(0)
    if x.ndim != 1 or x.size < 2 or not np.all(np.isfinite(x)) or (n is not None and x.size != n):
        raise InputError(f"{what} = {value!r} must be a state: {n if n is not None else 'two or more'} finite numbers.")
    return x


def _ends(
    rates: Formula, source: np.ndarray, target: Any, towards: Any, radius: Any, longest: Any, section: Any, p: float
) -> Ends:
    """What was given, checked; the direction of shooting follows from the dimensions of the manifolds at p."""
    n = source.size
    cut = None
    if section is not None:
        if n != 2:
            raise InputError(
                f"a section compares one-dimensional manifolds in the plane; this system has {n} states. Leave it out: the gap is then measured at the target."
            )
        if not isinstance(section, (tuple, list)) or len(section) != 2:
            raise InputError(f"section = {section!r} must be (point, normal).")
        cut = (_state(section[0], "the point of the section", 2), _state(section[1], "the normal of the section", 2))
        if not np.any(cut[1]):
            raise InputError("the normal of the section must not be zero.")
    ends = Ends(
        rates,
        source,
        None if target is None else _state(target, "target", n),
        None if towards is None else _state(towards, "towards", n),
        None if radius is None else number(radius, "radius"),
        np.inf,
    )
    a, b = ends.saddles(p)
    backward = not (a.unstable == 1 and b.unstable == 1)
    if backward and not (n - b.unstable == 1 and n - a.unstable == 1):
        raise InputError(
            f"shooting follows a one-dimensional manifold to one of codimension one; here the source has {a.unstable} unstable directions of {n} and the target "
            f"{n - b.unstable} stable ones. Give a guess of the orbit to connection_from_guess instead."
        )
    slowest = float(np.abs(np.concatenate([a.eigenvalues.real, b.eigenvalues.real])).min())
    across = (a if backward else b).direction(not backward)[2]
    time = number(longest, "longest") if longest is not None else 60.0 / slowest
    return Ends(rates, source, ends.target, ends.towards, ends.radius, time, cut, backward, across)


def find_connection(
    field: Any,
    source: Any,
    target: Any = None,
    between: tuple[float, float] = (0.0, 1.0),
    parameter: str | None = None,
    towards: Any = None,
    section: tuple[Any, Any] | None = None,
    radius: float | None = None,
    longest: float | None = None,
    count: int = 9,
    names: Sequence[str] | None = None,
    tolerance: float = 1e-12,
    boundary_value: bool = True,
) -> Connection:
    """The connection from the equilibrium near `source` to the one near `target` (to itself, without) for a parameter between two values.

    field: f(x, p), or a Rollick system with the name of one of its numbers as `parameter`. towards: a state on the side to which the orbit leaves (the target, by
    default). radius: of the ball around the target, by default a tenth of the way. section: (point, normal), in the plane: compare both manifolds there.
    longest: the time to look for, by default 60 times the slowest time of leaving. count: how many values are tried first.
    """
    x_source = _state(source, "source")
    n = x_source.size
    rates = rates_of(field, parameter, n)
    if rates.size != n:
        raise InputError(f"source = {source!r} has {n} numbers; the system has {rates.size} states.")
    ends_of = interval(between)
    for name, value in (("radius", radius), ("longest", longest), ("tolerance", tolerance)):
        if value is not None and not number(value, name) > 0.0:
            raise InputError(f"{name} = {value!r} must be above zero.")
    ends = _ends(rates, x_source, target, towards, radius, longest, section, 0.5 * (ends_of[0] + ends_of[1]))
    p, shots = bracketed(ends, ends_of, whole(count, "count", 2), tolerance)
    shot = shoot(ends, p)
    a, b = ends.saddles(p)
    told = _names(rates, names, n)
    word = parameter or "p"
    if not boundary_value:
        t, x = _cut(shot, ends, a, b)
        return Connection(word, p, p, None, float("nan"), t, x, a, b, told, shots)
    if shot.t.size == 0 or not shot.what == "passes":
        raise InputError(
            f"the connection at p = {p:.12g} could not be followed to its target (the motion {shot.what}), so that it cannot be checked as a boundary-value problem."
        )
    t, x = _cut(shot, ends, a, b)
    q, error, t, x = _checked(ends, a, b, t, x, p)
    if not abs(q - p) <= AGREE * (ends_of[1] - ends_of[0]) + 1e3 * tolerance:
        raise InputError(
            f"shooting tells {word} = {p:.12g}, the boundary-value problem {q:.12g}: they differ by {abs(q - p):.2g}, so that neither is trusted. "
            f"Bring the values of between nearer together."
        )
    a, b = ends.saddles(q)
    return Connection(word, q, p, q, error, t, x, a, b, told, shots)


def _cut(shot: Shot, ends: Ends, a: Saddle, b: Saddle) -> tuple[np.ndarray, np.ndarray]:
    """Times and states of a shot, in the order of time, from near the source to where it is nearest to the target, or as near as NEAR."""
    goal = a.x if ends.backward else b.x
    away = np.linalg.norm(shot.x - goal[:, None], axis=0)
    size = away.max()
    first = int(np.argmax(away)) if ends.homoclinic else 0
    near = np.flatnonzero(away[first:] < NEAR * size)
    last = first + (int(near[0]) if near.size else int(np.argmin(away[first:])))
    begin = np.linalg.norm(shot.x - shot.x[:, :1], axis=0)
    start = max(0, int(np.flatnonzero(begin > NEAR * size)[0]) - 1)
    t, x = shot.t[start : last + 1], shot.x[:, start : last + 1]
    if ends.backward:
        t, x = (t[-1] - t)[::-1], x[:, ::-1]
    return t - t[0], x


def _checked(
    ends: Ends, a: Saddle, b: Saddle, t: np.ndarray, x: np.ndarray, p: float
) -> tuple[float, float, np.ndarray, np.ndarray]:
    """The boundary-value problem of what shooting found; the phase is fixed at the end with one direction."""
    if not ends.backward:
        return _by_boundary_value(ends.rates, a, b, t, x, p)
    q, error, t, x = _by_boundary_value(Backwards(ends.rates), _reversed(b), _reversed(a), (t[-1] - t)[::-1], x[:, ::-1], p)
    return q, error, (t[-1] - t)[::-1], x[:, ::-1]


def _reversed(s: Saddle) -> Saddle:
    """The same equilibrium with time running backwards."""
    return Saddle(s.x, s.p, -s.A, -s.eigenvalues[::-1])


def _by_boundary_value(
    rates: Formula, a: Saddle, b: Saddle, t: np.ndarray, x: np.ndarray, p: float
) -> tuple[float, float, np.ndarray, np.ndarray]:
    """The parameter, its change when the mesh is halved, and the orbit on the finer mesh."""
    problem = boundary_problem(rates, a, b, x[:, 0])
    x, p, _ = solve(problem, t, x, p)
    while True:
        fine = np.sort(np.concatenate([t, 0.5 * (t[:-1] + t[1:])]))
        x, q, _ = solve(problem, fine, np.stack([np.interp(fine, t, row) for row in x]), p)
        error, p, t = abs(q - p), q, fine
        if error <= 1e-11 * max(1.0, abs(q)) or t.size > MOST:
            return q, error, t, x


def connection_from_guess(
    field: Any, t: Any, x: Any, p: float, parameter: str | None = None, names: Sequence[str] | None = None
) -> Connection:
    """A connection from a guess of its states x (states, times) at times t and of its parameter: the boundary-value problem alone, for manifolds of any dimension.

    The guess must begin near the source and end near the target; a path that has the right shape will do.
    """
    times, guess = np.asarray(t, float), np.asarray(x, float)
    if guess.ndim != 2 or times.ndim != 1 or guess.shape[1] != times.size or times.size < 4 or not np.all(np.diff(times) > 0.0):
        raise InputError("the guess must be rising times t and states x of shape (states, times), four times or more.")
    rates = rates_of(field, parameter, guess.shape[0])
    ends = Ends(rates, guess[:, 0], guess[:, -1], None, None, np.inf)
    a, b = ends.saddles(number(p, "p"))
    q, error, times, states = _by_boundary_value(rates, a, b, times, guess, float(p))
    a, b = ends.saddles(q)
    return Connection(parameter or "p", q, None, q, error, times, states, a, b, _names(rates, names, guess.shape[0]), [])
