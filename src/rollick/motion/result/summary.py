"""A motion in words: for terminals and notebooks, and for the summary at the end of a command."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from ...kernel.hooks import highlights
from .digits import between
from .rounding import end_in_words, largest_by_unit

FEW = 200  # instants: if they are fewer, and steps more than twice as many, it is said that what is told is of them alone


def _range(values: np.ndarray) -> str:
    return between(float(np.min(values)), float(np.max(values))) if values.size else "no output"


def cost(made: dict[str, Any]) -> str:
    """By what the steps were chosen, and how many there were."""
    steps = f"{made['steps']} steps ({made['rejected']} rejected)"
    step = made.get("options", {}).get("dt")
    if step is not None:
        return f"dt {step} s, {steps}"
    return f"rtol {made['rtol']:.2g}, {steps}, {made['evaluations']} evaluations"


def stepped(made: dict[str, Any]) -> list[tuple[str, str]]:
    """Lines on time steps: how contact problems were solved where Newton's method alone did not do."""
    found = []
    counts = [
        (made.get("fallbacks", 0), "contact problems where Newton's method needed help"),
        (made.get("halved_steps", 0), "steps refused and made in parts"),
        (made.get("turned_steps", 0), "steps made in parts since the contact turned fast"),
        (made.get("lowered_restitution", 0), "impacts with the restitution lowered, since it would have created energy"),
    ]
    told = ", ".join(f"{count} {what}" for count, what in counts if count)
    if told:
        found.append(("contacts", told))
    return found


def rows(motion: Any) -> list[tuple[str, str]]:
    """Label and text of each line of a summary."""
    made = motion.provenance
    methods = " then ".join(dict.fromkeys(name for name, _ in made["methods"]))
    found = [
        (
            "motion of",
            f"{motion.title}, t = {made['since']:g} .. {motion.end_time:.6g} {motion.about.time}".rstrip()
            + f", {motion.t.size} instants",
        ),
        ("status", f"{motion.status}: {motion.message}"),
        ("solver", f"{methods}, {cost(made)}"),
    ]
    if made.get("chosen"):
        found.append(("", made["chosen"]))
    start = [f"{name} = {value:.6g}" for name, value in made["start"].items() if value != 0.0]
    zero = len(made["start"]) - len(start)
    found.append(("start", ", ".join(start + ([f"the other {zero} zero" if start else "all states zero"] if zero else []))))
    if made.get("settled"):
        found.append(("", made["settled"]))
    told = motion.t.size > 0 and motion.t[-1] == motion.end_time  # else only what the method goes on from is known of the end
    end = motion.y[-1] if told else motion.end_state
    largest, rtol = largest_by_unit(motion), None if "dt" in made.get("options", {}) else made.get("rtol")
    for j, q in enumerate(motion.about.states):
        unit = f" {q.unit}" if q.unit else ""
        values = np.append(motion.y[:, j], end[j]) if motion.t.size else motion.y[:, j]
        found.append((q.name, f"{_range(values)}{unit}, at the end {end_in_words(end[j], largest[q.unit], rtol)}"))
    if motion.events:
        names = list(dict.fromkeys(e.name for e in motion.events))
        text = ", ".join(f"{sum(e.name == n for e in motion.events)} x {n}" for n in names)
        found.append(("events", text))
    found += stepped(made)
    if motion.trust.checks:
        found += [("trust" if k == 0 else "", line.strip()) for k, line in enumerate(str(motion.trust).splitlines())]
    return found


def highlighted(motion: Any) -> list[str]:
    """What is worth telling of this system besides: reversals, energy, wobble, contact; with how little of the motion it was found from, if that is little."""
    lines = [] if motion.system is None else list(highlights(motion.system, motion))
    few, steps = motion.t.size, motion.provenance["steps"]
    return [f"of {few} instants of {steps} steps:", *lines] if lines and few < FEW and steps > 2 * few else lines


def summary(motion: Any) -> str:
    """The summary of a motion as plain text."""
    lines = rows(motion)
    width = max(len(label) for label, _ in lines)
    return "\n".join([*(f"{label:<{width}}  {value}" for label, value in lines), *highlighted(motion)])


def html(motion: Any) -> str:
    """The summary of a motion as an HTML table; what is told besides stands below it, in as many lines."""
    left = "style='text-align:left'"
    body = "".join(f"<tr><th {left}>{escape(a)}</th><td {left}>{escape(b)}</td></tr>" for a, b in rows(motion))
    body += "".join(f"<tr><td {left} colspan=2>{escape(line)}</td></tr>" for line in highlighted(motion))
    return f"<table>{body}</table>"
