"""The curves on the page (`curves.js`): what is known when the page is opened comes with it, what is new is sent by itself."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from importlib import resources
from typing import Any

from nicegui import ui
from nicegui.element import Element

STYLE = (resources.files("rollick.studio") / "uplot" / "uPlot.min.css").read_text(encoding="utf-8")


class CurvesPlot(Element, component="curves.js", esm={"rollick-uplot": "uplot"}):
    """The element; `seek` is called with a time that was clicked at."""

    def __init__(self, seek: Callable[[float], None]):
        super().__init__()
        self.seek = seek
        self.classes("plot").props('aria-label="curves over time" role=img')
        self.on("seek", self.clicked)

    def clicked(self, event: Any) -> None:
        """A click on the curves."""
        if isinstance(event.args, (int, float)) and math.isfinite(event.args):
            self.seek(float(event.args))

    def show(self, picture: dict[str, Any], opened: bool) -> None:
        """Draw a picture; `opened`: the page is in the browser already."""
        with self._props.suspend_updates():
            self._props["picture"] = picture
        if opened:
            ui.run_javascript(f"drawCurves({json.dumps(picture, allow_nan=False)})")
        else:
            self.update()
