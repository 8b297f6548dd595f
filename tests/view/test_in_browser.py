"""Pages in a real browser without a window: they draw, obey, complain of nothing, and can be filmed. Skipped where there is no browser."""

import html
import io
import re

import numpy as np
import pytest

from rollick import InputError, Rattleback, simulate
from rollick.view.browser import browser_path, opened
from rollick.view.page import side_by_side
from rollick.view.video import save_still, save_video

pytest.importorskip("playwright", reason="pages are tested in a browser driven by Playwright")
if browser_path() is None:
    pytest.skip("there is no Chromium, Chrome or Edge on this machine", allow_module_level=True)

SHARP = "() => [...document.querySelectorAll('canvas.scene')].every((canvas) => canvas.width >= devicePixelRatio * canvas.clientWidth)"
START = {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}


@pytest.fixture(scope="module")
def motion():
    return simulate(Rattleback(), START, 1.0, dense=True)


@pytest.fixture(scope="module")
def page(motion, tmp_path_factory):
    return motion.save_html(tmp_path_factory.mktemp("browser") / "stone.html")


def pixels(window):
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(window.screenshot(type="png"))).convert("RGB")).astype(int)


def test_a_page_obeys_keys_and_shows_exact_times(page):
    with opened(page, "t=0.25", (480, 400)) as window:
        said = []
        window.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        assert window.evaluate("rollick.now") == pytest.approx(0.25)
        window.wait_for_function(SHARP)  # also where a processor draws, and began with fewer pixels
        first = pixels(window)
        assert first.std() > 10.0  # something is drawn
        window.evaluate("rollick.seek(0.75)")
        assert window.evaluate("rollick.now") == 0.75
        assert np.abs(pixels(window) - first).max() > 50  # the stone has moved
        window.evaluate("rollick.seek(0.25)")
        assert np.mean(np.abs(pixels(window) - first) > 24) < 0.002  # and is back where it was
        for key, time in (("End", 1.0), ("Home", 0.0)):
            window.keyboard.press(key)
            assert window.evaluate("rollick.now") == time
        window.keyboard.press("ArrowRight")
        assert 0.0 < window.evaluate("rollick.now") < 0.01
        for key, switch in (("n", "force"), ("o", "omega"), ("m", "centre"), ("p", "curves")):
            before = window.evaluate(f"document.getElementById('{switch}').checked")
            window.keyboard.press(key)
            assert window.evaluate(f"document.getElementById('{switch}').checked") is not before
        window.keyboard.press("p")
        box = window.locator("#curves-panel canvas").bounding_box()
        window.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + 10)
        assert 0.4 < window.evaluate("rollick.now") < 0.8
        window.keyboard.press(" ")
        assert window.locator("#play").inner_text() == "pause"
        window.keyboard.press("End")
        window.wait_for_function(SHARP)  # again at rest
        assert said == []


def test_a_page_takes_another_motion_from_the_page_around_it_only(page, motion, tmp_path):
    text = page.read_text(encoding="utf-8")
    data = re.search(r'id="motion">(.*?)</script>', text, re.DOTALL)[1]
    outer = (
        f'<body><p id="trouble" hidden></p><iframe id="f" sandbox="allow-scripts" srcdoc="{html.escape(text, quote=True)}"></iframe>'
        f'<script type="application/json" id="d">{data}</script><script>window.rollick = 1; window.log = [];'
        'addEventListener("message", (event) => { if (event.source === f.contentWindow) log.push(event.data); });</script>'
    )
    path = tmp_path / "outer.html"
    path.write_text(outer, encoding="utf-8")
    with opened(path, "", (640, 480)) as window:
        window.wait_for_function("log.length === 1 && log[0].rollickReady")
        window.evaluate(
            "f.contentWindow.postMessage({rollick: {...JSON.parse(d.textContent), name: 'another'}, options: {curves: false}, seek: 0.5}, '*')"
        )
        window.wait_for_function("log.length === 2")
        assert window.evaluate("log[1]") == {"rollickShows": ["another"], "from": 0, "to": 1}
        for bad in (
            "{rollick: 7}",
            "{rollick: {frames: 3}}",
            "{rollick: {sides: []}}",
            "{rollick: {...JSON.parse(d.textContent), attitude: 'AAAA'}}",
        ):
            count = window.evaluate("log.length")
            window.evaluate(f"f.contentWindow.postMessage({bad}, '*')")
            window.wait_for_function(f"log.length === {count + 1}")
            assert "rollickTrouble" in window.evaluate(f"log[{count}]")
        inside = window.frames[1]
        inside.evaluate("window.postMessage({rollick: 7}, '*')")  # from itself: not heard
        window.evaluate("f.contentWindow.postMessage({play: false}, '*')")
        window.wait_for_function("log[log.length - 1].rollickShows !== undefined")
        assert inside.evaluate("rollick.now") == 0.5


@pytest.mark.slow
def test_films_and_stills(motion, tmp_path):
    from PIL import Image

    film = save_video(motion, tmp_path / "stone.gif", fps=10, speed=1.0, size=(320, 240), until=0.5)
    with Image.open(film) as shown:
        assert shown.n_frames == 6
        assert shown.info["duration"] == 100
        assert shown.size == (320, 240)
    still = save_still([motion, motion], tmp_path / "stone.png", poses=4, size=(400, 300))
    with Image.open(still) as shown:
        assert shown.size == (400, 300)
        assert np.asarray(shown.convert("L")).std() > 10.0
    with pytest.raises(InputError, match=r"since = 0\.5 and until = 0\.2"):
        save_video(motion, tmp_path / "no.gif", since=0.5, until=0.2)
    with pytest.raises(InputError, match="more than 600; give speed="):
        save_video(motion, tmp_path / "no.gif", speed=0.01)
    pytest.importorskip("imageio_ffmpeg", reason="mp4 needs ffmpeg")
    import imageio.v2

    clip = save_video(motion, tmp_path / "stone.mp4", fps=25, speed=1.0, size=(320, 240), until=0.2, show=("force", "curves"))
    with imageio.v2.get_reader(clip) as reader:
        assert reader.count_frames() == 6


@pytest.mark.slow
def test_two_motions_side_by_side_are_drawn(motion, tmp_path):
    path = side_by_side([motion, motion], tmp_path / "two.html", ["left", "right"])
    with opened(path, "t=0.5", (800, 500)) as window:
        assert window.locator("canvas.scene").count() == 2
        assert window.locator(".legend .name").all_inner_texts() == ["left", "right"]
        assert len(set(window.locator(".scale .long").all_inner_texts())) == 1  # seen from the same distance
        assert len({box["width"] for box in (bar.bounding_box() for bar in window.locator(".scale .bar").all())}) == 1
        seen = pixels(window)
        assert seen[:300, :400].std() > 10.0
        assert seen[:300, 400:].std() > 10.0
