"""All futures of a motion whose future is not unique: a tree of motions.

Each node is a motion that ends where its future is not unique any more (or for good); its branches go on from there, one for each consistent
combination of modes.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...kernel.names import InputError, number, whole
from ...motion.methods.method import METHODS, method_of
from ...motion.result import outcome as o
from ...motion.result.motion import Motion
from ...motion.result.outcome import MotionWarning
from ...motion.simulate import simulate


@dataclass
class Branch:
    """A motion, the future that it took at its start (in words; empty for the first), and what can follow it."""

    motion: Motion
    took: str = ""
    branches: list[Branch] = field(default_factory=list)

    def leaves(self) -> Iterator[Branch]:
        """The branches that nothing follows."""
        if not self.branches:
            yield self
        for branch in self.branches:
            yield from branch.leaves()

    def __str__(self) -> str:
        return "\n".join(self._lines(0))

    def _lines(self, depth: int) -> Iterator[str]:
        modes = " > ".join(name for name, _ in self.motion.provenance["methods"])
        took = f"{self.took}: " if self.took else ""
        yield f"{'  ' * depth}{took}{modes}, until t = {self.motion.end_time:.6g} ({self.motion.status})"
        for branch in self.branches:
            yield from branch._lines(depth + 1)


def motion_tree(system: Any, start: Any, until: float, most: int = 32, method: Any = None, **options: Any) -> Branch:
    """Follow every future of a system with dry contacts; `options` are those of `simulate`. At most `most` motions; then what is open stays open.

    A state at which rolling goes on though it need not (see the option `ambiguous` of the method) is a node as well: rolling is one of its branches. So are Painleve's paradoxes, as far as
    anything can follow.
    """
    whole(most, "most", 1)
    for name in ("choices", "ambiguous", "painleve"):
        if name in options:
            raise InputError(f"{name} cannot be had with a tree of motions, which takes every future; leave it out.")
    method = method_of("auto" if method is None else method, {}, system)
    if "choices" not in method.options:
        able = " or ".join(repr(name) for name, cls in METHODS.items() if "choices" in cls().options)
        raise InputError(f"a tree of motions is followed by a method that takes choices=, {able}; not by {method!r}.")
    method = replace(method, choices=(), **{name: "stop" for name in ("ambiguous", "painleve") if name in method.options})

    at = options.pop("at", None)

    def run(first: Any, since: Any, choices: tuple[int, ...]) -> Motion:
        times = at
        if at is not None and choices:  # of those times the branch has what lies behind its start
            times = [t for t in (number(t, "an output time", "s") for t in at) if t > since] or [until]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MotionWarning)
            return simulate(system, first, until, since=since, at=times, method=replace(method, choices=choices), **options)

    root = Branch(run(start, options.pop("since", None), ()))
    waiting, made = [root], 1
    while waiting and made < most:
        node = waiting.pop(0)
        if node.motion.status not in (o.AMBIGUOUS, o.PAINLEVE):
            continue
        for i, future in enumerate(node.motion.provenance.get("futures", [])):
            if made >= most:
                break
            branch = Branch(run(node.motion.end_state, node.motion.end_time, (i,)), future)
            node.branches.append(branch)
            waiting.append(branch)
            made += 1
    return root
