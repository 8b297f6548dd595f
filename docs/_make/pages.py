"""All that is written from the code, before Sphinx reads the pages."""

from __future__ import annotations

import os
import re
from pathlib import Path

from . import api, commands, moving, rooms, targets

DOCS = Path(__file__).resolve().parents[1]
GENERATED = DOCS / "generated"


def whole(name: str) -> str:
    """A page that holds a document of the top folder; its links, which start there, lead to pages of the documentation, or are texts."""
    text = (DOCS.parent / name).read_text(encoding="utf-8")
    text = re.sub(r"\]\(docs/", "](../", text)
    return re.sub(r"\[([^\]]*)\]\((?!\.\./|[a-z]+:|#)[^)]*\)", r"\1", text)


def write() -> None:
    """Write the generated pages; what is current stays as it is."""
    GENERATED.mkdir(exist_ok=True)
    rooms.write()
    api.write(GENERATED / "api")
    commands.write(GENERATED / "commands")
    targets.write(GENERATED / "targets.md")
    if not os.environ.get("ROLLICK_DOCS_QUICK"):  # for those who write pages: what moves is not simulated
        moving.write()
    api.put(GENERATED / "gallery.md", moving.gallery())
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        api.put(GENERATED / name.lower(), whole(name))
