"""`rollick errata [WORK]`: the errata of the published works, with what shows them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ..kernel.names import InputError
from .options import Json
from .output import print_json

WHICH = typer.Argument(
    metavar="WORK|NUMBER", help="A work (rattleback, rubber, tippedisk, collisions, dual_point) or an erratum, e.g. DP-46."
)


def errata(work: Annotated[str | None, WHICH] = None, json_: Json = False) -> None:
    """List the errata of the published works: what is printed, what is correct, what shows it and what it changes."""
    from ..errata import find_works, works
    from ..errata.plain import plain

    one = [(w, e) for w in works() for e in w.errata if work is not None and e.id.lower() == work.lower()]
    if (
        not one
        and work is not None
        and any(work.lower().startswith(e.id.split("-")[0].lower() + "-") for w in works() for e in w.errata)
    ):
        raise InputError(f"no erratum {work!r}; `rollick errata` lists their numbers.")
    chosen = [] if one else find_works(work)
    if json_:
        found: Any = one[0][0].as_dict() | {"errata": [one[0][1].as_dict()]} if one else [w.as_dict() for w in chosen]
        print_json(found if one else found[0] if len(found) == 1 else {"works": found})
        return
    if one:
        print(full(*one[0], plain))
        return
    for w in chosen:
        print(f"{w.author}: {w.title} ({w.published})")
        print(f"{len(w.errata)} errata\n")
        for e in w.errata:
            print(full(w, e, plain) if work is not None else f"  {e.id:<9} {e.kind:<9} {e.strength:<10} {plain(e.place)}")
            if work is not None:
                print()
        print()
    if work is None:
        print("rollick errata WORK (or a number, e.g. DP-46) says what is printed, what is correct, and what shows it.")


def full(work: Any, e: Any, plain: Any) -> str:
    """One erratum, in lines."""
    rows = [("printed", plain(e.printed)), ("correct", plain(e.correct)), ("effect", plain(e.effect))]
    rows += [("evidence", f"{e.strength}: {x.name}" + (f"  [{x.command}]" if x.row else "")) for x in e.evidence] or [
        ("evidence", e.strength)
    ]
    head = f"{e.id}  {work.cite}, {plain(e.place)} ({e.kind})"
    return "\n".join([head, *(f"  {name:<9} {text}" for name, text in rows)])
