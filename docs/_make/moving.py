"""The bodies that move on the front page: each is simulated in the build, and its 3-D page, one file that needs nothing else, is put beside the pages.

python docs/_make/moving.py --thumbnails     # draws docs/images/moving_*.png anew; needs a browser (pip install 'rollick[video]')
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parents[1]
PAGES = DOCS / "generated" / "extra" / "moving"


class Scene(NamedTuple):
    """A motion worth watching: its name, title, the page that explains it, the words of the command, and the instant of its thumbnail."""

    name: str
    title: str
    page: str
    words: str
    instant: float


SCENES = (
    Scene("rattleback", "A stone that reverses its spin", "rattleback", "rattleback", 2.2),
    Scene("tippe_top", "A top that turns over", "tops", "tippe_top", 1.5),
    Scene("torus", "A torus that rolls without twist", "rolling", "torus", 4.0),
    Scene("tippedisk", "A disk that lifts its mass centre", "tippedisk", "tippedisk", 1.0),
    Scene("euler_disk", "Euler's disk", "tops", "euler_disk", 1.0),
    Scene("square", "A plate that chatters", "chatter", "polygon --set g=1 --set gamma=0.5", 0.6),
    Scene("wheelset", "A railway wheelset", "wheelset", "wheelset_rolling", 0.7),
    Scene("flowmeter", "A ball in a flowmeter", "flowmeter", "flowmeter", 2.0),
    Scene("philae", "The lander Philae tumbles", "philae", "philae --until 2700", 900.0),
)


def make(scene: Scene) -> str:
    """Simulate a scene and write its page, unless it is there; what went wrong, if something did."""
    target = PAGES / f"{scene.name}.html"
    if target.exists():
        return ""
    call = [sys.executable, "-m", "rollick", "simulate", *scene.words.split(), "--view", str(target)]
    done = subprocess.run(call, capture_output=True, text=True, env=os.environ | {"ROLLICK_QUIET": "1", "ROLLICK_COMPILERS": "1"})
    return "" if done.returncode == 0 else f"{scene.name}: {done.stderr[-600:]}"


def write() -> None:
    """All pages, two at a time."""
    PAGES.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        troubles = [trouble for trouble in pool.map(make, SCENES) if trouble]
    if troubles:
        raise RuntimeError("\n".join(troubles))


def gallery() -> str:
    """The scenes as cards that lead to their pages."""
    cards = [
        f":::{{grid-item-card}} {scene.title}\n:img-top: images/moving_{scene.name}.png\n:link: moving/{scene.name}.html\n"
        f"`rollick simulate {scene.words}`\n:::"
        for scene in SCENES
    ]
    return "\n".join(["::::{grid} 2 2 3 3", ":gutter: 2", ":class-container: gallery", "", *cards, "::::", ""])


def thumbnails() -> None:
    """A picture of each page at its instant, small enough to be kept with the sources."""
    from playwright.sync_api import sync_playwright

    from rollick.view.browser import browser_path

    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--use-gl=swiftshader", "--enable-unsafe-swiftshader"]
        )
        for scene in SCENES:
            page = browser.new_page(viewport={"width": 640, "height": 420})
            page.goto(f"file://{PAGES / scene.name}.html#bare&t={scene.instant}")
            page.wait_for_timeout(2500)
            page.screenshot(path=DOCS / "images" / f"moving_{scene.name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--thumbnails", action="store_true")
    write()
    if p.parse_args().thumbnails:
        thumbnails()
