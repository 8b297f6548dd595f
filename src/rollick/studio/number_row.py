"""A number on the page: its name, a field, a slider (`number.js`). While it is moved the browser shows it by itself; here one hears of it when it is let go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui.element import Element

from ..view.scene_data import label, lettered
from .sliders import Slider


class NumberRow(Element, component="number.js"):
    """A number. `changed` is called with a value in SI, or with the text that was typed, and refuses what cannot be."""

    def __init__(self, name: str, about: str, slider: Slider, changed: Callable[[Any], Any]):
        super().__init__()
        self.slider, self.changed, self.value = slider, changed, 0.0
        self.tell(
            name=name, label=label(name), about=about or name, said=f"{name}, {about} [{slider.unit or '-'}]", unit=lettered(slider.unit or ""), low=slider.low, step=slider.step,
            places=slider.places, factor=slider.factor, place=slider.place(0.0), text="", changed=False, version=0,
        )  # fmt: skip
        self.on("slid", lambda event: self.slid(event.args))
        self.on("typed", lambda event: self.typed(event.args))

    def tell(self, **told: Any) -> None:
        """Properties for the browser."""
        with self._props.suspend_updates():
            self._props.update(told)
        self.update()

    def slid(self, place: Any) -> None:
        """The slider was let go."""
        if isinstance(place, (int, float)) and not isinstance(place, bool):
            self.changed(self.slider.value(place))

    def typed(self, given: Any) -> None:
        """Something was typed: a number in the shown unit, or one with a unit of its own."""
        text = str(given).strip()
        try:
            value: Any = float(text) / self.slider.factor
        except ValueError:
            value = text
        self.changed(value)
        self.tell(version=self._props["version"] + 1)

    def show(self, value: float, default: float, anew: bool = False) -> None:
        """The value as it is; `anew`: also if the browser shows something else that was refused."""
        text = self.slider.shown(value)
        if value == self.value and text == self._props["text"] and not anew:
            return
        self.value = value
        self.tell(place=self.slider.place(value), text=text, changed=value != default, version=self._props["version"] + 1)
