"""Rollick in a process changes nothing for others: not Numba, not their functions and caches, not the process."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rollick
from rollick.kernel.numba_inside import BEFORE, FIRST, refusal

SOURCES = Path(rollick.__file__).parent

MOTION = """
from rollick import Rattleback, simulate
assert simulate(Rattleback(), {"omega3": 5.0}, 0.1).complete
"""

SNAPSHOT = """
import sys, types
import numba, numpy as np
import numba.core.codegen, numba.core.compiler, numba.core.cpu, numba.core.target_extension
from numba.core.imputils import builtin_registry as lowering
from numba.core.typing.templates import builtin_registry as typing

@numba.njit
def warm(x):
    return x**3 + np.zeros(3).sum()

warm(1.0 + 1.0j)

def insides():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in ("numba", "llvmlite"):
            continue
        for word, value in list(vars(module).items()):
            if isinstance(value, (types.FunctionType, type)) and getattr(value, "__module__", None) == name:
                found[name, word] = value
                if isinstance(value, type):
                    for attribute, inside in list(vars(value).items()):
                        found[name, word, attribute] = inside
    return found

def registered():
    return {
        "functions": list(lowering.functions), "casts": list(lowering.casts), "getattrs": list(lowering.getattrs),
        "globals": list(typing.globals), "templates": list(typing.functions), "attributes": list(typing.attributes),
    }

before, listed = insides(), registered()
"""

COMPARE = """
after, now = insides(), registered()
changed = [key for key, value in before.items() if after.get(key) is not value]
added = [key for key in after if key not in before and key[:2] in before and key[-1] != "__slotnames__"]
assert not changed, changed
assert not added, added
for name, entries in listed.items():
    assert now[name][: len(entries)] == entries, name

def ours(entry):
    # a function or a type of Rollick, or of a part of Numba that was imported only now
    parts = entry if isinstance(entry, tuple) else (getattr(entry, "key", entry),)
    named = [p for part in parts for p in (part if isinstance(part, tuple) else (part,))]
    return any(str(getattr(p, "__module__", "")).startswith(("rollick", "numba")) for p in named)

for name, entries in listed.items():
    for entry in now[name][len(entries):]:
        assert ours(entry), (name, entry)
"""

STRANGER = """
import numba

@numba.njit(cache=True)
def cube(x, n):
    return x**n

@numba.njit(cache=True)
def calls(x):
    return cube(x, 3) + 1.0
"""

TELL = """
import hashlib, re, strange

z = complex(-3.0, 1e-100)
print(repr(strange.calls(z)), repr(strange.cube(z, 3)))
for function in (strange.cube, strange.calls):
    for code in function.overloads.values():
        # functions are numbered as they are compiled, and the numbers are in their names
        text = re.sub(r"B[0-9]+v[0-9]+", "", code.library.get_asm_str())
        print(function.__name__, len(text), hashlib.sha256(text.encode()).hexdigest())
"""


def run(code: str, **environment: str) -> str:
    """What Python code prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "ROLLICK_QUIET": "1", **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_numba_is_what_it_was():
    run(SNAPSHOT + MOTION + COMPARE)


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """What the stranger's functions tell, and what their cache holds, after some code: a function of that."""
    folder = tmp_path_factory.mktemp("stranger")
    (folder / "strange.py").write_text(STRANGER)

    def found(name, before):
        code = f"import sys; sys.path.insert(0, {str(folder)!r})\n{before}\n{TELL}"
        told = run(code, NUMBA_CACHE_DIR=str(folder / name))
        files = sorted((folder / name).rglob("strange.cube*.nbc"))
        return told, [(path.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files]

    return found


@pytest.fixture(scope="module")
def alone(stranger):
    """The same where there is no Rollick."""
    return stranger("alone", "")


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        pytest.param("import", "import rollick", id="import", marks=pytest.mark.slow),
        pytest.param("compiler", "import rollick.kernel.compiled", id="compiler"),
        pytest.param("motion", MOTION, id="motion"),
    ],
)
def test_a_strangers_functions_and_caches_are_those_of_a_process_without_rollick(stranger, alone, name, beside):
    """His powers of complex numbers were ours, also in his cache."""
    told, cached = stranger(name, beside)
    assert told == alone[0]
    assert told.count("cube") == 2  # for a whole number as Python gives it, and as `calls` does
    assert cached
    if name != "motion":  # nothing else was compiled, and functions have the same numbers
        assert cached == alone[1]


PROCESS = """
import json, os, signal, sys, threading, warnings, gc
import numpy as np

def state():
    import matplotlib
    return {
        "filters": [str(f) for f in warnings.filters],
        "error state": str(np.geterr()),
        "print options": str(np.get_printoptions()),
        "signals": [str(signal.getsignal(s)) for s in (signal.SIGINT, signal.SIGTERM)],
        "environment": dict(os.environ),
        "threads": [t.name for t in threading.enumerate()],
        "rcParams": str(dict(matplotlib.rcParams)),
        "backend": matplotlib.rcParams._get_backend_or_none() if hasattr(matplotlib.rcParams, "_get_backend_or_none") else None,
        "hooks": [str(sys.excepthook), str(sys.displayhook), str(sys.unraisablehook), str(threading.excepthook)],
        "recursion": sys.getrecursionlimit(),
        "collector": [gc.isenabled(), gc.get_threshold()],
        "directory": os.getcwd(),
        "random": str(np.random.get_state()[1][:5]),
    }

import numba, scipy, scipy.optimize, rich, xarray, pandas
before = state()
"""


@pytest.mark.parametrize(
    "work", [pytest.param("import rollick", id="import", marks=pytest.mark.slow), pytest.param(MOTION, id="motion")]
)
def test_the_process_is_what_it_was(work):
    told = run(PROCESS + work + "\nafter = state()\nprint(json.dumps([k for k in before if before[k] != after[k]]))")
    assert json.loads(told.splitlines()[-1]) == []


def test_a_numba_that_is_not_known_is_refused_by_a_sentence(monkeypatch):
    monkeypatch.delenv("ROLLICK_ANY_NUMBA", raising=False)
    first, before = (".".join(map(str, version)) for version in (FIRST, BEFORE))
    assert f"numba>={first},<{before}" in (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    for version in ("0.61.0", "0.68.1"):
        assert refusal(version) == ""
    for version in ("0.60.0", "0.69.0rc1", "1.0.0"):
        assert f"this is Numba {version}" in refusal(version)
    monkeypatch.setenv("ROLLICK_ANY_NUMBA", "1")
    assert refusal("1.0.0") == ""


def test_numbas_insides_are_imported_by_one_file():
    """Its errors are documented, and may be caught anywhere."""
    found = []
    for path in SOURCES.rglob("*.py"):
        for line in path.read_text("utf-8").splitlines():
            words = line.split()
            if words[:1] in (["from"], ["import"]) and words[1].startswith(
                ("numba.core", "numba.cpython", "numba.np", "llvmlite")
            ):
                if words[1] != "numba.core.errors":
                    found.append(path.name)
    assert set(found) == {"numba_inside.py"}
