"""A quantity over a grid of parameters: computed in threads, kept in a file as it goes, resumed where it was broken off.

The work is a function of grid points that spends its time in compiled code, which leaves the other threads running. A point's result
must depend on the point and its flat index alone (seeds follow the index), so that neither the number of threads nor an interruption
changes the map.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..kernel import strict_json
from ..kernel.names import InputError
from ..kernel.strict_json import strict
from ..motion.progress import Progress
from ..motion.result.files import save_data
from ..motion.result.sound_file import load
from .threads import cores, in_threads

FIRST_SAVE, SAVE_SECONDS = 0.2, 10.0  # when the file is first brought up to date, and how often later: the times between double
FORMAT = "rollick map 1"

Work = Callable[[np.ndarray, int], Any]


def grid_map(
    work: Work,
    axes: Mapping[str, Any],
    names: tuple[str, ...] | list[str],
    *,
    about: Mapping[str, Any] | None = None,
    store: Any = None,
    workers: int | None = None,
    progress: bool | None = None,
    chunk: int | None = None,
    title: str = "",
) -> Any:
    """The `xarray.Dataset` of `names` over the grid of `axes`.

    Parameters
    ----------
    work: `work(points, first)` returns an array (len(points), len(names)). `points` is (k, len(axes)), in C order; `first` is the flat
        index of the first of them.
    axes: name -> values, the outermost first.
    about: plain values that define the map besides its axes (fixed parameters, seed); stored, and compared when a map is resumed.
    store: a netCDF file. It is written as soon as there is something to keep, then ever less often, at least every ten seconds, at the end, and when the work fails or is interrupted; a store of the same map is resumed.
    workers: threads (default: one for each core this process may use).
    chunk: points for one call of `work` (default: a 64th of the grid, at most 64).

    Points that were not reached are nan. An interruption is passed on, after what was finished has been stored.
    """
    if not axes:
        raise InputError("a map needs at least one axis, e.g. {'rho': [0.1, 0.2]}.")
    if "done" in names or set(names) & set(axes):
        raise InputError(f"the names {', '.join(names)} of a map must differ from its axes and from 'done'.")
    grid = {name: np.atleast_1d(np.asarray(values, float)) for name, values in axes.items()}
    for name, values in grid.items():
        if values.ndim != 1 or values.size == 0 or not np.all(np.isfinite(values)):
            raise InputError(f"axis {name} of the map must be a list of finite numbers, at least one; got {axes[name]!r}.")
    shape = tuple(v.size for v in grid.values())
    total = int(np.prod(shape))
    points = np.stack([m.ravel() for m in np.meshgrid(*grid.values(), indexing="ij")], axis=1)
    key = json.dumps(strict({"about": dict(about or {}), "names": list(names)}), sort_keys=True, default=float, allow_nan=False)
    path = None if store is None else Path(store)
    if path is not None and path.suffix != ".nc":
        raise InputError(f"store {path}: the file must end in .nc.")
    found, done = _resume(path, grid, names, key, total)
    if chunk is None:
        chunk = max(1, min(64, total // 64))
    todo = [s for s in range(0, total, chunk) if not done[s : s + chunk].all()]

    def dataset() -> Any:
        return _dataset(grid, shape, names, found, done, key, title)

    if todo:
        threads = max(1, min(workers or cores(), len(todo)))
        try:
            _run(work, points, todo, chunk, found, done, threads, progress, title, lambda: _save(path, dataset))
        except KeyboardInterrupt:
            if path is not None:
                print(
                    f"rollick: {int(done.sum())} of {total} points are kept in {path}; the same map with this store goes on.",
                    file=sys.stderr,
                )
            raise
        finally:
            _save(path, dataset)
    elif path is not None and not path.exists():
        _save(path, dataset)
    return dataset()


def _run(work, points, todo, chunk, found, done, threads, progress, title, save) -> None:
    """All chunks that are left, by threads; this thread collects, saves and shows progress."""
    total, last, pause = len(points), time.monotonic(), FIRST_SAVE
    text = f"{title or 'map'}: {{t:.0f}} of {{end:.0f}} points"

    def labour(s: int) -> np.ndarray:
        part = points[s : s + chunk]
        values = np.asarray(work(part, s), float)
        if values.size != len(part) * found.shape[1]:
            raise ValueError(f"the work on {len(part)} points returned {values.shape}; expected ({len(part)}, {found.shape[1]}).")
        return values

    def collect(s: int, values: np.ndarray) -> None:
        nonlocal last, pause
        count = len(points[s : s + chunk])
        found[s : s + count] = values.reshape(count, found.shape[1])
        done[s : s + count] = True
        bar.update(float(done.sum()))
        if time.monotonic() - last > pause:
            save()
            last, pause = time.monotonic(), min(2.0 * pause, SAVE_SECONDS)

    with Progress(progress, 0.0, float(total), text) as bar:
        in_threads(labour, todo, collect, threads)


def _resume(path, grid, names, key, total) -> tuple[np.ndarray, np.ndarray]:
    """Values and marks of a stored map, or empty ones."""
    found, done = np.full((total, len(names)), np.nan), np.zeros(total, bool)
    if path is None or not path.exists():
        return found, done
    try:
        old = load(path)
    except InputError as error:
        raise InputError(f"store {path} cannot be read as a map ({error}); name another file, or remove it.") from None
    same = old.attrs.get("format") == FORMAT and old.attrs.get("key") == key
    same = same and all(n in old.coords and np.array_equal(old[n].values, v) for n, v in grid.items())
    if not same:
        raise InputError(f"store {path} holds another map (other axes or parameters); name another file, or remove it.")
    done = old["done"].values.ravel().astype(bool)
    return np.stack([old[n].values.ravel() for n in names], axis=1), done


def _dataset(grid, shape, names, found, done, key, title) -> Any:
    import xarray as xr

    from ..version import __version__

    variables: dict[str, Any] = {n: (tuple(grid), found[:, j].reshape(shape).copy()) for j, n in enumerate(names)}
    variables["done"] = (tuple(grid), done.reshape(shape).astype(np.int8))
    attributes = {"format": FORMAT, "title": title, "key": key, "rollick": __version__, **_plain(json.loads(key)["about"])}
    return xr.Dataset(variables, coords=grid, attrs=attributes)


def _plain(about: dict[str, Any]) -> dict[str, Any]:
    """Attributes that netCDF can hold."""
    return {
        k: v if isinstance(v, (int, float, str)) and not isinstance(v, bool) else strict_json.dumps(v) for k, v in about.items()
    }


def _save(path, dataset) -> None:
    if path is not None:
        save_data(dataset(), path)
