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


def parameters(system: Any) -> dict[str, Any]:
    """The numbers of a system; nested ones nested, with their type, and arrays marked as such, so that it can be made again."""
    found: dict[str, Any] = {}
    for name, value in zip(system._fields, system):
        if hasattr(value, "_fields"):
            found[name] = {"_type": type_name(type(value)), **parameters(value)}
        elif isinstance(value, np.ndarray):
            found[name] = {"_array": value.tolist()}
        elif isinstance(value, np.generic):
            found[name] = value.item()
        elif isinstance(value, (int, float, bool, tuple)):
            found[name] = value
        else:
            found[name] = repr(value)
    return found


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
