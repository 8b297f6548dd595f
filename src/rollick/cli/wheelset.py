"""`rollick wheelset`: equivalent conicity and frequency of a railway wheelset, from numbers, published or measured profiles; where it slips, and what slip does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import print_json, written
from .wheelset_friction import critical, return_map
from .wheelset_report import amplitudes_of, conicity_lines, conicity_told, frequency_lines, frequency_told, geometry_of

wheelset_app = typer.Typer(
    help="A railway wheelset: equivalent conicity and frequency of its oscillation, where it slips, and what slip does.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SetNames = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A number of the wheelset: h, R_w, R_r, ..., b, r; or gauge, inclination, tape, radius, rail_at (repeatable).",
    ),
]
Wheel = Annotated[
    str | None, typer.Option("--wheel", metavar="NAME|FILE.csv", help="The wheels' profile: s1002, or measured points.")
]
Rail = Annotated[
    str | None,
    typer.Option("--rail", metavar="NAME|FILE.csv", help="The rails' profile: uic60, or measured points, as inclined."),
]
Both = Annotated[
    tuple[str, str] | None,
    typer.Option("--profile", metavar="WHEEL.csv RAIL.csv", help="Both measured profiles: short for --wheel and --rail."),
]
Unit = Annotated[str, typer.Option("--unit", help="Of measured points: mm, m, um or in.")]
Smoothing = Annotated[
    str, typer.Option("--smoothing", help="Residual (root mean square) that splines through measured points aim at, e.g. 2um.")
]
Through = Annotated[
    bool,
    typer.Option("--through-jumps", help="Follow exact oscillations also through jumps of the contact: about a second each."),
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="A picture (png, pdf or svg).")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]


@wheelset_app.command()
def conicity(
    wheel: Wheel = None,
    rail: Rail = None,
    profile: Both = None,
    set_: SetNames = None,
    unit: Unit = "mm",
    smoothing: Smoothing = "2um",
    up_to: Annotated[str, typer.Option("--up-to", help="Largest amplitude, e.g. 8mm.")] = "8mm",
    points: Annotated[int, typer.Option("--points", help="Amplitudes in the table.")] = 200,
    exact: Annotated[
        bool, typer.Option("--exact/--no-exact", help="Also by the exact oscillation, where the contact does not jump.")
    ] = True,
    through: Through = False,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """Equivalent conicity against amplitude by integration, harmonically, by regression (EN 15302, UIC 519); contact jumps."""
    import numpy as np

    from ..archetypes.wheelset.conicity import RadiusDifference
    from ..archetypes.wheelset.conicity import conicity as table_of
    from ..archetypes.wheelset.frequency import exact_frequencies
    from .simulate import PICTURES, writable

    writable(plot, "--plot", PICTURES)
    amplitude = amplitudes_of(up_to, points)
    g = geometry_of(set_, wheel, rail, profile, unit, smoothing, published=True)
    delta = RadiusDifference(g, float(amplitude[-1]))
    table = table_of(delta, amplitude)
    omega, reach, limit = (
        exact_frequencies(g, amplitude, 1e-9, through)
        if exact
        else (np.full(len(amplitude), np.nan), float("nan"), "not asked for")
    )
    own = g.b * g.r * omega**2
    if plot is not None:
        from ..archetypes.wheelset.pictures import conicity_picture
        from ..plotting import save

        plot = written(plot, lambda path: save(conicity_picture(g, delta, table, own), path))
    if json_:
        print_json(conicity_told(g, delta, table, own, reach, limit))
        return
    print("\n".join(conicity_lines(g, delta, table, own, reach, limit)))
    if plot is not None:
        print(f"wrote {plot}")


@wheelset_app.command()
def frequency(
    wheel: Wheel = None,
    rail: Rail = None,
    profile: Both = None,
    set_: SetNames = None,
    unit: Unit = "mm",
    smoothing: Smoothing = "2um",
    speed: Annotated[str, typer.Option("--speed", help="Speed, e.g. 50 (m/s) or 180km/h.")] = "50",
    up_to: Annotated[str, typer.Option("--up-to", help="Largest amplitude, e.g. 10mm.")] = "10mm",
    points: Annotated[int, typer.Option("--points", help="Amplitudes in the table.")] = 10,
    through: Through = False,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """Frequency of the kinematic oscillation: Klingel to Meijaard, beta from the geometry, and exactly against amplitude."""
    from ..archetypes.wheelset.frequency import frequencies
    from ..kernel.names import number
    from .simulate import PICTURES, writable

    writable(plot, "--plot", PICTURES)
    amplitude = amplitudes_of(up_to, points)
    g = geometry_of(set_, wheel, rail, profile, unit, smoothing, published=False)
    f = frequencies(g, amplitude, number(speed, "--speed", "m/s"), through=through)
    if plot is not None:
        from ..archetypes.wheelset.pictures import frequency_picture
        from ..plotting import save

        plot = written(plot, lambda path: save(frequency_picture(f), path))
    if json_:
        print_json(frequency_told(g, f))
        return
    print("\n".join(frequency_lines(g, f)))
    if plot is not None:
        print(f"wrote {plot}")


wheelset_app.command("critical")(critical)
wheelset_app.command("return-map")(return_map)
