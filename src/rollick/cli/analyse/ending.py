"""How the commands of `rollick analyse` begin and end: files are checked before anything is computed; then pictures, numbers and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...kernel.names import InputError


def check_files(out: Path | None, plot: Path | None, store: Path | None = None, shown: str | None = None) -> None:
    """Refuse files that cannot be written, and --show without --plot."""
    from ..simulate import PICTURES, writable

    for path, option, kinds in ((out, "--out", (".nc",)), (plot, "--plot", PICTURES), (store, "--store", (".nc",))):
        writable(path, option, kinds)
    if shown and plot is None:
        raise InputError(
            f"--show {shown!r} says what to plot, but there is no --plot; add e.g. --plot shown.png, or leave it out."
        )


def names_of(text: str | None) -> tuple[str, ...]:
    """NAME,NAME as names."""
    return tuple(word.strip() for word in text.split(",") if word.strip()) if text else ()


def told(result: Any, entry: Any, out: Path | None, plot: Path | None, json_: bool, shown: tuple[str, ...] = ()) -> int:
    """The end of a command with one result; the exit code."""
    from ..output import deliver

    named = result.of_model(entry.name)
    return deliver(named, named.to_dict() if json_ else None, out, plot, None, title=entry.name, shown=shown)


def told_branches(
    branches: Mapping[str, Any],
    planes: Mapping[str, Any],
    shown: tuple[str, ...],
    out: Path | None,
    plot: Path | None,
    json_: bool,
) -> int:
    """The end of a command with branches, by the labels of the points where they begin ("": the first one); the exit code.

    `planes` are curves in two parameters, drawn in a picture of their own. The branches are in their files already.
    """
    from ...analysis.continuation import plot_branches
    from ..output import print_json, spoken_summary, unwritten, written

    first, found = branches[""], [*branches.items(), *planes.items()]
    failed = len(unwritten)
    drawn = written(plot, lambda path: plot_branches(list(branches.values()), shown, path))
    flat = None
    if planes:
        flat = written(beside(plot, "plane"), lambda path: plot_branches(list(planes.values()), (first.parameter,), path))
    if json_:
        print_json({**first.to_dict(), "branches": [{"from": label, **branch.to_dict()} for label, branch in found if label]})
    else:
        for label, branch in found:
            print((f"\nfrom {label}: " if label else "") + spoken_summary(branch.summary()))
        for path in (*(beside(out, label) for label, _ in found), drawn, flat):
            if path is not None:
                print(f"wrote {path}")
    if any(branch.status == "interrupted" for _, branch in found):
        return 130
    return 0 if first.complete and len(unwritten) == failed else 1


def beside(path: Path | None, label: str) -> Path | None:
    """The file of a further branch: branch.nc, branch.BP1.nc."""
    return path if path is None or not label else path.with_name(f"{path.stem}.{label}{path.suffix}")


def check_resume(go_on: bool, out: Path | None) -> None:
    """--resume needs the file of --out."""
    if go_on and (out is None or not out.exists()):
        raise InputError("--resume goes on with the file of --out; name one that is there.")
