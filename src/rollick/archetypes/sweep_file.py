"""A sweep as a file: model, what varies, what is kept, where it is computed; TOML.

model = "rattleback"
until = 20
keep = [{ first = "omega3", direction = "rising", stop = true }, { greatest = "energy" }, { reducer = "friction_demand" }]
method = { name = "dop853", rtol = 1e-9 }

[set]                                  # parameters that do not vary
M = "1 kg"
[start]                                # numbers of the start that do not vary
alpha = "0.5deg"
[grid]                                 # or [samples], or table = "bodies.csv"
D = { from = -5e-5, to = 5e-5, count = 20 }
omega3 = [-3, -4, -5]

[samples]
count = 1000
kind = "sobol"
seed = 1
[samples.ranges]
D = [-5e-5, 5e-5]
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..ensemble.attractor import Attractor
from ..ensemble.keep import Count, Final, First, Greatest, Last, Least, Mean, Measure, Rms
from ..ensemble.keep import Path as States
from ..ensemble.members import Grid, Samples, Table
from ..ensemble.reducers import EnergyExponent, FrictionDemand, ImpactCount, ReversalTime, ShockRatio
from ..kernel.names import InputError, choose, file_of, number, whole
from .many import ModelSource

KEYS = (
    "model",
    "title",
    "until",
    "since",
    "method",
    "keep",
    "set",
    "start",
    "grid",
    "samples",
    "table",
    "max_steps",
    "chunk",
    "store",
    "show",
)
MEASURES: dict[str, type[Measure]] = {
    "final": Final, "first": First, "last": Last, "count": Count, "greatest": Greatest, "least": Least, "mean": Mean, "rms": Rms,
}  # fmt: skip
REDUCERS: dict[str, Any] = {
    "reversal_time": ReversalTime, "friction_demand": FrictionDemand, "energy_exponent": EnergyExponent, "shock_ratio": ShockRatio, "impacts": ImpactCount,
    "attractor": Attractor,
}  # fmt: skip


@dataclass
class Sweep:
    """What a file asks for, in terms of `ensemble`."""

    source: ModelSource
    members: Any
    options: dict[str, Any]
    store: str
    title: str
    show: tuple[str, ...] = ()  # what is drawn


def read_sweep(path: Any) -> Sweep:
    """Read and check a file."""
    file = file_of(path)
    try:
        asked = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the study {file} cannot be read ({error.strerror or error}).") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"the study {file} is no TOML: {error}.") from None
    for key in asked:
        choose(key, KEYS, f"entry of {file.name}")
    if "model" not in asked:
        raise InputError(f'{file.name} names no model; write e.g. model = "rattleback".')
    source = ModelSource(str(asked["model"]), _table(asked, "set"))
    varied = [key for key in ("grid", "samples", "table") if key in asked]
    if len(varied) != 1:
        raise InputError(
            f'{file.name} must say what varies in one of [grid], [samples] or table = "file.csv"; it has {", ".join(varied) or "none"}.'
        )
    entry = source.model
    keep = _keep(asked.get("keep", ["final"]))
    lasts = None if any(isinstance(item, Attractor) for item in keep) else entry.until  # an attractor says itself how long
    options: dict[str, Any] = {"until": asked.get("until", lasts), "keep": keep}
    options |= {name: asked[name] for name in ("since", "max_steps", "chunk") if name in asked}
    options["start"] = {**entry.start, **_table(asked, "start")}
    options |= _method(asked.get("method", entry.method), entry)
    store = asked.get("store", f"{file.stem}.zarr")
    return Sweep(
        source,
        _members(asked, varied[0], file),
        options,
        str(file.parent / store if "://" not in store else store),
        asked.get("title", file.stem),
        tuple(map(str, asked.get("show", ()))),
    )


def _table(asked: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = asked.get(key, {})
    if not isinstance(found, Mapping):
        raise InputError(f"[{key}] must be a table of names and values, not {found!r}.")
    return dict(found)


def _method(given: Any, entry: Any) -> dict[str, Any]:
    if isinstance(given, str):
        return {"method": given, **({"dt": entry.dt} if entry.dt is not None and given == entry.method else {})}
    if not isinstance(given, Mapping) or "name" not in given:
        raise InputError(f'method must be a name, or {{ name = "dop853", rtol = 1e-9 }}; got {given!r}.')
    return {"method": given["name"], **{k: v for k, v in given.items() if k != "name"}}


def _keep(given: Any) -> list[Any]:
    found: list[Any] = []
    for item in given if isinstance(given, list) else [given]:
        if isinstance(item, Mapping) and "reducer" in item:
            found.append(_reducer(dict(item)))
        elif isinstance(item, str):
            found.append(item)
        elif isinstance(item, Mapping) and "path" in item:
            found.append(States(_axis(item["path"], "path")))
        elif isinstance(item, Mapping):
            words = [w for w in item if w in MEASURES]
            if len(words) != 1:
                raise InputError(f'keep {dict(item)!r}: name one of {", ".join(MEASURES)}, e.g. {{ greatest = "energy" }}.')
            more = {k: v for k, v in item.items() if k not in words}
            try:
                found.append(MEASURES[words[0]](item[words[0]], **more))
            except TypeError:
                raise InputError(f"keep {dict(item)!r}: {words[0]} knows no {', '.join(more)}.") from None
        else:
            raise InputError(f'keep {item!r} is not understood; give names, or tables such as {{ greatest = "energy" }}.')
    return found


def _reducer(item: dict[str, Any]) -> Any:
    """What is kept by what it means: { reducer = "attractor", settle = 100 }."""
    name = choose(str(item.pop("reducer")), REDUCERS, "reducer")
    try:
        return REDUCERS[name](**{k: tuple(v) if isinstance(v, list) else v for k, v in item.items()})
    except TypeError:
        known = ", ".join(inspect.signature(REDUCERS[name]).parameters)
        raise InputError(f"keep reducer {name!r} with {', '.join(item) or 'nothing'}: it knows {known}.") from None


def _axis(given: Any, name: str) -> Any:
    """Values of an axis: a list, or { from, to, count, log }."""
    if isinstance(given, list):
        return given
    if not isinstance(given, Mapping) or not {"from", "to", "count"} <= set(given) <= {"from", "to", "count", "log"}:
        raise InputError(
            f"the values of {name} are a list, or {{ from = 0, to = 1, count = 11 }} (log = true for equal ratios); got {given!r}."
        )
    first, last = (number(given[k], f"{k} of {name}") for k in ("from", "to"))
    count = whole(given["count"], f"count of {name}", 1)
    if given.get("log"):
        if first <= 0.0 or last <= 0.0:
            raise InputError(f"{name}: equal ratios need values above zero, not {first:g} to {last:g}.")
        return np.geomspace(first, last, count)
    return np.linspace(first, last, count)


def _members(asked: Mapping[str, Any], kind: str, file: Path) -> Any:
    if kind == "table":
        return Table(file.parent / str(asked["table"]))
    if kind == "grid":
        return Grid({name: _axis(v, name) for name, v in _table(asked, "grid").items()})
    given = _table(asked, "samples")
    for key in given:
        choose(key, ("count", "kind", "seed", "ranges"), "entry of [samples]")
    if "count" not in given or "ranges" not in given:
        raise InputError("[samples] needs count and ranges, e.g. count = 1000 and ranges = { D = [0, 1] }.")
    ranges = {name: tuple(v) if isinstance(v, list) else v for name, v in given["ranges"].items()}
    return Samples(given["count"], given.get("kind", "sobol"), seed=given.get("seed", 0), ranges=ranges)
