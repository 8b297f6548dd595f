"""Taking the state home: a link, a Python script, a command, a file for `rollick sweep`, a body file, a netCDF file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from ..kernel.names import InputError
from .address import query_of
from .own_body import BODY, toml_of
from .snippet import command_of, python_of
from .study import study_of


class Export:
    """The menu, and the window with a text to copy."""

    def __init__(self, page: Any):
        self.page, self.session = page, page.session
        with ui.button("Save", icon="ios_share").props('flat dense color=primary aria-label="save or share"'), ui.menu() as menu:
            self.menu = menu
            ui.menu_item("Link to this state", lambda: self.show("A link to this state", self.link, "link.txt"))
            ui.menu_item(
                "Python script",
                lambda: self.show("Python", lambda: python_of(self.session.state), f"{self.session.state.system}.py"),
            )
            ui.menu_item("Command line", lambda: self.show("Command line", lambda: command_of(self.session.state), "command.txt"))
            ui.menu_item(
                "TOML for rollick sweep",
                lambda: self.show("A study for rollick sweep", self.study, f"{self.session.state.system}.toml"),
            )
            ui.menu_item("Body file (TOML)", lambda: self.show("A body file", self.body, "body.toml"))
            ui.menu_item("netCDF file of the motion", self.session.ask_file)
        with ui.dialog() as self.window, ui.card().style("min-width:min(640px,92vw);max-width:92vw;gap:8px"):
            self.title = ui.label("").style("font-weight:650;font-size:16px")
            self.text = ui.textarea().props(
                'readonly outlined autogrow aria-label="text to copy" input-style="font:12.5px/1.5 ui-monospace,monospace;max-height:55vh"'
            )
            self.text.style("width:100%")
            with ui.row().style("gap:8px;justify-content:flex-end;width:100%"):
                ui.button("Copy", icon="content_copy", on_click=lambda: ui.clipboard.write(str(self.text.value))).props(
                    "flat color=primary"
                )
                ui.button("Download", icon="download", on_click=self.download).props("flat color=primary")
                ui.button("Close", on_click=self.window.close).props("unelevated color=primary")
        self.file = "studio.txt"

    def show(self, title: str, make: Callable[[], str], file: str) -> None:
        """A text to copy, or why there is none."""
        try:
            text = make()
        except InputError as error:
            self.page.heard("refused", str(error))
            return
        self.title.set_text(title)
        self.text.set_value(text)
        self.file = file
        self.window.open()

    def download(self) -> None:
        """The text as a file."""
        ui.download.content(str(self.text.value).encode(), self.file)

    def link(self) -> str:
        """The address of this state."""
        request = self.page.client.request
        return f"{request.url.scheme}://{request.url.netloc}/?{query_of(self.session.state)}"

    def study(self) -> str:
        """A file for `rollick sweep` over the axes of the map panel."""
        axes, keep = self.page.maps.study_axes()
        return study_of(self.session.state, axes, keep)

    def body(self) -> str:
        """The body file of a body of one's own."""
        if self.session.state.system != BODY:
            raise InputError("a body file is for a body of your own; choose that system first, or take the Python script.")
        return toml_of(self.session.state)
