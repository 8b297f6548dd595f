"""A page loads what it needs: no matplotlib, which takes a second, and no archetype but that of its body."""

import importlib
import json
import subprocess
import sys

import pytest

from rollick.plotting import Picture, figure, sheet
from rollick.view import contacts, dress, mode_forces
from rollick.view.kinds import HOME, kind_of

ASKED = """
import json, sys
import numpy as np
from rollick.archetypes.flowmeter.system import FlowMeter
from rollick.view import page
from rollick.view.contacts import free_but_for_gravity
from rollick.view.dress import dress
from rollick.view.frames import check_drawable, poses
from rollick.view.mode_forces import axes_of
from rollick.view.scene_data import label

ball = FlowMeter()
check_drawable(ball)
assert label("omega3") == "\\u03c9\\u2083" and not free_but_for_gravity(ball)
placed = poses(ball, np.array([0.0, 0.1]), np.zeros((2, 4)), None)
assert dress(ball, placed).pieces and axes_of(ball, placed).shape == (2, 2, 3, 3)
rooms = sorted({".".join(name.split(".")[:3]) for name in sys.modules if name.startswith("rollick.archetypes.")})
print(json.dumps([rooms, "matplotlib" in sys.modules]))
"""


def test_a_page_loads_its_own_archetype_and_no_matplotlib():
    done = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rooms, drawing = json.loads(done.stdout)
    assert rooms == [
        "rollick.archetypes.filippov",
        "rollick.archetypes.flowmeter",
    ]  # whose poses are made with those of the other
    assert not drawing


@pytest.mark.parametrize("room", [contacts, dress, mode_forces], ids=lambda m: m.__name__.rpartition(".")[2])
def test_names_of_archetypes_are_those_of_their_types(room):
    for name in room.KNOWN:
        home, _, own = name.rpartition(".")
        kind = getattr(importlib.import_module(HOME + home), own)
        assert kind_of(kind.__new__(kind, *range(len(kind._fields))), room.KNOWN) == name
    assert kind_of(object(), room.KNOWN) == ""


def test_pictures_are_pictures_also_where_the_class_comes_late():
    assert isinstance(sheet(), Picture)
    assert isinstance(figure()[0], Picture)
