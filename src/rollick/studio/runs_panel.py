"""Above the curves: what is drawn, and the runs that are kept beside the present one."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from ..view.scene_data import label
from .curves import MOST_PANELS, palette, shown_names


class RunsPanel:
    """Quantities, and kept runs."""

    def __init__(self, page: Any):
        self.page, self.session, self.quiet, self.listed = page, page.session, False, False
        self.names: list[str] = []
        with ui.element("div").classes("tools"):
            self.chosen = ui.select([], multiple=True, label="drawn", on_change=self.choose).props(
                "outlined dense options-dense use-chips=false behavior=menu max-values=6"
            )
            self.chosen.style("min-width:150px;max-width:230px;flex:1")
            ui.button("Keep", icon="push_pin", on_click=self.session.keep).props(
                'flat dense color=primary aria-label="keep this run for comparison (Alt+K)"'
            )
            self.clear = ui.button("Clear", icon="layers_clear", on_click=lambda: self.session.drop()).props(
                'flat dense color=primary aria-label="forget kept runs"'
            )
        self.clear.set_visibility(False)
        self.kept = ui.element("div").style("padding:2px 12px 0")

    def show(self) -> None:
        """What is there now."""
        run = self.session.run
        names = list(run["values"])
        self.quiet = True
        shown = shown_names(run, self.session.shown)
        if names != self.names or list(self.chosen.value or []) != shown:
            self.names = names
            self.chosen.set_options({name: label(name) for name in names}, value=shown)
        self.quiet = False
        self.clear.set_visibility(bool(self.session.kept))
        drawn = self.session.runs()
        if len(drawn) > 1 or self.listed:
            self.list_kept(drawn, run)

    def list_kept(self, drawn: list[Any], run: Any) -> None:
        """The runs that are kept, in their colours."""
        self.listed = len(drawn) > 1
        self.kept.clear()
        if len(drawn) < 2:
            return
        colours = palette(self.page.dark)
        with self.kept:
            for k, item in reversed(list(enumerate(drawn))):
                with ui.element("div").classes("kept-run"):
                    ui.element("span").classes("dot").style(f"background:{colours[(len(drawn) - 1 - k) % len(colours)]}")
                    ui.label(item["label"]).style("flex:1;min-width:0")
                    if item is not run:
                        place = next(j for j, kept in enumerate(self.session.kept) if kept is item)
                        ui.button(icon="close", on_click=lambda place=place: self.session.drop(place)).props(
                            'flat round dense size=sm aria-label="forget this run"'
                        )

    def choose(self, event: Any) -> None:
        """Other quantities."""
        if self.quiet or not isinstance(event.value, list):
            return
        self.session.shown = [name for name in event.value if name in self.names][:MOST_PANELS]
        self.page.on_curves(None)
