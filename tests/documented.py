"""The examples of the documentation, run again: what they print, beside what the page says.

    python tests/documented.py PAGE.md ... [--update]
    python tests/documented.py --report          # pages x blocks: what is run, compared, or not run and why

The blocks of a page are run one after the other, in an empty folder that has `examples/`: ``python`` blocks as one script, ``sh`` blocks line by line in a shell.
A first line ``# name.py`` makes a block a file that later blocks use; so does ``# name.toml``. Other ``toml`` blocks are read, as a body or as a study of many motions.
A ``text`` block that follows is compared with what was printed (see `fits`), and with --update the differing block is replaced (`?` alone stands for an output that is not known yet). What a page needs and does not show
stands in a comment of the page, `<!-- before: python ... -->` or `<!-- before: sh ... -->`. `NOT_RUN` lists what cannot be run there, with the reason; nothing else is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import warnings
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = {"python", "sh", "toml", "text", "js"}

# Commands and blocks that are not run, by what is found in them, and why; the test that does instead stands in the reason.
NOT_RUN = {
    r"^make ": "sets an environment up from nothing: .ci/run does",
    r"^pip install": "changes the environment that runs it",
    r"^rollick studio": "a server that runs until Ctrl-C: tests/studio start it",
    r"^rollick warm": "compiles for minutes what the cache already has: tests/kernel/test_cache.py",
    r"^rollick reproduce( \w+)? --figures": "an hour for all: `make figures` draws them, tests/plotting/test_contact_sheet.py some",
    r"--video|\.save_video\(": "a film takes minutes without a graphics card: tests/view/test_in_browser.py makes short ones",
    r"SSHCluster\(": "needs other hosts",
    r"^frame\.contentWindow": "a line for a page of the reader's own: tests/view/test_in_browser.py",
}
# what is refused so is not run on this machine: tests/view run it where there is a browser
NO_BROWSER = "no browser was found to take pictures with"


class Block(NamedTuple):
    """A block of code of a page: language, content, first and last line (from 0, the fences included), and whether the reader sees it."""

    kind: str
    code: str
    first: int
    last: int
    shown: bool = True


def blocks(text: str) -> list[Block]:
    """The blocks of a page in their order; what stands indented and without a language is a formula."""
    found = []
    for token in MarkdownIt("commonmark").parse(text):
        first, last = token.map or (0, 0)
        if token.type == "fence":
            info = token.info.removeprefix("{code-block}").split() or [""]
            found.append(Block("directive" if info[0].startswith("{") else info[0], token.content, first, last))
        elif token.type == "code_block":
            found.append(Block("formula", token.content, first, last))
        elif token.type == "html_block":
            for hidden in re.finditer(r"<!-- before: (\w+)\n(.*?)-->", token.content, re.S):
                found.append(Block(hidden[1], hidden[2], first, last, shown=False))
    return found


def why_not_run(line: str) -> str | None:
    """The reason that a command or block is not run; None if it is."""
    return next((reason for found, reason in NOT_RUN.items() if re.search(found, line, re.M)), None)


def commands(code: str) -> list[str]:
    """The commands of a shell block: its lines without `$` and comments; a backslash joins lines."""
    lines = code.replace("\\\n", " ").splitlines()
    asked = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")] or lines
    bare = [re.sub(r"\s+#\s.*", "", line).strip() for line in asked]
    return [line for line in bare if line and not line.startswith("#")]


def run_python(code: str, names: dict) -> str:
    """What a block of Python prints."""
    first = re.match(r"# ([\w/]+\.py)\n", code)
    if first:  # a file that later blocks import
        Path(first[1]).parent.mkdir(parents=True, exist_ok=True)
        Path(first[1]).write_text(code, encoding="utf-8")
        if "/" in first[1]:  # a file inside the package: what is in it is imported relatively
            return ""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if first:
            names |= vars(importlib.import_module(first[1].removesuffix(".py")))
            names["__name__"] = "example"
        else:
            exec(compile(code, "example", "exec"), names)
    return out.getvalue()


def run_shell(code: str) -> str:
    """What the commands of a block print; RuntimeError where one fails."""
    said = []
    for command in commands(code):
        if why_not_run(command):
            continue
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"$ {command}\nended with {done.returncode}\n{done.stdout[-800:]}{done.stderr[-1500:]}")
        said.append(done.stdout)
    return "".join(said)


def run_toml(code: str) -> str:
    """A file, a body or a study of many motions: kept under its name, or read."""
    first = re.match(r"# ([\w/]+\.toml)\n", code)
    data = tomllib.loads(code)
    path = Path(first[1] if first else "block.toml")
    path.write_text(code, encoding="utf-8")
    if "shape" in data:
        from rollick import read_body

        read_body(path)
    elif "model" in data:
        run_shell(f"rollick sweep {path} --dry-run")
    elif not first:
        raise RuntimeError("a TOML block that is neither a body nor a study, and has no name: nothing reads it")
    return ""


def same_line(said: str, seen: str) -> bool:
    """Whether two lines say the same: words equal, numbers equal but for one unit in the last digit shown."""
    if said.rstrip() == seen.rstrip():
        return True
    number = r"(?<![\w.])[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?(?!\w)"
    if re.sub(number, "#", said).split() != re.sub(number, "#", seen).split():
        return False
    return all(near(a, b) for a, b in zip(re.findall(number, said), re.findall(number, seen), strict=True))


def near(a: str, b: str) -> bool:
    """Whether two printed numbers differ by at most one unit of the last digit, if they have decimals; whole numbers are equal.

    Two numbers below 1e-12 are rounding, which differs between machines.
    """
    if a == b or ("e-" in a and max(abs(float(a)), abs(float(b))) < 1e-12):
        return True
    digits = re.fullmatch(r"[-+]?\d+\.(\d+)(?:[eE]([-+]?\d+))?", a)
    return bool(digits) and abs(float(a) - float(b)) <= 1.01 * 10.0 ** (int(digits[2] or 0) - len(digits[1]))


def fits(said: list[str], seen: list[str]) -> bool:
    """Whether the lines of a page are those that were printed: a line `...` stands for any number of them, and what follows the last may be left out."""
    if not said:
        return True
    if said[0].strip() == "...":
        return any(fits(said[1:], seen[k:]) for k in range(len(seen) + 1))
    return bool(seen) and same_line(said[0], seen[0]) and fits(said[1:], seen[1:])


@contextlib.contextmanager
def room():
    """An empty folder with the examples, and `rollick` as a command."""
    with tempfile.TemporaryDirectory() as folder:
        tools = Path(folder, ".bin")
        tools.mkdir()
        for name, call in (("rollick", f'"{sys.executable}" -m rollick'), ("python", f'"{sys.executable}"')):
            (tools / name).write_text(f'#!/bin/sh\nexec {call} "$@"\n', encoding="utf-8")
            (tools / name).chmod(0o755)
        shutil.copytree(ROOT / "examples", Path(folder, "examples"), ignore=shutil.ignore_patterns("__pycache__"))
        before = os.environ["PATH"]
        os.environ["PATH"] = f"{tools}{os.pathsep}{before}"
        sys.path.insert(0, folder)
        try:
            with contextlib.chdir(folder):
                yield
        finally:
            os.environ["PATH"] = before
            sys.path.remove(folder)


def check(page: Path, update: bool = False) -> list[str]:
    """Run the blocks of a page; one report for each that fails or differs."""
    text = page.read_text(encoding="utf-8")
    names, seen, troubles = {"__name__": "example"}, None, []
    changes: list[tuple[int, int, list[str]]] = []
    with room():
        for block in blocks(text):
            begun = time.perf_counter()
            where = f"{page.name}:{block.first + 1}"
            if block.kind == "text":
                if seen is not None and not fits(block.code.splitlines(), seen.splitlines()):
                    said, lines = block.code.splitlines(), seen.splitlines()
                    troubles.append("\n".join([f"{where}:", *difflib.unified_diff(said, lines, "said", "seen", lineterm="")]))
                    if "..." not in block.code:
                        shown = lines if len(lines) < len(said) + 4 or said == ["?"] else lines[: len(said)]
                        changes.append((block.first + 1, block.last - 1, shown))
                seen = None
            elif block.kind in ("python", "sh", "toml"):
                try:
                    if block.kind == "python":
                        seen = None if why_not_run(block.code) else run_python(block.code, names)
                    else:
                        seen = run_shell(block.code) if block.kind == "sh" else run_toml(block.code)
                        if block.kind == "sh" and any(why_not_run(line) for line in commands(block.code)):
                            seen = None
                except Exception as error:  # a page that does not run is what is looked for
                    seen = None
                    if NO_BROWSER in str(error):
                        print(f"{where}: not run, this machine has no browser", flush=True)
                        continue
                    troubles.append(f"{where}: {type(error).__name__}: {error}\n{block.code[:1500]}")
                print(f"{where}: {block.kind}, {time.perf_counter() - begun:.1f} s", flush=True)
            elif block.kind not in ("formula", "directive"):
                seen = None
    if update and changes:
        lines = text.splitlines()
        for first, last, new in reversed(changes):
            lines[first:last] = new
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return troubles


def pages() -> list[Path]:
    """Every page of the documentation, and the README."""
    built = {"_build", "generated"}
    return [ROOT / "README.md", *(p for p in sorted((ROOT / "docs").rglob("*.md")) if not built & set(p.relative_to(ROOT).parts))]


def count(page: Path) -> Counter:
    """How many blocks of a page are run, compared, formulas, and not run."""
    found: Counter = Counter()
    after_code = False
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.kind == "text":
            found["output, compared" if after_code else "drawing or text"] += 1
            after_code = False
        elif block.kind == "formula":
            found["formula"] += 1
        elif block.kind == "directive":
            continue
        elif block.kind in ("python", "toml") and not why_not_run(block.code):
            found[f"{block.kind}, run" if block.shown else "preparation"] += 1
            after_code = True
        elif block.kind == "sh" and not block.shown:
            found["preparation"] += 1
        elif block.kind == "sh":
            lines = commands(block.code)
            found["commands, run"] += sum(not why_not_run(line) for line in lines)
            found["commands, not run"] += sum(bool(why_not_run(line)) for line in lines)
            after_code = not any(why_not_run(line) for line in lines)
        else:
            found["not run" if why_not_run(block.code) else "unknown"] += 1
            after_code = False
    return found


def report() -> str:
    """Pages x blocks, as a table."""
    rows = [(str(page.relative_to(ROOT)), count(page)) for page in pages()]
    kinds = sorted({kind for _, found in rows for kind in found if found[kind]})
    rows.append(("all", sum((found for _, found in rows), Counter())))
    lines = ["| page | " + " | ".join(kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    return "\n".join(
        [*lines, *(f"| {name} | " + " | ".join(str(found[kind] or "") for kind in kinds) + " |" for name, found in rows)]
    )


def main() -> int:
    """The pages named, one after the other."""
    p = argparse.ArgumentParser(description="run the examples of pages")
    p.add_argument("pages", nargs="*", type=Path)
    p.add_argument("--update", action="store_true")
    p.add_argument("--report", action="store_true", help="count what is run; run nothing")
    given = p.parse_args()
    if given.report:
        print(report())
        return 0
    import matplotlib

    matplotlib.use("Agg")
    os.environ["MPLBACKEND"] = "Agg"
    troubles = [trouble for page in given.pages for trouble in check(page.resolve(), given.update)]
    print(*troubles, f"{len(troubles)} blocks differ", sep="\n\n")
    return min(len(troubles), 1)


if __name__ == "__main__":
    sys.exit(main())
