"""What the sources define: modules, functions, classes, with signatures and docstrings as they are written. Nothing is imported."""

from __future__ import annotations

import ast
import contextlib
import functools
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "rollick"


class Thing(NamedTuple):
    """A function, class, method, property or field."""

    kind: str
    name: str
    signature: str
    doc: str | None
    members: tuple = ()


def default(node: ast.expr) -> str:
    """A default value as it is written; a long one is left out."""
    text = ast.unparse(node)
    return text if len(text) <= 60 and "\n" not in text else "..."


def one_argument(arg: ast.arg, value: ast.expr | None) -> str:
    """An argument with its type and default."""
    text = arg.arg + (f": {ast.unparse(arg.annotation)}" if arg.annotation else "")
    return text if value is None else f"{text} = {default(value)}" if arg.annotation else f"{text}={default(value)}"


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef, bound: bool = False) -> str:
    """The signature of a function, without its first argument if it is bound."""
    a = node.args
    plain = [*a.posonlyargs, *a.args]
    values = [None] * (len(plain) - len(a.defaults)) + list(a.defaults)
    parts = [one_argument(arg, value) for arg, value in zip(plain, values, strict=True)]
    if a.posonlyargs:
        parts.insert(len(a.posonlyargs), "/")
    if bound:
        parts = parts[1:]
    if a.vararg:
        parts.append("*" + one_argument(a.vararg, None))
    elif a.kwonlyargs:
        parts.append("*")
    parts += [one_argument(arg, value) for arg, value in zip(a.kwonlyargs, a.kw_defaults, strict=True)]
    if a.kwarg:
        parts.append("**" + one_argument(a.kwarg, None))
    return f"({', '.join(parts)})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def decorators(node: ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) -> set[str]:
    """The names of what decorates."""
    return {ast.unparse(d).split("(")[0] for d in node.decorator_list}


def of_function(node: ast.FunctionDef | ast.AsyncFunctionDef, method: bool = False) -> Thing:
    """A function or method."""
    marks = decorators(node)
    if method and marks & {"property", "cached_property", "functools.cached_property"}:
        return Thing("property", node.name, f": {ast.unparse(node.returns)}" if node.returns else "", ast.get_docstring(node))
    kind = next((k for k in ("classmethod", "staticmethod") if k in marks), "method") if method else "function"
    return Thing(kind, node.name, signature(node, method and kind != "staticmethod"), ast.get_docstring(node))


def is_data(node: ast.ClassDef) -> bool:
    """Whether a class is made from its fields."""
    return any("NamedTuple" in ast.unparse(base) for base in node.bases) or bool(
        decorators(node) & {"dataclass", "dataclasses.dataclass"}
    )


def of_class(node: ast.ClassDef) -> Thing:
    """A class with its public members."""
    members, arguments, init = [], [], None
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and not part.target.id.startswith("_"):
            kind = ast.unparse(part.annotation)
            members.append(
                Thing("field", part.target.id, f": {kind}" + (f" = {default(part.value)}" if part.value else ""), None)
            )
            if "ClassVar" not in kind:
                arguments.append(one_argument(ast.arg(part.target.id, part.annotation), part.value))
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            if part.name == "__init__":
                init = signature(part, bound=True).partition(" -> ")[0]
            elif not part.name.startswith("_") and not decorators(part) & {"overload", f"{part.name}.setter"}:
                members.append(of_function(part, method=True))
    made = init or (f"({', '.join(arguments)})" if is_data(node) else "")
    return Thing("class", node.name, made, ast.get_docstring(node), tuple(members))


class Module(NamedTuple):
    """A module: its dotted name, docstring, and public things."""

    name: str
    doc: str | None
    things: tuple
    exports: tuple


def exported(tree: ast.Module) -> tuple[str, ...]:
    """The names of `__all__`, if it is a plain list of names, and those that are imported when they are first used."""
    listed: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            with contextlib.suppress(ValueError):
                listed += ast.literal_eval(node.value)
    later = [name.asname or name.name for node in imported_later(tree) for name in node.names] if is_lazy(tree) else []
    return (*listed, *later)


def is_lazy(tree: ast.Module) -> bool:
    """Whether a module imports names when they are first used (`rollick.lazily`)."""
    return any(isinstance(node, ast.Expr) and ast.unparse(node).startswith("lazily(") for node in tree.body)


def imported_later(tree: ast.Module) -> list[ast.ImportFrom]:
    """What a module imports for type checkers."""
    guarded = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return [line for node in guarded for line in node.body if isinstance(line, ast.ImportFrom)]


def imports_of(tree: ast.Module, path: Path) -> dict[str, tuple[Path, str]]:
    """Names that a module has from others of the package: name -> (file, name there)."""
    found = {}
    for node in [*tree.body, *imported_later(tree)]:
        if not isinstance(node, ast.ImportFrom):
            continue
        dotted = (node.module or "").split(".") if node.module else []
        if node.level:
            base = path.parents[node.level - 1]
        elif dotted[:1] == ["rollick"]:
            base, dotted = PACKAGE, dotted[1:]
        else:
            continue
        target = base.joinpath(*dotted)
        file = target / "__init__.py" if target.is_dir() else target.with_suffix(".py")
        for name in node.names:
            found[name.asname or name.name] = (file, name.name)
    return found


@functools.cache
def read(path: Path) -> tuple[Module, dict[str, tuple[Path, str]]]:
    """A module as its source says, and what it has from others."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    dotted = ".".join(["rollick", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")
    things: dict[str, Thing] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and "overload" not in decorators(node):
            things.setdefault(node.name, of_function(node))
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            things.setdefault(node.name, of_class(node))
    return Module(dotted, ast.get_docstring(tree), tuple(things.values()), exported(tree)), imports_of(tree, path)


def module(path: Path) -> Module:
    """A module as its source says."""
    return read(path)[0]


def find(path: Path, name: str) -> tuple[Module, Thing] | None:
    """Where a name that a module has is defined."""
    here = module(path)
    thing = next((t for t in here.things if t.name == name), None)
    if thing:
        return here, thing
    source = read(path)[1].get(name)
    return find(*source) if source and source[0].exists() and source != (path, name) else None


def file_of(dotted: str) -> Path:
    """The file of a module of the package."""
    target = PACKAGE.joinpath(*dotted.split(".")[1:])
    return target / "__init__.py" if target.is_dir() else target.with_suffix(".py")
