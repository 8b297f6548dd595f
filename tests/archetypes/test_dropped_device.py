"""The dropped device: impacts and displacements against an independent integration, limits, symmetries, the published scheme, the checks."""

import json
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from typer.testing import CliRunner

from rollick import InputError
from rollick.archetypes.dropped_device import (
    chatter_boundary,
    device,
    drop,
    physical_device,
    shock_map,
    trajectory,
    with_frequency,
)
from rollick.archetypes.dropped_device.impact import both_ends
from rollick.archetypes.dropped_device.maps import finished, span
from rollick.archetypes.dropped_device.model import MODEL
from rollick.archetypes.dropped_device.oscillator import first_turn, free_response, reference_peak, resting_peak
from rollick.archetypes.dropped_device.sequence import SLIP
from rollick.archetypes.dropped_device.slip import LIFT_OFF, OTHER_END, Slip, slide
from rollick.cli.drop import drop_app
from rollick.studies.drop_test.judge import judge
from rollick.studies.drop_test.judge import rate as judged_rate

CASES = [
    (1 / 3, 1 / 3, 0.0, 1.0, 10.0, 0.7),
    (2 / 3, 2 / 3, 0.4, 0.3, 3.0, 0.7),
    (0.9, 0.8, -0.7, 3.0, 5.0, 1.3),
    (0.2, 0.6, 1.0, 0.5, 20.0, 1.45),
]


@pytest.mark.parametrize(
    ("case", "centrifugal"),
    [
        pytest.param(case, centrifugal, marks=() if centrifugal == (k % 2 == 0) else pytest.mark.slow)
        for centrifugal in (True, False)
        for k, case in enumerate(CASES)
    ],
)
def test_impacts_and_displacement_against_an_independent_integration(case, centrifugal):
    rho, gamma, r, alpha, d, phi0 = case
    dev = device(rho, gamma, r, alpha, d)
    ours = drop(dev, phi0, 10.0, centrifugal=centrifugal, max_impacts=6, report=False)
    told = judge(rho, gamma, r, dev.Omega, dev.delta, phi0, centrifugal=centrifugal, most=6)
    assert ours.status == "max_impacts"
    np.testing.assert_allclose(ours.impact_log[:, 0], [i[0] for i in told.impacts], rtol=1e-9)
    assert ours.impact_log[:, 1].tolist() == [i[1] for i in told.impacts]
    np.testing.assert_allclose(ours.impact_log[:, 2], [i[2] for i in told.impacts], rtol=1e-7)
    assert ours.peak == pytest.approx(told.peak, rel=1e-7)


@pytest.mark.parametrize(
    ("delta", "K"), [(0.3, 4.0), (2.0, 4.0), (2.0 + 1e-9, 4.0), (5.0, 4.0), (0.3, 0.0), (0.3, -3.0), (0.0, 4.0), (2.0, 4.0001)]
)
def test_free_response_and_its_turns(delta, K):
    for u, du in ((1.0, 0.5), (0.0, -1.0), (-0.3, 2.0), (1.0, -6.0)):
        exact = solve_ivp(
            lambda t, y: [y[1], -2 * delta * y[1] - K * y[0]],
            (0, 5),
            [u, du],
            "DOP853",
            rtol=1e-13,
            atol=1e-14,
            dense_output=True,
        )
        for s in (1e-3, 0.5, 5.0):
            np.testing.assert_allclose(free_response(s, u, du, delta, K), exact.sol(s), rtol=1e-9, atol=1e-10)
        turn = first_turn(u, du, delta, K)
        fine = np.linspace(1e-6, 5.0, 20001)
        slope = exact.sol(fine)[1]
        crossings = fine[1:][slope[1:] * slope[:-1] < 0.0]
        if crossings.size:
            assert turn == pytest.approx(crossings[0], abs=6e-4)
            assert abs(exact.sol(turn)[1]) < 1e-8
        else:
            assert turn > 5.0


@pytest.mark.parametrize("count", [40_001, pytest.param(200_001, marks=pytest.mark.slow)])
def test_reference_and_ring_down(count):
    for dev in (device(alpha=0.3, d=2.0), device(alpha=1.0, d=2.0), device(alpha=3.0, d=2.0)):
        t = np.linspace(0.0, 20.0, count)
        u = [free_response(s, 0.0, math.sqrt(20.0), dev.delta, dev.Omega**2)[0] for s in t]
        assert reference_peak(math.sqrt(20.0), dev.delta, dev.Omega) == pytest.approx(np.abs(u).max(), rel=1e-6)
        for start in ((0.1, -2.0), (-0.4, 3.0), (0.0, 0.01)):
            K, load = dev.Omega**2, -1.0
            u = [load / K + free_response(s, start[0] - load / K, start[1], dev.delta, K)[0] for s in t]
            assert resting_peak(*start, load, dev.delta, K)[0] == pytest.approx(np.abs(u).max(), rel=1e-6)
    assert reference_peak(2.0, 1.0, 1.0) == pytest.approx(2.0 / math.e, rel=1e-14)


@pytest.mark.parametrize(
    ("phi", "w", "sigma", "why"), [(0.8, -0.5, -1.0, OTHER_END), (1.2, 0.9, -1.0, OTHER_END), (-0.6, 0.3, 1.0, OTHER_END), (0.9, 1.1, -1.0, LIFT_OFF)]
)  # fmt: skip
def test_slip_against_multipliers(phi, w, sigma, why):
    rho, r, Omega, delta = 0.4, 0.6, 7.0, 2.0
    y = np.array([phi, w, 0.1, -0.3])
    s = Slip(rho * rho, r, Omega**2, delta, 1.0, sigma, 1.0)
    told, duration, peak, _ = slide(s, y, 50.0, 0.1)
    assert told == why
    held = 0 if sigma > 0 else 1
    start = [-sigma * math.sin(phi), phi, 0.1, -sigma * w * math.cos(phi), w, -0.3]
    full = solve_ivp(
        judged_rate,
        (0, duration),
        start,
        "DOP853",
        rtol=1e-12,
        atol=1e-14,
        args=(rho, r, Omega, delta, 1.0, held),
        t_eval=np.linspace(0, duration, 4001),
    )
    end = full.y[:, -1]
    np.testing.assert_allclose(y, end[[1, 4, 2, 5]], rtol=1e-8, atol=1e-9)
    assert peak == pytest.approx(np.abs(full.y[2]).max(), rel=1e-5)
    other = -2 * sigma * math.sin(y[0])
    force = 1.0 + sigma * y[1] ** 2 * math.sin(y[0])
    assert abs(other if why == OTHER_END else force) < 1e-11
    energy = 0.5 * y[1] ** 2 * (rho**2 + math.cos(y[0]) ** 2) - sigma * math.sin(y[0])
    assert energy == pytest.approx(0.5 * w**2 * (rho**2 + math.cos(phi) ** 2) - sigma * math.sin(phi), abs=1e-12)


def test_a_flat_drop_with_chatter_is_the_reference_motion():
    """phi = 0 and full chatter: the rod stops at once, so that R = 1 exactly."""
    for rho, gamma in ((0.2, 0.1), (0.3, 0.2), (0.05, 0.6)):
        assert rho < (1 - math.sqrt(gamma)) / (1 + math.sqrt(gamma))
        found = drop(device(rho, gamma), 0.0, 10.0)
        assert pytest.approx(1.0, abs=1e-8) == found.R
        assert found.status == "rested"


def test_one_bounce_of_a_flat_rod_with_simultaneous_impacts():
    """Both ends at once: the rod does not turn, and bounces like a ball, v -> -gamma v."""
    found = drop(device(0.5, 0.6), 0.0, 10.0, simultaneous="simultaneous", report=False)
    times = np.unique(found.impact_log[:, 0])
    v = math.sqrt(20.0)
    np.testing.assert_allclose(np.diff(times)[:8], 2 * v * 0.6 ** np.arange(1, 9), rtol=1e-9)
    assert np.all(found.impact_log[:, 8] == 1.0)
    assert abs(found.at([found.t])[0, 1]) < 1e-12


def test_complementarity_never_adds_energy():
    rng = np.random.default_rng(5)
    for _ in range(500):
        gamma, rho2, c = rng.uniform(0, 1), rng.uniform(0.01, 1), rng.uniform(-1, 1)
        v = -rng.uniform(0, 1, 2)
        p = np.array(both_ends(gamma, rho2, c, *v))
        a, b = 1 + c * c / rho2, 1 - c * c / rho2
        G = np.array([[a, b], [b, a]])
        after = v + G @ p
        assert np.all(p >= 0)
        assert np.all(after + gamma * v >= -1e-12)
        assert abs(p @ (after + gamma * v)) < 1e-12
        assert 0.5 * (v + after) @ p <= 1e-12


def test_mirror_symmetry_and_half_turns():
    """phi -> -phi with r -> -r is a reflection; phi -> phi + pi with r -> -r turns the rod end for end."""
    for phi in (0.3, 1.2):
        one = drop(device(0.6, 0.5, 0.7), phi, report=False)
        for same in (drop(device(0.6, 0.5, -0.7), -phi, report=False), drop(device(0.6, 0.5, -0.7), phi + math.pi, report=False)):
            assert pytest.approx(one.R, rel=1e-7) == same.R
            n = 12
            np.testing.assert_allclose(same.impact_log[:n, 0], one.impact_log[:n, 0], rtol=1e-9)


@pytest.mark.parametrize("simultaneous", ["sequential", "simultaneous"])
def test_checks_over_many_drops(simultaneous):
    rng = np.random.default_rng(1)
    slips = 0
    for _ in range(60):
        dev = device(rng.uniform(0.05, 1.0), rng.uniform(0.0, 0.9), rng.uniform(-1, 1), 1.0, 10.0)
        found = drop(
            dev, rng.uniform(0.0, 1.57), rng.uniform(1.0, 20.0), simultaneous=simultaneous, report=False, centrifugal=False
        )
        assert found.complete, found.message
        assert found.impact_log[-1, 5] < 1e-6
        assert max(found.checks.values()) < 1e-10, found.checks
        assert np.all(np.diff(found.impact_log[:, 0]) >= 0.0)
        slips += int(np.sum(found.phase_log[:, 0] == SLIP))
        states = found.at(np.sort(rng.uniform(0.0, found.t, 400)))
        assert (states[:, 0] - np.abs(np.sin(states[:, 1]))).min() > -1e-9  # never below the floor
        assert np.abs(states[:, 4]).max() <= found.peak * (1 + 1e-9)
    assert slips > 20


def test_supremum_is_not_sampled():
    found = drop(device(0.5, 0.6, 0.8, 0.1, 1.0), 1.1, report=False)
    fine = found.at(np.linspace(0.0, found.t + 5.0, 400_001))[:, 4]
    assert np.abs(fine).max() <= found.peak * (1 + 1e-12)
    assert np.abs(fine).max() == pytest.approx(found.peak, rel=1e-6)
    there = found.at([found.peak_time])[0, 4]
    assert abs(there) == pytest.approx(found.peak, rel=1e-9)


def test_convergence_report():
    good = drop(device(1 / 3, 1 / 3, 0.0, 1.0, 1.0), math.pi / 4)
    assert good.convergence.converged
    assert good.convergence.digits > 8
    assert 1e-9 < good.convergence.settles <= 1e-2
    merged = drop(device(1 / 3, 1 / 3, 0.0, 1.0, 1000.0), math.pi / 40, scheme="thesis", eps=5e-3)
    assert not merged.convergence.converged
    assert any("depends on the tolerance" in w for w in merged.warnings)
    fine = drop(device(1 / 3, 1 / 3, 0.0, 1.0, 1000.0), math.pi / 40, scheme="thesis", eps=1e-9)
    exact = drop(device(1 / 3, 1 / 3, 0.0, 1.0, 1000.0), math.pi / 40)
    assert pytest.approx(exact.R, rel=1e-7) == fine.R  # both schemes have the same limit


def test_centrifugal_instability_is_announced():
    found = drop(device(2 / 3, 2 / 3, 0.0, 1.0, 1.0), math.pi / 4, report=False)
    assert any("faster than the oscillator" in w for w in found.warnings)
    assert found.R > 10.0 * drop(device(2 / 3, 2 / 3, 0.0, 1.0, 1.0), math.pi / 4, report=False, centrifugal=False).R


def test_stop_at_a_simultaneous_impact():
    found = drop(device(0.4, 0.4, 0.5), 0.3, simultaneous="stop", report=False)
    assert found.status == "simultaneous_impact"
    assert found.complete
    flat = drop(device(0.4, 0.4), 0.0, simultaneous="stop", report=False)
    assert flat.t == pytest.approx(math.sqrt(20.0), rel=1e-14)
    chatter = drop(device(0.2, 0.1), 0.02, simultaneous="stop", report=False)
    assert chatter.status == "rested"  # alternating impacts are not simultaneous


def test_physical_units():
    dev, h0, scales = physical_device("10cm", None, "2cm", 150.0, 0.05, 0.4, "1.2m")
    assert h0 == pytest.approx(12.0)
    assert dev.rho == pytest.approx(1 / math.sqrt(3))
    assert dev.r == pytest.approx(0.2)
    assert dev.alpha == pytest.approx(0.05)
    assert dev.Omega / scales.time == pytest.approx(2 * math.pi * 150.0)
    assert device(0.5, 0.5, 0, 3.0, 7.0).d == pytest.approx(7.0, rel=1e-13)
    assert with_frequency(0.5, 0.5, zeta=0.0).delta == 0.0
    for bad in (dict(half_length=-1), dict(gyration="20cm"), dict(position="11cm"), dict(frequency=0.0), dict(restitution=1.2)):
        with pytest.raises(InputError):
            physical_device(**bad)


def test_bad_input_is_refused():
    for bad in (dict(rho=0.0), dict(rho=1.1), dict(gamma=-0.1), dict(r=2.0), dict(alpha=0.0), dict(d=-1.0)):
        with pytest.raises(InputError):
            device(**bad)
    for bad in (
        dict(h0=0.5, phi0=1.0),
        dict(eps=1.0),
        dict(scheme="exakt"),
        dict(simultaneous="both"),
        dict(until=-1.0),
        dict(ringdown="x"),
    ):
        with pytest.raises(InputError):
            drop(device(), **bad)


def test_result_speaks(tmp_path):
    found = drop(device(0.5, 0.4, 0.3), "30deg")
    assert "R_Goyal" in found.summary()
    json.dumps(found.as_dict(), allow_nan=False)
    found.to_netcdf(tmp_path / "drop.nc")
    found.plot(path=tmp_path / "drop.png")
    assert (tmp_path / "drop.png").stat().st_size > 10_000
    data = found.data
    assert data["impact_t"].size == len(found.impact_log)
    assert np.all(np.diff(data["t"].values) >= 0.0)
    from_cli = MODEL.run(MODEL.make(rho="0.5", gamma="0.4", r="0.3"), {"phi": "30deg"}, None)
    assert from_cli.R == found.R
    with pytest.raises(InputError):
        MODEL.run(MODEL.make(), {"angle": 1.0}, None)


def test_a_map_is_the_drops(tmp_path):
    axis = [0.2, 0.6, 0.9]
    found = shock_map(axis, [0.1, 0.5], phi0=[0.2, 0.9], centrifugal=False, store=tmp_path / "map.nc", progress=False)
    for i, rho in enumerate(axis):
        for j, gamma in enumerate((0.1, 0.5)):
            both = [drop(device(rho, gamma), phi, centrifugal=False, report=False, eps=1e-7) for phi in (0.2, 0.9)]
            assert found["R"].values[i, j] == max(b.R for b in both)
            assert found["R_goyal"].values[i, j] == max(b.R_goyal for b in both)
    again = shock_map(axis, [0.1, 0.5], phi0=[0.2, 0.9], centrifugal=False, store=tmp_path / "map.nc", progress=False)
    assert again["R"].equals(found["R"])
    with pytest.raises(InputError):
        shock_map(axis, [0.1, 1.5])
    assert chatter_boundary(0.0) == 1.0
    assert chatter_boundary(1.0) == 0.0


def test_no_rebound_and_extreme_starts():
    """gamma = 0 slips at once; drops at 0, 90 and 180 degrees, and all but, come to rest under every rule."""
    for rho, gamma in ((0.3, 0.0), (1.0, 0.0), (1.0, 0.5), (0.02, 0.1)):
        for phi in (0.0, 1e-12, 0.5 * math.pi - 1e-9, 0.5 * math.pi, math.pi, 5.0):
            for rule in ("sequential", "simultaneous", "stop"):
                found = drop(device(rho, gamma), phi, simultaneous=rule, report=False)
                assert found.complete, found.message
                assert max(found.checks.values()) < 1e-10
    elastic = drop(device(0.5, 1.0), 0.3, max_impacts=300, report=False)
    assert elastic.status == "max_impacts"
    assert not elastic.complete
    assert elastic.impact_log[-1, 5] == pytest.approx(10.0, rel=1e-11)


def test_a_long_drop_is_sampled_in_one_call(monkeypatch):
    found, calls, sampled = drop(device(0.5, 1.0), 0.3, max_impacts=300, report=False), [], trajectory.all_phases
    monkeypatch.setattr(trajectory, "all_phases", lambda *args: calls.append(sampled(*args)))
    states = found.at(found.phase_log[:, 1])  # where phases begin, their states are in the log
    assert len(calls) == 1
    assert np.array_equal(states[:, [0, 2, 3, 4, 5]], found.phase_log[:, [4, 7, 8, 9, 10]])


def test_command_line(tmp_path):
    runner = CliRunner()
    told = runner.invoke(drop_app, ["test", "--json"])
    assert told.exit_code == 0
    assert json.loads(told.stdout)["R"] == drop(device(), "45deg").R
    wrote = runner.invoke(
        drop_app, ["device", "--angle", "20deg", "--out", str(tmp_path / "a.nc"), "--plot", str(tmp_path / "a.png")]
    )
    assert wrote.exit_code == 0
    assert (tmp_path / "a.nc").exists()
    assert (tmp_path / "a.png").exists()
    options = [
        "--size",
        "3",
        "--angle",
        "0.2",
        "--no-centrifugal",
        "--store",
        str(tmp_path / "m.nc"),
        "--plot",
        str(tmp_path / "m.png"),
    ]
    assert runner.invoke(drop_app, ["map", *options]).exit_code == 0
    assert "wrote" in runner.invoke(drop_app, ["map", *options]).stdout  # resumed
    assert isinstance(runner.invoke(drop_app, ["test", "--rho", "2"]).exception, InputError)
    endless = runner.invoke(drop_app, ["test", "--gamma", "1"])
    assert endless.exit_code == 1
    assert "gave up after 100000 impacts" in endless.stderr
    assert isinstance(runner.invoke(drop_app, ["box", "1cm,2cm"]).exception, InputError)
    solid = runner.invoke(drop_app, ["box", "--json"])
    assert json.loads(solid.stdout)["R"] > 0.0


def test_unfinished_points_of_a_map_do_not_count():
    import xarray as xr

    R = np.array([[0.99, 1.2, 1e-4], [3.0, np.inf, 0.5]])
    data = xr.Dataset({"R": (("rho", "gamma"), R), "unfinished": (("rho", "gamma"), np.array([[0, 0, 3], [0, 0, 1]]))})
    assert np.array_equal(finished(data), [[0.99, 1.2, np.nan], [3.0, np.inf, np.nan]], equal_nan=True)
    assert span(finished(data)) == (0.99, 3.0)
    assert span(np.array([np.nan])) is None


def test_a_map_masks_what_did_not_come_to_rest():
    data = shock_map([0.3, 0.5], [0.3, 0.9], phi0=[0.5], max_impacts=60, progress=False)
    open_points = data["unfinished"].values > 0
    assert open_points.any()
    assert not open_points.all()
    assert np.array_equal(np.isnan(finished(data)), open_points)
