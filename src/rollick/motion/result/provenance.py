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


def encoded(value: Any) -> Any:
    """The value of a field in terms of JSON: parts with their type, arrays marked as such, tuples as lists, so that it can be made again."""
    if type(value) is float:  # most of them
        return value
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
        **run.account(),
        "seconds": run.seconds,
        **environment(),
    }


def plain(value: Any) -> Any:
    """An option as JSON knows it."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (range, tuple, list)):
        return [plain(one) for one in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def environment() -> dict[str, Any]:
    """When and with what a motion was made."""
    return {"made": datetime.now(UTC).isoformat(timespec="seconds"), "versions": versions()}


def versions() -> dict[str, str]:
    """The versions of what computes."""
    import numba

    return {
        "rollick": __version__,
        "numba": numba.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
