"""A state as the query of a URL and back: `?system=rattleback&p.D=-3e-05&s.alpha=0.01&until=30&method=radau&rtol=1e-10`.

p. is for parameters, s. for the start. Numbers are written so that they come back bit for bit.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

from ..kernel.names import InputError
from .limits import LONGEST_ADDRESS, MOST_NAMES
from .state import State, read_state


def written(value: float | str) -> str:
    """A value as a text that means the same."""
    return value if isinstance(value, str) else repr(float(value))


def query_of(state: State) -> str:
    """The query of a state, without the question mark."""
    pairs = [("system", state.system)]
    pairs += [(f"p.{name}", written(value)) for name, value in state.set.items()]
    pairs += [(f"s.{name}", written(value)) for name, value in state.start.items()]
    pairs += [("until", written(state.until))] if state.until is not None else []
    pairs += [("method", state.method)] if state.method != "auto" else []
    pairs += [("rtol", written(state.rtol))] if state.rtol is not None else []
    return urlencode(pairs)


def state_of(query: str) -> State:
    """The state that a query tells; an empty one is the first state of the studio."""
    if len(query) > LONGEST_ADDRESS:
        raise InputError(f"this address is too long ({len(query)} characters, at most {LONGEST_ADDRESS}).")
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=MOST_NAMES, errors="strict")
    except (ValueError, UnicodeError):
        raise InputError(
            "this address is not one that the studio wrote: it should read ?system=NAME&p.NAME=VALUE&s.NAME=VALUE."
        ) from None
    given: dict[str, Any] = {"set": {}, "start": {}}
    for name, value in pairs:
        table, _, inside = name.partition(".")
        place, key = {"p": (given["set"], inside), "s": (given["start"], inside)}.get(table, (given, name))
        if key in place and key not in ("set", "start"):
            raise InputError(f"{name[:60]} is given twice in this address; keep one.")
        if place is given and key in ("set", "start"):
            raise InputError(f"unknown entry of an address: {key!r}.")
        place[key] = value
    return read_state(given)
