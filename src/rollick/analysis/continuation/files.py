"""Branches in netCDF files: everything that a `Branch` holds, so that it can be drawn, switched from, and gone on with."""

from __future__ import annotations

import importlib
import json
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...kernel.strict_json import strict
from ...motion.result.sound_file import load
from ...version import __version__
from .branch import Branch
from .point import Point, Special

FORMAT = "rollick branch 1"
NAMED = 24  # unknowns up to which each is a variable of its own
# problems that can be made again from what a file says of them, and the room that does
MAKERS = {"EquilibriumProblem": "rollick.analysis.steady.equilibria:problem_from"}


def plain(value: Any) -> Any:
    """Numbers, arrays and complex arrays as JSON has them."""
    if isinstance(value, np.ndarray):
        if np.iscomplexobj(value):
            return {"_complex": [value.real.tolist(), value.imag.tolist()]}
        return {"_array": value.tolist()}
    if isinstance(value, complex):
        return {"_complex": [value.real, value.imag]}
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def arrays(value: Any) -> Any:
    """What `plain` wrote, as it was."""
    if isinstance(value, dict):
        if set(value) == {"_complex"}:
            real, imag = (np.array(part, float) for part in value["_complex"])
            return real + 1j * imag
        if set(value) == {"_array"}:
            return np.array(value["_array"], float)
        return {k: arrays(v) for k, v in value.items()}
    return [arrays(v) for v in value] if isinstance(value, list) else value


def dataset(branch: Branch) -> Any:
    """The branch as an `xarray.Dataset`: z, tangent, measures and stability over `point`; the special points beside them."""
    import xarray as xr

    names, parameter = branch.names, branch.parameter
    entries = [*names, parameter]
    z = branch.z.reshape(len(branch), len(entries))
    over = ("point",)
    variables: dict[str, Any] = {parameter: (over, z[:, -1], _unit(branch, parameter))}
    if len(names) <= NAMED:
        variables |= {name: (over, z[:, k], _unit(branch, name)) for k, name in enumerate(names)}
    variables["z"] = (("point", "entry"), z)
    variables["tangent"] = (("point", "entry"), np.array([p.tangent for p in branch.points]).reshape(z.shape))
    variables["unstable"] = (over, branch.unstable, {"long_name": "growing directions; -1: not known"})
    for name in branch.points[0].measures if branch.points else ():
        if name in variables:
            continue
        values = [np.asarray(p.measures[name]) for p in branch.points]
        if len({v.shape for v in values}) > 1:  # a mesh that was adapted: padded with nan
            most = max(v.size for v in values)
            values = [np.pad(v.astype(float).ravel(), (0, most - v.size), constant_values=np.nan) for v in values]
        value = np.array(values)
        dims = (*over, *(f"{name}_{k}" for k in range(value.ndim - 1)))
        if np.iscomplexobj(value):
            variables[name] = ((*dims, "part"), np.stack([value.real, value.imag], -1), _unit(branch, name))
        else:
            variables[name] = (dims, value, _unit(branch, name))
    specials = [
        {
            "kind": p.kind, "label": p.label, "sentence": p.sentence, "numbers": plain(p.numbers), "arrays": plain(p.arrays),
            "z": p.z.tolist(), "tangent": p.tangent.tolist(), "s": p.s, "measures": plain(p.measures), "unstable": p.unstable,
        }
        for p in branch.specials
    ]  # fmt: skip
    measured = [
        [name, bool(np.iscomplexobj(value))] for name, value in (branch.points[0].measures if branch.points else {}).items()
    ]
    attributes = {
        "format": FORMAT,
        "title": branch.title,
        "status": branch.status,
        "message": branch.message,
        "about": _dumps(branch.about),
        "ends": _dumps([list(end) for end in branch.ends]),
        "special_points": _dumps(specials),
        "measures": _dumps(measured),
        "more": _dumps(plain(branch.more)),
        "rollick": __version__,
    }
    if branch.model:
        attributes["model"] = branch.model
    coords = {"s": (over, branch.s, {"long_name": "arclength"}), "entry": entries, "part": ["real", "imag"]}
    return xr.Dataset(variables, coords=coords, attrs=attributes)


def _dumps(value: Any) -> str:
    return json.dumps(strict(value), allow_nan=False)


def _unit(branch: Branch, name: str) -> dict[str, str]:
    return {"units": branch.unit(name)} if branch.unit(name) else {}


def open_branch(path: Any) -> Branch:
    """The branch in a file."""
    return of_data(load(path), path)


def of_data(data: Any, path: Any = "the file") -> Branch:
    """The branch in a data set."""
    if data.attrs.get("format") != FORMAT:
        raise InputError(f"{path} is no branch of Rollick (format {data.attrs.get('format', 'unknown')!r}).")
    try:
        about, ends = json.loads(data.attrs["about"]), json.loads(data.attrs["ends"])
        more = arrays(json.loads(data.attrs["more"]))
        measured = json.loads(data.attrs["measures"])
        z, tangents, s, unstable = (data[name].values for name in ("z", "tangent", "s", "unstable"))
        columns: dict[str, np.ndarray] = {}
        for name, is_complex in measured:
            values = data[name].values
            columns[name] = values[..., 0] + 1j * values[..., 1] if is_complex else values
        points = [
            Point(
                z[k],
                tangents[k],
                float(s[k]),
                {n: v[k] for n, v in columns.items()},
                {},
                None if unstable[k] < 0 else int(unstable[k]),
            )
            for k in range(len(s))
        ]
        specials = [
            Special(
                np.array(p["z"], float), np.array(p["tangent"], float), float(p["s"]), arrays(p["measures"]), {}, p["unstable"],
                kind=p["kind"], sentence=p["sentence"], numbers=arrays(p["numbers"]), arrays=arrays(p["arrays"]), label=p["label"],
            )
            for p in json.loads(data.attrs["special_points"])
        ]  # fmt: skip
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise InputError(f"{path} is a damaged branch ({type(error).__name__}: {error}).") from None
    branch = Branch(about, points, specials, (tuple(ends[0]), tuple(ends[1])), more)
    return branch.of_model(str(data.attrs["model"])) if "model" in data.attrs else branch


def problem_of(branch: Branch) -> Any:
    """The problem of a branch, made again from what its file says."""
    kind = str(branch.about.get("problem", ""))
    if kind not in MAKERS:
        raise InputError(
            f"the problem of this branch ({kind or 'unknown'}) cannot be made again from its file; give it: resume(file, problem)."
        )
    module, _, name = MAKERS[kind].partition(":")
    return getattr(importlib.import_module(module), name)(branch.about)
