"""`rollick philae`: the Sun from the panels, the fit of the tumbling, the crater rim, and the data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .output import print_json, with_more, written

Lines = dict[str, dict[str, Any]]  # of each printed line, of each start: EMD and share seen along it

philae_app = typer.Typer(
    no_args_is_help=True,
    help="The landing of Philae: Sun directions, tumbling, the collision at the crater rim, and the measurements.",
)


def _parse_rows(text: str | None) -> list[int] | None:
    """Row numbers from "191", "1,5" or "214-240"."""
    from ..kernel.names import InputError

    if text is None:
        return None
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            low = int(first)
            high = int(last) if dash else low
        except ValueError:
            raise InputError(f"--row {text!r} is not a row number; write 191, 13,214 or 214-240.") from None
        if low > high:
            raise InputError(f"--row {part.strip()}: a range goes from the smaller to the larger row; write {high}-{low}.")
        if not 1 <= low <= high <= 308:
            raise InputError(f"--row {part.strip()}: the table has rows 1 to 308.")
        found += range(low, high + 1)
    return found


@philae_app.command()
def sun(
    row: Annotated[str | None, typer.Option("--row", metavar="N,N-M,...", help="Only these rows of the power table.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.nc", help="Write all directions to a netCDF file.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw powers and directions.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")] = False,
) -> None:
    """The direction of the Sun from the powers of the panels, row by row, beside the published one."""
    import numpy as np

    from ..archetypes.lander.sun import angle_between
    from ..archetypes.lander.telemetry import powers, published, times
    from ..studies.philae.patterns import lit_panels, violations
    from ..studies.philae.sun_track import sun_track
    from .simulate import PICTURES, writable

    wanted = _parse_rows(row)
    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    track = sun_track()
    known, delta = published()
    out = written(out, track.to_netcdf)
    plot = written(plot, lambda path: track.plot(path=path))
    if json_:
        rows = [r for r in track.own_numbers()["rows"] if wanted is None or r["row"] in wanted]
        impossible = [v._asdict() for v in violations() if wanted is None or v.row in wanted]
        print_json(with_more(track, {"rows": rows, "impossible_patterns": impossible}))
        return
    shown = wanted if wanted is not None else [int(i) + 1 for i in np.flatnonzero(np.isfinite(track.delta))]
    print(" row  UTC       lit      s_x     s_y     s_z    Delta  spread  published deviation")
    for number in shown:
        i = number - 1
        lit = "".join(map(str, lit_panels(powers()[i])))
        when = str(times()[i])[11:19]
        if not np.isfinite(track.delta[i]):
            print(f"{number:4d}  {when}  {lit:<7}  not to be found: three lit panels are needed, with 6, and with 3 or 5")
            continue
        away = angle_between(track.sun[i], known[i])
        s = "  ".join(f"{c:6.3f}" for c in track.sun[i])
        print(
            f"{number:4d}  {when}  {lit:<7} {s}  {track.delta[i]:6.4f}  {track.spread[i]:4.1f} deg  {delta[i]:.3f}, {away:.3f} deg"
        )
    if wanted is None:
        print(track.summary())
        bad = violations()
        print(
            f"{len(bad)} rows have lit panels that no direction of the Sun can light, {sum(v.phase != 'rest' for v in bad)} of them before rest."
        )
    for path in (out, plot):
        if path is not None:
            print(f"wrote {path}")


@philae_app.command()
def fit(
    step: Annotated[
        float, typer.Option("--step", metavar="RAD/S", help="Step of the grid; the thesis has 0.015 (418 241 flights).")
    ] = 0.075,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="FILE.nc", help="Keep the map here as it goes; an unfinished one is resumed."),
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw slices of the map.")] = None,
    refine: Annotated[int, typer.Option("--refine", metavar="N", help="Refine the N best minima.")] = 12,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")] = False,
) -> None:
    """Which angular velocities after the first touchdown fit the measured Sun: the earth mover's distance over a grid."""
    from ..archetypes.lander.lander import Lander
    from ..archetypes.lander.tumbling import judge
    from ..studies.philae import fit as f
    from ..studies.philae.candidates import EXCHANGED_SUN, PRINTED_LINES, along, printed_line, speeds_at_touchdown
    from .simulate import PICTURES, writable

    writable(store, "--store", (".nc",))
    writable(plot, "--plot", PICTURES)
    found = f.fit_map(step, store=store, progress=False if json_ else None)
    points, values = f.refine(Lander(), f.minima(found, most=max(1, refine)), step)
    order = values[:, 0].argsort()
    points, values = points[order], values[order]
    speeds = speeds_at_touchdown(Lander(), points)
    kept, best = f.accepted(found, level=0.05)
    starts = {"as measured": None, "s_x and s_y exchanged": EXCHANGED_SUN}
    lines = {
        name: {words: judge(Lander(), along(printed_line(name), 31)[4:], s0=s0)[:, [0, 2]] for words, s0 in starts.items()}
        for name in PRINTED_LINES
    }
    if plot is not None:
        from ..studies.philae.pictures import slices_figure

        plot = written(plot, lambda path: slices_figure(found, points=kept, path=path))
    if json_:
        print_json(_fit_as_dict(found, step, points, values, speeds, kept, lines))
        return
    _print_fit(found, step, points, values, speeds, kept, best, lines)
    for path in (store, plot):
        if path is not None:
            print(f"wrote {path}")


def _fit_as_dict(found: Any, step: float, points: Any, values: Any, speeds: Any, kept: Any, lines: Lines) -> dict[str, Any]:
    """The fit as JSON."""
    import numpy as np

    grid = {
        "step": step,
        "flights": int(found["emd"].size),
        "emd_min": float(found["emd"].min()),
        "edf_min": float(found["edf"].min()),
    }
    minima = [
        {"omega": p.tolist(), "emd": v[0], "edf": v[1], "seen": v[2], "amplitude": v[3], "speed_at_td1": w}
        for p, v, w in zip(points, values.tolist(), speeds.tolist())
    ]
    medians = {
        name: {words: dict(zip(("emd", "seen"), np.median(v, axis=0).tolist())) for words, v in both.items()}
        for name, both in lines.items()
    }
    return {"grid": grid, "minima": minima, "accepted": kept.tolist(), "printed_lines": medians}


def _print_fit(
    found: Any,
    step: float,
    points: Any,
    values: Any,
    speeds: Any,
    kept: Any,
    best: Any,
    lines: Lines,
) -> None:
    """The fit in words."""
    import numpy as np

    print(
        f"{found['emd'].size} flights of 45 min, step {step:g} rad/s: smallest EMD {float(found['emd'].min()):.4f}, smallest E_DF {float(found['edf'].min()):.4f}"
    )
    print(
        f"{len(kept)} grid points show the Sun often enough (5 % level) and have an EMD within 1.1 of the best of these, {best.min():.4f}"
    )
    print(
        "refined minima of the EMD:\n omega_x  omega_y  omega_z [rad/s]   EMD     E_DF   seen  amplitude  |omega| at TD1 [rad/s]"
    )
    for p, v, w in zip(points, values, speeds):
        print(f"  {p[0]:6.3f}   {p[1]:6.3f}   {p[2]:6.3f}          {v[0]:.4f}  {v[1]:.4f}  {v[2]:.2f}  {v[3]:.3f}      {w:.4f}")
    for name, both in lines.items():
        told = "; ".join(f"start {words}: {np.median(v[:, 0]):.4f}, seen {np.median(v[:, 1]):.2f}" for words, v in both.items())
        print(f"EMD on the printed line {name}, {told}")


@philae_app.command()
def crater(
    count: Annotated[int, typer.Option("--count", help="Number of collisions.")] = 400,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")] = 0,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="FILE.nc", help="Keep the cases here as they are done; resumed.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.nc", help="Write the histograms to a netCDF file.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw the histograms.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")] = False,
) -> None:
    """The collision with the crater rim, many times: how far the lander's axis swings with the wheel off, and kept running."""
    from ..studies.philae.crater import crater as study
    from .simulate import PICTURES, writable

    for path, option in ((store, "--store"), (out, "--out")):
        writable(path, option, (".nc",))
    writable(plot, "--plot", PICTURES)
    found = study(count, seed, store=store, progress=False if json_ else None)
    out = written(out, found.to_netcdf)
    plot = written(plot, lambda path: found.plot(path=path))
    if json_:
        print_json(found.to_dict())
        return
    print(found.summary())
    for path in (store, out, plot):
        if path is not None:
            print(f"wrote {path}")


@philae_app.command()
def data(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write: .nc (everything) or .csv (the power table).")],
) -> None:
    """Export the measurements, with units and provenance."""
    from ..archetypes.lander.telemetry import SOURCE, philae_data, table
    from ..motion.result.files import save_data
    from ..motion.result.whole_file import write_whole
    from .simulate import writable

    writable(out, "FILE", (".nc", ".csv"))
    if out.suffix == ".nc":
        save_data(philae_data(), out)
    else:
        rows = table("powers")
        text = "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows)])
        write_whole(out, f"{text}\n".encode())
    print(f"wrote {out}: {SOURCE}")
