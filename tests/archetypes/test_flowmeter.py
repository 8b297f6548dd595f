"""The flowmeter: its form for the solver, closed forms and the generic body agree; drag laws, units, motions through every change of mode."""

import base64
import warnings
from typing import NamedTuple

import numpy as np
import pytest
from flowmeter_bodies import generic_rates
from scipy.integrate import solve_ivp

from rollick import InputError, simulate
from rollick.analysis.filippov import compatibility, what_follows, what_next
from rollick.archetypes.flowmeter import Drag, Flow, FlowMeter, quadratic, schiller_naumann, stokes, swirl_speed
from rollick.archetypes.flowmeter.bifurcations import bifurcations
from rollick.archetypes.flowmeter.drag import drag_acceleration, overtaking, slope
from rollick.archetypes.flowmeter.engineering import flowmeter, swirl_of_blades
from rollick.archetypes.flowmeter.fields import MODES, carried, field, flowmeter_fields, normals
from rollick.archetypes.flowmeter.poses import axes_of
from rollick.archetypes.flowmeter.response import (
    answered,
    rolling_in_pulsation,
    settling_time,
    start_from_rest,
    stopping,
    time_constant,
)
from rollick.archetypes.flowmeter.thresholds import start_up, thresholds
from rollick.archetypes.flowmeter.trials import random_meter, random_trial
from rollick.kernel.system import validate
from rollick.mechanics.poses import matrices, poses
from rollick.motion.filippov.algebra.forces import ROLL, SLIP
from rollick.motion.filippov.instant import Contacts
from rollick.motion.methods import EventDriven
from rollick.view.frames import frames_of
from rollick.view.page import contact_modes, page_data

REAL = {"drag": "schiller-naumann"}


class OwnDrag(NamedTuple):
    """A drag law of a user: D = c w (1 + b w^2)."""

    c: float
    b: float


@drag_acceleration.register(OwnDrag)
def _(law, w):
    return law.c * w * (1.0 + law.b * w * w)


def states(rng, mode, count):
    """Random states of a mode."""
    for x in rng.uniform(-0.6, 0.6, (count, 4)):
        if mode[0] == "R":
            x[[0, 2]] = 0.0
        if mode[1] == "R":
            x[[1, 2]] = 0.0
        yield x


@pytest.mark.parametrize("mode", MODES)
def test_the_form_of_the_solver_is_the_closed_form(mode):
    """x' and the normal forces, 60 random meters and states of each mode, to 1e-12 of their size."""
    rng = np.random.default_rng(11)
    modes = tuple(ROLL if letter == "R" else SLIP for letter in mode)
    for x in states(rng, mode, 60):
        meter = random_meter(rng)._replace(flow=Flow(float(rng.uniform(0.0, 1.0))))
        made = Contacts(meter, 4).rates(0.0, x, modes)
        exact = field(meter, mode, x)
        # large terms cancel where normal forces are large beside gravity
        size = np.abs(exact).max() + meter.g + x[3] ** 2 / meter.d
        assert np.abs(made - exact).max() < 1e-12 * size * max(1.0, 1.0 / meter.j) ** 2


@pytest.mark.parametrize("mode", MODES)
def test_the_generic_body_between_floor_and_cylinder_accelerates_alike(mode):
    """Geometry, curvatures and Newton-Euler's equations of `dual_point` against (4.22): accelerations and forces to 1e-11."""
    rng = np.random.default_rng(12)
    for x in states(rng, mode, 12):
        meter = flowmeter(mu=float(rng.uniform(0.05, 0.6)), j=float(rng.uniform(0.3, 0.66)), swirl=float(rng.uniform(0, 1)))
        rates, made = generic_rates(meter, mode, x)
        exact = field(meter, mode, x)
        assert np.abs(rates - exact).max() < 1e-11 * np.abs(exact).max()
        if mode != "RR":
            np.testing.assert_allclose(made.forces[:, 0] / meter.m, normals(meter, mode, x), rtol=1e-11)


def test_the_four_fields_belong_together():
    """Definition 3.2, with drag that is not linear too."""
    rng = np.random.default_rng(13)
    for meter in (flowmeter(), flowmeter(mu=0.35, swirl=0.4, **REAL)):
        found = compatibility(flowmeter_fields(meter), rng.uniform(-0.6, 0.6, (20, 4)))
        assert set(found.differences) == {"SS on SR", "SS on RS", "SR on RR", "RS on RR"}
        assert max(found.differences.values()) < 1e-10


def test_energy_changes_by_drag_and_friction_alone():
    """E' = m D v - mu N |u| at both contacts, along a motion that slips at both, then rolls at one."""
    meter = flowmeter(mu=0.2, swirl=0.3, **REAL)
    motion = simulate(meter, [0.2, -0.1, 0.15, 0.3], 0.2, rtol=1e-11, dense=True, progress=False)
    last = motion.events[0].t if motion.events else 0.2
    t = np.linspace(0.0, 0.95 * last, 4001)
    y = motion.at(t)
    power = [
        meter.m
        * (
            x[3] * float(carried(meter, x[3]))
            - meter.mu * sum(n * np.hypot(u, x[2]) for n, u in zip(normals(meter, "SS", x), x[:2]))
        )
        for x in y
    ]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (np.array(power)[1:] + np.array(power)[:-1]) * np.diff(t))])
    energy = motion.at(t, "energy")
    np.testing.assert_allclose(energy - energy[0], work, atol=1e-6 * energy[0])


def test_start_up_goes_over_to_rolling_where_scipy_says():
    """RS and RR in closed form by SciPy against the solver, drag of Schiller and Naumann."""
    meter = flowmeter(**REAL)
    made = start_from_rest(meter, 20.0, rtol=1e-10)
    assert [mode for mode, _ in made.modes] == ["RS", "RR"]
    rate = lambda t, x: field(meter, "RS", np.array([0.0, max(x[0], 1e-300), 0.0, x[1]]))[[1, 3]]
    ends = lambda t, x: x[0] if t > 1e-3 else 1.0
    ends.terminal = True
    other = solve_ivp(rate, (0.0, 20.0), [1e-18, 0.0], method="DOP853", rtol=1e-11, atol=1e-15, events=ends)
    assert made.modes[1][1] == pytest.approx(other.t[-1], abs=1e-6)
    rest = solve_ivp(
        lambda t, v: [field(meter, "RR", [0, 0, 0, v[0]])[3]], (other.t[-1], 20.0), [other.y[1, -1]], rtol=1e-10, atol=1e-13
    )
    assert made.final == pytest.approx(rest.y[0, -1], abs=1e-8)
    band = start_up(meter, 0.15)
    assert band.first == "RS"
    assert other.y[1, -1] > band.rolls_from > band.wedged_from


def test_stiff_slip_of_both_contacts_ends_where_scipy_ends():
    """A ball that slips slowly at both contacts, its direction slaved: Newton's method for all unknowns of a step, against SciPy's Radau on the closed form."""
    meter = FlowMeter(
        r=0.00207,
        d=0.00583,
        m=1.665e-4,
        j=0.4,
        g=7.617,
        mu=0.01324,
        drag=Drag(c=1.0327, a=0.0, p=0.687, q=0.0),
        flow=Flow(v_f=0.687),
    )
    start = np.array([0.58004, 1e-7, 0.0022, 0.59992])
    made = simulate(meter, start, 1.5, method="event-driven", rtol=1e-9, at=[1.5], progress=False)
    assert [mode for mode, _ in made.provenance["methods"]] == ["SS"]
    other = solve_ivp(lambda t, x: field(meter, "SS", x), (0.0, 1.5), start, method="Radau", rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(
        [float(made.data[name].values[-1]) for name in ("u1p", "u1m", "u2", "v")], other.y[:, -1], rtol=2e-8, atol=1e-11
    )


def test_a_ball_without_slip_in_the_band_may_roll_or_slip_and_else_not():
    """Every state of the band has both futures; outside there is one."""
    meter = flowmeter()
    band = start_up(meter, 0.15)
    for v in np.linspace(band.wedged_from, band.rolls_from, 42)[1:-1]:
        assert sorted(f.letters for f in what_follows(meter, [0, 0, 0, v])) == ["RR", "RS"]
    assert [f.letters for f in what_follows(meter, [0, 0, 0, 0.99 * band.wedged_from])] == ["RS"]
    assert [f.letters for f in what_follows(meter, [0, 0, 0, 1.01 * band.rolls_from])] == ["RR"]


def test_stopping_ends_spinning_on_one_spot():
    """X_RS: once the fluid rests, the ball slows down, and a spin about the vertical is left that nothing takes."""
    made = stopping(flowmeter(**REAL), 0.2, 40.0)
    assert made.modes[-1][0] == "RS"
    last = made.motion.end_state
    assert abs(last[1]) > 0.05
    assert 0.0 < last[3] < 1e-3
    np.testing.assert_allclose(last[[0, 2]], 0.0, atol=1e-12)


def test_rolling_that_may_also_slip_is_told_or_goes_on_as_one_likes():
    """Driven hard with mu > j, a rolling ball comes into a second band: Proposition 3.3 has SR, but forces of rolling exist."""
    fast = flowmeter(mu=0.5, swirl=0.7, **REAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stopped = simulate(fast, [0, 0, 0, 0], 60.0, at=[0.0, 0.5, 0.75, 60.0], progress=False)
        assert stopped.status == "ambiguous"
        assert what_next(flowmeter_fields(fast), [0, 0, 0, stopped.end_state[3]]).modes == ("RR", "SR")
        assert simulate(fast, [0, 0, 0, 0], 60.0, ambiguous="roll", progress=False).status == "contact_loss"


def test_the_floor_loses_the_ball_by_name():
    """Friction above j, a swirl beyond sqrt(g d/j): N+ vanishes, and the motion ends as contact_loss, from all sides of X_SR's slow way."""
    fast = flowmeter(mu=0.5, swirl=0.7, **REAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert start_from_rest(fast, 60.0).motion.status == "contact_loss"
        wall = flowmeter(swirl=1.5, **REAL)
        for share in (0.9, 0.95, 1.0, 1.01, 1.1):
            assert simulate(wall, [1.1 * share, 0.0, 0.0, 1.2], 20.0, progress=False).status == "contact_loss"
    above = simulate(wall, [1.6 - wall.g * wall.d / (wall.j * 1.6) + 0.01, 0.0, 0.0, 1.6], 20.0, progress=False)
    assert above.status == "finished"


def test_pulsation_is_that_of_a_first_order_lag_while_drag_is_linear():
    meter, f = flowmeter(), 0.02
    made = rolling_in_pulsation(meter, 0.15, 0.05, f)
    lag = 2 * np.pi * f * time_constant(meter)
    assert made.gain == pytest.approx(1.0 / np.hypot(1.0, lag), rel=1e-5)
    assert made.lag == pytest.approx(np.arctan(lag), rel=1e-5)
    assert made.margin > 0.0
    motion = answered(meter._replace(flow=Flow(0.15, amplitude=0.05, frequency=f)), [0, 0, 0, 0.15], 800.0)
    assert {mode for mode, _ in motion.modes} == {"RR"}
    late = motion.motion.t > 750.0
    swing = 0.5 * np.ptp(motion.motion["v"][late])
    assert swing == pytest.approx(0.05 * made.gain, rel=2e-3)
    assert settling_time(meter, 0.1) == pytest.approx(time_constant(meter) * np.log(100.0), rel=1e-9)


def test_drag_laws_are_their_drag_coefficients():
    """F = C rho_f pi r^2 w^2/2 over the mass; C = 24/Re, 0.44, 24/Re (1 + 0.15 Re^0.687)."""
    r, ratio, nu = 0.004, 0.3, 2e-6
    for w in (1e-5, 1e-3, 0.03, 0.2, -0.2):
        re = 2 * r * abs(w) / nu
        force = lambda C, w=w: C * 0.375 * ratio * w * abs(w) / r
        assert drag_acceleration(stokes(r, ratio, nu), w) == pytest.approx(force(24 / re), rel=1e-13)
        assert drag_acceleration(quadratic(r, ratio), w) == pytest.approx(force(0.44), rel=1e-13)
        wanted = max(24 / re * (1 + 0.15 * re**0.687), 0.44)
        assert drag_acceleration(schiller_naumann(r, ratio, nu), w) == pytest.approx(force(wanted), rel=1e-13)
    law = schiller_naumann(r, ratio, nu)
    for w in (1e-8, 1e-4, 0.07, 3.0, -0.5):
        assert overtaking(law, float(drag_acceleration(law, w))) == pytest.approx(w, rel=1e-12)
        h = 1e-6 * abs(w)
        near = (drag_acceleration(law, w + h) - drag_acceleration(law, w - h)) / (2 * h)
        assert slope(law, w) == pytest.approx(near, rel=1e-6)
    assert slope(quadratic(r, ratio), 0.0) == 0.0


def test_a_law_of_ones_own_moves_the_fold_alone():
    """Thresholds of rolling do not depend on drag; the fold does; the bifurcations are found."""
    plain, own = flowmeter(), flowmeter(drag=OwnDrag(flowmeter().drag.c, 0.3))
    assert thresholds(own) == thresholds(plain)
    assert [b.name for b in bifurcations(own)] == ["P3", "NF2", "F"]
    assert bifurcations(own)[-1].v_f < bifurcations(plain)[-1].v_f
    assert overtaking(own.drag, float(drag_acceleration(own.drag, 0.7))) == pytest.approx(0.7, rel=1e-12)


@pytest.mark.slow
def test_a_law_of_ones_own_compiles():
    """The same numbers as the built-in law, and a faster start with more drag."""
    c = flowmeter().drag.c
    plain, same, more = (
        simulate(flowmeter(drag=law), [0, 0, 0, 0], 30.0, progress=False) for law in ("stokes", OwnDrag(c, 0.0), OwnDrag(c, 50.0))
    )
    np.testing.assert_allclose(same.end_state, plain.end_state, rtol=1e-9, atol=1e-15)
    assert more.end_state[3] > plain.end_state[3]


def test_flows_rise_and_pulsate():
    flow = Flow(0.1, 0.2, 1.0, 0.5, 0.03, 2.0)
    assert swirl_speed(flow, 0.0) == pytest.approx(0.1)
    assert swirl_speed(flow, 1.25) == pytest.approx(0.2, abs=1e-12)  # half of the step; sin(5 pi) = 0
    assert swirl_speed(flow, 9.125) == pytest.approx(0.33)
    t = np.linspace(0.9, 1.6, 701)
    assert np.all(np.diff([swirl_speed(flow._replace(amplitude=0.0), s) for s in t]) >= 0.0)


def test_units_and_the_data_sheet():
    meter = flowmeter("2 cm", "22cm", "1.16 g/cm^3", 1000, viscosity="0.001 Pa s", swirl="15 cm/s")
    assert meter.r == pytest.approx(0.01)
    assert meter.d == pytest.approx(0.1)
    assert meter.g == pytest.approx(1.3531, abs=5e-5)
    assert meter.drag.c == pytest.approx(0.03879, abs=5e-6)
    assert meter.flow.v_f == pytest.approx(0.15)
    per = swirl_of_blades("20 cm^2", "45deg")
    assert flowmeter(flow_rate="18 dm^3/min", swirl_per_flow=per).flow.v_f == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"ball_diameter": "25cm"}, "the ball does not fit"),
        ({"fluid_density": 1200}, "the ball floats"),
        ({"ball_diameter": "3 kg"}, "ball_diameter is measured in m"),
        ({"mu": 0.0}, "mu = 0.0 must be above zero"),
        ({"j": 0.7}, "j = 0.7 of FlowMeter must not exceed 2/3"),
        ({"viscosity": 1e-3, "nu": 1e-6}, "keep one"),
        ({"flow_rate": 1e-3}, "give swirl_per_flow too"),
        ({"flow_rate": 1e-3, "swirl": 0.1}, "keep one"),
        ({"drag": "newton"}, "unknown drag law"),
        ({"rise": 0.0}, "rise = 0.0 must be above zero"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(given, sentence):
    with pytest.raises(InputError, match=sentence):
        flowmeter(**given)


def test_bad_meters_are_refused():
    for meter, sentence in (
        (FlowMeter(g=-1.0), "g = -1.0"),
        (FlowMeter(drag=Drag(0.0)), "no drag"),
        (FlowMeter(flow=Flow(float("nan"))), "v_f = nan"),
        (FlowMeter(drag=Drag(-1.0)), "c = -1.0"),
    ):
        with pytest.raises(InputError, match=sentence):
            validate(meter)


def test_the_ball_goes_round_and_turns():
    """A rolling ball: its centre on the circle, its lowest point and its outermost one at rest."""
    meter = flowmeter()
    t = np.linspace(0.0, 0.3, 3001)
    placed = poses(meter, t, np.tile([0.0, 0.0, 0.0, 0.2], (3001, 1)), None)
    np.testing.assert_allclose(np.hypot(placed.centre[:, 0], placed.centre[:, 1]), meter.d, rtol=1e-12)
    np.testing.assert_allclose(placed.centre[:, 2], meter.r)
    np.testing.assert_allclose(axes_of(np.zeros(1))[0], [[-1, 0, 0], [0, 0, 1], [0, 1, 0]])
    R = matrices(placed.attitude)
    k, h = 1500, t[1] - t[0]
    spin = (R[k + 1] @ R[k - 1].T - R[k - 1] @ R[k + 1].T) / (4 * h)
    omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
    v = (placed.centre[k + 1] - placed.centre[k - 1]) / (2 * h)
    out = placed.centre[k] * [1, 1, 0] / meter.d
    for arm in (np.array([0, 0, -meter.r]), meter.r * out):
        assert np.abs(v + np.cross(omega, arm)).max() < 2e-4 * np.linalg.norm(v)


def test_the_page_shows_both_contacts_and_what_they_do():
    """P- on the wall beside the ball, the vessel's circles, and a mode for each contact and frame: slip ends where the motion says."""
    meter = flowmeter(**REAL)
    motion = simulate(meter, [0, 0, 0, 0], 6.0, dense=True, progress=False)
    frames = frames_of(motion)
    wall = frames.poses.second
    np.testing.assert_allclose(np.hypot(wall[:, 0], wall[:, 1]), meter.d + meter.r)
    np.testing.assert_allclose(np.linalg.norm(wall - frames.poses.centre, axis=1), meter.r)
    assert [len(line) for line in frames.poses.outline] == 3 * [181] + 12 * [2]  # circles, and lines up the wall
    modes = contact_modes(motion, frames.t)
    stick = motion.events[0].t
    assert np.all(modes[:, 0] == 2)
    np.testing.assert_array_equal(modes[:, 1], np.where(frames.t < stick, 1, 2))
    data = page_data(motion, frames, None, 12)
    assert data["contacts"] == 2
    assert len(base64.b64decode(data["modes"])) == 2 * len(frames.t)
    assert len(base64.b64decode(data["second"])) == 12 * len(frames.t)


def ended(seeds):
    """How random meters and starts end; every mode is one of the four, every number finite."""
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            trial = random_trial(np.random.default_rng(seed))
            motion = simulate(trial.meter, trial.start, min(trial.until, 10.0), progress=False)
            assert motion.status in ("finished", "contact_loss", "ambiguous"), (seed, motion.message)
            assert np.all(np.isfinite(motion.y))
            assert all(set(mode) <= set("SR") for mode, _ in motion.provenance["methods"])
            found.append(motion.status)
    return found


def test_some_random_starts_finish_or_end_by_name():
    found = ended([3, 4, 5, 7, 11, 13, 20, 31])
    assert found.count("finished") == 7
    assert found[6] == "contact_loss"


@pytest.mark.slow
def test_random_starts_over_the_physical_range_finish_or_end_by_name():
    found = ended(range(200))
    assert found.count("finished") > 160


def test_slip_does_not_end_across_a_period_of_the_flow():
    """A slip that comes and goes with the flow: at both ends of a period its rate is the same, and only a look in between tells that it does not stop."""
    drag = Drag(c=0.07056223760781669, a=0.0, p=0.687, q=1.788135495033722)
    flow = Flow(v_f=0.0, amplitude=0.048967977520701325, frequency=3.0)
    meter = FlowMeter(
        r=0.00873338867886058, d=0.1038107004116272, m=0.005, g=0.8562578138340182, mu=0.03264266570577683, drag=drag, flow=flow
    )
    for rtol in (1e-5, 2e-5, 1e-9):
        motion = simulate(
            meter, [0, 0, 0, 0.06290962461780597], 6.891434244066836, method=EventDriven(rtol=rtol, ambiguous="roll")
        )
        assert [name for name, _ in motion.provenance["methods"]] == ["RR", "RS"]
        assert motion.end_state[3] == pytest.approx(0.0363667, abs=1e-5)


def test_a_flow_that_begins_at_zero():
    motion = simulate(FlowMeter(flow=Flow(v_f=0.0, amplitude=0.2, frequency=1.0)), np.zeros(4), 3.0)
    assert motion.status == "finished"
