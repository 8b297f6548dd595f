"""Friction of a tippedisk from a tracked motion: exact derivatives, known parameters found again, what is not known named, wrong laws refuted."""

import json

import numpy as np
import pytest
from scipy.stats import binom, chi2

from rollick.analysis.sensitivity.sensitivity import Question
from rollick.analysis.tracking import identify, read_track, synthetic_track, track_of
from rollick.analysis.tracking.attitudes import logarithm
from rollick.analysis.tracking.compare import compare
from rollick.analysis.tracking.pose import pose_along, start_from
from rollick.analysis.tracking.shooting import Shooting, Window
from rollick.archetypes.tippedisk import Disk, drilled_disk, specimen, tippedisk
from rollick.archetypes.tippedisk.experiment import START, TRUTH, shipped_track, synthetic_experiment, true_motion
from rollick.archetypes.tippedisk.friction_fit import (
    COEFFICIENTS,
    GIVEN,
    PATHS,
    compare_friction,
    fit_friction,
    parts_of,
    smooth_tippedisk,
)
from rollick.archetypes.tippedisk.pose import pose_of
from rollick.archetypes.tippedisk.tracked import target
from rollick.kernel.names import InputError
from rollick.mechanics.laws.sliding import Coulomb
from rollick.motion.simulate import simulate

NAMES = ("alpha", "beta", "gamma", "alpha_rate", "beta_rate", "gamma_rate", "x", "y", "slip_x", "slip_y")
TRUE_START = {**dict.fromkeys(NAMES, 0.0), "beta": 0.5 * np.pi, **START}
SHORT = 0.5


@pytest.fixture(scope="module")
def motion():
    return true_motion(SHORT)


@pytest.fixture(scope="module")
def found(motion):
    """Four coefficients from half a second, from first values that are off by a third."""
    track = synthetic_experiment(1, motion, fps=250.0)
    return fit_friction(track, first={"mu": 0.4, "eps": 0.03, "mu_tau": 0.014, "mu_R": 4e-3})


def test_what_is_shipped_says_what_it_is():
    track = shipped_track()
    assert len(track) == 1001
    assert track.synthetic.startswith("SYNTHETIC")
    assert track.rate == pytest.approx(500.0)
    assert track.noise == pytest.approx({"position": 1e-3, "angle": np.radians(1.0)}, rel=1e-5)


def test_the_start_of_a_pose_is_the_state_it_came_from(motion):
    system, y = motion.system, motion.at(np.array([0.21]))
    pose = pose_of(system, y[:, :6], y[:, 6:])
    given = start_from(system, pose.position[0], pose.attitude[0], pose.velocity[0], pose.omega[0])
    again = simulate(system, given, 1e-6, dense=True, progress=False).at(np.array([0.0]))[0]
    turns = np.round((again[3:6] - y[0, 3:6]) / (2.0 * np.pi)) * 2.0 * np.pi
    assert np.abs(again[3:6] - turns - y[0, 3:6]).max() < 1e-9
    assert np.abs(np.delete(again - y[0], [3, 4, 5])).max() < 1e-7


@pytest.mark.slow
def test_derivatives_are_those_of_tight_differences(motion):
    """All fourteen columns of the Jacobian against differences of order six of residuals, over 0.15 s."""
    track = synthetic_experiment(0, motion, fps=100.0).between(0.0, 0.15)
    paths = [COEFFICIENTS[n][0] for n in COEFFICIENTS]
    question = Question(motion.system, TRUE_START, 0.15, ["alpha"], paths, list(NAMES), rtol=1e-12, method="dop853")
    problem = Shooting([Window(question, track, True)], 4)
    x = problem.begin
    J = problem.jacobian(x)
    for k in range(x.size):
        h = 1e-3 * (abs(x[k]) or 0.1)
        total = 0.0
        for m, weight in ((1, 3.0 / 4.0), (2, -3.0 / 20.0), (3, 1.0 / 60.0)):
            high, low = x.copy(), x.copy()
            high[k] += m * h
            low[k] -= m * h
            total = total + weight * (problem.residuals(high) - problem.residuals(low))
        near = total / h
        assert np.abs(J[:, k] - near).max() < 2e-6 * np.abs(near).max(), problem.inputs[k].label


def test_known_coefficients_are_found_again(found):
    truth = np.array([*TRUTH.values(), *(TRUE_START[n] for n in NAMES)])
    assert found.status == "finished"
    assert found.names[:4] == list(TRUTH)
    z = (found.values - truth) / found.errors
    assert np.abs(z).max() < 3.5
    d = (found.values - truth)[:4]
    assert d @ np.linalg.solve(found.covariance[:4, :4], d) < chi2.ppf(0.999, 4)
    above = float(np.sum(found.shooting.residuals(truth) ** 2)) - found.sum_of_squares  # likelihood ratio of all fourteen
    assert 0.0 < above < chi2.ppf(0.999, 14)
    assert found.errors[0] < 0.02 * TRUTH["mu"]
    assert 1e-4 < found.chance < 1.0 - 1e-4
    a, b = found.interval("mu")
    assert a < found["mu"] < b


@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_intervals_hold_the_truth_for_hundreds_of_noises(motion, found, count):
    """The estimate to first order about the truth, one Jacobian for all seeds, lies in its 95 % interval as often as it says; and a fit is that estimate, within a fraction of its error."""
    truth = np.array([*TRUTH.values(), *(TRUE_START[n] for n in NAMES)])
    window, J = found.shooting.windows[0], found.shooting.jacobian(truth)
    size = np.sqrt(np.sum(J * J, axis=0))
    covariance = np.linalg.inv((J / size).T @ (J / size)) / np.outer(size, size)
    errors = np.sqrt(np.diag(covariance))
    question = window.question.with_values(truth)
    states, _ = question.path(None).at(window.track.t)

    def estimate(seed):
        noisy = Window(window.question, synthetic_experiment(seed, motion, fps=250.0), True)
        e, v, _ = noisy.errors(question.system, states)
        return -(covariance @ (J.T @ noisy.weights(e, v).ravel())) / errors

    z = np.array([estimate(seed) for seed in range(count)])
    inside = (np.abs(z) < 1.959964).sum(axis=0)
    assert binom.ppf(1e-4, count, 0.95) <= inside.min()
    assert inside.max() <= binom.ppf(1.0 - 1e-4, count, 0.95)
    d = z[:, :4] * errors[:4]
    joint = np.einsum("ni,ij,nj->n", d, np.linalg.inv(covariance[:4, :4]), d) < chi2.ppf(0.95, 4)
    assert abs(joint.mean() - 0.95) < 0.03
    fitted = (found.values - truth)[:4] / errors[:4]
    assert np.abs(fitted - z[1, :4]).max() < 0.3  # `found` has the seed 1


def test_the_result_is_told_everywhere(found, tmp_path):
    told = json.loads(json.dumps(found.to_dict()))
    assert told["model"] == "tippedisk"
    assert [row["name"] for row in told["fitted"][:4]] == list(TRUTH)
    assert told["provenance"]["synthetic"].startswith("SYNTHETIC")
    assert "SYNTHETIC" in found.summary()
    found.to_netcdf(tmp_path / "f.nc")
    page = found.report(tmp_path / "r.html")
    assert page.count("data:image/png;base64") == 1
    assert "SYNTHETIC" in page
    with pytest.raises(InputError, match=r"must end in \.md, \.txt or \.html"):
        found.report(tmp_path / "r.pdf")
    with pytest.raises(InputError, match="unknown identified number"):
        found["nu"]


@pytest.mark.slow  # the page above has the same picture
def test_the_result_is_drawn_and_told_in_markdown(found, tmp_path):
    found.plot(path=tmp_path / "f.png")
    assert (tmp_path / "f.png").stat().st_size > 20_000
    text = found.report(tmp_path / "r.md")
    assert "| mu_R |" in text
    assert (tmp_path / "r-1.png").exists()


def test_a_law_without_pivoting_is_refuted(motion, found):
    without = fit_friction(
        found.track,
        "sliding+contour",
        first={"mu": 0.3, "eps": 0.02, "mu_R": 3e-3},
        start=TRUE_START,
        gradually=False,
        max_jacobians=6,
    )
    both = compare({"all": found, "without": without})
    assert both.best == "all"
    (test,) = both.nested
    assert (test.smaller, test.larger, test.more) == ("without", "all", 1)
    gained = without.sum_of_squares - found.sum_of_squares
    assert pytest.approx(gained / (found.sum_of_squares / found.freedom)) == test.F
    assert test.chance < 1e-3
    assert both.rows[1].aic - both.rows[0].aic == pytest.approx(gained - 2.0)
    assert "Refuted by larger laws: without" in both.message
    other = track_of(found.track.t, found.track.position, found.track.attitude).with_noise(2e-3, 0.03)
    third = fit_friction(other, first=TRUTH, start=TRUE_START, gradually=False, max_jacobians=1)
    with pytest.raises(InputError, match="cannot be compared"):
        compare({"all": found, "other noise": third})


def test_what_the_data_cannot_know_is_named(found):
    """With eps_tau far below radius |omega| only the product of mu_tau and radius acts."""
    first = {**TRUTH, "eps_tau": 1e-12}
    fit = fit_friction(found.track, first=first, also=["radius"], start=TRUE_START, gradually=False, max_jacobians=3)
    assert set(fit.information.not_known) == {"mu_tau", "radius"}
    assert "do not determine" in fit.message
    assert np.isnan(fit.errors[fit.place("radius")])
    assert fit.errors[fit.place("mu")] == pytest.approx(found.errors[0], rel=0.1)


@pytest.mark.parametrize(("fps", "jacobians"), [(100.0, 2), pytest.param(250.0, 4, marks=pytest.mark.slow)])
def test_two_windows_and_attitudes_alone(motion, fps, jacobians):
    """Each half of the time begins on its own; and the same without places."""
    track = synthetic_experiment(4, motion, fps=fps)
    first = {"mu": 0.3, "eps": 0.02, "mu_tau": 0.02, "mu_R": 3e-3}
    fit = fit_friction(track, first=first, windows=2, max_jacobians=jacobians)
    assert len(fit.shooting.windows) == 2
    assert "alpha[2](0)" in fit.names
    assert abs(fit["mu"] - 0.3) < 4.0 * fit.errors[0]
    turns = fit_friction(
        track,
        first=first,
        start=TRUE_START,
        start_of=[n for n in NAMES if n not in "xy"],
        use="attitude",
        gradually=False,
        max_jacobians=jacobians,
    )
    assert turns.residuals.shape[1] == 3
    assert abs(turns["mu"] - 0.3) < 4.0 * turns.errors[0]


def test_bad_questions_are_answered_in_a_sentence(motion):
    track = synthetic_experiment(2, motion, fps=100.0)
    dry = tippedisk("V1", Coulomb(0.3), "euler")
    with pytest.raises(InputError, match="Coulomb friction is set-valued"):
        identify(dry, track, ["law.sliding.mu"])
    for law in ("coulomb", "contensou"):
        with pytest.raises(InputError, match=f"{law} friction is set-valued"):
            parts_of(law)
    with pytest.raises(InputError, match="unknown law"):
        fit_friction(track, "slidng")
    with pytest.raises(InputError, match="has no place in the law"):
        fit_friction(track, "sliding", first={"mu_tau": 0.1})
    with pytest.raises(InputError, match="above zero"):
        fit_friction(track, first={"mu": 0.0})
    with pytest.raises(InputError, match="level"):
        fit_friction(track, level=95)
    with pytest.raises(InputError, match="unknown use"):
        fit_friction(track, use="places")
    with pytest.raises(InputError, match="too few for 20 windows"):
        fit_friction(track, windows=20)
    with pytest.raises(InputError, match="unknown number of the friction"):
        smooth_tippedisk(mu_t=1.0)
    with pytest.raises(InputError, match="keeps no dense output"):
        synthetic_track(simulate(motion.system, START, 0.01, progress=False))


def test_markers_of_the_thesis():
    """Table 7.1 with its erratum: right-handed frames, both faces tell the same attitude, and the text's sense is half a turn away."""
    disk: Disk = specimen("V1")
    assert disk == drilled_disk(r=0.045, a=0.015, b=0.02, h=0.01, rho=7700.0)
    R = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    for sense in ("table", "text"):
        told = {}
        for marker in ("id0", "id1"):
            placing = target(marker, sense)
            A = placing["target"]  # columns: body axes in those of the marker
            assert np.linalg.det(A) == pytest.approx(1.0)
            plate = R @ A.T  # the marker's axes in space
            place = R @ np.array(placing["offset"])
            q = {f"m{i}{j}": plate[i, j] for i in range(3) for j in range(3)}
            assert len(q) == 9
            from scipy.spatial.transform import Rotation

            x = np.roll(Rotation.from_matrix(plate).as_quat(), 1)
            table = {
                "t": [0.0, 1.0],
                **{c: [place[k]] * 2 for k, c in enumerate("xyz")},
                **{f"q{k}": [x[k]] * 2 for k in range(4)},
            }
            told[marker] = read_track(table, **placing)
        for track in told.values():
            assert np.abs(logarithm(R.T @ track.attitude)).max() < 1e-12
            assert np.abs(track.position).max() < 1e-15
    half = target("id0", "table")["target"].T @ target("id0", "text")["target"]
    assert np.allclose(half, np.diag([-1.0, -1.0, 1.0]))


@pytest.mark.slow
def test_the_shipped_experiment_and_which_law_explains_it():
    both = compare_friction(shipped_track(), ("sliding+pivoting", "sliding+pivoting+contour"))
    assert both.best == "sliding+pivoting+contour"
    best = both.fits[both.best]
    for name, value in TRUTH.items():
        a, b = best.interval(name)
        assert a < value < b


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say():
    """100 seeds of the noise: each coefficient lies in its 95 % interval as often as 95 of 100 allow, and the four together in their ellipsoid."""
    motion = true_motion()
    truth = np.array(list(TRUTH.values()))
    inside, joint = np.zeros(4, int), 0
    for seed in range(100):
        fit = fit_friction(synthetic_experiment(seed, motion), first=TRUTH, start=TRUE_START, gradually=False)
        assert fit.status == "finished", (seed, fit.message)
        inside += (fit.intervals[:4, 0] < truth) & (truth < fit.intervals[:4, 1])
        d = fit.values[:4] - truth
        joint += d @ np.linalg.solve(fit.covariance[:4, :4], d) < chi2.ppf(0.95, 4)
    low = binom.ppf(1e-3, 100, 0.95)
    assert inside.min() >= low
    assert joint >= low


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the start gives")  # the velocity at which a foot does not slip is meant
def test_another_body_a_ball_that_slips():
    """The same for a body on a plane made of parts: friction of a ball that slides and comes to roll."""
    from rollick.mechanics.body import Body
    from rollick.mechanics.laws.sliding import Regularised
    from rollick.mechanics.shapes.convex import Sphere
    from rollick.mechanics.sliding import sliding

    ball = sliding(Body.from_inertia(0.2, (5e-5, 5e-5, 5e-5), Sphere(0.025)), law=Regularised(0.2, 0.01))
    moves = simulate(
        ball, {"theta": 1.2, "psi": 0.3, "vx": 0.8, "omega1": 5.0, "omega3": 30.0}, 0.6, rtol=1e-10, dense=True, progress=False
    )
    track = synthetic_track(moves, fps=250.0, seed=3)
    path = next(p for p in _paths(ball) if p.endswith("mu") and "sliding" in p)
    fit = identify(ball, track, [path])
    a, b = fit.intervals[0]
    assert a < 0.2 < b
    assert np.isfinite(fit.errors[0])
    assert pose_along(ball, moves.at(np.array([0.1])))[1].shape == (1, 3, 3)


def _paths(system, prefix=""):
    for name, value in zip(system._fields, system):
        if hasattr(value, "_fields"):
            yield from _paths(value, f"{prefix}{name}.")
        elif isinstance(value, float):
            yield prefix + name


def test_numbers_of_friction_have_their_units():
    from rollick.kernel.paths import unit_at

    system = smooth_tippedisk("V1")
    expected = {COEFFICIENTS[n][0]: COEFFICIENTS[n][2] for n in COEFFICIENTS} | {PATHS[n]: GIVEN[n][1] for n in GIVEN}
    assert {path: unit_at(system, path) for path in expected} == expected
