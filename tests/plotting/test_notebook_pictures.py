"""Pictures in notebooks: each once, also behind a semicolon; the HTML of a motion tells what its text does. IPython is played by a stand-in."""

import sys
import types

import numpy as np
import pytest

from rollick import Rattleback, simulate
from rollick.motion.result.summary import highlighted
from rollick.plotting import inline

T = np.linspace(0.0, 1.0, 50)


class Shell:
    """As much of a notebook's shell as matters: a kernel, and hooks that run after a cell."""

    def __init__(self):
        self.kernel, self.hooks, self.shown = object(), [], []
        self.events = types.SimpleNamespace(register=lambda when, hook: self.hooks.append((when, hook)))

    def run(self, cell, hidden=False):
        """Run a cell: its value is shown unless a semicolon hides it; then come the hooks."""
        value = cell()
        if value is not None and not hidden:
            value._ipython_display_()
        for when, hook in self.hooks:
            assert when == "post_execute"
            hook()
        found, self.shown = self.shown, []
        return found


@pytest.fixture
def shell(monkeypatch):
    made = Shell()
    display = types.ModuleType("IPython.display")
    display.Image = lambda data: data
    display.display = made.shown_by = lambda image: made.shown.append(image)
    package = types.ModuleType("IPython")
    package.get_ipython, package.display = (lambda: made), display
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(inline, "_waiting", [])
    monkeypatch.setattr(inline, "_hooked", set())
    return made


def test_each_picture_is_shown_once(shell, handmade, tmp_path):
    motion = handmade(T, {"x": np.sin(T)})
    kept = []
    for cell, hidden in ((motion.plot, False), (motion.plot, True), (lambda: kept.append(motion.plot()), False)):
        images = shell.run(cell, hidden)
        assert len(images) == 1
        assert images[0].startswith(b"\x89PNG")
    assert len(shell.run(lambda: [motion.plot(), motion.plot()][-1])) == 2
    assert len(shell.run(lambda: kept[0])) == 1  # again, on demand
    assert shell.run(lambda: kept.append(motion.plot(path=tmp_path / "x.png"))) == []  # it went into the file
    assert len(shell.hooks) == 1


def test_elsewhere_nothing_is_shown(handmade, monkeypatch):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    before = list(inline._waiting)
    handmade(T, {"x": np.sin(T)}).plot()
    assert inline._waiting == before


def test_the_html_of_a_motion_keeps_every_line():
    motion = simulate(Rattleback(), start={"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}, until=1.0)
    told = highlighted(motion)
    assert any(line.startswith("energy") for line in told)
    assert any(line.startswith("contact") for line in told)
    html = motion._repr_html_()
    for line in told:
        assert line.replace(">", "&gt;").replace("<", "&lt;") in html
    assert all(line in motion.summary() for line in told)
