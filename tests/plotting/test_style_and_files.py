"""Light and dark, narrow and wide, and the files: what can be read, and what can be written."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from rollick import InputError, plot_style
from rollick.kernel.palette import COLOURS
from rollick.plotting import ENDINGS, figure, save
from rollick.plotting.style import GROUND, current
from rollick.plotting.theme import contrast, on_dark

# Machado, Oliveira and Fernandes (2009), severity 1: what the colour-blind see, in linear light
BLIND = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def lab(colour, seen=None):
    """CIE L*a*b* of a colour, as somebody sees it."""
    c = np.array(to_rgb(colour))
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    if seen is not None:
        linear = np.clip(np.array(seen) @ linear, 0.0, 1.0)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear / (0.9505, 1.0, 1.089)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16.0 / 116.0)
    return np.array([116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", [None, *BLIND])
def test_the_colours_can_be_told_apart(kind):
    """Each pair of the first six differs by 13 at least in L*a*b* (2 is just noticeable), whoever looks."""
    seen = [lab(c, None if kind is None else BLIND[kind]) for c in COLOURS[:6]]
    apart = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]]
    assert min(apart) > 13.0


def drawn(**style):
    with plot_style(**style):
        fig, axes = figure(2, 1, sharex=True)
    for ax in axes[:, 0]:
        for k, colour in enumerate((*COLOURS, "black", "0.4")):
            ax.plot([0, 1], [k, k + 1], color=colour, label=f"curve {k}")
        ax.set_ylabel("gamma [deg]")
        ax.fill_between([0, 1], 0, 3, color="#cfe0f1")
        ax.text(0.5, 0.5, "a note", color="0.25")
        ax.legend(fontsize=8)
    axes[0, 0].set_title("a title", fontsize=10)
    return fig, axes


def plain():
    fig, axes = figure(1, width=3.0)
    axes[0, 0].plot([0, 1], [1, 0])
    axes[0, 0].set_title("a title")
    return fig


def test_on_a_dark_ground_everything_can_be_read(tmp_path):
    """Contrast AA: letters 4.5, lines 3; and drawing it twice changes nothing more."""
    fig, axes = drawn(theme="dark")
    save(fig, tmp_path / "dark.png")
    ground = GROUND["dark"]
    assert fig.get_facecolor()[:3] == pytest.approx(to_rgb(ground))
    for text in fig.findobj(Text):
        if text.get_text():
            assert contrast(text.get_color(), ground) >= 4.5, text
    before = [line.get_color() for line in axes[0, 0].get_lines()]
    for colour in before:
        assert contrast(colour, ground) >= 3.0
    for tick in axes[0, 0].yaxis.get_major_ticks():
        assert contrast(tick.label1.get_color(), ground) >= 4.5
    fig.ready()
    assert [line.get_color() for line in axes[0, 0].get_lines()] == before
    field = axes[0, 0].collections[0].get_facecolor()[0]
    assert contrast(field[:3], ground) < 3.0  # fields stay behind what is drawn on them


def test_on_white_the_colours_of_curves_can_be_seen():
    assert min(contrast(c, "white") for c in COLOURS[:4]) >= 3.0
    assert min(contrast(on_dark(c, GROUND["dark"])[:3], GROUND["dark"]) for c in COLOURS) >= 3.0


def test_columns_of_journals():
    for size, width, most in (("single", 3.4, 7.5), ("double", 7.0, 8.5)):
        fig, _ = drawn(size=size)
        fig.ready()
        assert fig.get_figwidth() == pytest.approx(width)
        assert max(text.get_fontsize() for text in fig.findobj(Text)) <= most
    assert drawn()[0].get_figwidth() == 8.0
    with plot_style(size="single"):
        fig, axes = figure(2, 2, width=9.0, height=3.0, sharex=True)
    assert axes.shape == (2, 2)
    places = [ax.get_subplotspec().rowspan.start for ax in axes.flat]
    assert places == [0, 1, 2, 3]  # below each other


def test_styles_nest_and_bad_ones_are_refused():
    with plot_style(theme="dark"):
        with plot_style(size="single"):
            assert (current().theme, current().size) == ("dark", "single")
        assert current().size == "screen"
    assert current().theme == "light"
    with pytest.raises(InputError, match="drak"):
        plot_style(theme="drak")
    with pytest.raises(InputError, match="single"):
        plot_style(size="huge")


@pytest.mark.parametrize(("ending", "head"), [(".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml"), (".PDF", b"%PDF")])
def test_endings(tmp_path, ending, head):
    path = tmp_path / f"x{ending}"
    save(plain(), path)
    content = path.read_bytes()
    assert content.startswith(head)
    if ending == ".pdf":
        save(plain(), path)
        assert path.read_bytes() == content  # no date in it: the same picture is the same file
    if ending == ".svg":
        assert b"a title" in content  # letters stay letters


@pytest.mark.parametrize("name", ["x.gif", "x", "x.eps", "x.jpeg"])
def test_other_endings_are_refused_with_what_is_allowed(tmp_path, name):
    with pytest.raises(InputError) as told:
        save(plain(), tmp_path / name)
    assert all(ending in str(told.value) for ending in ENDINGS)
    assert not list(tmp_path.iterdir())


def test_the_users_own_settings_are_left_alone(tmp_path):
    """Also when several threads draw at once, each in its own style."""
    import matplotlib as mpl

    before = dict(mpl.rcParams)

    def one(k):
        with plot_style(theme="dark" if k % 2 else "light", size="single"):
            fig = plain()
        save(fig, tmp_path / f"{k}.png")
        return fig.style.theme

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, range(8))) == ["light", "dark"] * 4
    assert dict(mpl.rcParams) == before
    assert current().theme == "light"
