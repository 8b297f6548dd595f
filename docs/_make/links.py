"""Links of the built pages: every file that is linked to or shown is there, every anchor exists, and nothing that a page loads comes from a network.

python docs/_make/links.py build/docs
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "iframe": "src", "link": "href", "source": "src"}  # what a browser fetches by itself
SAID = ("canonical", "search", "index", "next", "prev")  # of <link>: told, not loaded


class Page(HTMLParser):
    """The anchors of a page, and what it links to and loads."""

    def __init__(self, text: str):
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {value for value in (given.get("id"), given.get("name")) if value}
        loaded = tag in LOADED and (tag != "link" or given.get("rel") not in SAID)
        target = given.get(LOADED.get(tag, "href" if tag == "a" else ""))
        if target:
            self.links.append((target, loaded))


def troubles(root: Path) -> Iterator[str]:
    """One sentence for each link that leads nowhere."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(root.resolve())
        for link, loaded in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if loaded and parts.scheme != "data":
                    yield f"{name}: {link} is loaded from a network"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{name}: {link} is not there"
            elif parts.fragment and loaded is False and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: {link}: no such place in that page"


def main() -> int:
    """Check the pages of a folder."""
    root = Path(sys.argv[1])
    found = list(troubles(root))
    print(*found, f"{len(list(root.rglob('*.html')))} pages, {len(found)} links lead nowhere", sep="\n")
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main())
