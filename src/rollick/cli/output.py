"""What the commands print and write: JSON, summaries, files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ..kernel.strict_json import strict
from ..motion.result.outcome import INTERRUPTED


def print_json(found: Any) -> None:
    """One JSON object on standard output, and nothing else; it is made whole before any of it is printed. NaN and infinity are null."""
    print(json.dumps(strict(found), allow_nan=False), file=sys.stdout, flush=True)


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
) -> int:
    """Write a result's files if it is complete (or `partial`, or somebody stopped it), print `told` as JSON or else its summary; the exit code."""
    stopped = getattr(result, "status", "") == INTERRUPTED
    if stopped and len(getattr(result, "t", ())) < 2:
        return 130  # before anything was computed: nothing to write or to tell
    keep = result.complete or partial or stopped
    if keep and out is not None:
        result.to_netcdf(out)
    if keep and plot is not None:
        result.plot(*shown, path=plot)
    if keep and view is not None:
        result.save_html(view, title)
    if told is not None:
        print_json(told)
    else:
        print(result.summary())
        for path in (out, plot, view):
            if path is not None:
                done = f"wrote {path}" + (": the motion until it was interrupted" if stopped else "")
                print(done if keep else f"did not write {path}: {broken} (--partial writes what there is)")
    if stopped:
        return 130
    return 0 if result.complete else 1
