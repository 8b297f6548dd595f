"""Collisions from a file, without trusting it: numbers are checked, and nothing is looked up or called by what the file says."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from ...mechanics.plate import Plate
from ..result.files import open_data, restored
from ..result.outcome import SEQUENCE_ENDS as MEANING
from ..result.rebuilt import rebuilt
from .loop import COLUMNS, LABELS
from .record import FORMAT, Collisions, Happening

KINDS = ("accumulation", "near accumulation", "lasting contact", "simultaneous impact", "rest")
SETTINGS = ("impacts", "max_impacts", "rule", "tie", "tolerance")


def read_collisions(path: Any) -> Collisions:
    """The collisions in a file written by `Collisions.to_netcdf`."""
    return of_data(open_data(path, FORMAT, "collisions that this program can open"), path)


def of_data(data: Any, path: Any) -> Collisions:
    """The collisions in a data set that was read from a file."""
    return restored(_collisions_of, data, path)


def _collisions_of(data: Any) -> Collisions:
    """The collisions in a data set made by `Collisions.data`."""
    attributes = data.attrs
    plate = _plate(json.loads(attributes["plate"]))
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
    start, end = json.loads(attributes["start"]), json.loads(attributes["end"])
    happenings = [_happening(h, plate.count) for h in json.loads(attributes["happenings"])]
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
        found.versions = {str(name): str(value) for name, value in json.loads(attributes["versions"]).items()}
    return found.of_model(str(attributes["model"])) if "model" in attributes else found


def _plate(said: Any) -> Plate:
    """The body, from its numbers."""
    found: Plate = rebuilt(Plate, said)
    numbers = np.array([*found.x, *found.y, found.rho_x, found.rho_y, found.mass], float)
    if len(found.x) != len(found.y) or len(found.x) < 2 or not np.all(np.isfinite(numbers)) or numbers[-3:].min() <= 0.0:
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
