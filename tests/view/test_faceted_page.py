"""Pages of bodies with flat faces."""

import json
import re

import numpy as np
import pytest

from rollick import InputError
from rollick.archetypes.lander.poses import philae_shape
from rollick.mechanics.facets import prism
from rollick.mechanics.mass.mesh import open_edges
from rollick.mechanics.plate import regular
from rollick.mechanics.shapes.triangles import surface
from rollick.motion.impacts.collide import collide
from rollick.view.collisions import heights
from rollick.view.faceted_page import marked


def test_the_page_of_a_plate(tmp_path):
    c = collide(regular(4, 0.25), 0.3, {"h": 0.5, "omega_x": 0.2, "omega_y": 0.1, "phi_x": 0.1}, g=9.81, max_impacts=300)
    path = c.save_html(tmp_path / "plate.html", "a plate")
    data = json.loads(re.search(r'<script[^>]*id="motion"[^>]*>(.*?)</script>', path.read_text(), re.S)[1])
    assert data["name"] == "a plate"
    assert data["frames"] == 2400
    assert [e["name"].split(" at ")[0] for e in data["events"]][:3] == [f"point {i}" for i in c.point[marked(len(c))[:3]]]
    with pytest.raises(InputError, match="html"):
        c.save_html(tmp_path / "plate.txt")


def test_page_and_plot_go_on_to_the_end(tmp_path):
    """However many impacts there are; and the curves pass through the recorded states."""
    c = collide(regular(25, 0.5), 0.5, [0.005, 0.0998, 0.1, -0.63, 0.09, -0.04], g=1.0, max_impacts=1500)
    assert len(c) > 1000
    times, h = heights(c)
    assert times[-1] == pytest.approx(c.end_time, rel=1e-12)
    assert times[0] == 0.0
    assert np.all(np.diff(times) > 0.0)
    assert h.min() > -1e-9
    lasting = {x.impacts for x in c.happenings}
    free = [k for k in range(1, 300) if k not in lasting and c.flight[k] > 1e-6]
    middle = c.t[free] - 0.5 * c.flight[free]
    places = c.at(np.concatenate([c.t[free], middle]))[:, :3]
    assert np.allclose(places[: len(free)], c.q[free], atol=1e-9)
    before = np.array(free) - 1
    half = 0.5 * c.flight[free][:, None]
    there = c.q[before] + c.p_after[before] * half - np.array([0.0, 0.0, 0.5]) * half**2
    assert np.allclose(places[len(free) :], there, atol=1e-9)
    data = json.loads(
        re.search(r'<script[^>]*id="motion"[^>]*>(.*?)</script>', c.save_html(tmp_path / "disk.html").read_text(), re.S)[1]
    )
    assert len(data["events"]) == 200
    assert max(e["t"] for e in data["events"]) == pytest.approx(c.t[-1], rel=1e-6)


@pytest.mark.parametrize(
    "shape", [prism([(1, 0), (0, 1), (-1, -1)], 0.0, 0.1), prism([(1, 0), (-1, 0)], -0.1, 0.1), philae_shape()]
)
def test_meshes_are_closed_and_look_outward(shape):
    mesh = surface(shape)
    triangles = mesh.vertices[mesh.triangles]
    assert open_edges(triangles.round(9)) == 0
    turn = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 1])
    assert np.all(np.sum(turn * mesh.normals[mesh.triangles[:, 0]], axis=1) > 0.0)


def test_pages_of_drops(tmp_path):
    from rollick.archetypes.dropped_device import device, drop

    found = drop(device(1 / 3, 1 / 3, 0.0, 1.0, 10.0), 0.7, report=False)
    path = found.save_html(tmp_path / "rod.html")
    data = json.loads(re.search(r'<script[^>]*id="motion"[^>]*>(.*?)</script>', path.read_text(), re.S)[1])
    assert len(data["events"]) == len(found.impact_log)
    assert data["numbers"][0]["name"] == "phi"
