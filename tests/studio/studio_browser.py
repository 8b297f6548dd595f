"""A studio of one's own and a browser to drive it, for the tests and the benchmark."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
BUSY = ("computing", "simulating", "ensemble", "stability:")


@contextlib.contextmanager
def running_studio(*more: str) -> Iterator[tuple[str, subprocess.Popen]]:
    """A studio on a free port: its address, and its process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "rollick", "studio", "--no-browser", "--port", "0", *more],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "ROLLICK_QUIET": "1"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stdout.read()
        threading.Thread(target=process.stdout.read, daemon=True).start()  # what it says must not stop it
        yield found[0], process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


@contextlib.contextmanager
def running_browser() -> Iterator[Any]:
    """Chromium without a screen, with software rendering."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """A page of the studio, and what one does on it."""

    def __init__(self, browser: Any, address: str, query: str = "", size: tuple[int, int] = (1280, 720), **options: Any):
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on(
            "request", lambda r: None if r.url.startswith((address, "data:", "blob:", "ws:")) else self.outside.append(r.url)
        )
        self.address = address
        self.go(query)

    def go(self, query: str = "") -> None:
        """Open the page anew."""
        self.page.goto(self.address + query, wait_until="commit", timeout=240_000)
        self.page.wait_for_selector(".curves .uplot", timeout=240_000)

    def said(self) -> str:
        """The line at the bottom."""
        return self.page.locator(".said .text").inner_text()

    def settled(self, seconds: float = 120.0) -> str:
        """The line at the bottom, once nothing is computed any more."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.page.wait_for_timeout(150)
            busy = self.page.locator(".said button", has_text="Cancel").is_visible()
            if not busy and not self.said().startswith(BUSY):
                return self.said()
        raise AssertionError(f"still busy after {seconds:g} s: {self.said()}")

    def choose(self, system: str) -> None:
        """Another system, from the list."""
        self.page.get_by_role("combobox", name="system").click()
        self.page.locator(".q-menu .q-item").filter(has_text=re.compile(f"^{system}$")).click()

    def slider(self, name: str) -> Any:
        """The slider of a number."""
        return self.page.locator(f'.number .slide[aria-label="{name}"]')

    def drag(self, name: str, to: float) -> None:
        """Drag a slider to a share of its length."""
        slider = self.slider(name)
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        middle = box["y"] + box["height"] / 2
        self.page.mouse.move(box["x"] + box["width"] * 0.4, middle)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + box["width"] * to, middle, steps=3)
        self.page.mouse.up()

    def type(self, name: str, text: str) -> None:
        """Type into the field of a number."""
        field = self.page.locator(f'input[aria-label^="{name},"]')
        field.fill(text)
        field.press("Enter")

    def open_tab(self, name: str) -> None:
        """Curves, Maps, Equations, Summary."""
        self.page.get_by_role("tab", name=name).click()
        self.page.wait_for_timeout(300)

    def text_of(self, item: str) -> str:
        """What the Save menu shows for an item."""
        self.page.get_by_role("button", name="save or share").click()
        self.page.locator(".q-menu .q-item", has_text=item).click()
        area = self.page.locator(".q-dialog textarea")
        area.wait_for()
        text = area.input_value()
        self.page.get_by_role("button", name="Close").click()
        area.wait_for(state="hidden")
        return text

    def until_address(self, part: str, seconds: float = 60.0) -> str:
        """The address, once it holds a part."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if re.search(re.escape(part) + r"(&|$)", self.page.url) or (part.endswith("=") and part in self.page.url):
                return self.page.url
            self.page.wait_for_timeout(100)
        raise AssertionError(f"the address is {self.page.url}, without {part}")

    def curve(self) -> list[float]:
        """The numbers of the last curve that is drawn."""
        return self.page.evaluate("() => document.querySelector('.curves').curves.at(-1).runs.at(-1)")

    def close(self) -> None:
        """Close it."""
        self.context.close()
