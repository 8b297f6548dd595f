"""A periodic orbit from its file."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import strict_json
from ...motion.result.files import restored
from ...motion.result.rebuilt import known_type, rebuilt
from .closure import Closure
from .impacts import Impact
from .orbit import Orbit
from .period import Period, by_frequency


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
