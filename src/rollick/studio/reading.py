"""What there is to read about a system: its equations, its source, its numbers, and the words of the code that computes it."""

from __future__ import annotations

from html import escape
from typing import Any

from nicegui import ui

from .equations import as_html, equations_of
from .state import State
from .systems import quantities, told


class Reading:
    """The panel."""

    def __init__(self, page: Any):
        self.page, self.system = page, ""
        self.place = ui.html("", sanitize=False).classes("scroll").props("tabindex=0")  # all of it is the package's own text

    def show(self, state: State) -> None:
        """Another system."""
        if state.system == self.system:
            return
        self.system = state.system
        self.place.set_content(reading(state))


def reading(state: State) -> str:
    """What there is to read, as HTML of the package's own texts."""
    model = state.model
    parts = [f"<p><b>{escape(model.title[:1].upper() + model.title[1:])}.</b></p>", f'<p class="fine">{escape(model.source)}</p>']
    parts.append(f'<div class="equations">{as_html(equations_of(state.system))}</div>')
    if model.about:
        parts.append(f"<p>{escape(model.about)}</p>")
    rows = "".join(
        f"<tr><td><b>{escape(q.name)}</b></td><td>{escape(q.unit or '-')}</td><td>{escape(q.about)}</td></tr>"
        for q in quantities(state.system).values()
    )
    if rows:
        parts.append(f'<p class="heading">Quantities</p><table class="fine">{rows}</table>')
    for module, words in told(state.system):
        parts.append(f'<p class="heading">{escape(module)}</p><pre class="told-words">{escape(words)}</pre>')
    return "".join(parts)
