"""The page "Adding": its snippets are written to files of their own, and used, as plain Python; the integrator compiled, too."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "adding.md"
MECHANICS = """
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

METHOD = """
import math
import numpy as np
from rollick import Event, InputError, simulate
from rollick.motion.methods import METHODS
from bead import Bead
from rk4 import RK4

def refused(make, words):
    try:
        make()
    except InputError as error:
        assert words in str(error), error
    else:
        raise AssertionError(words)

assert METHODS["rk4"] is RK4
bead, start = Bead(), {"phi": "5deg"}
exact = simulate(bead, start, until=0.5, method="dop853", rtol=1e-12, dense=True)

# name and object, order 4, and the option that is its own
steps = [simulate(bead, start, until=0.5, method="rk4", dt=dt) for dt in ("20ms", 0.01)]
errors = [abs(m.end_state - exact.end_state).max() for m in steps]
assert 10.0 < errors[0] / errors[1] < 25.0, errors
assert np.array_equal(simulate(bead, start, until=0.5, method=RK4(dt=0.01)).y, steps[1].y)
assert len(steps[1]) == 51 and steps[1].provenance["steps"] == 50 and steps[1].t[-1] == 0.5
refused(lambda: simulate(bead, start, until=0.5, method="rk4", rtol=1e-6), "rtol is no option of method 'rk4': it has dt.")
refused(lambda: simulate(bead, start, until=0.5, method="rk4", dt=0.0), "dt = 0.0")

# output at chosen times and anywhere: the cubic is of order 4 inside a step
times = [0.0, 0.123, 0.3, 0.5]
fine = simulate(bead, start, until=0.5, method="rk4", dt=2e-3, at=times, dense=True)
assert abs(fine.y - exact.at(times)).max() < 2e-6
assert abs(fine.at(0.2345) - exact.at(0.2345)).max() < 2e-6 and np.array_equal(fine.at(0.3), fine.y[2])

# events, the last of them terminal
watched = [Event("phi", level=0.5), Event("omega", "falling", terminal=True)]
found = simulate(bead, start, until=2.0, method="rk4", dt=2e-3, events=watched)
judge = simulate(bead, start, until=2.0, method="dop853", rtol=1e-12, events=watched)
assert found.status == "event" and [e.name for e in found.events] == [e.name for e in judge.events] == ["phi", "omega"]
assert max(abs(a.t - b.t) for a, b in zip(found.events, judge.events)) < 1e-6

# since, going on, backward, limits, integrals, derivatives, verify
first = simulate(bead, start, since=1.0, until=1.2, method="rk4", dt=2e-3)
second = simulate(bead, first, until=1.5, method="rk4", dt=2e-3)
assert second.t[0] == 1.2 and abs(second.end_state - exact.end_state).max() < 2e-6
back = simulate(bead, second, until=1.0, method="rk4", dt=2e-3)
assert abs(back.end_state - first.y[0]).max() < 2e-6
damped = simulate(Bead(damping=1.0), start, until=0.5, method="rk4", dt=2e-3)
balance = damped["jacobi"] + damped["dissipated"]
assert damped["dissipated"][-1] > 1e-4 and abs(balance - balance[0]).max() < 1e-8
moved = simulate(bead, start, until=0.5, method="rk4", dt=2e-3, variational=True)
assert abs(np.linalg.det(moved.transition[-1]) - 1.0) < 1e-6  # no damping: areas are kept
trust = simulate(bead, start, until=0.5, method="rk4", dt=2e-3, verify=True).trust
assert trust.worst > 5.0 and "dt 0.001 s" in trust.checks[0].text
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    short = simulate(bead, start, until=0.5, method="rk4", dt=2e-3, max_steps=10)
assert short.status == "max_steps" and "a larger dt" in short.message and abs(short.end_time - 0.02) < 1e-15
refused(lambda: simulate(Bead(radius=-1.0), start, until=1.0), "radius = -1.0")
print("done")
"""

MODEL = """
import contextlib, io, sys
from rollick.archetypes import models
models._HOMES["bead"] = "bead_model:MODEL"  # the line; the file lies here, not in the package
from rollick.cli.main import main

def rollick(*words):
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["rollick", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
    return code, out.getvalue(), err.getvalue()

code, out, err = rollick("models")
assert code == 0 and "a bead on a hoop that turns" in out, (out, err)
code, out, err = rollick("show", "bead")
assert code == 0 and "radius" in out and "Huygens" in out, (out, err)
code, out, err = rollick("simulate", "bead", "--set", "radius=20cm", "--until", "0.5")
assert code == 0 and "motion of  bead" in out and "finished" in out, (out, err)
code, out, err = rollick("simulate", "bed")
assert code == 2 and "Did you mean 'bead'?" in err, (out, err)
from rollick.cli.known_models import complete_model
assert complete_model("bea") == [("bead", "a bead on a hoop that turns about its vertical diameter")]
print("done")
"""

STUDY = """
from pathlib import Path
import rollick.studies
rollick.studies.__path__.append(str(Path("studies").absolute()))  # as if the folder lay there
import sys
from rollick.cli.main import main
from rollick.studies.catalogue import study, study_names

assert "falling" in study_names()
rows = list(study("falling").rows())
assert [(row.id, row.verdict) for row in rows] == [("H1", "reproduced"), ("H2", "reproduced")], rows
assert abs(rows[0].computed - 181.15) < 0.01 and rows[0].tolerance == 0.5
sys.argv = ["rollick", "reproduce", "falling", "--only", "H1"]
try:
    main()
except SystemExit as ended:
    assert ended.code in (0, None), ended.code
print("done")
"""


def run(tmp_path, use, plain=True):
    """Write the page's files, and run a script beside them; `plain`: without the compiler."""
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S):
        name = re.match(r"# ([\w/]+\.py)\n", block)
        assert name, f"a snippet without the name of its file: {block[:60]}"
        file = tmp_path / name[1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block, encoding="utf-8")
    (tmp_path / "use.py").write_text(use, encoding="utf-8")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"} if plain else dict(os.environ)
    done = subprocess.run(
        [sys.executable, "use.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "done" in done.stdout
    return done.stdout


def test_a_law_a_shape_a_surface(tmp_path):
    run(tmp_path, MECHANICS)


def test_an_integrator_and_a_system(tmp_path):
    run(tmp_path, METHOD)


@pytest.mark.slow
def test_an_integrator_and_a_system_compiled(tmp_path):
    run(tmp_path, METHOD, plain=False)


def test_a_model_is_a_file_and_a_line(tmp_path):
    run(tmp_path, MODEL)


def test_a_study(tmp_path):
    assert "H1" in run(tmp_path, STUDY)


def test_the_page_has_each_of_them():
    titles = re.findall(r"^## (.*)", PAGE.read_text(encoding="utf-8"), re.M)
    assert titles == ["A law", "A shape", "A surface", "An integrator", "A system", "A study"]
