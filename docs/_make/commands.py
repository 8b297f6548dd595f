"""The reference of the command line, from the commands themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .api import put
from .markdown import escaped, item, markdown


def usage(command: Any, path: str) -> str:
    """How a command is called."""
    arguments = [(p.metavar or p.name.upper(), p.required) for p in command.params if p.param_type_name == "argument"]
    needed = [name if required else f"[{name}]" for name, required in arguments]
    has_options = any(p.param_type_name == "option" for p in command.params)
    more = ["COMMAND ..."] if hasattr(command, "commands") else []
    return " ".join([path, *(["[OPTIONS]"] if has_options else []), *needed, *more])


def shown_default(param: Any) -> str:
    """The default of an option, in words; none if there is none to tell."""
    value = param.default
    if param.required:
        return " *Required.*"
    if value in (None, (), [], "", False) or callable(value):
        return ""
    return f" Default: `{value}`."


def kind_of(param: Any) -> str:
    """The kind of value an option takes, in capitals; Typer keeps it in one place or another, by its version."""
    if param.metavar or param.is_flag:
        return param.metavar or ""
    held = getattr(getattr(param, "type_descriptor", None), "annotation", None) or getattr(param, "type", str)
    name = getattr(held, "name", None) or getattr(held, "__name__", "value")
    return {"str": "TEXT", "int": "INTEGER", "bool": "", "list": "TEXT"}.get(name, name.upper())


def options(command: Any) -> str:
    """Arguments and options as a definition list."""
    made = []
    for p in command.params:
        if getattr(p, "hidden", False):
            continue
        if p.param_type_name == "argument":
            head = f"`{p.metavar or p.name.upper()}`"
        else:
            spelled = ", ".join([*p.opts, *p.secondary_opts])
            head = f"`{f'{spelled} {kind_of(p)}'.strip()}`"
        many = " May be given more than once." if getattr(p, "multiple", False) else ""
        text = escaped(" ".join((getattr(p, "help", None) or "").split())) + shown_default(p) + many
        made.append(item(head, text.strip() or "\\-"))
    return "\n".join(made)


def section(command: Any, path: str, level: int) -> list[str]:
    """A command and those below it."""
    lines = [
        "#" * level + f" {path}",
        "",
        "```text",
        usage(command, path),
        "```",
        "",
        markdown(command.help),
        "",
        options(command),
        "",
    ]
    for name, below in sorted(getattr(command, "commands", {}).items()):
        if not below.hidden:
            lines += section(below, f"{path} {name}", level + 1)
    return lines


def write(folder: Path) -> list[str]:
    """One page per command of the first level; their names."""
    import typer

    from rollick.cli.main import app

    folder.mkdir(parents=True, exist_ok=True)
    root = typer.main.get_command(app)
    pages = []
    for name, command in sorted(root.commands.items()):
        if command.hidden:
            continue
        put(folder / f"rollick-{name}.md", "\n".join(section(command, f"rollick {name}", 1)))
        first = (command.help or "").strip().split("\n\n")[0]
        pages.append((name, " ".join(first.split())))
    table = "\n".join(f"| [{name}](commands/rollick-{name}.md) | {escaped(text)} |" for name, text in pages)
    tree = "\n".join(f"commands/rollick-{name}" for name, _ in pages)
    head = [
        "# The command line",
        "",
        markdown(root.help),
        "",
        "```text",
        usage(root, "rollick"),
        "```",
        "",
        options(root),
        "",
        "| command | what it does |",
        "|---|---|",
        table,
        "",
    ]
    foot = ["```{toctree}", ":hidden:", "", tree, "```", ""]
    put(folder.parent / "commands.md", "\n".join([*head, *foot]))
    return [name for name, _ in pages]
