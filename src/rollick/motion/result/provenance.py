"""Where a motion came from: enough to compute it again."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from typing import Any

import numpy as np

from ...kernel.names import called
from ...kernel.system import description
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


def provenance(run: Any) -> dict[str, Any]:
    """System, start, method with its options, cost and versions of a run."""
    s, problem = run.control, run.problem
    states = [q.name for q in description(run.system).states]
    return {
        "system": called(run.system),
        "type": type_name(type(run.system)),
        "parameters": parameters(run.system),
        "since": run.t0,
        "until": run.t1,
        "start": dict(zip(states, map(float, problem.start))),
        **({"start_integrals": problem.sums.tolist()} if np.any(problem.sums) else {}),
        "settled": problem.settled,
        "method": run.method.name,
        "options": {name: plain(value) for name, value in run.method.options.items()},
        "methods": [list(pair) for pair in run.used],
        "rtol": run.tolerance.relative,
        "atol": [float(a) for a in run.tolerance.absolute[: run.n]],
        "max_step": float(s[c.MOST_STEP]) if np.isfinite(s[c.MOST_STEP]) else None,
        "events": [watch.event.stated for watch in run.watches],
        "variational": problem.variational,
        "steps": int(s[c.ACCEPTED]),
        "rejected": int(s[c.REJECTED]),
        "evaluations": int(s[c.EVALUATIONS]),
        "jacobians": int(s[c.JACOBIANS]),
        "residual": float(s[c.RESIDUAL]),
        "residual_time": float(s[c.RESIDUAL_TIME]),
        "seconds": run.seconds,
        **environment(),
    }


def plain(value: Any) -> Any:
    """An option as JSON knows it."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    return None if isinstance(value, float) and not np.isfinite(value) else value


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
