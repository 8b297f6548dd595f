"""What a worker computes: the curves and the scene of a motion, a map, a branch, a netCDF file. Plain values in, plain values out.

Each task is a generator of (kind, value): parts as they are ready, curves before the scene. It runs in a process of its own (`pool`).
"""

from __future__ import annotations

import json
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..kernel.names import InputError
from ..motion.methods import method_of
from ..motion.result.again import known_at, on_steps
from ..plotting.symbols import in_degrees
from ..view.page import data_of
from .limits import LARGEST_FILE, MOST_STEPS, MOTION_SECONDS
from .maps import STABILITY, Map, read_map
from .own_body import BODY, skin_of, start_of
from .state import State, read_state

SAMPLES = 2400  # instants at which dense output is drawn
MOST_INSTANTS = 4000  # of others
FINENESS = 48  # of meshes
Part = tuple[str, Any]


def simulated(state: State, dense: bool = True) -> tuple[Any, list[str]]:
    """The result of a state, and what there was to say about it on the way."""
    model = state.model
    system = model.make(**state.set)
    start: Any = state.starts() if state.start else dict(model.start)
    if state.system == BODY:
        start = start_of(state.set, start)
    options: dict[str, Any] = {"method": state.method, "rtol": state.rtol, "progress": None}
    if model.run is None:
        chosen = model.suited(system, {name: v for name, v in options.items() if v is not None and name != "progress"})
        method = method_of(chosen.pop("method", "auto"), chosen, system).chosen(system)
        options |= {"max_steps": MOST_STEPS, "wall_limit": MOTION_SECONDS}
        options["dense"] = dense and "dense" not in method.refuses
        if "events" not in method.refuses and model.events:
            options["events"] = list(model.events)
    elif "dense" in model.honours:
        options["dense"] = dense
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = model.simulate(system, start, state.lasts, **options)
    return result, list(dict.fromkeys(str(w.message) for w in said if issubclass(w.category, UserWarning)))


def numbers(values: Any) -> list[float | None]:
    """Numbers for a picture: six digits, gaps where there is none."""
    array = np.asarray(values, float)
    return [float(f"{v:.6g}") if np.isfinite(v) else None for v in array.tolist()]


def drawn(result: Any) -> dict[str, Any]:
    """The curves of a result: t, values, units, which of them are shown at first, events."""
    t, states, derived = result.series()
    t = np.asarray(t, float)
    series = {**states, **derived}
    about = getattr(result, "about", None)
    units = (
        {name: str(result.data[name].attrs.get("units", "")) for name in series if name in result.data} if about is None else {}
    )
    if about is not None:
        units = {q.name: q.unit for q in (*about.states, *about.signals, *about.integrals)}
    known = None
    if about is not None and getattr(result, "has_dense", False) and t.size > 1:
        known = known_at(result, on_steps(result, np.linspace(t[0], t[-1], SAMPLES)))
    if about is not None and known is not None:
        groups = ((about.states, known.y), (about.signals, known.signals), (about.integrals, known.q))
        times = known.t
        series = {q.name: values[:, k] for group, values in groups if values is not None for k, q in enumerate(group)}
    else:
        keep = np.unique(np.linspace(0, t.size - 1, min(t.size, MOST_INSTANTS)).astype(int)) if t.size else np.array([], int)
        times, series = (
            t[keep],
            {name: np.asarray(v, float)[keep] for name, v in series.items() if np.ndim(v) == 1 and len(v) == t.size},
        )
    shown: dict[str, Any] = {}
    for name, values in series.items():
        values, units[name] = in_degrees(values, units.get(name, ""))
        shown[name] = np.asarray(values, float)
    plot = [name for name in (getattr(about, "plot", None) or states) if name in shown] or list(shown)
    events = [(float(e.t), str(e.name)) for e in result.events[:400]]
    clock = {"units": "s"} if about is not None else dict(result.data["t"].attrs)
    return {
        "t": np.asarray(times, np.float32),
        "time": clock_text(clock),
        "values": shown,
        "units": units,
        "plot": plot[:4],
        "events": events,
    }


def clock_text(attrs: dict[str, Any]) -> tuple[str, str]:
    """What stands below the axis of time, and behind an instant: "t [s]" and "s"; of a time without dimension what it is divided by."""
    if attrs.get("units", "s") == "s":
        return "t [s]", "s"
    return str(attrs.get("long_name", "t")).replace("time", "t", 1).replace("sqrt", "\u221a"), ""


def scene_of(result: Any, skin: Any = None) -> str | None:
    """What the 3-D page is told, as JSON; None where there is no body to show. skin: what the body looks like, if not like the shape it touches with."""
    if not result.has_page:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return json.dumps(data_of(result, fineness=FINENESS, skin=skin), allow_nan=False)


def run_motion(given: Any) -> Iterator[Part]:
    """A motion: its curves, then its scene."""
    state = read_state(given)
    result, said = simulated(state)
    about = {
        "status": result.status,
        "message": result.message,
        "summary": result.summary(),
        "said": said,
        "complete": result.complete,
    }
    yield "curves", {**drawn(result), **about}
    try:
        yield "scene", scene_of(result, skin_of(state.set) if state.system == BODY else None)
    except InputError as error:
        yield "no scene", str(error)


def run_file(given: Any) -> Iterator[Part]:
    """A motion as a netCDF file."""
    result, _ = simulated(read_state(given), dense=False)
    with tempfile.TemporaryDirectory(prefix="rollick-studio-") as folder:
        path = Path(folder) / "motion.nc"
        result.to_netcdf(path)
        if path.stat().st_size > LARGEST_FILE:
            raise InputError(f"this motion is a file of more than {LARGEST_FILE // 10**6} MB; take `rollick simulate --out`.")
        yield "file", path.read_bytes()


def run_map(given: Any) -> Iterator[Part]:
    """A map: z[j][i] at y[j], x[i], None where there is no number; of a stability chart also the steady states."""
    asked = read_map(given)
    if asked.measure == STABILITY:
        yield "map", stability(asked)
        return
    yield "map", swept(asked)


def swept(asked: Map) -> dict[str, Any]:
    """A measure of each motion of a grid."""
    from ..archetypes.many import ModelSource
    from ..archetypes.sweep_file import MEASURES
    from ..ensemble.call import ensemble
    from ..ensemble.members import Grid
    from ..ensemble.reducers import ImpactCount

    state = asked.state
    varied = (asked.x.name, asked.y.name)
    if state.system == BODY:
        raise InputError("maps are over models by name; a body of one's own has sliders only.")
    source = ModelSource(state.system, {n: v for n, v in state.set.items() if n not in varied})
    keep = ImpactCount() if asked.measure == "impacts" else MEASURES[asked.measure](asked.of)
    options: dict[str, Any] = {"max_steps": MOST_STEPS, "wall_limit": 20.0} if state.model.run is None else {}
    options |= {"rtol": state.rtol} if state.rtol is not None else {}
    if state.model.run is None:
        given = {"method": state.method} | options
        options = {**options, **{n: v for n, v in source.suited(source.system, given).items() if n in ("method", "dt")}}
    start = {n: v for n, v in state.starts().items() if n not in varied}
    result = ensemble(
        source, Grid({asked.y.name: asked.y.values(), asked.x.name: asked.x.values()}), state.lasts, start=start, keep=[keep], progress=None, **options
    )  # fmt: skip
    label = next(name for name in result.data.data_vars if name not in ("status", *varied) and result.data[name].ndim == 2)
    z = np.asarray(result.data[label].values, float).reshape(asked.y.count, asked.x.count)
    unit = str(result.data[label].attrs.get("units", ""))
    z, unit = in_degrees(z, unit)
    failed = result.failures
    told = f"{len(failed)} of {z.size} motions could not be computed: {failed[0].get('message', '')}" if failed else ""
    return {
        "x": asked.x.values(),
        "y": asked.y.values(),
        "z": [numbers(row) for row in z],
        "said": told,
        "label": f"{asked.label} [{unit}]" if unit else asked.label,
    }


def stability(asked: Map) -> dict[str, Any]:
    """The growth rate of the steady motion near the start, over two numbers; and the state of each."""
    from ..analysis.steady import steady_motion
    from ..motion.progress import Progress

    state, refused = asked.state, ""
    z: list[list[float | None]] = []
    states: list[dict[str, float] | None] = []
    with Progress(None, 0.0, float(asked.y.count), "stability: {t:.0f} of {end:.0f} rows") as bar:
        for j, y in enumerate(asked.y.values()):
            row: list[float | None] = []
            for x in asked.x.values():
                there = state
                values = {asked.x.name: x, asked.y.name: y}
                hold = {n: v for n, v in values.items() if n not in state.model.parameters}
                try:
                    for name, value in values.items():
                        there = there.with_start(name, value) if name in hold else there.with_parameter(name, value)
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        found = steady_motion(there.model.make(**there.set), there.starts(), hold=hold)
                except (InputError, ZeroDivisionError, FloatingPointError, np.linalg.LinAlgError) as error:
                    refused = refused or str(error)
                    row.append(None)
                    states.append(None)
                    continue
                growth = max((float(np.real(v)) for v in found.eigenvalues), default=0.0)
                row.append(float(f"{growth:.6g}") if np.isfinite(growth) else None)
                states.append({name: float(v) for name, v in found.state.items()})
            z.append(row)
            bar.update(float(j + 1))
    if all(v is None for row in z for v in row):
        raise InputError(f"no steady motion was found anywhere on this chart: {refused}")
    return {"x": asked.x.values(), "y": asked.y.values(), "z": z, "said": refused and f"gaps: {refused}", "states": states}


def run_branch(given: Any) -> Iterator[Part]:
    """A branch of steady motions along a parameter between two bounds."""
    from ..analysis.continuation import PseudoArclength, trace_branch
    from ..analysis.steady import EquilibriumProblem

    state = read_state(given["state"])
    parameter, low, high = str(given["parameter"]), float(given["low"]), float(given["high"])
    if state.model.run is not None:
        raise InputError(f"{state.system} goes from event to event; branches of steady motions are for systems with a rate.")
    problem = EquilibriumProblem(state.model.make(**state.set), parameter, state.starts())
    branch = trace_branch(problem, problem.start(None), PseudoArclength(ds=0.01, ds_max=0.02, max_points=600), bounds=(low, high))
    names = [n for n in branch.names if n != parameter]
    values = np.asarray(branch[parameter], float)
    found = {name: np.asarray(branch[name], float) for name in [*names, "growth"]}
    specials = [
        {"label": p.label, "kind": p.kind, "p": float(p.p), "state": dict(zip(branch.names, map(float, p.z)))}
        for p in branch.specials
        if hasattr(p, "p")
    ]
    yield "branch", {
        "parameter": parameter, "p": numbers(values), "exact": values.tolist(), "states": {n: numbers(v) for n, v in found.items()},
        "at": [{n: float(found[n][k]) for n in names} for k in range(len(values))], "unstable": [int(u) for u in branch.unstable], "specials": specials,
        "summary": branch.summary(),
    }  # fmt: skip


TASKS: dict[str, Callable[[Any], Iterator[Part]]] = {"motion": run_motion, "file": run_file, "map": run_map, "branch": run_branch}
