"""`rollick tippedisk energy|friction|manifold|design`: energy as the parameter, other friction, the full model's slow manifold, toys."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .output import print_json
from .tippedisk import Json, _disk, tippedisk_app

Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="specimen, rounding, mu, eps or g; or a disk with a hole: r, a, b, h, rho, c (repeatable).",
    ),
]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE.png", help="Draw it: png, pdf or svg.")]


def _drawn(plot: Path | None, draw: Any) -> None:
    """Check the name of a picture, and draw it."""
    from .simulate import PICTURES, writable

    writable(plot, "--plot", PICTURES)
    if plot is not None:
        draw(plot)


@tippedisk_app.command()
def energy(set_: Set = None, json_: Json = False, plot: Plot = None) -> None:
    """Energy instead of spin as the parameter: Hopf point, connection, type; and the spin of a launch that comes to the top."""
    import math

    from ..archetypes.tippedisk.reduced import climb
    from ..archetypes.tippedisk.reduced import rolling_integrals as rolling
    from ..archetypes.tippedisk.reduced.linear import critical_speed
    from ..archetypes.tippedisk.reduced.pictures_more import plot_energy

    disk, _, _, g = _disk(set_)
    weight = disk.m * g * disk.r
    E_c = float(climb.spin_energy(disk, critical_speed(disk, g), True, g))
    E_h = weight * float(rolling.energy(disk.kappa, disk.zeta, math.pi))
    kinds = {hold: f"v{int(rolling.folds(disk.kappa, disk.zeta, hold, 'regularised')[2])}" for hold in rolling.HOLDS}
    below = {name: float(climb.spin_of_energy(disk, E, False, g)) for name, E in (("E_c", E_c), ("E_h", E_h))}
    found = {
        "E_c": E_c, "E_h": E_h, "spin_below": below, "types": kinds, "zeta_star_energy": rolling.boundary(disk.kappa, "energy"),
        "launch_without_losses": climb.lossless_launch(disk, g), "launch": climb.launch_speed(disk, g),
    }  # fmt: skip
    _drawn(plot, lambda path: plot_energy(disk, g, path))
    if json_:
        print_json(found)
        return
    print(
        f"E_c      {E_c:.6f} J  inverted spinning attracts above (spin {critical_speed(disk, g):.4f} rad/s there, {below['E_c']:.4f} with S below)"
    )
    print(f"E_h      {E_h:.6f} J  connection, Melnikov's integral (spin {below['E_h']:.4f} rad/s with S below)")
    print(f"type     {kinds['spin']} with the spin held, {kinds['energy']} with the energy held")
    print(
        f"launch   {found['launch']:.4f} rad/s with S below brings it to the top, its losses paid; without losses {found['launch_without_losses']:.4f}"
    )


@tippedisk_app.command()
def friction(
    set_: Set = None,
    mu_R: Annotated[float, typer.Option("--mu-R", help="Coefficient of contour friction.")] = 0.0,
    eps_R: Annotated[float, typer.Option("--eps-R", help="Its smoothing velocity [m/s].")] = 1e-2,
    mu_tau: Annotated[float, typer.Option("--mu-tau", help="Coefficient of pivoting friction.")] = 0.0,
    radius: Annotated[float, typer.Option("--radius", help="Radius of contact [m].")] = 2.9e-3,
    contensou: Annotated[
        bool, typer.Option("--contensou", help="Contensou's law with this radius, instead of regularised sliding friction.")
    ] = False,
    drive: Annotated[
        str,
        typer.Option(
            "--drive",
            help="What holds the spin against pivoting friction in the full model: spin (a force on alpha alone, as in Model 1.4), vertical (a couple about the vertical), none.",
        ),
    ] = "spin",
    json_: Json = False,
    plot: Plot = None,
) -> None:
    """The critical speed of inversion with contour, pivoting or Contensou friction."""
    import math

    from ..archetypes.tippedisk.reduced import more_friction
    from ..archetypes.tippedisk.reduced.linear import critical_speed
    from ..archetypes.tippedisk.reduced.pictures_more import plot_friction
    from ..kernel.names import InputError

    disk, mu, eps, g = _disk(set_)
    for name, number, least in (
        ("--mu-R", mu_R, 0.0),
        ("--mu-tau", mu_tau, 0.0),
        ("--eps-R", eps_R, 1e-300),
        ("--radius", radius, 1e-300),
    ):
        if not least <= number < math.inf:
            raise InputError(f"{name} = {number:g} must be a finite number {'above zero' if least else 'of zero or above'}.")
    if contensou and mu_tau:
        raise InputError("--contensou includes pivoting; leave out --mu-tau.")
    if contensou and any(text.partition("=")[0].strip() == "eps" for text in set_ or []):
        raise InputError("--contensou has its own smoothing, by --radius; leave out --set eps.")
    law = more_friction.of_contensou(mu, radius) if contensou else more_friction.Resistance(mu, eps, mu_tau, radius)
    law = law._replace(mu_R=mu_R, eps_R=eps_R)
    drives = {"full": drive, "1.2": "spin" if drive == "none" else drive}  # Model 1.2 has a held spin
    speeds = {model: more_friction.critical_speed(disk, law, g, model, drive=drives[model]) for model in more_friction.MODELS}
    closed = critical_speed(disk, g)
    searched = closed * more_friction.REACH[0], closed * more_friction.REACH[-1]
    found: dict[str, Any] = {
        "1.4": closed,
        **{k: (v if v == v else None) for k, v in speeds.items()},
        "smoothing": law.smoothing(closed),
        "until": {
            model: more_friction.upper_speed(disk, law, speed, g, model, drives[model]) if speed == speed else None
            for model, speed in speeds.items()
        },
        "searched": searched,
        "drive": drives,
    }
    _drawn(plot, lambda path: plot_friction(disk, g, path, mu=mu, eps=eps, drive=drive))
    if json_:
        print_json(found)
        return
    told = {"1.4": "Model 1.4, whatever the friction", "1.2": "Model 1.2 at a held spin", "full": "full model, eight eigenvalues"}
    for model, words in told.items():
        speed = found[model]
        where = f": no pair that oscillates stops growing between {searched[0]:.4g} and {searched[1]:.4g} rad/s"
        end = found["until"].get(model) or math.nan
        until = f"; from {end:.4f} rad/s on a real eigenvalue grows" if end == end else ""
        print(f"Omega_c  {'none' if speed is None else f'{speed:.5f} rad/s':16} {words}{where if speed is None else until}")
    if law.mu_tau:
        print(f"drive    {drive}: pivoting friction acts otherwise where the spin is held otherwise (--drive spin|vertical|none)")


@tippedisk_app.command()
def manifold(
    set_: Set = None,
    Omega: Annotated[float, typer.Option("--Omega", help="Spin speed [rad/s].")] = 31.0,
    beta: Annotated[str, typer.Option("--beta", help="Inclination.")] = "100deg",
    gamma: Annotated[str, typer.Option("--gamma", help="Rolling angle.")] = "20deg",
    json_: Json = False,
    plot: Plot = None,
) -> None:
    """Slip on the slow manifold of the full model, beside that of Model 1.4, in a state with S at rest."""
    import math

    from ..archetypes.tippedisk.reduced import full_manifold as full
    from ..archetypes.tippedisk.reduced.pictures_more import plot_manifold
    from ..kernel.names import InputError, number

    disk, mu, eps, g = _disk(set_)
    b, c = number(beta, "beta", "rad"), number(gamma, "gamma", "rad")
    if not 0.05 < b < math.pi - 0.05 or Omega == 0.0 or not math.isfinite(Omega):
        raise InputError(
            f"beta = {beta} must lie between 3 and 177 deg (a disk that lies flat has no such state), and Omega = {Omega:g} be a finite number other than zero."
        )
    made = full.full_manifold(disk, 2, mu, g)
    states = full.rolling_states(disk, [b], [c], Omega)
    terms = made.terms(states)[:, :, 0]
    other = float(full.reduced_slip(disk, b, c, Omega, mu, g))
    slip = made(states, eps)[:, 0]
    _drawn(plot, lambda path: plot_manifold(disk, Omega, mu, g, path))
    if json_:
        print_json({"terms": terms.tolist(), "slip": slip.tolist(), "eps": eps, "reduced": [0.0, other]})
        return
    print(
        f"slip along and across the rim over powers of eps: {terms[1].round(6).tolist()} eps + {terms[2].round(6).tolist()} eps^2"
    )
    print(f"at eps = {eps:g} m/s: {slip[0]:.6g}, {slip[1]:.6g} m/s")
    times = f": {other / terms[1][1]:.3f} times the lateral slip of the full model" if abs(terms[1][1]) > 1e-12 else ""
    print(f"Model 1.4: 0, {other:.6f} eps to leading order{times}")


@tippedisk_app.command()
def design(
    kappa: Annotated[float, typer.Option("--kappa", help="Wanted eccentricity e/r; S rises by 2 e.")] = 1.0 / 18.0,
    r: Annotated[str, typer.Option("--r", help="Radius of the disk.")] = "45mm",
    hole: Annotated[str, typer.Option("--hole", metavar="LOW,HIGH", help="Radius of the hole over r.")] = "0.32,0.6",
    thickness: Annotated[str, typer.Option("--thickness", metavar="LOW,HIGH", help="Thickness over r.")] = "0.05,0.3",
    fill: Annotated[
        str, typer.Option("--fill", metavar="LOW,HIGH", help="Density of the filling over that of the disk.")
    ] = "0,0.2",
    json_: Json = False,
    plot: Plot = None,
) -> None:
    """The toy that inverts with the smallest spin of its launch."""
    from ..archetypes.tippedisk.reduced import toy
    from ..archetypes.tippedisk.reduced.pictures_more import plot_toys
    from ..kernel.names import number

    size = number(r, "r", "m")
    best = toy.best_toy(kappa, size, _pair(hole, "--hole"), _pair(thickness, "--thickness"), _pair(fill, "--fill"))
    _drawn(plot, lambda path: plot_toys(kappa, size, best, path=path))
    if json_:
        print_json(best.to_dict())
        return
    print(best.summary())


def _pair(text: str, option: str) -> tuple[float, float]:
    """Two rising numbers, LOW,HIGH."""
    from ..kernel.names import InputError

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"{option} {text} must be two numbers, LOW,HIGH, e.g. 0.3,0.6.") from None
    if not low < high:
        raise InputError(f"{option} {text}: the first number must be below the second.")
    return low, high
