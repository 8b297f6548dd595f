"""A body that rolls: how it starts, what it may not do, where its equations end; and its motion against textbooks."""

import math
import warnings

import numpy as np
import pytest

from rollick import InputError, Motion, simulate
from rollick.kernel.quaternion import quaternion_matrix
from rollick.mechanics.body import Body
from rollick.mechanics.euler import from_zxy, from_zxz, zxz_from
from rollick.mechanics.mass.primitives import solid_ellipsoid, solid_sphere, solid_torus
from rollick.mechanics.rolling import rolling, turns
from rollick.mechanics.shapes.convex import Ellipsoid, Rim, Sphere, Sum, Superellipsoid, Torus, support, turned
from rollick.mechanics.shapes.curvature import principal_radii
from rollick.mechanics.surfaces.plane import Plane
from rollick.motion.result.outcome import MotionWarning, StartAdjusted

TORUS = Body.from_parts(solid_torus(1.0, 1.0, 0.25), Torus(1.0, 0.25))
RUBBER = rolling(TORUS, how="rubber", g=1.0)
BALL = Body.from_parts(solid_sphere(2.0, 0.1), Sphere(0.1))


def z(a):
    return np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])


def x(a):
    return np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])


def y(a):
    return np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])


def test_attitudes_from_angles():
    np.testing.assert_allclose(quaternion_matrix(from_zxz(0.3, 1.1, -2.0)), z(0.3) @ x(1.1) @ z(-2.0), atol=1e-15)
    np.testing.assert_allclose(quaternion_matrix(from_zxy(0.3, 0.4, -0.5)), z(0.3) @ x(0.4) @ y(-0.5), atol=1e-15)
    turning = np.linspace(0.0, 20.0, 400)
    q = np.array([from_zxz(0.3 - 0.7 * t, 1.1 + 0.3 * math.sin(t), 2.0 * t) for t in turning])
    q[200:] *= -1.0  # the same attitudes
    phi, theta, psi = zxz_from(q)
    np.testing.assert_allclose(theta, 1.1 + 0.3 * np.sin(turning), atol=1e-14)
    for found, expected in ((phi, 0.3 - 0.7 * turning), (psi, 2.0 * turning)):
        np.testing.assert_allclose(np.exp(1j * found), np.exp(1j * expected), atol=1e-13)


def test_starts_in_angles_and_quaternions_agree():
    first = simulate(RUBBER, {"theta": "40deg", "phi": 0.2, "psi": 0.7, "theta_rate": 0.1, "psi_rate": 0.9}, 1.0, at=[1.0])
    made = first.provenance["start"]
    again = simulate(RUBBER, made, 1.0, at=[1.0])
    np.testing.assert_allclose(again.y, first.y, atol=1e-14)
    w = [made[f"omega{k}"] for k in (1, 2, 3)]
    q = [made[f"q{k}"] for k in range(4)]
    assert np.dot(quaternion_matrix(tuple(q))[2], w) == pytest.approx(0.0, abs=1e-15)
    space = np.array(quaternion_matrix(tuple(q))) @ w  # omega = theta' e_N + psi' e3 + phi' e_z
    e3 = np.array(quaternion_matrix(tuple(q)))[:, 2]
    expected = 0.1 * np.array([math.cos(0.2), math.sin(0.2), 0.0]) + 0.9 * e3 + [0, 0, -0.9 * e3[2]]
    np.testing.assert_allclose(space, expected, atol=1e-15)


def test_twist_is_taken_out_and_said():
    with pytest.warns(StartAdjusted, match=r"about the normal, 1\.0598 rad/s, was taken out"):
        m = simulate(RUBBER, {"theta": 0.3, "psi_rate": 0.9, "phi_rate": 0.2}, 0.1, at=[0.1])
    assert "taken out" in m.summary()
    calm = simulate(RUBBER, {"theta": 0.3, "psi_rate": 0.9}, 0.1, at=[0.1])
    np.testing.assert_allclose(m.y, calm.y, atol=1e-14)  # theta' and psi' are kept: only phi' changed
    with pytest.warns(StartAdjusted, match="of length 2, was made a unit one"):
        simulate(RUBBER, [2.0 * v for v in from_zxz(0.0, 0.3, 0.0)] + [0.0, 0.0, 0.0], 0.1, at=[0.1])
    with warnings.catch_warnings():
        warnings.simplefilter("error", StartAdjusted)
        simulate(RUBBER, m.end_state, 0.1, at=[0.1])


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"theta": 0.0, "psi_rate": 1.0}, "lies flat and touches along a circle of radius 1 m; tilt it"),
        ({"theta": math.pi}, "lies flat"),
        ({"theta": 0.1, "alpha": 0.1}, "mixes two ways of stating an attitude"),
        ({"theta": 0.1, "psi_rate": 1.0, "omega1": 1.0}, "states the angular velocity twice"),
        ({"thetta": 0.1}, "Did you mean 'theta'"),
        ([0.0] * 7, "quaternion q0..q3 is zero"),
    ],
)
def test_starts_that_are_refused(start, message):
    with pytest.raises(InputError, match=message):
        simulate(RUBBER, start, 1.0)


def test_a_torus_that_falls_flat_stops_there():
    with pytest.warns(MotionWarning, match="fallen flat"):
        m = simulate(RUBBER, {"theta": 0.3, "theta_rate": -0.1}, 20.0)
    assert m.status == "left_domain"
    assert m["theta"][-1] < 1e-4
    # Planar: B theta'^2/2 + m g z = E, B = I1 + m (R^2 + r^2 + 2 R r sin): the time to fall by quadrature.
    from scipy.integrate import quad

    energy = 0.5 * (TORUS.inertia[0][0] + 1.0625 + 0.5 * math.sin(0.3)) * 0.01 + math.sin(0.3)
    rate = lambda a: math.sqrt(2 * (energy - math.sin(a)) / (TORUS.inertia[0][0] + 1.0625 + 0.5 * math.sin(a)))
    assert m.end_time == pytest.approx(quad(lambda a: 1 / rate(a), 0.0, 0.3, epsabs=1e-12)[0], abs=1e-4)
    with pytest.warns(MotionWarning, match="fallen flat"):
        few = simulate(RUBBER, {"theta": 0.3, "theta_rate": -0.1}, 20.0, at=[0.0, 0.5, 1.0, 20.0])
    assert few.t.tolist() == [0.0, 0.5]


def test_a_ball_on_a_tilted_plane():
    # A marble ball rolls down with 5/7 g sin(tilt), along the heading; the energy goes into climb.
    tilt, heading = math.radians(20.0), 0.7
    m = simulate(rolling(BALL, Plane(tilt, heading), sigma=0.0), {"spin": 3.0}, 2.0, rtol=1e-11)
    fall = 0.5 * 5.0 / 7.0 * 9.81 * math.sin(tilt) * 4.0
    assert m.end_integrals[0] == pytest.approx(fall * math.cos(heading), abs=1e-9)
    assert m.end_integrals[1] == pytest.approx(fall * math.sin(heading), abs=1e-9)
    balance = m["energy"] + m["climb"]
    np.testing.assert_allclose(balance, balance[0], atol=1e-9)
    assert m["friction_demand"].max() == pytest.approx(2.0 / 7.0 * math.tan(tilt), rel=1e-9)
    assert "this rolling needs mu >= 0.10" in m.summary()
    for bad in (Plane(-0.1), Plane(2.0)):
        with pytest.raises(InputError, match="tilt"):
            rolling(BALL, bad)
    with pytest.raises(InputError, match="Allowed: marble, rubber"):
        rolling(BALL, how="rubbery")


def test_a_rolling_motion_survives_its_file(tmp_path):
    m = simulate(RUBBER, {"theta": 0.3, "psi_rate": 0.9}, 1.0)
    m.to_netcdf(tmp_path / "torus.nc")
    back = Motion.open(tmp_path / "torus.nc")
    assert back.system == RUBBER
    np.testing.assert_array_equal(back["normal_force"], m["normal_force"])
    assert "this rolling needs" in back.summary()


def test_principal_radii():
    found = principal_radii(Torus(1.0, 0.25), (0.0, 0.6, -0.8))
    assert (found.r1, found.r2) == pytest.approx((0.25, 0.25 + 1.0 / 0.6))
    assert abs(found.direction2[0]) == pytest.approx(1.0)
    a, b, c = 0.3, 0.2, 0.1
    pole = principal_radii(Ellipsoid(a, b, c), (0.0, 0.0, 2.0))
    assert (pole.r1, pole.r2) == pytest.approx((b * b / c, a * a / c))
    assert principal_radii(Rim(1.0), (1.0, 0.0, 0.3)).curvatures[0] == math.inf
    both = principal_radii(Sum(Ellipsoid(a, b, c), Sphere(0.05)), (0.1, 0.2, -0.9))
    alone = principal_radii(Ellipsoid(a, b, c), (0.1, 0.2, -0.9))
    assert (both.r1, both.r2) == pytest.approx((alone.r1 + 0.05, alone.r2 + 0.05))


def test_superellipsoid():
    shape = Superellipsoid(1.0, 0.7, 0.5, 1.5)
    rng = np.random.default_rng(3)
    for _ in range(50):
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        p = np.array(support(shape, tuple(n)))
        assert np.sum(np.abs(p / [1.0, 0.7, 0.5]) ** 1.5) == pytest.approx(1.0, rel=1e-13)  # on the surface
        gradient = np.sign(p) * np.abs(p / [1.0, 0.7, 0.5]) ** 0.5 / [1.0, 0.7, 0.5]
        np.testing.assert_allclose(gradient / np.linalg.norm(gradient), n, atol=1e-12)  # with the right normal
    same = np.array(support(Superellipsoid(0.3, 0.2, 0.1, 2.0), (0.6, 0.0, 0.8)))
    np.testing.assert_allclose(same, support(Ellipsoid(0.3, 0.2, 0.1), (0.6, 0.0, 0.8)), rtol=1e-14)


def test_triaxial_rubber_keeps_energy_and_constraint():
    body = Body.from_parts(solid_ellipsoid(1.0, 0.3, 0.25, 0.2), Ellipsoid(0.3, 0.25, 0.2))
    m = simulate(rolling(body, how="rubber"), {"theta": 1.0, "psi": 0.4, "psi_rate": 3.0, "theta_rate": 0.5}, 10.0, rtol=1e-12)
    assert np.abs(m["energy"] / m["energy"][0] - 1.0).max() < 1e-11
    assert np.abs(m["twist"]).max() < 1e-10
    assert np.abs(m["length_error"]).max() < 1e-12


def test_flat_axis_of_a_turned_shape():
    leaning = rolling(
        Body.from_parts(solid_torus(1.0, 1.0, 0.25), turned(Torus(1.0, 0.25), ((1.0, 0.0, 0.0), 0.5))), how="rubber"
    )
    with pytest.raises(InputError, match="lies flat"):
        simulate(leaning, {"alpha": -0.5}, 1.0)


def test_rates_friction_and_speed_of_the_contact():
    plane = Plane(tilt=0.1, heading=0.4)
    body = Body.from_parts(solid_torus(1.0, 1.0, 0.25), Torus(1.0, 0.25))
    start = {"theta": 1.0, "phi": 0.4, "psi": -0.3, "theta_rate": 0.2, "phi_rate": 0.5, "psi_rate": 1.1, "x": "30cm", "y": -2.0}
    times = np.linspace(0.0, 6.0, 6001)
    m = simulate(rolling(body, plane, "marble", g=1.0), start, 6.0, rtol=1e-12, at=times)
    assert (m["x"][0], m["y"][0]) == (0.3, -2.0)
    for name, value in (("phi_rate", 0.5), ("psi_rate", 1.1), ("theta_rate", 0.2)):
        assert m[name][0] == pytest.approx(value, abs=1e-14)
    phi, psi = turns(m)
    assert psi[-1] - psi[0] > 2.0 * math.pi  # more than the signal psi can say
    step = times[1] - times[0]
    central = lambda v: (v[2:] - v[:-2]) / (2.0 * step)
    np.testing.assert_allclose(central(phi), m["phi_rate"][1:-1], atol=1e-5)
    np.testing.assert_allclose(central(psi), m["psi_rate"][1:-1], atol=1e-5)
    np.testing.assert_allclose(np.hypot(central(m["x"]), central(m["y"])), m["contact_speed"][1:-1], atol=1e-5)
    # the force on the mass centre, along the plane: m a = friction + gravity
    for axis, gravity in (("x", m.system.gravity[0]), ("y", m.system.gravity[1])):
        place = m[axis] + m[f"centre_{axis}"]
        acceleration = (place[2:] - 2.0 * place[1:-1] + place[:-2]) / step**2
        np.testing.assert_allclose(acceleration, m[f"friction_{axis}"][1:-1] + gravity, atol=1e-4)
    np.testing.assert_allclose(np.hypot(m["friction_x"], m["friction_y"]), m["friction_force"], atol=1e-14)


def test_turns_are_counted_or_refused():
    start = {"theta": 1.0, "psi_rate": 9.0}
    steps = simulate(RUBBER, start, 10.0)
    coarse = np.linspace(0.0, 10.0, 11)
    dense = simulate(RUBBER, start, 10.0, at=coarse, dense=True)
    assert turns(dense).psi[-1] == pytest.approx(turns(steps).psi[-1], abs=1e-6)
    assert turns(dense).psi[-1] > 60.0
    assert turns(dense).phi[-1] == pytest.approx(turns(steps).phi[-1], abs=1e-6)
    np.testing.assert_allclose(np.exp(1j * turns(dense).psi), np.exp(1j * dense["psi"]), atol=1e-12)
    with pytest.raises(InputError, match=r"the turns of ph?[si]i? cannot be counted between"):
        turns(simulate(RUBBER, {"theta": 0.4, "theta_rate": 0.8, "psi_rate": 9.0}, 40.0, at=np.linspace(0.0, 40.0, 9)))
    with pytest.raises(InputError, match="accumulated along the motion"):
        simulate(RUBBER, {**start, "x": 1.0}, 1.0, integrals=False)


def test_a_motion_goes_on_from_where_its_track_began():
    start = {"theta": 1.0, "psi_rate": 0.9}
    here = simulate(RUBBER, start, 2.0)
    moved = simulate(RUBBER, {**start, "x": 5.0, "y": "-1m"}, 1.0)
    moved = simulate(RUBBER, moved, 2.0)
    np.testing.assert_allclose(moved.end_integrals[:2] - here.end_integrals[:2], [5.0, -1.0], atol=1e-8)


def test_superellipsoids_say_why_they_cannot_roll():
    with pytest.raises(InputError, match="infinitely fast"):
        Body.from_inertia(1.0, (1.0, 1.0, 1.0), Superellipsoid(1.0, 1.0, 1.0, 4.0))
    with pytest.raises(InputError, match="not strictly convex"):
        Body.from_inertia(1.0, (1.0, 1.0, 1.0), Superellipsoid(1.0, 1.0, 1.0, 1.0))
