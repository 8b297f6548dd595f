"""The command `rollick analyse MODEL`, and what its questions have in common: the model with its numbers, a state, options."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from ...kernel.names import InputError
from ..known_models import complete_model, refuse_unknown
from .own import is_own, own_model

analyse_app = typer.Typer(
    help="What is stable, what bifurcates, what depends on what: steady motions, periodic orbits, branches, basins, charts, sensitivities of a model.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

OWN_COMMANDS = {"rod": "chatter", "polygon": "chatter", "dying_disk": "disk", "drop": "drop", "philae": "philae"}
SMOOTH = {"friction": "smooth", "mechanism": "drag"}
FORMS = {
    "independent states": {"form": "reduced"},
    "has dry friction": SMOOTH,
    "go from mode to mode, but": SMOOTH,
    "sensitivities cannot be had": SMOOTH,
}
Near = Annotated[
    list[str] | None,
    typer.Option(
        "--near",
        metavar="NAME=VALUE",
        help="A state near the motion, e.g. --near theta=60deg (repeatable; default: the model's start).",
    ),
]
Hold = Annotated[
    list[str] | None,
    typer.Option(
        "--hold", metavar="NAME[=VALUE]", help="A conserved state that keeps its value, e.g. --hold ell=0.5 (repeatable)."
    ),
]
Free = Annotated[
    str | None,
    typer.Option(
        "--free", metavar="NAME,...", help="States that ride along, or none (default: those that no other rate depends on)."
    ),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with the branch in the file of --out, with the --max-points given.")
]
WallLimit = Annotated[
    float | None,
    typer.Option("--wall-limit", metavar="SECONDS", help="Stop after so many seconds; a branch is kept as far as it is."),
]
Show = Annotated[
    str | None,
    typer.Option(
        "--show",
        metavar="NAME,...",
        help="What --plot shows over the parameter: states, drifts, period, max_x, ... (default: the states).",
    ),
]


@analyse_app.callback()
def _analyse(
    context: typer.Context,
    model: Annotated[
        str,
        typer.Argument(
            help="Name of a model (see `rollick models`), or FILE.py:NAME, a system of your own.", autocompletion=complete_model
        ),
    ],
) -> None:
    if not is_own(model):
        refuse_unknown(model)
    context.obj = model


def chosen(context: typer.Context, set_: list[str] | None, allow_unstable: bool) -> tuple[Any, Any]:
    """The model's entry and its system, an ODE."""
    from ...archetypes.models import model as find
    from ..simulate import pairs

    name = str(context.obj)
    entry = own_model(name) if is_own(name) else find(name)
    if entry.run is not None:
        own = f"; `rollick {OWN_COMMANDS[entry.name]}` asks about it" if entry.name in OWN_COMMANDS else ""
        raise InputError(
            f"{entry.name} goes from event to event and is no ODE: `rollick analyse` is for systems with a rate{own}."
        )
    options = {"allow_unstable": True} if allow_unstable else {}
    return entry, entry.make(**options, **pairs(set_ or [], "--set"))


@contextlib.contextmanager
def advised(entry: Any, set_: list[str] | None) -> Iterator[None]:
    """Where a model has a form that an analysis needs (independent states, smooth friction), its refusal of another says how to have it."""
    try:
        yield
    except InputError as error:
        told = str(error)
        words = next((FORMS[key] for key in FORMS if key in told), {})
        given = {text.partition("=")[0].strip() for text in set_ or []}
        found = [
            f"--set {name}={word}"
            for name, word in words.items()
            if name in entry.parameters and word in entry.parameters[name].allowed and name not in given
        ]
        raise InputError(f"{told} Here: {found[0]}." if found else told) from None


def state_near(entry: Any, near: list[str] | None) -> dict[str, Any]:
    """What was given by --near, or else the model's start."""
    from ..simulate import pairs

    return dict(pairs(near or [], "--near")) or dict(entry.start)


def held(texts: list[str] | None) -> dict[str, str] | tuple[str, ...]:
    """NAME or NAME=VALUE, all of one kind."""
    from ..simulate import pairs

    texts = texts or []
    with_value = [text for text in texts if "=" in text]
    if not with_value:
        return tuple(text.strip() for text in texts)
    if len(with_value) < len(texts):
        raise InputError("--hold names some states with a value and some without; give a value to all of them, or to none.")
    return pairs(with_value, "--hold")


def freed(text: str | None) -> str | tuple[str, ...]:
    """auto, none, or names."""
    if text is None or text.strip() == "auto":
        return "auto"
    return () if text.strip() in ("", "none") else tuple(word.strip() for word in text.split(","))


def span(text: str, option: str) -> tuple[str, str]:
    """LOW,HIGH."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(parts):
        raise InputError(f"{option} {text!r} is not of the form LOW,HIGH; write e.g. {option} 0,1.5.")
    return parts[0], parts[1]


def is_field(entry: Any, system: Any, name: str, set_: list[str] | None) -> bool:
    """Whether a parameter of the model is one number of the system, so that to change this number is to make the model with another value."""
    from ...kernel.paths import path_of, replaced, value_at
    from ..simulate import pairs

    try:
        path = path_of(system, name)
    except InputError:
        return False
    if name not in entry.parameters:
        return True
    value = value_at(system, path)
    other = value * (1.0 + 2.0**-20) or 2.0**-20
    given = {key: text for key, text in pairs(set_ or [], "--set").items() if key != name}
    try:
        made = entry.make(**given, **{name: other})
    except InputError:
        return name == path
    return repr(made) == repr(replaced(system, path, other))


def refuse_partial(entry: Any, system: Any, names: list[str], set_: list[str] | None) -> None:
    """Refuse a parameter of the model that is not one number of the system: its radius alone, say, without the inertia that goes with it."""
    from ...kernel.paths import fields_of, path_of

    for name in names:
        if name in entry.parameters and not is_field(entry, system, name, set_):
            paths = fields_of(system)
            try:
                alone = f" {path_of(system, name)} is the one number of that name, without the others."
            except InputError:
                alone = f" Its numbers are {', '.join(paths)}."
            raise InputError(
                f"{name} is a parameter of the model {entry.name} from which several numbers of the system are made, so that nothing is followed or differentiated "
                f"along it; `chart --over {name}=...` computes motions for values of it.{alone}"
            )
