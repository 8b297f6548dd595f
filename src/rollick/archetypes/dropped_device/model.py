"""The dropped device as a model of the command line: `rollick simulate drop`."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernel.names import choose
from ..models import Model, Parameter, read_parameters
from .device import Device, device
from .drop import drop
from .result import Drop
from .settings import RINGDOWN, SCHEMES, SIMULTANEOUS

_PARAMETERS = {
    "rho": Parameter(1 / 3, "", "radius of gyration / half-length (homogeneous: 0.577)"),
    "gamma": Parameter(1 / 3, "", "restitution coefficient"),
    "r": Parameter(0.0, "", "place of the oscillator / half-length, -1 .. 1"),
    "alpha": Parameter(1.0, "", "damping ratio of the oscillator"),
    "d": Parameter(10.0, "", "decay rate of free vibrations times sqrt(l/g)"),
    "eps": Parameter(1e-9, "", "velocity at which infinite sequences of impacts are cut", low=1e-14, high=0.1),
    "scheme": Parameter("exact", "", "exact, or thesis (heights below eps count as zero, too)", SCHEMES),
    "centrifugal": Parameter("yes", "", "whether the oscillator feels u phi'^2", ("yes", "no")),
    "simultaneous": Parameter("sequential", "", "rule when both ends hit at once", tuple(SIMULTANEOUS)),
    "ringdown": Parameter("free", "", "the oscillator once the rod rests: without or with its weight", RINGDOWN),
}
_START: dict[str, str | float] = {"phi": "45deg", "h": 10.0}


class Case(NamedTuple):
    """A device and the choices of its drop, as the command line makes them."""

    device: Device
    choices: dict[str, Any]


def _make(**given: Any) -> Case:
    v = read_parameters(_PARAMETERS, given, "the dropped device")
    choices = {name: v[name] for name in ("eps", "scheme", "simultaneous", "ringdown")}
    if v["scheme"] == "thesis" and "eps" not in given:
        choices["eps"] = None
    choices["centrifugal"] = v["centrifugal"] == "yes"
    return Case(device(v["rho"], v["gamma"], v["r"], v["alpha"], v["d"]), choices)


def run(system: Case, start: dict[str, Any], until: float | None = None, progress: bool | None = None) -> Drop:
    """One drop. `start` understands phi, h and their rates v, w."""
    names = {"phi": "phi0", "h": "h0", "v": "v0", "w": "w0"}
    given = {names[choose(n, names, "name of a start of the dropped device")]: value for n, value in {**_START, **start}.items()}
    return drop(system.device, **given, until=until, **system.choices)


MODEL = Model(
    "drop",
    "a rod with a light oscillator, dropped: impacts, slips, and the shock on the component",
    "a thesis on dynamics induced by sequences of collisions, chapter 5",
    _PARAMETERS,
    _make,
    _START,
    1e6,
    (),
    "Dimensionless: lengths in half-lengths l, times in sqrt(l/g). It is followed until it rests. See also `rollick drop`.",
    "phi, h, and their rates v, w",
    run=run,
)
