"""Maps: what is asked for, the picture, and the click that plays a motion."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from ..kernel.names import InputError, number
from ..view.scene_data import label
from .charts import branch_figure, map_figure
from .curves import empty_figure
from .maps import SAID, STABILITY, Axis, axis_names, keep_of, measures_of, read_map, usual_axis
from .sliders import SHOWN_IN
from .state import State

BRANCH = "bifurcation diagram"
FAVOURITES = {"rattleback": ("omega3", "D"), "tippedisk": ("alpha_rate", "mu"), "wheelset": ("v", "mu"), "flowmeter": ("swirl", "mu"), "drop": ("rho", "gamma"),
              "rod": ("rho", "gamma"), "polygon": ("rho", "gamma"), "dying_disk": ("rho", "gamma"), "euler_disk": ("strength", "theta"), "tippe_top": ("mu", "omega3")}  # fmt: skip
QUANTITY = {"rattleback": "delta"}


class MapsPanel:
    """The panel."""

    def __init__(self, page: Any):
        self.page, self.session, self.system, self.quiet = page, page.session, "", False
        with ui.element("div").classes("tools"):
            self.measure = (
                ui.select({}, label="show", on_change=lambda: self.adapt())
                .props("outlined dense options-dense behavior=menu")
                .style("min-width:170px;flex:1.2")
            )
            self.of = (
                ui.select([], label="of").props("outlined dense options-dense behavior=menu").style("min-width:100px;flex:1")
            )
            ui.button("Compute", icon="grid_on", on_click=self.compute).props("unelevated dense color=primary").style(
                "padding:0 12px"
            )
        self.axes = []
        for place, way in enumerate(("across", "up")):
            with ui.element("div").classes("axes-row") as row:
                name = ui.select([], label=way, on_change=lambda event, k=place: self.renamed(k)).props(
                    "outlined dense options-dense behavior=menu"
                )
                low, high = (ui.input(word).props("outlined dense hide-bottom-space") for word in ("from", "to"))
                count = ui.input("points").props("outlined dense hide-bottom-space inputmode=numeric")
            self.axes.append((row, name, low, high, count))
        self.plot = ui.plotly(empty_figure()).classes("plot").props('aria-label="map; click a point to play its motion" role=img')
        self.plot.on("plotly_click", self.clicked)

    def show(self, state: State) -> None:
        """Another system has other axes and measures."""
        if state.system == self.system:
            return
        self.system, self.quiet = state.system, True
        kinds = measures_of(state)
        said = {word: "stability of the steady motion" if word == STABILITY else SAID.get(word, word) for word in kinds}
        if state.model.run is None:
            said[BRANCH] = BRANCH
        quantities = next((names for names in kinds.values() if names), [])
        first = "greatest" if "greatest" in kinds else next(iter(kinds))
        self.measure.set_options(said, value=first)
        self.of.set_options(
            {name: label(name) for name in quantities}, value=QUANTITY.get(state.system, quantities[0] if quantities else None)
        )
        units = axis_names(state)
        usual = [n for n in FAVOURITES.get(state.system, ()) if n in units] or list(units)[:2]
        for k, (_, name, *_) in enumerate(self.axes):
            name.set_options({n: label(n) for n in units}, value=(usual + list(units))[k])
        self.quiet = False
        for k in (0, 1):
            self.renamed(k)
        self.adapt()
        self.plot.update_figure(empty_figure())

    def adapt(self) -> None:
        """A branch has one axis; stability is of nothing."""
        word = self.measure.value
        self.of.set_visibility(word not in (STABILITY, BRANCH, "impacts"))
        self.axes[1][0].set_visibility(word != BRANCH)

    def renamed(self, k: int) -> None:
        """Another axis has another range."""
        _, name, low, high, count = self.axes[k]
        if self.quiet or not name.value:
            return
        try:
            axis = usual_axis(self.session.state, name.value, 17)
        except InputError:
            return
        unit, factor = SHOWN_IN.get(axis_names(self.session.state)[axis.name], ("", 1.0))
        for field, value in ((low, axis.low), (high, axis.high)):
            field.set_value(f"{value * factor:.5g}{'deg' if unit == 'deg' else ''}")
        count.set_value(str(axis.count))

    def asked(self, k: int) -> dict[str, Any]:
        """An axis as it was typed."""
        _, name, low, high, count = self.axes[k]
        return {"name": name.value, "low": low.value, "high": high.value, "count": count.value}

    def compute(self) -> None:
        """Ask for it."""
        state = self.session.state
        try:
            if self.measure.value == BRANCH:
                given = self.asked(0)
                unit = axis_names(state).get(given["name"], "")
                low, high = (number(given[end], end, unit, turns=True) for end in ("low", "high"))
                self.session.ask_branch(state, str(given["name"]), low, high)
            else:
                self.session.ask_map(
                    read_map(
                        {
                            "state": state.plain(),
                            "x": self.asked(0),
                            "y": self.asked(1),
                            "measure": self.measure.value,
                            "of": self.of.value or "",
                        }
                    )
                )
        except InputError as error:
            self.page.heard("refused", str(error))

    def study_axes(self) -> tuple[list[Axis], str]:
        """The axes and the keep of a sweep file."""
        word = self.measure.value if self.measure.value not in (BRANCH, STABILITY) else "greatest"
        asked = read_map(
            {
                "state": self.session.state.plain(),
                "x": self.asked(0),
                "y": self.asked(1),
                "measure": word,
                "of": self.of.value or "",
            }
        )
        return [asked.x, asked.y], keep_of(asked)

    def draw(self) -> None:
        """The picture."""
        if self.measure.value == BRANCH and self.session.branch is not None:
            state, found = self.session.branch
            shown = max(
                found["states"], key=lambda n: spread(found["states"][n]) if n != "growth" else spread(found["states"][n]) * 1e-9
            )
            shown = "growth" if spread(found["states"][shown]) < 1e-9 else shown
            units = axis_names(state) | {"growth": "1/s"}
            self.plot.update_figure(branch_figure(found, shown, units, self.page.dark))
        elif self.session.map is not None:
            asked, found = self.session.map
            self.plot.update_figure(map_figure(asked, found, axis_names(asked.state), self.page.dark))

    def clicked(self, event: Any) -> None:
        """A click on a picture: that motion plays."""
        try:
            point = event.args["points"][0]
            if self.measure.value == BRANCH and self.session.branch is not None:
                special = int(point["curveNumber"]) == 2
                self.session.play_branch(int(point["pointNumber"]), special)
            elif self.session.map is not None:
                asked, _ = self.session.map
                units = axis_names(asked.state)
                fx, fy = (SHOWN_IN.get(units.get(a.name, ""), ("", 1.0))[1] for a in (asked.x, asked.y))
                self.session.play_map(float(point["x"]) / fx, float(point["y"]) / fy)
        except (KeyError, IndexError, TypeError, ValueError):
            self.page.say("that point is not on the picture; click on a coloured field or on a line.", bad=True)
        except InputError as error:
            self.page.heard("refused", str(error))


def spread(values: list[Any]) -> float:
    """How much a quantity changes along a branch."""
    inside = [v for v in values if v is not None]
    return max(inside) - min(inside) if inside else 0.0
