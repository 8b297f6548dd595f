"""What the studio does not do, however politely it is asked: sizes and durations, each refused in one sentence."""

from __future__ import annotations

import math
from typing import Any

from ..kernel.names import InputError, number, whole

LONGEST_ADDRESS = 4000  # characters of a URL's query
MOST_NAMES = 80  # parameters and starts in one state
LONGEST_TEXT = 200  # characters of a value
MOST_STEPS = 3_000_000  # of an integrator, for one motion
LONGEST = 3600.0  # s, of any motion
MOTION_SECONDS = 300.0  # of work for one motion, compiling included
LONG_SECONDS = 1200.0  # of work for a map or a branch
MOST_POINTS = 2500  # of a map
MOST_SIDE = 100  # of a map, along one axis
MOST_RUNS = 6  # kept beside the present one
MOST_UNDONE = 200  # states that can be undone
MOST_TABS = 24  # pages at a time
MOST_SOCKETS = 2 * MOST_TABS  # web sockets at a time: a page has one, and for a moment another when it connects again
LARGEST_MESH = 8_000_000  # bytes of an uploaded file
MOST_MESHES = 8  # files of one tab
LARGEST_BODY = 10_000_000  # bytes of any request
LARGEST_FILE = 100_000_000  # bytes of a netCDF file

TIGHTEST, LOOSEST = 1e-13, 1e-3  # tolerances


def until_within(given: Any, usual: float) -> float:
    """How long a motion lasts: above zero, and not so long that nobody would wait for it."""
    value = number(given, "until", "s")
    most = min(LONGEST, max(60.0, 20.0 * usual)) if math.isfinite(usual) and usual < LONGEST else LONGEST
    if value <= 0.0:
        raise InputError(f"until = {given!r} must be above zero.")
    if value > most:
        raise InputError(
            f"until = {value:g} s is longer than the studio follows this system ({most:g} s); take `rollick simulate` for more."
        )
    return value


def tolerance_within(given: Any) -> float:
    """A relative tolerance."""
    value = number(given, "rtol")
    if not TIGHTEST <= value <= LOOSEST:
        raise InputError(f"rtol = {given!r} must lie between {TIGHTEST:g} and {LOOSEST:g}.")
    return value


def side_within(given: Any, name: str) -> int:
    """How many values an axis of a map has."""
    value = whole(given, f"count of {name}", 2)
    if value > MOST_SIDE:
        raise InputError(f"{value} values of {name} are more than a map of the studio has ({MOST_SIDE}); take `rollick sweep`.")
    return value


def text_within(given: Any, what: str) -> str:
    """A text that is short enough to be a value."""
    if not isinstance(given, (str, int, float)) or isinstance(given, bool):
        raise InputError(f"{what} must be a number or a short text.")
    text = str(given)
    if len(text) > LONGEST_TEXT or not text.isprintable():
        raise InputError(f"{what}: a value has at most {LONGEST_TEXT} printable characters.")
    return text
