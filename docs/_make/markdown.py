"""Plain text of docstrings and help texts as Markdown: nothing in it is mark-up but `code`, lists, parameters and indented blocks."""

from __future__ import annotations

import re
import textwrap

SPECIAL = re.compile(r"([\\*_<>\[\]${}~^#|])")
CODE = re.compile(r"(`+[^`]+`+)")


def escaped(text: str) -> str:
    """A text in which only `code` is mark-up."""
    return "".join(part if part.startswith("`") else SPECIAL.sub(r"\\\1", part) for part in CODE.split(text))


def item(name: str, text: str) -> str:
    """An entry of a definition list."""
    return f"{name}\n:   {text}\n"


def parameters(lines: list[str]) -> str:
    """The section `Parameters` of a docstring, `name: text` with indented lines that go on, as a definition list."""
    entries: list[list[str]] = []
    for line in lines:
        if line.startswith(" ") and entries:
            entries[-1].append(line.strip())
        else:
            entries.append([line])
    made = []
    for entry in entries:
        name, _, text = " ".join(entry).partition(":")
        made.append(item(f"``{name.strip()}``", escaped(text.strip()) or "\\-"))
    return "\n".join(made)


def paragraph(lines: list[str]) -> str:
    """A paragraph, a list, or a block that stands indented."""
    if all(line.startswith("    ") for line in lines):
        return "```text\n" + textwrap.dedent("\n".join(lines)) + "\n```"
    if re.match(r"[*-] ", lines[0]):
        return "\n".join(
            re.sub(r"^(\s*)[*-] (.*)", lambda m: f"{m[1]}* {escaped(m[2])}", line)
            if re.match(r"\s*[*-] ", line)
            else escaped(line)
            for line in lines
        )
    text = escaped("\n".join(lines))
    return re.sub(r"^(\s*)([-+]|\d+[.)])(\s)", r"\1\\\2\3", text, flags=re.M)


def markdown(doc: str | None) -> str:
    """A docstring as Markdown."""
    if not doc:
        return ""
    first, _, rest = doc.strip("\n").partition("\n")
    text = f"{first.strip()}\n{textwrap.dedent(rest)}".rstrip()
    parts, section = [], False
    for chunk in re.split(r"\n\s*\n", text):
        lines = chunk.split("\n")
        if len(lines) > 1 and re.fullmatch(r"-{3,}", lines[1].strip()):
            parts.append(f"**{lines[0].strip()}**")
            section, lines = lines[0].strip() in ("Parameters", "Returns"), lines[2:]
            if not lines:
                continue
            parts.append(parameters(lines) if section else paragraph(lines))
            continue
        split = next(
            (k for k, line in enumerate(lines) if line.startswith("    ") and k and not lines[0].startswith(("* ", "- ", " "))),
            None,
        )
        if split is not None and lines[split - 1].rstrip().endswith(":"):  # a block that follows its paragraph at once
            parts += [paragraph(lines[:split]), paragraph(lines[split:])]
        else:
            parts.append(paragraph(lines))
    return "\n\n".join(parts)
