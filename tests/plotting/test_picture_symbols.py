"""Names as the works print them."""

import matplotlib.mathtext
import pytest

from rollick.archetypes.models import models
from rollick.kernel.system import descriptions
from rollick.plotting.figure import figure
from rollick.plotting.symbols import label, printed, symbol, typeset_text


@pytest.mark.parametrize(
    ("name", "unit", "expected"),
    [
        ("gamma", "deg", r"$\gamma$ [deg]"),
        ("omega3", "rad/s", r"$\omega_{3}$ [rad/s]"),
        ("gamma_rate", "rad/s", r"$\dot{\gamma}$ [rad/s]"),
        ("omega1_rate", "", r"$\dot{\omega}_{1}$"),
        ("lift_off_margin", "", "$N/mg$"),
        ("phi", "", r"$\varphi$"),
        ("v_f", "m/s", "$v_{f}$ [m/s]"),
        ("mu_tau", "", r"$\mu_{\tau}$"),
        ("mu_fold", "", r"$\mu_{\mathrm{fold}}$"),
        ("energy", "J", "$E$ [J]"),
        ("vx", "m/s", "$v_x$ [m/s]"),
        ("g", "m/s^2", "$g$ [m/s$^{2}$]"),
        ("my_own_thing", "1", "my own thing"),
    ],
)
def test_labels(name, unit, expected):
    assert label(name, unit) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rod, rho = 0.25, gamma = 0.2", r"rod, $\rho$ = 0.25, $\gamma$ = 0.2"),
        ("alpha' [rad/s]", r"$\alpha'$ [rad/s]"),
        ("omega_L [rad/s]", r"$\omega_{L}$ [rad/s]"),
        ("t [s]", "$t$ [s]"),
        ("slip_floor", r"$|v_T|_\mathrm{floor}$"),
        ("area [m^2]", "area [m$^{2}$]"),
        ("N Omega3 [J^(1/2)]", r"N $\Omega_{3}$ [J$^{1/2}$]"),
        ("already $\\gamma$ and mu", "already $\\gamma$ and mu"),
        ("the alphabet of rhombic things, a_b.nc", "the alphabet of rhombic things, a_b.nc"),
        ("height [m]", "height [m]"),
        ("log10 E", r"$\log_{10}$ E"),
    ],
)
def test_spelled_out_symbols_are_set(text, expected):
    assert typeset_text(text) == expected
    assert typeset_text(expected) == expected  # once is enough


def test_every_name_of_every_model_is_drawable():
    """The mathematics of all states and signals parses, and no Greek letter is left as a word."""
    parser = matplotlib.mathtext.MathTextParser("path")
    models()  # brings all of them in
    quantities = {q for about in descriptions.values() for q in (*about.states, *about.signals, *about.integrals)}
    assert len(quantities) > 100
    for text in {label(q.name, q.unit) for q in quantities}:
        parser.parse(text)
        assert not any(text.startswith(word) for word in ("alpha", "beta", "gamma", "omega", "theta", "phi", "psi")), text


def test_units_and_words():
    assert printed("kg m^2") == "kg m$^{2}$"
    assert printed("J^(1/2)") == "J$^{1/2}$"
    assert symbol("n_words_here") == "$n_{\\mathrm{words},\\mathrm{here}}$"


def test_texts_of_a_figure_are_set_when_it_is_drawn(tmp_path):
    fig, axes = figure(1)
    ax = axes[0, 0]
    ax.plot([0, 1], [0, 1], label="mu = 1")
    ax.set_xlabel("gamma [deg]")
    ax.set_title("rho, theta")
    ax.legend()
    table = ax.table([["beta"]])
    fig.savefig(tmp_path / "x.png")
    assert ax.get_xlabel() == r"$\gamma$ [deg]"
    assert ax.get_title() == r"$\rho$, $\theta$"
    assert ax.get_legend().get_texts()[0].get_text() == r"$\mu$ = 1"
    assert table[0, 0].get_text().get_text() == r"$\beta$"
