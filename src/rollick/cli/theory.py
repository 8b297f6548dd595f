"""`rollick theory`: what is known of a rolling body without simulating it."""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, Any

import typer

from .options import AllowUnstable, Json, Set
from .output import print_json

theory_app = typer.Typer(
    help="Rolling without simulating: steady rollings, nutation, separatrices; steady spin of a rattleback.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

ModelName = Annotated[
    str, typer.Argument(help="A body of revolution: torus, rolling_disk, hoop, ellipsoid, routh_sphere, profile.")
]
Start = Annotated[
    list[str] | None,
    typer.Option(
        "--start", metavar="NAME=VALUE", help="A start, e.g. --start theta=60deg --start psi_rate=6 (default: the model's)."
    ),
]


def finite(param: typer.CallbackParam, value: float | None) -> float | None:
    """A number that was typed, refused by the name of its option if it is not finite."""
    from ..kernel.names import number

    return None if value is None else number(value, param.opts[0])


Ell = Annotated[
    float | None,
    typer.Option("--ell", callback=finite, help="Koiller's integral l = N sin^2(theta) psi', instead of --start."),
]
Energy = Annotated[
    float | None,
    typer.Option("--energy", callback=finite, metavar="E", help="Energy in J, with --ell and --inside."),
]


def plain(value: Any) -> Any:
    """A result as JSON has it: complex numbers as [x, y], what is infinite or undefined as null."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return [plain(v) for v in value]
    if hasattr(value, "_fields"):
        return {name: plain(v) for name, v in zip(value._fields, value)}
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


def _body(name: str, set_: list[str] | None) -> tuple[Any, Any]:
    """The model's entry and the reduced body."""
    from ..archetypes.models import model as find
    from ..archetypes.models import models
    from ..kernel.names import InputError
    from .simulate import pairs

    entry = find(name)
    reducible = lambda each: "form" in each.parameters and "reduced" in each.parameters["form"].allowed
    if not reducible(entry):
        rolling = [known for known, each in models().items() if reducible(each)]
        raise InputError(f"{name} is no rolling body of revolution; this theory is for {', '.join(rolling)}.")
    return entry, entry.make(**{**pairs(set_ or [], "--set"), "form": "reduced"})


def _state(entry: Any, body: Any, start: list[str] | None) -> Any:
    from ..archetypes.rubber.start import reduced_start
    from .simulate import pairs

    return reduced_start(body, pairs(start or [], "--start") or dict(entry.start))


def _ell(entry: Any, body: Any, start: list[str] | None, ell: float | None) -> float:
    from ..kernel.names import InputError

    if ell is not None and start:
        raise InputError("--ell and --start both say what l is; keep one.")
    return float(_state(entry, body, start)[2]) if ell is None else ell


@theory_app.command()
def steady(model: ModelName, set_: Set = None, start: Start = None, ell: Ell = None, json_: Json = False) -> None:
    """All steady rollings at one l, and where their number changes."""
    from ..archetypes.rubber import critical_spins, equilibria

    entry, body = _body(model, set_)
    chosen = _ell(entry, body, start, ell)
    found, critical = equilibria(body, chosen), critical_spins(body)
    if json_:
        changes = [{"ell": c[0], "theta": c[1], "kind": c[2]} for c in critical]
        rollings = [dataclasses.asdict(e) for e in found]
        print_json(plain({"model": entry.name, "ell": chosen, "steady_rollings": rollings, "critical_spins": changes}))
        return
    print(f"{entry.name}, ell = {chosen:.9g}: {len(found)} steady rolling{'' if len(found) == 1 else 's'}")
    for e in found:
        track = "a straight line" if math.isinf(e.radius) else f"a circle of radius {e.radius:.6g} m"
        kind = (
            f"stable, small nutations at {e.frequency:.9g} rad/s"
            if e.stable
            else f"unstable, grows like exp({e.frequency:.9g} t)"
        )
        print(
            f"  theta = {math.degrees(e.theta):.6f} deg, E = {e.energy:.9g} J, psi' = {e.psi_rate:.6g} rad/s, {track} "
            f"at {e.speed:.6g} m/s: {kind}"
        )
    for at, theta, kind in critical:
        print(f"  {kind} at ell = {at:.9g}, theta = {math.degrees(theta):.4f} deg")


@theory_app.command()
def nutation(
    model: ModelName,
    set_: Set = None,
    start: Start = None,
    ell: Ell = None,
    energy: Energy = None,
    inside: Annotated[
        str | None, typer.Option("--inside", metavar="THETA", help="A nutation that the motion passes, e.g. 40deg.")
    ] = None,
    json_: Json = False,
) -> None:
    """One nutation by quadrature: period, advances, displacement, and the kind of motion."""
    from ..archetypes.rubber import orbit, orbit_from
    from ..kernel.names import InputError, number

    entry, body = _body(model, set_)
    given = [value is not None for value in (ell, energy, inside)]
    if any(given) and (start or not all(given)):
        raise InputError("give either --start, or all three of --ell, --energy and --inside.")
    if ell is not None and energy is not None and inside is not None:
        found = orbit(body, ell, energy, number(inside, "--inside", "rad"))
    else:
        found = orbit_from(body, _state(entry, body, start))
    if json_:
        print_json(plain({"model": entry.name, **dataclasses.asdict(found)}))
        return
    print(f"{entry.name}, ell = {found.ell:.9g}, E = {found.energy:.12g} J: {found.kind}, {found.track}")
    if found.nutation is not None:
        print(f"  {found.nutation.sentence()}")
    elif found.steady is not None:
        e = found.steady
        word = "it stays at" if found.kind == "steady" else "it takes for ever to reach"
        print(f"  {word} the {'stable' if e.stable else 'unstable'} steady rolling at theta = {math.degrees(e.theta):.6f} deg")


@theory_app.command(name="separatrices")
def separatrices_(model: ModelName, set_: Set = None, start: Start = None, ell: Ell = None, json_: Json = False) -> None:
    """The loops that leave an unstable steady rolling and return to it, at one l."""
    from ..archetypes.rubber import separatrices

    entry, body = _body(model, set_)
    chosen = _ell(entry, body, start, ell)
    found = separatrices(body, chosen)
    if json_:
        print_json(plain({"model": entry.name, "ell": chosen, "separatrices": [dataclasses.asdict(s) for s in found]}))
        return
    print(f"{entry.name}, ell = {chosen:.9g}: {len(found)} separatrix loops{'' if found else ' (no unstable steady rolling)'}")
    for s in found:
        turn = "winds off and onto circles" if math.isinf(s.yaw) else f"track turned by {math.degrees(s.yaw):.6f} deg"
        print(
            f"  E = {s.energy:.12g} J: leaves theta = {math.degrees(s.saddle.theta):.6f} deg, turns back at "
            f"{math.degrees(s.turn):.6f} deg; {turn}"
        )


@theory_app.command()
def spin(
    set_: Set = None,
    at: Annotated[
        str, typer.Option("--at", metavar="W1,W2,...", help="Rates of spin in rad/s to give growth rates for.")
    ] = "1,2,5,10,20,50",
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
) -> None:
    """Steady spin of a rattleback: growth rates, stable ranges, rest."""
    from ..archetypes.models import model as find
    from ..archetypes.rattleback import steady_spin
    from ..kernel.names import InputError, number
    from .simulate import pairs

    options = {"allow_unstable": True} if allow_unstable else {}
    stone = find("rattleback").make(**options, **pairs(set_ or [], "--set"))
    spins = [number(text, "--at", "rad/s") for text in at.split(",") if text.strip()]
    if not spins:
        raise InputError(f"--at {at!r} names no rate of spin; write e.g. --at 1,2,5.")
    found = steady_spin(stone, spins)
    if json_:
        fields = {f.name: getattr(found, f.name) for f in dataclasses.fields(found)}
        print_json(plain({"model": "rattleback", "verdict": found.verdict(), **fields}))
    else:
        print(found)
