"""`rollick analyse MODEL cycles`: what it refuses, in a sentence; and an orbit that sticks and slips."""

from __future__ import annotations

import json
import math

import pytest
from typer.testing import CliRunner

from rollick import open_saved
from rollick.cli.main import app


def refused(*words: str) -> str:
    """What the command says when it refuses."""
    done = CliRunner().invoke(app, ["analyse", *words])
    assert done.exit_code != 0
    return str(done.exception) + done.output


def test_what_does_not_belong_together_is_refused():
    assert "needs both a PARAMETER and --within" in refused("rattleback", "cycles", "--within", "0,1")
    assert "needs both a PARAMETER and --within" in refused("rattleback", "cycles", "a")
    assert "--switch is for branches" in refused("rattleback", "cycles", "--switch")
    assert "there is no --plot" in refused("rattleback", "cycles", "--show", "alpha")
    assert "unknown method 'guess'" in refused("rattleback", "cycles", "--method", "guess")
    assert "no ODE" in refused("rod", "cycles")


def test_a_search_ends_in_a_sentence():
    """The disk tips over and stays so; and a search may be bounded."""
    assert "comes to an equilibrium (beta = 1.5708, gamma = 1.5708" in refused("tippedisk_reduced", "cycles")
    assert "given up after wall_limit = 1e-09 s" in refused("tippedisk_reduced", "cycles", "--wall-limit", "1e-9")


@pytest.mark.slow
def test_a_driven_ball_that_sticks_and_slips(tmp_path):
    words = ["analyse", "pool_ball", "cycles", "--set", "surge=10", "--set", "omega=2", "--period", "omega", "--transient", "30"]
    done = CliRunner().invoke(app, [*words, "--json", "--out", str(tmp_path / "orbit.nc"), "--plot", str(tmp_path / "orbit.png")])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["period"] == pytest.approx(math.pi)
    assert told["stability"] == "stable"
    assert "R" in told["message"].partition("modes")[2]
    again = open_saved(tmp_path / "orbit.nc")
    assert again.period == told["period"]
    assert again.model == "pool_ball"
    assert (tmp_path / "orbit.png").stat().st_size > 5000
