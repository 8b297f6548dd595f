"""The examples of the documentation, run again: what they print, beside what the page says.

    python tests/documented.py PAGE.md ... [--update]

The Python blocks of a page are run one after the other, as one script; ``sh`` blocks that begin with `rollick` as commands. A ``text`` block that follows is
compared with what was printed, line by line (a line `...` stands for any number of them; what follows the last line of the block may be left out), and with --update
the differing block is replaced, an empty one filled. Pictures that the page's own code writes and the page shows (`images/NAME`) are put into docs/images with --update.
Not a test: it takes minutes, and last digits differ between machines (`tests/test_tutorials.py` runs the tutorials in this way).
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path

import matplotlib
from PIL import Image
from typer.testing import CliRunner

from rollick.cli.main import app

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
SHOWN = re.compile(r"\]\((?:\.\./)*images/([\w.]+)\)")
IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"


def printed(kind: str, code: str, names: dict) -> str | None:
    """What a block prints; None if it is none that is run."""
    if kind == "python":
        first = re.match(r"# (\w+\.py)\n", code)
        if first:  # a file that later blocks import
            Path(first[1]).write_text(code, encoding="utf-8")
        out = io.StringIO()
        with contextlib.redirect_stdout(out), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(code, "example", "exec"), names)
        return out.getvalue()
    commands = [line.removeprefix("$ ") for line in code.splitlines() if line.removeprefix("$ ").startswith("rollick ")]
    if kind != "sh" or len(commands) != 1 or "serve" in commands[0]:
        return None
    words = commands[0].partition("#")[0].split()[1:]
    done = CliRunner().invoke(app, words)
    return done.output


def fits(said: list[str], seen: list[str]) -> bool:
    """Whether lines of a page are those that were printed."""
    if not said:
        return True
    if said[0].strip() == "...":
        return any(fits(said[1:], seen[k:]) for k in range(len(seen) + 1))
    return bool(seen) and said[0].rstrip() == seen[0].rstrip() and fits(said[1:], seen[1:])


def main() -> int:
    """The pages named, one after the other."""
    p = argparse.ArgumentParser(description="run the examples of pages")
    p.add_argument("pages", nargs="+", type=Path)
    p.add_argument("--update", action="store_true")
    given = p.parse_args()
    matplotlib.use("Agg")
    different = 0
    for page in [path.resolve() for path in given.pages]:
        text, names, seen = page.read_text(encoding="utf-8"), {"__name__": "example"}, None
        made: list[tuple[int, int, str]] = []  # what is replaced: by place, since several blocks may read the same
        with tempfile.TemporaryDirectory() as room, contextlib.chdir(room):
            sys.path.insert(0, os.getcwd())
            for block in BLOCK.finditer(text):
                kind, code = block.groups()
                if kind != "text":
                    try:
                        seen = printed(kind, code, names)
                    except Exception as error:  # a page that does not run is what is looked for
                        different += 1
                        print(f"{page.name}: {type(error).__name__}: {error}\n{code}", flush=True)
                        seen = None
                elif seen is not None:
                    said, lines = code.splitlines(), seen.splitlines()
                    if (not said and lines) or not fits(said, lines):
                        different += 1
                        print(
                            f"{page.name}:", *difflib.unified_diff(said, lines, "said", "seen", lineterm=""), sep="\n", flush=True
                        )
                        if "..." not in code:
                            shown = lines if len(lines) < len(said) + 4 or not said else lines[: len(said)]
                            made.append((*block.span(), f"```text\n{os.linesep.join(shown)}\n```"))
                    seen = None
            sys.path.pop(0)
            for name in SHOWN.findall(text):
                if given.update and Path(name).exists():
                    Image.open(name).convert("RGB").quantize(32, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)
        if given.update and made:
            for first, last, new in reversed(made):
                text = text[:first] + new + text[last:]
            page.write_text(text, encoding="utf-8")
    print(f"{different} blocks differ")
    return min(different, 1)


if __name__ == "__main__":
    sys.exit(main())
