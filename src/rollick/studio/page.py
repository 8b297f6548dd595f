"""The page of a tab: what is where. Left what can be changed, in the middle curves, maps and equations, right the moving body."""

from __future__ import annotations

import asyncio
from importlib import resources
from typing import Any

from nicegui import Client, ui

from .address import query_of
from .controls import Controls
from .curves import curves_picture
from .curves_plot import STYLE as CURVES_STYLE
from .curves_plot import CurvesPlot
from .export import Export
from .maps_panel import MapsPanel
from .reading import Reading
from .runs_panel import RunsPanel
from .state import State
from .systems import entry, system_names

SHORTCUTS = "Ctrl+Z undo, Ctrl+Y redo, Alt+K keep this run"
LATER = 0.03  # s by which what is not looked at first comes after the curves
STYLE = (resources.files("rollick.studio") / "look.css").read_text(encoding="utf-8")
# The scene is the package's own page in a frame. It says when it listens; from then on it is handed each new motion, and keeps its camera.
# A frame without a body says so, too, and is loaded anew for the next motion.
# The frame stands in the page itself, so that it loads while the browser still reads what the rest is made with; it is then moved to its place.
# Browsers that cannot move a frame as it is (moveBefore) load it once more.
FRAME = '<div class="scene early"><iframe src="/scene/{name}#no-curves" title="the body moving, in three dimensions" allow="fullscreen" sandbox="allow-scripts"></iframe></div>'
SCENE = """
window.scene = {shows: 'loading', wanted: null, dark: false, frame: () => document.querySelector('.scene iframe')};
new MutationObserver((_, waiting) => {
  const place = document.querySelector('section.scene'), early = document.querySelector('.scene.early');
  if (!place || !early) return;
  waiting.disconnect();
  if (place.moveBefore) place.moveBefore(early.firstElementChild, null);
  else { scene.shows = 'loading'; place.append(early.firstElementChild); }
  early.remove();
}).observe(document.documentElement, {childList: true, subtree: true});
window.addEventListener('message', (event) => {
  const frame = scene.frame();
  if (!frame || event.source !== frame.contentWindow || !event.data) return;
  if (event.data.rollickReady) { scene.shows = 'motion'; darkScene(scene.dark); }
  if (event.data.rollickEmpty) scene.shows = 'nothing';
  if ((event.data.rollickReady || event.data.rollickEmpty) && scene.wanted) showScene(...scene.wanted);
  if (event.data.rollickTrouble) console.warn(event.data.rollickTrouble);
});
async function showScene(name, number) {
  const frame = scene.frame();
  if (!frame) return;
  scene.wanted = scene.shows === 'loading' ? [name, number] : null;
  if (scene.shows === 'loading') return;
  const answer = scene.shows === 'motion' ? await fetch(`/scene/${name}/motion?n=${number}`) : null;
  if (answer && answer.ok) frame.contentWindow.postMessage({rollick: await answer.json(), options: {curves: false}, play: true}, '*');
  else { scene.shows = 'loading'; frame.src = `/scene/${name}?n=${number}#no-curves`; }
}
function darkScene(dark) { scene.dark = dark; if (scene.shows === 'motion') scene.frame().contentWindow.postMessage({dark}, '*'); }
function seekScene(t) { if (scene.shows === 'motion') scene.frame().contentWindow.postMessage({seek: t}, '*'); }
"""


class Page:
    """A tab: its session, and the parts of its page."""

    def __init__(self, studio: Any, call: Any, state: State, client: Client):
        self.studio, self.client = studio, client
        self.session = studio.open(call, state)
        self.session.changed = self.heard
        self.dark, self.begun, self.bad = False, False, False
        ui.add_css(CURVES_STYLE + STYLE)
        ui.colors(primary="#00649c")
        ui.add_head_html(f"<script>{SCENE}</script>")
        ui.add_body_html('<a class="skip" href="#results">skip to the curves</a>' + FRAME.format(name=self.session.name))
        self.mode = ui.dark_mode(False)
        self.bar()
        with ui.element("main").classes("studio"):
            with ui.element("section").classes("box controls").props('aria-label="what can be changed"'):
                self.controls = Controls(self)
            with ui.element("section").classes("box results").props('aria-label="results" id="results"'):
                self.results()
            ui.element("section").classes("box scene").props('aria-label="the body moving"')
        ui.keyboard(self.key, ignore=["input", "select", "textarea"])

    # -- what is where ---------------------------------------------------------------------------------------------------------

    def bar(self) -> None:
        """The bar at the top."""
        names = {name: name.replace("_", " ") if name != "body" else "a body of your own" for name in system_names()}
        with ui.element("header").classes("top-bar"):
            ui.html("<h1>Rollick studio</h1>", sanitize=False)
            self.system = ui.select(names, value=self.session.state.system, on_change=self.choose).props(
                'outlined dense options-dense aria-label="system" behavior=menu'
            )
            self.undo = self.icon("undo", "undo (Ctrl+Z)", lambda: self.session.back("undo"))
            self.redo = self.icon("redo", "redo (Ctrl+Y)", lambda: self.session.back("redo"))
            self.icon("restart_alt", "all numbers as the system has them", lambda: self.session.change(lambda s: s.reset()))
            ui.element("div").classes("space")
            self.working = ui.spinner("dots", size="26px").props('aria-label="computing"')
            self.share = Export(self)
            self.icon("dark_mode", "light or dark", self.turn)

    def icon(self, name: str, said: str, do: Any) -> Any:
        """A button with a picture and a name."""
        return ui.button(icon=name, on_click=do).props(f'flat round dense color=primary aria-label="{said}" title="{said}"')

    def results(self) -> None:
        """Curves, maps, equations, words."""
        with ui.tabs().props('dense align=left no-caps inline-label active-color=primary aria-label="results"') as tabs:
            self.tabs = tabs
            for name in ("Curves", "Maps", "Equations", "Summary"):
                ui.tab(name)
        with ui.tab_panels(tabs, value="Curves", animated=False).classes("filling"):
            with ui.tab_panel("Curves"):
                self.runs = RunsPanel(self)
                self.plot = CurvesPlot(self.seek)
            with ui.tab_panel("Maps").classes("maps"):
                self.maps = MapsPanel(self)
            with ui.tab_panel("Equations"):
                self.reading = Reading(self)
            with ui.tab_panel("Summary"), ui.element("div").classes("scroll").props("tabindex=0"):
                self.words = ui.html("", tag="pre", sanitize=True).classes("told-words")
        with ui.element("div").classes("said").props("role=status aria-live=polite"):
            self.status = ui.label("").classes("text")
            self.stop = ui.button("Cancel", on_click=self.session.cancel).props("outline dense size=sm color=primary")
            self.again = ui.button("Run", icon="play_arrow", on_click=self.rerun).props("flat dense size=sm color=primary")

    # -- what happens ----------------------------------------------------------------------------------------------------------

    def begin(self, refused: str) -> None:
        """Fill the page, and compute; what is known already is in the first answer to the browser."""
        self.heard("state", None)
        self.idle()
        self.session.start()
        self.begun = True
        if refused:
            self.heard("refused", refused)

    def close(self) -> None:
        """The tab has gone."""
        self.studio.shut(self.session)

    def heard(self, word: str, value: Any) -> None:
        """Something is new."""
        if self.client.id not in Client.instances:
            return
        with self.client:
            getattr(self, f"on_{word}", lambda value: None)(value)

    def on_state(self, _: Any) -> None:
        """Another state: sliders, buttons, address."""
        state = self.session.state
        self.undo.set_enabled(self.session.history.can_undo)
        self.redo.set_enabled(self.session.history.can_redo)
        if self.system.value != state.system:
            self.system.set_value(state.system)
        self.controls.show(state)
        self.maps.show(state)
        self.reading.show(state)
        if self.begun:
            ui.navigate.history.replace(f"/?{query_of(state)}")

    def on_curves(self, _: Any) -> None:
        """New curves."""
        runs = self.session.runs()
        if not runs:
            return
        self.plot.show(curves_picture(runs, self.session.shown, self.dark), self.begun)
        if self.begun:
            asyncio.get_running_loop().call_later(LATER, self.heard, "words", None)  # the curves first
        else:
            self.on_words(None)

    def on_words(self, _: Any) -> None:
        """What stands beside the curves."""
        runs = self.session.runs()
        if runs:
            self.runs.show()
            self.words.set_content(escaped(runs[-1]["summary"]))

    def on_scene(self, said: Any) -> None:
        """A new scene, or none."""
        if not self.begun:
            return  # the frame asks for it by itself
        ui.run_javascript(f"showScene({self.session.name!r}, {self.session.scene_number})")
        if said:
            self.say(str(said))

    def on_busy(self, kind: str) -> None:
        """Something is being computed."""
        self.working.set_visibility(True)
        self.stop.set_visibility(True)
        self.say(
            {"motion": "computing the motion (the first one of a kind is compiled, up to a minute)"}.get(
                kind, f"computing the {kind}"
            )
        )

    def on_progress(self, value: tuple[float, str]) -> None:
        """How far it is."""
        self.say(f"{value[1]} ({value[0]:.0%})")

    def on_idle(self, kind: str) -> None:
        """Something has ended."""
        if not self.session.tasks:
            self.idle()
        if kind == "motion" and self.session.run is not None and not self.bad:
            self.say(f"{entry(self.session.state.system).name}: {self.session.run['message']}")

    def on_cancelled(self, kind: str) -> None:
        """Something was given up."""
        before = kind == "motion" and self.session.run is not None
        self.say(f"the {kind} was cancelled{'; the curves are those of the run before' if before else ''}.")

    def idle(self) -> None:
        """Nothing is being computed."""
        self.working.set_visibility(False)
        self.stop.set_visibility(False)

    def on_refused(self, sentence: str) -> None:
        """A refusal, in its own words; what is shown goes back to what holds."""
        self.say(sentence, bad=True)
        self.controls.show(self.session.state, anew=True)

    def on_told(self, sentence: str) -> None:
        """A word on the way."""
        self.say(sentence, bad=True)

    def on_map(self, said: str | None) -> None:
        """A new map."""
        self.maps.draw()
        self.say(said or "click on the map: that motion plays.")

    def on_branch(self, _: Any) -> None:
        """A new branch."""
        self.maps.draw()
        self.say("click on a point: that steady motion plays, slightly disturbed.")

    def on_file(self, content: bytes) -> None:
        """A file to take home."""
        ui.download.content(content, f"{self.session.state.system}.nc")
        self.say("the netCDF file is with your downloads.")

    def say(self, text: str, bad: bool = False) -> None:
        """A line at the bottom; a refusal stays until the next word."""
        self.bad = bad
        self.status.set_text(text)
        self.status.classes(add="bad" if bad else "", remove="" if bad else "bad")

    def seek(self, t: float) -> None:
        """A click on the curves: the body is shown at that time."""
        ui.run_javascript(f"seekScene({t!r})")

    def rerun(self) -> None:
        """Once more."""
        self.bad = False
        self.session.start()

    def choose(self, event: Any) -> None:
        """Another system was chosen."""
        if event.value in system_names() and event.value != self.session.state.system:
            self.bad = False
            self.session.choose(event.value)

    def turn(self) -> None:
        """Light or dark."""
        self.dark = not self.dark
        self.mode.set_value(self.dark)
        ui.run_javascript(f"darkScene({str(self.dark).lower()})")
        self.on_curves(None)
        self.maps.draw()

    def key(self, event: Any) -> None:
        """Keys."""
        if not event.action.keydown:
            return
        control, name = event.modifiers.ctrl or event.modifiers.meta, str(event.key.name).lower()
        if control and name == "z":
            self.session.back("redo" if event.modifiers.shift else "undo")
        elif control and name == "y":
            self.session.back("redo")
        elif event.modifiers.alt and name == "k":
            self.session.keep()


def escaped(text: str) -> str:
    """A text that is no HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
