"""The page that shows a motion: the poses it is made of, what it contains, and what is refused."""

import base64
import json
import math
import re
from typing import NamedTuple

import numpy as np
import pytest

import rollick.archetypes.rattleback.poses
import rollick.archetypes.rubber.poses  # noqa: F401
from rollick import InputError, Motion, Rattleback, simulate
from rollick.archetypes.rattleback import quaternion_form
from rollick.archetypes.rattleback.quaternion_form import attitude
from rollick.archetypes.rubber.body import full, rubber_body
from rollick.kernel.quaternion import quaternion_product
from rollick.kernel.system import describe
from rollick.mechanics.body import Body
from rollick.mechanics.poses import matrices, poses
from rollick.mechanics.rolling import Marble
from rollick.mechanics.shapes.convex import Ellipsoid, Rim, Sphere, Torus
from rollick.mechanics.shapes.triangles import Half, Ring, surface
from rollick.motion.result.outcome import Outcome
from rollick.view.frames import frames_of
from rollick.view.page import asset

START = {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}


@pytest.fixture(scope="module")
def motion():
    return simulate(Rattleback(), START, 2.0, dense=True, events=["gamma_rate"])


@pytest.fixture(scope="module")
def text(motion, tmp_path_factory):
    path = motion.save_html(tmp_path_factory.mktemp("page") / "stone.html")
    return path.read_text(encoding="utf-8")


def data_of(text):
    return json.loads(re.search(r'id="motion">(.*?)</script>', text, re.DOTALL)[1])


def unpacked(data, name, width, kind="<f4"):
    return np.frombuffer(base64.b64decode(data[name]), kind).reshape(-1, width)


def resting_motion(system, t, y, about):
    """A motion that nobody has integrated."""
    made = {"system": type(system).__name__, "type": "nowhere:Nothing", "since": t[0]}
    return Motion(system, about, t, y, None, [], Outcome("finished", ""), made, (t[-1], y[-1], None))


def test_every_frame_touches_the_plane_and_nothing_is_below_it(motion):
    frames = frames_of(motion)
    p = frames.poses
    assert isinstance(p.visible, Half)
    mesh = surface(p.visible)
    assert np.all(p.contact[:, 2] == 0.0)
    r = matrices(p.attitude)
    origin = p.centre - np.einsum("nij,j->ni", r, p.body.centre)
    there = origin + np.einsum("nij,nj->ni", r, p.footprint)
    np.testing.assert_allclose(there, p.contact, atol=1e-15)
    for k in range(0, len(frames.t), 40):
        assert np.linalg.norm(mesh.vertices - p.footprint[k], axis=1).min() < 0.006  # the stone is 40 cm long
        height = (mesh.vertices @ r[k].T + origin[k])[:, 2].min()
        assert -1e-12 < height < 1e-4
    np.testing.assert_allclose(p.centre[:, 2], motion.at(frames.t, "height"), atol=1e-12)
    np.testing.assert_allclose(p.contact[:, 1], -motion.at(frames.t, "y"), atol=1e-15)
    assert [name for name, _ in frames.numbers][: frames.shown] == ["gamma", "delta", "omega3", "energy"]
    np.testing.assert_allclose(frames.values[:, 1], np.degrees(motion.at(frames.t, "delta")))


def test_without_dense_output_the_frames_are_the_same(motion):
    bare = Motion(
        *(motion.system, motion.about, motion.t, motion.y, motion.q, [], motion.outcome, motion.provenance),
        (motion.end_time, motion.end_state, motion.end_integrals),
    )
    exact, again = frames_of(motion), frames_of(bare)
    np.testing.assert_allclose(again.t, exact.t)
    np.testing.assert_allclose(again.poses.attitude, exact.poses.attitude, atol=1e-11)
    np.testing.assert_allclose(again.poses.contact, exact.poses.contact, atol=1e-11)
    np.testing.assert_allclose(again.values, exact.values, atol=1e-9)
    few = simulate(Rattleback(), START, 2.0, at=np.linspace(0.0, 2.0, 9))
    coarse = frames_of(few)
    assert len(coarse.t) > 0.5 * len(exact.t)  # nine instants do not tell how fast the stone rocks, frames do
    np.testing.assert_allclose(coarse.poses.centre[:, 2], motion.at(coarse.t, "height"), atol=1e-11)


def test_where_a_motion_is_not_known_its_signals_stay_between_their_values(motion):
    """A motion of a method that nobody knows here, as in a file of another version."""
    made = {**motion.provenance, "method": "of another version"}
    end = (motion.end_time, motion.end_state, motion.end_integrals)
    lost = Motion(motion.system, motion.about, motion.t, motion.y, motion.q, [], motion.outcome, made, end)
    with pytest.warns(UserWarning, match="not known between its .*dense=True"):
        frames = frames_of(lost)
    exact = frames_of(motion)
    np.testing.assert_allclose(frames.poses.attitude, exact.poses.attitude, atol=2e-5)
    np.testing.assert_allclose(frames.poses.contact, exact.poses.contact, atol=2e-5)
    shown = frames.values[:, [name for name, _ in frames.numbers].index("energy")]
    assert np.ptp(shown) <= np.ptp(motion["energy"])
    lost.q, lost._known = None, None  # the track is then found from the attitudes
    with pytest.warns(UserWarning, match="a guess"):
        np.testing.assert_allclose(frames_of(lost).poses.contact, exact.poses.contact, atol=1e-3)
    off = Motion(motion.system, motion.about, motion.t, motion.y + 1e-4, None, [], motion.outcome, motion.provenance, end)
    with pytest.warns(UserWarning, match="gives another one"):  # a repetition that is another motion is not shown in its place
        frames_of(off)


def test_poses_of_other_formulations_agree():
    t = np.linspace(0.0, 1.0, 40)
    turn = np.stack([0.3 * np.sin(5 * t), 0.1 * np.cos(7 * t), 3 * t], axis=1)
    stone = Rattleback()
    q = np.array([attitude(*row) for row in turn])
    angles = poses(stone, t, np.hstack([turn, 0 * turn]), np.zeros((40, 3)))
    quaternions = poses(quaternion_form(stone), t, np.hstack([q, 0 * turn]), None)
    body = angles.body
    up = np.array([quaternion_product((0.0, 1.0, 0.0, 0.0), tuple(row)) for row in q])
    general = poses(Marble(body, (0.0, 0.0, -9.81), 0.0), t, np.hstack([up, 0 * turn]), np.zeros((40, 4)))
    for other in (quaternions, general):
        np.testing.assert_allclose(np.abs(np.einsum("ij,ij->i", other.attitude, angles.attitude)), 1.0)
        np.testing.assert_allclose(other.footprint, angles.footprint, atol=1e-12)
        np.testing.assert_allclose(other.centre[:, 2], angles.centre[:, 2], atol=1e-12)


def test_reduced_rubber_body_and_hoop():
    torus = rubber_body(Torus(1.0, 0.25), 1.0, 0.6, 1.1)
    theta, psi, phi = 0.7, 0.4, 1.1
    found = poses(torus, np.zeros(1), np.array([[theta, 0.0, 0.0, psi, phi, 3.0, 4.0]]), None)
    r = matrices(found.attitude)[0]
    axis = (math.sin(theta) * math.sin(phi), -math.sin(theta) * math.cos(phi), math.cos(theta))
    np.testing.assert_allclose(r[:, 2], axis, atol=1e-15)
    np.testing.assert_allclose(
        r[2], (math.sin(theta) * math.sin(psi), math.sin(theta) * math.cos(psi), math.cos(theta)), atol=1e-15
    )
    np.testing.assert_allclose(found.contact, [[3.0, 4.0, 0.0]])
    assert found.centre[0, 2] == pytest.approx(0.25 + math.sin(theta))
    level = np.array([[1.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
    assert isinstance(poses(rubber_body(Rim(1.0), 1.0, 0.5, 1.0), np.zeros(1), level, None).visible, Ring)
    assert isinstance(poses(rubber_body(Rim(1.0), 1.0, 0.25, 0.5), np.zeros(1), level, None).visible, Rim)
    assert poses(full(torus), np.zeros(1), np.ones((1, 7)), np.zeros((1, 4))).up == (0.0, 0.0, 1.0)


def test_the_track_of_a_ball_without_integrals():
    ball = Body.from_inertia(1.0, (0.4, 0.4, 0.4), Sphere(1.0))
    tilted = Marble(ball, (0.6, 0.0, -0.8), 0.0)
    for sense in (1.0, -1.0):  # forward and backward in time
        t = sense * np.linspace(0.0, 2.0, 201)
        y = np.zeros((201, 7))
        y[:, 0], y[:, 2] = np.cos(1.5 * t), np.sin(1.5 * t)  # 3 rad/s about y: rolls along x
        found = poses(tilted, t, y, None)
        np.testing.assert_allclose(found.contact[:, 0], 3.0 * t, atol=1e-6)
        np.testing.assert_allclose(found.contact[:, 1], 0.0, atol=1e-12)
    np.testing.assert_allclose(found.up, (-0.6, 0.0, 0.8))
    with pytest.raises(InputError, match="integrals=True"):
        poses(tilted, t[:2], y[:2], None)


def test_the_page_is_whole_and_needs_no_network(text, motion):
    assert not re.search(r"""(src|href)\s*=\s*["']?\s*(https?:)?//""", text)
    assert not re.search(r"<(link|img|iframe)\b|@import|\burl\(", text.replace(asset("three_parts.min.js").strip(), ""))
    assert "default-src 'none'" in text
    assert "{{" not in re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert text.count("<script") == text.count("</script>") == 3
    assert len(text) < 2_000_000
    data = data_of(text)
    n = data["frames"]
    assert data["dt"] * (n - 1) == pytest.approx(2.0)
    assert data["name"] == "Rattleback (ellipsoid)"
    assert len(data["events"]) == len(motion.events)
    for name, width in (("attitude", 4), ("contact", 3), ("footprint", 3)):
        assert len(unpacked(data, name, width)) == n
    assert len(unpacked(data, "values", len(data["numbers"]), "<f8")) == n
    vertices = unpacked(data, "vertices", 3)
    assert unpacked(data, "triangles", 3, "<u4").max() == len(vertices) - 1
    np.testing.assert_allclose(np.linalg.norm(unpacked(data, "attitude", 4), axis=1), 1.0, atol=1e-6)


def test_titles_are_text(motion, tmp_path):
    path = motion.save_html(tmp_path / "a.html", "</script><b>&")
    text = path.read_text(encoding="utf-8")
    assert "<b>" not in text
    assert data_of(text)["name"] == "</script><b>&"


def test_view_opens_the_browser(motion, monkeypatch):
    seen = []
    monkeypatch.setattr("webbrowser.open", lambda address: seen.append(address) or True)
    path = motion.view()
    assert path.is_file()
    assert seen == [path.as_uri()]
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    with pytest.warns(UserWarning, match="no browser"):
        motion.view()


class Pendulum(NamedTuple):
    length: float


def test_what_cannot_be_drawn_is_refused(motion, tmp_path):
    about = describe(Pendulum, {"angle": "rad", "rate": "rad/s"})
    swing = resting_motion(Pendulum(1.0), np.linspace(0.0, 1.0, 5), np.zeros((5, 2)), about)
    with pytest.raises(InputError, match=r"Pendulum .*known are: .*Marble.*register\(Pendulum\)"):
        swing.save_html(tmp_path / "swing.html")
    swing.system = None
    with pytest.raises(InputError, match="import nowhere before"):
        swing.save_html(tmp_path / "swing.html")
    short = resting_motion(motion.system, motion.t[:1], motion.y[:1], motion.about)
    with pytest.raises(InputError, match="1 instants, too few"):
        short.save_html(tmp_path / "short.html")
    with pytest.raises(InputError, match=r"\.html or \.htm"):
        motion.save_html(tmp_path / "stone.txt")
    with pytest.raises(InputError, match="does not exist"):
        motion.save_html(tmp_path / "nowhere" / "stone.html")
    assert not list(tmp_path.iterdir())


def test_the_command_line_writes_a_page(tmp_path, capsys):
    from rollick.cli.simulate import simulate_model

    texts = {"set_": [], "start": [], "until": "0.5", "at": "0,0.5", "events": [], "show": None}
    with pytest.raises(InputError, match=r"--view .*\.html"):
        simulate_model("rattleback", texts, {}, None, None, tmp_path / "stone.png")
    assert simulate_model("rattleback", texts, {}, None, None, tmp_path / "stone.html") == 0
    assert "stone.html" in capsys.readouterr().out
    data = data_of((tmp_path / "stone.html").read_text(encoding="utf-8"))
    assert data["name"] == "rattleback"
    assert data["frames"] > 100


def test_a_whole_ellipsoid_is_drawn_when_the_stone_tips_over():
    t = np.linspace(0.0, 1.0, 30)
    y = np.zeros((30, 6))
    y[:, 0] = 3.0 * t
    assert isinstance(poses(Rattleback(), t, y, np.zeros((30, 3))).visible, Ellipsoid)
