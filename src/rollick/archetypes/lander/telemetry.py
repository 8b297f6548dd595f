"""The measurements: powers of the solar panels over the landing, the events, and the lander's mass, legs, panels and flywheel.

`philae_data()` is one labelled data set; the tables behind it are in `data/`, with where each was printed.
"""

from __future__ import annotations

import csv
import functools
from importlib import resources
from typing import Any

import numpy as np

SOURCE = "Philae lander of the Rosetta mission (ESA), 12 November 2014, as published in a thesis on collision sequences"
FIRST_UNFOLDED, LAST_BEFORE_TD1, FIRST_AFTER_TD1 = 13, 213, 214  # row numbers of table C.2
PHASES = ("mated", "descent", "TD1-C1", "C1-TD2", "after TD2", "rest")


@functools.cache
def table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of one of the packaged tables."""
    text = resources.files(__package__).joinpath("data", f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def numbers(name: str) -> dict[str, float]:
    """A table of names and values."""
    return {row["name"]: float(row["value"]) for row in table(name)}


def event_times() -> dict[str, np.datetime64]:
    """The events of Tab. 6.3 by name."""
    return {row["name"]: np.datetime64(row["utc"].rstrip("Z"), "ms") for row in table("events")}


@functools.cache
def powers() -> np.ndarray:
    """The measured powers (308, 6) in W."""
    found = np.array([[float(row[f"P{k}"]) for k in range(1, 7)] for row in table("powers")])
    found.flags.writeable = False
    return found


@functools.cache
def published() -> tuple[np.ndarray, np.ndarray]:
    """The published Sun directions (308, 3) and errors Delta (308,), nan where there are none."""
    value = lambda text: float(text) if text else np.nan
    found = np.array([[value(row[name]) for name in ("sx", "sy", "sz", "Delta")] for row in table("powers")])
    found.flags.writeable = False
    return found[:, :3], found[:, 3]


@functools.cache
def times() -> np.ndarray:
    """The times of the 308 rows."""
    found = np.array([row["utc"].rstrip("Z") for row in table("powers")], dtype="datetime64[ms]")
    found.flags.writeable = False
    return found


def seconds(since: int) -> np.ndarray:
    """The times of all rows in s after that of a row, by its number."""
    return (times() - times()[since - 1]) / np.timedelta64(1, "s")


def legs() -> np.ndarray:
    """The ends of the three legs (3, 3) in the lander frame, in m; Tab. 6.1."""
    return np.array([[float(row[axis]) for axis in "xyz"] for row in table("legs")])


def panels() -> tuple[np.ndarray, np.ndarray]:
    """Cells (6,) and outward normals (6, 3) of the panels."""
    cells = np.array([float(row["cells"]) for row in table("panels")])
    azimuth, elevation = (np.radians([float(row[name]) for row in table("panels")]) for name in ("azimuth_deg", "elevation_deg"))
    normals = np.stack([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)], axis=1)
    return cells, np.round(normals, 16) + 0.0


@functools.cache
def phases() -> np.ndarray:
    """The phase of the landing to which each row belongs, as an index into `PHASES`."""
    e = event_times()
    edges = np.array([e["separation"], e["TD1"], e["C1"], e["TD2"], e["rest"]])
    return np.searchsorted(edges, times(), side="right")


def philae_data() -> Any:
    """All measurements as an `xarray.Dataset`, with units and provenance.

    Over `row` (1 to 308): utc, power, published direction of the Sun and its error (nan where none was published), phase. Over `panel`:
    cells and normal. Over `leg`: its end. Over `event`: its time. Mass, inertia and flywheel are scalars.
    """
    import xarray as xr

    sun, delta = published()
    cells, normals = panels()
    mass, wheel = numbers("mass"), numbers("flywheel")
    units = {row["name"]: row["unit"] for name in ("mass", "flywheel") for row in table(name)}
    inertia = np.array([[mass["".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
    variables: dict[str, Any] = {
        "utc": ("row", times().astype("datetime64[ns]"), {"long_name": "time of the measurement, UTC"}),
        "power": (("row", "panel"), powers(), {"units": "W", "long_name": "power of a solar panel", "from": "table C.2"}),
        "sun": (
            ("row", "axis"),
            sun,
            {"units": "1", "long_name": "published direction of the Sun, lander frame", "from": "table C.2"},
        ),
        "Delta": ("row", delta, {"units": "1", "long_name": "published error of the direction", "from": "table C.2"}),
        "phase": ("row", np.array(PHASES, dtype=object)[phases()], {"long_name": "phase of the landing"}),
        "cells": ("panel", cells, {"units": "1", "long_name": "number of solar cells", "from": "section 6.2.1"}),
        "normal": (
            ("panel", "axis"),
            normals,
            {"units": "1", "long_name": "outward normal, lander frame", "from": "section 6.2.1"},
        ),
        "leg_end": (
            ("leg", "axis"),
            legs(),
            {"units": "m", "long_name": "end of a leg from the mass centre", "from": "Tab. 6.1"},
        ),
        "event_time": ("event", np.array(list(event_times().values())).astype("datetime64[ns]"), {"from": "Tab. 6.3"}),
        "mass": ((), mass["m"], {"units": "kg", "from": "Tab. 6.2"}),
        "inertia": (("axis", "axis2"), inertia, {"units": "kg m^2", "long_name": "with the flywheel", "from": "Tab. 6.2"}),
        "wheel_inertia": ((), mass["wheel"], {"units": "kg m^2", "from": "Tab. 6.2"}),
    }
    for name, number in wheel.items():
        variables[f"wheel_{name}"] = ((), number, {"units": units[name], "from": "section 6.2.2"})
    coordinates = {
        "row": np.arange(1, len(powers()) + 1),
        "panel": np.arange(1, 7),
        "leg": np.arange(1, 4),
        "axis": list("xyz"),
        "axis2": list("xyz"),
        "event": np.array(list(event_times()), dtype=object),
    }
    return xr.Dataset(variables, coordinates, {"title": "the landing of Philae", "source": SOURCE})
