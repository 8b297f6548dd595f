"""Tracks as they should not be: markers of another body, noise with a unit, degrees without one, frames told twice; each is read rightly or refused in a sentence."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rollick.analysis.tracking import read_track
from rollick.analysis.tracking.levenberg import least
from rollick.kernel.names import InputError

T = np.linspace(0.0, 0.2, 41)
PLACE = np.stack([0.01 * T, 0.02 + 0.0 * T, 0.045 + 0.0 * T], axis=1)
ANGLES = np.stack([3.0 * T, 1.5 + 0.1 * np.sin(9.0 * T), -1.4 + 2.0 * T], axis=1)
R = Rotation.from_euler("ZXZ", ANGLES).as_matrix()
Q = np.roll(Rotation.from_matrix(R).as_quat(), 1, axis=1)
BODY = {"a": (0.02, 0.0, 0.005), "b": (-0.01, 0.02, -0.005), "c": (-0.01, -0.02, 0.005), "d": (0.01, 0.01, 0.015)}


def columns(**more):
    return {"t": T, **{n: PLACE[:, k] for k, n in enumerate("xyz")}, **{f"q{k}": Q[:, k] for k in range(4)}, **more}


def seen(noise=2e-4, names=None, scale=1.0, mirror=False, seed=1):
    """Columns of markers; `names`: which marker is seen under each name."""
    rng, found = np.random.default_rng(seed), {"t": T}
    for name in BODY:
        m = PLACE + scale * (R @ np.array(BODY[(names or {}).get(name, name)])) + noise * rng.normal(size=(T.size, 3))
        m = m * np.array([1.0, -1.0, 1.0]) if mirror else m
        found |= {f"{name}_{c}": m[:, k] for k, c in enumerate("xyz")}
    return found


def test_markers_of_another_body_are_refused():
    assert np.abs(read_track(seen(), markers=BODY).attitude - R).max() < 0.05
    with pytest.raises(InputError, match="exchanged"):
        read_track(seen(names={"a": "b", "b": "a"}), markers=BODY)
    with pytest.raises(InputError, match=r"0\.001 times as large"):
        read_track(seen(noise=0.0), markers={n: tuple(1e3 * v for v in p) for n, p in BODY.items()})
    with pytest.raises(InputError, match="2 times as large"):
        read_track(seen(noise=0.0, scale=2.0), markers=BODY)
    with pytest.raises(InputError, match="left-handed"):
        read_track(seen(mirror=True), markers=BODY)
    with pytest.raises(InputError, match="inverse"):
        read_track(seen(), markers=BODY, inverse=True)


def test_noisy_or_misplaced_markers_still_serve():
    """Noise of a seventh of the plate, and places that are off by a millimetre."""
    assert len(read_track(seen(noise=5e-3), markers=BODY)) == T.size
    off = {n: tuple(np.array(p) + 1e-3 * np.array([1.0, -1.0, 0.5])) for n, p in BODY.items()}
    assert len(read_track(seen(), markers={**BODY, "a": off["a"]})) == T.size


def test_the_noise_of_markers_goes_with_target_axes_and_offset():
    """The covariance of the body's point and axes against the scatter of many noises."""
    target, axes = (
        Rotation.from_euler("xyz", [0.4, -0.3, 0.9]).as_matrix(),
        Rotation.from_euler("xyz", [0.2, 1.0, -0.5]).as_matrix(),
    )
    frames = {"target": target, "axes": axes, "offset": (0.03, -0.02, 0.01)}
    told = read_track(seen(noise=1e-5, seed=0), markers=BODY, sigma_marker=1e-5, **frames)
    clean = read_track(seen(noise=0.0), markers=BODY, **frames)
    errors = []
    for seed in range(60):
        one = read_track(seen(noise=1e-5, seed=seed), markers=BODY, sigma_marker=1e-5, **frames)
        turn = Rotation.from_matrix(np.swapaxes(clean.attitude, 1, 2) @ one.attitude).as_rotvec()
        errors.append(np.concatenate([one.position - clean.position, turn], axis=1))
    L = np.linalg.inv(np.linalg.cholesky(told.covariance))
    white = np.einsum("nij,snj->sni", L, np.array(errors)).reshape(-1, 6)
    assert np.abs(white.T @ white / len(white) - np.eye(6)).max() < 0.12  # 2460 frames: four standard errors


def test_standard_deviations_have_units(tmp_path):
    rows = "\n".join(",".join(f"{v:.6f}" for v in row) for row in np.column_stack([T, PLACE, Q]))
    for said in ("sigma_position = 1 mm, sigma_angle = 1 deg", "sigma_position = 0.001, sigma_angle = 0.0174533."):
        file = tmp_path / "said.csv"
        file.write_text(f"# {said}\nt,x,y,z,q0,q1,q2,q3\n{rows}\n")
        assert read_track(file).noise == pytest.approx({"position": 1e-3, "angle": np.radians(1.0)}, rel=1e-5)
    file.write_text(f"# sigma_position = - and sigma_angle = unknown\nt,x,y,z,q0,q1,q2,q3\n{rows}\n")
    assert read_track(file).noise == {}
    file.write_text(f"# sigma_position = 1 deg, sigma_angle = 1 deg\nt,x,y,z,q0,q1,q2,q3\n{rows}\n")
    with pytest.raises(InputError, match="sigma_position"):
        read_track(file)
    data = read_track(columns()).data.assign_attrs(sigma_position="1 mm", sigma_angle="1 deg")
    assert read_track(data).noise["position"] == pytest.approx(1e-3)
    with pytest.raises(InputError, match="sigma_angle"):
        read_track(data.assign_attrs(sigma_angle="unknown"))


def test_degrees_are_told_by_the_inclination_however_slow_the_motion():
    plain = {k: v for k, v in columns().items() if not k.startswith("q")}
    names = ("alpha", "beta", "gamma")
    assert np.abs(read_track({**plain, **{n: ANGLES[:, k] for k, n in enumerate(names)}}).attitude - R).max() < 1e-12
    degrees = {**plain, **{n: np.degrees(ANGLES[:, k]) for k, n in enumerate(names)}}
    with pytest.raises(InputError, match="look like degrees"):
        read_track(degrees)
    assert np.abs(read_track(degrees, units={"angle": "deg"}).attitude - R).max() < 1e-12
    with pytest.raises(InputError, match="no sequence of axes"):
        read_track(columns(), euler="xxx")


def test_cells_cameras_and_decimal_commas(tmp_path):
    file = tmp_path / "tabs.txt"
    rows = ["\t".join(f"{v:.6f}".replace(".", ",") for v in row) for row in np.column_stack([T, PLACE, Q])]
    file.write_text("\n".join(["t\tx\ty\tz\tq0\tq1\tq2\tq3", *rows]))
    assert np.abs(read_track(file).position - PLACE).max() < 1e-6
    file.write_text("\n".join(["t\tx\ty\tz\tq0\tq1\tq2\tq3", *rows[:9], rows[9].replace("\t0,02", "\tlost", 1), *rows[10:]]))
    with pytest.raises(InputError, match=r"'y' of tabs\.txt holds 'lost"):
        read_track(file)
    camera = np.where(np.arange(T.size) % 2, "left", "right")
    with pytest.raises(InputError, match=r"camera right tells the time 0\.01 s twice"):
        read_track(columns(camera=camera, t=np.where(np.arange(T.size) == 4, T[2], T)))


def test_a_step_too_small_to_be_taken_ends_no_search():
    """Derivatives that promise what no step gains, at a number so large that damped steps round to none, and residuals that are not quite the same twice (as those of two integrators)."""
    big, calls = 1e12, []

    def residuals(x):
        calls.append(x)
        return np.array([10.0 + abs(x[0] - big) - 1e-9 * len(calls)])

    found = least(residuals, lambda x: np.ones((1, 1)), np.array([big]), np.array([0.0]), np.array([np.inf]), np.ones(1))
    assert found.status == 0
    assert found.cost == pytest.approx(100.0, rel=1e-6)


def test_a_search_ends_where_a_tenth_of_a_standard_error_drowns():
    """Every step raises the sum of squares, while derivatives promise 0.07^2 of a standard error, which is an end, or 0.5^2, which is none."""
    for left, status, why in ((0.07, 1, "resolve"), (0.5, 0, "promise")):
        residuals = lambda x, left=left: np.array([left + 1e9 * abs(x[0])])
        found = least(residuals, lambda x: np.ones((1, 1)), np.zeros(1), np.full(1, -1.0), np.ones(1), np.ones(1), enough=1e-3)
        assert (found.status, found.x[0]) == (status, 0.0)
        assert why in found.message
