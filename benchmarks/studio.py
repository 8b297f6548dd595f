"""The studio, measured: first motion, from a slider to new curves, five minutes of changes, ten thousand malformed requests.

    python benchmarks/studio.py open|latency|soak|fuzz|all [--minutes 5] [--count 10000]

Needs `pip install 'rollick[studio]' playwright` and Chromium. Times are those of this machine, with its neighbours and with software rendering.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import logging
import os
import random
import string
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "studio"))
from studio_browser import Tab, running_browser, running_studio

LISTEN = """() => {
  window.released = 0; window.waits = [];
  document.addEventListener('pointerup', () => { window.released = performance.now(); }, true);
  document.addEventListener('mouseup', () => { window.released = performance.now(); }, true);
  document.querySelector('.curves').addEventListener('drawn', () => {
    const began = window.released;
    window.released = 0;
    if (began) requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - began)));  // on the screen
  });
}"""


def warmed(address: str) -> None:
    """Wait until the workers are ready: the page's first motion is there."""
    parts = urlsplit(address)
    end = time.monotonic() + 120.0
    while time.monotonic() < end:
        link = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
        link.request("GET", "/")
        text = link.getresponse().read()
        if b"reached t = 20" in text:
            return
        time.sleep(1.0)
    raise SystemExit("the first motion did not come")


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    found, waiting = [], [pid]
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                parents.setdefault(int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1]), []).append(
                    int(name)
                )
            except (OSError, ValueError, IndexError):
                continue
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting += parents.get(here, [])
    return found


def memory(pid: int) -> float:
    """MB that a process and those below it hold."""
    total = 0
    for member in tree(pid):
        try:
            total += int(Path(f"/proc/{member}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            continue
    return total / 1e6


def report(name: str, **numbers: object) -> None:
    """One line of JSON."""
    print(json.dumps({"bar": name, "load": os.getloadavg()[0], **numbers}), flush=True)


def spent(*roots: int) -> float:
    """Seconds of processor time that processes and those below them have used."""
    ticks = 0
    for member in {member for root in roots for member in tree(root)}:
        with contextlib.suppress(OSError, ValueError, IndexError):
            ticks += sum(map(int, Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def moves(page) -> bool:
    """Whether the body in the scene has been drawn and moves."""
    scenes = [frame for frame in page.frames if "/scene/" in frame.url]
    with contextlib.suppress(Exception):  # a frame that is just being loaded
        return bool(scenes) and scenes[0].evaluate("() => Boolean(window.rollick && rollick.now > rollick.from)")
    return False


def measure_open(browser, address: str, count: int = 5) -> None:
    """From opening the page, in a browser without a cache, to curves and a moving body on the screen; seconds, and those of all processors together."""
    curves, scenes, cpu = [], [], []
    for _ in range(count):
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        page = context.new_page()
        began, used = time.perf_counter(), spent(os.getpid())
        page.goto(address, wait_until="commit")
        page.wait_for_selector(".curves .uplot", timeout=60_000)
        curves.append(time.perf_counter() - began)
        while not moves(page) and time.perf_counter() < began + 60.0:
            page.wait_for_timeout(15)
        scenes.append(time.perf_counter() - began)
        cpu.append(spent(os.getpid()) - used)  # the studio and the browser are children of this process
        context.close()
    told = {name: [round(v, 2) for v in values] for name, values in (("curves_s", curves), ("moves_s", scenes), ("cpu_s", cpu))}
    report("first motion", **told, asked="3 s")


def pause(tab: Tab) -> None:
    """Stop the moving body: with software rendering it takes a core."""
    tab.page.evaluate("scene.frame().contentWindow.postMessage({play: false}, '*')")


def elsewhere(tab: Tab, name: str, rng: random.Random) -> float:
    """A share of a slider's length away from where it stands: one that is let go where it was has changed nothing, and no answer is due."""
    handle = tab.slider(name)
    here = int(handle.input_value()) / int(handle.get_attribute("max"))
    while True:
        share = rng.uniform(0.05, 0.95)
        if abs(share - here) > 0.05:
            return share


def measure_latency(browser, address: str, count: int = 30) -> None:
    """From letting a slider go to the new curves being drawn, measured inside the page."""
    tab = Tab(browser, address)
    tab.settled()
    tab.page.evaluate(LISTEN)
    rng = random.Random(1)
    lost = 0
    for _ in range(count):
        pause(tab)
        before, known = tab.page.url, tab.page.evaluate("window.waits.length")
        tab.drag("D", elsewhere(tab, "D", rng))
        try:
            tab.page.wait_for_function("known => window.waits.length > known", arg=known, timeout=10_000)
            tab.page.wait_for_function("before => location.href !== before", arg=before, timeout=10_000)
        except Exception:
            lost += 1
            print(f"no answer: {before}, then {tab.page.url}: {tab.said()}", file=sys.stderr, flush=True)
        tab.page.wait_for_timeout(700)  # somebody looks at it
    waits = np.array(tab.page.evaluate("window.waits")) / 1000.0
    tab.close()
    report(
        "slider to curves, rattleback 20 s",
        changes=count,
        lost=lost,
        median_s=round(float(np.median(waits)), 3),
        p95_s=round(float(np.percentile(waits, 95)), 3),
        asked="p95 0.5 s, 0 lost",
    )


def measure_soak(browser, address: str, pid: int, minutes: float) -> None:
    """A hundred changes a minute: memory of the server and its workers, and whether each change was answered."""
    tab = Tab(browser, address)
    tab.settled()
    rng = random.Random(2)
    names = ("D", "h", "sigma", "a", "omega3")
    began, changes, lost = time.monotonic(), 0, 0
    sizes: list[tuple[float, float]] = []
    while time.monotonic() < began + 60.0 * minutes:
        name = rng.choice(names)
        before = tab.page.url
        handle = tab.slider(name)
        place, most = int(handle.input_value()), int(handle.get_attribute("max"))
        ways = (("ArrowRight", "PageUp") if place < most else ()) + (("ArrowLeft", "PageDown") if place > 0 else ())
        handle.press(rng.choice(ways))  # at its end a slider goes one way only
        changes += 1
        try:
            tab.page.wait_for_function("before => location.href !== before", arg=before, timeout=10_000)
        except Exception:
            lost += 1
        if changes % 25 == 0:
            tab.settled(30)
            sizes.append((time.monotonic() - began, memory(pid)))
            print(f"{sizes[-1][0]:.0f} s, {changes} changes, {sizes[-1][1]:.0f} MB, {lost} lost", file=sys.stderr, flush=True)
        rest = began + 0.6 * changes - time.monotonic()
        if rest > 0:
            tab.page.wait_for_timeout(1000 * rest)
    tab.settled(30)
    last = tab.said()
    first = sizes[min(1, len(sizes) - 1)][1]
    tab.close()
    rate = changes / ((time.monotonic() - began) / 60.0)
    report(
        "soak",
        changes=changes,
        per_minute=round(rate, 1),
        lost=lost,
        growth_MB=round(sizes[-1][1] - first, 1),
        from_MB=round(first),
        last=last,
        asked="100 a minute, 50 MB, 0 lost",
    )


def garbage(rng: random.Random, canary: str) -> str:
    """A text that nobody should run, read or believe."""
    payloads = [
        f"__import__('os').system('touch {canary}')", f"$(touch {canary})", f"`touch {canary}`", f"'; open('{canary}','w') #", "{{7*7}}", "<script>alert(1)</script>", "../../../../etc/passwd",
        f"!!python/object/apply:os.system ['touch {canary}']", "\x00\x01\x02", "1e999", "NaN", "-0", "9" * rng.randrange(1, 5000), "\u202e\ud7ff", "%00%ff", "null", "[]", "{}", "a" * rng.randrange(1, 20000),
        "".join(rng.choice(string.printable) for _ in range(rng.randrange(1, 200))),
    ]  # fmt: skip
    return rng.choice(payloads)


def bad_request(rng: random.Random, parts, canary: str) -> int:
    """One malformed request; the status, or 0 where the connection was closed."""
    link = http.client.HTTPConnection(parts.hostname, parts.port, timeout=2)
    try:
        from urllib.parse import quote

        words = [quote(garbage(rng, canary)[:3000], safe="" if rng.random() < 0.5 else "/?&=") for _ in range(3)]
        path = rng.choice(
            ("/?" + "&".join(words), f"/?system={words[0]}", f"/?p.D={words[0]}&s.alpha={words[1]}", f"/?until={words[0]}&method={words[1]}", f"/scene/{words[0]}", f"/scene/{words[0]}/motion", "/" + words[0],
             f"/_nicegui/{words[0]}", f"/_nicegui_ws/socket.io/?EIO=4&transport=polling&sid={words[0]}", f"/_nicegui/client/{words[0]}/upload/{words[1]}", "/_nicegui_ws/socket.io/?EIO=4&transport=polling")
        )  # fmt: skip
        body = garbage(rng, canary).encode("utf-8", "surrogatepass") if rng.random() < 0.6 else None
        headers = {"Host": rng.choice((f"127.0.0.1:{parts.port}", "evil.example", "", f"localhost:{parts.port}"))}
        if rng.random() < 0.3:
            headers["Origin"] = rng.choice(("http://evil.example", "null", "http://[", f"http://127.0.0.1:{parts.port}"))
        if rng.random() < 0.2:
            headers["Content-Length"] = rng.choice(("-1", "99999999999", "x", "5"))
        if rng.random() < 0.2:
            headers["Content-Type"] = rng.choice(
                ("multipart/form-data; boundary=x", "application/json", "x/y", "multipart/form-data")
            )
        link.request(
            rng.choice(("GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD", "BREW")),
            path[:60_000],
            body=body,
            headers=headers,
        )
        return link.getresponse().status
    except (OSError, http.client.HTTPException, ValueError, UnicodeError):
        return 0
    finally:
        link.close()


def bad_messages(rng: random.Random, parts, canary: str, count: int) -> int:
    """Malformed messages on web sockets; how many could be sent."""
    from websockets.sync.client import connect

    logging.getLogger("websockets.client").setLevel(logging.CRITICAL)  # a connection that is closed on us is what we ask for
    sent = 0
    while sent < count:
        try:
            with connect(
                f"ws://{parts.hostname}:{parts.port}/_nicegui_ws/socket.io/?EIO=4&transport=websocket&client_id={rng.random()}",
                open_timeout=20,
                close_timeout=1,
            ) as link:
                if rng.random() < 0.8:
                    link.send("40" + rng.choice(("", '{"client_id":"x"}', "{}", "[", '{"client_id":null}')))
                for _ in range(rng.randrange(1, 60)):
                    word = rng.choice(("event", "handshake", "javascript_response", "ack", "log", garbage(rng, canary)[:50]))
                    inside = rng.choice(
                        ({"client_id": garbage(rng, canary)[:500], "id": rng.randrange(-5, 500), "listener_id": garbage(rng, canary)[:99], "args": garbage(rng, canary)}, garbage(rng, canary), None, [], 5, {}, [[[[]]]])
                    )  # fmt: skip
                    link.send(
                        rng.choice(
                            (
                                f"42{json.dumps([word, inside])}",
                                f"42{garbage(rng, canary)}",
                                garbage(rng, canary),
                                f"451-{json.dumps([word, {'_placeholder': True, 'num': 0}])}",
                                "3",
                                "2probe",
                                "41",
                                "6",
                            )
                        )
                    )
                    sent += 1
                    if sent >= count:
                        break
        except Exception:
            sent += 1  # refused or closed: that is an answer, too
    return sent


def listing() -> set[str]:
    """Files where a program that is tricked might write."""
    found = set()
    for folder in (Path.cwd(), Path.home(), Path("/"), Path("/etc"), Path(tempfile.gettempdir())):
        for path in folder.glob("*"):
            found.add(str(path))
    return found


def measure_fuzz(browser, address: str, process, count: int) -> None:
    """Malformed requests and messages: is everything as before?"""
    parts = urlsplit(address)
    rng = random.Random(3)
    canary = str(Path(tempfile.gettempdir()) / f"studio-canary-{os.getpid()}")
    before = listing()
    statuses: dict[int, int] = {}
    began = time.monotonic()
    with ThreadPoolExecutor(16) as pool:  # some wait for a body that never comes
        for status in pool.map(lambda k: bad_request(random.Random(k), parts, canary), range(count // 2)):
            statuses[status] = statuses.get(status, 0) + 1
    print(f"{time.monotonic() - began:.0f} s: {statuses}", file=sys.stderr, flush=True)
    sent = bad_messages(rng, parts, canary, count - count // 2)
    seconds = time.monotonic() - began
    new = sorted(
        p
        for p in listing() - before
        if "rollick-studio-" not in p and "playwright" not in p.lower() and "chromium" not in p.lower()
    )
    time.sleep(25.0)  # pages that nobody opened are forgotten
    alive = process.poll() is None
    tab = Tab(browser, address)
    tab.drag("D", 0.2)
    tab.until_address("p.D=")
    works = "reached t = 20" in tab.settled()
    tab.close()
    report("malformed", requests=count // 2, messages=sent, seconds=round(seconds), statuses={str(k): v for k, v in sorted(statuses.items())}, alive=alive, works_after=works,
           code_run=os.path.exists(canary), new_files=new[:10], memory_MB=round(memory(process.pid)), asked="0 crashes, 0 code, 0 files")  # fmt: skip


def main() -> None:
    """Run what is asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", choices=("open", "latency", "soak", "fuzz", "all"))
    asked.add_argument("--minutes", type=float, default=5.0)
    asked.add_argument("--count", type=int, default=10_000)
    given = asked.parse_args()
    with running_studio() as (address, process), running_browser() as browser:
        warmed(address)
        if given.what in ("open", "all"):
            measure_open(browser, address)
        if given.what in ("latency", "all"):
            measure_latency(browser, address)
        if given.what in ("soak", "all"):
            measure_soak(browser, address, process.pid, given.minutes)
        if given.what in ("fuzz", "all"):
            measure_fuzz(browser, address, process, given.count)


if __name__ == "__main__":
    main()
