"""`rollick chatter`: can impacts alone bring a body to rest?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from .old_names import OldMost, max_impacts_of
from .output import print_json, written

chatter_app = typer.Typer(
    help="Chatter without gravity: verdicts, limits, maps, cones.", no_args_is_help=True, rich_markup_mode=None
)

Rho = Annotated[float | None, typer.Option("--rho", help="Radius of gyration over the radius of the polygon.")]
Number = Annotated[int, typer.Option("--n", help="Contact points: 2 (rod), 3, 4, ...")]
Points = Annotated[int | None, typer.Option("--n", help="Contact points: 2 (rod), 3, 4, ... (3 unless given)")]
Gamma = Annotated[float, typer.Option("--gamma", help="Coefficient of restitution, 0 .. 1.")]
Name = Annotated[str | None, typer.Option("--body", help="A body by name instead of --n and --rho, e.g. tetrahedron.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]


def _body(n: int | None, rho: float | None, body: str | None) -> tuple[int, float]:
    """The number of contact points and rho, of a body by name or as typed."""
    from ..archetypes.polygon import BODIES
    from ..kernel.names import InputError, choose

    if body is not None:
        typed = [option for option, value in (("--n", n), ("--rho", rho)) if value is not None]
        if typed:
            raise InputError(
                f"--body {body} says what {' and '.join(typed)} {'are' if len(typed) > 1 else 'is'}; keep one or the other."
            )
        found = BODIES[choose(body.replace("_", " "), BODIES, "body")]
        return found.n, found.rho
    n = 3 if n is None else n
    if n < 2:
        raise InputError(f"--n {n} must be 2 (a rod), 3, 4, ...")
    if rho is None:
        raise InputError("give --rho (the radius of gyration over the radius of the polygon), or --body by name.")
    return n, rho


@chatter_app.command()
def classify(gamma: Gamma, rho: Rho = None, n: Points = None, body: Name = None, json_: Json = False) -> None:
    """Complete, partial or incomplete chatter? With criterion, witness and margin."""
    from ..analysis.chatter import classify as judge

    n, r = _body(n, rho, body)
    verdict = judge(r, gamma, n)
    if json_:
        print_json(verdict.as_dict())
    else:
        print(verdict.summary())


@chatter_app.command()
def limits(
    rho: Rho = None,
    n: Points = None,
    body: Name = None,
    simulate: Annotated[bool, typer.Option(help="Also by simulated drops.")] = False,
    json_: Json = False,
) -> None:
    """The restitution up to which a body chatters."""
    from ..analysis.chatter import known_limits, pair_limit, partial_limit, rho_max, simulated_limit
    from ..archetypes.rod import RodTheory

    n, r = _body(n, rho, body)
    RodTheory(r, 0.0)  # refuses what no body has
    if n == 2:
        found: dict[str, Any] = {"complete": pair_limit((1 - r * r) / (1 + r * r))}
    else:
        words = known_limits(n, r)
        found = {**words, "partial": partial_limit(n, r), "rho_max": rho_max(n)}
        if simulate:
            found["simulated"] = simulated_limit(n, r)
    clean = {k: (None if math.isnan(v) else v) for k, v in found.items()}
    note = _note_on(words, found.get("simulated")) if n > 2 else ""
    if json_:
        print_json({"n": n, "rho": r, **clean, **({"note": note} if note else {})})
        return
    print(f"n = {n}, rho = {r:.6g}: chatter up to gamma =")
    width = max(14, *(len(name) for name in clean))
    for name, value in clean.items():
        print(
            f"  {name:<{width}} {'never' if value is None else f'{value:.9g}'}"
            + ("  (of rho, for the regular word)" if name == "rho_max" else "")
        )
    if note:
        print(note)


def _note_on(words: dict[str, float], simulated: float | None) -> str:
    """How the limits of words and of simulated drops fit together, in a sentence."""
    best = max((x for x in words.values() if not math.isnan(x)), default=0.0)
    rest = "Other words may chatter further, from few starts: `rollick chatter classify` searches for them at a given gamma."
    if simulated is None or abs(simulated - best) <= 1e-5:
        return rest
    if simulated < best:
        name = max(words, key=lambda k: -1.0 if math.isnan(words[k]) else words[k])
        return f"Simulated drops stop short of the {name}: above gamma = {simulated:.6g} no start of theirs leads to it, but others do. {rest}"
    return f"Simulated drops chatter beyond all of these words, up to gamma = {simulated:.6g}, in a word that is not among them. {rest}"


@chatter_app.command()
def bodies() -> None:
    """List the bodies by name."""
    from ..archetypes.polygon import BODIES

    for name, body in BODIES.items():
        print(f"{name:<20} n = {body.n}, rho = {body.rho:.6f}  {body.about}")


@chatter_app.command(name="map")
def map_(
    n: Number = 4,
    rho: Annotated[str, typer.Option(metavar="FROM:TO", help="Range of rho.")] = "0.01:0.75",
    gamma: Annotated[str, typer.Option(metavar="FROM:TO", help="Range of gamma.")] = "0:1",
    points: Annotated[int, typer.Option(help="Grid points in each direction.")] = 100,
    drops: Annotated[int, typer.Option(help="Random drops per point.")] = 20,
    max_impacts: Annotated[int, typer.Option(help="Impacts after which a drop counts as complete chatter.")] = 200,
    most: OldMost = None,
    seed: Annotated[int, typer.Option(help="Of the random drops.")] = 1,
    store: Annotated[Path | None, typer.Option(metavar="FILE.nc", help="Keep the map here, and resume it.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the map.")] = None,
    json_: Json = False,
) -> None:
    """How random drops end over (rho, gamma), by simulation."""
    import numpy as np

    from ..analysis.chatter.simulated import chatter_map
    from ..kernel.names import InputError
    from ..plotting import save
    from ..view.chatter import draw_map
    from .simulate import PICTURES, writable

    def span(text: str, option: str) -> np.ndarray:
        try:
            low, high = (float(x) for x in text.split(":"))
        except ValueError:
            raise InputError(f"{option} {text!r}: give a range FROM:TO, e.g. 0.01:0.6.") from None
        return np.linspace(low, high, points)

    writable(plot, "--plot", PICTURES)
    writable(store, "--store", (".nc",))
    max_impacts = max_impacts_of(max_impacts, most)
    if points < 2 or drops < 1 or max_impacts < 1:
        raise InputError(f"--points {points} must be 2 or more, --drops {drops} and --max-impacts {max_impacts} 1 or more.")
    options: dict[str, Any] = {"count": drops, "max_impacts": max_impacts, "seed": seed, "store": store}
    data = chatter_map(n, span(rho, "--rho"), span(gamma, "--gamma"), **options)
    share = {name: float(data[name].mean()) for name in ("complete", "partial", "incomplete")}
    plot = written(plot, lambda path: save(draw_map(data, n), path))
    if json_:
        axes = {name: data[name].values.tolist() for name in ("rho", "gamma")}
        table = {name: data[name].values.tolist() for name in (*share, "mean_impacts", "most_impacts")}
        print_json({"n": n, "drops": drops, "max_impacts": max_impacts, "seed": seed, "shares": share, **axes, **table})
        return
    print(
        f"n = {n}: {share['complete']:.1%} of the drops chatter on, {share['partial']:.1%} end partially, {share['incomplete']:.1%} fly away"
    )
    for path in (plot, store):
        if path is not None:
            print(f"wrote {path}")


@chatter_app.command()
def cone(
    gamma: Gamma,
    rho: Rho = None,
    n: Points = None,
    body: Name = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.png", help="Draw the cone in the plane v = -1.")] = None,
    json_: Json = False,
) -> None:
    """An effectively invariant cone: found and proven, or not."""
    from ..analysis.chatter import effective_cone
    from ..plotting import save
    from ..view.chatter import draw_cone
    from .simulate import PICTURES, writable

    writable(plot, "--plot", PICTURES)
    n, r = _body(n, rho, body)
    found = effective_cone(n, r, gamma)
    plot = written(plot, lambda path: save(draw_cone(found), path))
    if json_:
        print_json({**vars(found), "polygon": found.polygon.tolist()})
        return
    print(f"n = {n}, rho = {r:g}, gamma = {gamma:g}: {found.verdict}{', proven' if found.proven else ''}")
    print(f"{len(found.polygon)} rays after {found.rounds} rounds, margin {found.margin:g}")
    if plot is not None:
        print(f"wrote {plot}")
