"""What a drop in three dimensions tells."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel import strict_json
from ...kernel.compiled import compiled
from ...kernel.palette import INK, WARM
from ...kernel.quaternion import quaternion_matrix
from ...motion.events.event import Occurrence
from ...motion.result.files import open_data, restored
from ...motion.result.protocol import Result
from ...motion.result.rebuilt import rebuilt
from ...motion.result.trust import Trust
from . import bouncing as pd
from .convergence import Convergence, drop_trust
from .files import columns, finite, named, numbers
from .oscillator import resting_peak
from .polyhedron import Component, Polyhedron, Solid
from .vertex_impact import body_energy

FORMAT = "rollick solid drop 2"
STATUSES = (pd.ACCUMULATED, pd.REACHED, pd.MOST_IMPACTS, pd.FAILED)
RESTING = {1: "vertex_rests", 2: "edge_rests"}


@compiled
def later_peak(body, part, g, y, energy, first):
    """A bound on |u| after the computation has stopped in the state y, with some energy left; `first` = sup|u_r|/speed.

    With that energy the component's place has at most the speed V along its direction, and a velocity within +-V moves the oscillator by at
    most V times the total variation of its response; its free vibration and its weight come on top. The turning of its direction is left out.
    """
    a, d = part.a, part.d
    arm = (a[1] * d[2] - a[2] * d[1], a[2] * d[0] - a[0] * d[2], a[0] * d[1] - a[1] * d[0])
    yields = 1.0 / body.mass
    for k in range(3):
        yields += arm[k] * arm[k] / body.moments[k]
    V = math.sqrt(max(0.0, 2.0 * energy * yields))
    fast = part.Omega * part.Omega - part.delta * part.delta
    fading = math.exp(-math.pi * part.delta / math.sqrt(fast)) if fast > 0.0 else 0.0
    variation = 1.0 + 2.0 / (1.0 - fading) if fading < 1.0 else math.inf
    ring = resting_peak(y[13], y[14], 0.0, part.delta, part.Omega * part.Omega)[0]
    return ring + V * first * variation + 2.0 * g / (part.Omega * part.Omega)


@dataclass(frozen=True, eq=False, repr=False)
class SolidDrop(Result):
    """A drop of a polyhedron; SI units. `start` and `end` are states (see `rollick.archetypes.dropped_device.polyhedron.STATES`)."""

    solid: Solid
    component: Component
    rules: pd.BounceRules
    start: np.ndarray
    end: np.ndarray
    speed: float
    reference: float
    impact_log: np.ndarray
    found: np.ndarray
    convergence: Convergence | None = None

    @property
    def peak(self) -> float:
        """sup |u| [m]; after the last impact the oscillator rings down freely."""
        ring = resting_peak(self.end[13], self.end[14], 0.0, self.component.delta, self.component.Omega**2)[0]
        return float(max(self.found[pd.PEAK], ring))

    @property
    def R(self) -> float:
        """The shock ratio, as (5.22); with friction until impacts accumulate."""
        return self.peak / self.reference

    @property
    def R_goyal(self) -> float:
        """The largest velocity jump of the component's place along its direction over the fall's speed, as (5.28)."""
        return float(self.found[pd.JUMP] / self.speed)

    @property
    def energy_left(self) -> float:
        """The energy at the end above the lowest the body can have [J]."""
        low = self.solid.body.mass * self.rules.g * self.solid.least_height
        return float(body_energy(self.solid.body, self.rules.g, self.end)) - low

    @property
    def R_bound(self) -> float:
        """What R can still become; see `later_peak`."""
        more = later_peak(self.solid.body, self.component, self.rules.g, self.end, self.energy_left, self.reference / self.speed)
        return max(self.peak, float(more)) / self.reference

    @property
    def t(self) -> float:
        """When the computation stopped [s]."""
        return float(self.found[pd.TIME])

    @property
    def status(self) -> str:
        """In a word."""
        code = int(self.found[pd.STATUS])
        if code == pd.ACCUMULATED:
            quiet = int(self.found[pd.QUIET])
            if quiet > 2 or quiet == len(self.solid.body.vertices):
                return "rested" if self.stands else "topples"
            return RESTING[quiet]
        return {pd.REACHED: "finished", pd.MOST_IMPACTS: "max_impacts"}.get(code, "stuck")

    @property
    def stands(self) -> bool:
        """Whether the mass centre is above the vertices on the floor: seen from it, they leave no gap of half a turn."""
        turn = np.array(quaternion_matrix(tuple(self.end[6:10].tolist())))
        points = self.solid.body.vertices @ turn.T
        low = points[points[:, 2] <= points[:, 2].min() + 1e-6 * np.abs(points).max()]
        angles = np.sort(np.arctan2(low[:, 1], low[:, 0]))
        gaps = np.diff(np.append(angles, angles[0] + 2.0 * math.pi))
        return bool(gaps.max() <= math.pi + 1e-9)

    @property
    def complete(self) -> bool:
        """Whether it was followed to rest, with friction until impacts accumulate, or as long as was asked for."""
        return self.status not in ("max_impacts", "stuck", "topples")

    @property
    def message(self) -> str:
        """In a sentence."""
        n = len(self.impact_log)
        left = f"{self.energy_left:.3g} J are left, which could raise R to at most {self.R_bound:.4g}."
        return {
            "rested": f"the body rests from t = {self.t:.6g} s on, after {n} impacts.",
            "topples": f"three vertices touch at t = {self.t:.6g} s, but the mass centre is not above them; this is not followed. {left}",
            "vertex_rests": f"impacts accumulate at a vertex at t = {self.t:.6g} s, after {n}; lasting friction is not followed. {left}",
            "edge_rests": f"impacts accumulate at an edge at t = {self.t:.6g} s, after {n}; lasting friction is not followed. {left}",
            "finished": f"reached t = {self.t:.6g} s.",
            "max_impacts": f"gave up after {n} impacts at t = {self.t:.6g} s. {left}",
            "stuck": f"impacts without end at t = {self.t:.6g} s. {left}",
        }[self.status]

    @property
    def checks(self) -> dict[str, float]:
        """Relative to the energy and speed of the fall: a rise of energy at impacts, drift in flight, violation of restitution."""
        E = self.solid.body.mass * self.rules.g * self.start[2]
        return {
            "energy_rise": float(max(0.0, self.found[pd.ENERGY_RISE])) / E,
            "drift": float(self.found[pd.DRIFT]) / E,
            "restitution": float(self.found[pd.RESTITUTION]) / self.speed,
        }

    @property
    def trust(self) -> Trust:  # type: ignore[override]
        """How well the laws were kept, and whether R depends on the tolerance."""
        return drop_trust(self.checks, self.convergence)

    def at(self, times: Any) -> np.ndarray:
        """The states at given times, one row each (see `STATES`); the drop is followed anew to each of them."""
        found, none = np.empty(pd.FOUND), np.empty((0, len(pd.IMPACT_COLUMNS)))
        rows = np.tile(self.start, (np.size(times), 1))
        for y, t in zip(rows, np.atleast_1d(np.asarray(times, float))):
            if t > 0.0:
                pd.run_polyhedron(
                    self.solid.body, self.component, self.rules._replace(until=min(float(t), self.t)), y, none, found
                )
        return rows

    def scene(self, title: str | None = None, **look: Any) -> dict[str, Any]:
        """The body falling, with its oscillator."""
        from ...view.faceted_page import solid_drop_data

        return solid_drop_data(self, title)

    @property
    def data(self) -> Any:
        """The impacts as an `xarray.Dataset`."""
        import xarray as xr

        units = dict(zip(pd.IMPACT_COLUMNS, ("s", "", "N s", "N s", "N s", "m/s", "J", "J", "m/s")))
        columns = {n: ("impact", self.impact_log[:, j], {"units": units[n]}) for j, n in enumerate(pd.IMPACT_COLUMNS)}
        told = {"format": FORMAT, "title": f"drop of {self.title}", "status": self.status, "message": self.message}
        model = {"model": self.model} if self.model else {}
        return xr.Dataset(
            columns, attrs={**told, **model, "R": self.R, "R_goyal": self.R_goyal, "record": strict_json.dumps(self.record())}
        )

    def record(self) -> dict[str, Any]:
        """What a file needs besides the impacts, so that it comes back as a `SolidDrop`."""
        names = ("start", "end", "speed", "reference", "found")
        return {
            "body": self.solid.body._asdict(),
            "axes": self.solid.axes,
            "centre": self.solid.centre,
            "least_height": self.solid.least_height,
            "component": self.component._asdict(),
            "rules": self.rules._asdict(),
            **{name: getattr(self, name) for name in names},
            "convergence": self.convergence.record() if self.convergence is not None else None,
        }

    @staticmethod
    def open(path: Any) -> SolidDrop:
        """A drop from a file that `to_netcdf` wrote, exactly as it was."""
        return of_data(open_data(path, FORMAT, "drop of a solid that this program can open"), path)

    def plot(self, *names: str, path: Any = None) -> Any:
        """Energy and impulses over time; returns the figure."""
        from ...plotting import figure, finished

        fig, axes = figure(2, sharex=True, width=8.0)
        t = self.impact_log[:, 0]
        axes[0, 0].step(np.append(0.0, t), np.append(self.impact_log[0, 6], self.impact_log[:, 7]), where="post", color=INK)
        axes[0, 0].set_ylabel("energy [J]")
        axes[1, 0].stem(t, self.impact_log[:, 4], linefmt=WARM, markerfmt=" ", basefmt=" ")
        axes[1, 0].set_ylabel("normal impulse [N s]")
        axes[1, 0].set_xlabel("t [s]")
        axes[0, 0].set_title(f"R = {self.R:.4g}, {len(t)} impacts, {self.status}", loc="left", fontsize=10)
        return finished(fig, path)

    # -- for JSON -------------------------------------------------------------------------------------------------------------

    @property
    def system_name(self) -> str:
        """A polyhedron with a component."""
        return "Solid"

    def parameters(self) -> dict[str, Any]:
        """The body: mass, principal moments, corners; the component; restitution and friction."""
        body = self.solid.body
        numbers = {"mass": body.mass, "moments": body.moments, "vertices": body.vertices}
        return {
            **numbers,
            "component": self.component._asdict(),
            "gamma": self.rules.gamma,
            "mu": self.rules.mu,
            "g": self.rules.g,
        }

    @property
    def provenance(self) -> dict[str, Any]:
        """The start, and the choices of the drop."""
        return {**super().provenance, "start": self.start, "method": "drop", "rules": self.rules._asdict()}

    @property
    def events(self) -> list[Occurrence]:
        """The impacts; they carry no state."""
        return [Occurrence(float(t), f"vertex {int(which)}", "impact", np.empty(0)) for t, which in self.impact_log[:, :2]]

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The impacts: vertex, impulse, velocity, energies; no states are kept (`at` computes them)."""
        return self.impact_log[:, 0], {}, {n: self.impact_log[:, j] for j, n in enumerate(pd.IMPACT_COLUMNS) if n != "t"}

    def own_numbers(self) -> dict[str, Any]:
        """The shock ratio and how far to believe it."""
        bound = self.R_bound
        return {
            "R": self.R,
            "R_goyal": self.R_goyal,
            "R_bound": bound if math.isfinite(bound) else "infinite",
            "energy_left": self.energy_left,
            "impacts": len(self.impact_log),
            "time": self.t,
            "convergence": self.convergence.as_dict() if self.convergence is not None else None,
            "checks": self.checks,
        }

    def summary(self) -> str:
        """The drop in a few lines."""
        b = self.solid.body
        return "\n".join(
            [
                f"body       {b.mass:.4g} kg, {len(b.vertices)} vertices, principal moments {', '.join(f'{m:.4g}' for m in b.moments)} kg m^2",
                f"dropped    mass centre from {self.start[2]:.4g} m, gamma {self.rules.gamma:g}, mu {self.rules.mu:g}",
                f"status     {self.status}: {self.message}",
                f"R          {self.R:.8g}: sup|u| = {1e3 * self.peak:.4g} mm, reference {1e3 * self.reference:.4g} mm",
                f"R_Goyal    {self.R_goyal:.8g}",
                f"trust      {self.convergence.text() if self.convergence is not None else 'not examined'}",
                "checks     " + ", ".join(f"{k.replace('_', ' ')} {v:.1e}" for k, v in self.checks.items()),
            ]
        )


def of_data(data: Any, path: Any) -> SolidDrop:
    """The drop in a data set that was read from a file."""
    return restored(lambda given: named(_drop_of(given), given), data, path)


def _drop_of(data: Any) -> SolidDrop:
    said = strict_json.loads(data.attrs["record"])
    solid = _solid(said)
    component: Component = rebuilt(Component, said["component"])
    rules: pd.BounceRules = rebuilt(pd.BounceRules, said["rules"])
    a, d = finite(component.a, 3), finite(component.d, 3)
    finite([component.Omega, component.delta, component.centrifugal, *rules], 9)
    if component.Omega <= 0.0 or component.delta < 0.0 or min(rules) < 0.0 or rules.gamma > 1.0 or rules.most < 1:
        raise ValueError("no component or rule has these numbers")
    impacts = columns(data, "", pd.IMPACT_COLUMNS)
    found = numbers(said["found"], pd.FOUND)
    finite(impacts, impacts.size)
    if found[pd.STATUS] not in STATUSES or found[pd.IMPACTS] != len(impacts):
        raise ValueError("what was found does not fit the impacts")
    speed, reference = finite([said["speed"], said["reference"]], 2).tolist()
    told = said["convergence"]
    return SolidDrop(
        solid,
        component._replace(a=tuple(a.tolist()), d=tuple(d.tolist())),
        rules,
        finite(said["start"], 15),
        finite(said["end"], 15),
        speed,
        reference,
        impacts,
        found,
        None if told is None else Convergence.recorded(told),
    )


def _solid(said: Any) -> Solid:
    """The body, from its numbers."""
    body = said["body"]
    if set(body) != set(Polyhedron._fields):
        raise ValueError(f"a body has {', '.join(Polyhedron._fields)}")
    moments, vertices = finite(body["moments"], 3), np.array(body["vertices"], float)
    mass, least = finite([body["mass"], said["least_height"]], 2).tolist()
    if vertices.ndim != 2 or vertices.shape[1] != 3 or len(vertices) < 1 or min(mass, *moments) <= 0.0:
        raise ValueError("no body has these numbers")
    finite(vertices, vertices.size)
    axes = finite(said["axes"], 9).reshape(3, 3)
    m1, m2, m3 = moments.tolist()
    return Solid(Polyhedron(mass, (m1, m2, m3), vertices), axes, finite(said["centre"], 3), least)
