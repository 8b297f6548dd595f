"""Motions beside each other: curves over each other, and how far they are apart.

    together = compare(stone, other, labels=["dry", "wet"])
    together.plot(path="together.pdf")
    together["gamma"]                       # differences from the first, over the time that all of them cover

Any results that share channels can be compared, of the same model or not: a full and a reduced form, two friction laws, two methods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..kernel.names import InputError, choose
from ..kernel.palette import COLOURS
from ..motion.result.protocol import Result
from .channels import Channels
from .figure import figure
from .save import finished
from .style import plot_style
from .symbols import in_degrees, label, symbol

MOST = 12  # motions
STYLES = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)))
MOST_PANELS = 4


def compare(*motions: Any, labels: Sequence[str] | None = None, names: Sequence[str] | None = None) -> Overlay:
    """Overlay motions: an `Overlay` with their differences from the first, a plot, a summary, JSON.

    labels: what to call them (default: what they are of, or what is different about them). names: the channels (default: what is usually
    plotted of them, as far as all of them have it). What is not shared is refused by name.
    """
    if len(motions) == 1 and isinstance(motions[0], (list, tuple)):
        motions = tuple(motions[0])
    if not 2 <= len(motions) <= MOST:
        raise InputError(f"compare takes 2 to {MOST} motions, not {len(motions)}.")
    for given in motions:
        if not isinstance(given, Result):
            raise InputError(f"compare takes motions or other results over time, not {type(given).__name__}: {str(given)[:60]}.")
    told = default_labels(motions) if labels is None else [str(text) for text in labels]
    if len(told) != len(motions):
        raise InputError(f"{len(motions)} motions need as many labels; {len(told)} were given ({', '.join(told)}).")
    if len(set(told)) < len(told):
        raise InputError(f"labels must be different; {', '.join(told)} are not.")
    channels = [Channels(one) for one in motions]
    return Overlay(motions, told, channels, chosen(channels, told, names))


def shared(channels: Sequence[Channels]) -> list[str]:
    """The channels that all have, with the same unit."""
    first = channels[0]
    return [n for n in first.names if all(n in c.names and c.units.get(n, "") == first.units.get(n, "") for c in channels[1:])]


def chosen(channels: Sequence[Channels], labels: Sequence[str], names: Sequence[str] | None) -> list[str]:
    """What to compare: what is asked for, or else what is usually plotted of the first, as far as it is shared."""
    common = shared(channels)
    if not common:
        owns = "; ".join(f"{text}: {', '.join(c.names[:12])}" for text, c in zip(labels, channels))
        raise InputError(f"these motions share no channel ({owns}).")
    for name in names or ():
        for c, text in zip(channels, labels):
            if name not in c.names:
                where = [other for other, d in zip(labels, channels) if name in d.names]
                known = f"; {', '.join(where)} has it" if where else ""
                raise InputError(f"{text} has no channel {name}{known}. All of them have: {', '.join(common)}.")
            if c.units.get(name, "") != channels[0].units.get(name, ""):
                raise InputError(
                    f"{name} is in {channels[0].units[name] or '1'} in {labels[0]}, but in {c.units[name] or '1'} in {text}: not the same quantity."
                )
    if names:
        return [choose(n, common, "shared channel") for n in names]
    first = channels[0].result
    usual = [n for n in getattr(getattr(first, "about", None), "plot", ()) if n in common]
    usual = [n for n in usual if any(np.ptp(c.values(n)) > 0.0 for c in channels)]
    return usual[:MOST_PANELS] or common[:MOST_PANELS]


def default_labels(motions: Sequence[Any]) -> list[str]:
    """Their models, if these are different; else the numbers that are different about them; else their places."""
    titles = [one.title for one in motions]
    if len(set(titles)) == len(titles):
        return titles
    told = [flat(one) for one in motions]
    differing = [key for key in told[0] if len({repr(t.get(key)) for t in told}) > 1]
    for count in (1, 2, 3):
        texts = [", ".join(f"{key} = {shown(t.get(key))}" for key in differing[:count]) for t in told]
        if differing and len(set(texts)) == len(texts):
            return texts
    return [f"{k + 1}: {title}" for k, title in enumerate(titles)]


def shown(value: Any) -> str:
    """A number or a word in a label."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def flat(result: Any) -> dict[str, Any]:
    """Parameters, start and method of a result by their last names."""
    found: dict[str, Any] = {}

    def add(inside: Any) -> None:
        for key, value in inside.items():
            if isinstance(value, Mapping):
                add(value)
            elif isinstance(value, (int, float, str)) and not str(key).startswith("_"):
                found.setdefault(str(key), value)

    made = result.provenance
    add(result.parameters())
    add(made.get("start", {}) if isinstance(made.get("start"), Mapping) else {})
    add({key: made[key] for key in ("method", "rtol") if key in made})
    add(made.get("options", {}) if isinstance(made.get("options"), Mapping) else {})
    return found


class Overlay(Result):
    """Motions beside each other. `overlay[name]` are the differences from the first, one row for each other motion, at `overlay.t`."""

    has_page = False

    def __init__(self, motions: Sequence[Any], labels: Sequence[str], channels: Sequence[Channels], names: Sequence[str]):
        self.motions, self.labels, self.channels, self.names = list(motions), list(labels), list(channels), list(names)
        low, high = max(c.begin for c in channels), min(c.end for c in channels)
        if not low < high:
            spans = ", ".join(f"{text} {c.begin:g} .. {c.end:g} s" for text, c in zip(labels, channels))
            raise InputError(f"these motions do not overlap in time: {spans}.")
        times = channels[0].times
        self.t = np.unique(np.clip(times, low, high))
        self._found: dict[str, np.ndarray] = {}

    @property
    def status(self) -> str:
        """finished: comparing always comes to its end."""
        return "finished"

    @property
    def message(self) -> str:
        """What was compared."""
        return f"{len(self.motions)} motions compared from {self.t[0]:g} to {self.t[-1]:g} s."

    @property
    def system_name(self) -> str:
        """What it is of."""
        return "comparison"

    def unit(self, name: str) -> str:
        """The unit of a channel."""
        return self.channels[0].units.get(name, "")

    def keys(self) -> list[str]:
        """The shared channels."""
        return list(shared(self.channels))

    def __getitem__(self, name: str) -> np.ndarray:
        name = choose(name, shared(self.channels), "shared channel")
        if name not in self._found:
            first = self.channels[0].at(name, self.t)
            self._found[name] = np.stack([c.at(name, self.t) - first for c in self.channels[1:]])
        return self._found[name]

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """For each channel how far each motion is from the first: at most and when, on average (rms), at the end; and how well that is known."""
        found = {}
        for name in self.names:
            off = self[name]
            known = max(c.uncertainty(name) for c in self.channels)
            rows = []
            for text, row in zip(self.labels[1:], off):
                k = int(np.nanargmax(np.abs(row)))
                rms = float(np.sqrt(np.trapezoid(row * row, self.t) / (self.t[-1] - self.t[0])))
                rows.append(
                    {"label": text, "largest": float(abs(row[k])), "at": float(self.t[k]), "rms": rms, "end": float(row[-1])}
                )
            found[name] = {"unit": self.unit(name), "known_to": known, "differences": rows}
        return found

    def own_numbers(self) -> dict[str, Any]:
        """For JSON."""
        titles = [one.title for one in self.motions]
        return {
            "labels": self.labels,
            "motions": titles,
            "overlap": [float(self.t[0]), float(self.t[-1])],
            "channels": self.numbers,
        }

    def series(self) -> tuple[Any, dict[str, Any], dict[str, Any]]:
        """The differences of each motion from the first, at the steps of the first."""
        own = np.isin(self.t, self.channels[0].t)
        rows = {f"{n} of {text} - {self.labels[0]}": row[own] for n in self.names for text, row in zip(self.labels[1:], self[n])}
        return self.t[own], {}, rows

    @property
    def data(self) -> Any:
        """The channels of all motions over the common time, and their differences, as an `xarray.Dataset`."""
        import xarray as xr

        variables: dict[str, Any] = {}
        for n in self.names:
            about = {"units": self.unit(n) or "1"}
            variables[n] = (("motion", "t"), np.stack([c.at(n, self.t) for c in self.channels]), about)
            variables[f"{n}_difference"] = (
                ("other", "t"),
                self[n],
                {**about, "long_name": f"{n} minus that of {self.labels[0]}"},
            )
        places = {"t": ("t", self.t, {"units": self.unit("t")}), "motion": self.labels, "other": self.labels[1:]}
        return xr.Dataset(variables, places, {"title": "comparison of motions", "format": "rollick comparison 1"})

    def summary(self) -> str:
        """The differences in a table."""
        rows = [
            (
                "channel",
                "motion",
                "largest",
                f"at t [{self.unit('t')}]" if self.unit("t") else "at t",
                "rms",
                "at the end",
                "known to",
            )
        ]
        for name, about in self.numbers.items():
            unit = f" [{about['unit']}]" if about["unit"] else ""
            for d in about["differences"]:
                rows.append((f"{name}{unit}", d["label"], f"{d['largest']:.3g}", f"{d['at']:.4g}", f"{d['rms']:.3g}", f"{d['end']:+.3g}",
                             f"{about['known_to']:.1g}" if about["known_to"] else "rounding"))  # fmt: skip
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
        return "\n".join([f"{self.message[:-1]}; differences from {self.labels[0]}", *lines])

    def plot(self, *names: str, path: Any = None, theme: str | None = None, size: str | None = None) -> Any:
        """One row for each channel: the curves on the left, the differences from the first on the right. Returns the figure."""
        wanted = chosen(self.channels, self.labels, names) if names else self.names
        with plot_style(theme, size):
            fig, axes = figure(len(wanted), 2, width=11.0, height=2.3, sharex=True, width_ratios=(1.4, 1.0))
        for row, name in zip(axes, wanted):
            self._draw(row[0], row[1], name)
        axes[0, 0].legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=4, fontsize=8, borderaxespad=0.1, frameon=False)
        axes[0, 1].set_title(f"minus {self.labels[0]}", loc="left", fontsize=9)
        for ax in axes[-1]:
            ax.set_xlabel(label("t", self.unit("t")))
        return finished(fig, path)

    def _draw(self, left: Any, right: Any, name: str) -> None:
        for k, (c, text) in enumerate(zip(self.channels, self.labels)):
            t = c.times
            values, unit = in_degrees(c.at(name, t), self.unit(name))
            left.plot(t, values, color=COLOURS[k % len(COLOURS)], linestyle=STYLES[k % len(STYLES)], linewidth=1.1, label=text)
            if k:
                off, _ = in_degrees(self[name][k - 1], self.unit(name))
                right.plot(self.t, off, color=COLOURS[k % len(COLOURS)], linewidth=0.9)
        right.axhline(0.0, color="0.6", linewidth=0.6, zorder=0)
        left.set_ylabel(label(name, unit))
        right.set_ylabel(rf"$\Delta${symbol(name)}" + (f" [{unit}]" if unit not in ("", "1") else ""))
