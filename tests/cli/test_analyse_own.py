"""`rollick analyse`: systems of one's own, branches of orbits that are resumed, parameters of models that are several numbers."""

import json

import numpy as np
import pytest
from commands import rollick

from rollick.analysis.continuation import Branch

CYCLE = '''
from typing import NamedTuple

from rollick import describe, rate


class Cycle(NamedTuple):
    """A limit cycle of radius sqrt(mu), with the period 2 pi/omega."""

    mu: float = 1.0
    omega: float = 2.0


@rate.register(Cycle)
def _(s, t, y, out):
    grow = s.mu - y[0] * y[0] - y[1] * y[1]
    out[0] = grow * y[0] - s.omega * y[1]
    out[1] = grow * y[1] + s.omega * y[0]


describe(Cycle, states={"x": "m", "y": "m"}, parameters={"omega": "rad/s"})
number = 3
'''


@pytest.fixture(scope="module")
def cycle(tmp_path_factory):
    """A file with a system."""
    path = tmp_path_factory.mktemp("own") / "own_cycle_of_test.py"
    path.write_text(CYCLE)
    return f"{path}:Cycle"


def test_steady_of_a_file(cycle):
    code, out, err = rollick("analyse", cycle, "steady", "--near", "x=0.01", "--set", "omega=3")
    assert code == 0, err
    assert "unstable, 2 growing" in out
    assert "1+3i, 1-3i 1/s" in out


def test_a_branch_of_orbits_is_resumed(cycle, tmp_path):
    """Radius sqrt(mu), multiplier exp(-4 pi mu/omega); broken off by --max-points, gone on with --resume."""
    path = tmp_path / "branch.nc"
    words = (cycle, "cycles", "mu", "--near", "x=1", "--period", "3.1", "--within", "0.5,2", "--out", str(path))
    code, out, _ = rollick("analyse", *words, "--max-points", "2")
    assert code == 1
    assert "max_points" in out
    begun = len(Branch.open(path))
    code, out, err = rollick("analyse", *words, "--resume", "--json", "--plot", str(tmp_path / "branch.png"))
    assert code == 0, err
    told = json.loads(out)
    branch = Branch.open(path)
    assert len(branch) > begun
    assert branch["max_x"] == pytest.approx(np.sqrt(branch["mu"]), rel=1e-4)
    assert branch["period"] == pytest.approx(np.pi, rel=1e-9)
    assert told["model"] == "Cycle"
    assert (tmp_path / "branch.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("{own}", "cycles", "--resume", "--near", "x=1"), "--resume is for branches"),
        (("{own}", "cycles", "mu", "--within", "0.5,2", "--resume", "--near", "x=1"), "--resume goes on with the file of --out"),
        (("{own}", "sensitivity", "--of", "x", "--by", "mu"), "has no final time of its own; give --until"),
        (("{own}", "steady", "--set", "nu=1"), "unknown number of"),
        (("nowhere.py:Cycle", "steady"), "nowhere.py is not there"),
        (("{file}:Rossler", "steady"), "defines no Rossler"),
        (("{file}:number", "steady"), "is no system"),
        (("{file}", "steady"), "named by its file and its name there"),
        (("torus", "sensitivity", "--of", "omega1", "--by", "R"), "from which several numbers of the system are made"),
        (("torus", "continue", "R", "--within", "0.5,1"), "`chart --over R=...`"),
        (("torus", "continue", "body.mass", "--within", "0.9,1.1"), "Here: --set form=reduced."),
        (("euler_disk", "steady"), "Here: --set mechanism=drag."),
        (("rattleback", "continue", "a", "--within", "0.18,0.22"), "--hold"),
    ],
)
def test_bad_input_is_one_line(cycle, args, words):
    given = [a.replace("{own}", cycle).replace("{file}", cycle.rpartition(":")[0]) for a in args]
    code, out, err = rollick("analyse", *given)
    assert code == 2
    assert out == ""
    assert words in err
    said = [line for line in err.splitlines() if not line.startswith("rollick: compiling")]  # told where nothing is cached yet
    assert len(said) == 1


def test_a_family_along_a_table_is_named():
    """The equations of `profile` are smooth in pieces only; rolling in circles is a family all the same."""
    code, out, _ = rollick("analyse", "profile", "steady")
    assert code == 0
    assert out.count("a family of steady motions along") == 1


def test_orbits_of_laws_that_have_no_modes_are_refused():
    code, out, err = rollick("analyse", "euler_disk", "cycles", "--period", "0.1")
    assert (code, out) == (2, "")
    assert "none that can be followed so" in err
    assert len([line for line in err.strip().splitlines() if "compiling" not in line]) == 1


def test_basins_with_dry_friction_are_refused_with_a_way_out():
    code, _, err = rollick("analyse", "spring_disk", "basin", "--over", "w=0.1:0.2:2", "--settle", "1")
    assert code == 2
    assert "over numbers of the start" in err
    assert "dop853" not in err
