"""Fixtures for tests of compiled code on disk."""

import shutil
from pathlib import Path

import pytest
from projects import Project

import rollick


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package, which nobody edits while the tests run."""
    directory = tmp_path_factory.mktemp("package")
    shutil.copytree(Path(rollick.__file__).parent, directory / "rollick", ignore=shutil.ignore_patterns("__pycache__"))
    return directory


@pytest.fixture
def project(tmp_path, package):
    return Project(tmp_path / "project", tmp_path / "store", package)
