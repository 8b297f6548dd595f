"""Quantities over time: labels and units, modes in colour, events with a legend, no panel for rounding."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from rollick import InputError
from rollick.plotting.budget import plot_energy
from rollick.plotting.series import MODE_COLOURS, plot_motion
from rollick.plotting.sphere import equal_area

T = np.linspace(0.0, 4.0, 201)


def test_labels_units_and_title(handmade):
    motion = handmade(T, {"gamma": np.sin(T), "v": np.cos(T)}, {"gamma": "rad", "v": "m/s"}, model="stone")
    fig = plot_motion(motion)
    assert [ax.get_ylabel() for ax in fig.axes] == [r"$\gamma$ [deg]", "$v$ [m/s]"]
    assert fig.axes[-1].get_xlabel() == "$t$ [s]"
    assert fig.axes[0].get_title(loc="left").startswith("stone, rtol")
    assert fig.axes[0].get_lines()[0].get_ydata().max() == pytest.approx(np.degrees(1.0), rel=1e-4)


def test_modes_have_colours_and_one_entry_each(handmade):
    modes = [["S", 0.0], ["R", 1.0], ["S", 2.0], ["open", 3.0]]
    motion = handmade(T, {"v": np.sin(T)}, {"v": "m/s"}, methods=modes, method="event-driven")
    ax = plot_motion(motion).axes[0]
    pieces = [line for line in ax.get_lines() if len(line.get_xdata()) > 2]
    assert [to_hex(p.get_color()) for p in pieces] == [c.lower() for c in (*MODE_COLOURS[:2], MODE_COLOURS[0], MODE_COLOURS[2])]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["S", "R", "open"]
    ends = [(p.get_xdata()[0], p.get_xdata()[-1]) for p in pieces]
    assert ends == [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0)]  # nothing between them is left out


def test_methods_of_integration_are_no_modes(handmade):
    motion = handmade(T, {"v": np.sin(T)}, methods=[["dop853", 0.0], ["radau", 2.0]])
    ax = plot_motion(motion).axes[0]
    assert ax.get_legend() is None


def test_events_are_marked_and_named(handmade):
    motion = handmade(T, {"a": np.sin(T), "b": T}, events=[(1.0, "gamma_rate"), (2.0, "gamma_rate"), (3.0, "lift off")])
    fig = plot_motion(motion)
    for ax in fig.axes:
        marks = sorted(
            line.get_xdata()[0]
            for line in ax.get_lines()
            if len(line.get_xdata()) == 2 and line.get_xdata()[0] == line.get_xdata()[1]
        )
        assert marks == [1.0, 2.0, 3.0]
    texts = [text.get_text() for text in fig.axes[0].get_legend().get_texts()]
    assert texts == [r"$\dot{\gamma}$ = 0 (2 events)", "lift off"]


def test_no_panel_for_rounding_or_for_what_never_changes(handmade):
    noise = 1e-16 * np.cos(37.0 * T)
    columns = {"z": 0.1 + 0.01 * np.sin(T), "gap": noise, "m": np.full_like(T, 3.0)}
    motion = handmade(T, columns, {"z": "m", "gap": "m", "m": "kg"}, plot=("z", "gap", "m"))
    assert len(plot_motion(motion).axes) == 1
    fig = plot_motion(motion, ("gap",))  # asked for, it is drawn as the zero that it is
    assert fig.axes[0].get_ylim()[1] > 1e-3


def test_too_few_instants_and_unknown_names_are_refused(handmade):
    with pytest.raises(InputError, match="too few to plot"):
        plot_motion(handmade([0.0], {"x": [1.0]}))
    with pytest.raises(InputError, match="gama"):
        plot_motion(handmade(T, {"gamma": T}), ("gama",))


def test_other_kinds_of_pictures(handmade, tmp_path):
    v = np.stack([np.cos(T) * 0.6, np.sin(T) * 0.6, np.full_like(T, 0.8)], 1)
    columns = {
        "x": np.cos(T),
        "y": np.sin(T),
        "gamma1": v[:, 0],
        "gamma2": v[:, 1],
        "gamma3": v[:, 2],
        "theta": np.sin(T),
        "theta_rate": np.cos(T),
    }
    motion = handmade(T, columns, {"x": "m", "y": "m", "theta": "rad", "theta_rate": "rad/s"}, plot=("theta",))
    phase = motion.plot(kind="phase", path=tmp_path / "phase.svg").axes[0]
    assert (phase.get_xlabel(), phase.get_ylabel()) == (r"$\theta$ [deg]", r"$\dot{\theta}$ [rad/s]")
    track = motion.plot(kind="track").axes[0]
    assert track.get_aspect() == 1.0
    assert track.get_xlabel() == "$x$ [m]"
    ball = motion.plot(kind="sphere").axes[0]
    path = max(
        ball.get_lines(),
        key=lambda line: len(line.get_xdata()) if line.get_linewidth() == 0.8 and line.get_color() != "0.6" else 0,
    )
    assert np.hypot(path.get_xdata(), path.get_ydata()) == pytest.approx(np.sqrt(2.0) * np.sin(0.5 * np.arccos(0.8)), rel=1e-6)
    for bad, words in (({"kind": "rose"}, "rose"), ({"kind": "energy"}, "no energy")):
        with pytest.raises(InputError, match=words):
            motion.plot(**bad)
    with pytest.raises(InputError, match="no unit vector"):
        motion.plot("x", "y", "theta", kind="sphere")


def test_the_map_of_the_sphere_keeps_areas():
    """A cap of height h has the area 2 pi h, on the sphere and, but for a factor, on the disk."""
    z = np.linspace(0.0, 1.0, 11)
    x, y = equal_area(np.stack([np.sqrt(1.0 - z * z), 0.0 * z, z], 1), 1.0)
    assert x * x + y * y == pytest.approx(1.0 - z)


def test_the_energy_budget_adds_up(handmade):
    lost = 1.0 - np.exp(-T)
    columns = {"energy": 2.0 - lost, "lost_sliding": 0.7 * lost, "lost_impacts": 0.3 * lost}
    fig = plot_energy(handmade(T, columns, dict.fromkeys(columns, "J")))
    left = fig.axes[1].get_lines()[0].get_ydata()
    assert np.abs(left).max() < 1e-12
    assert len(fig.axes[0].collections) == 2  # one field for each loss
