"""The rattleback: equations against multipliers, energy, the digest's table, symmetries, contact, checks of the stone."""

import math
import warnings

import numpy as np
import pytest

from rollick import Event, InputError, Rattleback, rattleback, reversals, simulate
from rollick.archetypes.rattleback import (
    AsPrinted,
    UnusualBody,
    misalignment,
    principal_moments,
    quaternion_form,
    statically_stable,
)
from rollick.kernel.derivative import system_jacobian
from rollick.kernel.evaluate import rate_at
from rollick.kernel.system import rate
from rollick.studies.rattleback import judge
from rollick.studies.rattleback.random_stones import random_states, random_stones

START = {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}
# Reference values of an independent simulation (section 5 of the digest), as printed.
TABLE = {
    (0.0, 1.0): "-0.006004378514 0.02316740657 -4.266111465 5.0410423 1.7614232 -3.1175435",
    (0.0, 5.0): "-0.0469311349 0.0144529744 -2.75016131 -2.197841 -1.745176 4.164246",
    (0.0, 20.0): "0.308535549 -0.000378751674 39.0463099 5.381773 -0.615985 -1.949737",
    (1e-4, 5.0): "-0.0225853616 0.0110206726 -1.53826885 -4.271172 -0.0455215 3.429304",
    (1e-4, 20.0): "0.0172499492 -2.649403645e-5 36.3129019 -0.3202117 0.0264661 1.524852",
}


def last_digit(text):
    digits, _, exponent = text.partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


@pytest.fixture(scope="module")
def motions():
    return {
        sigma: simulate(Rattleback(sigma=sigma), START, 20.0, rtol=1e-12, events=["gamma_rate"], dense=True, progress=False)
        for sigma in (0.0, 1e-4)
    }


def test_accelerations_agree_with_multipliers_at_random():
    rng = np.random.default_rng(7)
    worst = printed = 0.0
    for stone, state in zip(random_stones(rng, 60), random_states(rng, 60)):
        expected = judge.accelerations(stone, state[0], state[1], state[2], state[3:])["omega_dot"]
        out = np.empty(6)
        rate_at(stone, 0.0, state, out)
        worst = max(worst, np.linalg.norm(out[3:] - expected) / np.linalg.norm(expected))
        rate_at(AsPrinted(stone), 0.0, state, out)
        printed = max(printed, np.linalg.norm(out[3:] - expected) / np.linalg.norm(expected))
    assert worst < 1e-12
    assert printed > 1e-2  # the misprint of (32) is no small matter


def test_plain_python_and_machine_code_agree():
    rng = np.random.default_rng(3)
    for stone, state in zip(random_stones(rng, 5), random_states(rng, 5)):
        plain, fast = np.empty(6), np.empty(6)
        rate(stone, 0.0, state, plain)
        rate_at(stone, 0.0, state, fast)
        np.testing.assert_allclose(plain, fast, rtol=1e-11)


@pytest.mark.parametrize(("sigma", "t"), list(TABLE))
def test_reference_trajectories_to_the_digits_given(motions, sigma, t):
    state = motions[sigma].at(t)
    for value, text in zip(state, TABLE[sigma, t].split()):
        assert abs(value - float(text)) <= last_digit(text)


def test_energy_is_conserved(motions):
    energy = motions[0.0]["energy"]
    assert energy[0] == pytest.approx(0.12388531367355, abs=1e-14)
    assert np.abs(energy / energy[0] - 1.0).max() < 1e-11


def test_energy_goes_where_the_couple_takes_it(motions):
    m = motions[1e-4]
    balance = m["energy"] + m["dissipated"]
    assert m["dissipated"][-1] > 0.02
    assert np.abs(balance / balance[0] - 1.0).max() < 1e-11
    assert m["energy"][-1] == pytest.approx(0.1001442992, abs=1e-10)


def test_the_misprint_violates_energy():
    m = simulate(AsPrinted(Rattleback()), START, 1.0, rtol=1e-10, progress=False)
    assert abs(m["energy"][-1] / m["energy"][0] - 1.0) == pytest.approx(1.7e-4, rel=0.05)


@pytest.mark.parametrize("until", [0.3, pytest.param(1.0, marks=pytest.mark.slow)])
def test_second_formulation_by_multipliers_moves_alike(motions, until):
    times = np.linspace(0.0, until, 11)
    other = judge.simulate(
        Rattleback(), {"alpha": math.radians(0.5), "beta": math.radians(0.5), "omega3": -5.0}, times, rtol=1e-12
    )
    here = motions[0.0].at(times)
    for j, name in enumerate(("alpha", "beta", "gamma", "omega1", "omega2", "omega3")):
        np.testing.assert_allclose(here[:, j], other[name], atol=2e-9 * np.abs(other[name]).max())
    m = simulate(Rattleback(), START, until, rtol=1e-12, at=times, progress=False)
    for name, axis in (("x", "x"), ("y", "y")):
        track = other[axis] - other[axis][0]
        np.testing.assert_allclose(m[name], track, atol=1e-9 * np.abs(track).max())


def test_contact_force_agrees_with_the_judge():
    rng = np.random.default_rng(11)
    for stone, state in zip(random_stones(rng, 10), random_states(rng, 10)):
        force = judge.accelerations(stone, state[0], state[1], state[2], state[3:])["force"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnusualBody)
            m = simulate(stone, state, 1e-9, progress=False)
        normal, along = -force[2], np.hypot(force[0], force[1])  # n3 points down
        assert m["normal_force"][0] == pytest.approx(normal, rel=1e-10, abs=1e-10 * along)
        assert m["friction_force"][0] == pytest.approx(along, rel=1e-10, abs=1e-10 * abs(normal))
        assert m["friction_demand"][0] == pytest.approx(along / abs(normal), rel=1e-9)
        assert m["lift_off_margin"][0] == pytest.approx(normal / (stone.M * stone.g), rel=1e-10, abs=1e-10)


def test_reversals_of_the_paper(motions):
    first, second = reversals(motions[0.0])
    assert (first.count, second.count) == (17, 3)
    assert (first.first, first.last) == pytest.approx((2.3528, 3.1338), abs=5e-5)
    assert math.degrees(first.gamma) == pytest.approx(-390.19, abs=0.005)
    assert first.time == pytest.approx(2.815, abs=5e-4)
    assert math.degrees(second.gamma) == pytest.approx(2396.47, abs=0.005)
    (only,) = reversals(motions[1e-4])
    assert only.time == pytest.approx(2.5659, abs=5e-5)


def test_reversals_of_a_motion_that_was_not_asked_for_them(motions):
    plain = simulate(Rattleback(), START, 4.0, at=[0.0, 4.0], progress=False)
    assert plain.events == []
    (first,) = reversals(plain)
    assert first.count == 17
    assert first.time == pytest.approx(reversals(motions[0.0])[0].time, abs=1e-6)
    half = simulate(Rattleback(), START, 4.0, events=[Event("gamma_rate", "rising")], progress=False)
    assert reversals(half)[0].count == 17  # rising zeros alone are not all
    plain.system = None
    with pytest.raises(InputError, match="not asked for the zeros of gamma_rate"):
        reversals(plain)


def test_reversals_of_what_is_no_motion():
    with pytest.raises(InputError, match="counted in a motion, not in 3"):
        reversals(3)
    with pytest.raises(InputError, match="not in 'Rattleback'"):
        reversals(Rattleback())


def test_former_names_of_the_track(motions):
    m = motions[0.0]
    np.testing.assert_array_equal(m["track1"], m["x"])
    np.testing.assert_array_equal(m["track2"], m["y"])


def test_groups_of_zeros_follow_the_gap(motions):
    assert len(reversals(motions[0.0], gap=1e-6, all_groups=True)) == 20
    assert sum(r.count for r in reversals(motions[0.0], all_groups=True)) == 20


def test_no_reversal_the_other_way_round():
    m = simulate(Rattleback(sigma=1e-4), START | {"omega3": 5.0}, 20.0, events=["gamma_rate"], progress=False)
    assert not m.events
    assert math.degrees(m.end_state[2]) == pytest.approx(3073.16, abs=0.01)


def test_quaternion_form_moves_alike(motions):
    times = np.linspace(0.0, 3.0, 31)
    m = simulate(quaternion_form(Rattleback()), START, 3.0, rtol=1e-12, at=times, progress=False)
    here = motions[0.0].at(times)
    np.testing.assert_allclose(m.y[:, 4:], here[:, 3:], atol=1e-9 * np.abs(here[:, 3:]).max())
    assert np.abs(m["length_error"]).max() < 1e-10


def test_verify_counts_digits():
    m = simulate(Rattleback(), START, 2.0, verify=True, progress=False)
    assert 6.0 < m.trust.worst < 14.0
    assert [check.name for check in m.trust.checks] == ["energy", "finer run", "second formulation"]
    assert m.trust.verdict == "no check misses by more than the tolerances explain"
    tight = simulate(Rattleback(), START, 2.0, rtol=1e-12, verify=True, progress=False)
    assert tight.trust.worst > m.trust.worst + 1.0


def test_mirror_and_half_turn_are_exact_symmetries():
    start = np.array([0.02, 0.01, 0.0, 0.1, 0.2, -5.0])
    options = {"at": [0.5, 1.0], "integrals": False, "progress": False}
    here = simulate(Rattleback(), start, 1.0, **options).y
    mirror = np.array([-1.0, 1.0, -1.0, -1.0, 1.0, -1.0])
    np.testing.assert_allclose(simulate(Rattleback(D=2e-5), start * mirror, 1.0, **options).y * mirror, here, rtol=1e-10)
    turn = np.array([-1.0, -1.0, 1.0, -1.0, -1.0, 1.0])
    np.testing.assert_allclose(simulate(Rattleback(), start * turn, 1.0, **options).y * turn, here, rtol=1e-10)


def test_steady_spin_is_an_equilibrium_with_the_closed_forms_eigenvalues():
    from rollick.archetypes.rattleback import eigenvalues

    for spin in (-7.0, 3.0):
        state = np.array([0.0, 0.0, 0.0, 0.0, 0.0, spin])
        out = np.empty(6)
        rate_at(Rattleback(), 0.0, state, out)
        np.testing.assert_allclose(out, [0, 0, spin, 0, 0, 0], atol=1e-15)
        block = np.ix_([0, 1, 3, 4], [0, 1, 3, 4])
        numeric = np.linalg.eigvals(system_jacobian(Rattleback(), state)[block])
        closed = np.asarray(eigenvalues(Rattleback(), spin))
        assert np.abs(closed[:, None] - numeric[None]).min(axis=1).max() < 1e-12 * np.abs(closed).max()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"a": 0.0}, "a = 0 must be above zero"),
        ({"c": -0.02}, "c = -0.02 must be above zero"),
        ({"M": 0.0}, "M = 0 must be above zero"),
        ({"sigma": -1e-4}, "sigma = -0.0001 must not be negative"),
        ({"D": 6e-4}, "not positive definite"),
        ({"C": 2e-3}, "triangle inequality"),
        ({"C": 1e-3}, "raise C to"),
        ({"h": 0.02}, "below the plane"),
        ({"M": math.nan}, "not a finite number"),
    ],
)
def test_impossible_stones_are_refused_with_the_reason(change, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        simulate(Rattleback(**change), START, 1.0)
    if not any(math.isnan(v) for v in change.values()):
        with pytest.raises(InputError, match=words):
            rattleback(**change)


def test_unusual_stones_warn():
    assert not statically_stable(Rattleback(h=-0.05))
    with pytest.warns(UnusualBody, match="statically unstable"), pytest.warns(UnusualBody, match="above the ellipsoid's centre"):
        simulate(Rattleback(h=-0.05), START, 1e-3, progress=False)
    with pytest.raises(InputError, match="allow_unstable=True"):
        rattleback(h=-0.05)
    assert rattleback(allow_unstable=True, h="-5cm").h == -0.05
    with pytest.warns(UnusualBody, match="a > b > c"):
        simulate(Rattleback(a=0.025, b=0.03), START, 1e-3, progress=False)


def test_parameters_by_name_and_unit():
    assert rattleback(a="20cm", M="1000g") == Rattleback()
    with pytest.raises(InputError, match="Did you mean 'sigma'"):
        rattleback(sigmma=1e-4)
    with pytest.raises(InputError, match="measured in m"):
        rattleback(a="5deg")


def test_principal_axes():
    low, high, axial = principal_moments(Rattleback())
    assert low + high == pytest.approx(1.8e-3)
    assert low * high == pytest.approx(2e-4 * 1.6e-3 - 4e-10)
    assert axial == 1.7e-3
    assert math.tan(2 * misalignment(Rattleback())) == pytest.approx(2 * -2e-5 / (2e-4 - 1.6e-3))
