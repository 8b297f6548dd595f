"""What one reads off a tippedisk: starts, angles, energy, powers; and what is refused."""

import numpy as np
import pytest
from tippedisk_compare import lasting_contact, seen_from_S
from tippedisk_states import SMOOTH, V1, WHOLE, a_motion

from rollick.archetypes.tippedisk import (
    FORMS,
    RENDERED_SPIN,
    converted,
    drilled_disk,
    friction_power,
    physical_angles,
    readings,
    specimen,
    start,
    state_of,
    table_start,
    tippedisk,
    tippedisk_body,
)
from rollick.kernel.names import InputError
from rollick.mechanics.laws.sliding import ConstantLoad


@pytest.fixture(params=list(FORMS))
def form(request):
    return request.param


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_friction_takes_what_the_energy_loses(form, rng):
    system = tippedisk(V1, WHOLE, form)
    for _ in range(10):
        q, u = start(system, **a_motion(rng))
        found = lasting_contact(system, q, u)
        small = 1e-6
        after, before = (readings(system, q + h * found.q_rate, u + h * found.u_rate).energy[0] for h in (small, -small))
        powers = friction_power(system, q, u, found.normal)
        if found.normal > 0.0:
            assert max(p[0] for p in powers) <= 0.0
        assert sum(p[0] for p in powers) == pytest.approx((after - before) / (2.0 * small), rel=1e-5, abs=1e-5)
    with pytest.raises(InputError, match="normal"):
        friction_power(system, q, u)
    load = tippedisk(V1, ConstantLoad(0.3, 0.1, V1.m * 9.81), form)
    assert friction_power(load, q, u).sliding[0] < 0.0


def test_states_are_converted_and_read_alike(rng):
    systems = [tippedisk(V1, SMOOTH, form) for form in FORMS]
    for _ in range(10):
        motion = a_motion(rng)
        states = [start(s, **motion) for s in systems]
        for s, (q, u) in zip(systems, states):
            np.testing.assert_allclose(
                [a[0] for a in physical_angles(s, q)], [motion[n] for n in ("alpha", "beta", "gamma")], atol=1e-14
            )
            for to, (q2, u2) in zip(systems, states):
                q3, u3 = converted(s, q, u, to)
                np.testing.assert_allclose(q3, q2, atol=1e-14)
                np.testing.assert_allclose(u3, u2, atol=1e-11)


def test_starts_of_the_thesis(form):
    system = tippedisk("V1", SMOOTH, form)
    for spin in (40.0, RENDERED_SPIN):
        read = readings(system, *table_start(system, spin))
        np.testing.assert_allclose([read.alpha_rate[0], read.beta_rate[0], read.gamma_rate[0]], [spin, 0.0, 0.0], atol=1e-12)
        np.testing.assert_allclose([read.gap[0], *read.slip[0]], 0.0, atol=1e-15)
        assert read.gamma[0] == pytest.approx(-0.5 * np.pi + 0.1, abs=1e-15)
    assert readings(system, *table_start(system)).energy[0] == pytest.approx(0.38026, abs=5e-6)  # T24
    _, _, v, _ = seen_from_S(system, *table_start(system, balanced=True))
    np.testing.assert_allclose(v, 0.0, atol=1e-15)  # E10: S at rest


def test_angles_in_the_horizontal_position_keep_the_frame():
    system = tippedisk(V1, SMOOTH, "quaternion")
    for face in (0.0, np.pi):
        track = [
            state_of(system, (0, 0, 0), (0.3, b, c), (0, 0, 0), (0, 0, 0))[0] for b, c in ((0.1 + 0.9 * face, 0.5), (face, 0.7))
        ]
        alpha, _, gamma = physical_angles(system, np.array(track))
        np.testing.assert_allclose(alpha, 0.3, atol=1e-14)
        np.testing.assert_allclose(gamma, [0.5, 0.7], atol=1e-14)
    alpha, beta, gamma = physical_angles(system, np.array(track[1:]))
    assert [alpha[0], gamma[0]] == pytest.approx([0.3 - 0.7, 0.0], abs=1e-15)  # nothing before: gamma = 0
    assert beta[0] == pytest.approx(np.pi)


def test_angles_are_unwrapped():
    system = tippedisk(V1, SMOOTH, "quaternion")
    turns = np.linspace(0.0, 30.0, 100)
    track = [state_of(system, (0, 0, 0), (a, 1.0, -2.0 * a), (0, 0, 0), (0, 0, 0))[0] for a in turns]
    alpha, _, gamma = physical_angles(system, np.array(track))
    np.testing.assert_allclose([alpha, gamma], [turns, -2.0 * turns], atol=1e-13)
    euler = tippedisk(V1, SMOOTH, "euler")
    alpha, beta, gamma = physical_angles(euler, np.array([[0, 0, 0, 0.1, -0.2, 0.3]]))
    over = converted(euler, [0, 0, 0, 0.1, -0.2, 0.3], np.zeros(6), system)[0]
    np.testing.assert_allclose(np.remainder([a[0] for a in physical_angles(system, over)], 2 * np.pi),
                               np.remainder([alpha[0], beta[0], gamma[0]], 2 * np.pi), atol=1e-14)  # fmt: skip


def test_what_cannot_be_is_refused():
    with pytest.raises(InputError, match="V1"):
        specimen("V3")
    with pytest.raises(InputError, match="rounding"):
        specimen("V1", "printed")
    with pytest.raises(InputError, match="rim"):
        tippedisk_body(0.045, 0.05, 0.4, 1e-4, 1e-4, 2e-4)
    with pytest.raises(InputError, match="triangle"):
        tippedisk_body(0.045, 0.0, 0.4, 1e-4, 1e-4, 3e-4)
    with pytest.raises(InputError, match="cut the rim"):
        drilled_disk(0.045, 0.03, 0.02, 0.01, 7700.0)
    with pytest.raises(InputError, match="quaternion"):
        tippedisk(V1, SMOOTH, "quaternions")
    with pytest.raises(InputError, match="e_N"):
        tippedisk(V1, SMOOTH, e_N=1.5)
    with pytest.raises(InputError, match="beta"):
        start(tippedisk(V1, SMOOTH), beta=0.0)
    flat = state_of(tippedisk(V1, SMOOTH), (0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))
    with pytest.raises(InputError, match="horizontal"):
        converted(tippedisk(V1, SMOOTH), *flat, tippedisk(V1, SMOOTH, "euler"))
