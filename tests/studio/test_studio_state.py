"""States of the studio: changes and refusals, undo, addresses, sliders, scripts, study files, maps; without a web library."""

from __future__ import annotations

import base64
import json
import math
import tomllib

import numpy as np
import pytest

from rollick import InputError
from rollick.archetypes.models import model
from rollick.archetypes.sweep_file import read_sweep
from rollick.mechanics.shapes.convex import Sphere
from rollick.mechanics.shapes.fitted import fitted_part
from rollick.mechanics.shapes.triangles import surface
from rollick.studio import limits
from rollick.studio.address import query_of, state_of
from rollick.studio.charts import branch_figure, map_figure
from rollick.studio.curves import curves_picture
from rollick.studio.equations import EQUATIONS, as_html, equations_of
from rollick.studio.maps import Axis, axis_names, branch_state, keep_of, measures_of, read_map, state_at, usual_axis
from rollick.studio.own_body import FOLDER, mesh_path, own_body, skin_of, tables, toml_of, toml_text
from rollick.studio.sliders import slider_of, slider_of_start
from rollick.studio.snippet import command_of, python_of
from rollick.studio.state import History, State, read_state, visible
from rollick.studio.study import study_of
from rollick.studio.systems import entry, methods_of, start_units, system_names, told, words_of

CHANGED = State().with_parameter("D", "-3e-5 kg m^2").with_start("alpha", "1deg").lasting("12.5").by("radau").to("1e-8")


def test_a_state_says_only_what_differs():
    assert State().with_parameter("D", -2e-5).set == {}
    assert CHANGED.set == {"D": -3e-5}
    assert CHANGED.start == {"alpha": math.radians(1.0)}
    assert CHANGED.starts() == {"alpha": math.radians(1.0), "beta": "0.5deg", "omega3": -5.0}
    assert CHANGED.reset() == State()


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda s: s.with_parameter("DD", 1.0), "Did you mean 'D'"),
        (lambda s: s.with_parameter("h", "3 kg"), "measured in m"),
        (lambda s: s.with_parameter("h", "__import__('os')"), "not a number"),
        (lambda s: s.with_parameter("h", "9" * 300), "at most 200"),
        (lambda s: s.with_start("nothing", 1.0), "unknown start"),
        (lambda s: s.lasting("1e9"), "longer than the studio follows"),
        (lambda s: s.lasting("-1"), "above zero"),
        (lambda s: s.lasting("nan"), "not finite"),
        (lambda s: s.by("euler"), "unknown method"),
        (lambda s: s.to("1"), "between"),
        (lambda s: State("tippe_top").by("moreau").to("1e-8"), "no tolerance"),
        (lambda s: State("profile").with_parameter("points", "/etc/passwd"), "unknown parameter"),
        (lambda s: State("wheelset").with_parameter("track", "/etc/passwd"), "unknown parameter"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(change, part):
    with pytest.raises(InputError, match=part):
        change(State())


def test_undo_and_redo():
    history = History(State())
    assert not history.go(State())
    for k in range(3):
        assert history.go(history.now.with_parameter("M", 1.0 + 0.1 * (k + 1)))
    assert [history.undo().value("M") for _ in range(4)] == pytest.approx([1.2, 1.1, 1.0, 1.0])
    assert history.redo().value("M") == 1.1
    assert history.go(State("hoop"))
    assert not history.can_redo
    assert history.undo().value("M") == 1.1
    for k in range(500):
        history.go(State().with_parameter("M", 1.0 + k))
    assert len(history.states) == limits.MOST_UNDONE


def test_an_address_comes_back_bit_for_bit():
    rng = np.random.default_rng(0)
    for name in system_names():
        state = State(name)
        for key in visible(state.model):
            parameter = state.model.parameters[key]
            words = words_of(state.model, key)
            if words:
                state = state.with_parameter(key, str(rng.choice(words)))
            elif not isinstance(parameter.default, str):
                slider = slider_of(name, key, parameter)
                state = state.with_parameter(key, float(rng.uniform(slider.low, slider.high)))
        for key in list(start_units(name))[:5]:
            state = state.with_start(key, float(rng.normal()))
        if len(query_of(state)) <= limits.LONGEST_ADDRESS:
            assert state_of(query_of(state)).key == state.key
    assert state_of(query_of(CHANGED)).key == CHANGED.key
    assert state_of("") == State()


@pytest.mark.parametrize(
    "query",
    [
        "system=x",
        "p.=1",
        "system=hoop&system=hoop",
        "set=1",
        "a&b",
        "%ff=1",
        "p.D=" + "1" * 5000,
        "&".join(f"p.a{k}=1" for k in range(90)),
        "token=x",
    ],
)
def test_an_address_of_somebody_else_is_refused(query):
    with pytest.raises(InputError):
        state_of(query)


@pytest.mark.parametrize(
    "given",
    [
        [],
        {"x": 1},
        {"set": []},
        {"set": {"D": []}},
        {"set": {"D": None}},
        {"start": {1: 2}},
        {"system": ["hoop"]},
        {"method": 5},
        {"until": {}},
        {"rtol": [1]},
    ],
)
def test_a_state_of_the_wrong_kind_is_refused(given):
    with pytest.raises(InputError):
        read_state(given)


def test_every_system_has_sliders_words_methods_and_something_to_read():
    for name in system_names():
        given = entry(name)
        for key in visible(given):
            parameter = given.parameters[key]
            slider = slider_of(name, key, parameter)
            if slider is None:
                assert words_of(given, key) or (name, key) == ("body", "mesh")
                continue
            assert slider.low < slider.high
            assert slider.low <= parameter.default <= slider.high, (name, key)
            assert slider.value(slider.place(parameter.default)) == pytest.approx(parameter.default, abs=slider.step)
            if parameter.low is not None:
                assert slider.low >= parameter.low
            if parameter.high is not None:
                assert slider.high <= parameter.high
        for key in given.start:
            assert key in start_units(name)
        assert methods_of(name)[0] == "auto"
        assert told(name)
        assert "<" in as_html(equations_of(name))
    assert set(EQUATIONS) <= set(system_names())


def test_the_places_of_a_slider():
    slider = slider_of("rattleback", "D", model("rattleback").parameters["D"])
    assert [slider.value(k) for k in (-5, 0, slider.places, 999)] == [slider.low, slider.low, slider.high, slider.high]
    assert slider_of_start("theta", 1.0, "rad").unit == "deg"
    assert slider_of_start("theta", 1.0, "rad").shown(math.pi) == "180"


def run_script(text):
    found = {"print": lambda *words: None}
    exec(compile(text, "script", "exec"), found)
    return found["motion"]


def test_a_script_gives_the_same_motion():
    from rollick.studio.compute import simulated

    state = State().with_parameter("D", -3e-5).with_start("alpha", "1deg").lasting("2")
    motion, _ = simulated(state)
    again = run_script(python_of(state))
    assert again.y[-1].tolist() == motion.y[-1].tolist()
    assert "--set D=-3e-05" in command_of(state)


def test_a_study_file_is_one_that_sweep_reads(tmp_path):
    state = CHANGED.by("auto").with_parameter("M", 2.0)
    axes = [Axis("D", -5e-5, 5e-5, 3), Axis("omega3", -6.0, -4.0, 2)]
    asked = read_map(
        {"state": state.plain(), "x": axis_text(axes[0]), "y": axis_text(axes[1]), "measure": "greatest", "of": "delta"}
    )
    text = study_of(state, axes, keep_of(asked))
    given = tomllib.loads(text)
    assert given["set"] == {"M": 2.0}
    assert given["start"] == {"alpha": math.radians(1.0), "beta": "0.5deg"}
    file = tmp_path / "study.toml"
    file.write_text(text)
    sweep = read_sweep(file)
    assert sweep.options["until"] == 12.5
    assert sweep.options["rtol"] == 1e-8
    with pytest.raises(InputError, match="by name"):
        study_of(State("body"), axes, keep_of(asked))


def axis_text(axis):
    return {"name": axis.name, "low": repr(axis.low), "high": repr(axis.high), "count": str(axis.count)}


def test_a_map_is_checked_and_its_points_are_states():
    state = State()
    assert axis_names(state)["D"] == "kg m^2"
    assert axis_names(state)["omega3"] == "rad/s"
    x, y = usual_axis(state, "omega3", 5), usual_axis(state, "D", 4)
    asked = read_map({"state": {}, "x": axis_text(x), "y": axis_text(y), "measure": "first", "of": "omega3"})
    played = state_at(asked, -10.0, 6e-5)
    assert (played.start["omega3"], played.set["D"]) == (-10.0, 6e-5)
    steady = state_at(asked, -10.0, 6e-5, {"alpha": 0.0, "omega3": -9.0})
    assert steady.start == {"alpha": 1e-3, "omega3": -10.0}
    assert branch_state(state, "D", 1e-5, {"alpha": 0.1}).start["alpha"] == pytest.approx(0.101)
    with pytest.raises(InputError, match="not on this map"):
        state_at(asked, 50.0, 0.0)
    for change, part in (
        ({"measure": "anything"}, "measure"), ({"of": "nothing"}, "quantity"), ({"x": axis_text(y)}, "two different"), ({"x": None}, "axis"),
        ({"x": {**axis_text(x), "count": "1000"}}, "more than"), ({"x": {**axis_text(x), "low": "20"}}, "upwards"), ({"x": {**axis_text(x), "count": "2.5"}}, "count"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=part):
            read_map({"state": {}, "x": axis_text(x), "y": axis_text(y), "measure": "first", "of": "omega3", **change})
    assert measures_of(State("rod")) == {"impacts": []}


def test_pictures_are_plain_data():
    t = np.linspace(0.0, 1.0, 5)
    run = {
        "t": t,
        "values": {"a": t, "b": t * t},
        "units": {"a": "m", "b": ""},
        "plot": ["a"],
        "events": [(0.5, "a")],
        "label": "one",
    }
    picture = curves_picture([{**run, "values": {"a": t}}, {**run, "label": "two"}], ["b", "a"])
    assert [panel["name"] for panel in picture["panels"]] == ["b", "a"]
    assert [(r["label"], r["front"]) for r in picture["runs"]] == [("one", False), ("two", True)]
    assert picture["runs"][0]["values"][0] is None  # that run does not have it
    assert np.frombuffer(base64.b64decode(picture["runs"][1]["values"][0]), "<f8") == pytest.approx(t * t)
    assert [panel["name"] for panel in curves_picture([run])["panels"]] == ["a"]
    assert json.loads(json.dumps(picture)) == picture
    x, y = usual_axis(State(), "omega3", 2), usual_axis(State(), "D", 2)
    asked = read_map({"state": {}, "x": axis_text(x), "y": axis_text(y), "measure": "stability"})
    drawn = map_figure(asked, {"x": x.values(), "y": y.values(), "z": [[1.0, None], [-2.0, 0.0]]}, axis_names(State()))
    assert (drawn["data"][0]["zmin"], drawn["data"][0]["zmax"]) == (-2.0, 2.0)
    branch = {"parameter": "p", "p": [0.0, 1.0, 2.0], "states": {"x": [0.0, 1.0, 2.0]}, "unstable": [0, 1, 1], "specials": []}
    stable, unstable = branch_figure(branch, "x", {})["data"]
    assert (stable["y"], unstable["y"]) == ([0.0, 1.0, None], [None, 1.0, 2.0])
    assert (stable["line"]["dash"], unstable["line"]["dash"]) == ("solid", "dash")


def test_a_body_of_ones_own_is_a_body_file(tmp_path):
    state = State("body").with_parameter("shape", "box").with_parameter("offset_3", "1cm").with_parameter("tilt", "10deg")
    given = tables(state.set)
    a, b, c = 0.08, 0.05, 0.03
    assert given["shape"] == {"kind": "box", "x": 2 * a, "y": 2 * b, "z": 2 * c}
    assert np.allclose(np.diag(given["mass"]["inertia"]), [(b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3])
    assert given["mass"]["centre"] == pytest.approx([0.0, 0.0, 0.01])
    file = tmp_path / "body.toml"
    file.write_text(toml_of(state))
    from rollick.mechanics.bodyfile import read_body

    assert repr(read_body(file).system) == repr(state.model.make(**state.set))
    for name in ("", "../../etc/passwd", "x.stl", "0" * 16 + ".stl"):
        with pytest.raises(InputError, match="upload"):
            mesh_path(name)


def test_bodies_from_meshes_are_of_few_types(tmp_path, monkeypatch):
    # what is compiled depends on the type; feet that are added lie inside and are never the lowest
    monkeypatch.setenv(FOLDER, str(tmp_path))
    corners = np.array([[0, 0, 0], [40, 0, 0], [0, 30, 0], [0, 0, 20]], float)
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    name = "0" * 16 + ".obj"
    (tmp_path / name).write_text(
        "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)
    )
    given = {"shape": "mesh", "mesh": name}
    made = own_body(**given)
    places = np.array(made.feet.places)
    assert len(places) == 8
    assert np.allclose(sorted(places[:4, :3].tolist()), sorted((corners / 1000.0).tolist()), rtol=1e-12, atol=0.0)
    normals = np.random.default_rng(1).normal(size=(200, 3))
    heights = places[:, :3] @ normals.T
    assert np.all(heights[4:].min(axis=0) > heights[:4].min(axis=0))
    box = own_body(shape="box")
    assert types_of(made) == types_of(box)
    assert len(skin_of(given).faces) == 4
    assert skin_of({"shape": "box"}) is None
    with pytest.raises(InputError, match="does not roll"):
        own_body(**given, contact="marble")


def test_a_mesh_rolls_with_a_smooth_fit(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    ball = surface(Sphere(1.0), 24)
    name = "1" * 16 + ".obj"
    vertices = "".join("v {:.9g} {:.9g} {:.9g}\n".format(*p) for p in ball.vertices * (40.0, 30.0, 20.0))
    (tmp_path / name).write_text(vertices + "".join("f {} {} {}\n".format(*f) for f in ball.triangles + 1))
    given = {"shape": "mesh", "mesh": name, "contact": "marble", "mesh_touches": "smooth"}
    assert fitted_part(own_body(**given).body.shape).distance < 2e-3
    assert toml_text(tables(given)["shape"]["smooth"]) == "true"


def types_of(value):
    """The types of a system, all the way down."""
    return (type(value), *map(types_of, value)) if isinstance(value, tuple) else type(value)
