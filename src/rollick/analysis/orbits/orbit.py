"""A periodic orbit: what `find_orbit` returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...kernel import strict_json
from ...kernel.names import InputError, called
from ...kernel.system import description
from ...motion.result.files import open_data, restored
from ...motion.result.outcome import FINISHED
from ...motion.result.protocol import Result
from ...motion.result.provenance import parameters, versions
from ...motion.result.rebuilt import known_type, rebuilt, type_name
from .closure import Closure
from .impacts import Impact, impact_gap
from .modes_flow import flow_of
from .multipliers import multipliers_of
from .period import Period, by_frequency

FORMAT = "rollick orbit 1"
NOT_ONE = 1e-2  # a trivial multiplier this far from 1: the others are not known either
SPREAD = 3.0  # times the error of the trivial multipliers
ON_CIRCLE = 1e-6  # a multiplier this near to the unit circle is not called stable or unstable


class Orbit(Result):
    """A periodic orbit: `period`, `start`, `multipliers`, `stability`, `data`, `motion()`, `plot()`."""

    has_page = False

    def __init__(
        self,
        system: Any,
        period: Period,
        closure: Closure,
        mesh: np.ndarray,
        states: np.ndarray,
        T: float,
        extra: np.ndarray,
        factors: np.ndarray,
        made: dict[str, Any],
        message: str = "",
        impacts: Sequence[Impact] = (),
    ):
        self.system, self.period_law, self.closure = system, period, closure
        self.mesh, self.states, self.period, self.extra = mesh, states, T, extra  # nodes (without the last) and states there
        self.factors, self.made = factors, made
        self._message, self.impacts = message, list(impacts)
        self._parts = multipliers_of(factors)

    # -- how it ended --------------------------------------------------------------------------------------------------------------

    @property
    def status(self) -> str:
        """`finished`: an orbit that was not found raises an error instead."""
        return FINISHED

    @property
    def message(self) -> str:
        """How it was found, and whether its multipliers are known."""
        if self.trivial_error <= NOT_ONE:
            return self._message
        return f"{self._message}; its multipliers are not known: one that must be 1 is off by {self.trivial_error:.1g} (a finer mesh, more harmonics or parts help)"

    @property
    def system_name(self) -> str:
        """The class of the system."""
        return called(self.system)

    @property
    def provenance(self) -> dict[str, Any]:
        """Where it came from."""
        head = {"system": self.system_name, "type": type_name(type(self.system)), "parameters": parameters(self.system)}
        return {**head, "model": self.model, **self.made, "versions": versions()}

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return parameters(self.system)

    @property
    def events(self) -> list[Any]:
        """The impacts."""
        return list(self.impacts)

    # -- what it is ----------------------------------------------------------------------------------------------------------------

    @property
    def start(self) -> np.ndarray:
        """The state at t = 0."""
        return self.states[0]

    @property
    def driven(self) -> bool:
        """Whether a drive gives the period."""
        return not self.period_law.unknown

    @property
    def advance(self) -> dict[str, float]:
        """By how much free states advance in a period; `turn`: the angle by which turning states do."""
        names = [q.name for q in description(self.system).states]
        told = {names[k]: float(a) for k, a in zip(self.closure.free, self.extra)}
        return {**told, "turn": float(self.extra[-1])} if self.closure.turning else told

    @property
    def part_multipliers(self) -> np.ndarray:
        """Those of the map over the part that was computed (half a period for half-period symmetry), followed by its symmetry."""
        return self._parts.values

    @property
    def all_multipliers(self) -> np.ndarray:
        """The eigenvalues of the map over a period, trivial ones too, the largest first."""
        return self._parts.values**self.closure.order

    @property
    def trivial(self) -> list[int]:
        """Which of `all_multipliers` are 1 by necessity: along the orbit of a system that runs by itself, one for each free or turning direction, and one across
        the family that a conserved quantity makes."""
        count = (0 if self.driven else 1) + self.closure.extra + int(self.made.get("family") or 0)
        return sorted(np.argsort(np.abs(self._parts.values - 1.0))[:count].tolist())

    @property
    def multipliers(self) -> np.ndarray:
        """The Floquet multipliers without the trivial ones, the largest first."""
        return np.delete(self.all_multipliers, self.trivial)

    @property
    def exponents(self) -> np.ndarray:
        """The Floquet exponents ln|mu|/T of these multipliers; they do not underflow."""
        return np.delete(self._parts.logarithms, self.trivial) * self.closure.order / self.period

    @property
    def trivial_error(self) -> float:
        """By how much the trivial multipliers differ from 1: a measure of how well all of them are known."""
        return float(np.max(np.abs(self.all_multipliers[self.trivial] - 1.0), initial=0.0))

    @property
    def unstable(self) -> int:
        """How many multipliers are outside the unit circle."""
        return int(np.sum(np.abs(self.multipliers) > 1.0 + self.edge))

    @property
    def edge(self) -> float:
        """How near to the unit circle a multiplier is on it: where several must be 1, by symmetry and by what is conserved, all of them are spread about 1 like the trivial ones."""
        return max(ON_CIRCLE, SPREAD * self.trivial_error)

    @property
    def stability(self) -> str:
        """`stable`, `unstable`, `neutral` (multipliers on the unit circle, none outside), or `unknown` (one that must be 1 is far from it)."""
        if self.trivial_error > NOT_ONE:
            return "unknown"
        if self.unstable:
            return "unstable"
        return "neutral" if np.any(np.abs(self.multipliers) >= 1.0 - self.edge) else "stable"

    # -- values ----------------------------------------------------------------------------------------------------------------

    def at(self, t: Any) -> np.ndarray:
        """States at some times, by the flow from the node before each."""
        try:
            times = np.atleast_1d(np.asarray(t, float))
        except (TypeError, ValueError):
            raise InputError(f"an orbit is asked for times in s; got {t!r}.") from None
        if not np.all(times >= 0.0) or not np.all(np.isfinite(times)):
            raise InputError("an orbit is asked for finite times not below zero.")
        part = self.period / self.closure.order
        turns = np.floor(times / part).astype(int)
        inside = times - turns * part
        nodes = self.mesh * self.period
        i = np.clip(np.searchsorted(nodes, inside, side="right") - 1, 0, len(nodes) - 1)
        order = np.lexsort((inside, i))
        out = np.empty((len(times), self.closure.n))
        flow = flow_of(self.system, derivatives=False)
        for k in np.unique(i):
            mine = order[i[order] == k]
            asked = np.concatenate([[nodes[k]], inside[mine]])
            keep = np.append(True, np.diff(asked) > 1e-13 * self.period)  # symmetry folds times onto one another, to rounding
            ends = (
                flow.over(asked[keep], self.states[k : k + 1], chained=True).ends
                if keep.sum() > 1
                else np.empty((0, self.closure.n))
            )
            reached = np.vstack([self.states[k : k + 1], ends])
            out[mine] = reached[np.cumsum(keep)[1:] - 1]
        if self.closure.free and turns.max(initial=0) > 0 and not self._translates():
            return self._followed(times) if np.ndim(t) else self._followed(times)[0]
        for k, turn in enumerate(turns):
            out[k] = self._carried(out[k], int(turn))
        return out[0] if np.ndim(t) == 0 else out

    def _translates(self) -> bool:
        """Whether free states only shift: what one of them does depends on no other."""
        free, M = list(self.closure.free), np.eye(self.closure.n)
        for factor in self.factors:
            M = factor @ M
        return bool(np.abs(M[np.ix_(free, free)] - np.eye(len(free))).max() < 1e-9)

    def _followed(self, times: np.ndarray) -> np.ndarray:
        """States at times beyond a period by the flow from the start."""
        order = np.argsort(times, kind="stable")
        asked, place = np.unique(np.concatenate([[0.0], times[order]]), return_inverse=True)
        ends = flow_of(self.system, derivatives=False).over(asked, self.states[:1], chained=True).ends
        out = np.empty((len(times), self.closure.n))
        out[order] = np.vstack([self.states[:1], ends])[place[1:]]
        return out

    def _carried(self, y: np.ndarray, turns: int) -> np.ndarray:
        """A state of the computed part, carried on by the closure so many times."""
        for _ in range(turns):
            y = self.closure.goal(y, self.extra)[0]
        return y

    def points(self, count: int = 201) -> tuple[np.ndarray, np.ndarray]:
        """Times over a period, both ends included, and the states there."""
        t = np.linspace(0.0, self.period, count)
        return t, self.at(t)

    def motion(self, periods: float = 1.0, **options: Any) -> Any:
        """The motion along the orbit, by `simulate`."""
        from ...motion.simulate import simulate

        if impact_gap.knows(type(self.system)) and self.impacts:
            raise InputError(
                "simulate knows nothing of impact_map, so that there is no motion of an orbit with impacts; at and points give its states."
            )

        return simulate(self.system, self.start, float(periods) * self.period, **options)

    @property
    def data(self) -> Any:
        """States over a period, and the multipliers, as an `xarray.Dataset`."""
        import xarray as xr

        t, y = self.points()
        states = description(self.system).states
        variables: dict[str, Any] = {
            q.name: ("t", y[:, k], {"units": q.unit, "long_name": q.about or q.name}) for k, q in enumerate(states)
        }
        mu = self.all_multipliers
        variables["multiplier_real"] = ("multiplier", mu.real)
        variables["multiplier_imag"] = ("multiplier", mu.imag)
        variables["multiplier_log"] = ("multiplier", self._parts.logarithms * self.closure.order)
        variables["node"] = ("nodes", self.mesh)
        variables["node_state"] = (("nodes", "state"), self.states)
        variables["factor"] = (("factors", "to", "from"), self.factors)
        variables["symmetry"] = (("to", "from"), self.closure.matrix)
        if self.impacts:
            variables["impact_time"] = ("impact", [i.t for i in self.impacts], {"units": "s"})
            variables["impact_speed"] = ("impact", [i.speed for i in self.impacts])
            variables["impact_before"] = (("impact", "state"), [i.state for i in self.impacts])
            variables["impact_after"] = (("impact", "state"), [i.after for i in self.impacts])
        attributes = {
            "format": FORMAT,
            "title": f"periodic orbit of {self.title}",
            "status": self.status,
            "message": self.message,
            "period": self.period,
            "stability": self.stability,
            "extra": strict_json.dumps(self.extra.tolist()),
            "closure": strict_json.dumps(
                {
                    "order": self.closure.order,
                    "free": list(self.closure.free),
                    "advance": self.closure.advance.tolist(),
                    "turning": [list(pair) for pair in self.closure.turning],
                    "driven": self.driven,
                    "frequency": self.period_law.frequency,
                    "cycles": self.period_law.cycles,
                }
            ),
            "provenance": strict_json.dumps(self.provenance),
        }
        if self.model:
            attributes["model"] = self.model
        return xr.Dataset(variables, {"t": ("t", t, {"units": "s"}), "state": ("state", [q.name for q in states])}, attributes)

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """Times and states over a period."""
        t, y = self.points()
        return t, {q.name: y[:, k] for k, q in enumerate(description(self.system).states)}, {}

    def own_numbers(self) -> dict[str, Any]:
        """Period, multipliers, stability."""
        told = [[float(m.real), float(m.imag)] for m in self.multipliers]
        return {
            "period": self.period,
            "multipliers": told,
            "exponents": self.exponents.tolist(),
            "stability": self.stability,
            "trivial_error": self.trivial_error,
            "advance": self.advance,
        }

    # -- pictures and words ------------------------------------------------------------------------------------------------------------

    def plot(self, *names: str, path: Any = None) -> Any:
        """Two states against each other (the first two, or those named), and the multipliers about the unit circle."""
        from .pictures import orbit_picture

        return orbit_picture(self, names, path)

    def summary(self) -> str:
        """The orbit in a few lines."""
        names = [q.name for q in description(self.system).states]
        lines = [
            f"periodic orbit of {self.title}",
            f"period        {self.period:.12g} s ({'driven' if self.driven else 'its own'})",
        ]
        lines += ["start         " + ", ".join(f"{name} = {value:.9g}" for name, value in zip(names, self.start))]
        lines += [f"multipliers   {', '.join(map(number_words, self.multipliers)) or 'none besides the trivial one'}"]
        if self.trivial:
            lines += [f"trivial       {len(self.trivial)} (off by {self.trivial_error:.1e})"]
        if self.impacts:
            told = ", ".join(f"t = {i.t:.9g} (closing at {i.speed:.6g})" for i in self.impacts)
            lines += [f"impacts       {told}"]
        if self.advance:
            lines += ["advance       " + ", ".join(f"{name} {value:.9g}" for name, value in self.advance.items())]
        return "\n".join([*lines, f"stability     {self.stability}", f"status        {self.status}: {self.message}"])

    @classmethod
    def open(cls, path: Any) -> Orbit:
        """An orbit from a file written by `to_netcdf`."""
        return of_data(open_data(path, FORMAT, "periodic orbit written by this program"), path)


def of_data(data: Any, path: Any) -> Orbit:
    """The orbit in a data set that was read from a file; its system must be known here."""
    return restored(_orbit_of, data, path)


def _orbit_of(data: Any) -> Orbit:
    made = strict_json.loads(data.attrs["provenance"])
    system = rebuilt(known_type(made["type"]), made["parameters"])
    told = strict_json.loads(data.attrs["closure"])
    T = float(data.attrs["period"])
    closure = Closure(
        data.sizes["state"],
        data["symmetry"].values,
        int(told["order"]),
        tuple(told["free"]),
        np.array(told["advance"]),
        tuple((a, b) for a, b in told["turning"]),
    )
    cycles, frequency = int(told["cycles"]), str(told["frequency"])
    drive = by_frequency(frequency) if frequency else (lambda s: T / cycles)
    period = Period(drive, cycles, frequency) if told["driven"] else Period()
    impacts = []
    if "impact_time" in data:
        columns = (data[f"impact_{name}"].values for name in ("time", "before", "after", "speed"))
        impacts = [Impact(float(t), before, after, float(speed)) for t, before, after, speed in zip(*columns)]
    known = {"system", "type", "parameters", "model", "versions"}
    orbit = Orbit(
        system, period, closure, data["node"].values, data["node_state"].values, T, np.array(strict_json.loads(data.attrs["extra"])),
        data["factor"].values, {k: v for k, v in made.items() if k not in known}, str(data.attrs["message"]), impacts,
    )  # fmt: skip
    return orbit.of_model(str(data.attrs["model"])) if "model" in data.attrs else orbit


def number_words(value: complex) -> str:
    """A multiplier in words."""
    return f"{value.real:.9g}" if value.imag == 0.0 else f"{value.real:.9g}{value.imag:+.9g}i"
