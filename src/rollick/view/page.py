"""A motion as a page: one file for a browser that shows the body moving, and needs neither a server nor a network.

The page holds the body's mesh, its poses at evenly spaced instants (`rollick.view.frames`), the viewer (`assets/viewer/`, `viewer.css`,
`page.html`) and the parts of three.js it needs (`assets/three_parts.min.js`; see `assets/README.md`). The address may end in #t=2.5: the page
then starts paused at that time.
"""

from __future__ import annotations

import html
import json
import re
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

from ..kernel.names import InputError, file_of
from ..kernel.warn import warn_user
from ..motion.result.whole_file import write_whole
from .contacts import contact_modes
from .scene_data import FINENESS, LARGEST, label, page_data

__all__ = ["LARGEST", "contact_modes", "data_of", "label", "page", "page_data", "save_page", "show_page", "side_by_side"]

VIEWER = ("data", "lines", "ground", "body", "scenery", "tracks", "overlays", "side", "curves", "player", "keys", "hook")
ENDINGS = (".html", ".htm")
MOST_SIDES = 4


def asset(name: str) -> str:
    """The text of a file of `assets/`."""
    return (resources.files("rollick.view") / "assets" / name).read_text(encoding="utf-8")


def viewer() -> str:
    """The viewer as one script: its files in the order in which they build on one another."""
    return "\n".join(['(() => {\n"use strict";', *(asset(f"viewer/{name}.js").strip() for name in VIEWER), "})();"])


def data_of(result: Any, title: str | None = None, fineness: int = FINENESS, skin: Any = None) -> dict[str, Any]:
    """The data of the page of any result with a body to show: a motion, collisions, a drop. skin: a shape that is drawn in place of the body's own."""
    if not hasattr(result, "scene"):
        raise InputError(
            f"there is no body to show moving in {getattr(result, 'title', type(result).__name__)}; plot draws its numbers."
        )
    data: dict[str, Any] = result.scene(title, fineness=fineness, skin=skin)
    return data


def page(motion: Any, title: str | None = None, fineness: int = FINENESS) -> str:
    """The page of a motion as text; its title is that of the system, unless another is given."""
    return filled(data_of(motion, title, fineness))


def side_by_side(results: Any, path: Any, titles: Any = None) -> Path:
    """Write one page with several motions side by side, in step; at most four. Returns its path."""
    target = checked_path(path)
    shown = list(results)
    if not 1 <= len(shown) <= MOST_SIDES:
        raise InputError(f"a page shows one to {MOST_SIDES} motions side by side; got {len(shown)}.")
    names = [None] * len(shown) if titles is None else list(titles)
    if len(names) != len(shown):
        raise InputError(f"got {len(names)} titles for {len(shown)} motions; give one for each, or none.")
    pages = [data_of(result, name) for result, name in zip(shown, names)]
    return put(filled({"name": ", ".join(one["name"] for one in pages), "sides": pages}), target)


def filled(data: dict[str, Any]) -> str:
    """The page with its data."""
    parts = {
        "title": html.escape(f"{data['name']}: a motion"),
        "style": asset("viewer.css").strip(),
        "motion": json.dumps(data, allow_nan=False).replace("<", "\\u003c"),
        "licence": asset("three.LICENSE.txt").strip(),
        "three": asset("three_parts.min.js").strip(),
        "viewer": viewer(),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], asset("page.html"))


def checked_path(path: Any) -> Path:
    """The file a page can be written to; another ending or a missing folder is refused."""
    target = file_of(path)
    if target.suffix.lower() not in ENDINGS:
        raise InputError(f"cannot write the page {target}: the file must end in {' or '.join(ENDINGS)}; browsers go by that.")
    if target.is_dir():
        raise InputError(f"cannot write the page {target}: there is a folder of that name; choose another.")
    return target


def save_page(motion: Any, path: Any, title: str | None = None) -> Path:
    """Write the page of a motion, whole or not at all; returns its path."""
    target = checked_path(path)
    return put(page(motion, title), target)


def put(text: str, target: Path) -> Path:
    """Write a page, whole or not at all."""
    write_whole(target, text.encode("utf-8"))
    return target


def in_notebook() -> bool:
    """Whether this runs in a notebook, where pages can be shown below a cell."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return shell is not None and hasattr(shell, "kernel")


def inline(result: Any, title: str | None = None, height: int = 560) -> Any:
    """The page of a result as something that a notebook shows: a frame that holds the page itself, and may do nothing but run it."""
    from IPython.display import HTML

    text = html.escape(page(result, title), quote=True)
    return HTML(
        f'<div style="width:100%"><iframe sandbox="allow-scripts" title="the moving body" style="width:100%;height:{int(height)}px;border:0" '
        f'srcdoc="{text}"></iframe></div>'
    )


def show_page(result: Any, title: str | None = None) -> Any:
    """Show the page of a result: in a notebook inline; else write it to a temporary file and open it in the browser, and return its path."""
    if in_notebook():
        return inline(result, title)
    import webbrowser

    folder = Path(tempfile.mkdtemp(prefix="rollick-"))
    path = folder / f"{re.sub(r'[^A-Za-z0-9]+', '_', result.title).strip('_').lower() or 'motion'}.html"
    result.save_html(path, title)
    if not webbrowser.open(path.as_uri()):
        warn_user(f"no browser could be opened; the page is {path}.")
    return path
