"""What the documentation's build writes from the code is whole: the drawing of the rooms, the reference of the library and of the commands."""

import re
import sys
from pathlib import Path

import pytest
import typer

from rollick.cli.main import app

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))
from _make import api, commands, links, markdown, moving, rooms, source  # noqa: E402

sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def counted():
    """How many modules of a room import from another: it takes seconds."""
    return rooms.counted()


def test_the_drawing_of_the_rooms_is_current(counted, monkeypatch):
    monkeypatch.setattr(rooms, "counted", lambda: counted)
    assert rooms.DRAWING.read_text(encoding="utf-8") == rooms.drawing(), "python docs/_make/rooms.py"


def test_the_rooms_are_those_of_the_package_and_imports_point_down(counted):
    assert set(rooms.ORDER) == {p.parent.name for p in source.PACKAGE.glob("*/__init__.py")}
    always, inside = counted
    place = rooms.ORDER.index
    assert not [pair for pair in always if place(pair[0]) > place(pair[1])]
    assert {pair[1] for pair in inside if place(pair[0]) > place(pair[1])} <= {"plotting", "view"}  # what draws, when it draws


def test_imports_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(rooms, "PACKAGE", tmp_path)
    file = tmp_path / "motion" / "ode" / "x.py"
    file.parent.mkdir(parents=True)
    file.write_text(
        "from typing import TYPE_CHECKING\nfrom ...kernel.names import number\nfrom ... import mechanics\nfrom . import dense\nimport rollick.view.page\n"
        "if TYPE_CHECKING:\n    from ...cli import main\ndef f():\n    from rollick.plotting import figure\n"
    )
    assert rooms.imports(file) == ({"kernel", "mechanics", "motion", "view"}, {"plotting"})


def test_every_public_name_has_its_entry_with_a_text():
    names = api.public_names()
    page = api.names_page(names)
    heads = re.findall(r"^`{5,}\{py:(?:function|class)\} rollick\.(\w+)", page, re.M)
    assert sorted(heads) == sorted(names)
    for name, home in names.items():
        where, thing = source.find(source.file_of(home), name)
        assert thing.doc, f"{where.name}.{name} has no docstring"


def test_every_public_module_is_in_the_reference():
    listed = {m for folder in api.folders() for m in re.findall(r"\{py:module\} (\S+)", api.folder_page(folder, set()))}
    expected = set()
    for room in api.ROOMS:
        for path in (source.PACKAGE / room).rglob("*.py"):
            if path.name == "__init__.py" or not path.name.startswith("_"):
                expected.add(source.module(path).name)
    assert listed == expected


def test_signatures_are_as_written(tmp_path):
    def of(code):
        file = source.PACKAGE / "kernel" / "names.py"
        node = __import__("ast").parse(code).body[0]
        return file and source.of_class(node) if code.startswith(("class", "@")) else source.of_function(node)

    assert of("def f(a, /, b: int = 2, *c, d=None, **e) -> str: ...").signature == "(a, /, b: int = 2, *c, d=None, **e) -> str"
    assert of("def f(a, *, b): ...").signature == "(a, *, b)"
    made = of(
        "class A(NamedTuple):\n    x: float\n    y: int = 3\n    _z: int = 4\n    def m(self, k): ...\n    @property\n    def p(self) -> int: ...\n    @classmethod\n    def c(cls, q): ..."
    )
    assert made.signature == "(x: float, y: int = 3)"
    assert [(m.kind, m.name, m.signature) for m in made.members] == [
        ("field", "x", ": float"), ("field", "y", ": int = 3"), ("method", "m", "(k)"), ("property", "p", ": int"), ("classmethod", "c", "(q)"),
    ]  # fmt: skip


def test_docstrings_become_markdown():
    text = markdown.markdown(
        "First *a* of `b*c`.\n\n    y = x_1\n\nParameters\n----------\na: one\n    more\nb, c: two\n\n* an item [1]\n* <x>"
    )
    assert "First \\*a\\* of `b*c`." in text
    assert "```text\ny = x_1\n```" in text
    assert "``a``\n:   one more" in text
    assert "``b, c``\n:   two" in text
    assert "* an item \\[1\\]\n* \\<x\\>" in text


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "commands"
    commands.write(folder)
    return folder


def test_every_command_and_option_is_in_the_reference(written):
    def walk(command, path):
        yield path, command
        for name, below in getattr(command, "commands", {}).items():
            if not below.hidden:
                yield from walk(below, f"{path} {name}")

    text = "\n".join(p.read_text(encoding="utf-8") for p in [*written.glob("*.md"), written.parent / "commands.md"])
    root = typer.main.get_command(app)
    found = list(walk(root, "rollick"))
    assert len(found) > 40
    for path, command in found[1:]:
        section = re.search(rf"^#+ {re.escape(path)}\n(.*?)(?=^#+ rollick|\Z)", text, re.M | re.S)
        assert section, path
        for p in command.params:
            if not getattr(p, "hidden", False) and p.name != "help":
                assert (p.opts[0] if p.param_type_name == "option" else p.metavar or p.name.upper()) in section[1], (
                    f"{path}: {p.name}"
                )
                assert getattr(p, "help", None), f"{path}: {p.name} has no help"


def test_the_gallery_has_its_pictures_and_pages():
    for scene in moving.SCENES:
        assert (DOCS / "images" / f"moving_{scene.name}.png").exists(), "python docs/_make/moving.py --thumbnails"
        assert (DOCS / f"{scene.page}.md").exists()
        assert f"moving/{scene.name}.html" in moving.gallery()


def test_options_keep_their_hyphens():
    """Sphinx makes a dash of two hyphens where D is among its actions: --json could not be copied from a page."""
    action = re.search(r'^smartquotes_action = "(\w*)"', (DOCS / "conf.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert action is not None
    assert not set("Dd") & set(action[1])


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "a b.txt").write_text("x")
    (tmp_path / "deep" / "two.html").write_text(
        '<h1 id="here">x</h1><a href="../one.html#top">ok</a><script>"<a href=no.html>"</script>'
    )
    (tmp_path / "one.html").write_text(
        '<p id="top"><a href="deep/two.html#here">ok</a><a href="#top">ok</a><a href="#">ok</a><a href="a%20b.txt">ok</a><a href="https://x.org/">ok</a>'
        '<img src="data:image/png;base64,"><iframe src="deep/two.html#bare"></iframe><link rel="canonical" href="https://x.org/">'
        '<a href="deep/two.html#there">no anchor</a><img src="no.png"><script src="https://x.org/a.js"></script>'
    )
    assert list(links.troubles(tmp_path)) == [
        "one.html: deep/two.html#there: no such place in that page",
        "one.html: no.png is not there",
        "one.html: https://x.org/a.js is loaded from a network",
    ]
