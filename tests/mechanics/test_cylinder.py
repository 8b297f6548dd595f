"""The cylinder: its support map and mesh, and how it stands, lies, rolls and tumbles on its two rims."""

import math

import numpy as np
import pytest

from rollick import Body, Cylinder, InputError, Sphere, coulomb, simulate, sliding, support
from rollick.mechanics.mass.primitives import solid_cylinder
from rollick.mechanics.shapes.meridian import meridian
from rollick.mechanics.shapes.smoothness import smoothness
from rollick.mechanics.shapes.triangles import surface
from rollick.mechanics.sliding import Rims, Tripod
from rollick.mechanics.sliding.feet import foot

R, H = 0.03, 0.08
CAN = Body.from_parts(solid_cylinder(0.5, R, H), Cylinder(R, H))


def test_its_support_map_is_the_farthest_point():
    rng = np.random.default_rng(1)
    mesh = surface(Cylinder(R, H), 96).vertices
    assert np.hypot(mesh[:, 0], mesh[:, 1]).max() == pytest.approx(R)
    assert mesh[:, 2].min() == -mesh[:, 2].max() == pytest.approx(-0.5 * H)
    for n in rng.normal(size=(20, 3)):
        n /= np.linalg.norm(n)
        farthest = float(np.array(support(Cylinder(R, H), tuple(n))) @ n)
        assert farthest >= (mesh @ n).max() - 1e-12
        assert farthest == pytest.approx((mesh @ n).max(), rel=1e-3)
    assert smoothness(Cylinder(R, H)).words() == "with edges, flat on a circle or a line"


@pytest.mark.parametrize("theta", [0.3, 1.2, 1.9, 2.8])
def test_its_meridian_is_its_support_function(theta):
    n = (math.sin(theta), 0.0, -math.cos(theta))
    w, slope, bend = meridian(Cylinder(R, H), theta)
    assert w == pytest.approx(float(np.dot(support(Cylinder(R, H), n), n)))
    steps = [meridian(Cylinder(R, H), theta + d)[0] for d in (-1e-4, 0.0, 1e-4)]
    assert slope == pytest.approx((steps[2] - steps[0]) / 2e-4, rel=1e-6)
    assert bend == pytest.approx((steps[2] - 2.0 * steps[1] + steps[0]) / 1e-8, rel=1e-4)


@pytest.mark.parametrize("sizes", [(0.0, 0.1), (0.1, -1.0)])
def test_impossible_cylinders_are_refused(sizes):
    with pytest.raises(InputError, match="of Cylinder must be above zero"):
        Body.from_parts(solid_cylinder(0.5, R, H), Cylinder(*sizes))


def test_it_has_three_feet_on_each_rim_by_default():
    assert sliding(CAN, law=coulomb(0.3)).feet == Rims(0.5 * H)


@pytest.mark.parametrize(("up", "height"), [(1.0, -0.5 * H), (-1.0, 0.5 * H)])
def test_three_feet_of_a_disk_that_lies_flat_are_on_its_lower_rim(up, height):
    """Euler's disk sank to its other side when it lay flat."""
    for k in range(3):
        assert foot(Tripod(), CAN, (0.0, 0.0, up), k)[2] == height
        assert foot(Tripod(), CAN, (1e-6, 0.0, up), k)[2] == height


def test_rims_are_the_feet_of_a_cylinder_and_as_high():
    ball = Body.from_inertia(1.0, (4e-3, 4e-3, 4e-3), Sphere(0.1))
    for body, half, words in (
        (ball, 0.1, "Rims are the feet of a Cylinder, not of Sphere"),
        (CAN, 0.1, "must be half as high"),
        (CAN, "4cm", "must be half as high"),
    ):
        with pytest.raises(InputError, match=words):
            sliding(body, law=coulomb(0.3), feet=Rims(half))


@pytest.mark.parametrize("method", ["event-driven", pytest.param("moreau", marks=pytest.mark.slow)])
def test_it_lands_upright_and_stands(method):
    motion = simulate(sliding(CAN, law=coulomb(0.4), e_N=0.3), {"gap": 0.02}, 0.5, method=method, progress=False)
    assert motion.status == "finished"
    assert motion.end_state[2] == pytest.approx(0.5 * H, abs=1e-8)
    assert np.abs(motion.end_state[7:]).max() < 1e-6


def test_on_its_side_it_rolls_as_a_line_does():
    """Both rims touch; a cylinder that rolls along a straight line keeps its speed."""
    system = sliding(CAN, law=coulomb(0.4))
    motion = simulate(system, {"gap": 0.0, "theta": 0.5 * math.pi, "omega3": 5.0}, 0.7, method="event-driven", progress=False)
    assert motion.status == "finished"
    assert abs(motion["x"][-1]) == pytest.approx(5.0 * R * 0.7, rel=1e-9)
    assert motion["z"] == pytest.approx(np.full(motion.t.size, R), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("theta", [0.8, 1.0, 1.3])
def test_stepping_comes_closer_to_a_can_that_falls_on_its_side(theta):
    system = sliding(CAN, law=coulomb(0.4), e_N=0.0)
    start = {"gap": 0.0, "theta": theta, "omega3": 3.0}
    exact = simulate(system, start, 0.3, method="event-driven", progress=False)
    assert exact.status == "finished"
    errors = []
    for dt in (2e-4, 2e-5):
        stepped = simulate(system, start, 0.3, method="moreau", dt=dt, progress=False)
        errors.append(np.abs(stepped.end_state[:7] - exact.end_state[:7]).max())
    assert errors[1] < 2e-3
    assert errors[1] < 0.5 * errors[0]


def test_a_cup_may_have_its_mass_centre_off_the_middle():
    cup = Body.from_inertia(0.2, (1e-4, 1e-4, 8e-5), Cylinder(0.04, 0.1), (0.0, 0.0, -0.02))
    motion = simulate(sliding(cup, law=coulomb(0.3)), {"gap": 0.01}, 0.3, method="event-driven", progress=False)
    assert motion.end_state[2] == pytest.approx(0.03, abs=1e-8)
