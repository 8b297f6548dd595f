"""`rollick filippov`, and the small Filippov systems by `rollick simulate`."""

import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from rollick.cli.main import app, guarded
from rollick.motion.result.outcome import MotionWarning


def said(*words):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def told(*words):
    return json.loads(said(*words, "--json"))


def refused(capsys, *words):
    assert guarded(lambda: app(list(words), standalone_mode=True)) == 2
    return capsys.readouterr().err


def test_regions_of_the_pool_ball(tmp_path):
    picture = tmp_path / "map.png"
    found = told("filippov", "pool_ball", "--set", "mu=0.2", "--points", "7", "--plot", str(picture))
    [rim] = found["boundaries"]
    assert rim["closed"]
    np.testing.assert_allclose(np.hypot(*np.array(rim["points"]).T), 7 * 0.2 * 9.81, rtol=1e-12)
    assert {k for row in found["kinds"] for k in row} == {"attracting sliding", "crossing"}
    assert picture.stat().st_size > 10_000


def test_a_state_of_the_pool_ball(tmp_path):
    picture = tmp_path / "state.png"
    found = told("filippov", "pool_ball", "--state", "v_y=8", "--state", "v_z=-4", "--plot", str(picture))
    assert (found["kind"], found["orbits"], found["future"]) == ("crossing", "leaves along one orbit", "unique")
    [future] = found["futures"]
    away = next(d for d in found["directions"] if d["does"] == "repels")
    np.testing.assert_allclose(future["contacts"][0]["direction"], [np.cos(away["angle"]), np.sin(away["angle"])], atol=1e-12)
    assert future["contacts"][0]["rate"] == pytest.approx(away["radial"])
    np.testing.assert_allclose(found["sliding"], [0, 0, -8 * 5 * 0.5 / 7, 4 * 5 * 0.5 / 7], atol=1e-12)
    assert picture.stat().st_size > 10_000
    assert told("filippov", "pool_ball", "--state", "u_y=1")["kind"] == "smooth"


@pytest.mark.parametrize("drawn", ["spring_disk", pytest.param("filippov_toy", marks=pytest.mark.slow)])
def test_the_disk_and_the_toy(tmp_path, drawn):
    picture = tmp_path / "p.png"
    plot = {drawn: ("--plot", str(picture))}
    rolls = told("filippov", "spring_disk", "--state", "w=1", *plot.get("spring_disk", ()))
    assert (rolls["kind"], [f["modes"] for f in rolls["futures"]]) == ("attracting sliding", ["R"])
    assert rolls["sliding"] == pytest.approx([0.0, -2.0 / 3.0, 0.0])
    parts = told("filippov", "filippov_toy", *plot.get("filippov_toy", ()))["regions"]
    assert picture.stat().st_size > 10_000
    assert [p["kind"] for p in parts] == ["crossing", "attracting sliding", "crossing"]
    np.testing.assert_allclose([parts[1]["low"], parts[1]["high"]], [-1.0, 1.0], atol=1e-12)
    odd = told("filippov", "filippov_toy", "--set", "sign=1", "--state", "x3=0.5")
    assert (odd["kind"], odd["future"]) == ("crossing", "not unique")
    assert [f["modes"] for f in odd["futures"]] == ["R", "S", "S"]
    text = said("filippov", "filippov_toy", "--set", "sign=1", "--state", "x3=0.5")
    assert "R (margin 0.5)" in text
    assert "a = 0.5, b = 0\n" in text


def test_what_follows_in_a_corner(tmp_path):
    words = ["filippov", "ball_in_corner", "--set", "opening=12deg", "--set", "slope=75deg"]
    found = told(*words, "--state", "v=0")
    assert [f["modes"] for f in found["futures"]] == ["RR", "SS"]
    assert found["futures"][0]["margin"] is None
    assert "wedged" in found["futures"][0]["in_words"]
    assert [c["mode"] for c in found["futures"][1]["contacts"]] == ["slips", "slips"]
    assert all(c["slip_begins"] and c["rate"] > 0 for c in found["futures"][1]["contacts"])
    picture = tmp_path / "corner.png"
    grid = told("filippov", "ball_in_corner", "--points", "5", "--plot", str(picture))
    assert grid["kinds"][2][2] == "RR"  # level: at rest
    assert picture.stat().st_size > 5_000


def test_what_cannot_be_asked_is_said(capsys, tmp_path):
    assert "Allowed: pool_ball, spring_disk, filippov_toy, ball_in_corner" in refused(capsys, "filippov", "tippedisk")
    assert "sign must be -1" in refused(capsys, "filippov", "filippov_toy", "--set", "sign=2")
    assert "unknown state of PoolBall: 'w'" in refused(capsys, "filippov", "pool_ball", "--state", "w=2")
    assert "--points 2 must lie between" in refused(capsys, "filippov", "pool_ball", "--points", "2")
    assert "no portrait" in refused(capsys, "filippov", "ball_in_corner", "--state", "v=1", "--plot", str(tmp_path / "a.png"))
    assert "ambiguous is no option" in refused(capsys, "simulate", "rattleback", "--ambiguous", "roll")
    assert "unknown ambiguous: 'hope'" in refused(capsys, "simulate", "filippov_toy", "--ambiguous", "hope")


def test_ambiguous_futures_of_a_simulated_toy():
    words = ["simulate", "filippov_toy", "--set", "sign=1", "--start", "x3=0.5", "--json"]
    with pytest.warns(MotionWarning, match="not unique"):
        done = CliRunner().invoke(app, words)
    assert done.exit_code == 1
    assert json.loads(done.stdout)["status"] == "ambiguous"
    rolled = json.loads(said(*words, "--ambiguous", "roll"))
    assert rolled["status"] == "finished"
    assert rolled["states"]["x3"][-1] == pytest.approx(0.5 * np.exp(-4.0), rel=1e-8)


def test_warming_up_says_what_is_not_for_a_model():
    """Refusals of a way to run a model do not end the warming up of the others."""
    done = CliRunner().invoke(app, ["warm", "--thorough", "pool_ball"])
    assert done.exit_code == 0, done.output
    assert re.search(r"^pool_ball: \d+\.\d s$", done.output, re.MULTILINE)
    assert "pool_ball: stiff method: not for this model" in done.output
