"""What the commands print and write: JSON, summaries, files."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..kernel.strict_json import strict
from ..motion.result.outcome import INTERRUPTED
from ..motion.result.whole_file import NotWritten

unwritten: list[Path] = []  # files of the present command that could not be written; they make its exit code 1

# Names of Python that are options here; True stands for the option alone.
OPTIONS = {
    "allow_unstable": "--allow-unstable", "method": "--method", "until": "--until", "rtol": "--rtol", "atol": "--atol", "dt": "--dt",
    "every": "--every", "at": "--at", "events": "--event", "max_steps": "--max-steps", "wall_limit": "--wall-limit", "verify": "--verify",
    "painleve": "--painleve", "ambiguous": "--ambiguous", "choices": "--choices", "start": "--start", "max_impacts": "--max-impacts", "restitution": "--restitution",
    "settle": "--settle", "sigma_position": "--sigma-position", "sigma_angle": "--sigma-angle", "sigma_marker": "--sigma-marker",
    "fps": "--fps", "use": "--use", "rail_at": "--set rail_at=...",
}  # fmt: skip
# What is given as a dict in Python, and as an option for each of its entries here: columns={'t': ...} is --column t=...
ENTRIES = {"columns": "--column", "units": "--unit", "markers": "--marker"}
# What is said of Python's own things, and what it is here
PHRASES = {
    " such as Regularised(mu, eps)": "",
}
_NAMES = "|".join(OPTIONS)
_PYTHON = re.compile(r"\b\w+(?:\.\w+)*\([^()]*\)")  # a call: it is meant for Python, and stays
_GO_ON = re.compile(
    r"(?: Go|, or go) on with simulate\(system, motion, until=\.\.\.\)\.?"
)  # there is no such thing on the command line
# not after a dot (the path of a field in a file) or a hyphen (an option already)
_GIVEN = re.compile(rf"(?<![\w.-])({_NAMES})( ?= ?)('[^']*'|\"[^\"]*\"|\[[^\]]*\]|[^\s,;:()]*[^\s,;:().])")
# what is asked for in general, period=..., or of a state, hold=('omega3',)
_ASKED = re.compile(rf"(?<![\w.-])({_NAMES}|hold|free|transient|period)=(?:\.\.\.|\('(\w+)',\))")
_ENTRY = re.compile(rf"(?<![\w.-])({'|'.join(ENTRIES)})=\{{(?:'(\w+)': (?:'([^']*)'|(\.\.\.))|\.\.\.)\}}")
_ADVICE = re.compile(
    rf"\b(raise|lower|loosen|tighten|pass|give|change|take)( a smaller| a larger)? ({_NAMES})\b(?![=\w])", re.IGNORECASE
)


def spoken(message: str) -> str:
    """A message of the library as the command line says it: `method='radau'` is `--method radau`, "raise max_steps" is "raise --max-steps"."""

    def given(found: re.Match[str]) -> str:
        name, _, value = found.groups()
        value = value.strip("'\"")
        return OPTIONS[name] if value == "True" else f"{OPTIONS[name]} {value}"

    def plain(text: str) -> str:
        text = _ASKED.sub(lambda found: " ".join(filter(None, (OPTIONS.get(found[1], f"--{found[1]}"), found[2]))), text)
        text = _GIVEN.sub(given, text)
        return _ADVICE.sub(lambda found: f"{found[1]}{found[2] or ''} {OPTIONS[found[3]]}", text)

    def entry(found: re.Match[str]) -> str:
        name, key, text, open_ = found.groups()
        return f"{ENTRIES[name]} {key}={text or open_}" if key else f"{ENTRIES[name]} NAME=..."

    message = _ENTRY.sub(entry, _GO_ON.sub("", message))
    for python, words in PHRASES.items():
        message = message.replace(python, words)
    pieces, last = [], 0
    for call in _PYTHON.finditer(message):
        pieces += [plain(message[last : call.start()]), call[0]]
        last = call.end()
    return "".join([*pieces, plain(message[last:])])


def written(path: Path | None, work: Callable[[Path], Any]) -> Path | None:
    """Write a file that was asked for, if it was; None if it could not be written.

    That is told on standard error, and the command goes on: a full disk takes neither the other files nor what was computed.
    """
    if path is None:
        return None
    try:
        work(path)
    except NotWritten as error:
        print(f"rollick: {error}", file=sys.stderr, flush=True)
        unwritten.append(path)
        return None
    return path


def print_json(found: Any) -> None:
    """One JSON object on standard output, and nothing else; it is made whole before any of it is printed. NaN and infinity are null."""
    print(json.dumps(strict(found), allow_nan=False), file=sys.stdout, flush=True)


def with_more(result: Any, extra: dict[str, Any]) -> dict[str, Any]:
    """A result for JSON with further numbers: under `more`, and at the top level."""
    told = result.to_dict()
    return {**told, **extra, "more": {**told["more"], **extra}}


def spoken_summary(text: str) -> str:
    """A summary whose sentences speak of options; its numbers stay as they are."""
    return "\n".join(spoken(line) if line.startswith("status") else line for line in text.split("\n"))


def deliver(
    result: Any,
    told: dict[str, Any] | None,
    out: Path | None,
    plot: Path | None,
    view: Path | None,
    *,
    title: str,
    shown: tuple[str, ...] = (),
    partial: bool = False,
    broken: str = "the motion broke off",
    films: tuple[Path | None, Path | None] = (None, None),
) -> int:
    """Write a result's files if it is complete (or `partial`, or somebody stopped it), print `told` as JSON or else its summary; the exit code."""
    stopped = getattr(result, "status", "") == INTERRUPTED
    if stopped and len(getattr(result, "t", ())) < 2:
        return 130  # before anything was computed: nothing to write or to tell
    keep = result.complete or partial or stopped
    failed = len(unwritten)
    if keep:
        out = written(out, result.to_netcdf)
        plot = written(plot, lambda path: result.plot(*shown, path=path))
        view = written(view, lambda path: result.save_html(path, title))
        films = (
            written(films[0], lambda path: result.save_video(path, title=title)),
            written(films[1], lambda path: result.save_still(path, title=title)),
        )
    if told is not None:
        print_json(told)
    else:
        print(spoken_summary(result.summary()))
    for path in (out, plot, view, *films):
        if path is not None and not keep:
            print(
                f"did not write {path}: {broken} (--partial writes what there is)",
                file=sys.stderr if told is not None else sys.stdout,
            )
        elif path is not None and told is None:
            print(f"wrote {path}" + (": the motion until it was interrupted" if stopped else ""))
    if stopped:
        return 130
    return 0 if result.complete and len(unwritten) == failed else 1
