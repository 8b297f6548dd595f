"""What works with which model: every model is asked for everything, and either does it or refuses it in a sentence.

`python tests/what_works.py` writes the tables of docs/what_works.md; test_matrix.py asks again and compares.
"""

from __future__ import annotations

import functools
import json
import pickle
import re
import threading
import warnings
from pathlib import Path

import numpy as np
from analysis_tools import tools_table
from typer.testing import CliRunner

from rollick.archetypes.models import model, model_names
from rollick.cli.main import app
from rollick.kernel.names import InputError, called
from rollick.motion.methods import METHODS
from rollick.motion.result.outcome import STATUSES, MotionWarning, StartAdjusted
from rollick.motion.result.protocol import SCHEMA
from rollick.view.saved import open_saved

PAGE = Path(__file__).parents[1] / "docs" / "what_works.md"
YES = "yes"
WARNS = "A warning: "
NUMBERS = re.compile(r"-?\d[\d.e+-]*")
UNTIL = {"rod": 0.96, "polygon": 0.96, "dying_disk": 0.3, "drop": 20.0, "philae": 1.0}  # s; the others:
SHORT = 0.01


class Case:
    """A model with one system of it, which is compiled once, and one motion."""

    def __init__(self, name):
        self.entry = model(name)
        self.system = self.entry.make()
        self.until = UNTIL.get(name, SHORT)

    def run(self, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StartAdjusted)
            return self.entry.simulate(self.system, **{"until": self.until, "progress": False, **options})

    @functools.cached_property
    def result(self):
        return self.run()

    @functools.cached_property
    def motion(self):
        """The result; where that is a sequence of collisions, the same from event to event."""
        return self.result if self.entry.body is None else self.run(method="event-driven")

    def command(self, *words):
        """What `rollick simulate MODEL --until T ...` prints."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", StartAdjusted)
            done = CliRunner().invoke(app, ["simulate", self.entry.name, "--until", str(self.until), *map(str, words)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.stdout


@functools.cache
def case(name):
    return Case(name)


# -- what is asked: each either works, checked, or raises InputError ----------------------------------------------------------------


def times(result):
    """The instants of a result: all results have them, under `data`."""
    return np.asarray(result.to_dict()["t"], float)


def plain(c, folder):
    r = c.result
    assert r.complete
    assert r.status in STATUSES
    assert r.message
    assert r.data.sizes
    assert c.entry.name in r.summary()
    assert repr(r) == r.summary()
    assert "<" in r._repr_html_()


def as_json(c, folder):
    told = json.loads(c.command("--json"), parse_constant=lambda word: 1 / 0)
    assert set(told) >= set(SCHEMA)
    assert told["model"] == c.entry.name
    assert told["status"] in STATUSES
    assert told["system"]
    assert told["parameters"]
    for values in (*told["states"].values(), *told["derived"].values()):
        assert len(values) == len(told["t"])
    for e in told["events"]:
        assert set(e) >= {"t", "name", "kind", "state"}
    assert told["provenance"]["model"] == c.entry.name
    assert told["provenance"]["versions"]["rollick"]


def file(c, folder):
    path = folder / "result.nc"
    out = c.command("--out", path)
    assert c.entry.name in out
    again = open_saved(path)
    assert type(again) is type(c.result)
    assert again.status == c.result.status
    assert again.message == c.result.message
    assert again.model == c.entry.name
    for name, values in c.result.data.variables.items():
        if values.dtype.kind in "if":
            np.testing.assert_array_equal(again.data[name].values, values.values)


def plot(c, folder):
    c.command("--plot", folder / "result.png")
    assert (folder / "result.png").stat().st_size > 1000
    title = c.result.plot().axes[0].get_title(loc="left")
    assert title.startswith(c.entry.name)


def view(c, folder):
    path = folder / "result.html"
    c.command("--view", path)
    assert c.entry.name in path.read_text()
    c.result.save_html(folder / "plain.html")
    assert f"<title>{c.entry.name}" in (folder / "plain.html").read_text()


def verify(c, folder):
    trust = c.run(verify=True).trust
    assert len(trust.digits) == len(c.motion.about.states)


def variational(c, folder):
    m = c.run(variational=True)
    n = len(c.motion.about.states)
    assert m.transition.shape == (m.t.size, n, n)
    assert np.all(np.isfinite(m.transition))
    np.testing.assert_array_equal(m.transition[0], np.eye(n))


def passes(when):
    """An event function of the time alone."""
    return lambda t, y: t - when


def events(c, folder):
    m = c.run(events=[passes(0.4 * c.until)])
    [hit] = [e for e in m.events if e.kind in ("rising", "falling")]
    assert abs(hit.t - 0.4 * c.until) < 1e-9 * c.until


def at(c, folder):
    asked = np.array([0.0, 0.3, 1.0]) * c.until
    m = c.run(at=asked)
    np.testing.assert_array_equal(m.t, asked)
    np.testing.assert_allclose(m.y[-1], c.motion.end_state, rtol=1e-6, atol=1e-8)


def since(c, folder):
    m = c.run(since=0.25, until=0.25 + c.until)
    assert m.t[0] == 0.25
    np.testing.assert_allclose(m.end_state, c.motion.end_state, rtol=1e-6, atol=1e-8)


def going_on(c, folder):
    m = c.run(start=c.motion, until=1.5 * c.until)
    assert m.t[0] == c.until
    np.testing.assert_allclose(m.y[0], c.motion.end_state, rtol=1e-13)
    assert m.provenance["model"] == c.entry.name


def pickling(c, folder):
    again = pickle.loads(pickle.dumps(c.system))
    assert type(again) is type(c.system)
    r = pickle.loads(pickle.dumps(c.result))
    assert r.to_dict() == c.result.to_dict()
    assert r.summary() == c.result.summary()


def threads(c, folder):
    c.result  # noqa: B018  compiled before
    found = []

    def work():
        with warnings.catch_warnings():
            found.append(c.entry.simulate(c.system, until=c.until, progress=False))

    pair = [threading.Thread(target=work) for _ in range(2)]
    for one in pair:
        one.start()
    for one in pair:
        one.join()
    assert len(found) == 2
    for r in found:
        assert r.status == c.result.status
        np.testing.assert_array_equal(times(r), times(c.result))
        told, before = r.to_dict(), c.result.to_dict()
        assert told["states"] == before["states"]


ASKED = {
    "simulate": plain,
    "--json": as_json,
    "--out": file,
    "--plot": plot,
    "--view": view,
    "verify": verify,
    "variational": variational,
    "events": events,
    "at": at,
    "since": since,
    "going on": going_on,
    "pickling": pickling,
    "two threads": threads,
}


def by_method(name):
    """Simulate by one method, and agree with the method that suits the model."""

    def ask(c, folder):
        stepping = {"dt": 1e-4} if name in ("moreau", "midpoint", "thesis") else {}
        options = {"max_steps": 2000, **stepping} if c.entry.run is None else stepping if c.entry.body is not None else {}
        m = c.run(method=name, **options)
        assert m.complete
        if name == "auto" and c.entry.run is not None:  # its own way
            return
        assert m.provenance["method"] == (c.entry.method if name == "auto" else name)
        scale = np.abs(c.motion.y).max()
        assert np.abs(m.end_state - c.motion.end_state).max() < 1e-2 * scale

    return ask


METHODS_ASKED = {name: by_method(name) for name in METHODS}
EVERYTHING = {**ASKED, **METHODS_ASKED}


def answer(name, what, folder):
    """ "yes", or the sentence by which it is refused, without the names of model and system."""
    c = case(name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", MotionWarning)
            EVERYTHING[what](c, folder)
    except InputError as error:
        return anonymous(str(error), c)
    except MotionWarning as warning:
        return WARNS + anonymous(NUMBERS.sub("...", str(warning)), c)
    return YES


def anonymous(sentence, c):
    sentence = re.sub(rf"\b{c.entry.name}\b", "MODEL", sentence)
    return re.sub(rf"\b{called(c.system)}\b", "SYSTEM", sentence)


# -- the page -----------------------------------------------------------------------------------------------------------------------


def page(answers):
    """The page from the answers by (model, what)."""
    told = (answers[name, what] for columns in (ASKED, METHODS_ASKED) for name in model_names() for what in columns)
    sentences = list(dict.fromkeys(a for a in told if a != YES))
    text = [HEAD, *tools_table()]
    for title, columns in (("What a model can be asked for", list(ASKED)), ("By which method", list(METHODS_ASKED))):
        text += [f"## {title}", "", f"| model | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
        for name in model_names():
            cells = [answers[name, what] for what in columns]
            text.append(f"| {name} | {' | '.join(a if a == YES else f'({sentences.index(a) + 1})' for a in cells)} |")
        text.append("")
    text += ["## Refused, in these words", ""]
    text += [f"{k}. {sentence}" for k, sentence in enumerate(sentences, 1)]
    return "\n".join(text) + "\n"


HEAD = """# What works with which model

Every model of `rollick models`, in its default form, and everything it can be asked for: "yes" is tried by a test; a number refers to the
sentence below by which Rollick refuses (an `InputError`; on the command line a line on standard error and the exit code 2), or by which it
warns of a motion that breaks off or deserves a second look. MODEL stands for the name of the model, SYSTEM for that of its class. This page
is written by `python tests/what_works.py`; `tests/test_matrix.py` compares it with what happens. In Python, `model("torus").simulate(...)`
takes the options of [`simulate`](simulate.md).
"""


def read_page(text):
    """The answers by (model, what) that the page gives."""
    sentences = dict(re.findall(r"^(\d+)\. (.*)$", text, re.MULTILINE))
    found, columns = {}, []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| model |"):
            columns = cells[1:]
        elif line.startswith("| ") and columns:
            for what, cell in zip(columns, cells[1:], strict=True):
                found[cells[0], what] = sentences.get(cell.strip("()"), cell)
    return found


def main():
    import sys
    import tempfile
    import time

    answers, only = {}, sys.argv[1:]
    for name in only or model_names():
        for what in EVERYTHING:
            began = time.perf_counter()
            with tempfile.TemporaryDirectory() as folder:
                try:
                    answers[name, what] = answer(name, what, Path(folder))
                except Exception as error:
                    answers[name, what] = f"BROKEN {type(error).__name__}: {str(error)[:300]!r}"
            print(
                f"{name:<13} {what:<13} {time.perf_counter() - began:6.1f} s  {answers[name, what]}", file=sys.stderr, flush=True
            )
    if not only and not any(a.startswith("BROKEN") for a in answers.values()):
        PAGE.write_text(page(answers))


if __name__ == "__main__":
    main()
