"""What `collide` returns: every impact, how the sequence ended, and whether the laws were kept; its file, which is read without trusting it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...kernel import strict_json
from ...mechanics.plate import Plate, is_possible
from ..events.event import Occurrence
from ..result.checks import digits_left
from ..result.files import open_data, restored
from ..result.outcome import SEQUENCE_ENDS as MEANING
from ..result.protocol import Result
from ..result.provenance import versions
from ..result.rebuilt import rebuilt
from ..result.trust import Check, Trust
from .loop import COLUMNS, LABELS

FORMAT = "rollick collisions 2"
LN2 = math.log(2.0)
ROUNDING = 1e-9  # relative: a law that misses by more is broken
COORDINATES = ("phi_x", "phi_y", "h", "omega_x", "omega_y", "v")
KINDS = ("accumulation", "near accumulation", "lasting contact", "simultaneous impact", "rest")
SETTINGS = ("impacts", "max_impacts", "rule", "tie", "tolerance")


class Happening(NamedTuple):
    """Something besides single impacts: time, kind (accumulation, lasting contact, simultaneous impact, rest), points, after how many impacts."""

    t: float
    kind: str
    points: tuple[int, ...]
    impacts: int


@dataclass(frozen=True)
class Checks:
    """How well the laws were kept: relative errors, largest over all impacts."""

    restitution: float  # |v+ + gamma v-| / |v-| of the point that was hit
    balance: float  # of dE = -(1 - gamma^2) m_eff v-^2/2 at impacts
    gain: float  # largest relative increase of energy at an impact or between impacts (negative: none)
    penetration: float  # deepest point below the plane, relative to the size of q
    monotone: bool  # without gravity the velocity of the mass centre never decreases (Lemma 1)

    @property
    def good(self) -> bool:
        """Whether all laws hold to rounding."""
        return not self.trust().doubts

    def trust(self) -> Trust:
        """The laws as checks: each holds to rounding."""
        texts = {
            "restitution": "Newton's law of restitution holds to",
            "balance": "the energy balance of impacts closes to",
            "gain": "no impact or flight gains more energy than",
            "penetration": "no point is below the plane by more than",
        }
        found = [(name, max(0.0, float(getattr(self, name))), text) for name, text in texts.items()]
        checks = [Check(name, f"{text} {missed:.1e}", missed, ROUNDING, digits_left(missed)) for name, missed, text in found]
        rises = (
            "the mass centre is never slowed by an impact"
            if self.monotone
            else "an impact slows the mass centre, against Lemma 1"
        )
        return Trust((*checks, Check("monotone", rises, 0.0 if self.monotone else math.inf, 0.0)))


class Collisions(Result):
    """A sequence of collisions: `c.t`, `c.point`, `c.impulse`, `c.energy_before`, `c.energy_after`, `c.status`, `c.data`, `c.plot()`."""

    def __init__(
        self, plate: Plate, gamma: float, g: float, start, values, labels, happenings, status, message, end, end_time, made
    ):
        self.plate, self.gamma, self.g = plate, gamma, g
        self.start = start  # (q, p)
        self._values, self._labels = values, labels
        self.happenings: list[Happening] = happenings
        self._status, self._message = status, message
        self.end, self.end_time = end, end_time  # (q, p, e_q, e_p) and time
        self.made = made
        self.versions: dict[str, str] | None = None  # of what computed it; None: of what is here

    def __len__(self) -> int:
        return len(self._values)

    @property
    def status(self) -> str:
        """How it ended: CC, PCC, ICC, zeno, rest, simultaneous, time or max_impacts."""
        return self._status

    @property
    def message(self) -> str:
        """How it ended, in a sentence."""
        return self._message

    @property
    def complete(self) -> bool:
        """Whether the ending is decided."""
        return self.status not in ("max_impacts", "simultaneous")

    @property
    def trust(self) -> Trust:  # type: ignore[override]
        """How well the laws of impact were kept."""
        return self.checks().trust() if len(self) else Trust()

    # -- impacts -----------------------------------------------------------------------------------------------------------

    @property
    def point(self) -> np.ndarray:
        """The point that was hit; -1 where several were hit at once."""
        return self._labels[:, 0]

    @property
    def steps(self) -> np.ndarray:
        """From each point to the next, round the polygon: 1 .. n-1 (0: the same again)."""
        return np.diff(self.point) % self.plate.count

    @property
    def log_flight(self) -> np.ndarray:
        """ln of the time since the impact before; -inf for none."""
        with np.errstate(divide="ignore"):
            return np.log(self._values[:, 0]) + LN2 * (self._labels[:, 1] - self._labels[:, 2])

    @property
    def flight(self) -> np.ndarray:
        """The time since the impact before."""
        return np.exp(self.log_flight)

    @property
    def t(self) -> np.ndarray:
        """The times of the impacts; near an accumulation they agree to rounding, while `log_flight` still tells them apart."""
        return np.cumsum(self.flight.astype(np.longdouble)).astype(float)

    def _scaled(self, columns: slice, exponent: int) -> np.ndarray:
        return np.ldexp(self._values[:, columns], self._labels[:, exponent : exponent + 1])

    @property
    def q(self) -> np.ndarray:
        """(phi_x, phi_y, h) at the impacts."""
        return self._scaled(slice(1, 4), 1)

    @property
    def p_before(self) -> np.ndarray:
        """(omega_x, omega_y, v) before the impacts."""
        return self._scaled(slice(4, 7), 2)

    @property
    def p_after(self) -> np.ndarray:
        """(omega_x, omega_y, v) after the impacts."""
        return self._scaled(slice(7, 10), 2)

    @property
    def impulse(self) -> np.ndarray:
        """The impulses zeta = m dv, (2.43) corrected."""
        change = self._values[:, 9] - self._values[:, 6]
        return np.ldexp(self.plate.mass * change, self._labels[:, 2])

    def _energy(self, first: int) -> tuple[np.ndarray, np.ndarray]:
        """Energy in units of 4^e_p, and e_p."""
        kinetic = 0.5 * self._values[:, first : first + 3] ** 2 @ self.plate.theta
        e_q, e_p = self._labels[:, 1], self._labels[:, 2]
        return kinetic + np.ldexp(self.plate.mass * self.g * self._values[:, 3], e_q - 2 * e_p), e_p

    def _log_energy(self, first: int) -> np.ndarray:
        energy, e_p = self._energy(first)
        with np.errstate(divide="ignore"):
            return np.log(energy) + 2.0 * LN2 * e_p

    @property
    def log_energy_before(self) -> np.ndarray:
        """ln E before the impacts."""
        return self._log_energy(4)

    @property
    def log_energy_after(self) -> np.ndarray:
        """ln E after the impacts."""
        return self._log_energy(7)

    @property
    def energy_before(self) -> np.ndarray:
        """E = p'Theta p/2 + m g h before the impacts."""
        return np.exp(self.log_energy_before)

    @property
    def energy_after(self) -> np.ndarray:
        """E after the impacts."""
        return np.exp(self.log_energy_after)

    def at(self, times: Any) -> np.ndarray:
        """The states (phi_x, phi_y, h, omega_x, omega_y, v) at any instants, one row each; at an impact those after it. Where contact lasts or impacts accumulate, places on straight lines."""
        asked = np.atleast_1d(np.asarray(times, float))
        t = np.concatenate([[0.0], self.t])
        places, speeds = np.vstack([self.start[0], self.q]), np.vstack([self.start[1], self.p_after])
        k = np.clip(np.searchsorted(t, asked, side="right") - 1, 0, len(t) - 1)
        s, fall = (asked - t[k])[:, None], np.array([0.0, 0.0, self.g])
        after, until = np.vstack([places[1:], np.ldexp(self.end[0], self.end[2])]), np.append(t[1:], self.end_time)
        is_straight = np.zeros(len(t), bool)
        lasts = (h.impacts for h in self.happenings if h.kind in ("accumulation", "lasting contact") and h.impacts < len(t))
        is_straight[list(lasts)] = True
        is_straight[-1] |= self.status not in ("ICC", "time")
        long = np.maximum(until[k] - t[k], 1e-300)[:, None]
        on_line = places[k] + np.clip(s / long, 0.0, 1.0) * (after[k] - places[k])
        speed_on_line = np.where(s < long, (after[k] - places[k]) / long, 0.0)
        q = np.where(is_straight[k][:, None], on_line, places[k] + speeds[k] * s - 0.5 * fall * s * s)
        return np.hstack([q, np.where(is_straight[k][:, None], speed_on_line, speeds[k] - fall * s)])

    def log_remaining(self) -> np.ndarray:
        """ln of the time from each impact to the end of the recorded sequence: the flights after it, summed (section 4.12)."""
        later = np.append(self.log_flight[1:], -np.inf)
        return np.logaddexp.accumulate(later[::-1])[::-1]

    def accumulation(self) -> Any:
        """When the infinite sequence ends, from its tail and from the eigenvalues of its pattern; see `Accumulation`."""
        from .accumulation import accumulation

        return accumulation(self)

    def checks(self) -> Checks:
        """How well restitution, energy balance and the plane were respected."""
        single = self.point >= 0
        v = self._values[single]
        if not len(v):
            return Checks(0.0, 0.0, -math.inf, 0.0, True)
        f = self.plate.f
        hit = f[self.point[single]]
        before, after = np.sum(hit * v[:, 4:7], axis=1), np.sum(hit * v[:, 7:10], axis=1)
        size = np.abs(v[:, 4:7]).sum(axis=1)
        restitution = np.max(np.abs(after + self.gamma * before) / size)
        lost = 0.5 * (1.0 - self.gamma**2) * self.plate.effective_mass[self.point[single]] * before**2
        e_before, e_after = self._energy(4)[0][single], self._energy(7)[0][single]
        balance = np.max(np.abs(e_before - e_after - lost) / e_before)
        gains = [np.max((e_after - e_before) / e_before)]
        if len(self) > 1:
            gains.append(np.max(np.expm1(np.minimum(self.log_energy_before[1:] - self.log_energy_after[:-1], 1.0))))
        deep = self._deepest()
        monotone = self.g > 0.0 or bool(np.all(v[:, 9] >= v[:, 6]))
        return Checks(float(restitution), float(balance), float(max(gains)), abs(float(max(deep, 0.0))), monotone)

    def _check_record(self) -> dict[str, Any]:
        """The checks as plain values."""
        return {k: (v if isinstance(v, bool) or math.isfinite(v) else None) for k, v in vars(self.checks()).items()}

    def _deepest(self) -> float:
        """The deepest point, relative to the larger of q at this impact and at the one before (all may lie flat, up to rounding)."""
        depth = -(self._values[:, 1:4] @ self.plate.f.T).min(axis=1)
        size = np.abs(self._values[:, 1:4]).sum(axis=1)
        exponents = self._labels[:, 1]
        earlier = np.append(np.abs(self.start[0]).sum(), np.ldexp(size[:-1], exponents[:-1] - exponents[1:]))
        earlier[0] = np.ldexp(earlier[0], -exponents[0])
        scale = np.maximum(size, earlier)
        return float(np.max(np.where(scale > 0.0, depth / np.where(scale > 0.0, scale, 1.0), 0.0)))

    # -- files, pictures, words ----------------------------------------------------------------------------------------------

    @property
    def data(self) -> Any:
        """The impacts as an `xarray.Dataset`."""
        import xarray as xr

        variables: dict[str, Any] = {
            "t": ("impact", self.t, {"long_name": "time", "units": "s"}),
            "point": ("impact", self.point, {"long_name": "point that was hit, -1: several"}),
            "impulse": ("impact", self.impulse, {"long_name": "vertical impulse", "units": "N s"}),
            "energy_before": ("impact", self.energy_before, {"units": "J"}),
            "energy_after": ("impact", self.energy_after, {"units": "J"}),
            "log_energy_after": ("impact", self.log_energy_after, {"long_name": "ln E after the impact"}),
            "log_flight": ("impact", self.log_flight, {"long_name": "ln of the time since the impact before"}),
            "q": (("impact", "coordinate"), self.q, {"long_name": "phi_x, phi_y [rad], h [m] at the impact"}),
            "p_before": (("impact", "coordinate"), self.p_before, {"long_name": "omega_x, omega_y [rad/s], v [m/s] before"}),
            "p_after": (("impact", "coordinate"), self.p_after, {"long_name": "omega_x, omega_y [rad/s], v [m/s] after"}),
            "record": (
                ("impact", "column"),
                self._values,
                {"long_name": "flight, q, p before, p after; scaled by powers of two"},
            ),
            "label": (("impact", "what"), self._labels, {"long_name": "point, exponent of q, exponent of p"}),
        }
        attributes = {
            "format": FORMAT,
            "status": self.status,
            "message": self.message,
            "gamma": self.gamma,
            "g": self.g,
            "plate": strict_json.dumps(self.plate._asdict()),
            "happenings": strict_json.dumps([h._asdict() for h in self.happenings]),
            "start": strict_json.dumps({"q": self.start[0].tolist(), "p": self.start[1].tolist()}),
            "end": strict_json.dumps(
                dict(zip(("q", "p", "e_q", "e_p"), (self.end[0].tolist(), self.end[1].tolist(), *self.end[2:])))
            ),
            "end_time": self.end_time,
            "checks": strict_json.dumps(self._check_record()),
            "title": f"collisions of {self.title}",
            "versions": strict_json.dumps(self.provenance["versions"]),
            **({"model": self.model} if self.model else {}),
            **self.made,
        }
        return xr.Dataset(variables, coords={"coordinate": ["x", "y", "z"]}, attrs=attributes)

    @classmethod
    def open(cls, path: Any) -> Collisions:
        """Collisions from a file that `to_netcdf` wrote, exactly as they were."""
        return of_data(open_data(path, FORMAT, "collisions that this program can open"), path)

    def plot(self, *names: str, path: Any = None) -> Any:
        """Heights of all points, energy, and which point is hit; with `path`, save the figure. Returns the figure."""
        from ...view.collisions import plot_collisions

        return plot_collisions(self, path)

    def scene(self, title: str | None = None, **look: Any) -> dict[str, Any]:
        """The body falling: a prism over its contact points."""
        from ...view.faceted_page import collisions_data

        return collisions_data(self, title)

    # -- for JSON -------------------------------------------------------------------------------------------------------------

    @property
    def system_name(self) -> str:
        """A plate, on its contact points."""
        return "Plate"

    def parameters(self) -> dict[str, Any]:
        """The plate, the restitution and gravity."""
        return {**self.plate._asdict(), "gamma": self.gamma, "g": self.g}

    @property
    def provenance(self) -> dict[str, Any]:
        """The start, and the choices of `collide`."""
        start = dict(zip(COORDINATES, map(float, np.concatenate(self.start))))
        made = {"system": self.system_name, "model": self.model, "start": start, "method": "collide", **self.made}
        return {**made, "versions": self.versions or versions()}

    @property
    def events(self) -> list[Occurrence]:
        """What happened besides single impacts; they carry no state."""
        return [Occurrence(h.t, h.kind, "happening", np.empty(0)) for h in self.happenings]

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The impacts: coordinates there and velocities after them; the point, the impulse, and the energies."""
        values = np.concatenate([self.q, self.p_after], axis=1)
        states = {name: values[:, j] for j, name in enumerate(COORDINATES)}
        names = ("point", "impulse", "energy_before", "energy_after")
        return self.t, states, {name: getattr(self, name) for name in names}

    def own_numbers(self) -> dict[str, Any]:
        """Counts, the end, what happened besides single impacts, and how well the laws were kept."""
        return {
            "impacts": len(self),
            **self.series()[2],
            "end_time": self.end_time,
            "happenings": [h._asdict() for h in self.happenings],
            "checks": self._check_record(),
        }

    def summary(self) -> str:
        """What happened, in a few lines."""
        n = self.plate.count
        of = f"{self.model}, {n}" if self.model else f"a body with {n}"
        lines = [f"collisions of {of} contact points, gamma = {self.gamma:g}, g = {self.g:g}: {len(self)} impacts"]
        lines.append(f"status     {self.status}: {self.message}")
        if len(self):
            word = " ".join(map(str, self.point[:24])) + (" ..." if len(self) > 24 else "")
            drop = (self.log_energy_after[-1] - self.log_energy_before[0]) / math.log(10.0)
            lines.append(f"points     {word}")
            lines.append(f"energy     {self.energy_before[0]:.6g} J before the first impact, 10^{drop:.4g} of it after the last")
            checks = self.checks()
            lines.append(
                f"trust      {self.trust.verdict}: restitution {checks.restitution:.1e}, energy balance {checks.balance:.1e}, depth {checks.penetration:.1e}"
            )
        lines += [f"at {h.t:<8.6g} {h.kind}, points {', '.join(map(str, h.points))}" for h in self.happenings[:12]]
        lines.append(f"end        t = {self.end_time:.15g} s")
        return "\n".join(lines)


def of_data(data: Any, path: Any) -> Collisions:
    """The collisions in a data set that was read from a file."""
    return restored(_collisions_of, data, path)


def _collisions_of(data: Any) -> Collisions:
    """The collisions in a data set made by `Collisions.data`."""
    attributes = data.attrs
    plate = _plate(strict_json.loads(attributes["plate"]))
    values, labels = np.array(data["record"].values, float), np.array(data["label"].values)
    if values.ndim != 2 or values.shape[1] != COLUMNS or labels.shape != (len(values), LABELS) or labels.dtype.kind not in "iu":
        raise ValueError(f"the record has the shapes {values.shape} and {labels.shape}")
    labels = labels.astype(np.int64)
    if len(values) and not (np.all(np.isfinite(values)) and labels[:, 0].min() >= -1 and labels[:, 0].max() < plate.count):
        raise ValueError("the record holds numbers that no impact has")
    status = str(attributes["status"])
    if status not in MEANING:
        raise ValueError(f"the status {status!r} is not known")
    gamma, g, end_time = (float(attributes[name]) for name in ("gamma", "g", "end_time"))
    if not 0.0 <= gamma <= 1.0 or not (math.isfinite(g) and g >= 0.0):
        raise ValueError(f"gamma = {gamma!r}, g = {g!r}")
    start, end = strict_json.loads(attributes["start"]), strict_json.loads(attributes["end"])
    happenings = [_happening(h, plate.count) for h in strict_json.loads(attributes["happenings"])]
    made = {name: attributes[name].item() if hasattr(attributes[name], "item") else attributes[name] for name in SETTINGS}
    found = Collisions(
        plate,
        gamma,
        g,
        (_three(start["q"]), _three(start["p"])),
        values,
        labels,
        happenings,
        status,
        str(attributes["message"]),
        (_three(end["q"]), _three(end["p"]), int(end["e_q"]), int(end["e_p"])),
        end_time,
        made,
    )
    if "versions" in attributes:
        found.versions = {str(name): str(value) for name, value in strict_json.loads(attributes["versions"]).items()}
    return found.of_model(str(attributes["model"])) if "model" in attributes else found


def _plate(said: Any) -> Plate:
    """The body, from its numbers."""
    found: Plate = rebuilt(Plate, said)
    if not is_possible(found):
        raise ValueError("no body has these numbers")
    return found


def _three(said: Any) -> np.ndarray:
    found = np.array(said, float)
    if found.shape != (3,) or not np.all(np.isfinite(found)):
        raise ValueError(f"three finite numbers are expected, not {said!r}")
    return found


def _happening(said: Any, count: int) -> Happening:
    points = tuple(int(i) for i in said["points"])
    if said["kind"] not in KINDS or not all(0 <= i < count for i in points):
        raise ValueError(f"nothing like {said!r} happens")
    return Happening(float(said["t"]), said["kind"], points, int(said["impacts"]))
