"""Notebooks of the tutorials, one for each page: made from the page, so that there is one text.

    python docs/notebooks.py            write notebooks/*.ipynb
    python docs/notebooks.py --check    say which are not what their page makes (exit code 1)

A Python block is a cell; one that begins with `# NAME.py` is a file that later cells import, `%%writefile`. A picture that the page's code writes is shown by a cell. What the page says is printed is left out: the
notebook prints it itself. They are committed without outputs, since the page has them: a notebook can be opened from a clone or a forge without building anything, its differences can be read, and
`tests/test_tutorials.py` says whether it is current and runs it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES, NOTEBOOKS = ROOT / "docs" / "tutorials", ROOT / "notebooks"
PIECE = re.compile(r"^```(\w+)\n(.*?)^```\n?|^!\[[^\]]*\]\(\.\./images/([\w.]+)\)\n?", re.M | re.S)


def pages() -> list[Path]:
    """The tutorials, without their list."""
    return [path for path in sorted(PAGES.glob("*.md")) if path.name != "index.md"]


def cell(kind: str, text: str, place: str) -> dict[str, Any]:
    """A cell; its id is made from its place and text, so that the same page makes the same notebook."""
    made: dict[str, Any] = {"cell_type": kind, "id": hashlib.sha256(f"{place}{text}".encode()).hexdigest()[:8], "metadata": {}}
    if kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made | {"source": text.strip("\n").splitlines(keepends=True)}


def words(text: str) -> str:
    """Prose of a page in a notebook: links lead to the other notebooks and to the pages in docs, solutions are not folded."""
    text = re.sub(r"</?details>|<summary>(.*?)</summary>", lambda m: f"### {m[1]}" if m[1] else "", text)
    text = re.sub(r"\]\((\w+)\.md(#[\w-]+)?\)", r"](\1.ipynb\2)", text)
    return re.sub(r"\]\(\.\./([\w.]+)", r"](../docs/\1", text).strip("\n")


def cells(text: str) -> list[dict[str, Any]]:
    """The cells of a page, one after the other."""
    found, last = [], 0

    def add(kind: str, source: str) -> None:
        if source.strip():
            found.append(cell(kind, source, str(len(found))))

    for piece in PIECE.finditer(text):
        add("markdown", words(text[last : piece.start()]))
        last = piece.end()
        kind, code, picture = piece.groups()
        if picture:
            add("code", f'from IPython.display import Image\n\nImage("{picture}")')
        elif kind == "python":
            file = re.match(r"# (\w+\.py)\n", code)
            add("code", f"%%writefile {file[1]}\n{code}" if file else code)
        elif kind == "sh":
            add("code", "\n".join(f"!{line.removeprefix('$ ')}" for line in code.splitlines()))
        elif kind != "text":
            add("markdown", piece[0])
    add("markdown", words(text[last:]))
    return found


def notebook(page: Path) -> str:
    """The notebook of a page, as the text of its file."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = {
        "cells": cells(page.read_text(encoding="utf-8")),
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def main() -> int:
    """Write all of them, or compare."""
    p = argparse.ArgumentParser(description="notebooks of the tutorials")
    p.add_argument("--check", action="store_true")
    given = p.parse_args()
    NOTEBOOKS.mkdir(exist_ok=True)
    stale = [x.name for x in NOTEBOOKS.glob("*.ipynb") if not (PAGES / f"{x.stem}.md").exists()]
    for page in pages():
        target = NOTEBOOKS / f"{page.stem}.ipynb"
        if not given.check:
            target.write_text(notebook(page), encoding="utf-8")
        elif not target.exists() or target.read_text(encoding="utf-8") != notebook(page):
            stale.append(target.name)
    if stale:
        print(f"not what their pages make: {', '.join(stale)}; run python docs/notebooks.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
