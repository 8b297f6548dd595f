"""The bodies of `examples/two_contacts.py`: what is said about them, and that they move."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from rollick import simulate
from rollick.analysis.dual_point import dual_point, two_contacts

MACHINES = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "two_contacts.py"))


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("corner", "SS"),
        ("bottle", "RR"),
        *(pytest.param(name, "SS", marks=pytest.mark.slow) for name in ("groove", "cone", "step")),
    ],
)
def test_what_is_said_about_each(name, verdict):
    system, start = MACHINES[name]()
    found = two_contacts(dual_point(system, start))
    assert (found.mode, found.verdict) == (verdict, verdict)
    assert found.compatibility is None or found.compatibility.holds()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["corner", "groove", "cone", "step", "bottle"])
def test_each_moves(name):
    """The mode it begins with is the one of the report; energy is not gained."""
    system, start = MACHINES[name]()
    motion = simulate(system, start, 0.3, method="event-driven", progress=False)
    assert motion.status == "finished"
    letters = {"slip": "S", "stick": "R"}
    first = "".join(letters[word] for word in motion.provenance["methods"][0][0].split())
    assert first == two_contacts(dual_point(system, start), check=0).verdict
    assert np.diff(motion["energy"]).max() < 1e-6
