"""The commands of collisions, as a person uses them."""

import json

import pytest
from commands import rollick


def test_a_rod_collides(tmp_path):
    code, out, _ = rollick("simulate", "rod", "--set", "max_impacts=50", "--out", "rod.nc", "--plot", "rod.png", cwd=tmp_path)
    assert code == 0
    assert "complete chatter" in out
    assert (tmp_path / "rod.nc").exists()
    assert (tmp_path / "rod.png").exists()
    code, out, _ = rollick("simulate", "polygon", "--set", "body=cube", "--set", "gamma=0.5", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["model"] == "polygon"
    assert found["status"] == "ICC"
    assert len(found["t"]) == found["impacts"] == len(found["impulse"])


def test_what_does_not_apply_is_refused(tmp_path):
    for args, word in (
        (("simulate", "drop", "--at", "1,2"), "--at"),
        (("simulate", "drop", "--method", "radau"), "--method"),
        (("simulate", "rod", "--method", "event-driven"), "--until"),
        (("simulate", "rod", "--method", "radau", "--until", "1"), "radau"),
        (("simulate", "rod", "--set", "gamma=2"), "between 0 and 1"),
        (("simulate", "polygon", "--set", "body=teapot"), "teapot"),
        (("chatter", "classify", "--gamma", "0.2"), "--rho"),
        (("chatter", "classify", "--gamma", "0.2", "--rho", "-1"), "rho"),
        (("chatter", "map", "--rho", "nonsense"), "FROM:TO"),
        (("chatter", "map", "--seed", "-1"), "seed"),
        (("simulate", "rod", "--until", "-1"), "until"),
        (("chatter", "classify", "--gamma", "0.2", "--rho", "0.3", "--n", "1"), "2 (a rod)"),
        (("chatter", "limits", "--rho", "0.3", "--n", "1"), "2 (a rod)"),
        (("chatter", "classify", "--gamma", "0.1", "--body", "tetrahedron", "--rho", "0.5"), "says what --rho is"),
        (("chatter", "limits", "--body", "tetrahedron", "--n", "3"), "says what --n is"),
        (("drop", "map", "--store", "adir"), "--store adir"),
        (("drop", "sweep", "--store", "adir"), "--store adir"),
        (("drop", "sweep", "--at", "5,5,5"), "outside the body"),
        (("drop", "box", "--at", "5,5,5"), "outside the body"),
    ):
        code, _, err = rollick(*args, cwd=tmp_path)
        assert code == 2, args
        assert word in err


@pytest.mark.parametrize(("points", "drops"), [(3, 2), pytest.param(8, 3, marks=pytest.mark.slow)])
def test_chatter_commands(tmp_path, points, drops):
    code, out, _ = rollick("chatter", "classify", "--body", "tetrahedron", "--gamma", "0.1", "--json")
    assert code == 0
    assert json.loads(out)["verdict"] == "complete"
    code, out, _ = rollick("chatter", "classify", "--rho", "0.5", "--gamma", "0.045", "--n", "3", "--json")
    assert code == 0
    assert json.loads(out)["proven"] is True
    code, out, _ = rollick("chatter", "limits", "--n", "3", "--rho", "0.5", "--json")
    assert code == 0
    assert json.loads(out)["hub word"] == pytest.approx(0.0472827, abs=1e-6)
    code, out, _ = rollick(
        "chatter", "map", "--n", "4", "--points", points, "--drops", drops, "--plot", "map.png", "--store", "map.nc", cwd=tmp_path
    )
    assert code == 0
    assert (tmp_path / "map.png").exists()
    assert (tmp_path / "map.nc").exists()
    code, out, _ = rollick("chatter", "cone", "--rho", "0.25", "--n", "4", "--gamma", "0.1", "--plot", "cone.png", cwd=tmp_path)
    assert code == 0
    assert "proven" in out
    code, out, _ = rollick("chatter", "cone", "--rho", "0.25", "--n", "4", "--gamma", "0.1", "--json", cwd=tmp_path)
    assert code == 0
    found = json.loads(out)
    assert (found["proven"], found["verdict"]) == (True, "found")
    assert len(found["polygon"][0]) == 2


def test_a_map_as_json_and_old_names(tmp_path):
    command = ("chatter", "map", "--n", "4", "--points", "3", "--drops", "2", "--rho", "0.2:0.3", "--gamma", "0.1:0.3", "--json")
    code, out, err = rollick(*command, "--most", "100", cwd=tmp_path)
    assert code == 0
    found = json.loads(out)
    assert found["max_impacts"] == 100
    assert len(found["rho"]) == len(found["complete"]) == 3
    assert sum(found["shares"].values()) == pytest.approx(1.0)
    assert "--most is now called --max-impacts" in err
    code, _, err = rollick("simulate", "rod", "--set", "most=50", cwd=tmp_path)
    assert code == 0
    assert "most is now called max_impacts" in err


def test_limits_say_how_words_and_drops_fit_together(tmp_path):
    code, out, _ = rollick("chatter", "limits", "--n", "8", "--rho", "0.1", "--simulate", cwd=tmp_path)
    assert code == 0
    assert "star word 0 2 4 6" in out
    assert "0.56330" in out
    assert "stop short of the star word 0 2 4 6" in out


@pytest.mark.parametrize("name", ["rod", "polygon", "drop", "philae"])
def test_models_are_shown(name):
    code, out, _ = rollick("show", name)
    assert code == 0
    assert "default start" in out


@pytest.mark.parametrize(("former", "now"), [("lander", "philae"), ("dropped_device", "drop"), ("disk", "rolling_disk")])
def test_former_names_of_models_are_met_by_a_sentence(former, now):
    from rollick.archetypes.models import model, model_names
    from rollick.kernel.names import InputError

    assert former not in model_names()
    with pytest.raises(InputError, match=f"{now}.*write "):
        model(former)
    assert model(now).name == now


def test_models_carry_the_name_they_are_called_by():
    from rollick.archetypes.models import models

    assert [entry.name for entry in models().values()] == list(models())


def test_the_limit_of_a_rod_with_its_mass_at_the_ends():
    code, out, _ = rollick("chatter", "classify", "--gamma", "0.3", "--rho", "1", "--n", "2", "--json")
    assert code == 0
    found = json.loads(out)
    assert "= 0 of gamma" in found["witness"]
    assert found["margin"] == -0.3
    assert "nan" not in rollick("chatter", "classify", "--gamma", "0.3", "--rho", "2", "--n", "2")[1]
