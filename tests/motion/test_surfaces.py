"""Bodies among surfaces: vessels, walls, plates that move, by every method that suits them, judged by textbook formulae.

Compiled these take a while; `test_as_plain_python` runs all of them without the compiler.
"""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from rollick import Body, Ellipsoid, InputError, Plane, Sphere, simulate
from rollick.kernel.compiled import DISABLED
from rollick.mechanics.laws import Coulomb, Regularised, Viscous
from rollick.mechanics.mass.primitives import box, solid_sphere
from rollick.mechanics.sliding import Lowest, sliding
from rollick.mechanics.surfaces import Bowl, Dome, Ramp, Shaken, Swing, Tilting, wall
from rollick.motion.result.outcome import MotionWarning

G, R, r = 9.81, 0.5, 0.1
BALL = Body.from_parts(solid_sphere(1.0, r), Sphere(r))
PERIOD = 2.0 * math.pi * math.sqrt(7.0 * (R - r) / (5.0 * G))  # of a ball that rolls near the bottom of a bowl
AMPLITUDE = 0.01 / (R - r)  # rad
slow = pytest.mark.slow
QUICK = "not ladder and not slides and not long"


@pytest.mark.parametrize("which", [QUICK, pytest.param("", marks=slow)], ids=["quick", "all"])
def test_as_plain_python(which):
    """What is below, without the compiler: everything, or what takes little time so."""
    if DISABLED:
        pytest.skip("this is that run")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-m",
        "slow",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-k",
        which,
        __file__,
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert "failed" not in done.stdout


def half_swings(motion):
    """The times between zeros of x, by linear interpolation."""
    x, t = motion["x"], motion.t
    i = np.flatnonzero(np.diff(np.sign(x)))
    return np.diff(t[i] - x[i] * (t[i + 1] - t[i]) / (x[i + 1] - x[i]))


@slow
@pytest.mark.parametrize(
    ("law", "options", "until", "error", "loss"),
    [
        (Coulomb(0.5), {"method": "event-driven", "at": np.linspace(0.0, 1.2, 301)}, 1.2, 1e-6, 1e-9),
        (Coulomb(0.5), {"method": "event-driven", "at": np.linspace(0.0, 2.0, 2001)}, 2.0, 1e-6, 1e-9),
        (Coulomb(0.5), {"method": "moreau", "dt": 5e-3, "every": 1}, 2.0, 2e-4, 1e-6),
    ],
    ids=["event-driven", "event-driven, long", "moreau"],
)
def test_a_ball_rolls_in_a_bowl(law, options, until, error, loss):
    """T = 2 pi sqrt(7 (R - r)/(5 g)), longer by amplitude^2/16; its energy is kept."""
    m = simulate(sliding(BALL, on=Bowl(R), law=law), {"x": 0.01}, until, **options)
    assert m.complete
    assert len(half_swings(m)) >= 1
    np.testing.assert_allclose(2.0 * half_swings(m), PERIOD * (1.0 + AMPLITUDE**2 / 16.0), rtol=error)
    assert np.ptp(m["energy"]) < loss
    assert np.abs(m["gap"]).max() < 1e-12


@slow
def test_a_ball_slides_in_a_bowl_as_an_ode():
    """Without friction T = 2 pi sqrt((R - r)/g), longer by amplitude^2/16; lasting contact as an ODE."""
    times = np.linspace(0.0, 1.5, 1501)
    m = simulate(sliding(BALL, on=Bowl(R), law=Viscous(0.0)), {"x": 0.01}, 1.5, method="dop853", rtol=1e-8, at=times)
    np.testing.assert_allclose(
        2.0 * half_swings(m), 2.0 * math.pi * math.sqrt((R - r) / G) * (1.0 + AMPLITUDE**2 / 16.0), rtol=1e-6
    )
    assert np.ptp(m["energy"]) < 1e-9
    assert np.abs(m["gap"]).max() < 1e-12


@slow
@pytest.mark.parametrize(("x", "until"), [(0.35, 0.4), (0.02, 2.0)], ids=["short", "long"])
def test_a_ball_leaves_a_dome_where_theory_says(x, until):
    """Without friction at cos(phi) = 2/3."""
    m = simulate(sliding(BALL, on=Dome(R), law=Coulomb(0.0)), {"x": x}, until, method="event-driven")
    (off,) = [e for e in m.events if e.name == "lift_off"][:1]
    start = math.sqrt(1.0 - (x / (R + r)) ** 2)  # cos(phi) at the start; the middle of the dome is at z = -R
    assert (off.state[2] + R) / (R + r) == pytest.approx(2.0 / 3.0 * start, abs=1e-9)


@slow
def test_a_ladder_slides_down_a_wall():
    """Without friction vx = L/2 sin(a) sqrt(3 g (sin(a0) - sin(a))/L) while it leans on the wall, and that is greatest at 2/3 of its first height.

    There it leaves the wall, since nothing pulls it back: its mass centre moves on at sqrt(g L sin^3(a0))/3.
    """
    L, first = 1.0, math.radians(70.0)
    rod = Body.from_inertia(1.0, (L * L / 12.0, L * L / 12.0, 1e-3), Ellipsoid(0.02, 0.02, 0.6))
    among = sliding(rod, on=[Plane(), wall((1, 0, 0))], law=Viscous(0.0), feet=[(0, 0, L / 2), (0, 0, -L / 2)])
    lean = 0.25 * math.pi - 0.5 * first
    start = {"q0": math.cos(lean), "q2": -math.sin(lean), "x": 0.5 * L * math.cos(first), "z": 0.5 * L * math.sin(first)}
    m = simulate(among, {**start, "vx": 0.0, "vy": 0.0, "vz": 0.0}, 0.48, method="moreau", dt=2e-3, every=1)
    sine, last = (m["z"] + 0.5 * L * np.cos(m["theta"])) / L, math.sqrt(G * L * math.sin(first) ** 3) / 3.0
    leaning = 0.5 * L * sine * np.sqrt(np.maximum(3.0 * G / L * (math.sin(first) - sine), 0.0))
    at_wall = sine > 2.0 / 3.0 * math.sin(first)
    error = G * 2e-3  # what a step of free fall can do
    np.testing.assert_allclose(m["vx"], np.where(at_wall, leaning, last), atol=error)
    assert last - leaning[-1] > 3.0 * error  # what it would be if the wall held it
    assert m["x"][-1] - 0.5 * L * np.sin(m["theta"][-1]) > 1e-3


@slow
def test_a_box_slides_to_a_wall_and_back():
    """Two laws and two restitutions: v1^2 = v0^2 - 2 mu g d at the wall, which throws it back at e v1; it stops v2^2/(2 mu g) away."""
    a, h, mu, e, v0, d = 0.1, 0.05, 0.3, 0.5, 2.0, 0.3
    block = Body.from_parts(box(1.0, 2 * a, 2 * a, 2 * h), Ellipsoid(a, a, h))
    floor, end = (Plane(), Coulomb(mu), 0.0), (wall((-1, 0, 0), (a + d, 0, 0)), Viscous(0.0), e)
    among = sliding(block, on=[floor, end], feet=[(a, 0, -h), (-a, 0, -h), (a, 0, h)])
    m = simulate(among, {"vx": v0, "vy": 0.0, "vz": 0.0}, 0.6, method="moreau", dt=2e-3, every=1)
    back = e * math.sqrt(v0**2 - 2.0 * mu * G * d)
    assert m["x"].max() == pytest.approx(d, abs=4e-3)
    assert m["x"][-1] == pytest.approx(d - back**2 / (2.0 * mu * G), abs=6e-3)
    assert abs(m["vx"][-1]) < 1e-9
    assert np.abs(m["theta"]).max() < 5e-3  # the floor's friction during the impact tips it a little


@slow
@pytest.mark.parametrize("until", [0.1, 0.3], ids=["short", "long"])
def test_a_ball_rolls_on_a_plate_shaken_sideways(until):
    """It takes 2/7 of the plate's acceleration."""
    plate = Shaken(Plane(), Swing(0.01, 2.0), (1.0, 0.0, 0.0))
    pace = 4.0 * math.pi
    for options, error in (({"method": "event-driven"}, 1e-9), ({"method": "moreau", "dt": 1e-3}, 1e-12)):
        m = simulate(sliding(BALL, on=plate, law=Coulomb(0.9)), {}, until, **options)
        gained = 0.01 * pace * (np.cos(pace * m.t) - 1.0)
        np.testing.assert_allclose(m["vx"] - m["vx"][0], 2.0 / 7.0 * gained, atol=error)
        assert m["slip"].max() < 1e-9
        assert np.abs(m["gap"]).max() < 1e-12


@slow
@pytest.mark.parametrize("bounces", [4, 10], ids=["short", "long"])
def test_a_ball_bounces_in_step_with_a_shaken_plate(bounces):
    """Period 1: it flies for one period at U = g T/2, so that the plate hits it at V = U (1 - e)/(1 + e)."""
    e, f, lift = 0.8, 5.0, 0.01
    U = 0.5 * G / f
    phase = math.acos(U * (1.0 - e) / (1.0 + e) / (2.0 * math.pi * f * lift))
    plate = Shaken(Plane(), Swing(lift, f, phase), (0.0, 0.0, 1.0))
    among = sliding(BALL, on=plate, law=Coulomb(0.3), restitution=e)
    z = r + lift * math.sin(phase)
    m = simulate(among, {"z": z + 1e-9, "vx": 0.0, "vy": 0.0, "vz": U}, 0.2 * bounces + 0.05, method="event-driven", rtol=1e-10)
    hits = np.array([event.t for event in m.events if event.name == "impact"])
    np.testing.assert_allclose(hits, np.arange(1, bounces + 1) / f, atol=1e-7)


@slow
@pytest.mark.parametrize("until", [0.5, 1.0], ids=["short", "long"])
def test_a_ball_rolls_down_a_plate_that_tilts(until):
    """A plate that turns at the rate w about a line through the ball's first contact: 7/5 s'' = g sin(wt) + w^2 s along the plate.

    In the plate's frame the ball's middle is at (s, r); its acceleration along the plate is s'' - w^2 s, it turns at w + s'/r against space, and
    the couple about the contact gives (s'' - w^2 s) + 2/5 s'' = g sin(wt).
    """
    w = 0.1
    m = simulate(sliding(BALL, on=Tilting(Plane(), Ramp(w)), law=Coulomb(0.5)), {}, until, method="event-driven")
    k = math.sqrt(5.0 / 7.0) * w
    c = 5.0 / 7.0 * G / (w * w + k * k)
    rate = float(m["vx"][0]) - w * r  # along the plate at the start, where the ball does not slip: the contact rests
    s = c * (w / k * math.sinh(k * until) - math.sin(w * until)) + rate / k * math.sinh(k * until)
    along = m["x"][-1] * math.cos(w * until) - m["z"][-1] * math.sin(w * until)
    assert along == pytest.approx(s, rel=1e-7)
    assert np.abs(m["gap"]).max() < 1e-9


@slow
def test_an_ellipsoid_in_a_bowl_is_a_sphere_in_a_bowl_when_it_is_one():
    """Newton's search for the contact of a convex body finds what is known of a sphere; lasting contact ends at another surface."""
    same = Body.from_parts(solid_sphere(1.0, r), Ellipsoid(r, r, r))
    explicit, found = (sliding(b, on=Bowl(R), law=Coulomb(0.5)) for b in (BALL, same))
    assert isinstance(found.feet, Lowest)
    start = {"x": 0.1, "omega1": 1.0}
    ends = [simulate(s, start, 0.05, method="moreau", dt=5e-3).end_state for s in (explicit, found)]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)
    two = sliding(BALL, on=[Plane(), wall((-1, 0, 0), (0.15, 0, 0))], law=Regularised(0.3, 0.1))
    with pytest.warns(MotionWarning, match="Another contact closes"):
        m = simulate(two, {"vx": 1.0, "omega2": 10.0}, 0.2, method="dop853", rtol=1e-6)
    assert m.status == "left_domain"
    assert m["x"][-1] < 0.05 + 1e-6


def test_what_cannot_be_is_refused():
    with pytest.raises(InputError, match="is not a surface"):
        sliding(BALL, on=0.3, law=Coulomb(0.3))
    with pytest.raises(InputError, match="holds no surface"):
        sliding(BALL, on=[], law=Coulomb(0.3))
    with pytest.raises(InputError, match=r"feet = \[\]"):
        sliding(BALL, law=Coulomb(0.3), feet=[])
    with pytest.raises(InputError, match=r"the foot \(0, 0\)"):
        sliding(BALL, law=Coulomb(0.3), feet=[(0, 0)])
    with pytest.raises(InputError, match=r"feet = 3 must be"):
        sliding(BALL, law=Coulomb(0.3), feet=3)
    with pytest.raises(InputError, match="more than one point"):
        sliding(BALL, on=Bowl(0.1), law=Coulomb(0.3))
    with pytest.raises(InputError, match="radius of Bowl = -1"):
        sliding(BALL, on=Bowl(-1), law=Coulomb(0.3))
    with pytest.raises(InputError, match="needs a friction law"):
        sliding(BALL, on=[(Plane(), Coulomb(0.3)), Bowl(1.0)])
    with pytest.raises(InputError, match="say the same"):
        sliding(BALL, law=Coulomb(0.3), e_N=0.2, restitution=0.3)
    with pytest.raises(InputError, match=r"restitution = 1\.2"):
        sliding(BALL, on=[(Plane(), Coulomb(0.3), 1.2)])
    with pytest.raises(InputError, match="does not fit where it starts"):
        simulate(sliding(BALL, on=[Bowl(0.3), Dome(0.3, (0, 0, 0.55))], law=Coulomb(0.3)), {"z": 0.4, "x": 0.01}, 0.1)
