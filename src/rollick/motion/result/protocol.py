"""What every result has in common: how it ended, labelled data, events, files, pictures, pages, words, and one form for JSON.

To add a kind of result, derive it from `Result` and give it `status` (a word of `outcome.STATUSES`), `message`, `complete`, `data` and
`summary`, and `scene` if there is a body to show; `series` and `own_numbers` say what of it goes into JSON, and under which keys (`SCHEMA`, docs/results.md):

    model, system, parameters     what moved; the model is null for systems of one's own
    status, message               how it ended
    trust                         what was checked of it, by how much that missed, what the tolerances explain, and the verdict
    t, states, derived            one number for each instant: states, and whatever follows from them
    events                        what happened on the way: t, name, kind, state
    provenance                    how it was computed, with which versions
    more                          what only this kind of result has
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from ...kernel.names import InputError, called
from ...kernel.strict_json import strict
from .outcome import INCOMPLETE
from .provenance import versions
from .trust import Trust
from .whole_file import save_data

SCHEMA = ("model", "system", "parameters", "status", "message", "trust", "t", "states", "derived", "events", "provenance", "more")


class Result:
    """The manners of a result. `has_page`: whether there is a body to show moving."""

    has_page: ClassVar[bool] = True
    _model: str | None = None
    trust: Trust = Trust()  # what was checked of it; nothing, unless its kind says more

    if TYPE_CHECKING:  # each kind of result has these, as attributes or properties

        @property
        def status(self) -> str:
            """How it ended: a word of `outcome.STATUSES`."""

        @property
        def message(self) -> str:
            """How it ended, in a sentence."""

        @property
        def data(self) -> Any:
            """The numbers as an `xarray.Dataset`, with units."""

    def keys(self) -> list[Any]:
        """The names by which quantities are asked for, as in `motion["gap"]`. Default: there are none."""
        return []

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    # Without this Python would ask for self[0], self[1], ... in a loop.
    __iter__: Any = None

    @property
    def complete(self) -> bool:
        """Whether it came to the end that was asked for."""
        return self.status not in INCOMPLETE

    # -- what it is of ---------------------------------------------------------------------------------------------------------

    @property
    def model(self) -> str | None:
        """The name of the model that was simulated; None for a system of one's own."""
        return self._model

    def of_model(self, name: str) -> Any:
        """The same result, which now knows the name of its model: titles and summaries use it."""
        object.__setattr__(self, "_model", name)  # some results are frozen
        return self

    @property
    def system_name(self) -> str:
        """What kind of thing it is a result of."""
        return called(self)

    @property
    def title(self) -> str:
        """What it is of, for titles: the model, or the kind of system."""
        return self.model or self.system_name

    @property
    def provenance(self) -> dict[str, Any]:
        """How it was computed, and with what."""
        return {"system": self.system_name, "model": self.model, "versions": versions()}

    # -- values ----------------------------------------------------------------------------------------------------------------

    @property
    def events(self) -> list[Any]:
        """What happened on the way: things with `t`, `name`, `kind` and `state`."""
        return []

    def parameters(self) -> dict[str, Any]:
        """The numbers of the system."""
        return {}

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The instants; states by name; and what follows from them, by name: one number for each instant."""
        return [], {}, {}

    def state_names(self) -> list[str]:
        """The names of the states that events are told with."""
        return list(self.series()[1])

    def own_numbers(self) -> dict[str, Any]:
        """What only this kind of result has, by name."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """The result as plain values, ready for JSON: the keys of `SCHEMA`, and its own numbers once more beside them."""
        t, states, derived = self.series()
        names = self.state_names()
        happened = [
            {"t": e.t, "name": e.name, "kind": e.kind, "state": dict(zip(names, e.state)) if len(e.state) == len(names) else {}}
            for e in self.events
        ]
        own = self.own_numbers()
        told = {
            "model": self.model,
            "system": self.system_name,
            "parameters": self.parameters(),
            "status": self.status,
            "message": self.message,
            "trust": self.trust.to_dict(),
            "t": t,
            "states": states,
            "derived": derived,
            "events": happened,
            "provenance": self.provenance,
            "more": {name: value for name, value in own.items() if name not in derived},
        }
        return strict({**own, **told})

    def as_dict(self) -> dict[str, Any]:
        """The same as `to_dict`."""
        return self.to_dict()

    # -- files, pictures, words --------------------------------------------------------------------------------------------------

    def to_netcdf(self, path: Any) -> None:
        """Write the data to a netCDF file, whole or not at all."""
        save_data(self.data, path)

    def plot(self, *names: str, path: Any = None) -> Any:
        """A picture; with `path`, save it. Returns the figure."""
        raise InputError(f"there is no picture of {self.title}; its numbers are in data.")

    def scene(self, title: str | None = None, **look: Any) -> dict[str, Any]:
        """The body moving, as plain values: the data of its page. look: how it is drawn (`view.page.data_of`), where there is a choice."""
        raise InputError(f"there is no body to show moving in {self.title}; plot draws its numbers.")

    def save_html(self, path: Any, title: str | None = None) -> Any:
        """Write a page that shows the body moving, in one file for any browser; no network is needed. Returns its path."""
        from ...view.page import save_page

        return save_page(self, path, title)

    def save_video(self, path: Any, **options: Any) -> Any:
        """Write a film of the moving body: .mp4, .webm or .gif, each frame at its exact time; see `rollick.view.video.save_video`. Returns its path."""
        from ...view.video import save_video

        return save_video(self, path, **options)

    def save_still(self, path: Any, poses: int = 9, **options: Any) -> Any:
        """Write one picture (.png, .jpg) with the body at several instants; see `rollick.view.video.save_still`. Returns its path."""
        from ...view.video import save_still

        return save_still(self, path, poses, **options)

    def view(self, title: str | None = None) -> Any:
        """Show the body moving: in a notebook below the cell, else in the browser; returns what a notebook shows, or the path of the page, a temporary file."""
        from ...view.page import show_page

        return show_page(self, title)

    def summary(self) -> str:
        """What happened, in a few lines."""
        return f"{self.title}\nstatus  {self.status}: {self.message}"

    def __repr__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.summary())}</pre>"
