"""`rollick analyse MODEL steady | continue`, as a person uses it."""

import json
import math

import pytest
from commands import rollick

from rollick.analysis.continuation import Branch
from rollick.archetypes.models import model
from rollick.archetypes.rubber import critical_spins, equilibria

REDUCED = ("--set", "form=reduced")
TORUS = model("torus").make(form="reduced")


def test_steady_near_a_state(tmp_path):
    code, out, _ = rollick(
        "analyse", "torus", "steady", *REDUCED, "--near", "theta=50deg", "--hold", "ell=0.7", "--plot", str(tmp_path / "values.png"),
        "--out", str(tmp_path / "steady.nc"),
    )  # fmt: skip
    assert code == 0
    exact = equilibria(TORUS, 0.7)[0]
    assert "steady motion of torus: neutral" in out
    assert f"theta = {exact.theta:.9g}" in out
    assert f"psi' = {exact.psi_rate:.9g}" in out
    assert (tmp_path / "values.png").stat().st_size > 3000
    assert (tmp_path / "steady.nc").stat().st_size > 3000


def test_all_in_a_box():
    code, out, _ = rollick(
        "analyse", "torus", "steady", *REDUCED, "--hold", "ell=0.7", "--box", "theta=5deg,175deg", "--box", "p=-0.1,0.1", "--starts", "8", "--json",
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    assert found["model"] == "torus"
    assert [m["state"]["theta"] for m in found["steady_motions"]] == pytest.approx(
        [e.theta for e in equilibria(TORUS, 0.7)], rel=1e-10
    )
    assert [m["stability"] for m in found["steady_motions"]] == ["neutral", "unstable", "neutral"]


def test_a_branch_and_the_one_that_crosses_it(tmp_path):
    path, picture = tmp_path / "branch.nc", tmp_path / "branch.png"
    code, out, _ = rollick(
        "analyse", "torus", "continue", "ell", *REDUCED, "--within", "0.3,1.4", "--near", "theta=90deg", "--near", "ell=0.5", "--switch",
        "--ds-max", "0.05", "--out", str(path), "--plot", str(picture), "--json",
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    (point,) = found["special_points"]
    assert point["label"] == "BP1"
    assert point["ell"] == pytest.approx(critical_spins(TORUS)[0][0], rel=1e-11)
    (other,) = found["branches"]
    assert other["from"] == "BP1"
    assert min(other["states"]["theta"]) < math.pi / 2 - 0.5 < math.pi / 2 + 0.5 < max(other["states"]["theta"])
    assert len(Branch.open(path)) == len(found["t"])
    assert Branch.open(tmp_path / "branch.BP1.nc").model == "torus"
    assert picture.stat().st_size > 5000
    part = tmp_path / "part.nc"
    told = (
        "analyse",
        "torus",
        "continue",
        "ell",
        *REDUCED,
        "--within",
        "0.3,1.4",
        "--near",
        "theta=90deg",
        "--near",
        "ell=0.5",
        "--out",
        str(part),
    )
    code, out, _ = rollick(*told, "--ds-max", "0.05", "--max-points", "3")
    assert code == 1
    assert "max_points" in out
    code, out, _ = rollick(*told, "--resume")
    assert code == 0
    assert len(Branch.open(part)) == len(found["t"])
    code, out, _ = rollick("plot", str(path), "theta", "--out", str(tmp_path / "again.png"))
    assert code == 0
    assert (tmp_path / "again.png").stat().st_size > 3000


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("torus", "continue", "ell", *REDUCED, "--within", "0.3"), "LOW,HIGH"),
        (("torus", "continue", "elk", *REDUCED, "--within", "0.3,1"), "unknown parameter of RubberBody: 'elk'"),
        (
            ("torus", "continue", "ell", *REDUCED, "--within", "0.3,1.4", "--near", "theta=90deg", "--near", "ell=2"),
            "outside bounds",
        ),
        (("torus", "continue", "ell", *REDUCED, "--within", "0.3,1.4", "--show", "theta"), "there is no --plot"),
        (("torus", "steady", *REDUCED, "--hold", "ell=0.7", "--hold", "p"), "to all of them, or to none"),
        (("torus", "steady", *REDUCED, "--near", "theta=50deg", "--hold", "ell=0.7", "--plot", "x.txt"), "--plot x.txt"),
        (("rod", "steady"), "goes from event to event"),
        (("tores", "steady"), "Did you mean 'torus'"),
    ],
)
def test_bad_input_is_one_line(args, words):
    code, out, err = rollick("analyse", *args)
    assert code == 2
    assert out == ""
    assert words in err
    assert err.count("\n") == 1
