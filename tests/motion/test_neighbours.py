"""The state-transition matrix of motions from event to event, against differences of neighbouring motions."""

import warnings
from collections import Counter

import numpy as np
import pytest
from random_neighbours import judged

from rollick import Body, Coulomb, InputError, Motion, Sphere, simulate, sliding
from rollick.mechanics.mass.primitives import solid_sphere
from rollick.mechanics.surfaces import wall
from rollick.motion.methods import EventDriven

BALL = Body.from_parts(solid_sphere(1.0, 0.1), Sphere(0.1))
BOUNCING = sliding(BALL, law=Coulomb(0.3), restitution=0.7)


def run(system, start, until, **options):
    """A motion with its matrix."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return simulate(system, start, until, variational=True, progress=False, **options)


def test_a_bounce_in_closed_form():
    """Without friction: h falls for t1 = sqrt(2h/g), and z(t) = e v (t - t1) - g (t - t1)^2/2 with v = sqrt(2 g h)."""
    g, e, h, t = 9.81, 0.7, 0.3, 0.45
    m = run(sliding(BALL, law=Coulomb(0.0), restitution=e), {"gap": h}, t, rtol=1e-12, at=[0.1, t])
    t1, v = np.sqrt(2.0 * h / g), np.sqrt(2.0 * g * h)
    t1_h, v_h = 1.0 / v, g / v  # by h
    phi = m.transition[-1]
    z, vz = 2, 9
    assert phi[z, z] == pytest.approx(e * v_h * (t - t1) - e * v * t1_h + g * (t - t1) * t1_h, abs=1e-8)
    assert phi[vz, z] == pytest.approx(e * v_h + g * t1_h, abs=1e-8)
    assert m.transition[0][z, z] == pytest.approx(1.0, abs=1e-12)


def test_slip_that_ends_takes_a_direction_away():
    """A ball comes to roll with the angular momentum about its contact that it began with: neighbours that got a blow at the contact roll just as fast."""
    m = run(sliding(BALL, law=Coulomb(0.3)), {"vx": 1.0, "vy": 0.4, "omega1": 3.0}, 0.6, rtol=1e-11, at=[0.01, 0.6])
    assert [e.name for e in m.events] == ["stick"]
    blow = np.zeros(13)
    blow[7], blow[11] = 1.0, -1.0 / (0.4 * 0.1)  # vx, and omega2 = -R/(2/5 m R^2)
    early, late = (phi @ blow for phi in m.transition)
    assert abs(early[7]) > 0.9
    assert np.abs(late[7:10]).max() < 1e-7
    sideways = np.eye(13)[8]
    assert (m.transition[-1] @ sideways)[8] == pytest.approx(5.0 / 7.0, abs=1e-7)


@pytest.mark.parametrize(("kind", "seeds"), [("dry", range(5)), ("rod", range(2)), ("two", range(8))])
def test_random_neighbours(kind, seeds):
    found = Counter(judged(kind, seed)[0] for seed in seeds)
    assert found["differs"] == 0
    assert found["agrees"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "total"), [("dry", 150), ("rod", 150), ("two", 100), ("bowl", 60), ("moving", 60), ("box", 40)])
def test_hundreds_of_random_neighbours(kind, total):
    found, apart = Counter(), []
    for seed in range(1000, 1000 + total):
        try:
            word, off = judged(kind, seed)
        except InputError:  # it starts inside a surface
            continue
        found[word] += 1
        if word == "differs":
            apart.append((seed, off))
    assert apart == []
    assert found["agrees"] > total // 4


def test_what_grazes_is_named():
    """A ball that falls along a wall drifts into it at half a micrometre per second."""
    beside = sliding(BALL, on=[(wall((1.0, 0.0, 0.0), (0.0, 0.0, 0.0)), Coulomb(0.3), 0.7)])
    start = {"x": 0.1 + 1e-7, "y": 0.0, "z": 0.0, "vx": -5e-7, "vy": 0.0, "vz": 0.0}
    with pytest.raises(InputError, match="grazes"):
        run(beside, start, 0.5, method=EventDriven())
    far = run(beside, {**start, "vx": -5e-2}, 0.5, method=EventDriven())
    assert [e.name for e in far.events] == ["impact"]


def test_the_matrix_survives_a_file(tmp_path):
    m = run(BOUNCING, {"gap": 0.3, "vx": 1.0}, 0.5, at=[0.2, 0.5])
    m.to_netcdf(tmp_path / "m.nc")
    assert np.array_equal(Motion.open(tmp_path / "m.nc").transition, m.transition)


def test_auto_and_output_times_give_the_same_matrix():
    start = {"gap": 0.3, "vx": 1.0, "omega2": 3.0}
    a, b = run(BOUNCING, start, 0.9, rtol=1e-10), run(BOUNCING, start, 0.9, rtol=1e-10, at=[0.3, 0.9], events=["vz"])
    assert a.provenance["method"] == b.provenance["method"] == "event-driven"
    assert len(a.transition) == len(a.t)
    assert a.transition[-1] == pytest.approx(b.transition[-1], abs=1e-6)
