"""The left side of the page: words (friction law, form, method), sliders for parameters and the start, a mesh of one's own."""

from __future__ import annotations

import hashlib
from typing import Any

from nicegui import ui

from ..kernel.names import InputError, number
from .limits import LARGEST_MESH, MOST_MESHES
from .number_row import NumberRow
from .own_body import BODY, folder
from .sliders import slider_of, slider_of_start
from .state import State, visible
from .systems import methods_of, start_units, words_of


def clean(text: str) -> str:
    """A text for an attribute."""
    return text.replace('"', "'").replace("<", "").replace(">", "")


class Controls:
    """All that can be changed of a system."""

    def __init__(self, page: Any):
        self.page, self.session = page, page.session
        self.system, self.meshes = "", 0
        self.place = ui.element("div").classes("scroll").props("tabindex=-1")

    def show(self, state: State, anew: bool = False) -> None:
        """The state as it is."""
        wanted = state.system + ("/mesh" if state.system == BODY and state.value("shape") == "mesh" else "")
        if wanted != self.system:
            self.system = wanted
            self.build(state)
        model = state.model
        for name, row in self.numbers.items():
            row.show(float(state.value(name)), float(model.parameters[name].default), anew)
        for name, choice in self.choices.items():
            self.put(choice, state.value(name))
        units = start_units(state.system)
        begin = state.starts()
        for name, row in self.starts.items():
            own = number(model.start.get(name, 0.0), name, units[name], turns=True)
            row.show(number(begin.get(name, 0.0), name, units[name], turns=True), own, anew)
        missing = [n for n in state.start if n not in self.starts]
        if missing:
            self.build(state, missing)
            self.show(state, anew)
            return
        self.put(self.method, state.method)
        self.until.set_value("" if state.lasts is None else f"{state.lasts:g}")
        self.rtol.set_value("" if state.rtol is None else f"{state.rtol:g}")

    def put(self, choice: Any, value: Any) -> None:
        """A chosen word, without an echo."""
        if choice.value != value:
            self.quiet = True
            choice.set_value(value)
            self.quiet = False

    quiet = False

    def build(self, state: State, more: list[str] | None = None) -> None:
        """The controls of a system."""
        model = state.model
        self.numbers: dict[str, NumberRow] = {}
        self.choices: dict[str, Any] = {}
        self.starts: dict[str, NumberRow] = getattr(self, "starts", {}) if more else {}
        extra = [*(n for n in self.starts if n not in model.start), *(more or [])] if more else []
        self.starts = {}
        self.place.clear()
        if not more and self.page.begun:
            ui.run_javascript("document.querySelector('.controls .scroll')?.scrollTo(0, 0)")
        with self.place:
            ui.label(model.title[:1].upper() + model.title[1:] + ".").classes("fine").style("padding-top:10px")
            words = [
                n for n in visible(model) if words_of(model, n) and (not n.startswith("mesh_") or state.value("shape") == "mesh")
            ]
            if words or len(methods_of(state.system)) > 1:
                ui.label("Model and method").classes("heading")
            for name in words:
                self.word(name, words_of(model, name), model.parameters[name].about)
            self.method = self.select(
                "method",
                list(methods_of(state.system)),
                lambda value: self.session.change(lambda s: s.by(value)),
                "how the motion is computed",
            )
            with ui.element("div").style("display:grid;grid-template-columns:1fr 1fr;gap:8px;padding-top:6px"):
                self.until = self.entry("duration [s]", lambda value: self.session.change(lambda s: s.lasting(value)))
                self.rtol = self.entry("rtol", lambda value: self.session.change(lambda s: s.to(value)))
            if state.system == BODY and state.value("shape") == "mesh":
                self.upload()
            ui.label("Parameters").classes("heading")
            for name in visible(model):
                slider = slider_of(state.system, name, model.parameters[name])
                if slider is not None:
                    self.numbers[name] = NumberRow(name, model.parameters[name].about, slider, self.setter(name))
            ui.label("Start").classes("heading")
            for name in [*model.start, *extra]:
                self.start_row(state, name)
            rest = [n for n in start_units(state.system) if n not in self.starts]
            if rest:
                self.select(
                    "add to the start",
                    rest,
                    lambda value: self.add(value),
                    "another state that is not zero at the start",
                    clear=True,
                )

    def setter(self, name: str) -> Any:
        """What changes a parameter."""
        return lambda value: self.session.change(lambda s: s.with_parameter(name, value))

    def start_row(self, state: State, name: str) -> None:
        """A number of the start."""
        unit = start_units(state.system)[name]
        own = number(state.model.start.get(name, 0.0), name, unit, turns=True)
        self.starts[name] = NumberRow(
            name,
            f"{name} at the start",
            slider_of_start(name, own, unit),
            lambda value: self.session.change(lambda s: s.with_start(name, value)),
        )

    def add(self, name: Any) -> None:
        """Another number of the start."""
        if name in start_units(self.session.state.system) and name not in self.starts:
            self.build(self.session.state, [name])
            self.show(self.session.state)

    def word(self, name: str, words: tuple[str, ...], about: str) -> None:
        """A choice among words."""
        options = {word: word or "as given by the numbers" for word in words}
        self.choices[name] = self.select(name, options, self.setter(name), about)

    def select(self, label: str, options: Any, changed: Any, about: str, clear: bool = False) -> Any:
        """A choice."""

        def heard(event: Any) -> None:
            if not self.quiet and event.value is not None:
                changed(event.value)

        made = ui.select(options, label=label, on_change=heard).props(
            f'outlined dense options-dense behavior=menu title="{clean(about)}"'
        )
        return made.style("width:100%;margin-top:6px")

    def entry(self, label: str, changed: Any) -> Any:
        """A short field."""
        made = ui.input(label).props("outlined dense hide-bottom-space")
        made.on("keydown.enter", lambda: changed(made.value))
        made.on("blur", lambda: changed(made.value))
        return made

    def upload(self) -> None:
        """A mesh of one's own."""
        ui.upload(
            label="mesh: STL or OBJ",
            on_upload=self.uploaded,
            auto_upload=True,
            max_file_size=LARGEST_MESH,
            max_files=1,
            on_rejected=self.rejected,
        ).props('accept=".stl,.obj,.glb,.gltf" flat bordered color=primary aria-label="upload a mesh"').style(
            "width:100%;margin-top:8px"
        )

    def rejected(self) -> None:
        """A file that the browser would not send."""
        self.page.say(f"a mesh is an .stl or .obj file of at most {LARGEST_MESH // 10**6} MB.", bad=True)

    async def uploaded(self, event: Any) -> None:
        """A file arrived: it is kept under a name of our own, and read by the package's reader."""
        content = await event.file.read()
        ending = event.file.name.rpartition(".")[2].lower()
        try:
            if ending not in ("stl", "obj", "glb", "gltf"):
                raise InputError("a mesh is an .stl, .obj or .glb file; this one ends otherwise.")
            if len(content) > LARGEST_MESH:
                raise InputError(f"this mesh is larger than {LARGEST_MESH // 10**6} MB; make it coarser first.")
            if self.meshes >= MOST_MESHES:
                raise InputError(f"{MOST_MESHES} meshes were uploaded by this page already; load it again to go on.")
            name = f"{hashlib.sha256(content).hexdigest()[:16]}.{ending}"
            (folder() / name).write_bytes(content)
            self.meshes += 1
        except InputError as error:
            self.page.heard("refused", str(error))
            return
        self.session.change(lambda s: s.with_parameter("mesh", name))
