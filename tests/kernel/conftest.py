"""Fixtures for tests of compiled code on disk."""

import compileall
import py_compile
import shutil
from pathlib import Path

import pytest
from projects import Project

import rollick


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """A copy of the package, which nobody edits while the tests run; the bytecode of what they use is there, and follows an edit of its source."""
    directory = tmp_path_factory.mktemp("package")
    shutil.copytree(Path(rollick.__file__).parent, directory / "rollick", ignore=shutil.ignore_patterns("__pycache__"))
    for room, deep in ((".", 0), ("kernel", 9), ("mechanics", 9), ("motion", 9)):
        followed = py_compile.PycInvalidationMode.CHECKED_HASH
        compileall.compile_dir(directory / "rollick" / room, deep, quiet=2, invalidation_mode=followed)
    return directory


@pytest.fixture
def project(tmp_path, package):
    return Project(tmp_path / "project", tmp_path / "store", package)
