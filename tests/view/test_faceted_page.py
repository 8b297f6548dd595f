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


def test_the_page_of_a_plate(tmp_path):
    c = collide(regular(4, 0.25), 0.3, {"h": 0.5, "omega_x": 0.2, "omega_y": 0.1, "phi_x": 0.1}, g=9.81, most=300)
    path = c.save_html(tmp_path / "plate.html", "a plate")
    data = json.loads(re.search(r'<script[^>]*id="motion"[^>]*>(.*?)</script>', path.read_text(), re.S)[1])
    assert data["name"] == "a plate"
    assert data["frames"] == 2400
    assert [e["name"].split(" at ")[0] for e in data["events"]][:3] == [f"point {i}" for i in c.point[:3]]
    with pytest.raises(InputError, match="html"):
        c.save_html(tmp_path / "plate.txt")


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
