"""`rollick drop`: drop tests of a device with a component in it; one drop, maps, boxes in three dimensions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ..kernel.names import InputError, number
from .output import print_json, spoken, spoken_summary, unwritten, with_more, written

drop_app = typer.Typer(
    name="drop",
    help="Drop tests: the shock on a component in a dropped device.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

Angle = Annotated[str, typer.Option("--angle", metavar="PHI", help="Angle of the device at release, e.g. 45deg.")]
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE.nc", help="Write the result to a netCDF file.")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Write a picture (png, pdf or svg).")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
Eps = Annotated[float | None, typer.Option("--eps", help="Speed at which infinite sequences of impacts are cut (default 1e-9).")]
Scheme = Annotated[str, typer.Option("--scheme", help="exact, or thesis (its event scheme, eps = 5e-3).")]
Centrifugal = Annotated[bool, typer.Option("--centrifugal/--no-centrifugal", help="Whether the component feels u phi'^2.")]
Simultaneous = Annotated[
    str, typer.Option("--simultaneous", help="When both ends hit at once: sequential, simultaneous or stop.")
]
Ringdown = Annotated[str, typer.Option("--ringdown", help="The component once the device rests: free, or with its weight.")]
MaxImpacts = Annotated[int | None, typer.Option("--max-impacts", help="Give up after so many impacts.")]
Until = Annotated[float | None, typer.Option("--until", help="Stop at this time, in units of sqrt(l/g).")]
Rho = Annotated[float, typer.Option("--rho", help="Radius of gyration / half-length (homogeneous: 0.577).")]
Gamma = Annotated[float, typer.Option("--gamma", help="Restitution coefficient.")]
Place = Annotated[float, typer.Option("--r", help="Place of the component / half-length, -1 .. 1.")]
Alpha = Annotated[float, typer.Option("--alpha", help="Damping ratio of the component.")]
Decay = Annotated[float, typer.Option("--d", help="Decay rate of the component's free vibrations times sqrt(l/g).")]
Height = Annotated[float, typer.Option("--height", help="Drop height of the mass centre / half-length.")]
Store = Annotated[
    Path | None, typer.Option("--store", metavar="FILE.nc", help="Write the map as it grows; resume it if it is there.")
]


def deliver(result: Any, out: Path | None, plot: Path | None, json_: bool, more: dict[str, Any] | None = None) -> None:
    """Print a result, write its files, set the exit code."""
    failed = len(unwritten)
    out = written(out, result.to_netcdf)
    plot = written(plot, lambda path: result.plot(path=path))
    if json_:
        print_json(with_more(result, more or {}))
    else:
        print(spoken_summary(result.summary()))
        for name, value in (more or {}).items():
            print(f"{name:<10} {value}")
        for path in (out, plot):
            if path is not None:
                print(f"wrote {path}")
    if not result.complete:
        print(f"rollick: {spoken(result.message)}", file=sys.stderr, flush=True)
    raise typer.Exit(0 if result.complete and len(unwritten) == failed else 1)


def check_files(out: Path | None, plot: Path | None, option: str = "--out") -> None:
    """Refuse files that cannot be written, before anything is computed; `option` is what the netCDF file was given with."""
    from .simulate import PICTURES, writable

    writable(out, option, (".nc",))
    writable(plot, "--plot", PICTURES)


def vector(text: str, option: str, unit: str = "") -> tuple[float, float, float]:
    """Three numbers from "0.1,0,-2mm"."""
    parts = [number(p, option, unit) for p in text.split(",")]
    if len(parts) != 3:
        raise InputError(f"{option} {text!r} must be three numbers, e.g. {option} 0,0,1.")
    return parts[0], parts[1], parts[2]


def released_at(angle: str) -> float:
    """The angle of release; what is said of it speaks of the option, and once."""
    import numpy as np

    return np.float64(number(angle, "--angle", "rad"))  # as from a computation: no second word about turns


@drop_app.command("test")
def one_drop(
    rho: Rho = 1 / 3,
    gamma: Gamma = 1 / 3,
    r: Place = 0.0,
    alpha: Alpha = 1.0,
    d: Decay = 10.0,
    angle: Angle = "45deg",
    height: Height = 10.0,
    eps: Eps = None,
    scheme: Scheme = "exact",
    centrifugal: Centrifugal = True,
    simultaneous: Simultaneous = "sequential",
    ringdown: Ringdown = "free",
    max_impacts: MaxImpacts = None,
    until: Until = None,
    out: Out = None,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """One drop in dimensionless numbers: R, how many digits of it are certain, impacts, checks."""
    from ..archetypes.dropped_device import device, drop

    check_files(out, plot)
    choices: dict[str, Any] = {
        "eps": eps,
        "scheme": scheme,
        "centrifugal": centrifugal,
        "simultaneous": simultaneous,
        "ringdown": ringdown,
        **{name: x for name, x in (("max_impacts", max_impacts), ("until", until)) if x is not None},
    }
    deliver(drop(device(rho, gamma, r, alpha, d), released_at(angle), height, **choices), out, plot, json_)


@drop_app.command("device")
def physical(
    half_length: Annotated[str, typer.Option("--half-length", help="Half the length of the device, e.g. 75mm.")] = "75mm",
    gyration: Annotated[str | None, typer.Option("--gyration", help="Radius of gyration (default: homogeneous).")] = None,
    position: Annotated[str, typer.Option("--position", help="Place of the component from the middle, e.g. 2cm.")] = "0",
    frequency: Annotated[float, typer.Option("--frequency", help="Natural frequency of the component [Hz].")] = 200.0,
    damping: Annotated[float, typer.Option("--damping", help="Damping ratio of the component.")] = 0.05,
    restitution: Annotated[float, typer.Option("--restitution", help="Restitution coefficient.")] = 0.3,
    drop_height: Annotated[str, typer.Option("--drop-height", help="Drop height of the mass centre, e.g. 1m.")] = "1m",
    angle: Angle = "45deg",
    eps: Eps = None,
    centrifugal: Centrifugal = True,
    simultaneous: Simultaneous = "sequential",
    max_impacts: MaxImpacts = None,
    until: Annotated[str | None, typer.Option("--until", help="Stop at this time, e.g. 2s.")] = None,
    out: Out = None,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """One drop in SI units."""
    from ..archetypes.dropped_device import drop, physical_device

    check_files(out, plot)
    made, h0, scales = physical_device(half_length, gyration, position, frequency, damping, restitution, drop_height)
    last = None if until is None else number(until, "--until", "s") / scales.time
    choices: dict[str, Any] = {"eps": eps, "centrifugal": centrifugal, "simultaneous": simultaneous}
    choices |= {name: x for name, x in (("max_impacts", max_impacts), ("until", last)) if x is not None}
    result = drop(made, released_at(angle), h0, **choices)
    more = {"peak_mm": round(1e3 * result.peak * scales.length, 6), "rest_s": round(result.t * scales.time, 6)}
    deliver(result, out, plot, json_, more)


def print_map(report: dict[str, Any]) -> None:
    """What a map says, in words."""
    told = ["none" if s is None else f"{s[0]:.4g} .. {s[1]:.4g}" for s in (report["R_inside_B8"], report["R_outside_B8"])]
    print(f"{report['points']} points; R where (B.8) holds: {told[0]}; elsewhere: {told[1]}")
    if report["unfinished_points"]:
        print(
            f"{report['unfinished_points']} points are left out: {report['unfinished_drops']} of their drops did not come to rest within the most impacts"
        )
    if report["overflown_points"]:
        print(
            f"{report['overflown_points']} points are left out: the rod spins faster than the component swings, and u grows beyond any number"
        )


@drop_app.command("map")
def shock_maps(
    angle: Annotated[
        list[str] | None, typer.Option("--angle", help="Angle of release (repeatable; default: the worst of 19).")
    ] = None,
    r: Place = 0.0,
    alpha: Alpha = 1.0,
    d: Decay = 10.0,
    height: Height = 10.0,
    size: Annotated[int, typer.Option("--size", help="Values of rho and of gamma.")] = 100,
    eps: Annotated[float, typer.Option("--eps", help="Speed at which infinite sequences are cut.")] = 1e-7,
    scheme: Scheme = "exact",
    centrifugal: Centrifugal = True,
    simultaneous: Simultaneous = "sequential",
    show: Annotated[str, typer.Option("--show", help="What the picture shows: R or R_goyal.")] = "R",
    top: Annotated[float | None, typer.Option("--top", help="Value of the last colour.")] = None,
    store: Store = None,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """R over (rho, gamma), for given angles or the worst of all; resumable."""
    import numpy as np

    from ..archetypes.dropped_device import chatter_region, finished, shock_map
    from ..archetypes.dropped_device.maps import default_axis, span
    from ..archetypes.dropped_device.pictures import map_figure
    from ..kernel.names import choose

    check_files(store, plot, "--store")
    choose(show, ("R", "R_goyal"), "quantity to --show")
    if not 2 <= size <= 2000:
        raise InputError(f"--size {size} must be between 2 and 2000.")
    axis = default_axis(size)
    choices: dict[str, Any] = {"scheme": scheme, "centrifugal": centrifugal, "simultaneous": simultaneous, "eps": eps}
    data = shock_map(
        axis,
        axis,
        phi0=[released_at(a) for a in angle] if angle else None,
        h0=height,
        r=r,
        alpha=alpha,
        d=d,
        store=store,
        **choices,
    )
    title = f"r = {r:g}, alpha = {alpha:g}, d = {d:g}, h(0) = {height:g}"
    plot = written(plot, lambda path: map_figure(data, show, top, path, title))
    inside, R = chatter_region(data), finished(data)
    near, far = span(R[inside]), span(R[~inside])
    report = {
        "points": int(R.size),
        "R_inside_B8": near,
        "R_outside_B8": far,
        "unfinished_points": int(np.isnan(R).sum()),
        "unfinished_drops": int(data["unfinished"].sum()),
        "overflown_points": int(np.isinf(R).sum()),
    }
    if json_:
        print_json(report)
        return
    print_map(report)
    for path in (store, plot):
        if path is not None:
            print(f"wrote {path}")


EDGES = Annotated[str, typer.Argument(metavar="A,B,C", help="Edges of the box, e.g. 15cm,75mm,8mm.")]
At = Annotated[str, typer.Option("--at", metavar="X,Y,Z", help="Place of the component from the middle [m].")]
Along = Annotated[str, typer.Option("--along", metavar="X,Y,Z", help="Direction in which it moves.")]
Mass = Annotated[str, typer.Option("--mass", help="Mass of the box.")]
Frequency = Annotated[float, typer.Option("--frequency", help="Natural frequency of the component [Hz].")]
Damping = Annotated[float, typer.Option("--damping", help="Damping ratio of the component.")]
Mu = Annotated[float, typer.Option("--mu", help="Friction coefficient of the impacts.")]
Metres = Annotated[str, typer.Option("--height", help="Drop height of the mass centre.")]


@drop_app.command("box")
def one_box(
    edges: EDGES = "15cm,75mm,8mm",
    down: Annotated[str, typer.Option("--down", metavar="X,Y,Z", help="The body direction that points down.")] = "1,0.3,-0.4",
    at: At = "0.06,0.03,0",
    along: Along = "0,0,1",
    mass: Mass = "180g",
    frequency: Frequency = 200.0,
    damping: Damping = 0.05,
    height: Metres = "1m",
    gamma: Gamma = 0.3,
    mu: Mu = 0.0,
    out: Out = None,
    plot: Plot = None,
    view: Annotated[
        Path | None, typer.Option("--view", metavar="FILE.html", help="Write a page that shows the box falling.")
    ] = None,
    json_: Json = False,
) -> None:
    """One drop of a box in three dimensions."""
    from ..archetypes.dropped_device.solid import box, component, drop_solid
    from .simulate import PAGES, writable

    check_files(out, plot)
    writable(view, "--view", PAGES)
    made = box(*edges_of(edges), mass)
    part = component(made, vector(at, "--at", "m"), vector(along, "--along"), frequency, damping)
    found = drop_solid(made, part, vector(down, "--down"), height, gamma=gamma, mu=mu)
    written(view, lambda path: found.save_html(path, f"a box of {edges}, dropped"))
    deliver(found, out, plot, json_)


@drop_app.command("sweep")
def sweep(
    edges: EDGES = "15cm,75mm,8mm",
    at: At = "0.06,0.03,0",
    along: Along = "0,0,1",
    mass: Mass = "180g",
    frequency: Frequency = 200.0,
    damping: Damping = 0.05,
    height: Metres = "1m",
    gamma: Gamma = 0.3,
    mu: Mu = 0.0,
    rows: Annotated[int, typer.Option("--rows", help="Latitudes; there are twice as many longitudes.")] = 45,
    store: Store = None,
    plot: Plot = None,
    json_: Json = False,
) -> None:
    """R of a box over all orientations of release; resumable."""
    import numpy as np

    from ..archetypes.dropped_device import finished
    from ..archetypes.dropped_device.solid import box, component
    from ..archetypes.dropped_device.solid_sweep import orientation_map, sphere_figure, worst

    check_files(store, plot, "--store")
    if not 2 <= rows <= 720:
        raise InputError(f"--rows {rows} must be between 2 and 720.")
    made = box(*edges_of(edges), mass)
    part = component(made, vector(at, "--at", "m"), vector(along, "--along"), frequency, damping)
    data = orientation_map(made, part, height, gamma=gamma, mu=mu, rows=rows, store=store)
    plot = written(plot, lambda path: sphere_figure([(data, f"{edges}, {frequency:g} Hz")], path=path))
    largest, direction = worst(data)
    told = [round(float(x), 4) for x in direction]
    R = finished(data)
    middle, left_out = float(np.nanmedian(R)), int(np.isnan(R).sum())
    if json_:
        print_json({"worst_R": largest, "worst_down": told, "median_R": middle, "unfinished_points": left_out})
        return
    print(f"worst R = {largest:.5g} with the body direction {told} down; median {middle:.4g}")
    if left_out:
        print(f"{left_out} of {R.size} orientations are left out: there was no end of their impacts")
    for path in (store, plot):
        if path is not None:
            print(f"wrote {path}")


def edges_of(text: str) -> tuple[float, float, float]:
    """Three lengths from "15cm,75mm,8mm"."""
    parts = [number(p, "edges", "m") for p in text.split(",")]
    if len(parts) != 3:
        raise InputError(f"the edges {text!r} of a box must be three lengths, e.g. 15cm,75mm,8mm.")
    return parts[0], parts[1], parts[2]
