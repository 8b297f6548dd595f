"""The page "Adding": its snippets for a law, a shape and a surface are written to files of their own, and used."""

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "adding.md"
USE = """
import math
import numpy as np
from rollick import Body, InputError, Sphere, rolling, simulate
from rollick.mechanics.laws import dissipation, friction
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.shapes.curvature import principal_radii
from rollick.mechanics.shapes.meridian import is_of_revolution, meridian
from rollick.mechanics.shapes.triangles import surface
from rollick.mechanics.sliding import sliding
from rollick.mechanics.surfaces import Shaken, Swing, normal
from basin import Basin
from power_law import PowerLaw
from spindle import Spindle

def refused(make, words):
    try:
        make()
    except InputError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)

ball = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))

# the law: time stepping, and lasting contact as an ODE, agree; what it takes is never negative
assert math.isclose(dissipation(friction(PowerLaw(0.3, 1.0, 0.5)), 0.25, 0.0, 0.0, 10.0), 3.0 * 0.5 * 0.25)
system = sliding(ball, law=PowerLaw(0.3, 1.0, 1.0))
ode = simulate(system, {"vx": 1.0, "omega2": 0.0}, 0.2, rtol=1e-8, method="dop853")
slip = math.exp(-3.5 * 0.3 * 9.81 * 0.2)  # p = 1: the slip decays at 7/2 mu g/v0
assert abs(ode["slip"][-1] - slip) < 1e-7, ode["slip"][-1] - slip
steps = simulate(system, {"vx": 1.0, "omega2": 0.0}, 0.2, method="moreau", dt=2e-3)
assert abs(steps["slip"][-1] - slip) < 5e-3
refused(lambda: sliding(ball, law=PowerLaw(-0.3, 1.0, 0.5)), "mu = -0.3")
refused(lambda: simulate(system._replace(law=system.law._replace(sliding=PowerLaw(0.3, 0.0, 1.0))), {}, 0.1), "v0 = 0.0")

# the shape: width, radii, meridian, mesh, rolling
shape = Spindle(0.1, 0.02)
assert is_of_revolution(shape)
z, dz, ddz = meridian(shape, 0.7)
assert math.isclose(z, 0.1 + 0.02 * math.cos(0.7) ** 2) and math.isclose(dz, -0.02 * math.sin(1.4), rel_tol=1e-12)
assert math.isclose(ddz, -0.04 * math.cos(1.4), rel_tol=1e-9)
assert math.isclose(principal_radii(shape, (1.0, 0.0, 0.0)).r2, 0.14) or math.isclose(principal_radii(shape, (1.0, 0.0, 0.0)).r1, 0.1)
assert len(surface(shape, 16).vertices) > 50
body = Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), shape)
m = simulate(rolling(body, how="marble"), {"theta": 0.3, "omega3": 5.0}, 0.2, rtol=1e-8)
assert abs(m["energy"][-1] - m["energy"][0]) < 1e-7
refused(lambda: Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Spindle(0.1, 0.08)), "not convex")

# the surface: it is a bowl in one direction and goes round in the other; rolling down it keeps the energy
n = normal(Basin(1.0, 0.3), 0.0, (1.2, 0.0, 0.1))
assert abs(n[0] + 0.2 / math.hypot(0.2, 0.2)) < 1e-14 and abs(n[2] - 0.2 / math.hypot(0.2, 0.2)) < 1e-14
from rollick.mechanics.laws import Coulomb
ring = sliding(ball, on=Basin(1.0, 0.3), law=Coulomb(0.8))
m = simulate(ring, {"x": 1.01, "y": 0.0}, 0.6, method="event-driven", at=np.linspace(0.0, 0.6, 601))
i = np.flatnonzero(np.diff(np.sign(m["x"] - 1.0)))
quarter = 0.5 * math.pi * math.sqrt(7 * 0.2 / (5 * 9.81))
assert abs(m.t[i[0]] - quarter) < 0.02 * quarter, m.t[i]
assert abs(m["energy"][-1] - m["energy"][0]) < 1e-8 and np.abs(m["gap"]).max() < 1e-12
shaken = sliding(ball, on=Shaken(Basin(1.0, 0.3), Swing(0.001, 3.0)), law=Coulomb(0.8))
assert simulate(shaken, {"x": 1.01}, 0.05, method="moreau", dt=5e-3).complete
print("done")
"""


def test_the_page_on_adding(tmp_path):
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S):
        name = re.match(r"# (\w+)\.py\n", block)
        if name:
            (tmp_path / f"{name[1]}.py").write_text(block)
    (tmp_path / "use.py").write_text(USE)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "use.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "done" in done.stdout
