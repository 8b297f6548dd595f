"""The rooms of the package, drawn from its imports: `python docs/_make/rooms.py` writes docs/images/rooms.svg, and a test says whether it is current.

Each row is a room, from the highest to the lowest, with its folders; a number counts the modules of the row's room that import from the column's. Imports point
down, so that nothing stands left of the diagonal; imports that stand inside functions (what draws a result is loaded when it draws) are counted apart, in italics.
"""

from __future__ import annotations

import ast
from collections import Counter
from html import escape
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "rollick"
DRAWING = Path(__file__).resolve().parents[1] / "images" / "rooms.svg"
ORDER = ("cli", "studio", "view", "studies", "errata", "archetypes", "plotting", "analysis", "ensemble", "motion", "mechanics", "kernel")
ROW, LEFT, NAME, CELL, TOP = 58, 24, 470, 62, 96
INK, SOFT, LINE = "#1b2733", "#5b6b7a", "#d5dde5"


def room_of(dotted: str) -> str | None:
    """The room of a module of the package."""
    parts = dotted.split(".")
    return parts[1] if parts[0] == "rollick" and len(parts) > 1 and parts[1] in ORDER else None


def imports(path: Path) -> tuple[set[str], set[str]]:
    """The rooms that a module imports from: always, and only inside its functions; what only type checkers see is left out."""
    here = ["rollick", *path.relative_to(PACKAGE).parts[:-1]]
    always: set[str] = set()
    inside: set[str] = set()

    def visit(node: ast.AST, into: set[str]) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            dotted = ".".join([*base, *([node.module] if node.module else [])])
            full = [dotted] if room_of(dotted) else [f"{dotted}.{name.name}" for name in node.names]
            into.update(room for name in full if (room := room_of(name)))
        elif isinstance(node, ast.Import):
            into.update(room for name in node.names if (room := room_of(name.name)))
        deeper = inside if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else into
        for child in ast.iter_child_nodes(node):
            visit(child, deeper)

    visit(ast.parse(path.read_text(encoding="utf-8")), always)
    return always, inside - always


def counted() -> tuple[Counter, Counter]:
    """(room, room) -> how many modules of the first import from the second: always, inside functions only."""
    always: Counter = Counter()
    inside: Counter = Counter()
    for room in ORDER:
        for path in (PACKAGE / room).rglob("*.py"):
            first, second = imports(path)
            always.update((room, other) for other in first if other != room)
            inside.update((room, other) for other in second if other != room)
    return always, inside


def contents(room: str) -> tuple[str, list[str]]:
    """How large a room is, roughly (so that the drawing does not change with every edit), and what is in it: folders, then files."""
    files = [p for p in (PACKAGE / room).rglob("*.py") if "__pycache__" not in p.parts]
    lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in files)
    folders = sorted(p.parent.name for p in (PACKAGE / room).glob("*/__init__.py"))
    single = sorted(p.stem for p in (PACKAGE / room).glob("*.py") if not p.stem.startswith("_"))
    return f"{round(lines, -3) // 1000 or '<1'} 000 lines".replace("<1 000", "under 1 000"), [
        f"{name}/" for name in folders
    ] + single


def fitted(words: list[str], width: int) -> str:
    """As many words as fit a line of so many letters."""
    text = ""
    for k, word in enumerate(words):
        if len(text) + len(word) + 2 > width:
            return f"{text}, … {len(words) - k} more"
        text = f"{text}, {word}" if text else word
    return text


def shade(count: int, most: int) -> str:
    """The colour of a cell: the more imports, the darker."""
    part = (count / most) ** 0.5
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip((233, 241, 248), (120, 170, 214), strict=True))


def text(x: float, y: float, words: str, size: int = 13, ink: str = INK, **more: str) -> str:
    """A line of text."""
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}"{extra}>{escape(words)}</text>'


def drawing() -> str:
    """The rooms as SVG."""
    always, inside = counted()
    most = max([*always.values(), *inside.values()])
    width, height = LEFT + NAME + CELL * len(ORDER) + 24, TOP + ROW * len(ORDER) + 62
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" role="img" '
        'aria-label="The rooms of the package and how many modules of each import from which">',
        f'<rect width="{width}" height="{height}" rx="10" fill="#ffffff"/>',
        text(LEFT, 34, "The rooms, from the imports", 19, font_weight="600"),
        text(LEFT, 56, "a row imports from a column: in so many of its modules", 12, SOFT),
        text(LEFT, 74, "(italics: only inside functions, as what draws a result does)", 12, SOFT),
    ]
    for k, room in enumerate(ORDER):
        x = LEFT + NAME + CELL * (k + 0.5)
        parts.append(text(x, TOP - 10, room, 12, SOFT, text_anchor="middle"))
    for i, room in enumerate(ORDER):
        y = TOP + ROW * i
        size, inner = contents(room)
        parts.append(
            f'<rect x="{LEFT}" y="{y + 3}" width="{NAME - 14}" height="{ROW - 6}" rx="7" fill="#f4f7fa" stroke="{LINE}"/>'
        )
        parts.append(text(LEFT + 14, y + 25, room, 15, font_weight="600"))
        parts.append(text(LEFT + NAME - 28, y + 25, size, 12, SOFT, text_anchor="end"))
        parts.append(text(LEFT + 14, y + 44, fitted(inner, 66), 11, SOFT))
        for j, other in enumerate(ORDER):
            x = LEFT + NAME + CELL * j
            a, b = always[room, other], inside[room, other]
            fill = "#eef1f4" if i == j else shade(a + b, most) if a + b else "#ffffff"
            parts.append(
                f'<rect x="{x + 2}" y="{y + 3}" width="{CELL - 4}" height="{ROW - 6}" rx="5" fill="{fill}" stroke="{LINE}"/>'
            )
            if i == j:
                parts.append(f'<circle cx="{x + CELL / 2:g}" cy="{y + ROW / 2:g}" r="4" fill="{SOFT}"/>')
            elif a or b:
                if a:
                    parts.append(text(x + CELL / 2, y + (27 if b else 34), str(a), 15, text_anchor="middle"))
                if b:
                    parts.append(
                        text(x + CELL / 2, y + (45 if a else 34), str(b), 13, SOFT, text_anchor="middle", font_style="italic")
                    )
    below = TOP + ROW * len(ORDER) + 26
    up = sum(n for (a, b), n in always.items() if ORDER.index(a) > ORDER.index(b))
    up_inside = sum(n for (a, b), n in inside.items() if ORDER.index(a) > ORDER.index(b))
    words = "No module imports from a room above its own" if not up else f"{up} modules import from a room above their own"
    parts.append(
        text(LEFT, below, f"{words}; {up_inside} do so inside a function, where a result is drawn or a page written.", 12, SOFT)
    )
    return "\n".join([*parts, "</svg>", ""])


def write(path: Path = DRAWING) -> None:
    """Draw the rooms."""
    new = drawing()
    if not path.exists() or path.read_text(encoding="utf-8") != new:
        path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    write()
