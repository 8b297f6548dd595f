"""`rollick disk`: self-similar motion of the dying disk, and the exponents of its energy from simulated drops."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from .old_names import OldMost, max_impacts_of
from .output import print_json, with_more, written

disk_app = typer.Typer(
    help="Euler's disk by impacts: self-similar motion and its stability, exponents from random drops.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Number = Annotated[int, typer.Option("--n", help="Contact points: 3 (rough floor) or more (disk that is not round).")]
Rho = Annotated[float, typer.Option("--rho", help="Radius of gyration about a diameter over the radius; homogeneous 0.5.")]
Gamma = Annotated[float, typer.Option("--gamma", help="Coefficient of restitution, 0 .. 1.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]


def _eigenvalues(values: Any) -> str:
    return ", ".join(f"{v.real:.6f}{v.imag:+.6f}i" if abs(v.imag) > 1e-12 else f"{v.real:.6f}" for v in values)


@disk_app.command()
def selfsimilar(
    n: Number = 25,
    rho: Rho = 0.5,
    gamma: Gamma = 0.5,
    gravity: Annotated[bool, typer.Option("--gravity/--no-gravity", help="With or without gravity.")] = True,
    json_: Json = False,
) -> None:
    """Self-similar motion: its factors per impact, whether it can happen, and whether it is stable."""
    from ..archetypes.dying_disk import disk, large_n, stability, with_gravity, without_gravity

    d = disk(n, rho, gamma)
    found = with_gravity(d) if gravity else without_gravity(d)
    judged = [stability(s) if gravity else None for s in found]
    if json_:
        rows = []
        for s, j in zip(found, judged):
            more = (
                {}
                if j is None
                else {"growth": j.growth, "stable": j.stable, "eigenvalues": [[v.real, v.imag] for v in j.eigenvalues]}
            )
            rows.append({**s.as_dict(), **more})
        print_json({"n": d.n, "rho": d.rho, "gamma": d.gamma, "gravity": gravity, "motions": rows})
        return
    print(
        f"n = {d.n}, rho = {d.rho:g}, gamma = {d.gamma:g}, {'with' if gravity else 'without'} gravity: {len(found)} self-similar motions"
    )
    for s, j in zip(found, judged):
        print(f"  beta_p = {s.beta_p:.10g}, beta_q = {s.beta_q:.10g}, beta_t = {s.beta_t:.10g}")
        end = (
            f"c = {s.exponent:.8g}, ends after {s.ends:.6g} first times between impacts"
            if math.isfinite(s.exponent)
            else "no end in finite time"
        )
        print(f"    {end}")
        print(
            f"    {'can happen' if s.feasible else 'cannot happen'}: lowest other point {s.clearance:+.3g}, approach {s.approach:+.3g}"
        )
        if j is not None:
            print(
                f"    {'stable' if j.stable else 'unstable'}: growth {j.growth:.8f} per impact; eigenvalues {_eigenvalues(j.eigenvalues)}"
            )
    if gravity and d.n >= 10:
        theory = large_n(d)
        print(f"  many points: beta_p about {math.exp(theory.log_beta):.6f}, growth about {math.exp(theory.log_growth):.6f}")


@disk_app.command()
def exponent(
    n: Number = 3,
    rho: Rho = 0.25,
    gamma: Gamma = 0.2,
    runs: Annotated[int, typer.Option(help="Random drops.")] = 100,
    max_impacts: Annotated[int, typer.Option(help="Impacts of each.")] = 600,
    most: OldMost = None,
    seed: Annotated[int, typer.Option(help="Of the random drops.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FILE.nc", help="Write all drops to a netCDF file.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the distribution.")] = None,
    json_: Json = False,
) -> None:
    """The exponent c of E ~ (t_f - t)^c, from random drops under gravity."""
    from ..archetypes.dying_disk import exponents, without_gravity
    from .simulate import PICTURES, writable

    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    found = exponents(n, rho, gamma, runs=runs, max_impacts=max_impacts_of(max_impacts, most), seed=seed)
    out = written(out, found.to_netcdf)
    plot = written(plot, lambda path: found.plot(path=path))
    free = [s.exponent for s in without_gravity(found.disk) if math.isfinite(s.exponent)]
    if json_:
        print_json(with_more(found, {"regular_without_gravity": free[0] if free else None}))
        return
    print(found.summary())
    print(
        f"theory     regular motion without gravity: {f'c = {free[0]:.6f} (4.48)' if free else 'none'}; where gravity counts: c = 2"
    )
    for path in (out, plot):
        if path is not None:
            print(f"wrote {path}")


@disk_app.command(name="map")
def map_(
    n: Number = 3,
    points: Annotated[int, typer.Option(help="Grid points in each direction.")] = 50,
    runs: Annotated[int, typer.Option(help="Random drops per point.")] = 100,
    max_impacts: Annotated[int, typer.Option(help="Impacts of each.")] = 600,
    most: OldMost = None,
    seed: Annotated[int, typer.Option(help="Of the random drops.")] = 0,
    store: Annotated[Path | None, typer.Option(metavar="FILE.nc", help="Keep the map here, and resume it.")] = None,
) -> None:
    """Mean exponents over (rho, gamma), both from 0 to 1 (Fig. 4.7)."""
    import numpy as np

    from ..archetypes.dying_disk import disk, exponent_map
    from ..kernel.names import InputError
    from .simulate import writable

    disk(n, 0.5, 0.5)
    writable(store, "--store", (".nc",))
    max_impacts = max_impacts_of(max_impacts, most)
    if points < 2 or runs < 1 or max_impacts < 100:
        raise InputError(
            f"--points {points} must be 2 or more, --runs {runs} 1 or more, --max-impacts {max_impacts} 100 or more."
        )
    axis = np.linspace(0.01, 0.99, points)
    data = exponent_map(n, axis, axis, runs=runs, max_impacts=max_impacts, seed=seed, store=store)
    c = data["c"].values
    print(
        f"n = {n}: {np.isfinite(c).mean():.1%} of the points have drops that rattle on, {np.nanmean(c < 1.9):.1%} a mean exponent below 1.9"
    )
    print(f"least mean exponent {np.nanmin(c):.4g}")
    if store is not None:
        print(f"wrote {store}")
