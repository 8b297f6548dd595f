"""A state as a Python script that runs and gives the same motion, and its parts in the words of the command line."""

from __future__ import annotations

import shlex

from ..kernel.names import InputError
from .address import written
from .own_body import BODY, toml_of
from .state import State


def literal(value: float | str) -> str:
    """A value as Python writes it."""
    return repr(value) if isinstance(value, str) else repr(float(value))


def table(values: dict[str, float | str]) -> str:
    """A dict as Python writes it."""
    return "{" + ", ".join(f"{name!r}: {literal(value)}" for name, value in values.items()) + "}"


def options_of(state: State) -> str:
    """What `simulate` is told besides system, start and duration."""
    told = [f"method={state.method!r}"] if state.method != "auto" else []
    told += [f"rtol={state.rtol!r}"] if state.rtol is not None else []
    return "".join(f", {text}" for text in told)


def python_of(state: State) -> str:
    """The script of a state."""
    if state.system == BODY:
        return body_script(state)
    start = table(state.starts()) if state.start else "None"
    until = "None" if state.until is None else repr(state.until)
    parameters = f"**{table(state.set)}" if state.set else ""
    return (
        f'"""The {state.system} as it was in the studio."""\n\n'
        "from rollick.archetypes.models import model\n\n"
        f"entry = model({state.system!r})\n"
        f"system = entry.make({parameters})\n"
        f"motion = entry.simulate(system, start={start}, until={until}{options_of(state)})\n"
        "print(motion.summary())\n"
    )


def body_script(state: State) -> str:
    """The script of a body of one's own: its file is written beside the script's results and read again."""
    if state.set.get("mesh"):
        raise InputError(
            "a body from a mesh that was uploaded has no script: save the file beside a body file (see docs/body_file.md), and name it there."
        )
    return (
        '"""A body as it was built in the studio."""\n\n'
        "import tempfile\nfrom pathlib import Path\n\n"
        "from rollick import simulate\nfrom rollick.mechanics.bodyfile import read_body\n\n"
        f'BODY = """\n{toml_of(state)}"""\n\n'
        'file = Path(tempfile.mkdtemp()) / "body.toml"\n'
        "file.write_text(BODY)\n"
        "given = read_body(file)\n"
        f"motion = simulate(given.system, given.start, {state.lasts!r}{options_of(state)})\n"
        "print(motion.summary())\n"
    )


def command_of(state: State) -> str:
    """The same on the command line."""
    if state.system == BODY:
        return f"rollick simulate --body body.toml --until {state.lasts:g}"
    words = ["rollick", "simulate", state.system]
    words += [w for name, value in state.set.items() for w in ("--set", f"{name}={written(value)}")]
    words += [
        w for name, value in (state.starts() if state.start else {}).items() for w in ("--start", f"{name}={written(value)}")
    ]
    words += ["--until", written(state.until)] if state.until is not None else []
    words += ["--method", state.method] if state.method != "auto" else []
    words += ["--rtol", written(state.rtol)] if state.rtol is not None else []
    return shlex.join(words)
