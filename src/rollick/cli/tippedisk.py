"""`rollick tippedisk`: critical speeds, connections and folds of a disk; the stability chart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .output import deliver, print_json

tippedisk_app = typer.Typer(
    help="Why a tippedisk inverts: its critical speeds, and the stability chart of all disks.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
SPEEDS = {
    "critical": ("Omega_c", "above it inverted spinning attracts, closed form"),
    "M2": ("Omega_h", "connection, kappa -> 0, closed form"),
    "M1": ("Omega_h", "connection, first order in kappa, closed form"),
    "M": ("Omega_h", "connection, Melnikov's integral"),
    "2D": ("Omega_h", "connection, slow flow at the given eps"),
    "fold": ("Omega_f", "where two cycles meet, eps -> 0"),
    "saddle": ("Omega_s", "above it the connection attracts from inside, closed form"),
}


@tippedisk_app.command()
def speeds(
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="specimen, rounding, mu, eps or g; or a disk with a hole: r, a, b, h, rho, c (repeatable).",
        ),
    ] = None,
    json_: Json = False,
) -> None:
    """The speeds at which the behaviour of a disk changes, and its type."""
    from ..archetypes.tippedisk.reduced import computed_chart
    from ..archetypes.tippedisk.reduced.heteroclinic import connection_slow, melnikov_speeds, speed_unit
    from ..archetypes.tippedisk.reduced.linear import critical_speed, saddle_speed

    disk, mu, eps, g = _disk(set_)
    here = computed_chart([disk.kappa], [disk.zeta])
    unit = speed_unit(disk, g)
    found: dict[str, float | None] = {"critical": critical_speed(disk, g), **melnikov_speeds(disk, g)}
    found["2D"] = connection_slow(disk, mu, eps, g).value
    fold = float(here.omega_f[0, 0])
    found |= {"fold": unit * fold if fold == fold else None, "saddle": saddle_speed(disk, g)}
    kind = f"v{int(here.types[0, 0])}"
    if json_:
        print_json({"kappa": disk.kappa, "zeta": disk.zeta, "psi": disk.psi, "type": kind, "speeds": found})
        return
    print(f"kappa = {disk.kappa:.6g}, zeta = {disk.zeta:.6g}, psi = {disk.psi:.6g}: type {kind}")
    for name, (symbol, words) in SPEEDS.items():
        value = found[name]
        print(f"  {symbol:8} {'none' if value is None else f'{value:.5f} rad/s':16} {words}")


@tippedisk_app.command()
def chart(
    kappa: Annotated[str, typer.Option("--kappa", metavar="LOW:HIGH:COUNT", help="e/r.")] = "0.001:0.1:60",
    zeta: Annotated[str, typer.Option("--zeta", metavar="LOW:HIGH:COUNT", help="A/Bb.")] = "0.5:2:60",
    closed: Annotated[bool, typer.Option("--closed", help="The closed forms of the thesis, instead of computing.")] = False,
    json_: Json = False,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE.nc", help="Write the surfaces to a netCDF file.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw the chart: png, pdf or svg.")] = None,
) -> None:
    """The stability chart in (kappa, zeta): Hopf points, connections, folds and types."""
    from ..archetypes.tippedisk.reduced import closed_chart, computed_chart
    from .analyse.grids import axis
    from .simulate import PICTURES, writable

    writable(out, "--out", (".nc",))
    writable(plot, "--plot", PICTURES)
    axes = axis(kappa, "", "--kappa", ""), axis(zeta, "", "--zeta", "")
    result = (closed_chart if closed else computed_chart)(*axes)
    raise typer.Exit(deliver(result, result.to_dict() if json_ else None, out, plot, None, title="chart"))


def _disk(texts: list[str] | None) -> tuple[Any, float, float, float]:
    """The disk, mu, eps and g of what was given."""
    from ..archetypes.models import Parameter, read_parameters
    from ..archetypes.tippedisk import drilled_disk, specimen
    from ..archetypes.tippedisk.reduced.model import PARAMETERS
    from ..archetypes.tippedisk.specimens import DIMENSIONS
    from ..kernel.names import InputError
    from .simulate import pairs

    given = pairs(texts or [], "--set")
    known = {name: PARAMETERS[name] for name in ("specimen", "rounding", "mu", "g")}
    known["eps"] = Parameter(0.1, "m/s", "smoothing velocity", positive=True)
    sizes = {name: Parameter(v, "kg/m^3" if name == "rho" else "m") for name, v in DIMENSIONS["V1"].items()}
    v = read_parameters({**known, **sizes}, given, "a tippedisk")
    own = [name for name in given if name in sizes]
    if own and "rounding" in given:
        raise InputError(f"rounding would do nothing with a disk of your own ({', '.join(own)}); leave it out.")
    numbers = (v["mu"], v["eps"], v["g"])
    if not own:
        return (specimen(v["specimen"], v["rounding"]), *numbers)
    from_thesis = dict(DIMENSIONS[v["specimen"]])
    disk = drilled_disk(**{**from_thesis, **{name: v[name] for name in own}})
    if disk.e == 0.0:
        raise InputError("the mass centre lies in the middle (e = 0): there is nothing to invert; move the hole (b).")
    return (disk, *numbers)
