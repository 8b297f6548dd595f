"""A map in one netCDF file: complete, or not there; while it is computed, an ensemble's store beside it keeps the finished chunks."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...kernel import strict_json
from ...kernel.names import InputError, file_of
from ...kernel.strict_json import strict
from ...motion.result.files import save_data
from ...motion.result.sound_file import load
from ...version import __version__
from ..compute import compute
from ..task import Chunk
from .store import Store
from .store_files import StoreError

FORMAT = "rollick map 1"
REASONS = 100  # different ones that are kept in a file
PARTS = ".parts"  # what is behind the name of the file, for the folder of finished chunks


def mapped(
    task: Any,
    about: Mapping[str, Any],
    *,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
    chunk: int,
    title: str = "",
    on: Any = "threads",
) -> Any:
    """All members of a task over a grid, as an `xarray.Dataset`; from the file `store` if they are there already."""
    names, grid = task.keep.labels, task.members.dims
    shown = f"{title or 'map'}: {{t:.0f}} of {{end:.0f}} points"
    key = json.dumps(strict({"about": dict(about), "names": names}), sort_keys=True, default=float, allow_nan=False)
    path = None if store is None else file_of(store, "store")
    if path is not None and path.suffix != ".nc":
        raise InputError(f"store {path}: the file must end in .nc.")
    if path is not None and path.exists():
        return _known(path, grid, key)
    if path is None:
        return _dataset(task, compute(task, chunk, None, on, workers, progress, shown), key, title)
    place = Store(f"{path}{PARTS}")
    definition = {**json.loads(key), "axes": {name: values.tolist() for name, values in grid.items()}}
    data = None
    try:
        size = place.open(task, definition, None, lambda: chunk)
        if not path.exists():
            data = _dataset(task, compute(task, size, place, on, workers, progress, shown), key, title)
            save_data(data, path)
    except StoreError:
        if not path.exists():
            raise
    else:
        shutil.rmtree(place.place, ignore_errors=True)
    return data if data is not None else _known(path, grid, key)  # another process has completed the map, and removed its parts


def reasons_of(data: Any) -> dict[str, int]:
    """Why points of a map have no value, and how many of them."""
    return json.loads(data.attrs.get("reasons", "{}"))


def _known(path: Path, grid: Mapping[str, np.ndarray], key: str) -> Any:
    """A map that was computed before."""
    try:
        old = load(path)
    except InputError as error:
        raise InputError(f"store {path} cannot be read as a map ({error}); name another file, or remove it.") from None
    same = old.attrs.get("format") == FORMAT and old.attrs.get("key") == key
    same = same and all(n in old.coords and np.array_equal(old[n].values, v) for n, v in grid.items())
    if not same:
        raise InputError(f"store {path} holds another map (other axes or parameters); name another file, or remove it.")
    if not old["done"].values.all():
        raise InputError(f"store {path} holds an unfinished map of an earlier version; name another file, or remove it.")
    return old


def _dataset(task: Any, found: Chunk, key: str, title: str) -> Any:
    import xarray as xr

    grid, shape = task.members.dims, task.members.shape
    variables: dict[str, Any] = {n: (tuple(grid), found.values[:, j].reshape(shape)) for j, n in enumerate(task.keep.labels)}
    variables["done"] = (tuple(grid), (found.status >= 0).reshape(shape).astype(np.int8))
    attributes = {"format": FORMAT, "title": title, "key": key, "rollick": __version__, **_plain(json.loads(key)["about"])}
    if found.reasons:
        attributes["reasons"] = json.dumps(dict(Counter(found.reasons.values()).most_common(REASONS)))
    return xr.Dataset(variables, coords=grid, attrs=attributes)


def _plain(about: dict[str, Any]) -> dict[str, Any]:
    """Attributes that netCDF can hold."""
    return {
        k: v if isinstance(v, (int, float, str)) and not isinstance(v, bool) else strict_json.dumps(v) for k, v in about.items()
    }
