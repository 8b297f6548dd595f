"""`rollick analyse MODEL sensitivity | chart | basin`: numbers, files, and what is refused, in one sentence."""

import json

import pytest
from typer.testing import CliRunner

from rollick import Event
from rollick.archetypes.models import model
from rollick.cli.main import app


def run(*words):
    return CliRunner().invoke(app, ["analyse", "rattleback", *words])


def test_sensitivity_and_chart(tmp_path):
    """The derivative of the time of the reversal by h, against the motions of a chart around it."""
    done = run(
        "sensitivity",
        "--of",
        "time of omega3 rising",
        "--by",
        "h",
        "--until",
        "20",
        "--json",
        "--out",
        str(tmp_path / "s.nc"),
        "--plot",
        str(tmp_path / "s.png"),
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["model"] == "rattleback"
    assert told["inputs"][0]["name"] == "h"
    assert told["outputs"][0]["unit"] == "s"
    assert (tmp_path / "s.nc").exists()
    assert (tmp_path / "s.png").exists()
    h, d = told["inputs"][0]["value"], 1e-6
    charted = run(
        "chart",
        "--of",
        "time of omega3 rising",
        "--over",
        f"h={h - d}:{h + d}:2",
        "--until",
        "20",
        "--rtol",
        "1e-12",
        "--json",
        "--store",
        str(tmp_path / "c.nc"),
    )
    assert charted.exit_code == 0, charted.output
    (times,) = json.loads(charted.stdout)["values"].values()
    assert (times[1] - times[0]) / (2.0 * d) == pytest.approx(told["derivatives"][0][0], rel=1e-4)
    motion = model("rattleback").simulate(until=20.0, events=[Event("omega3", "rising")])
    assert told["outputs"][0]["value"] == pytest.approx(motion.events[0].t, rel=1e-8)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sensitivity", "--of", "phi of the day", "--by", "h"], "is no output"),
        (["sensitivity", "--of", "alpha", "--by", "hh"], "unknown parameter"),
        (["sensitivity", "--of", "alpha"], "nothing to differentiate by"),
        (["chart", "--of", "alpha", "--over", "h=1:2"], "LOW:HIGH:COUNT"),
        (["basin", "--over", "spin=0:1:2", "--settle", "5"], "Unknown state"),
        (["basin", "--over", "omega3=0:1:2", "--settle", "0"], "must be above zero"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words, said):
    done = run(*words)
    assert done.exit_code != 0
    assert said in done.output or said in str(done.exception)
    assert "Traceback" not in done.output
