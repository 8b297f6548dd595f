"""How a body file asks to be simulated: `[simulate]`, the options of `rollick.simulate` by name, checked."""

from __future__ import annotations

from typing import Any

from ...kernel.names import InputError
from .fields import Fields, array

NUMBERS = {"until": "s", "since": "s", "rtol": "", "dt": "s", "max_step": "s", "wall_limit": "s"}
POSITIVE = ("dt", "max_step", "wall_limit")
METHODS_NOTE = "a method of simulate, e.g. auto, dop853, radau, moreau or event-driven"


def read_options(f: Fields) -> dict[str, Any]:
    """The options that are given."""
    found: dict[str, Any] = {}
    for name, unit in NUMBERS.items():
        value = f.number(name, unit, None, above=0.0 if name in POSITIVE else None)
        if value is not None:
            found[name] = value
    for name in ("max_steps", "every"):
        count = f.whole(name, None, 1)
        if count is not None:
            found[name] = count
    for name in ("dense", "verify"):
        if f.yes(name):
            found[name] = True
    if "atol" in f:
        found["atol"] = (
            f.array("atol", ((None,),), "").tolist() if isinstance(f.values["atol"], list) else f.number("atol", "", above=0.0)
        )
    if "at" in f:
        found["at"] = output_times(f)
    if "events" in f:
        found["events"] = [read_event(e, f"{f.at('events')}[{k}]", f) for k, e in enumerate(listed(f, "events"))]
    for name in ("method", "painleve", "ambiguous"):
        word = f.text(name, None)
        if word is not None:
            found[name] = word
    show = f.given("show", None)
    if show is not None and not (isinstance(show, list) and all(isinstance(n, str) for n in show)):
        raise InputError(f'{f.at("show")} = {show!r} must be a list of names to plot, e.g. ["theta", "height"].')
    if show is not None:
        found["show"] = show
    for name in ("atol", "at", "events"):
        f.given(name, None)
    f.done()
    return found


def output_times(f: Fields) -> Any:
    """Output times: a list, or a text FROM:TO:STEP."""
    given = f.given("at")
    return given if isinstance(given, str) else array(given, f.at("at"), ((None,),), "s").tolist()


def listed(f: Fields, name: str) -> list[Any]:
    """A list."""
    value = f.given(name)
    if not isinstance(value, list):
        raise InputError(f'{f.at(name)} = {value!r} must be a list, e.g. {name} = ["height"].')
    return value


def read_event(given: Any, path: str, f: Fields) -> str:
    """An event as NAME[:rising|falling|both][:stop]."""
    if not isinstance(given, str) or not given.strip():
        raise InputError(f'{path} = {given!r} must be a text such as "theta", "theta:rising" or "height:falling:stop".')
    return given
