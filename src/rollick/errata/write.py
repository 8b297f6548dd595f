"""Write docs/errata.md, and with --pdf docs/errata.pdf: `python -m rollick.errata.write [--pdf] [FOLDER]`."""

from __future__ import annotations

import argparse
from pathlib import Path

from .page import page


def main() -> None:
    """Write the page into a folder, docs/ of the working directory unless said otherwise."""
    p = argparse.ArgumentParser(description="write the page of the errata")
    p.add_argument("folder", nargs="?", type=Path, default=Path("docs"))
    p.add_argument("--pdf", action="store_true", help="the paper, too (needs typst and pypandoc_binary)")
    given = p.parse_args()
    (given.folder / "errata.md").write_text(page(), encoding="utf-8")
    if given.pdf:
        from .paper import write_pdf

        write_pdf(given.folder / "errata.pdf")


if __name__ == "__main__":
    main()
