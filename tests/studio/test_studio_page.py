"""The studio in a real browser: open, run every system, drag, click, upload, save, two tabs, bad input, keys, a tablet."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from studio_browser import CHROMIUM, Tab, running_browser, running_studio

from rollick.studio.systems import system_names

MISSING = [name for name in ("nicegui", "playwright", "plotly") if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}: pip install 'rollick[studio]' playwright"),
    pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium"),
]
NAMES = {"body": "a body of your own"}
BODILESS = ("filippov_toy", "tippedisk_normalised")  # equations alone
SHOTS = os.environ.get("ROLLICK_SHOTS")  # a folder for screenshots that somebody looks at


def vertices(triangle):
    return "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle)


CUBE = "".join(
    f"facet normal 0 0 0\nouter loop\n{vertices(triangle)}endloop\nendfacet\n"
    for a, b, c, d in (
        ((0, 0, 0), (0, 40, 0), (40, 40, 0), (40, 0, 0)), ((0, 0, 40), (40, 0, 40), (40, 40, 40), (0, 40, 40)), ((0, 0, 0), (40, 0, 0), (40, 0, 40), (0, 0, 40)),
        ((0, 40, 0), (0, 40, 40), (40, 40, 40), (40, 40, 0)), ((0, 0, 0), (0, 0, 40), (0, 40, 40), (0, 40, 0)), ((40, 0, 0), (40, 40, 0), (40, 40, 40), (40, 0, 40)),
    )
    for triangle in ((a, b, c), (a, c, d))
)  # fmt: skip


@pytest.fixture(scope="module")
def studio():
    with running_studio() as (address, process):
        yield address, process


@pytest.fixture(scope="module")
def browser():
    with running_browser() as made:
        yield made


@pytest.fixture(scope="module")
def window(studio, browser):
    made = Tab(browser, studio[0])
    yield made
    made.close()


@pytest.fixture
def tab(window):
    window.go()
    yield window
    assert not window.outside, "the page asked for something from elsewhere"


def shot(tab, name):
    if SHOTS:
        tab.page.wait_for_timeout(1200)
        tab.page.screenshot(path=os.path.join(SHOTS, f"{name}.png"))


def test_it_opens_with_a_motion(tab):
    assert "reached t = 20" in tab.settled()
    assert np.ptp(tab.curve()) > 0
    tab.page.frame_locator(".scene iframe").locator("canvas").first.wait_for()
    shot(tab, "open")
    tab.open_tab("Equations")
    assert tab.page.locator(".equations math").count() > 3
    shot(tab, "equations")
    tab.open_tab("Summary")
    assert "reversal 1" in tab.page.locator("pre.told-words").inner_text()


@pytest.mark.parametrize("system", system_names()[::-1])
def test_every_system_runs(window, system):
    tab = window
    tab.open_tab("Curves")
    tab.choose(NAMES.get(system, system.replace("_", " ")))
    tab.until_address(f"system={system}")
    said = tab.settled(300)
    assert said.startswith(f"{system}: "), said
    assert np.ptp([v for v in tab.curve() if v is not None]) >= 0
    frame = tab.page.frame_locator(".scene iframe")
    (frame.get_by_text("There is no body to show") if system in BODILESS else frame.locator("canvas").first).wait_for()
    shot(tab, f"system-{system}")


def test_a_slider_is_dragged_and_undone(tab):
    before = tab.curve()
    tab.drag("D", 0.9)
    tab.until_address("p.D=")
    tab.settled()
    after = tab.curve()
    assert before != after
    tab.page.locator("h1").click()
    tab.page.keyboard.press("Control+z")
    tab.page.wait_for_function("() => !location.search.includes('p.D=')")  # the server has heard of it
    tab.settled()
    assert tab.curve() == before
    tab.page.keyboard.press("Control+y")
    tab.until_address("p.D=")
    tab.settled()
    assert tab.curve() == after


def test_runs_are_kept_beside_each_other(tab):
    tab.page.locator('button[aria-label^="keep this run"]').click()
    tab.type("sigma", "1e-4")
    tab.until_address("p.sigma=")
    tab.settled()
    assert tab.page.locator(".kept-run").count() == 2
    shot(tab, "kept")


def test_a_click_on_a_map_plays_that_motion(tab):
    tab.open_tab("Maps")
    for k in range(2):
        tab.page.get_by_label("points").nth(k).fill("5")
    tab.page.get_by_role("button", name="Compute").click()
    tab.page.wait_for_selector(".plot .heatmaplayer image", timeout=120_000)
    tab.settled()
    shot(tab, "map")
    box = tab.page.locator(".plot .heatmaplayer image").bounding_box()
    tab.page.mouse.click(box["x"] + 0.1 * box["width"], box["y"] + 0.9 * box["height"])
    address = tab.until_address("s.omega3=-10.0")
    assert "p.D=-6e-05" in address
    assert "reached t = 20" in tab.settled()


def test_a_click_on_a_stability_chart_and_on_a_branch(tab):
    tab.open_tab("Maps")
    choose(tab, "show", "stability of the steady motion")
    for k in range(2):
        tab.page.get_by_label("points").nth(k).fill("6")
    tab.page.get_by_role("button", name="Compute").click()
    tab.page.wait_for_selector(".plot .heatmaplayer image", timeout=120_000)
    tab.settled()
    tab.page.wait_for_timeout(500)
    shot(tab, "stability")
    box = tab.page.locator(".plot .heatmaplayer image").bounding_box()
    tab.page.mouse.click(box["x"] + 0.95 * box["width"], box["y"] + 0.05 * box["height"])
    assert "p.D=6e-05" in tab.until_address("s.omega3=10.0")
    tab.settled()
    choose(tab, "show", "bifurcation diagram")
    tab.page.get_by_role("button", name="Compute").click()
    tab.page.wait_for_selector(".plot .scatterlayer .points path", timeout=120_000)
    tab.settled()
    shot(tab, "branch")
    before = tab.page.url
    point = tab.page.locator(".plot .scatterlayer .points path").nth(20).bounding_box()
    tab.page.mouse.click(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    tab.page.wait_for_function("before => location.href !== before", arg=before, timeout=60_000)
    tab.settled()


def choose(tab, label, word):
    tab.page.get_by_role("combobox", name=label, exact=True).click()
    tab.page.locator(".q-menu .q-item", has_text=word).first.click()


def test_a_mesh_is_uploaded_and_dropped(tab, tmp_path):
    tab.page.goto(tab.address + "?system=body&p.shape=mesh", wait_until="commit")
    tab.page.locator(".said .text.bad").wait_for()
    assert "upload" in tab.settled(300)
    file = tmp_path / "cube.stl"
    file.write_text(f"solid cube\n{CUBE}endsolid cube\n")
    tab.page.locator('.q-uploader input[type="file"]').set_input_files(str(file))
    tab.until_address("p.mesh=")
    assert tab.settled(300).startswith("body: reached")
    shot(tab, "mesh")


def test_what_is_saved_runs_and_is_the_same(tab, tmp_path):
    tab.type("h", "8mm")
    tab.until_address("p.h=0.008")
    tab.settled()
    script = tmp_path / "again.py"
    script.write_text(tab.text_of("Python script") + "print(repr(float(motion['omega3'][-1])))\n")
    told = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    tab.open_tab("Summary")
    shown = re.search(r"omega3 .*at the end (\S+)", tab.page.locator("pre.told-words").inner_text().replace("\n", " "))
    assert shown is not None
    assert float(told.stdout.splitlines()[-1]) == pytest.approx(float(shown[1]), rel=1e-9)
    study = tmp_path / "study.toml"
    study.write_text(re.sub(r"count = \d+", "count = 2", tab.text_of("TOML for rollick sweep")))
    swept = subprocess.run(
        [sys.executable, "-m", "rollick", "sweep", str(study), "--json"], capture_output=True, text=True, timeout=300
    )
    assert swept.returncode == 0, swept.stderr
    assert "p.h=0.008" in tab.text_of("Link to this state")
    tab.page.get_by_role("button", name="save or share").click()
    with tab.page.expect_download(timeout=60_000) as waiting:
        tab.page.locator(".q-menu .q-item", has_text="netCDF").click()
    from rollick import Motion

    saved = tmp_path / "motion.nc"
    waiting.value.save_as(saved)
    assert float(Motion.open(saved)["omega3"][-1]) == pytest.approx(float(shown[1]), rel=1e-9)


def test_two_tabs_do_not_disturb_each_other(studio, browser, tab):
    other = Tab(browser, studio[0])
    before = tab.curve()
    other.drag("D", 0.1)
    other.until_address("p.D=")
    other.settled()
    assert tab.curve() == before != other.curve()
    assert "p.D" not in tab.page.url
    other.close()
    tab.drag("h", 0.7)
    tab.until_address("p.h=")
    tab.settled()


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [("h", "7 kg", "measured in m"), ("h", "import os", "not a number"), ("M", "-1", "M"), ("a", "1e400", "finite")],
)
def test_bad_input_is_refused_in_a_sentence(tab, name, text, part):
    tab.settled()
    before = tab.page.url
    tab.type(name, text)
    tab.page.wait_for_selector(".said .text.bad", timeout=30_000)
    assert part in tab.said()
    assert "Traceback" not in tab.said()
    tab.page.locator("h1").click()
    assert tab.page.url == before or name == "M"  # a mass that cannot be is refused by the system itself, when it is made


@pytest.mark.parametrize(
    "query",
    ["?system=nonsense", "?p.D=1e999", "?until=1e9", "?x=" + "y" * 3000, "?system=profile&p.points=/etc/passwd", "?set=1"],
)
def test_a_bad_address_is_refused_in_a_sentence(window, query):
    window.go(query)
    assert window.page.locator(".said .text.bad").count() == 1, window.said()


def test_a_worker_that_is_killed_does_not_take_the_page_down(studio, tab):
    tab.choose("euler disk")
    tab.until_address("system=euler_disk")
    tab.settled(300)
    tab.type("strength", "0.0007")
    tab.page.locator(".said button", has_text="Cancel").wait_for()
    killed = 0
    for pid in children(studio[1].pid):
        if "spawn_main" in command(pid):
            os.kill(pid, signal.SIGKILL)
            killed += 1
    assert killed
    assert "abruptly" in tab.settled(60)
    tab.page.locator(".said button", has_text="Run").click()
    tab.page.locator(".said .text.bad").wait_for(state="hidden")
    assert tab.settled(300).startswith("euler_disk: reached")


def children(pid):
    return [
        int(p) for p in subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout.split()
    ]


def command(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as file:
        return file.read().decode(errors="replace")


def test_a_computation_is_cancelled(tab):
    tab.go("?until=400&rtol=1e-12")  # 2500 motions of 20 s are done before one has found the button
    tab.settled()
    tab.open_tab("Maps")
    for k in range(2):
        tab.page.get_by_label("points").nth(k).fill("50")
    tab.page.get_by_role("button", name="Compute").click()
    tab.page.locator(".said button", has_text="Cancel").click()
    assert tab.settled(30) == "the map was cancelled."
    assert tab.page.locator(".plot .heatmaplayer image").count() == 0
    tab.open_tab("Curves")
    tab.choose("euler disk")
    tab.until_address("system=euler_disk")
    assert tab.settled(300).startswith("euler_disk: ")


def test_keys_labels_and_contrast(tab):
    slider = tab.slider("D")
    slider.focus()
    slider.press("ArrowRight")
    tab.until_address("p.D=")
    unnamed = tab.page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, textarea, [role=slider], [role=tab], iframe')].filter(e => e.offsetParent !== null && !(
        e.getAttribute('aria-label') || e.getAttribute('title') || e.labels?.length || e.innerText?.trim() || e.closest('label'))).map(e => e.outerHTML.slice(0, 120))"""
    )
    assert not unnamed
    for dark in (False, True):
        if dark:
            tab.page.get_by_role("button", name="light or dark").click()
            tab.page.wait_for_timeout(1500)
            shot(tab, "dark")
        poor = tab.page.evaluate(CONTRAST)
        assert not poor, poor


CONTRAST = """() => {
  const numbers = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const light = c => { const [r, g, b] = c.map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0.5) return c.slice(0, 3); } return [255, 255, 255]; };
  const found = [];
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || e.offsetParent === null || e.closest('.js-plotly-plot, [disabled], .disabled, script, style')) continue;
    const [a, b] = [light(numbers(getComputedStyle(e).color).slice(0, 3)), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push([e.className, e.textContent.trim().slice(0, 30), ratio.toFixed(2)]);
  }
  return found;
}"""


@pytest.mark.parametrize("size", [(1024, 768), (768, 1024)], ids=["landscape", "portrait"])
def test_it_fits_a_tablet_and_answers_to_touch(studio, browser, size):
    tab = Tab(browser, studio[0], size=size, has_touch=True)
    tab.settled()
    width = tab.page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert width[0] <= size[0]
    assert width[1] <= size[1] + 2
    cut = tab.page.evaluate("() => { const c = document.querySelector('.curves'); return c.scrollHeight - c.clientHeight; }")
    assert cut <= 1  # the axis of time is seen
    shot(tab, f"tablet-{size[0]}-curves")
    tab.page.get_by_role("tab", name="Maps").tap()
    tab.page.get_by_role("button", name="Compute").wait_for()
    below = tab.page.locator(".said").bounding_box()["y"]
    for thing in (".plot", ".maps .axes-row >> nth=1"):
        box = tab.page.locator(thing).bounding_box()
        assert box["y"] + box["height"] <= below + 1, thing
    slider = tab.slider("a").bounding_box()
    tab.page.touchscreen.tap(slider["x"] + 0.5 * slider["width"], slider["y"] + slider["height"] / 2)
    tab.until_address("p.a=")
    shot(tab, f"tablet-{size[0]}")
    tab.close()
