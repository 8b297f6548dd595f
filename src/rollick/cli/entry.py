"""Where the command begins. Importing the package takes a second, in which somebody may press Ctrl-C."""

from __future__ import annotations

import sys


def main() -> None:
    """Load the command and run it."""
    try:
        from .main import main as run
    except KeyboardInterrupt:
        print("rollick: interrupted.", file=sys.stderr, flush=True)
        sys.exit(130)
    run()
