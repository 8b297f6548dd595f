"""Packages that import their names when they are first used."""

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rollick
from rollick.lazily import LazyPackage, homes_in

HERE = Path(rollick.__file__).parent
LAZY = [
    "rollick",
    "rollick.archetypes.rattleback",
    "rollick.kernel",
    "rollick.analysis.filippov",
    "rollick.motion.methods",
]
SOURCE = """
from typing import TYPE_CHECKING
from rollick.lazily import lazily
from .eager import early

if TYPE_CHECKING:
    from .eager import later as later
    from .same import same as same

lazily(__name__)
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "lazy_example"
    folder.mkdir()
    (folder / "__init__.py").write_text(SOURCE)
    (folder / "eager.py").write_text("from . import same\nearly, later = 1, 2\n")
    (folder / "same.py").write_text("def same():\n    return 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("lazy_example")
    for name in [name for name in sys.modules if name.startswith("lazy_example")]:
        del sys.modules[name]


def test_a_name_that_is_a_modules_too_is_the_name(package):
    assert package.early == 1
    assert package.same() == 3  # also though the module of that name was imported before
    importlib.import_module("lazy_example.same")
    assert package.same() == 3
    assert package.later == 2
    assert {"early", "later", "same"} <= set(dir(package))
    assert package.__all__ == ["later", "same"]
    with pytest.raises(AttributeError, match="'lazy_example' has no attribute 'nothing'"):
        package.nothing  # noqa: B018
    package.own = 4
    assert package.own == 4


@pytest.mark.parametrize("name", LAZY)
def test_every_listed_name_is_there_and_is_no_module(name):
    module = importlib.import_module(name)
    assert isinstance(module, LazyPackage)
    for word in module.homes:
        assert f"import {word} as {word}\n" in Path(module.__file__).read_text(
            "utf-8"
        )  # only then is it public for a type checker
        assert not isinstance(getattr(module, word), ModuleType), word


def test_names_are_found_where_type_checkers_look():
    assert homes_in("if TYPE_CHECKING:\n    from .a.b import c as c\n    from ..d import e as f\n") == {"c": ".a.b", "f": "..d"}


def test_the_list_above_is_whole():
    sources = {path: path.read_text("utf-8") for path in HERE.rglob("*.py")}
    found = [path.relative_to(HERE.parent) for path, source in sources.items() if "\nlazily(__name__)" in source]
    names = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in found]
    assert sorted(names) == sorted(LAZY)
