"""What a page shows besides the body's shape, what it tells of the contact, and what is refused before a picture is taken."""

import base64
import json
import math
import re
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from rollick import InputError, Rattleback, simulate
from rollick.archetypes.flowmeter.system import FlowMeter
from rollick.archetypes.lander.lander import Lander
from rollick.archetypes.tops.tippe_top import TippeTop, on_both
from rollick.mechanics.laws.checked import coulomb
from rollick.mechanics.mass.mesh import mesh_mass, open_edges
from rollick.view import page as pages
from rollick.view.contacts import contact_force, friction_of, modes_of
from rollick.view.dress import dress, round_body, stem_of
from rollick.view.frames import energy_of, frames_of
from rollick.view.page import VIEWER, data_of, inline, label, side_by_side, viewer
from rollick.view.solids import along, ball, rounded_box, top_with_stem, wall
from rollick.view.video import checked_size, save_still, save_video, words_of

START = {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}


@pytest.fixture(scope="module")
def motion():
    return simulate(Rattleback(), START, 20.0, dense=True)


def written(text):
    return json.loads(re.search(r'id="motion">(.*?)</script>', text, re.DOTALL)[1])


def test_the_page_of_twenty_seconds_is_small_and_has_the_energy(motion, tmp_path):
    path = motion.save_html(tmp_path / "stone.html")
    assert path.stat().st_size < 2_000_000
    data = written(path.read_text(encoding="utf-8"))
    names = [number["name"] for number in data["numbers"] if number["shown"]]
    assert names == ["gamma", "delta", "omega3", "energy"]
    assert data["numbers"][0]["label"] == "γ"
    values = np.frombuffer(base64.b64decode(data["values"]), "<f8").reshape(data["frames"], -1)
    t = data["t0"] + data["dt"] * np.arange(data["frames"])
    np.testing.assert_allclose(values[:, names.index("energy")], motion.at(t, "energy"), rtol=1e-6)
    assert data["centre"] == pytest.approx(list(frames_of(motion).poses.body.centre))


def test_the_force_from_the_mass_centre_is_that_of_the_equations(motion):
    """The signals of the rattleback follow from Euler's equations at one instant; the page's force from how its mass centre moves."""
    frames = frames_of(motion)
    force = contact_force(motion, frames.t, frames.poses, frames.around)
    inside = slice(2, -2)
    normal, friction = motion.at(frames.t, "normal_force"), motion.at(frames.t, "friction_force")
    weight = 9.81 * frames.poses.body.mass
    np.testing.assert_allclose(force[inside, 2], normal[inside], atol=0.02 * weight)
    np.testing.assert_allclose(np.hypot(force[inside, 0], force[inside, 1]), friction[inside], atol=0.02 * weight)
    assert np.ptp(normal) > 5.0 * weight  # it changes by far more than that


def test_the_energy_from_the_poses_is_that_of_the_system(motion):
    frames = frames_of(motion)
    found = energy_of(motion.system, frames.t, frames.poses, frames.around)
    np.testing.assert_allclose(found[1:-1], motion.at(frames.t, "energy")[1:-1], rtol=1e-3)


def test_modes_follow_from_slip_where_a_motion_tells_it():
    system = on_both(TippeTop(), coulomb(0.3))
    t = np.arange(4.0)
    signals = SimpleNamespace(signals=[SimpleNamespace(name="slip_x"), SimpleNamespace(name="slip_y")])
    slip = np.array([[0.0, 0.0], [0.3, 0.0], [0.0, 0.4], [0.0, 1e-7]])
    poses = SimpleNamespace(modes=None, touch=np.array([0, 1, 1, 1]), footprint=np.full((4, 3), 0.02))
    motion = SimpleNamespace(system=system, provenance={"methods": [["moreau", 0.0]]}, about=signals, signals_at=lambda *_: slip)
    assert modes_of(motion, t, np.zeros((4, 13)), poses)[:, 0].tolist() == [0, 1, 1, 2]
    motion.provenance = {"methods": [["OS", 0.0], ["RS", 2.0]]}
    assert modes_of(motion, t, None, poses).tolist() == [[0, 1], [0, 1], [2, 1], [2, 1]]
    assert friction_of(system) == 0.3
    assert friction_of(FlowMeter()) == 0.1
    assert friction_of(Rattleback()) is None


def luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255.0 for k in (1, 3, 5)]
    r, g, b = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def test_texts_can_be_read_in_light_and_dark():
    """Contrast 4.5 (WCAG AA) of every colour that texts have, on the panels."""
    themes = [
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part))
        for part in pages.asset("viewer.css").split("prefers-color-scheme: dark")[:2]
    ]
    for theme in themes:
        for ink in ("ink", "faint", "slips", "rolls"):
            for paper in ("panel", "strip" if ink in ("ink", "faint") else "panel"):
                light, dark = sorted((luminance(theme[ink]), luminance(theme[paper])), reverse=True)
                assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, paper)


def test_names_are_written_as_symbols():
    told = {
        "gamma": "γ",
        "omega3": "ω₃",
        "friction_demand": "friction demand",
        "q0": "q₀",
        "Psi": "Ψ",
        "energy": "energy",
        "gamma_rate": "γ rate",
    }
    assert {name: label(name) for name in told} == told


def closed(surface):
    triangles = surface.vertices[surface.triangles]
    assert open_edges(triangles.round(9)) == 0
    turn = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 1])
    area = np.linalg.norm(turn, axis=1)
    out = np.sum(turn * surface.normals[surface.triangles].sum(axis=1), axis=1)
    assert np.all(out[area > 1e-6 * area.max()] > 0.0)
    return mesh_mass(triangles, density=1.0)


def test_surfaces_to_look_at_are_closed_and_as_large_as_they_should_be():
    a, b, c, r = 2.0, 1.2, 0.6, 0.1
    steiner = a * b * c + 2 * r * (a * b + b * c + c * a) + math.pi * r**2 * (a + b + c) + 4 / 3 * math.pi * r**3
    assert closed(rounded_box(a / 2, b / 2, c / 2, r, 12)).mass == pytest.approx(steiner, rel=2e-3)
    assert closed(along((1.0, 2.0, 2.0), rounded_box(0.5, 0.3, 0.0, 0.05), (1.0, 0.0, 0.0))).centre == pytest.approx(
        (1.0, 0.0, 0.0)
    )
    top = top_with_stem(0.02, 0.005, 0.017, 48)
    assert top.vertices[:, 2].max() == pytest.approx(0.022)
    assert top.vertices[:, 2].min() == pytest.approx(-0.02)
    assert closed(top).mass > 4 / 3 * math.pi * 0.02**3 * 0.99
    long = closed(top_with_stem(0.02, 0.005, 0.05, 48)).mass  # a ball, a shaft, a smaller ball
    rod = math.pi * 0.0036**2 * (0.05 - 0.005 * math.sqrt(1 - 0.72**2) - 0.02 * math.cos(math.asin(0.18)))
    assert long == pytest.approx(4 / 3 * math.pi * (0.02**3 + 0.005**3) + rod, rel=0.02)
    assert np.linalg.norm(ball(0.3, (1.0, 2.0, 3.0)).vertices - (1.0, 2.0, 3.0), axis=1) == pytest.approx(0.3)
    assert np.hypot(*wall(0.4, 0.0, 1.0).vertices[:, :2].T) == pytest.approx(0.4)


def test_archetypes_wear_what_is_theirs():
    top = on_both(TippeTop(), coulomb(0.3))
    assert stem_of(top) == (0.02, 0.005, 0.017)
    assert round_body(top).vertices[:, 2].max() == pytest.approx(0.022)
    assert stem_of(Rattleback()) is None
    meter = FlowMeter()
    ((vessel, made_of),) = dress(meter, None).pieces
    assert made_of == "glass"
    assert np.hypot(*vessel.vertices[:, :2].T) == pytest.approx(meter.d + meter.r)
    flies = dress(Lander(*[None] * len(Lander._fields)), None)
    assert not flies.floor
    assert flies.sun == (0.0, 0.0, 1.0)


def test_motions_side_by_side(motion, tmp_path):
    short = simulate(Rattleback(), {**START, "omega3": 5.0}, 2.0, dense=True)
    path = side_by_side([motion, short], tmp_path / "two.html", ["one way", "the other"])
    data = written(path.read_text(encoding="utf-8"))
    assert [side["name"] for side in data["sides"]] == ["one way", "the other"]
    assert data["sides"][0] == data_of(motion, "one way")
    for many, titles, said in (([], None, "got 0"), ([motion] * 5, None, "got 5"), ([motion], ["a", "b"], "2 titles")):
        with pytest.raises(InputError, match=said):
            side_by_side(many, tmp_path / "two.html", titles)


def test_the_viewer_is_one_script_that_asks_nobody():
    text = viewer()
    assert len(VIEWER) == len(set(VIEWER)) > 8
    assert text.startswith("(() => {")
    assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|eval\(|innerHTML|import\(", text)
    assert "event.source !== outside" in text


def test_a_notebook_shows_the_page_itself(motion, monkeypatch):
    display = ModuleType("IPython.display")
    display.HTML = lambda text: SimpleNamespace(data=text)
    shell = ModuleType("IPython")
    shell.get_ipython, shell.display = (lambda: SimpleNamespace(kernel=1)), display
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    shown = motion.view("a <stone>")
    assert shown.data.count("<iframe") == 1
    assert 'sandbox="allow-scripts"' in shown.data
    assert "a &lt;stone&gt;" not in shown.data.split("srcdoc")[0]
    assert inline(motion, height=300).data.count("height:300px") == 1
    shell.get_ipython = lambda: None
    assert not pages.in_notebook()


def test_what_cannot_be_filmed_is_refused_first(motion, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"must end in \.mp4 or \.webm or \.gif"):
        motion.save_video(tmp_path / "stone.avi")
    with pytest.raises(InputError, match="no folder"):
        motion.save_still(tmp_path / "nowhere" / "stone.png")
    with pytest.raises(InputError, match="fps"):
        motion.save_video(tmp_path / "stone.gif", fps=0)
    with pytest.raises(InputError, match="from 1 to 60"):
        save_still(motion, tmp_path / "stone.png", poses=0)
    for size in ((10, 10), "wide", (1e6, 100)):
        with pytest.raises(InputError, match="size"):
            checked_size(size)
    assert checked_size((801, 601)) == (800, 600)
    with pytest.raises(InputError, match="can show tracks"):
        words_of(["sky"])
    monkeypatch.setitem(sys.modules, "playwright", None)
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(InputError, match=r"pip install 'rollick\[video\]'"):
        save_video(motion, tmp_path / "stone.gif")
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_shows_files_side_by_side(motion, tmp_path, capsys):
    from rollick.cli.saved import view_files

    files = [tmp_path / "a.nc", tmp_path / "b.nc"]
    for file in files:
        motion.to_netcdf(file)
    view_files(files, tmp_path / "both.html", None, None, None)
    assert capsys.readouterr().out == f"wrote {tmp_path / 'both.html'}\n"
    data = written((tmp_path / "both.html").read_text(encoding="utf-8"))
    assert [side["name"] for side in data["sides"]] == ["a", "b"]
    with pytest.raises(InputError, match="is for one motion"):
        view_files(files, None, None, None, "both")
    with pytest.raises(InputError, match="--video"):
        view_files(files, None, tmp_path / "a.avi", None, None)
