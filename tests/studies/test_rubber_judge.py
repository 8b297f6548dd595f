"""Target Q1: the formulas of the rubber archetype against Newton-Euler equations with multipliers that share nothing with it."""

import dataclasses

import numpy as np
import pytest

from rollick.archetypes.rubber import body as archetype
from rollick.studies.rubber.judge import KINDS, Judged, State, deviations, judge, random_bodies


def test_formulas_hold_in_random_states():
    found = deviations(80, 7)
    assert len(found) == 10
    assert max(found.values()) < 1e-12, found


@pytest.mark.parametrize(("name", "factor"), [("I3", 1.0 + 1e-6), ("I1", 1.0 + 1e-6), ("m", 1.0 + 1e-6), ("g", 1.0 + 1e-6)])
def test_a_wrong_body_is_noticed(monkeypatch, name, factor):
    right = archetype.rubber_body

    def wrong(*data):
        made = right(*data)
        return made._replace(**{name: getattr(made, name) * factor})

    monkeypatch.setattr(archetype, "rubber_body", wrong)
    assert max(deviations(16, 7).values()) > 1e-8


def test_the_judge_obeys_the_laws_of_energy_and_a_known_case():
    # A homogeneous ball with its centre as mass centre rolls on steadily: no acceleration, friction or couple.
    ball = Judged("sphere", (0.4,), 1.0, 0.064, 0.064, 0.0, 9.81)
    found = judge(ball, State(1.0, 0.3, 0.2, 0.7, -1.1))
    np.testing.assert_allclose(found.force, [0.0, 0.0, 9.81], atol=1e-13)
    assert found.couple == pytest.approx(0.0, abs=1e-14)
    # T' = -m g z_C' - sigma |w|^2, with T' by differences of the kinetic energy along the motion that the judge predicts.
    for body in random_bodies(8, 3):
        st, d = State(1.1, 0.3, 0.2, 0.7, -1.1), 1e-5
        v = judge(body, st)

        def moved(h, st=st, v=v):
            return State(
                st.theta + h * st.theta_rate + 0.5 * h * h * v.theta_acceleration,
                st.psi + h * st.psi_rate + 0.5 * h * h * v.psi_acceleration,
                st.phi + h * v.phi_rate,
                st.theta_rate + h * v.theta_acceleration,
                st.psi_rate + h * v.psi_acceleration,
            )

        ends = [judge(body, moved(h)) for h in (d, -d)]
        power = (ends[0].kinetic - ends[1].kinetic) / (2 * d)
        rise = -(ends[0].rho[2] - ends[1].rho[2]) / (2 * d)
        lost = body.sigma * (st.theta_rate**2 + (np.sin(st.theta) * st.psi_rate) ** 2)
        assert power + body.m * body.g * rise + lost == pytest.approx(0.0, abs=1e-7)


def test_all_kinds_are_drawn():
    made = random_bodies(16, 1)
    assert {b.kind for b in made} == set(KINDS)
    assert any(b.sigma for b in made)
    assert all(dataclasses.is_dataclass(b) for b in made)
