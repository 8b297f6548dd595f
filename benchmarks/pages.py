"""Pages in a browser without a graphics card: their size, frames per second over 5 s, and the processor time of a frame.

    python benchmarks/pages.py [PAGE.html ...]        default: 20 s of the rattleback

Frames per second depend on what else the machine does; processor time per frame less so. Needs rollick[video] and a Chromium.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from rollick import Rattleback, simulate
from rollick.view.browser import opened

COUNT = """() => new Promise((done) => {
  let count = 0;
  const begin = performance.now();
  const next = () => {
    count += 1;
    const passed = performance.now() - begin;
    if (passed > 5000) done([count, passed / 1000]);
    else requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""


def processor_time(root: int) -> float:
    """Seconds that a process and its descendants have used (Linux)."""
    parents, used = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def below(process: int) -> bool:
        while process in parents and process != root:
            process = parents[process]
        return process == root

    return sum(seconds for process, seconds in used.items() if below(process))


def main() -> None:
    """Measure some pages."""
    with tempfile.TemporaryDirectory() as folder:
        pages = [Path(name) for name in sys.argv[1:]]
        if not pages:
            motion = simulate(Rattleback(), {"alpha": "0.5deg", "beta": "0.5deg", "omega3": -5.0}, 20.0, dense=True)
            pages = [motion.save_html(Path(folder) / "rattleback.html")]
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        for page in pages:
            with opened(page, "", (1280, 720)) as window:
                window.wait_for_timeout(3000)  # until the page has found how many pixels it can draw
                before = processor_time(os.getpid())
                count, seconds = window.evaluate(COUNT)
                spent = processor_time(os.getpid()) - before
                drawn = window.evaluate(
                    "document.querySelector('canvas.scene').width / document.querySelector('canvas.scene').clientWidth"
                )
            print(
                f"{page.stem:16} {page.stat().st_size / 1e6:.2f} MB, {count / seconds:5.1f} frames per second, "
                f"{1e3 * spent / count:5.1f} ms of processor time a frame, at {100 * drawn:.0f} % of the pixels"
            )


if __name__ == "__main__":
    main()
