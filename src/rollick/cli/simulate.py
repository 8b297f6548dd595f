"""`rollick simulate MODEL`."""

from __future__ import annotations

import dataclasses
import math
import os
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from ..archetypes.models import Model
from ..archetypes.models import model as find
from ..kernel.names import InputError, choose, number
from ..kernel.system import description
from ..kernel.warn import warn_user
from ..motion.events.event import Event
from ..motion.filippov.systems.form import is_form
from ..motion.methods.method import METHODS
from ..motion.result.outcome import MotionWarning
from .output import OPTIONS, deliver

PICTURES = (".png", ".pdf", ".svg")
PAGES = (".html", ".htm")
MOST_TIMES = 10_000_000


def pairs(given: list[str], option: str) -> dict[str, str]:
    """name=value texts as a dict."""
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise InputError(f"{option} {text!r} is not of the form name=value; write e.g. {option} alpha=5deg.")
        if name.strip() in found:
            raise InputError(f"{option} {name.strip()} is given twice; keep one.")
        found[name.strip()] = value.strip()
    return found


def times(text: str | None) -> np.ndarray | None:
    """Output times from "1,2,5" or "0:20:0.01"."""
    if text is None:
        return None
    if ":" in text:
        parts = [number(p, "--at", "s") for p in text.split(":")]
        if len(parts) != 3 or parts[2] == 0.0:
            raise InputError(f"--at {text!r}: a range is FROM:TO:STEP with a step that is not zero, e.g. 0:20:0.01.")
        first, last, step = parts
        count = math.floor((last - first) / step + 1e-9) + 1
        if not 1 <= count <= MOST_TIMES:
            raise InputError(
                f"--at {text!r} means {max(count, 0)} output times; choose a step that gives between 1 and {MOST_TIMES}."
            )
        return (
            np.minimum(first + step * np.arange(count), last) if step > 0 else np.maximum(first + step * np.arange(count), last)
        )
    words = text.split(",")
    if not all(word.strip() for word in words):
        raise InputError(f"--at {text!r}: a time is missing; write e.g. --at 1,2,5 or --at 0:20:0.01.")
    return np.array([number(word, "--at", "s") for word in words])


def event(text: str, entry: Model, system: Any) -> Event:
    """An event from NAME[:rising|falling|both][:stop]."""
    name, *rest = text.split(":")
    about = description(system)
    choose(
        name, [q.name for q in (*about.states, *about.signals, *about.integrals)], f"state, signal or integral of {entry.name}"
    )
    direction, terminal = "both", False
    for word in rest:
        word = choose(word, ["rising", "falling", "both", "stop"], f"word after --event {name}")
        if word == "stop":
            terminal = True
        else:
            direction = word
    return Event(name, direction, terminal)


def writable(path: Path | None, option: str, endings: tuple[str, ...]) -> None:
    """Refuse an output file that cannot be written, before anything is computed."""
    if path is None:
        return
    if path.suffix.lower() not in endings:
        raise InputError(f"{option} {path}: the file must end in {' or '.join(endings)}.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InputError(
            f"{option} {path}: the folder {path.absolute().parent} does not exist; create it first, or name another file."
        )
    if not os.access(path.absolute().parent, os.W_OK):
        raise InputError(f"{option} {path}: the folder {path.absolute().parent} is not writable.")


def check_films(video: Path | None, still: Path | None) -> None:
    """Refuse a film or a picture of the moving body that cannot be written or taken, before anything is computed."""
    if video is None and still is None:
        return
    from ..view.video import FILMS, STILLS, check_ready

    writable(video, "--video", FILMS)
    writable(still, "--still", STILLS)
    check_ready(None if video is None else video.suffix.lower())


def drawn_in(theme: str | None, size: str | None, plot: Path | None) -> AbstractContextManager[Any]:
    """The style of the picture; one without a picture is refused."""
    given = [f"--{name} {value}" for name, value in (("theme", theme), ("size", size)) if value is not None]
    if not given:
        return nullcontext()
    if plot is None:
        raise InputError(
            f"{' '.join(given)} says how a picture looks, but there is no --plot; add e.g. --plot motion.png, or leave it out."
        )
    from ..plotting.style import plot_style

    return plot_style(theme, size)


def typed_options(texts: dict[str, Any], solver: dict[str, Any]) -> dict[str, Any]:
    """The options of `simulate` that were typed, beside start, until and parameters."""
    typed = {name: texts[name] for name in ("at", "events", "show") if texts[name]}
    return typed | {n: x for n, x in solver.items() if x is not None and x is not False and (n, x) != ("method", "auto")}


def run_model(
    entry: Model,
    texts: dict[str, Any],
    solver: dict[str, Any],
    out: Path | None,
    plot: Path | None,
    view: Path | None,
    partial: bool,
    json_: bool,
    films: tuple[Path | None, Path | None] = (None, None),
) -> int:
    """Run a model that goes from event to event by itself: impacts and phases in closed form, without an integrator's options."""
    assert entry.run is not None
    typed = typed_options(texts, solver)
    words = {**OPTIONS, "method": f"--method {solver.get('method')}", "show": "--show"}
    entry.refuse_idle(typed, lambda n: words[n])
    system = entry.make(**pairs(texts["set_"], "--set"))
    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    writable(view, "--view", PAGES)
    check_films(*films)
    seen = view is not None or any(films)
    start: Any = pairs(texts["start"], "--start") or dict(entry.start)
    until = None if texts["until"] is None else number(texts["until"], "--until", "s")
    options: dict[str, Any] = {name: value for name, value in typed.items() if name in solver}
    if texts["at"]:
        options |= {"at": times(texts["at"]), "dense": seen}
        until = float(options["at"][-1]) if until is None else until
    if texts["events"]:
        options["events"] = [event(e, entry, system) for e in texts["events"]]
    result = entry.simulate(system, start, until, **options)
    if seen and not result.has_page:
        raise InputError(f"--view, --video, --still: there is no 3-D page of {entry.name}; leave it out, or take --plot.")
    told = result.to_dict() if json_ else None
    return deliver(result, told, out, plot, view, title=entry.name, partial=partial, broken=result.message, films=films)


def futures(text: str | None) -> tuple[int, ...] | None:
    """The numbers of --choices; None if it was not typed."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise InputError(f"--choices {text}: whole numbers with commas between them are understood, e.g. --choices 1,0.")
    return tuple(map(int, parts))


def settings(solver: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """The options of `simulate`: what was typed, else what a body file asks for; of that not what only the file's own method has."""
    typed = {name: value for name, value in solver.items() if value is not None and value is not False}
    file = {n: v for n, v in asked.items() if n not in ("show", "at")}
    method = METHODS.get(typed.get("method", ""))
    if method is not None and method.name not in (file.get("method"), "auto"):
        own = {f.name for cls in METHODS.values() for f in dataclasses.fields(cls)} - {f.name for f in dataclasses.fields(method)}
        idle = [n for n in file if n in own and n not in typed]
        if idle:
            warn_user(f"{', '.join(idle)} of the body file left out: {method.name} has no such option.", MotionWarning)
        file = {n: v for n, v in file.items() if n not in idle}
    return {**file, **typed}


def simulate_model(
    name: str | None,
    texts: dict[str, Any],
    solver: dict[str, Any],
    out: Path | None,
    plot: Path | None,
    view: Path | None = None,
    partial: bool = False,
    allow_unstable: bool = False,
    json_: bool = False,
    body: Path | None = None,
    films: tuple[Path | None, Path | None] = (None, None),
) -> int:
    """Simulate, print, write; the exit code. `texts` holds what was typed for set_, start, until, at, events and show."""
    if (name is None) == (body is None):
        raise InputError("give the name of a model (see `rollick models`) or --body FILE.toml, one of the two.")
    asked: dict[str, Any] = {}
    if body is not None:
        from .body import body_entry, shown_names

        entry, asked = body_entry(body, pairs(texts["set_"], "--set"))
        system = entry.make()
    else:
        assert name is not None
        entry = find(name)
        if entry.run is not None and (entry.body is None or not entry.idle(typed_options(texts, solver))):
            return run_model(entry, texts, solver, out, plot, view, partial, json_, films)
        options = {"allow_unstable": True} if allow_unstable else {}
        system = entry.make(**options, **pairs(texts["set_"], "--set"))
    start: Any = pairs(texts["start"], "--start") or dict(entry.start)
    if entry.body is not None:
        system, start = entry.body(system, start)
    about = description(system)
    at = asked.get("at") if texts["at"] is None else texts["at"]
    at = times(at) if isinstance(at, str) else at
    until = entry.until if texts["until"] is None else number(texts["until"], "--until", "s")
    wanted = entry.events if texts["events"] is None else texts["events"]
    watched = [event(e, entry, system) if isinstance(e, str) else Event(e) for e in wanted]
    if texts["until"] is None and at is not None and (texts["at"] is not None or math.isnan(until)):
        until = float(at[-1])  # the motion lasts as long as output is asked for
    if math.isinf(until):
        raise InputError(f"--until is missing: say how long {entry.name} is to be simulated, e.g. --until 2.")
    if math.isnan(until):
        raise InputError(f"--until is missing: {body} does not say how long, under [simulate] until; give e.g. --until 10.")
    allowed = [q.name for q in (*about.states, *about.signals, *about.integrals)]
    if texts["show"] is not None and plot is None:
        raise InputError(
            f"--show {texts['show']!r} says what to plot, but there is no --plot; add e.g. --plot motion.png, or leave it out."
        )
    shown = tuple(choose(n.strip(), allowed, "quantity to --show") for n in texts["show"].split(",")) if texts["show"] else ()
    if body is not None and not shown:
        shown = shown_names(asked.get("show"), system)
    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    writable(view, "--view", PAGES)
    check_films(*films)
    seen = view is not None or any(films)
    if seen:
        from ..view.frames import check_drawable

        check_drawable(system)
    chosen = settings(solver, asked)
    if seen and (at is not None or is_form(system)):  # the page shows what is between the output times, too
        chosen["dense"] = True
    motion = entry.simulate(system, start, until, at=at, events=watched, **chosen)
    told = motion.to_dict() if json_ else None
    return deliver(
        motion, told, out, plot, view, title=entry.title if body else entry.name, shown=shown, partial=partial, films=films
    )
