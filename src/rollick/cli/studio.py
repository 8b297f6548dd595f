"""`rollick studio`: a local web page to choose, change, run, watch and compare."""

from __future__ import annotations

from typing import Annotated

import typer


def studio(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the page; 0 takes any that is free.")] = 8017,
    host: Annotated[
        str,
        typer.Option("--host", help="Where to listen; beyond this machine (say 0.0.0.0) a token is needed, which is printed."),
    ] = "127.0.0.1",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, max=16, metavar="N", help="Processes that compute motions.")] = 2,
) -> None:
    """A local web page: choose a system, move sliders, watch it in 3-D beside its curves, click maps, save what you found."""
    from ..studio.server import run_studio

    run_studio(host, port, not no_browser, workers, lambda text: print(text, flush=True))
