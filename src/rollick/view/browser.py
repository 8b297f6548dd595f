"""A browser without a window, to take pictures of pages: Chromium, Chrome or Edge of this machine, driven by Playwright."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..kernel.names import InputError

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge")
VARIABLE = "ROLLICK_BROWSER"
# Software rendering where there is no graphics card; no sandbox inside containers that run as root.
OPTIONS = ("--enable-unsafe-swiftshader", "--force-color-profile=srgb", "--hide-scrollbars")
PATIENCE = 60_000  # ms
MISSING = "pictures of the moving body are taken by a browser, which is driven by Playwright: pip install 'rollick[video]'."


def browser_path() -> str | None:
    """The browser of this machine: what ROLLICK_BROWSER names, or the first one found; None if there is none."""
    told = os.environ.get(VARIABLE, "")
    if told:
        if not os.access(told, os.X_OK):
            raise InputError(f"{VARIABLE} = {told!r} is not a program that can be started; name a Chromium, Chrome or Edge.")
        return told
    return next(filter(None, map(shutil.which, NAMES)), None)


def check_browser() -> None:
    """Say what is missing before anything is computed: Playwright, or a browser."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        raise InputError(MISSING) from None
    if browser_path() is None and not any(Path.home().glob(".cache/ms-playwright/chromium*")):
        raise InputError(f"no browser was found to take pictures with; install Chromium or Chrome, or name one in {VARIABLE}.")


@contextlib.contextmanager
def opened(page: Path, words: str, size: tuple[int, int], sharpness: float = 1.0) -> Iterator[Any]:
    """A page of Rollick in a browser without a window, ready to be asked through `window.rollick`; it may speak to no network."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise InputError(MISSING) from None
    with sync_playwright() as play:
        path = browser_path()
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        try:
            browser = play.chromium.launch(executable_path=path, args=[*OPTIONS, *(["--no-sandbox"] if root else [])])
        except Error as error:
            found = f"{path} did not start" if path else "no browser was found"
            raise InputError(
                f"{found}; install Chromium or Chrome, or name one in {VARIABLE} ({str(error).strip().splitlines()[0]})."
            ) from None
        try:
            window = browser.new_context(
                viewport={"width": size[0], "height": size[1]}, device_scale_factor=sharpness, offline=True, color_scheme="light"
            ).new_page()
            window.set_default_timeout(PATIENCE)
            troubles: list[str] = []
            window.on("pageerror", lambda error: troubles.append(str(error)))
            window.goto(f"{page.resolve().as_uri()}#{words}")
            window.wait_for_function("window.rollick !== undefined || !document.getElementById('trouble').hidden")
            if troubles or window.evaluate("window.rollick === undefined"):
                told = troubles[0] if troubles else window.evaluate("document.getElementById('trouble').textContent")
                raise InputError(f"the browser {path or ''} could not draw the page: {told}")
            yield window
        finally:
            browser.close()
