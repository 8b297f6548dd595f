"""`rollick wheelset`: a railway wheelset."""

from __future__ import annotations

import typer

from .wheelset_friction import critical, return_map

wheelset_app = typer.Typer(
    help="A railway wheelset: where it slips, and what slip does.", no_args_is_help=True, rich_markup_mode=None
)
wheelset_app.command("critical")(critical)
wheelset_app.command("return-map")(return_map)
