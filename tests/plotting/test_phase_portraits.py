"""Phase portraits of planar systems: the equilibria of a damped pendulum, and its separatrices against the energy integral."""

from typing import NamedTuple

import numpy as np
import pytest

from rollick import InputError, Rattleback, describe
from rollick.kernel.system import rate
from rollick.plotting.portrait import equilibria, phase_portrait, separatrices


class PortraitPendulum(NamedTuple):
    c: float = 0.0


describe(PortraitPendulum, {"phi": "rad", "phi_rate": "rad/s"})


@rate.register(PortraitPendulum)
def _(system, t, y, out):
    out[0] = y[1]
    out[1] = -np.sin(y[0]) - system.c * y[1]


BOX = (-4.0, 4.0), (-3.0, 3.0)


def test_equilibria():
    for c, middle in ((0.0, "centre"), (0.3, "stable"), (-0.3, "unstable")):
        found = sorted(equilibria(PortraitPendulum(c), *BOX), key=lambda e: e.x[0])
        assert [e.kind for e in found] == ["saddle", middle, "saddle"]
        assert np.allclose([e.x for e in found], [[-np.pi, 0.0], [0.0, 0.0], [np.pi, 0.0]], atol=1e-12)


def test_separatrices_keep_the_energy_of_the_saddle():
    """Without damping they lie on w^2/2 - cos phi = 1."""
    saddle = next(e for e in equilibria(PortraitPendulum(), *BOX) if e.kind == "saddle" and e.x[0] < 0.0)
    orbits = separatrices(PortraitPendulum(), saddle, *BOX)
    assert len(orbits) == 4
    for _, (phi, w) in orbits:
        assert np.abs(0.5 * w * w - np.cos(phi) - 1.0).max() < 1e-4
    assert max(w.max() for _, (_, w) in orbits) == pytest.approx(2.0, abs=1e-4)  # over the lowest point
    assert sorted(unstable for unstable, _ in orbits) == [False, False, True, True]


def test_picture(tmp_path):
    fig = phase_portrait(PortraitPendulum(0.2), *BOX, path=tmp_path / "p.svg")
    ax = fig.axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == (r"$\varphi$ [deg]", r"$\dot{\varphi}$ [rad/s]")
    assert {t.get_text() for t in ax.get_legend().get_texts()} == {"saddle", "stable"}
    assert ax.get_xlim() == pytest.approx(np.degrees(BOX[0]))
    styles = {line.get_linestyle() for line in ax.get_lines() if len(line.get_xdata()) > 3}
    assert styles == {"-", "--"}


def test_refusals():
    with pytest.raises(InputError, match="two states; Rattleback has 6"):
        phase_portrait(Rattleback(), *BOX)
    with pytest.raises(InputError, match="must be a range"):
        phase_portrait(PortraitPendulum(), (1.0, -1.0), (0.0, 1.0))
