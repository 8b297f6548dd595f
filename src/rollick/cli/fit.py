"""`rollick fit`: friction of a tippedisk from a tracked motion, with confidence intervals; several laws are compared."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from .output import deliver, written

Texts = list[str] | None


def fit(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|synthetic",
            help="The track: CSV (also .gz) or netCDF; 'synthetic' is the data set shipped with Rollick.",
        ),
    ],
    law: Annotated[
        Texts,
        typer.Option(
            "--law",
            help="sliding, sliding+pivoting, sliding+contour, sliding+pivoting+contour (default), or all (repeatable: laws are compared).",
        ),
    ] = None,
    specimen: Annotated[str, typer.Option("--specimen", help="The disk: V1 or V2.")] = "V1",
    first: Annotated[
        Texts,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="First values of mu, eps, mu_tau, mu_R; values of radius, eps_tau, eps_R (repeatable).",
        ),
    ] = None,
    also: Annotated[Texts, typer.Option("--also", metavar="NAME", help="Fit radius, eps_tau or eps_R too (repeatable).")] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Begin at this time of the track, e.g. when the hand has let go.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", help="End at this time of the track.")] = None,
    column: Annotated[
        Texts, typer.Option("--column", metavar="OURS=THEIRS", help="A column under another name, e.g. t=Time (repeatable).")
    ] = None,
    unit: Annotated[
        Texts, typer.Option("--unit", metavar="KIND=UNIT", help="Unit of t, position or angle, e.g. position=mm (repeatable).")
    ] = None,
    fps: Annotated[float | None, typer.Option("--fps", help="Frames per second, for files that number frames.")] = None,
    marker: Annotated[
        Texts,
        typer.Option(
            "--marker", metavar="NAME=X,Y,Z", help="Place of a marker on the disk, body axes; columns NAME_x, ... (repeatable)."
        ),
    ] = None,
    euler: Annotated[str, typer.Option("--euler", help="Sequence of the angles alpha, beta, gamma.")] = "zxz",
    order: Annotated[str, typer.Option("--order", help="Of quaternions: 'scalar first' or 'scalar last'.")] = "scalar first",
    inverse: Annotated[bool, typer.Option("--inverse", help="The file's attitudes turn space to body.")] = False,
    target: Annotated[
        str | None, typer.Option("--target", help="What was tracked is Sailer's marker id0 or id1 (Table 7.1).")
    ] = None,
    sense: Annotated[
        str, typer.Option("--sense", help="How that marker sits: as the table or as the text of the thesis says.")
    ] = "table",
    sigma_position: Annotated[
        str | None, typer.Option("--sigma-position", help="Standard deviation of a coordinate, e.g. 1mm.")
    ] = None,
    sigma_angle: Annotated[str | None, typer.Option("--sigma-angle", help="Standard deviation of a rotation, e.g. 1deg.")] = None,
    sigma_marker: Annotated[
        str | None, typer.Option("--sigma-marker", help="Standard deviation of a marker's coordinate.")
    ] = None,
    align: Annotated[
        bool, typer.Option("--align/--no-align", help="Bring the clocks of cameras together, if there are several.")
    ] = True,
    outliers: Annotated[
        float, typer.Option("--outliers", help="Leave out frames beyond so many standard deviations; 0 keeps all.")
    ] = 5.0,
    use: Annotated[str, typer.Option("--use", help="pose (places and attitudes) or attitude.")] = "pose",
    windows: Annotated[int, typer.Option("--windows", help="Pieces of time with a start of their own.")] = 1,
    starts: Annotated[int, typer.Option("--starts", help="How many first values are tried.")] = 1,
    level: Annotated[float, typer.Option("--level", help="Of the confidence intervals.")] = 0.95,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.nc", help="Write the numbers to a netCDF file.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw data, motion and residuals.")] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Write a report: .html, .md or .txt.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")] = False,
) -> None:
    """Fit friction of a tippedisk to a tracked motion; with several laws, tell which explains it."""
    from .simulate import PICTURES, writable

    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    writable(report, "--report", (".html", ".md", ".txt"))
    reading: dict[str, Any] = {
        "columns": _pairs(column, "--column"),
        "units": _pairs(unit, "--unit"),
        "fps": fps,
        "euler": euler,
        "order": order,
        "inverse": inverse,
    }
    reading |= {"sigma_position": sigma_position, "sigma_angle": sigma_angle, "sigma_marker": sigma_marker}
    reading |= {"markers": {name: _point(name, text) for name, text in _pairs(marker, "--marker").items()} or None}
    fitting = {
        "disk": specimen,
        "first": _pairs(first, "--set"),
        "also": also or [],
        "use": use,
        "windows": windows,
        "starts": starts,
        "level": level,
    }
    laws = _laws(law)
    track = _track(file, reading, target, sense, (since, until), align, outliers)
    result = _fitted(track, laws, fitting, quiet=json_)
    report = written(report, lambda path: result.report(path))
    code = deliver(result, result.to_dict() if json_ else None, out, plot, None, title="tippedisk", partial=True)
    if report is not None and not json_:
        print(f"wrote {report}")
    raise typer.Exit(code)


def _say(text: str) -> None:
    print(f"rollick: {text} ...", file=sys.stderr, flush=True)


def _laws(given: Texts) -> list[str]:
    """The laws that are asked for, each once."""
    from ..archetypes.tippedisk.friction_fit import LAWS, parts_of
    from ..kernel.names import InputError

    laws = list(LAWS) if given == ["all"] else given or ["sliding+pivoting+contour"]
    if len(set(laws)) < len(laws):
        raise InputError("--law names a law twice; leave one out.")
    for one in laws:
        parts_of(one)
    return laws


def _track(
    file: str, reading: dict[str, Any], target: str | None, sense: str, ends: tuple[Any, Any], align: bool, outliers: float
) -> Any:
    """The track, its clocks brought together, cut and without outliers, as asked."""
    from ..analysis.tracking import align_clocks, read_track, without_outliers
    from ..archetypes.tippedisk.experiment import FILE
    from ..archetypes.tippedisk.tracked import target as target_of
    from ..kernel.names import number

    track = read_track(FILE if file == "synthetic" else file, **reading, **({} if target is None else target_of(target, sense)))
    if align and len(track.cameras) > 1:
        _say("bringing the clocks of the cameras together")
        track = align_clocks(track)
    if ends != (None, None):
        track = track.between(
            *(None if text is None else number(text, name, "s") for text, name in zip(ends, ("--since", "--until")))
        )
    return without_outliers(track, outliers) if outliers else track


def _fitted(track: Any, laws: list[str], options: dict[str, Any], quiet: bool) -> Any:
    """One identification, or several compared."""
    from ..archetypes.tippedisk.friction_fit import compare_friction, fit_friction

    say = None if quiet else _say
    if len(laws) == 1:
        return fit_friction(track, laws[0], progress=say, **options)
    return compare_friction(track, laws, progress=say, **options)


def _pairs(texts: Texts, option: str) -> dict[str, str]:
    """NAME=VALUE, several times."""
    from ..kernel.names import InputError

    found = {}
    for text in texts or []:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise InputError(f"{option} {text!r} is no NAME=VALUE.")
        found[name.strip()] = value.strip()
    return found


def _point(name: str, text: str) -> tuple[float, ...]:
    from ..kernel.names import InputError, number

    parts = text.split(",")
    if len(parts) != 3:
        raise InputError(f"--marker {name}={text} needs three numbers: x,y,z in body axes, e.g. {name}=20mm,0,5mm.")
    return tuple(number(p, f"a coordinate of the marker {name}", "m") for p in parts)
