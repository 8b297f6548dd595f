"""Films and stroboscopic pictures of a moving body: frames of its page, taken at exact times by a browser without a window.

save_video(motion, "stone.mp4")               mp4, webm or gif, by the ending
save_still(motion, "stone.png", poses=9)      the body at nine instants in one picture
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ..kernel.names import InputError, file_of, number
from ..kernel.sizes import bounded
from ..motion.result.whole_file import write_whole
from .browser import check_browser, opened

FILMS = (".mp4", ".webm", ".gif")
STILLS = (".png", ".jpg", ".jpeg")
CODECS = {
    ".mp4": ("libx264", ["-pix_fmt", "yuv420p", "-movflags", "+faststart"]),
    ".webm": ("libvpx-vp9", ["-pix_fmt", "yuv420p", "-b:v", "0", "-crf", "34"]),
}
MOST_FRAMES, MOST_GIF_FRAMES, MOST_POSES = 3600, 600, 60
OVERLAYS = ("tracks", "whole", "contact", "force", "cone", "omega", "centre", "glass", "follow", "curves")


def check_ready(kind: str | None) -> None:
    """Say what is missing for films of a kind (None: for a picture) before anything is computed."""
    check_browser()
    if kind is not None:
        writer_of(kind)


def checked_target(path: Any, endings: tuple[str, ...], what: str) -> Path:
    """The file that can be written to; another ending, or a folder, is refused before anything is computed."""
    target = file_of(path)
    if target.suffix.lower() not in endings:
        raise InputError(f"cannot write the {what} {target}: the file must end in {' or '.join(endings)}.")
    if target.is_dir():
        raise InputError(f"cannot write the {what} {target}: there is a folder of that name; choose another.")
    if not target.parent.is_dir():
        raise InputError(f"cannot write the {what} {target}: there is no folder {target.parent}.")
    return target


def words_of(show: Any) -> str:
    """What is switched on in the page, as words of its address."""
    wanted = [show] if isinstance(show, str) else list(show)
    for word in wanted:
        if word not in OVERLAYS:
            raise InputError(f"show = {word!r}: a picture can show {', '.join(OVERLAYS)}.")
    return "&".join(["fine", "picture", *wanted, *([] if "curves" in wanted else ["no-curves"])])


def checked_size(size: Any) -> tuple[int, int]:
    """Width and height in pixels, even numbers as films need them."""
    try:
        wide, high = (int(x) for x in size)
    except (TypeError, ValueError):
        raise InputError(
            f"size = {size!r} must be two whole numbers, the width and the height in pixels, e.g. (1280, 720)."
        ) from None
    if not (160 <= wide <= 3840 and 120 <= high <= 2160):
        raise InputError(f"size = {size!r} must be from 160 x 120 to 3840 x 2160 pixels.")
    return wide - wide % 2, high - high % 2


def span_of(window: Any, since: Any, until: Any) -> tuple[float, float]:
    """From when to when: the whole motion, or the part that was asked for."""
    first, last = float(window.evaluate("rollick.from")), float(window.evaluate("rollick.to"))
    low = first if since is None else number(since, "since", "s")
    high = last if until is None else number(until, "until", "s")
    if not first <= low < high <= last:
        raise InputError(
            f"the motion goes from {first:g} to {last:g}; since = {low:g} and until = {high:g} must lie in it, in this order."
        )
    return low, high


def page_of(result: Any, folder: str, title: str | None) -> Path:
    """The page of a result, or of several side by side, in a folder."""
    path = Path(folder) / "page.html"
    if isinstance(result, (list, tuple)):
        from .page import side_by_side

        return side_by_side(result, path)
    return Path(result.save_html(path, title))


def save_video(
    result: Any, path: Any, *, fps: float = 25.0, speed: float | None = None, size: Any = (960, 540), show: Any = ("tracks", "contact"),
    since: Any = None, until: Any = None, title: str | None = None,
) -> Path:  # fmt: skip
    """Write a film of a result: so many frames per second, each at its exact time.

    speed: how fast time passes, 1 as it does (default: as the page shows it at first). show: what is shown with the body (`OVERLAYS`).
    A list of results is shown side by side.
    """
    target = checked_target(path, FILMS, "film")
    kind = target.suffix.lower()
    rate = bounded(number(fps, "fps"), "fps", 1.0, 120.0, fps)
    wide = checked_size(size)
    words = words_of(show)
    check_ready(kind)
    with tempfile.TemporaryDirectory(prefix="rollick-") as folder, opened(page_of(result, folder, title), words, wide) as window:
        low, high = span_of(window, since, until)
        pace = (
            float(window.evaluate("rollick.speed"))
            if speed is None
            else bounded(number(speed, "speed"), "speed", 1e-6, 1e6, speed)
        )
        count = max(2, round((high - low) / pace * rate) + 1)
        most = MOST_GIF_FRAMES if kind == ".gif" else MOST_FRAMES
        if count > most:
            raise InputError(
                f"a film of {high - low:g} at speed {pace:g} with {rate:g} frames per second has {count} frames, more than {most}; "
                f"give speed={(high - low) * rate / most * 1.01:.3g} or more, a smaller fps, or until."
            )
        raw = Path(folder) / f"film{kind}"
        film = writer_of(kind)(raw, rate)
        try:
            for t in np.linspace(low, high, count):
                film.add(picture(window, float(t)))
        finally:
            film.close()
        write_whole(target, raw.read_bytes())
    return target


def picture(window: Any, t: float) -> np.ndarray:
    """The page at an instant, as an array of pixels."""
    from PIL import Image

    window.evaluate("t => rollick.seek(t)", t)
    return np.asarray(Image.open(io.BytesIO(window.screenshot(type="png"))).convert("RGB"))


def writer_of(kind: str) -> Any:
    """What writes films of a kind: a class made with the file and the frames per second."""
    if kind == ".gif":
        return Gif
    try:
        import imageio.v2
        import imageio_ffmpeg  # noqa: F401
    except ImportError:
        raise InputError(
            f"{kind} films are written by imageio with ffmpeg: pip install 'rollick[video]', or write a .gif."
        ) from None

    class Film:
        def __init__(self, file: Path, rate: float):
            codec, options = CODECS[kind]
            self.writer = imageio.v2.get_writer(
                file, fps=rate, codec=codec, macro_block_size=2, output_params=options, ffmpeg_log_level="error"
            )

        def add(self, pixels: np.ndarray) -> None:
            self.writer.append_data(pixels)

        def close(self) -> None:
            self.writer.close()

    return Film


class Gif:
    """A film as a GIF, with the colours of its first frame for all."""

    def __init__(self, file: Path, rate: float):
        self.file, self.pause, self.frames = file, max(20, round(1000.0 / rate)), []  # type: ignore[var-annotated]

    def add(self, pixels: np.ndarray) -> None:
        """One frame more."""
        from PIL import Image

        whole = Image.fromarray(pixels)
        if not self.frames:
            self.frames.append(whole.quantize(128, dither=Image.Dither.NONE))
        else:
            self.frames.append(whole.quantize(palette=self.frames[0], dither=Image.Dither.NONE))

    def close(self) -> None:
        """Write the file."""
        if self.frames:
            self.frames[0].save(
                self.file, save_all=True, append_images=self.frames[1:], duration=self.pause, loop=0, optimize=False
            )


def save_still(
    result: Any, path: Any, poses: int = 9, *, size: Any = (1600, 900), show: Any = ("tracks", "whole"), since: Any = None, until: Any = None,
    title: str | None = None,
) -> Path:  # fmt: skip
    """Write one picture with the body at several instants, evenly spread: the earlier, the fainter."""
    target = checked_target(path, STILLS, "picture")
    if isinstance(poses, bool) or not isinstance(poses, (int, np.integer)) or not 1 <= poses <= MOST_POSES:
        raise InputError(f"poses = {poses!r} must be a whole number from 1 to {MOST_POSES}: how many times the body is shown.")
    wide, words = checked_size(size), words_of(show)
    check_ready(None)
    with tempfile.TemporaryDirectory(prefix="rollick-") as folder, opened(page_of(result, folder, title), words, wide) as window:
        low, high = span_of(window, since, until)
        window.evaluate("times => rollick.strobe(times)", np.linspace(low, high, int(poses)).tolist())
        raw = window.screenshot(type="png" if target.suffix.lower() == ".png" else "jpeg")
    write_whole(target, raw)
    return target
