"""Tracked motions: rotations, conventions, reading, markers, smoothing, outliers, clocks; each against something that does not share its code."""

import gzip

import numpy as np
import pytest
import xarray as xr
from scipy.linalg import expm
from scipy.optimize import least_squares, lsq_linear
from scipy.spatial.transform import Rotation
from scipy.stats import norm

from rollick.analysis.tracking import (
    align_clocks,
    estimate_noise,
    find_outliers,
    find_shifts,
    fit_markers,
    read_track,
    smooth,
    track_of,
    without_outliers,
)
from rollick.analysis.tracking.attitudes import (
    axial,
    cross_matrix,
    exponential,
    log_slope,
    logarithm,
    nearest_attitude,
    unwrapped,
)
from rollick.analysis.tracking.conventions import from_euler, from_quaternions, to_body
from rollick.analysis.tracking.information import information
from rollick.analysis.tracking.levenberg import least
from rollick.analysis.tracking.runs import judged
from rollick.kernel.names import InputError

DEGREE = np.radians(1.0)
RNG = np.random.default_rng(7)


def spinning(t):
    """A body that spins fast about an axis that wanders: place and attitude, from scipy alone."""
    a, b, c = 45.0 * t + 0.3 * np.sin(9.0 * t), 1.4 + 0.3 * np.sin(11.0 * t), -1.2 + 3.0 * t
    R = Rotation.from_euler("ZXZ", np.stack([a, b, c], axis=1)).as_matrix()
    r = np.stack([0.05 * np.cos(4.0 * t), 0.05 * np.sin(3.0 * t), 0.04 + 0.005 * np.sin(8.0 * t)], axis=1)
    return r, R


def seen(t, seed=0, place=1e-3, angle=DEGREE, **more):
    """What a camera tells of it."""
    rng = np.random.default_rng(seed)
    r, R = spinning(t)
    return track_of(
        t, r + place * rng.normal(size=r.shape), R @ Rotation.from_rotvec(angle * rng.normal(size=r.shape)).as_matrix(), **more
    )


TIMES = np.arange(0.0, 1.0, 1.0 / 500.0)


def test_rotations_are_those_of_matrix_exponentials():
    v = RNG.normal(size=(40, 3)) * np.array([1e-6, 1e-3, 0.1, 1.0])[RNG.integers(0, 4, 40)][:, None]
    R = exponential(v)
    assert np.abs(R - np.array([expm(cross_matrix(x)) for x in v])).max() < 1e-14
    assert np.abs(logarithm(R) - v).max() < 1e-14
    near_half = Rotation.from_rotvec(np.array([[np.pi - 1e-7, 0.0, 0.0], [0.0, 2.9, 0.5]])).as_matrix()
    assert np.abs(logarithm(near_half) - [[np.pi - 1e-7, 0.0, 0.0], [0.0, 2.9, 0.5]]).max() < 1e-8
    assert np.isnan(logarithm(np.full((1, 3, 3), np.nan))).all()
    assert np.allclose(axial(cross_matrix(v)), v)


def test_the_slope_of_the_logarithm_is_that_of_differences():
    v = np.array([[0.3, -1.2, 0.7], [1e-5, 2e-5, 0.0], [2.0, 1.0, -1.0]])
    d, h = np.array([0.2, 0.5, -0.4]), 1e-5
    R = exponential(v)
    central = (logarithm(R @ exponential(np.tile(h * d, (3, 1)))) - logarithm(R @ exponential(np.tile(-h * d, (3, 1))))) / (
        2.0 * h
    )
    assert np.abs(log_slope(v) @ d - central).max() < 1e-9


def test_the_nearest_attitude_is_that_of_the_polar_decomposition():
    from scipy.linalg import polar

    M = np.array([exponential(RNG.normal(size=3)) + 0.1 * RNG.normal(size=(3, 3)) for _ in range(10)])
    assert np.abs(nearest_attitude(M) - np.array([polar(m)[0] for m in M])).max() < 1e-12


def test_angles_without_jumps():
    angle = np.linspace(0.0, 30.0, 200)
    wrapped = np.mod(angle + np.pi, 2.0 * np.pi) - np.pi
    wrapped[50:53] = np.nan
    found = unwrapped(wrapped)
    assert np.nanmax(np.abs(found - angle)) < 1e-12
    assert np.isnan(found[50:53]).all()


def test_conventions():
    R = spinning(TIMES[:5])[1]
    q = Rotation.from_matrix(R).as_quat()  # scalar last
    assert np.abs(from_quaternions(q, "scalar last") - R).max() < 1e-14
    assert np.abs(from_quaternions(np.roll(q, 1, axis=1)) - R).max() < 1e-14
    assert np.abs(from_euler(Rotation.from_matrix(R).as_euler("ZYX"), "zyx") - R).max() < 1e-14
    r, back = to_body(np.zeros((5, 3)), np.swapaxes(R, 1, 2), inverse=True, offset=(0.0, 0.0, 0.1))
    assert np.abs(back - R).max() < 1e-15
    assert np.abs(r + 0.1 * R[:, :, 2]).max() < 1e-15
    with pytest.raises(InputError, match="left-handed"):
        to_body(np.zeros((5, 3)), R, axes=np.diag([1.0, 1.0, -1.0]))
    with pytest.raises(InputError, match="no sequence of axes"):
        from_euler(np.zeros((2, 3)), "zzx")
    with pytest.raises(InputError, match="length"):
        from_quaternions(np.array([[3.0, 0.0, 0.0, 0.0]]))


def columns(track, degrees=True):
    q = np.roll(Rotation.from_matrix(track.attitude).as_quat(), 1, axis=1)
    return {"t": track.t, **{n: track.position[:, k] for k, n in enumerate("xyz")}, **{f"q{k}": q[:, k] for k in range(4)}}


def test_files_in_and_out(tmp_path):
    track = seen(TIMES[:60]).with_noise(1e-3, 0.01)
    for name in ("a.csv", "a.csv.gz", "a.nc"):
        (track.to_netcdf if name.endswith("nc") else track.to_csv)(tmp_path / name)
        again = read_track(tmp_path / name)
        assert np.abs(again.position - track.position).max() < 6e-7  # CSV: micrometres
        assert np.abs(logarithm(np.swapaxes(again.attitude, 1, 2) @ track.attitude)).max() < 3e-6
        assert again.noise == pytest.approx({"position": 1e-3, "angle": 0.01})
    with gzip.open(tmp_path / "a.csv.gz", "rt") as file:
        assert "x [mm]" in file.read()


def test_a_file_as_others_write_it(tmp_path):
    """Semicolons, decimal commas, degrees, milliseconds, other names, gaps."""
    track = seen(TIMES[:50])
    a = np.degrees(Rotation.from_matrix(track.attitude).as_euler("ZXZ"))
    lines = ["Zeit (ms);spin;lean;roll;px [cm];py [cm];pz [cm]"]
    for i in range(50):
        cells = [1e3 * track.t[i], *a[i], *(100.0 * track.position[i])]
        lines.append(";".join(f"{c:.9f}".replace(".", ",") for c in cells) if i != 7 else f"{1e3 * track.t[i]};;;;;;")
    path = tmp_path / "other.csv"
    path.write_text("# from another program\n" + "\n".join(lines))
    names = {"t": "Zeit", "alpha": "spin", "beta": "lean", "gamma": "roll", "x": "px", "y": "py", "z": "pz"}
    found = read_track(path, columns=names, units={"angle": "deg"})
    keep = np.arange(50) != 7
    assert not found.seen[7]
    assert any("no attitude" in line for line in found.told)
    assert np.abs(found.t - track.t).max() < 1e-12
    assert np.abs(found.attitude[keep] - track.attitude[keep]).max() < 1e-8
    assert np.abs(found.position[keep] - track.position[keep]).max() < 1e-10


def test_frame_numbers_and_tables():
    track = seen(TIMES[:30])
    named = columns(track)
    del named["t"]
    found = read_track({"frame": np.arange(30), **named}, fps=500)
    assert np.abs(found.t - track.t).max() < 1e-15
    data = xr.Dataset({n: ("i", v, {"units": "mm"} if n in "xyz" else {}) for n, v in columns(track).items()})
    assert np.abs(read_track(data).position - 1e-3 * track.position).max() < 1e-15


@pytest.mark.parametrize(
    ("change", "options", "words"),
    [
        ({"t": None}, {}, "has no times"),
        ({"t": None, "frame": np.arange(30.0)}, {}, "give fps"),
        ({"q3": None}, {}, "not q3; a quaternion needs all four"),
        ({"q0": None, "q1": None, "q2": None, "q3": None}, {}, "tells no attitude"),
        ({"z": None}, {}, "but not z"),
        ({}, {"columns": {"t": "tme"}}, "unknown column of"),
        ({}, {"units": {"length": "mm"}}, "unknown kind in units"),
        ({}, {"units": {"position": "kg"}}, "the unit of position"),
        ({}, {"sigma_position": "1mm"}, "sigma_angle is missing"),
        ({}, {"markers": {"a": (0, 0, 0), "b": (1, 0, 0), "c": (0, 1, 0)}}, "no column a_x"),
        ({"camera": ["a"] * 30, "t": np.zeros(30)}, {"fps": 100}, "leave out fps"),
    ],
)
def test_bad_tables_are_told_in_a_sentence(change, options, words):
    named = {**columns(seen(TIMES[:30])), **change}
    with pytest.raises(InputError, match=words):
        read_track({n: v for n, v in named.items() if v is not None}, **options)


def test_bad_files_are_told_in_a_sentence(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        read_track(tmp_path / "none.csv")
    for text, words in (
        ("t,x\n", "holds 1 lines"),
        ("a b\n1 2\n3 4\n", "holds no columns"),
        ("t,t\n1,2\n3,4\n", "two columns"),
        ("t,x\n1,2\n3\n", "line 3"),
    ):
        (tmp_path / "bad.csv").write_text(text)
        with pytest.raises(InputError, match=words):
            read_track(tmp_path / "bad.csv")
    with pytest.raises(InputError, match="no number"):
        read_track({**columns(seen(TIMES[:3])), "x": ["a", "b", "c"]})
    with pytest.raises(InputError, match="occurs twice"):
        track_of([0.0, 0.0, 1.0], None, np.tile(np.eye(3), (3, 1, 1)))
    with pytest.raises(InputError, match="no rotation"):
        track_of([0.0, 1.0], None, np.tile(np.diag([1.0, 1.0, -1.0]), (2, 1, 1)))


# -- markers -----------------------------------------------------------------------------------------------------------------------

POINTS = {"a": (0.03, 0.0, 0.005), "b": (-0.02, 0.02, 0.005), "c": (-0.01, -0.03, -0.005), "d": (0.0, 0.01, 0.02)}


def horn(p, m):
    """Horn's quaternion method: the eigenvector of the largest eigenvalue of his symmetric 4x4 matrix."""
    S = (p - p.mean(axis=0)).T @ (m - m.mean(axis=0))
    z = np.array([S[1, 2] - S[2, 1], S[2, 0] - S[0, 2], S[0, 1] - S[1, 0]])
    N = np.empty((4, 4))
    N[0, 0], N[0, 1:], N[1:, 0] = np.trace(S), z, z
    N[1:, 1:] = S + S.T - np.trace(S) * np.eye(3)
    q = np.linalg.eigh(N)[1][:, -1]
    R = Rotation.from_quat(np.roll(q, -1)).as_matrix()
    return m.mean(axis=0) - R @ p.mean(axis=0), R


def sightings(n, sigma, seed):
    rng = np.random.default_rng(seed)
    r, R = spinning(TIMES[:n])
    return {k: r + R @ np.array(p) + sigma * rng.normal(size=(n, 3)) for k, p in POINTS.items()}, r, R


def test_markers_fit_as_horn_has_it():
    found, _, _ = sightings(20, 2e-3, 1)
    placed = fit_markers(POINTS, found, sigma=2e-3)
    p = np.array(list(POINTS.values()))
    for i in range(20):
        r, R = horn(p, np.array([found[k][i] for k in POINTS]))
        assert np.abs(placed.attitude[i] - R).max() < 1e-10
        assert np.abs(placed.position[i] - r).max() < 1e-12


def test_errors_of_marker_poses_are_those_that_occur():
    found, r, R = sightings(500, 1e-3, 2)
    placed = fit_markers(POINTS, found)
    assert placed.sigma == pytest.approx(1e-3, rel=0.08)
    d = logarithm(np.swapaxes(R, 1, 2) @ placed.attitude)
    both = np.concatenate([placed.position - r, d], axis=1)
    chi2 = np.einsum("ni,nij,nj->n", both, np.linalg.inv(1e-6 * placed.shape), both)
    assert np.mean(chi2) == pytest.approx(6.0, abs=4.0 * np.sqrt(12.0 / 500.0))


def test_hidden_and_wrong_markers():
    found, _, R = sightings(200, 1e-3, 3)
    found["a"][10:20] = np.nan  # three are left
    found["a"][20:25], found["b"][20:25] = np.nan, np.nan  # two: nothing is known
    found["c"][50] += 0.05
    placed = fit_markers(POINTS, found, sigma=1e-3)
    assert np.isnan(placed.attitude[20:25]).all()
    assert np.isfinite(np.delete(placed.attitude, range(20, 25), axis=0)).all()
    assert (50, "c") in placed.left_out
    assert np.abs(logarithm(R[50].T @ placed.attitude[50])).max() < 0.15
    table = {"t": TIMES[:200], **{f"{k}_{c}": v[:, i] for k, v in found.items() for i, c in enumerate("xyz")}}
    track = read_track(table, markers=POINTS)
    assert track.covariance is not None
    assert int((~track.seen).sum()) == 5
    with pytest.raises(InputError, match="on one line"):
        fit_markers({k: (0.01 * i, 0.0, 0.0) for i, k in enumerate(POINTS)}, found)
    with pytest.raises(InputError, match="needs 3 markers"):
        fit_markers({"a": (0, 0, 0), "b": (1, 0, 0)}, found)


# -- smooth, outliers, clocks ------------------------------------------------------------------------------------------------------


def true_spin(t, h=1e-6):
    return logarithm(np.swapaxes(spinning(t - h)[1], 1, 2) @ spinning(t + h)[1]) / (2.0 * h)


def test_polynomials_are_followed_exactly_without_noise():
    track = seen(TIMES, place=0.0, angle=0.0)
    at = np.array([0.0, 0.3333, 0.7])
    found = smooth(track, at, frames=7)
    r, R = spinning(at)
    assert np.abs(logarithm(np.swapaxes(R, 1, 2) @ found.attitude)).max() < 2e-5
    assert np.abs(found.position - r).max() < 1e-7
    assert np.abs(found.spin - true_spin(at)).max() < 0.05


def test_spin_and_its_error():
    """Over many seeds the spin is right within what its error says."""
    at = np.array([0.5])
    wrong, told = [], []
    for seed in range(40):
        found = smooth(seen(TIMES, seed).with_noise(1e-3, np.radians(1.0)), at, frames=13)
        wrong.append((found.spin - true_spin(at))[0])
        told.append(found.errors[0, 3])
    z = np.array(wrong) / np.array(told)[:, None]
    assert 0.8 < np.sqrt(np.mean(z**2)) < 1.2
    slow = seen(np.arange(0.0, 1.0, 1.0 / 60.0), 3)  # 0.75 rad between frames
    assert np.linalg.norm(smooth(slow, at).spin - true_spin(at)) < 3.0


def test_noise_is_found():
    sizes = estimate_noise(seen(TIMES, 5, place=2e-3, angle=0.02))
    assert sizes["position"] == pytest.approx(2e-3, rel=0.1)
    assert sizes["angle"] == pytest.approx(0.02, rel=0.1)


def test_outliers_are_found_and_nothing_else():
    rng = np.random.default_rng(11)
    track = seen(TIMES, 1)
    wrong = np.sort(rng.choice(np.arange(500), 20, replace=False))
    R, r = track.attitude.copy(), track.position.copy()
    R[wrong[:15]] = R[wrong[:15]] @ exponential(rng.uniform(0.3, 2.5, size=(15, 1)) * np.array([0.6, 0.0, 0.8]))
    r[wrong[15:]] += 0.03
    found = find_outliers(track_of(TIMES, r, R))
    assert set(wrong) <= set(found)
    assert len(set(found) - set(wrong)) <= 1
    cleaned = without_outliers(track_of(TIMES, r, R))
    assert len(cleaned) == 500 - len(found)
    assert "were left out as outliers" in cleaned.told[-1]
    with pytest.raises(InputError, match="2 the least"):
        without_outliers(track, 1.0)


def test_shifts_of_clocks_within_their_errors():
    rng = np.random.default_rng(5)
    shifts = {"a": 0.0, "b": 0.0083, "c": -0.0052}
    r, R = spinning(TIMES)
    rows = [(i, c) for i in range(TIMES.size) for k, c in enumerate(shifts) if (i // 40) % 3 != k]
    at = np.array([i for i, _ in rows])
    camera = [c for _, c in rows]
    noisy = R[at] @ exponential(np.radians(1.0) * rng.normal(size=(at.size, 3)))
    track = track_of(TIMES[at] + [shifts[c] for c in camera], r[at], noisy, camera=camera)
    found = find_shifts(track)
    z = (found.shifts - np.array(list(shifts.values())))[1:] / found.errors[1:]
    assert np.abs(z).max() < 3.5
    assert found.errors[1:].max() < 1e-4
    assert found.before > 5.0 * found.after
    aligned = align_clocks(track)
    assert "clocks were shifted" in aligned.told[-1]
    assert np.abs(aligned.t - np.sort(aligned.t)).max() == 0.0
    with pytest.raises(InputError, match="two or more"):
        find_shifts(seen(TIMES))


# -- statistics --------------------------------------------------------------------------------------------------------------------


def test_steps_that_pass_several_bounds_still_go_down():
    """Both inputs of the first problem would pass a bound; stopped there at once, the sum of squares would be larger than at the start, which was called the least one."""
    rng = np.random.default_rng(7)
    problems = [(np.array([[-7.0, 2.0], [-1.0, -1.0]]), np.array([0.0, -5.0]), np.zeros(2), np.ones(2), np.zeros(2))]
    for _ in range(300):
        n = int(rng.integers(2, 6))
        low = rng.uniform(-1.0, 0.0, n)
        high = low + rng.uniform(0.1, 2.0, n)
        problems.append(
            (
                rng.normal(size=(n + 3, n)) * 10.0 ** rng.uniform(-1, 1, n),
                rng.normal(size=n + 3) * 5.0,
                low,
                high,
                rng.uniform(low, high),
            )
        )
    for A, b, low, high, x in problems:
        found = least(lambda p: A @ p - b, lambda p: A, x, low, high, np.ones(x.size), enough=1e-12)  # noqa: B023
        assert found.status == 1
        assert np.all((found.x >= low) & (found.x <= high))
        assert found.cost <= 2.0 * lsq_linear(A, b, (low, high), tol=1e-14).cost * (1.0 + 1e-9) + 1e-9


def test_least_squares_as_scipy_has_them():
    t = np.linspace(0.0, 1.0, 60)
    y = 2.0 * np.exp(-3.0 * t) + 0.1 + 0.01 * np.random.default_rng(0).normal(size=60)
    f = lambda p: (p[0] * np.exp(-p[1] * t) + p[2] - y) / 0.01
    J = lambda p: np.stack([np.exp(-p[1] * t), -p[0] * t * np.exp(-p[1] * t), np.ones(60)], axis=1) / 0.01
    inf = np.full(3, np.inf)
    found = least(f, J, np.array([1.0, 1.0, 0.0]), -inf, inf, np.ones(3), enough=1e-10)
    free = least_squares(f, [1.0, 1.0, 0.0], jac=J, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert found.status == 1
    assert np.abs(found.x - free.x).max() < 1e-6
    high = np.array([np.inf, 2.5, np.inf])
    bound = least(f, J, np.array([1.0, 1.0, 0.0]), -inf, high, np.ones(3), enough=1e-10)
    again = least_squares(f, [1.0, 1.0, 0.0], jac=J, bounds=(-inf, high), xtol=1e-15, ftol=1e-15)
    assert bound.x[1] == 2.5
    assert np.abs(bound.x - again.x).max() < 1e-4


def test_what_data_do_not_know_is_named():
    rng = np.random.default_rng(2)
    J = rng.normal(size=(50, 3))
    J = np.concatenate([J, J[:, 1:2] * 2.0], axis=1)  # b and d act alike
    found = information(J, np.ones(4), ["a", "b", "c", "d"])
    assert set(found.not_known) == {"b", "d"}
    assert np.isnan(found.errors[[1, 3]]).all()
    reduced = np.linalg.inv(J[:, :3].T @ J[:, :3])  # a and c: as if d were held
    assert found.errors[[0, 2]] == pytest.approx(np.sqrt(np.diag(reduced))[[0, 2]], rel=1e-9)
    full = information(J[:, :3], np.array([1.0, 10.0, 0.1]), ["a", "b", "c"])
    assert np.abs(full.covariance - reduced).max() < 1e-12


def test_patterns_in_residuals():
    rng = np.random.default_rng(3)
    chances = [judged("x", rng.normal(size=300)).chance for _ in range(300)]
    assert abs(np.mean(np.array(chances) < 0.1) - 0.1) < 0.06  # chances are what they are called
    slow = rng.normal(size=300) + np.sin(np.linspace(0.0, 12.0, 300))
    assert judged("x", slow).suspicious
    alternating = np.array([1.0, -1.0] * 50)
    assert judged("x", alternating).runs == 100
    assert judged("x", alternating).chance < 1e-10
    assert judged("x", np.array([1.0, 1.0, -1.0, -1.0, 1.0])).runs == 3
    assert norm.sf(1.96) == pytest.approx(0.025, abs=1e-4)
