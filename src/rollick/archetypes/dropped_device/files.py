"""Drops from files, without trusting them: numbers are checked, and nothing is looked up or called by what a file says."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernel import strict_json
from ...motion.result.files import open_data, restored
from ...motion.result.rebuilt import rebuilt
from . import sequence as seq
from .convergence import Convergence
from .device import Device, checked
from .result import FORMAT, KINDS, WORDS, Drop
from .settings import LONGEST, Settings, settings


def read(path: Any) -> Drop:
    """The drop in a file written by `Drop.to_netcdf`."""
    return of_data(open_data(path, FORMAT, "drop that this program can open"), path)


def of_data(data: Any, path: Any) -> Drop:
    """The drop in a data set that was read from a file."""
    return restored(lambda given: named(_drop_of(given), given), data, path)


def named(drop: Any, data: Any) -> Any:
    """A result that knows its model again."""
    return drop.of_model(str(data.attrs["model"])) if "model" in data.attrs else drop


def _drop_of(data: Any) -> Drop:
    said = strict_json.loads(data.attrs["record"])
    device: Device = checked(rebuilt(Device, said["device"]))
    finite([*device, device.alpha, device.d], 7)
    if device.delta < 0.0:
        raise ValueError("the damping is negative")
    start = finite(said["start"], 6)
    found = numbers(said["found"], seq.FOUND)
    impacts = columns(data, "impact_", seq.IMPACT_COLUMNS)
    phases = columns(data, "phase_", seq.PHASE_COLUMNS)
    if found[seq.STATUS] not in list(WORDS) or (found[seq.IMPACTS], found[seq.PHASES]) != (len(impacts), len(phases)):
        raise ValueError("what was found does not fit the impacts and phases")
    _check_logs(impacts, phases)
    told = said["convergence"]
    return Drop(
        device,
        _settings(said["settings"]),
        tuple(start.tolist()),
        float(finite([said["reference"]], 1)[0]),
        impacts,
        phases,
        found,
        None if told is None else Convergence.recorded(told),
    )


def _settings(said: Any) -> Settings:
    """The choices, checked as if somebody had made them."""
    names = set(Settings.__dataclass_fields__)
    if not isinstance(said, dict) or set(said) != names or not isinstance(said["centrifugal"], bool):
        raise ValueError(f"the choices of a drop are {', '.join(sorted(names))}")
    return settings(**said)


def _check_logs(impacts: np.ndarray, phases: np.ndarray) -> None:
    """Impacts and phases of a drop that can have been."""
    finite(impacts, impacts.size)
    finite(np.delete(phases, seq.PHASE_COLUMNS.index("duration"), axis=1), 10 * len(phases))
    kinds, begin, duration, end = phases[:, 0], phases[:, 1], phases[:, 2], phases[:, 3]
    good = len(phases) > 0 and np.isin(kinds, list(KINDS)).all() and np.isin(end, (-1.0, 0.0, 1.0)).all()
    good = good and (np.diff(begin) >= 0.0).all() and begin.min() >= 0.0 and begin.max() <= LONGEST and (duration >= 0.0).all()
    good = good and np.isfinite(duration[:-1]).all() and np.isin(impacts[:, 1], (0.0, 1.0)).all()
    if not good:
        raise ValueError("the phases or impacts are none that a drop can have")


def numbers(said: Any, size: int) -> np.ndarray:
    """So many numbers."""
    found = np.array(said, float)
    if found.shape != (size,):
        raise ValueError(f"{size} numbers are expected, not {found.shape}")
    return found


def finite(said: Any, size: int) -> np.ndarray:
    """So many finite numbers, whatever their arrangement."""
    found = np.array(said, float)
    if found.size != size or not np.all(np.isfinite(found)):
        raise ValueError(f"{size} finite numbers are expected")
    return found


def columns(data: Any, prefix: str, names: tuple[str, ...]) -> np.ndarray:
    """A log, column by column."""
    found = np.stack([np.array(data[prefix + name].values, float) for name in names], axis=1)
    if found.ndim != 2:
        raise ValueError(f"the log has the shape {found.shape}")
    return np.ascontiguousarray(found)
