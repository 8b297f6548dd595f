"""Steady rolling of a thin disk: the closed form of its nutation against textbooks and against eigenvalues of the compiled equations; circles of a torus along their branch."""

import math

import numpy as np
import pytest

from rollick import EquilibriumProblem, InputError, steady_motion, trace_branch
from rollick.archetypes import tops
from rollick.archetypes.models import model
from rollick.archetypes.rubber import critical_spins, equilibria

DISK = tops.euler_disk(thickness=0.0)


def straight(spin):
    return tops.Steady(0.5 * math.pi, 0.0, spin, -DISK.R * spin, 0.0)


def test_straight_rolling_of_textbooks():
    """Stable above v^2 = g R/3; at rest on edge it falls like a body that tips about its edge, m g R/(I1 + m R^2) = 4 g/(5 R)."""
    critical = math.sqrt(DISK.g / (3.0 * DISK.R))
    assert tops.nutation(DISK, straight(critical)) == pytest.approx(0.0, abs=1e-11)
    assert tops.nutation(DISK, straight(1.01 * critical)) > 0.0 > tops.nutation(DISK, straight(0.99 * critical))
    assert tops.nutation(DISK, straight(0.0)) == pytest.approx(-0.8 * DISK.g / DISK.R, rel=1e-14)


def test_a_thick_disk_has_no_closed_form_here():
    with pytest.raises(InputError, match="for thin disks"):
        tops.nutation(tops.euler_disk(), tops.steady(tops.euler_disk(), 0.3))


def test_eigenvalues_of_circles():
    system = tops.without_slip(DISK)
    for theta, precession in ((0.2, None), (1.0, None), (0.8, 5.0), (1.3, -2.0)):
        exact = tops.steady(DISK, theta, precession)
        found = steady_motion(system, exact.start(), hold=("omega2", "omega3"))
        assert found.drifts["heading"] == pytest.approx(exact.precession, rel=1e-10)
        squares = found.eigenvalues**2
        assert squares == pytest.approx(np.full(2, -tops.nutation(DISK, exact)), rel=1e-8)


def test_circles_of_a_torus_as_one_branch():
    torus = model("torus").make(form="reduced")
    problem = EquilibriumProblem(torus, "ell", near={"theta": "90deg", "ell": 0.5})
    upright = trace_branch(problem, problem.start(), bounds=(0.2, 1.5))
    point = upright.special("BP1")
    assert point.parameter == pytest.approx(critical_spins(torus)[0][0], rel=1e-10)
    circles = trace_branch(problem, point, bounds=(0.2, 1.5))
    for theta, ell, turn in zip(circles["theta"], circles["ell"], circles["psi_drift"]):
        exact = min(equilibria(torus, ell), key=lambda e: abs(e.theta - theta))
        assert theta == pytest.approx(exact.theta, abs=1e-8)
        assert turn == pytest.approx(exact.psi_rate, abs=1e-7 * abs(turn))
