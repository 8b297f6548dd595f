"""Where a motion came from: enough to compute it again."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from typing import Any

import numpy as np

from ...kernel.names import called
from ...version import __version__
from ..ode import control as c
from .rebuilt import type_name


def encoded(value: Any) -> Any:
    """The value of a field in terms of JSON: parts with their type, arrays marked as such, tuples as lists, so that it can be made again."""
    if hasattr(value, "_fields"):
        return {"_type": type_name(type(value)), **parameters(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "bif":
        return {"_array": value.tolist()}
    if isinstance(value, tuple):
        return [encoded(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    return value if isinstance(value, (int, float, bool)) else repr(value)


def parameters(system: Any) -> dict[str, Any]:
    """The numbers of a system; nested ones nested."""
    return {name: encoded(value) for name, value in zip(system._fields, system)}


def provenance(run: Any, s: np.ndarray, seconds: float) -> dict[str, Any]:
    """System, start, solver, tolerances, cost and versions of a run."""
    cls = type(run.system)
    states = [q.name for q in run_states(run)]
    return {
        "system": called(cls),
        "type": type_name(cls),
        "parameters": parameters(run.system),
        "since": run.t0,
        "until": run.t1,
        "start": dict(zip(states, map(float, run.start))),
        "settled": run.settled,
        "method": run.method_name,
        "methods": [list(pair) for pair in run.used],
        "rtol": run.rtol,
        "atol": [float(a) for a in run.atol[: run.n]],
        "max_step": run.most if np.isfinite(run.most) else None,
        "events": [watch.event.stated for watch in run.watches],
        "variational": run.variational,
        "steps": int(s[c.ACCEPTED]),
        "rejected": int(s[c.REJECTED]),
        "evaluations": int(s[c.EVALUATIONS]),
        "jacobians": int(s[c.JACOBIANS]),
        "seconds": seconds,
        **environment(),
    }


def environment() -> dict[str, Any]:
    """When and with what a motion was made."""
    import numba

    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {
            "rollick": __version__,
            "numba": numba.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
    }


def run_states(run: Any) -> Any:
    """The state quantities of a run's system."""
    from ...kernel.system import description

    return description(run.system).states
