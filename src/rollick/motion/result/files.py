"""A motion as labelled data, and as a file.

The Dataset holds one variable per state, signal and integral over the coordinate `t`; events over `event` (event_time, event_name,
event_kind, event_state); the state-transition matrix and the dense output where they were asked for. Attributes carry units and,
as JSON, the provenance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ...kernel import strict_json
from ...kernel.names import InputError
from ...kernel.system import Description, Quantity, descriptions
from ..events.event import Occurrence
from .outcome import Outcome
from .rebuilt import NotRebuilt, known_type, rebuilt
from .sound_file import load
from .whole_file import save_data

Made = TypeVar("Made")
DAMAGES = (NotRebuilt, KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, OverflowError)

FORMAT = "rollick motion 1"
RESERVED: tuple[str, ...] = ("state", "transition", "event_time", "event_name", "event_kind", "event_terminal", "event_state")
NEEDED = ("system", "type", "parameters", "since", "start", "methods", "rtol", "steps")  # what every provenance says
RESERVED += ("dense_time", "dense_state", "dense_coefficient")


def to_dataset(motion: Any) -> Any:
    """The xarray Dataset of a motion."""
    import xarray as xr

    variables: dict[str, Any] = {}
    groups = (
        ("state", motion.about.states, motion.y),
        ("integral", motion.about.integrals, motion.q),
        ("signal", motion.about.signals, motion.derived),
    )
    for role, quantities, values in groups:
        if values is None:
            continue
        for j, q in enumerate(quantities):
            if q.name in RESERVED or "/" in q.name:
                raise InputError(
                    f"a data set cannot have a {role} called {q.name!r}: the name is taken or holds a '/'; describe it under another."
                )
            variables[q.name] = ("t", values[:, j], {"units": q.unit, "long_name": q.about or q.name, "role": role})
    states = [q.name for q in motion.about.states]
    if motion.events:
        variables["event_time"] = ("event", np.array([e.t for e in motion.events]), {"units": motion.about.time})
        variables["event_name"] = ("event", np.array([e.name for e in motion.events], dtype=object))
        variables["event_kind"] = ("event", np.array([e.kind for e in motion.events], dtype=object))
        variables["event_terminal"] = ("event", np.array([e.terminal for e in motion.events], dtype=np.int8))
        variables["event_state"] = (("event", "state"), np.array([e.state for e in motion.events]))
    if motion.transition is not None:
        variables["transition"] = (("t", "component", "state"), motion.transition, {"long_name": "state-transition matrix"})
    if motion._dense is not None:
        ts, ys, fs = motion._dense
        variables["dense_time"] = ("node", ts)
        variables["dense_state"] = (("node", "extended"), ys)
        variables["dense_coefficient"] = (("step", "order", "extended"), fs)
    coordinates: dict[str, Any] = {"t": ("t", motion.t, {"units": motion.about.time, "long_name": "time"})}
    if motion.events or motion.transition is not None:
        coordinates["state"] = ("state", states)
    end: dict[str, Any] = {"time": motion.end_time, "state": motion.end_state.tolist()}
    if motion.end_integrals is not None:
        end["integrals"] = motion.end_integrals.tolist()
    attributes = {
        "format": FORMAT,
        "title": f"motion of {motion.title}",
        "status": motion.status,
        "message": motion.message,
        "states": strict_json.dumps([[q.name, q.unit, q.about] for q in motion.about.states]),
        "signals": strict_json.dumps([[q.name, q.unit, q.about] for q in motion.about.signals]),
        "integrals": strict_json.dumps([[q.name, q.unit, q.about] for q in motion.about.integrals]),
        "end": strict_json.dumps(end),
        "provenance": strict_json.dumps(motion.provenance),
    }
    attributes["trust"] = strict_json.dumps(motion.trust.to_dict())
    return xr.Dataset(variables, coordinates, attributes)


def write(motion: Any, path: Any) -> None:
    """Write a motion to a netCDF file, whole or not at all."""
    save_data(motion.data, path)


def _known_system(made: dict[str, Any], lists: dict[str, tuple[Quantity, ...]]) -> Any:
    """The system a file speaks of, if its type is known here (see `rebuilt`) and still has the same quantities; otherwise None."""
    try:
        cls = known_type(made.get("type"))
        about = descriptions.get(cls)
        if about is None:
            return None
        if any([q.name for q in getattr(about, key)] != [q.name for q in quantities] for key, quantities in lists.items()):
            return None
        return rebuilt(cls, made.get("parameters"))
    except NotRebuilt:
        return None


def open_data(path: Any, form: str, what: str) -> Any:
    """The data set in a file of one format (`what`, in words), loaded; anything else is refused by name."""
    data = load(path)
    if data.attrs.get("format") != form:
        known = " `rollick.open_saved` opens whatever this program wrote." if "format" in data.attrs else ""
        raise InputError(f"{path} holds no {what} (format {data.attrs.get('format')!r}, expected {form!r}).{known}")
    return data


def restored(make: Callable[[Any], Made], data: Any, path: Any, damages: tuple[type[Exception], ...] = DAMAGES) -> Made:
    """What `make` finds in a data set that was read from a file; what damage may lead to is told in a sentence."""
    try:
        return make(data)
    except damages as error:
        raise InputError(f"{path} is damaged, or was not written by this program: {type(error).__name__}: {error}.") from None


def numbers_of(data: Any) -> dict[str, Any]:
    """What a `Motion` is made of, by the names of its arguments, in a data set made by `to_dataset`."""
    made = strict_json.loads(data.attrs["provenance"])
    missing = [name for name in NEEDED if name not in made]
    if missing:
        raise ValueError(f"its provenance does not say {', '.join(missing)}")
    lists: dict[str, Any] = {
        key: tuple(Quantity(*row) for row in strict_json.loads(data.attrs[key])) for key in ("states", "signals", "integrals")
    }
    system = _known_system(made, lists)
    about = descriptions[type(system)] if system is not None else Description(**lists)

    def columns(quantities: tuple[Quantity, ...]) -> np.ndarray | None:
        if not quantities or quantities[0].name not in data:
            return None
        return np.stack([data[q.name].values for q in quantities], axis=1)

    events = []
    if "event_time" in data:
        rows = (data[f"event_{name}"].values for name in ("time", "name", "kind", "state", "terminal"))
        events = [Occurrence(float(t), str(name), str(kind), y.copy(), bool(last)) for t, name, kind, y, last in zip(*rows)]
    end = strict_json.loads(data.attrs["end"])
    dense = None
    if "dense_time" in data:
        dense = data["dense_time"].values, data["dense_state"].values, data["dense_coefficient"].values
    states = columns(lists["states"])
    return {
        "system": system,
        "about": about,
        "t": data["t"].values,
        "y": states if states is not None else np.empty((0, len(lists["states"]))),
        "integrals": columns(lists["integrals"]),
        "events": events,
        "outcome": Outcome(data.attrs["status"], data.attrs["message"]),
        "made": made,
        "end": (end["time"], np.array(end["state"]), np.array(end["integrals"]) if "integrals" in end else None),
        "transition": data["transition"].values if "transition" in data else None,
        "dense": dense,
        "derived": columns(lists["signals"]),
    }
