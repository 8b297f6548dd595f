"""A body with two contacts: frames, quasi-velocities, and the four cases against Newton-Euler's equations with multipliers, written apart."""

import numpy as np
import pytest
from dual_point_bodies import Ellipsoid, random_rotation
from filippov_machines import flowmeter

from rollick import InputError
from rollick.analysis.dual_point import Contact, DualPoint, case, directed, double_switching, mode_of, moving

MODES = ("SS", "SR", "RS", "RR")
R, MU = 0.1, 0.3


def corner(mu=MU, s=(0, 0, 0, 0), force=(0.0, 0.0, -9.81), mass=1.0):
    """A ball on a floor, against a wall."""
    plus, minus = Contact((0, 0, -R), (0, 0, 1), mu, radii=R), Contact((-R, 0, 0), (1, 0, 0), mu, radii=R)
    return DualPoint(plus, minus, mass, 0.4 * mass * R * R, force, s=s)


def flow(v_f, mu=0.1, j=0.4, g=1.35, d=0.1, c=0.04, r=0.01, m=0.02):
    """The flowmeter's ball (e1 to the axis, e2 up, e3 along the motion): on a bottom, in a vertical pipe, dragged along e3."""
    plus = Contact((0, -r, 0), (0, 1, 0), mu, radii=r)
    minus = Contact((-r, 0, 0), (1, 0, 0), mu, radii=r, curvature=-np.diag([0, 0, 1.0]) / (r + d))
    drag = lambda v, omega: ((0.0, -m * g, -c * m * (v[2] - v_f)), (0.0, 0.0, 0.0))
    return DualPoint(plus, minus, m, j * m * r * r, wrench=drag), flowmeter(v_f, mu, j, g, d, c)


def vectors(point, forces):
    """Forces (N, T1, T2) as vectors."""
    at = point.frames
    return np.array([f[0] * c.n + f[1] * at.t1[k] + f[2] * at.t2[k] for k, (f, c) in enumerate(zip(forces, point.contacts))])


@pytest.mark.parametrize("mode", MODES)
def test_accelerations_are_those_of_newton_and_euler_with_multipliers(mode):
    """The bar of the issue: 1e-12 relative, for 150 random bodies in each case."""
    rng = np.random.default_rng(MODES.index(mode))
    worst = 0.0
    for _ in range(150):
        body = Ellipsoid(rng, mode)
        point = body.point()
        made, (expected, forces) = case(point, mode), body.solve(mode)
        worst = max(worst, np.abs(made.twist_rate - expected).max() / np.abs(expected).max())
        worst = max(worst, np.abs(vectors(point, made.forces) - forces).max() / np.abs(forces).max())
        assert mode_of(point, 1e-9) == mode
        np.testing.assert_allclose(point.twist, body.twist, atol=1e-12)
    assert worst < 1e-12


@pytest.mark.parametrize(("mode", "equations", "kinematic", "friction", "free"), [("SS", 10, 0, 4, 4), ("SR", 10, 2, 2, 2), ("RS", 10, 2, 2, 2), ("RR", 9, 3, 0, 1)])  # fmt: skip
def test_equations_are_counted_as_in_tables_3_4_and_3_5(mode, equations, kinematic, friction, free):
    """T1. What the ranks say, not only the count: velocities that the constraints leave, and the force that rolling leaves."""
    rng = np.random.default_rng(11)
    for _ in range(20):
        body = Ellipsoid(rng, mode)
        made = case(body.point(), mode)
        assert (made.counts.equations, made.counts.kinematic, made.counts.friction) == (equations, kinematic, friction)
        assert made.counts.unknowns == 10
        assert made.rank == equations
        held = np.vstack([body.rows(k, [n]) if mode[k] == "S" else body.rows(k, np.eye(3)) for k, n in enumerate(body.n)])
        assert made.counts.free == free == 6 - np.linalg.matrix_rank(held, 1e-9)
        assert (made.free_force is None) == (mode != "RR")


def test_what_rolling_leaves_undetermined_is_the_force_along_the_line_of_contacts():
    rng = np.random.default_rng(12)
    for _ in range(50):
        point = Ellipsoid(rng, "RR").point()
        made = case(point, "RR")
        np.testing.assert_allclose(vectors(point, made.free_force), [point.frames.a, -point.frames.a], atol=1e-9)
        assert np.abs(made.rates[:3]).max() <= 1e-12 * np.abs(made.twist_rate).max()
        assert np.abs(np.sum(made.forces * made.free_force)) < 1e-9 * np.abs(made.forces).max()  # the smallest forces


def test_frames_are_those_of_section_3_3():
    point = corner()
    at = point.frames
    np.testing.assert_allclose(at.a, np.array([1, 0, -1]) / np.sqrt(2))
    np.testing.assert_allclose(at.t1, [[0, -1, 0], [0, -1, 0]], atol=1e-15)
    np.testing.assert_allclose(at.t2, [[1, 0, 0], [0, 0, -1]], atol=1e-15)
    np.testing.assert_allclose(at.c, np.sqrt(0.5))
    rng = np.random.default_rng(13)
    for _ in range(30):
        point = Ellipsoid(rng).point()
        at, u = point.frames, point.slips
        np.testing.assert_allclose(u[:, 1] * (at.t2 @ at.a), point.s[2])  # (3.9)
        np.testing.assert_allclose(point.omega @ at.a, point.s[3], atol=1e-13)


def test_the_flowmeter_as_a_ball_in_a_pipe_has_the_closed_forms_of_chapter_4():
    """Digest 3.4: (4.26)-(4.34); x = (u1+, u1-, u2, v), u2 = sqrt(2) ua."""
    rng = np.random.default_rng(14)
    for _ in range(60):
        point, known = flow(rng.uniform(0.1, 1.0), rng.uniform(0.05, 0.5), rng.uniform(0.2, 0.6))
        for mode in MODES:
            s = rng.normal(size=4) * [0.3, 0.3, 0.3, 30.0]
            s[[1, 2]] = 0.0 if mode[1] == "R" else s[[1, 2]]
            s[[0, 2]] = 0.0 if mode[0] == "R" else s[[0, 2]]
            here = point.at(s)
            x = np.array([s[0], s[1], np.sqrt(2) * s[2], here.velocity[2]])
            made = case(here, mode)
            rates = np.append(made.rates[:3] * [1, 1, np.sqrt(2)], made.twist_rate[2])
            expected = getattr(known, mode)(x)
            np.testing.assert_allclose(rates, expected, rtol=0, atol=1e-12 * max(1.0, np.abs(expected).max()))
            if mode != "RR":
                np.testing.assert_allclose(made.forces[:, 0] / point.mass, known.normal(mode, x), rtol=1e-11, atol=1e-12)


def test_a_ball_and_its_mirror_image_do_mirrored_things():
    """Exchanging P+ and P- turns a round: u1 and ua change their signs."""
    rng = np.random.default_rng(15)
    for mode, other in (("SS", "SS"), ("SR", "RS"), ("RR", "RR")):
        body = Ellipsoid(rng, mode)
        one = body.point()
        two = moving(DualPoint(one.minus, one.plus, one.mass, one.inertia, one.force, one.couple), one.velocity, one.omega)
        np.testing.assert_allclose(two.s, -one.s[[1, 0, 2, 3]], atol=1e-12)
        a, b = case(one, mode), case(two, other)
        np.testing.assert_allclose(a.twist_rate, b.twist_rate, rtol=1e-11, atol=1e-10)
    turn = random_rotation(rng)  # the same body seen from other axes
    contact = lambda c: Contact(turn @ c.r, turn @ c.n, c.mu, turn @ c.radii @ turn.T)
    seen = DualPoint(
        contact(one.plus), contact(one.minus), one.mass, turn @ one.inertia @ turn.T, turn @ one.force, turn @ one.couple, one.s
    )
    np.testing.assert_allclose(case(seen, "RR").rates, a.rates, atol=1e-10)


def test_given_directions_are_limits_of_small_slips():
    rng = np.random.default_rng(16)
    point = Ellipsoid(rng, "RR").point()
    s = point.s.copy()
    for plus, minus in ((0.4, 1.1), (2.0, 2.9), (-1.0, -2.0)):
        side = np.sign(np.sin(plus))
        step = np.array([np.cos(plus) / abs(np.sin(plus)), np.cos(minus) / abs(np.sin(minus)), side, 0.0])
        near = case(point.at(np.where([1, 1, 1, 0], 1e-9 * step, s)), "SS")
        limit = directed(point.at([0, 0, 0, s[3]]), plus, minus)
        np.testing.assert_allclose(near.rates, limit.rates, rtol=1e-6, atol=1e-6)
        fields = double_switching(point.at([0, 0, 0, s[3]]))
        np.testing.assert_allclose(fields.directed(np.array([0, 0, 0, s[3]]), plus, minus), limit.rates, rtol=1e-10, atol=1e-10)


def test_what_is_refused_by_name():
    with pytest.raises(InputError, match="contacts coincide"):
        DualPoint(Contact((0, 0, -1), (0, 0, 1), 0.1), Contact((0, 0, -1), (1, 0, 0), 0.1), 1.0, 1.0)
    with pytest.raises(InputError, match=r"along the normal at P\+"):
        DualPoint(Contact((0, 0, -1), (0, 0, 1), 0.1), Contact((0, 0, 1), (0, 0, -1), 0.1), 1.0, 1.0)
    with pytest.raises(InputError, match="of length one"):
        Contact((0, 0, -1), (0, 0, 2), 0.1)
    with pytest.raises(InputError, match="touches along a line"):
        Contact((0, 0, -1), (0, 0, 1), 0.1, radii=0.5, curvature=-2.0)
    with pytest.raises(InputError, match="not positive definite"):
        DualPoint(Contact((0, 0, -1), (0, 0, 1), 0.1), Contact((-1, 0, 0), (1, 0, 0), 0.1), 1.0, (1.0, 1.0, -1.0))
    with pytest.raises(InputError, match=r"P\+ does not slip"):
        case(corner(), "SS")
    with pytest.raises(InputError, match="phi- = None"):
        case(corner(), "SR", (0.0, 0.0))
    with pytest.raises(InputError, match="the gap at P- opens"):
        moving(corner(), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="not both"):
        DualPoint(corner().plus, corner().minus, 1.0, 1.0, (1, 0, 0), wrench=lambda v, w: (v, w))
    apart = Contact((-R, 0, 0), (1, 0, 0), MU, radii=R, velocity=(1.0, 0, 0))
    with pytest.raises(InputError, match="both contacts cannot roll"):
        case(DualPoint(corner().plus, apart, 1.0, 0.01), "RR")


def test_contacts_on_one_plane_have_parallel_normals_and_work():
    """Two feet on a floor: a is along the floor, c = 1, and Omega_a tips the body over the line of its feet."""
    feet = [Contact((x, 0, -0.2), (0, 0, 1), 0.4) for x in (0.1, -0.1)]
    made = case(DualPoint(feet[0], feet[1], 2.0, (0.03, 0.02, 0.01), (0, 0, -2.0 * 9.81)), "RR")
    np.testing.assert_allclose(made.forces[:, 0], 9.81, rtol=1e-12)
    assert made.rates[3] == pytest.approx(0.0, abs=1e-12)
    pushed = case(DualPoint(feet[0], feet[1], 2.0, (0.03, 0.02, 0.01), (0, 1.0, -2.0 * 9.81)), "RR")
    assert pushed.rates[3] == pytest.approx(-0.2 * 1.0 / (0.03 + 2.0 * 0.2**2), rel=1e-12)  # about the line of feet
