"""Drops in three dimensions from files, without trusting them; see `files`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import strict_json
from ...motion.result.files import open_data, restored
from ...motion.result.rebuilt import rebuilt
from . import bouncing as pd
from .convergence import Convergence
from .files import columns, finite, named, numbers
from .polyhedron import Component, Polyhedron
from .solid import Solid
from .solid_result import FORMAT, SolidDrop

STATUSES = (pd.ACCUMULATED, pd.REACHED, pd.MOST_IMPACTS, pd.FAILED)


def read(path: Any) -> SolidDrop:
    """The drop in a file written by `SolidDrop.to_netcdf`."""
    return of_data(open_data(path, FORMAT, "drop of a solid that this program can open"), path)


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
