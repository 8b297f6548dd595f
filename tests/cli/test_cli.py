"""The command line, as a person uses it: in a new process, or, where it is asked many times, within this one (`here`)."""

import json
import os
import subprocess
import sys

import pytest
from commands import rollick as here

from rollick import Motion


def rollick(*args, cwd=None):
    """Run the command; (exit code, standard output, standard error)."""
    done = subprocess.run(
        [sys.executable, "-m", "rollick", *map(str, args)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | {"COLUMNS": "200"},
    )
    return done.returncode, done.stdout, done.stderr


def test_models_show_and_version():
    code, out, _ = here("models")
    assert code == 0
    assert out.startswith("rattleback ")
    code, out, _ = here("show", "rattleback")
    assert code == 0
    for word in ("sigma", "N m s", "omega3", "friction_demand", "Kane"):
        assert word in out
    code, out, _ = rollick("--version")
    assert code == 0
    assert out.startswith("rollick ")


def test_json_is_one_object_and_nothing_else(tmp_path):
    code, out, _ = rollick(
        "simulate", "rattleback", "--set", "sigma=1e-4", "--at", "0,1,5", "--until", "5", "--json", cwd=tmp_path
    )
    assert code == 0
    found = json.loads(out)
    assert found["model"] == "rattleback"
    assert found["parameters"]["sigma"] == 1e-4
    assert found["t"] == [0.0, 1.0, 5.0]
    assert set(found["states"]) == {"alpha", "beta", "gamma", "omega1", "omega2", "omega3"}
    assert found["states"]["alpha"][2] == pytest.approx(-0.0225853616, abs=1e-7)
    assert len(found["derived"]["energy"]) == 3
    assert "dissipated" in found["derived"]
    assert found["status"] == "finished"
    assert all(e["name"] == "gamma_rate" for e in found["events"])
    assert len(found["events"]) > 0
    assert not list(tmp_path.iterdir())


def test_output_times_say_how_long_a_motion_lasts():
    code, out, _ = here("simulate", "rattleback", "--at", "0:1:0.25")
    assert code == 0
    assert "t = 0 .. 1 s, 5 instants" in out
    assert "of 5 instants of " in out  # what is worth telling is found from these alone
    code, out, _ = here("simulate", "rattleback", "--at", "0.5", "--until", "1")
    low, high = next(line for line in out.splitlines() if line.startswith("gamma ")).split(" rad")[0].split()[1::2]
    end = float(next(line for line in out.splitlines() if line.startswith("gamma ")).split()[-1])
    assert float(low) - 1e-3 <= end <= float(high) + 1e-3


def test_a_file_that_is_not_written_is_said_beside_json_too(tmp_path):
    args = "simulate", "rattleback", "--until", "1", "--max-steps", "5", "--json", "--out", tmp_path / "part.nc"
    code, out, err = here(*args)
    assert code == 1
    assert json.loads(out)["status"] != "finished"
    assert "did not write" in err
    assert not list(tmp_path.iterdir())


def test_files_and_summary(tmp_path):
    code, out, _ = here("simulate", "rattleback", "--until", "4", "--out", "a.nc", "--plot", "a.png", cwd=tmp_path)
    assert code == 0
    assert "reversal 1: gamma turns at -390.19 deg" in out
    assert "needs mu >=" in out
    assert Motion.open(tmp_path / "a.nc").end_time == 4.0
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.nc", "a.png"]


def test_events_units_ranges_and_verification():
    code, out, _ = here(
        "simulate",
        "rattleback",
        "--start",
        "beta=5deg",
        "--until",
        "3",
        "--event",
        "delta:rising:stop",
        "--at",
        "0:3:0.5",
        "--json",
    )
    assert code == 0
    assert json.loads(out)["t"] == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    code, out, _ = here("simulate", "rattleback", "--until", "1", "--event", "omega1:falling:stop", "--verify", "--json")
    found = json.loads(out)
    assert found["status"] == "event"
    assert found["events"][-1]["kind"] == "falling"
    assert found["t"][-1] == found["events"][-1]["t"]
    assert found["trust"]["digits"]["gamma"] > 5


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["simulate", "ratleback"], "Did you mean 'rattleback'"),
        (["simulate", "rattleback", "--set", "sigm=1"], "Did you mean 'sigma'"),
        (["simulate", "rattleback", "--start", "gama=1"], "Did you mean 'gamma'"),
        (["simulate", "rattleback", "--start", "alpha"], "not of the form name=value"),
        (["simulate", "rattleback", "--start", "alpha=5mm"], "measured in rad"),
        (["simulate", "rattleback", "--until", "soon"], "is not a number"),
        (["simulate", "rattleback", "--until", "1", "--at", "2"], "outside the motion"),
        (["simulate", "rattleback", "--method", "dop835"], "Did you mean 'dop853'"),
        (["simulate", "rattleback", "--rtol", "5"], "--rtol 5.0 must lie between"),
        (["simulate", "rattleback", "--out", "nowhere/a.nc"], "does not exist"),
        (["simulate", "rattleback", "--plot", "a.gif"], "must end in"),
        (["simulate", "rattleback", "--event", "delta:up"], "unknown word after --event"),
        (["simulate", "rattleback", "--set", "C=1"], "triangle inequality"),
        (["simulate", "rattleback", "--set", "h=-5cm"], "statically unstable"),
        (["reproduce", "ratleback"], "Did you mean 'rattleback'"),
        (["reproduce", "rattleback", "--only", "R99"], "has no target R99"),
        (["show", "tippetop"], "unknown model"),
        (["fly"], "No such command"),
    ],
)
def test_bad_input_is_exit_code_2_and_one_clear_message(args, words, tmp_path):
    code, out, err = here(*args, cwd=tmp_path)
    assert code == 2
    assert out == ""
    assert words in err
    assert "Traceback" not in err
    assert not list(tmp_path.iterdir())


def test_failed_computation_is_exit_code_1_and_leaves_no_files(tmp_path):
    args = ["simulate", "rattleback", "--start", "omega3=1e200", "--until", "5", "--out", "a.nc", "--plot", "a.png"]
    code, out, err = here(*args, cwd=tmp_path)
    assert code == 1
    assert "cannot go on at t = 0 (alpha = 0, beta = 0" in out + err
    assert "did not write a.nc" in out
    assert not list(tmp_path.iterdir())
    code, out, _ = here(*args, "--json", cwd=tmp_path)
    assert code == 1
    assert json.loads(out)["status"] == "not_finite"


def test_a_motion_cut_short_is_kept_on_request(tmp_path):
    args = ["simulate", "rattleback", "--max-steps", "100", "--out", "a.nc"]
    code, out, _ = rollick(*args, cwd=tmp_path)
    assert code == 1
    assert "after --max-steps 100 steps" in out
    assert not list(tmp_path.iterdir())
    code, out, _ = here(*args, "--partial", cwd=tmp_path)
    assert code == 1
    m = Motion.open(tmp_path / "a.nc")
    assert m.status == "max_steps"
    assert 0.0 < m.end_time < 20.0
    assert m.t[-1] == m.end_time


def test_ledger_as_json():
    code, out, _ = here("reproduce", "rattleback", "--only", "R1,R10", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["study"] == "rattleback"
    assert {row["id"] for row in found["targets"]} == {"R1", "R10"}
    for row in found["targets"]:
        assert set(row) >= {"id", "what", "printed", "reference", "computed", "deviation", "tolerance", "verdict", "against"}
        assert row["verdict"] == ("reproduced" if row["id"] == "R1" else "new")
        assert row["against"] == "bound"
    assert found["targets"][0]["as_printed"] > 0.01


def test_rolling_models(tmp_path):
    code, out, _ = here("show", "torus")
    assert code == 0
    for word in ("hollow", "theta_rate", "spin_couple", "Koiller"):
        assert word in out
    code, out, err = here("simulate", "torus", "--until", "1", "--view", "a.html", "--plot", "a.png", cwd=tmp_path)
    assert code == 0, err
    assert "this rolling needs mu >=" in out
    assert {p.name for p in tmp_path.iterdir()} == {"a.html", "a.png"}
    code, out, _ = here("simulate", "torus", "--set", "form=reduced", "--until", "1")
    assert code == 0
    assert "the contact point stays in an annulus" in out or "drifts by" in out
    for arguments, message in (
        (["--set", "fill=foam"], "Allowed: solid, hollow"),
        (["--set", "form=reduced", "--set", "how=marble"], "no reduced form for marble"),
        (["--start", "theta=0"], "lies flat"),
        (["--set", "r=20cm"], "0 < r <= R"),
        (["--view", "a.txt"], "must end in .html"),
    ):
        code, _, err = here("simulate", "torus", *arguments, cwd=tmp_path)
        assert code == 2
        assert message in err


def test_tippedisk_model():
    code, out, err = here("simulate", "tippedisk", "--until", "1")
    assert code == 0, err
    assert "z_S = 0.047" in out
    assert "contact: closed throughout" in out
    code, out, _ = here("show", "tippedisk")
    assert code == 0
    assert "Sailer" in out
    for arguments, message in (
        (["--set", "model=11"], "Allowed:"),
        (["--set", "law=sticky"], "Allowed: regularised, coulomb, contensou"),
        (["--start", "delta=1"], "start of a tippedisk"),
        (["--method", "moreau", "--atol", "1e-6"], "atol is no option of method 'moreau'"),
        (["--method", "moreau", "--rtol", "1"], "--rtol 1.0 must lie between 0 and 0.1"),
    ):
        code, _, err = here("simulate", "tippedisk", "--until", "0.01", *arguments)
        assert code == 2, err
        assert message in err


def test_options_that_say_nothing_are_refused():
    for options, word in (
        (["--at", ""], "a time is missing"),
        (["--at", "1,,2"], "a time is missing"),
        (["--show", "alpha"], "there is no --plot"),
        (["--event", "nonsense"], "unknown state, signal or integral of rattleback"),
    ):
        code, out, err = here("simulate", "rattleback", *options)
        assert (code, out) == (2, "")
        assert word in err
        assert "Traceback" not in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_full_disk_behind_standard_output():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rollick", "models"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr == "rollick: cannot write the output: No space left on device.\n"
