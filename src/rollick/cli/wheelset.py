"""`rollick wheelset`: equivalent conicity and frequency of a railway wheelset, from numbers, published or measured profiles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .output import print_json, written

wheelset_app = typer.Typer(
    help="A railway wheelset: equivalent conicity and frequency of its kinematic oscillation.",
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


def geometry_of(
    set_: list[str] | None,
    wheel: str | None,
    rail: str | None,
    profile: tuple[str, str] | None,
    unit: str,
    smoothing: str,
    published: bool,
) -> Any:
    """The wheelset that the options ask for; without any: published profiles, or the numbers of Example 1.2."""
    from ..archetypes.wheelset.geometry import simple
    from ..archetypes.wheelset.rolling_model import NUMBERS, TRACK
    from ..archetypes.wheelset.track import on_track
    from ..kernel.names import InputError, choose, number
    from .simulate import pairs

    if profile is not None and (wheel is not None or rail is not None):
        raise InputError("--profile gives both profiles; leave out --wheel and --rail.")
    wheel, rail = profile or (wheel, rail)
    units = {name: p.unit for name, p in {**NUMBERS, **TRACK}.items()} | {"rail_at": "m"}
    given = {}
    for name, text in pairs(set_ or [], "--set").items():
        name = choose(name, units, "parameter of the wheelset")
        given[name] = float("inf") if str(text).strip() == "inf" and name == "R_w" else number(text, name, units[name])
    numbers = [name for name in given if name in NUMBERS]
    placed = [name for name in given if name not in NUMBERS]
    if numbers and (placed or wheel or rail):
        raise InputError(
            f"--set {numbers[0]} describes the profiles by numbers; it does not go with "
            f"{'--set ' + placed[0] if placed else 'profiles by name or file'}."
        )
    if numbers or (not published and not placed and wheel is None and rail is None):
        values = {name: float(p.default) for name, p in NUMBERS.items()} | given
        return simple(**values)
    return on_track(wheel or "s1002", rail or "uic60", unit=unit, smoothing=number(smoothing, "--smoothing", "m"), **given)


def amplitudes_of(up_to: str, points: int) -> Any:
    """Evenly spaced amplitudes [m]."""
    import numpy as np

    from ..kernel.names import InputError, number

    top = number(up_to, "--up-to", "m")
    if not 1 <= points <= 5000:
        raise InputError(f"--points {points} must lie between 1 and 5000.")
    if not 0.0 < top < 0.1:
        raise InputError(f"--up-to {up_to} must be an amplitude between 0 and 100 mm; write e.g. 8mm.")
    return top * np.arange(1, points + 1) / points


def told_geometry(g: Any) -> dict[str, Any]:
    """The nominal contact for JSON."""
    fits = {name: p.fit._asdict() if p.fit else None for name, p in (("wheel", g.wheel), ("rail", g.rail))}
    return {
        "wheel": {
            "name": g.wheel.name,
            "source": g.wheel.source,
            "fit": fits["wheel"],
            "jumps": [j._asdict() for j in g.wheel.jumps()],
        },
        "rail": {
            "name": g.rail.name,
            "source": g.rail.source,
            "fit": fits["rail"],
            "jumps": [j._asdict() for j in g.rail.jumps()],
        },
        "b": g.b,
        "r": g.r,
        "h": g.h,
        **g.curvatures,
    }


def geometry_lines(g: Any) -> list[str]:
    """The nominal contact in words."""
    k = {name: 0.0 if abs(value) < 1e-9 else value for name, value in g.curvatures.items()}
    lines = [
        f"{name:<10} {p.name}" + (f": {p.fit.words()}" if p.fit else "") for name, p in (("wheel", g.wheel), ("rail", g.rail))
    ]
    return [
        *lines,
        f"contact    b = {1e3 * g.b:.6g} mm, r = {1e3 * g.r:.6g} mm, h = {g.h:.6g}, R_w = {k['R_w']:.5g} m (R_w' = "
        f"{k['R1_w']:.4g}), R_r = {k['R_r']:.5g} m (R_r' = {k['R1_r']:.4g})",
    ]


def shown(amplitude: Any) -> Any:
    """Which amplitudes to print: all, or about ten of many."""
    n = len(amplitude)
    step = max(1, round(n / 10))
    return [k for k in range(n) if (k + 1) % step == 0 or k == n - 1]


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

    from ..archetypes.wheelset.conicity import RadiusDifference, nonlinearity_parameter
    from ..archetypes.wheelset.conicity import conicity as table_of
    from ..archetypes.wheelset.frequency import exact_frequencies
    from ..archetypes.wheelset.locus import jump_words
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
        from ..view.curves import save

        plot = written(plot, lambda path: save(conicity_picture(g, delta, table, own), path))
    nonlinear = nonlinearity_parameter(delta)
    if json_:
        columns = {name: getattr(table, name).tolist() for name in table._fields}
        jumps = [d._asdict() for d in delta.jumps]
        print_json(
            {
                **told_geometry(g),
                **columns,
                "exact": own.tolist(),
                "exact_up_to": reach,
                "why_not_further": limit,
                "contact_jumps": jumps,
                "nonlinearity_parameter_per_mm": nonlinear,
            }
        )
        return
    print("\n".join(geometry_lines(g)))
    for d in delta.jumps:
        print(f"jump       {jump_words(d)}")
    if exact and not np.isfinite(own).all():
        print(f"exact      up to {1e3 * reach:.4g} mm: {limit}")
    print("amplitude  integration  harmonic  regression    exact   wavelength   radius difference")
    for k in shown(amplitude):
        last = f"{own[k]:9.6f}" if np.isfinite(own[k]) else "        -"
        print(
            f"{1e3 * amplitude[k]:7.3f} mm   {table.integration[k]:9.6f} {table.harmonic[k]:9.6f}   "
            f"{table.regression[k]:9.6f} {last} {table.wavelength[k]:9.4f} m {1e3 * table.radius_difference[k]:12.5f} mm"
        )
    if nonlinear is not None:
        print(f"nonlinearity parameter (Polach; EN 15302:2021): {nonlinear:+.5f} 1/mm")
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
    import math

    import numpy as np

    from ..archetypes.wheelset.frequency import frequencies
    from ..kernel.names import number
    from .simulate import PICTURES, writable

    writable(plot, "--plot", PICTURES)
    amplitude = amplitudes_of(up_to, points)
    g = geometry_of(set_, wheel, rail, profile, unit, smoothing, published=False)
    f = frequencies(g, amplitude, number(speed, "--speed", "m/s"), through=through)
    if plot is not None:
        from ..archetypes.wheelset.pictures import frequency_picture
        from ..view.curves import save

        plot = written(plot, lambda path: save(frequency_picture(f), path))
    c = f.coefficients
    if json_:
        rows = {name: getattr(f, name).tolist() for name in ("amplitude", "by_beta", "balanced", "exact")}
        small = {**f.small._asdict(), "printed": f.small.printed, "corrected": f.small.corrected, "complete": f.small.complete}
        first = {name: f.v * getattr(c, name) for name in ("a01", "a03", "a21", "b10", "b30", "b12")}
        more = {"exact_up_to": f.reach, "why_not_further": f.limit, "wavelength": f.wavelength(f.exact).tolist()}
        told = {
            "v": f.v,
            "linear": f.linear._asdict(),
            "omega_L": f.omega_L,
            "coefficients": first,
            "beta": f.beta,
            "beta_small_conicity": small,
        }
        print_json({**told_geometry(g), **told, "warnings": f.warnings, **rows, **more})
        return
    print("\n".join(geometry_lines(g)))
    print(
        "small oscillations at "
        + f"{f.v:g} m/s: "
        + ", ".join(f"{name.capitalize()} {value:.7g}" for name, value in f.linear._asdict().items())
        + " rad/s"
    )
    print(
        f"exact      {f.omega_L:.7g} rad/s, {f.omega_L / (2.0 * math.pi):.7g} Hz, wavelength "
        f"{2.0 * math.pi * f.v / f.omega_L:.5g} m; equivalent conicity {g.b * g.r * (f.omega_L / f.v) ** 2:.6g}"
    )
    print(
        f"beta       {1e-6 * f.beta:.6g} 1/mm^2 (series); small conicity (1.61): {1e-6 * f.small.printed:.6g} as "
        f"printed, {1e-6 * f.small.corrected:.6g} with its fourth term, {1e-6 * f.small.complete:.6g} with a fifth in 1/b"
    )
    for text in f.warnings:
        print(f"warning    {text}")
    if not np.isfinite(f.exact).all():
        print(f"exact      up to {1e3 * f.reach:.4g} mm: {f.limit}")
    print("amplitude      beta (1.41)   balance (1.43)        exact   wavelength")
    for k in shown(amplitude):
        own = f"{f.exact[k]:12.7g}  {f.wavelength(f.exact)[k]:9.5g} m" if np.isfinite(f.exact[k]) else "           -          -"
        print(f"{1e3 * amplitude[k]:7.3f} mm   {f.by_beta[k]:12.7g}     {f.balanced[k]:12.7g} {own}")
    if plot is not None:
        print(f"wrote {plot}")
