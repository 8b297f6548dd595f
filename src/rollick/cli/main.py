"""The `rollick` command.

Exit codes: 0 all is well, 1 a computation failed or a file could not be written, 2 bad input, 130 interrupted. With --json, standard output holds one JSON object and nothing else;
messages go to standard error. Files appear whole or not at all.
"""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from ..kernel.names import InputError
from ..motion.result.whole_file import NotWritten
from . import simulate_options as o
from . import tippedisk_more  # noqa: F401  (more commands of the same name)
from .analyse import analyse_app
from .chatter import chatter_app
from .compare import compare
from .disk import disk_app
from .doctor import doctor
from .drop import drop_app
from .errata import errata
from .filippov import filippov
from .fit import fit
from .flowmeter import flowmeter_app
from .known_models import complete_model, refuse_unknown
from .options import AllowUnstable, Json, Size, Theme
from .output import spoken, unwritten
from .philae import philae_app
from .studio import studio
from .sweep import sweep
from .theory import theory_app
from .tippedisk import tippedisk_app
from .wheelset import wheelset_app

app = typer.Typer(
    name="rollick",
    help="A laboratory for rigid bodies in contact: bodies that roll, slip, spin, rock and collide.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(analyse_app, name="analyse")
app.add_typer(chatter_app, name="chatter")
app.add_typer(disk_app, name="disk")
app.add_typer(drop_app, name="drop")
app.add_typer(flowmeter_app, name="flowmeter")
app.add_typer(philae_app, name="philae")
app.add_typer(theory_app, name="theory")
app.add_typer(tippedisk_app, name="tippedisk")
app.add_typer(wheelset_app, name="wheelset")
app.command()(doctor)
app.command()(compare)
app.command()(errata)
app.command()(filippov)
app.command()(sweep)
app.command()(fit)
app.command()(studio)


def say(text: str) -> None:
    """A message to the user, on standard error."""
    print(text, file=sys.stderr, flush=True)


def _version(wanted: bool) -> None:
    if wanted:
        from ..version import __version__

        print(f"rollick {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


@app.command()
def models() -> None:
    """List the models, one line each."""
    for name, title in complete_model(""):
        print(f"{name:<20} {title}")


@app.command()
def show(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL|FILE.toml",
            help="Name of a model (see `rollick models`), or a body file.",
            autocompletion=complete_model,
        ),
    ],
    json_: Annotated[bool, typer.Option("--json", help="A body file as one JSON object on standard output.")] = False,
) -> None:
    """Show a model's parameters, units, defaults, states and source; or what a body file was understood to say."""
    if model.lower().endswith(".toml"):
        from .body import show_body

        show_body(Path(model), json_)
        return
    if json_:
        raise InputError("--json is for body files: rollick show FILE.toml --json.")
    refuse_unknown(model)
    from .show import show_model

    show_model(model)


@app.command()
def simulate(
    model: o.ModelName = None,
    body: o.BodyFile = None,
    set_: o.SetNames = None,
    start: o.StartNames = None,
    until: o.Until = None,
    rtol: o.RelativeTolerance = None,
    atol: o.AbsoluteTolerance = None,
    method: o.MethodName = None,
    dt: o.Step = None,
    every: o.Every = None,
    painleve: o.Paradox = None,
    ambiguous: o.Ambiguous = None,
    choices: o.Choices = None,
    at: o.OutputTimes = None,
    event: o.EventNames = None,
    out: o.NetcdfFile = None,
    plot: o.PictureFile = None,
    view: o.PageFile = None,
    video: o.FilmFile = None,
    still: o.StillFile = None,
    show_names: o.ShownNames = None,
    theme: Theme = None,
    size: Size = None,
    max_steps: o.MaxSteps = None,
    wall_limit: o.WallLimit = None,
    verify: o.Verify = False,
    partial: o.Partial = False,
    allow_unstable: AllowUnstable = False,
    json_: Json = False,
) -> None:
    """Simulate a model, or a body from a file; print a summary, write files, or JSON."""
    if body is None:
        refuse_unknown(model)
    from ..motion.ahead import compile_ahead

    compile_ahead()  # before the rest is loaded: on a first run another process begins to compile meanwhile
    from .simulate import drawn_in, futures, simulate_model

    texts = {"set_": set_ or [], "start": start or [], "until": until, "at": at, "events": event, "show": show_names}
    solver = {
        "rtol": rtol,
        "atol": atol,
        "method": method,
        "verify": verify,
        "dt": dt,
        "every": every,
        "painleve": painleve,
        "ambiguous": ambiguous,
        "choices": futures(choices),
        "max_steps": max_steps,
        "wall_limit": wall_limit,
    }
    with drawn_in(theme, size, plot):
        code = simulate_model(
            model,
            texts,
            solver,
            out,
            plot,
            view,
            partial=partial,
            allow_unstable=allow_unstable,
            json_=json_,
            body=body,
            films=(video, still),
        )
    raise typer.Exit(code)


@app.command()
def plot(
    file: Annotated[Path, typer.Argument(metavar="FILE.nc", help="A file that Rollick wrote (--out).")],
    names: Annotated[list[str] | None, typer.Argument(help="What to plot (default: the system's choice).")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.png", help="png, pdf or svg (default: beside FILE.nc).")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="time|phase|energy|track|sphere", help="Which picture of a motion (default: time)."),
    ] = None,
    theme: Theme = None,
    size: Size = None,
) -> None:
    """Plot what is in a file: a motion, collisions, a map."""
    from .saved import plot_file

    plot_file(file, names or [], out, kind, theme, size)


@app.command()
def view(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE.nc...", help="A motion that Rollick wrote (--out); several are shown side by side, in step."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE.html", help="The page (default: beside FILE.nc, unless there is a film or a picture)."
        ),
    ] = None,
    video: o.FilmFile = None,
    still: o.StillFile = None,
    title: Annotated[str | None, typer.Option("--title", help="Title of the page (default: the name of the file).")] = None,
) -> None:
    """Write a page that shows the bodies of saved motions moving, for any browser; or a film, or a picture."""
    from .saved import view_files

    view_files(files, out, video, still, title)


@app.command()
def reproduce(
    study: Annotated[str | None, typer.Argument(help="Name of a study (default: all).")] = None,
    only: Annotated[str | None, typer.Option("--only", metavar="ID,...", help="Only these targets, e.g. R1,R4.")] = None,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", metavar="DIR", help="Draw the figures into this folder, with a contact sheet, index.html."),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")] = False,
) -> None:
    """Recompute the published numbers of a work and print the ledger."""
    from .reproduce import reproduce_study

    raise typer.Exit(reproduce_study(study, only, figures, json_))


@app.command()
def warm(
    models: Annotated[
        list[str] | None, typer.Argument(help="Names of models (default: all).", autocompletion=complete_model)
    ] = None,
    thorough: Annotated[bool, typer.Option("--thorough", help="Also events, the stiff method, variational equations.")] = False,
    bodies: Annotated[
        bool, typer.Option("--bodies", help="Also common bodies: ellipsoid, disk, ball and box that roll and slide.")
    ] = False,
) -> None:
    """Compile models ahead of time, so that later runs start at once."""
    for name in models or []:
        refuse_unknown(name)
    from .warm import warm_up

    warm_up(app, models or [], thorough, bodies)


def hush() -> None:
    """Send what standard output still holds nowhere, so that Python does not try to write it again at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def not_written(error: OSError) -> int:
    """Tell why something could not be written; the exit code. A reader that has gone (`| head`) needs no word."""
    hush()
    if not isinstance(error, BrokenPipeError):
        ours = isinstance(error, NotWritten) or error.filename or error.errno is None  # a sentence of ours has no number
        told = error if ours else f"cannot write the output: {error.strerror or error}."
        say(f"rollick: {told}")
    return 1


def guarded(command: Callable[[], Any]) -> int:
    """Run a command; bad input becomes one line on standard error and exit code 2, a full disk exit code 1, Ctrl-C 130."""

    def plain(message: Any, category: Any, filename: Any, lineno: Any, file: Any = None, line: Any = None) -> None:
        say(f"rollick: warning: {spoken(str(message))}")

    unwritten.clear()
    with warnings.catch_warnings():
        warnings.showwarning = plain
        try:
            code = int(command() or 0)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        except InputError as error:
            say(f"rollick: {spoken(str(error))}")
            code = 2
        except OSError as error:
            code = not_written(error)
        except KeyboardInterrupt:
            code = 130
        try:
            sys.stdout.flush()
        except OSError as error:
            code = not_written(error)
        if code == 0 and unwritten:
            code = 1
        if code == 130:
            say("rollick: interrupted.")
        return code


def without_half_made(said: Any) -> None:
    """Say what went wrong where nothing can be raised; not that of objects of LLVM which Ctrl-C left half made, and which complain as they are thrown away."""
    if not str(getattr(said.object, "__module__", "")).startswith("llvmlite"):
        sys.__unraisablehook__(said)


def main() -> None:
    """Entry point of the command."""
    sys.unraisablehook = without_half_made
    sys.exit(guarded(lambda: app(prog_name="rollick", standalone_mode=True)))


if __name__ == "__main__":
    main()
