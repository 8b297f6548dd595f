"""Axes of grids as they are typed, NAME=LOW:HIGH:COUNT or NAME=A,B,C; the start of a motion, and its end."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ...kernel.names import InputError, number, whole

Start = Annotated[
    list[str] | None,
    typer.Option(
        "--start", metavar="NAME=VALUE", help="A number of the start, e.g. --start omega3=-5 (repeatable; default: the model's)."
    ),
]
Until = Annotated[str | None, typer.Option("--until", metavar="TIME", help="The final time (default: the model's).")]
Rtol = Annotated[float | None, typer.Option("--rtol", help="Relative tolerance of the integration.")]
Threads = Annotated[int | None, typer.Option("--threads", help="Threads (default: one for each core).")]
MOST = 100_000


def start_of(entry: Any, given: list[str] | None) -> dict[str, Any]:
    """The model's start with what was given in its place."""
    from ..simulate import pairs

    return {**entry.start, **pairs(given or [], "--start")} if given else dict(entry.start)


def end_of(entry: Any, given: str | None) -> Any:
    """The final time that was given, or else the model's."""
    if given is None and not entry.until > 0.0:
        raise InputError(f"{entry.source} has no final time of its own; give --until.")
    return entry.until if given is None else given


def check_drawn(over: list[str], plot: Any) -> None:
    """Refuse a picture of more than two axes before anything is computed."""
    if plot is not None and len(over) > 2:
        raise InputError(f"--plot draws grids of one or two axes, not of {len(over)}; leave out some --over, or take --out.")


def axis(text: str, name: str, option: str, unit: str | None) -> Any:
    """The values of an axis; of a name that is no state (unit None: a tilt, a rate) with whatever unit it has."""
    import numpy as np

    from ...analysis.sensitivity.inputs import plain_number

    what = f"{option} {name}"
    read = (lambda part: plain_number(part, what)) if unit is None else lambda part: number(part, what, unit)
    parts = text.split(":")
    if len(parts) == 3:
        low, high = (read(part) for part in parts[:2])
        count = whole(parts[2], f"the number of values of {what}", 1)
        if count > MOST:
            raise InputError(f"{what} has {count} values; at most {MOST} are allowed.")
        return np.linspace(low, high, count)
    if len(parts) != 1 or not all(part.strip() for part in text.split(",")):
        raise InputError(f"{what}={text} is neither LOW:HIGH:COUNT nor A,B,C; write e.g. {option} {name}=0:1:50.")
    return np.array([read(part) for part in text.split(",")])
