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
    """A copy of the package, which nobody edits while the tests run; its bytecode is there, and follows an edit of its source."""
    directory = tmp_path_factory.mktemp("package")
    shutil.copytree(Path(rollick.__file__).parent, directory / "rollick", ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(directory, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    return directory


@pytest.fixture
def project(tmp_path, package):
    return Project(tmp_path / "project", tmp_path / "store", package)
