"""What a body with two contacts does next, in words: margins, wedging, openings, ambiguity, Painleve's paradox, compatibility."""

import numpy as np
import pytest
from dual_point_bodies import Ellipsoid
from scipy.optimize import linprog
from test_dual_point_cases import corner, flow

from rollick import InputError
from rollick.analysis.dual_point import Contact, DualPoint, case, double_switching, openings, static_forces, two_contacts
from rollick.analysis.dual_point.fields import least_drive
from rollick.analysis.filippov import compatibility, static_margin, what_next


@pytest.mark.parametrize("count", [50, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_four_fields_of_random_bodies_belong_together(count):
    """The bar of the issue: Definition 3.2 to 1e-10 at 1000 random states. Where friction jams the fields have poles: those bodies are left out."""
    rng = np.random.default_rng(21)
    states, worst = 0, 0.0
    while states < count:
        point = Ellipsoid(rng).point()
        if least_drive(point) < 0.02:
            continue
        found = compatibility(double_switching(point), rng.normal(size=(10, 4)) * [1, 1, 1, 3])
        assert not found.not_unique
        worst = max(worst, *found.differences.values())
        states += found.states
    assert worst < 1e-10


def test_the_static_margin_is_the_value_of_a_linear_programme():
    """Maximise t with t <= mu N - T.d for 720 directions d at both contacts, over t and the undetermined force."""
    rng = np.random.default_rng(22)
    phi = 2 * np.pi * np.arange(720) / 720
    d = np.stack([np.cos(phi), np.sin(phi)], axis=1)
    finite = 0
    for _ in range(25):
        static = static_forces(Ellipsoid(rng, "RR").point())
        rows, right = [], []
        for force, free, mu in zip(static.forces, static.free, static.mu):
            rows.append(np.column_stack([-(mu * free[0] - d @ free[1:]), np.ones(720)]))
            right.append(mu * force[0] - d @ force[1:])
        size = np.abs(static.forces).max()
        solved = linprog([0.0, -1.0], np.vstack(rows), np.concatenate(right) / size, bounds=[(None, None)] * 2, method="highs")
        margin = static_margin(static)
        if solved.status == 3:  # unbounded
            assert margin.value == np.inf
            continue
        finite += 1
        assert solved.status == 0
        assert margin.value <= -solved.fun * size + 1e-9 * size
        assert margin.value == pytest.approx(-solved.fun * size, abs=2e-5 * size * (1.0 + abs(margin.tau) / size))
    assert finite >= 15


def test_a_ball_at_rest_in_a_corner():
    still = two_contacts(corner(force=(-2.0, 0.0, -9.81)))
    assert (still.mode, still.verdict, still.ways) == ("RR", "RR", ("RR",))
    assert still.margin.value == pytest.approx(0.3 * 2.0)  # the wall carries 2 N and no friction
    assert not still.wedged
    assert still.compatibility.holds()
    assert "forces of rolling at both contacts exist" in str(still)
    alone = two_contacts(corner())  # the wall is touched, not pressed
    assert alone.verdict == "RR"
    assert "the static margin is zero" in str(alone)


def test_a_ball_pulled_off_the_wall():
    off = two_contacts(corner(force=(2.0, 0.0, -9.81)))
    assert off.verdict == "contact loss"
    (way,) = off.opening
    assert way.opens == ("P-",)
    assert way.gaps[0] == pytest.approx(2.0 / 1.4)  # it rolls away: F/(m + J/r^2)
    assert "P- may open" in str(off)
    up = two_contacts(corner(force=(2.0, 0.0, 3.0)))
    assert up.opening[0].opens == ("P+", "P-")
    assert up.verdict == "contact loss"


def test_a_ball_pushed_along_the_corner_slips_at_the_wall():
    found = two_contacts(corner(force=(-2.0, 5.0, -9.81)))
    assert found.verdict == "RS"
    assert found.margin.value < 0.0
    assert found.next.departure.side == -1


def test_one_contact_that_rolls():
    held = two_contacts(corner(s=(0.0, 1.0, 0.0, 3.0), force=(-2.0, 0.0, -9.81)))
    assert (held.mode, held.verdict) == ("RS", "RS")
    gone = two_contacts(corner(s=(1.0, 0.0, 0.0, 3.0), force=(-2.0, 0.0, -9.81)))
    assert (gone.mode, gone.verdict) == ("SR", "SS")
    assert gone.case.slack[1] < 0.0
    both = two_contacts(corner(s=(1.0, 0.5, 0.2, 1.0), force=(-2.0, 0.0, -9.81)))
    assert (both.mode, both.verdict) == ("SS", "SS")
    assert both.case.slack == pytest.approx([0.0, 0.0], abs=1e-12)


def test_much_friction_wedges_and_jams():
    """Both cones of a right corner hold the line of contacts if mu >= 1."""
    found = two_contacts(corner(mu=1.2, force=(-2.0, 0.0, -9.81)))
    assert found.wedged
    assert found.least_drive <= 0.0
    assert "wedges itself" in str(found)
    assert "Painleve" in str(found)
    assert two_contacts(corner(mu=0.9, force=(-2.0, 0.0, -9.81))).least_drive > 0.0


def test_a_pole_of_the_normal_force_is_no_limit_direction():
    """Slip at P- alone, both frictions near 2: V changes its sign through infinity, where no limit direction and no turn is. Every way to leave would pull; both go on rolling."""
    rng = np.random.default_rng(12)
    body = Ellipsoid(rng, "RR", mu=rng.uniform(1.7, 2.0, 2))
    body.F = -20 * (body.n[0] + body.n[1]) + 0.5 * body.F
    found = two_contacts(body.point(), check=0)
    assert (found.verdict, found.ways) == ("RR", ("RR",))
    assert found.margin.value == pytest.approx(27.2483857, rel=1e-8)
    assert [c.mode for c in found.next.candidates if "(jammed)" in c.reason] == ["RS"]
    assert not any(c.admissible for c in found.next.candidates)


def test_the_flowmeter_stops_rolling_and_is_wedged_where_its_closed_forms_say():
    """Propositions 4.2 and errata 24: the same limits as of the closed forms, from geometry alone."""
    mu, j, g, d = 0.1, 0.4, 1.35, 0.1
    limit = np.sqrt(g * d * mu * (1 + mu) / (mu**2 * (1 + j) + j - mu))
    spin = lambda point, v: v / point.at([0, 0, 0, 1.0]).velocity[2]
    for factor, mode in ((1 - 1e-6, "RR"), (1 + 1e-6, "SS")):
        point, known = flow(factor * limit, mu, j, g, d)
        s = [0.0, 0.0, 0.0, spin(point, factor * limit)]
        assert what_next(double_switching(point.at(s)), s).mode == mode
        assert what_next(known, [0, 0, 0, factor * limit]).mode == mode
    point, known = flow(0.15, mu, j, g, d, c=0.03879)
    k = mu * (1 + j) * (1 + 2 * j) / d
    entry = (-j * 0.03879 + np.sqrt((j * 0.03879) ** 2 + 4 * k * j * 0.03879 * 0.15)) / (2 * k)
    found = two_contacts(point.at([0, 0, 0, spin(point, 0.999 * entry)]), check=0)
    assert (found.verdict, found.ways) == ("ambiguous", ("RR", "RS"))


def test_slip_at_both_contacts_goes_on_as_complementarity_says():
    """N >= 0, gap'' >= 0, one of them zero at each contact: all four ways tried with equations written apart."""
    rng = np.random.default_rng(23)
    seen = set()
    for _ in range(150):
        body = Ellipsoid(rng, "SS", mu=rng.uniform(0.05, 1.2, 2))
        body.F = -20 * (body.n[0] + body.n[1]) + 0.5 * body.F
        w = body.twist[3:]
        inverse = np.zeros((6, 6))
        inverse[:3, :3], inverse[3:, 3:] = np.eye(3) / body.m, np.linalg.inv(body.J)
        push = [body.n[k] - body.mu[k] * body.slip(k) / np.linalg.norm(body.slip(k)) for k in (0, 1)]
        wrench = np.array([np.concatenate([p, np.cross(body.r[k], p)]) for k, p in enumerate(push)])
        rows = np.vstack([body.rows(k, [body.n[k]]) for k in (0, 1)])
        A = rows @ inverse @ wrench.T
        b = rows @ inverse @ np.concatenate([body.F, body.M - np.cross(w, body.J @ w)]) + [
            body.n[k] @ body.drift(k) for k in (0, 1)
        ]
        ways = set()
        if b.min() > 0:
            ways.add("P+ and P- open")
        if (both := np.linalg.solve(A, -b)).min() >= 0:
            ways.add("SS")
        for k, name in ((0, "P- opens"), (1, "P+ opens")):
            force = -b[k] / A[k, k]
            if force > 0 and A[k, k] > 0 and b[1 - k] + A[1 - k, k] * force > 0:
                ways.add(name)
        found = two_contacts(body.point(), check=0)
        assert set(found.ways) == ways, both
        verdict = "inconsistent" if not ways else "ambiguous" if len(ways) > 1 else "SS" if ways == {"SS"} else "contact loss"
        assert found.verdict == verdict
        seen.add(verdict)
    assert seen >= {"SS", "contact loss", "ambiguous"}


def test_what_opens_has_the_accelerations_of_newton_and_euler():
    """A ball that rolls on the floor off a wall, and slips: closed forms."""
    (way,) = openings(corner(s=(0.0, 0.0, 0.0, 0.0), force=(8.0, 0.0, -9.81), mu=0.1), "RR")
    assert "begins to slip" in way.rest
    assert way.gaps[0] == pytest.approx(8.0 - 0.1 * 9.81)
    assert way.force[0] == pytest.approx(9.81)


def test_a_ball_in_a_groove_is_symmetric():
    """A ball in a right-angled groove: equal forces on both sides, for any load in the plane of symmetry."""
    e = np.sqrt(0.5)
    sides = [Contact((-0.1 * x, 0, -0.1 * e), (x, 0, e), 0.2, radii=0.1) for x in (e, -e)]
    made = case(DualPoint(sides[0], sides[1], 1.0, 0.004, (0, 0.3, -9.81)), "RR")
    np.testing.assert_allclose(made.forces[0, 0], made.forces[1, 0])
    smooth = (
        made.forces - made.forces[0, 2] / made.free_force[0, 2] * made.free_force
    )  # the share without friction across the groove
    np.testing.assert_allclose(smooth[:, 0], 9.81 * e)
    assert made.twist_rate[1] == pytest.approx(
        0.3 / (1 + 0.4 / e**2)
    )  # it rolls about the line of contacts, at r e from the centre
    found = two_contacts(DualPoint(sides[0], sides[1], 1.0, 0.004, (0, 0.3, -9.81)))
    assert found.verdict == "RR"
    still = two_contacts(DualPoint(sides[0], sides[1], 1.0, 0.004, (0.1, 0, -9.81)))
    assert np.abs(still.case.rates).max() < 1e-12
    assert still.compatibility.holds()  # fields that agree on zero, up to the rounding errors of what they combine


def test_what_is_refused_by_name():
    with pytest.raises(InputError, match="takes a DualPoint"):
        two_contacts("corner")
    smooth = DualPoint(corner().plus, Contact((-0.1, 0, 0), (1, 0, 0), 0.0, radii=0.1), 1.0, 0.004, (-1, 0, -9.81))
    with pytest.raises(InputError, match="one has no friction"):
        two_contacts(smooth)
    with pytest.raises(InputError, match="nothing jumps there"):
        double_switching(smooth)
