"""What a drop test tells: the shock ratio and how far to believe it, the impacts, the phases, and the checks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...kernel import strict_json
from ...kernel.names import choose
from ...motion.events.event import Occurrence
from ...motion.result.files import open_data, restored
from ...motion.result.protocol import Result
from ...motion.result.rebuilt import rebuilt
from ...motion.result.trust import Trust
from . import sequence as seq
from .convergence import Convergence, drop_trust
from .device import Device, checked
from .files import columns, finite, named, numbers
from .settings import LONGEST, Settings, settings
from .trajectory import STATES, good_times, sample

WORDS = {
    seq.RESTED: "rested",
    seq.REACHED: "finished",
    seq.MOST_IMPACTS: "max_impacts",
    seq.SIMULTANEOUS: "simultaneous_impact",
    seq.FAILED: "step_underflow",
}
FORMAT = "rollick drop 2"
KINDS = {seq.FLIGHT: "flight", seq.SLIP: "slip", seq.REST: "rest"}
ABOUT = {
    "h": ("1", "height of the mass centre / half-length"),
    "phi": ("rad", "angle of the rod"),
    "v": ("1", "h'"),
    "w": ("1", "phi'"),
    "u": ("1", "displacement of the oscillator / half-length"),
    "du": ("1", "u'"),
}


def plain(value: float) -> float | str:
    """A number that JSON can hold."""
    return value if math.isfinite(value) else "infinite"


@dataclass(frozen=True, eq=False, repr=False)
class Drop(Result):
    """A drop test. Dimensionless: lengths in half-lengths l, times in sqrt(l/g)."""

    device: Device
    settings: Settings
    start: tuple[float, ...]
    reference: float
    impact_log: np.ndarray
    phase_log: np.ndarray
    found: np.ndarray
    convergence: Convergence | None

    @property
    def R(self) -> float:
        """The shock ratio sup|u|/sup|u_r| (5.22); the ring-down after the last impact counts."""
        return float(self.found[seq.PEAK] / self.reference)

    @property
    def R_goyal(self) -> float:
        """The largest velocity jump of the attachment over the fall's speed (5.28)."""
        return float(self.found[seq.JUMP] / math.sqrt(2.0 * self.start[0] + self.start[2] ** 2))

    @property
    def peak(self) -> float:
        """sup |u|."""
        return float(self.found[seq.PEAK])

    @property
    def peak_time(self) -> float:
        """When |u| is largest."""
        return float(self.found[seq.PEAK_TIME])

    @property
    def t(self) -> float:
        """When the rod came to rest, or the computation stopped."""
        return float(self.found[seq.TIME])

    @property
    def flips(self) -> int:
        """Half turns of the rod between start and end."""
        return int(self.found[seq.TURNS])

    @property
    def status(self) -> str:
        """In a word."""
        return WORDS[int(self.found[seq.STATUS])]

    @property
    def complete(self) -> bool:
        """Whether the drop was followed to its end, or as far as was asked for."""
        return self.status in ("rested", "finished", "simultaneous_impact")

    @property
    def message(self) -> str:
        """In a sentence."""
        n, t = len(self.impact_log), self.t
        return {
            "rested": f"the rod rests from t = {t:.6g} on, after {n} impacts.",
            "finished": f"reached t = {t:.6g}.",
            "max_impacts": f"gave up after {n} impacts at t = {t:.6g}; R is a lower bound. Raise max_impacts, give until, or lower gamma.",
            "simultaneous_impact": f"both ends hit at once at t = {t:.6g}, where one impact law does not decide; choose a rule to go on.",
            "step_underflow": f"the slip phase could not be integrated beyond t = {t:.6g}.",
        }[self.status]

    @property
    def warnings(self) -> list[str]:
        """What deserves a second look."""
        found = []
        fastest = float(self.found[seq.FASTEST])
        if fastest > self.device.Omega:
            felt = (
                "u grows while it flies" if self.settings.centrifugal else "the term u phi'^2, left out here, would make u grow"
            )
            found.append(
                f"the rod turns with |phi'| up to {fastest:.4g}, faster than the oscillator's Omega = {self.device.Omega:.4g}: {felt}."
            )
        if self.found[seq.MEETINGS]:
            found.append(
                f"both ends were on the floor at {int(self.found[seq.MEETINGS])} impacts; the rule {self.settings.simultaneous!r} decided."
            )
        if self.convergence is not None and not self.convergence.converged:
            found.append(f"R depends on the tolerance: {self.convergence.text()}.")
        found += [f"a law is broken: {check.text}." for check in self.trust.doubts if check.name != "convergence"]
        if not self.complete:
            found.append(self.message)
        return found

    @property
    def checks(self) -> dict[str, float]:
        """What must vanish: a rise of energy, violations of restitution and of the energy balance at impacts, drift between impacts."""
        return {
            "energy_rise": float(max(0.0, self.found[seq.ENERGY_RISE])),
            "restitution": float(self.found[seq.RESTITUTION]),
            "energy_balance": float(self.found[seq.BALANCE]),
            "drift": float(self.found[seq.DRIFT]),
        }

    @property
    def trust(self) -> Trust:  # type: ignore[override]
        """How well the laws were kept, and whether R depends on the tolerance."""
        return drop_trust(self.checks, self.convergence)

    def at(self, times: Any) -> np.ndarray:
        """The states h, phi, h', phi', u, u' at given times, shape (len(times), 6)."""
        return sample(self.device, self.settings.rules(), self.phase_log, np.sort(np.atleast_1d(np.asarray(times, float))))

    @property
    def data(self) -> Any:
        """The drop as an `xarray.Dataset`: the motion over `t`, the impacts over `impact`, the phases over `phase`."""
        import xarray as xr

        times = good_times(self.device, self.phase_log, self.t)
        states = self.at(times)
        variables: dict[str, Any] = {
            name: ("t", states[:, j], {"units": ABOUT[name][0], "long_name": ABOUT[name][1]}) for j, name in enumerate(STATES)
        }
        energy = states[:, 0] + 0.5 * (states[:, 2] ** 2 + (self.device.rho * states[:, 3]) ** 2)
        variables["energy"] = ("t", energy, {"units": "1", "long_name": "energy of the rod / (m g l)"})
        for j, name in enumerate(seq.IMPACT_COLUMNS):
            variables[f"impact_{name}"] = ("impact", self.impact_log[:, j], {"units": "1"})
        for j, name in enumerate(seq.PHASE_COLUMNS):
            variables[f"phase_{name}"] = ("phase", self.phase_log[:, j], {"units": "1"})
        attributes = {k: v if isinstance(v, (int, float, str)) else strict_json.dumps(v) for k, v in self.attributes().items()}
        return xr.Dataset(
            variables, coords={"t": ("t", times, {"units": "1", "long_name": "time / sqrt(l/g)"})}, attrs=attributes
        )

    def plot(self, *names: str, path: Any = None) -> Any:
        """Curves of the drop (default: h, phi and u with the reference motion); returns the figure."""
        from .pictures import drop_figure

        return drop_figure(self, [choose(n, (*STATES, "energy"), "quantity") for n in names], path)

    def scene(self, title: str | None = None, **look: Any) -> dict[str, Any]:
        """The rod falling, as a flat box with its oscillator."""
        from ...view.faceted_page import drop_data

        return drop_data(self, title)

    # -- for JSON and files -----------------------------------------------------------------------------------------------------

    @property
    def system_name(self) -> str:
        """A device."""
        return "Device"

    def parameters(self) -> dict[str, Any]:
        """The device, dimensionless."""
        return self.device.as_dict()

    @property
    def provenance(self) -> dict[str, Any]:
        """The start, and the choices of the drop."""
        return {**super().provenance, "start": dict(zip(STATES, self.start)), "method": "drop", **self.settings.as_dict()}

    @property
    def events(self) -> list[Occurrence]:
        """The impacts, with the states after them."""
        times = self.impact_log[:, 0]
        ends = [f"end {int(which)}" for which in self.impact_log[:, 1]]
        return [
            Occurrence(float(t), name, "impact", y) for t, name, y in zip(times, ends, self.at(times) if len(times) else times)
        ]

    def state_names(self) -> list[str]:
        """h, phi, v, w, u, du."""
        return list(STATES)

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The motion at instants that show it well, and the energy of the rod."""
        data = self.data
        return data["t"].values, {name: data[name].values for name in STATES}, {"energy": data["energy"].values}

    def attributes(self) -> dict[str, Any]:
        """What a file says of the drop besides its numbers over time."""
        model = {"model": self.model} if self.model else {}
        told = {"title": f"drop of {self.title}", "status": self.status, "message": self.message, "provenance": self.provenance}
        return {"format": FORMAT, **model, **told, **self.own_numbers(), "record": self.record()}

    def record(self) -> dict[str, Any]:
        """What a file needs besides the logs, so that it comes back as a `Drop`."""
        return {
            "device": self.device._asdict(),
            "settings": self.settings.as_dict(),
            "start": self.start,
            "reference": self.reference,
            "found": self.found,
            "convergence": self.convergence.record() if self.convergence is not None else None,
        }

    @staticmethod
    def open(path: Any) -> Drop:
        """A drop from a file that `to_netcdf` wrote, exactly as it was."""
        return of_data(open_data(path, FORMAT, "drop that this program can open"), path)

    def own_numbers(self) -> dict[str, Any]:
        """The device and its start; the shock ratio and how far to believe it."""
        return {
            "device": self.device.as_dict(),
            "start": dict(zip(STATES, self.start)),
            "settings": self.settings.as_dict(),
            "R": plain(self.R),
            "R_goyal": plain(self.R_goyal),
            "peak": plain(self.peak),
            "peak_time": plain(self.peak_time),
            "rest_time": self.t,
            "impacts": len(self.impact_log),
            "flips": self.flips,
            "convergence": self.convergence.as_dict() if self.convergence is not None else None,
            "checks": self.checks,
            "warnings": self.warnings,
        }

    def summary(self) -> str:
        """The drop in a few lines."""
        d, of = self.device, f"drop       {self.model}\n" if self.model else ""
        slips = int(np.sum(self.phase_log[:, 0] == seq.SLIP))
        lines = [
            f"{of}device     rho {d.rho:.6g}, gamma {d.gamma:.6g}, oscillator at r = {d.r:.6g}, alpha {d.alpha:.6g}, d {d.d:.6g} (Omega {d.Omega:.6g})",
            f"dropped    from h = {self.start[0]:.6g} at phi = {math.degrees(self.start[1]):.6g} deg",
            f"status     {self.status}: {self.message}",
            f"R          {self.R:.8g}: sup|u| = {self.peak:.6g} at t = {self.peak_time:.6g}, reference {self.reference:.6g}",
            f"R_Goyal    {self.R_goyal:.8g}",
            f"impacts    {len(self.impact_log)}, {slips} slips, {abs(self.flips)} half turns",
        ]
        if self.convergence is not None:
            lines.append(f"trust      {self.convergence.text()}")
        lines.append("checks     " + ", ".join(f"{k.replace('_', ' ')} {v:.1e}" for k, v in self.checks.items()))
        return "\n".join(lines + [f"note       {w}" for w in self.warnings])


def of_data(data: Any, path: Any) -> Drop:
    """The drop in a data set that was read from a file."""
    return restored(lambda given: named(_drop_of(given), given), data, path)


def _drop_of(data: Any) -> Drop:
    said = strict_json.loads(data.attrs["record"])
    device: Device = checked(rebuilt(Device, said["device"]))
    finite([*device, device.alpha, device.d], 7)
    if device.delta < 0.0:
        raise ValueError("the damping is negative")
    start = finite(said["start"], 6)
    found = numbers(said["found"], seq.FOUND)
    impacts = columns(data, "impact_", seq.IMPACT_COLUMNS)
    phases = columns(data, "phase_", seq.PHASE_COLUMNS)
    if found[seq.STATUS] not in list(WORDS) or (found[seq.IMPACTS], found[seq.PHASES]) != (len(impacts), len(phases)):
        raise ValueError("what was found does not fit the impacts and phases")
    _check_logs(impacts, phases)
    told = said["convergence"]
    return Drop(
        device,
        _settings(said["settings"]),
        tuple(start.tolist()),
        float(finite([said["reference"]], 1)[0]),
        impacts,
        phases,
        found,
        None if told is None else Convergence.recorded(told),
    )


def _settings(said: Any) -> Settings:
    """The choices, checked as if somebody had made them."""
    names = set(Settings.__dataclass_fields__)
    if not isinstance(said, dict) or set(said) != names or not isinstance(said["centrifugal"], bool):
        raise ValueError(f"the choices of a drop are {', '.join(sorted(names))}")
    return settings(**said)


def _check_logs(impacts: np.ndarray, phases: np.ndarray) -> None:
    """Impacts and phases of a drop that can have been."""
    finite(impacts, impacts.size)
    finite(np.delete(phases, seq.PHASE_COLUMNS.index("duration"), axis=1), 10 * len(phases))
    kinds, begin, duration, end = phases[:, 0], phases[:, 1], phases[:, 2], phases[:, 3]
    good = len(phases) > 0 and np.isin(kinds, list(KINDS)).all() and np.isin(end, (-1.0, 0.0, 1.0)).all()
    good = good and (np.diff(begin) >= 0.0).all() and begin.min() >= 0.0 and begin.max() <= LONGEST and (duration >= 0.0).all()
    good = good and np.isfinite(duration[:-1]).all() and np.isin(impacts[:, 1], (0.0, 1.0)).all()
    if not good:
        raise ValueError("the phases or impacts are none that a drop can have")
