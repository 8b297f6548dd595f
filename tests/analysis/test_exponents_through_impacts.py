"""Lyapunov spectra through impacts: orbits in closed form, the map of a bouncing ball iterated by itself, volumes, conservative motions, bodies against differences of whole motions."""

import numpy as np
import pytest
from cycles import Striker
from random_impact_sensitivities import drawn, motion
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from rollick import Event, InputError, Reset, simulate
from rollick.analysis.exponents import spectrum
from rollick.analysis.exponents_in_modes import growth_in_modes
from rollick.analysis.lyapunov import largest_exponent

G = 9.81


def test_a_ball_that_bounces_once_in_each_period():
    """Of the map (t, v) -> (t', v') the determinant is e^2, the trace 1 + e^2 - pi (1 - e^2) tan phi, phi being the phase at impacts. The intervals are whole periods."""
    period, e, phi = 0.2, 0.5, np.pi / 4.0
    omega, v = 2.0 * np.pi / period, 0.5 * G * period
    A = v * (1.0 - e) / (1.0 + e) / (omega * np.cos(phi))
    system = Striker(A=A, omega=omega, e=e, g=G)
    begin = {
        "x": A * np.sin(phi) + v * (period - phi / omega) - 0.5 * G * (period - phi / omega) ** 2,
        "v": v - G * (period - phi / omega),
    }
    found = spectrum(system, begin, 40.0, 100, discard=0.5)
    trace = 1.0 + e * e - np.pi * (1.0 - e * e) * np.tan(phi)
    multipliers = np.roots([1.0, -trace, e * e])
    assert np.all(np.isreal(multipliers))
    assert found.values == pytest.approx(np.sort(np.log(np.abs(multipliers)))[::-1] / period, rel=1e-6)
    assert found.sum == pytest.approx(2.0 * np.log(e) / period, rel=1e-8)
    assert found.divergence == pytest.approx(found.sum, rel=1e-10)


def of_the_map(A, omega, e, kick, t, v, count, skip):
    """The exponents (per second) of a ball on a table A sin(omega t) that leaves it with e times the speed it came with and `kick` more: the Jacobians of its map, NumPy alone.

    From (t, v after an impact) to (t', v' after the next), s = t' - t:  A sin omega t + v s - g s^2/2 = A sin omega t',   v' = (1 + e) u(t') - e (v - g s) + kick, u the table's speed.
    """
    u = lambda t: A * omega * np.cos(omega * t)
    Q, logs, spent = np.eye(2), np.zeros(2), 0.0
    for k in range(count):
        height = lambda s, t=t, v=v: A * np.sin(omega * t) + v * s - 0.5 * G * s * s - A * np.sin(omega * (t + s))
        looks = np.linspace(0.0, 2.0 * (v + A * omega) / G + 0.1, 2001)[1:]
        j = int(np.argmax(height(looks) < 0.0))
        s = brentq(height, looks[j - 1], looks[j], xtol=1e-15, rtol=1e-15)
        closing = v - G * s - u(t + s)
        # 0 = u(t) dt + s dv + (v - g s)(dt' - dt) - u(t') dt'
        by_t, by_v = (v - G * s - u(t)) / closing, -s / closing
        rise = -(1.0 + e) * A * omega**2 * np.sin(omega * (t + s)) + e * G
        J = np.array([[by_t, by_v], [rise * by_t - e * G, rise * by_v - e]])
        Q, R = np.linalg.qr(J @ Q)
        t, v = t + s, (1.0 + e) * u(t + s) - e * (v - G * s) + kick
        if k >= skip:
            logs, spent = logs + np.log(np.abs(np.diag(R))), spent + s
    return logs / spent


@pytest.mark.parametrize("count", [3000, pytest.param(8000, marks=pytest.mark.slow)])
def test_a_chaotic_ball_and_resets_of_ones_own(count):
    """A table that kicks: it never comes to chatter. The same numbers from 200 s of the motion and from thousands of impacts of the map."""
    A, omega, e, kick = 0.02, 30.0, 0.5, 1.0
    system = Striker(A=A, omega=omega, e=e, g=G)

    def after(s, t, y):
        table = s.A * s.omega * np.cos(s.omega * t)
        return (y[0], table - s.e * (y[1] - table) + kick)

    hits = Reset(Event(lambda s, t, y: y[0] - s.A * np.sin(s.omega * t), "falling"), after)
    found = spectrum(system, {"x": 0.2, "v": 0.0}, 200.0, 200, resets=hits)
    expected = of_the_map(A, omega, e, kick, 0.0, 2.0, count, 100)
    assert found.values[0] > 10.0 * found.errors[0] > 0.0
    assert found.values == pytest.approx(expected, abs=4.0 * found.errors.max())
    assert found.divergence == pytest.approx(found.sum, rel=1e-9)
    assert found.sum == pytest.approx(expected.sum(), abs=6.0 * found.sum_error)


def test_volumes_of_an_oscillator_with_a_stop():
    """Damping and impacts: the sum is -c + 2 ln e for each impact, which SciPy counts."""
    s, until = Striker(A=0.0, omega=2.8, e=0.8, F=1.0, k=1.0, c=0.05, stop=-0.4), 60.0
    found = spectrum(s, [0.1, 0.3], until, 60, discard=0.0)
    stop = lambda t, y: y[0] - s.stop
    stop.terminal, stop.direction = True, -1.0
    t, y, count = 0.0, np.array([0.1, 0.3]), 0
    pull = lambda t, y: (y[1], s.F * np.cos(s.omega * t) - s.c * y[1] - s.k * y[0])
    while True:
        leg = solve_ivp(pull, (t, until), y, events=stop, rtol=1e-10, atol=1e-12, max_step=0.05)
        if leg.status != 1:
            break
        t, count = leg.t[-1], count + 1
        y = np.array([s.stop + 1e-13, -s.e * leg.y[1, -1]])
    assert count > 10
    assert found.sum == pytest.approx(-s.c + 2.0 * np.log(s.e) * count / until, abs=1e-8)
    assert found.divergence == pytest.approx(found.sum, abs=1e-9)


@pytest.mark.parametrize("until", [100.0, pytest.param(200.0, marks=pytest.mark.slow)])
def test_a_ball_without_loss_has_no_growth(until):
    """Neighbours of a ball on a table at rest part by their periods only: linearly, so that both exponents vanish as ln(T)/T; areas are kept."""
    system = Striker(e=1.0, g=G)
    found = spectrum(system, {"x": 0.3, "v": 0.0}, until, int(until / 2.0), discard=0.0)
    assert found.sum == pytest.approx(0.0, abs=1e-9)
    period = 2.0 * np.sqrt(0.6 / G)
    # after N periods the matrix is a shear: time slips by N dT, dT/dx = 1/(g t_fall), along the rate
    assert 0.0 < found.values[0] < 1.2 * np.log(until / period * G) / until


@pytest.mark.slow
def test_bodies_through_impacts():
    """Three ellipsoids that bounce, but not in a series that accumulates (its weak impacts are refused): the growth of (x, y, z) as a volume, against differences of whole motions by the event-driven method."""
    tried = 0
    for seed in range(60):
        system, start, until = drawn(seed)
        if system.e_N == 0.0:
            continue
        y0 = simulate(system, start, 1e-9, method="event-driven", at=[0.0]).y[0]
        base, way = motion(system, y0, until)
        if base is None or not 1 <= [name for name, _ in way].count("impact") <= 3 or tried == 3:
            continue
        columns = []
        for j in range(3):
            h = 2e-6 * np.eye(13)[j]
            ends = [motion(system, y0 + sign * h, until) for sign in (1.0, -1.0)]
            assert all(other == way for _, other in ends)
            columns.append((ends[0][0] - ends[1][0]) / 4e-6)
        volume = np.stack(columns, axis=1)
        logs, ends, _ = growth_in_modes(system, y0, until, 40, 1e-10, False)
        assert ends[-1] == pytest.approx(until)
        assert logs[:, :3].sum() == pytest.approx(0.5 * np.linalg.slogdet(volume.T @ volume)[1], abs=1e-6)
        tried += 1
    assert tried == 3


def test_what_is_refused_of_impacts():
    with pytest.raises(InputError, match="no Reset"):
        spectrum(Striker(), [0.3, 0.0], 10.0, 50, resets=3)
    with pytest.raises(InputError, match=r"accumulate"):
        spectrum(Striker(e=0.5, g=G), [0.3, 0.0], 10.0, 50)
    with pytest.raises(InputError, match="impacts"):
        largest_exponent(Striker(e=0.5, g=G), [0.3, 0.0], 10.0)
