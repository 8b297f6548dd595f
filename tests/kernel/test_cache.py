"""Compiled code on disk: it is found again, it never goes stale, and it never stops a computation.

Each check runs in processes of its own, with a cache directory of its own.
"""

import json
import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from projects import HEAD, Project

import rollick
from rollick.kernel import cache, sources

PACKAGE = Path(rollick.__file__).parent

NORM = """
from rollick.kernel.vector import norm
report(norm((2.0, 3.0, 6.0)))
"""

# A user's system, whose formula stands in a second file.
SPRING = """
from typing import NamedTuple
from rollick import describe, rate
import formulas

class Spring(NamedTuple):
    k: float

@rate.register(Spring)
def _(s, t, y, out):
    out[0] = y[1]
    out[1] = formulas.force(s.k, y[0])

describe(Spring, states={"x": "m", "v": "m/s"})
"""
FORMULAS = """
def unused():
    return 1.0
from numba import njit

@njit
def force(k, x):
    return -k * x
"""


def test_other_settings_of_the_compiler_have_entries_of_their_own(project):
    """Code that was made to be profiled, or by another optimisation, is not what others are given."""
    first, compiled = project.run(NORM)
    assert compiled
    for name, value in (("NUMBA_SLP_VECTORIZE", "1"), ("NUMBA_OPT", "1")):
        other, compiled = project.run(NORM, **{name: value})
        assert compiled, name
        assert other == first
    assert project.run(NORM) == (first, [])


def test_a_users_simulation_is_found_again_and_follows_an_edit_of_a_helper(project):
    project.write("spring.py", SPRING)
    project.write("formulas.py", FORMULAS)
    script = """
    from rollick import simulate
    from spring import Spring
    report(*simulate(Spring(4.0), [1.0, 0.0], 0.5, method="dop853").end_state)
    """
    first, compiled = project.run(script)
    assert first[0] == pytest.approx(0.5403023058681398, rel=1e-8)  # cos 1
    assert {"advance_explicit", "step_entry", "force"} <= set(compiled)
    again, compiled = project.run(script)
    assert again == first
    assert compiled == []
    project.edit("formulas.py", "return -k * x", "return 4.0 * -k * x")
    edited, compiled = project.run(script)
    assert edited[0] == pytest.approx(-0.4161468365471424, rel=1e-8)  # cos 2
    assert "rate_entry" in compiled
    assert not {"advance_explicit", "step_entry"} & set(compiled)


@pytest.mark.slow
def test_what_a_user_calls_is_followed_wherever_it_is_defined(project):
    """A helper on another path, a constant that only the environment knows, a size that is an option."""
    project.write(
        "spring.py", SPRING.replace("import formulas", "import os, sys; sys.path.append(os.environ['FAR']); import formulas")
    )
    project.write("../far/formulas.py", "from far_away import *\n")
    project.write(
        "../far/far_away.py",
        FORMULAS.replace("return -k * x", "return -k * x * FACTOR") + "import os; FACTOR = float(os.environ['FACTOR'])",
    )
    far = {"FAR": str(project.directory.parent / "far")}
    script = "from spring import Spring; report(*rates(Spring(4.0), [3.0, 0.0]))"
    assert project.run(script, FACTOR="1.0", **far)[0] == [0.0, -12.0]
    assert project.run(script, FACTOR="1.0", **far) == ([0.0, -12.0], [])
    assert project.run(script, FACTOR="2.0", **far)[0] == [0.0, -24.0]
    project.edit("../far/far_away.py", "-k * x * FACTOR", "-k * x * x * FACTOR")
    assert project.run(script, FACTOR="1.0", **far)[0] == [0.0, -36.0]


@pytest.mark.slow
def test_five_edits_in_files_elsewhere_are_followed(project):
    """Constants two modules deep, a function of a package's module, an enumeration, an overload, and what is registered for a tuple that is built inside."""
    project.write(
        "model.py",
        """
        import os, sys; sys.path.append(os.environ["FAR"])
        from rollick.kernel import compiled
        from rollick.kernel.system import project
        import consts, pkg.sub
        from others import Mode, Gains, stub
        import overloads

        @compiled
        def f(x):
            return (consts.sub.K * x, pkg.sub.g(x), 1 * Mode.FAST, stub(x), project(Gains(1.0), x))
        """,
    )
    project.write("../far/consts/__init__.py", "from . import sub\n")
    project.write("../far/consts/sub.py", "K = 2.0\n")
    project.write("../far/pkg/__init__.py", "")
    project.write("../far/pkg/sub.py", "from numba import njit\n@njit\ndef g(x):\n    return 3.0 * x\n")
    project.write(
        "../far/others.py",
        """
        from enum import IntEnum
        from typing import NamedTuple
        from rollick.kernel.system import project
        class Mode(IntEnum):
            FAST = 4
        class Gains(NamedTuple):
            k: float
        @project.register(Gains)
        def _(gains, x):
            return 5.0 * gains.k * x
        def stub(x):
            raise NotImplementedError
        """,
    )
    project.write(
        "../far/overloads.py",
        """
        from numba.extending import overload
        from others import stub
        @overload(stub)
        def _(x):
            return lambda x: 6.0 * x
        """,
    )
    far = {"FAR": str(project.directory.parent / "far")}
    script = "from model import f; report(*f(1.0))"
    values = [2.0, 3.0, 4.0, 6.0, 5.0]
    assert project.run(script, **far)[0] == values
    again, compiled = project.run(script, **far)
    assert again == values
    assert "f" not in compiled
    edits = [("consts/sub.py", "2.0"), ("pkg/sub.py", "3.0"), ("others.py", "4"), ("overloads.py", "6.0"), ("others.py", "5.0")]
    for i, (name, old) in enumerate(edits):
        project.edit(f"../far/{name}", old, "7.0" if "." in old else "7")
        values[i] = 7.0
        assert project.run(script, **far)[0] == values


FUNCTION = """
@compiled
def {}(x):
    return {}
"""
SEEN_ELSEWHERE = {
    "constant": "consts.sub.K * x",
    "of_a_package": "pkg.sub.g(x)",
    "enumeration": "1 * Mode.FAST",
    "overloaded": "stub(x)",
    "registered": "project(Gains(1.0), x)",
    "called": "callee.g(x)",
    "of_the_environment": "surroundings.FACTOR * x",
}


def test_edits_in_files_elsewhere_are_followed_at_once(project):
    """What the two tests above and the one of a user's compiled function follow edit by edit: each is seen by a function of its own."""
    head = """
    import os, sys; sys.path.append(os.environ["FAR"])
    from rollick.kernel import compiled
    from rollick.kernel.system import project
    import callee, consts, pkg.sub, surroundings
    from others import Mode, Gains, stub
    import overloads
    """
    project.write("model.py", textwrap.dedent(head) + "".join(FUNCTION.format(*item) for item in SEEN_ELSEWHERE.items()))
    project.write("own.py", "from rollick.kernel import compiled\nC = 2.0\n" + FUNCTION.format("of_its_own_file", "C * x"))
    files = {
        "consts/__init__.py": "from . import sub\n",
        "consts/sub.py": "K = 2.0\n",
        "pkg/__init__.py": "",
        "pkg/sub.py": "from numba import njit\n@njit\ndef g(x):\n    return 2.0 * x\n",
        "others.py": """
        from enum import IntEnum
        from typing import NamedTuple
        from rollick.kernel.system import project
        class Mode(IntEnum):
            FAST = 2
        class Gains(NamedTuple):
            k: float
        @project.register(Gains)
        def _(gains, x):
            return 2.0 * gains.k * x
        def stub(x):
            raise NotImplementedError
        """,
        "overloads.py": """
        from numba.extending import overload
        from others import stub
        @overload(stub)
        def _(x):
            return lambda x: 2.0 * x
        """,
        "callee.py": "from rollick.kernel import compiled\n@compiled\ndef g(x):\n    return 2.0 * x\n",
        "surroundings.py": "import os; FACTOR = float(os.environ['FACTOR'])\n",
    }
    for name, text in files.items():
        project.write(f"../far/{name}", text)
    far = str(project.directory.parent / "far")
    script = f"import model, own; report(*(getattr(model, name)(1.0) for name in {[*SEEN_ELSEWHERE]}), own.of_its_own_file(1.0))"
    count = len(SEEN_ELSEWHERE) + 1
    names = {*SEEN_ELSEWHERE, "of_its_own_file"}
    first, compiled = project.run(script, FAR=far, FACTOR="2.0")
    assert first == [2.0] * count
    assert names <= set(compiled)
    again, compiled = project.run(script, FAR=far, FACTOR="2.0")
    assert again == [2.0] * count
    assert not names & set(compiled)
    for name in ("consts/sub.py", "pkg/sub.py", "overloads.py", "callee.py"):
        project.edit(f"../far/{name}", "2.0", "7.0")
    project.edit("../far/others.py", "FAST = 2", "FAST = 7")
    project.edit("../far/others.py", "2.0 * gains.k", "7.0 * gains.k")
    project.edit("own.py", "C = 2.0", "C = 7.0")
    assert project.run(script, FAR=far, FACTOR="7.0")[0] == [7.0] * count


CHAIN = """
import os
from typing import NamedTuple
from rollick.kernel import describe, dim, rate

class Chain(NamedTuple):
    k: float

@rate.register(Chain)
def _(s, t, y, out):
    for i in range(dim(s)):
        out[i] = s.k * y[i]

describe(Chain, states={f"x{i}": "m" for i in range(int(os.environ["N"]))})

def make(factor):
    class Local(NamedTuple):
        k: float
    @rate.register(Local)
    def _(s, t, y, out):
        out[0] = factor * s.k * y[0]
    describe(Local, states={"x": ""})
    return Local
"""


def test_the_number_of_states_may_be_an_option(project):
    project.write("chain.py", CHAIN)
    script = "from chain import Chain; report(*rates(Chain(2.0), [1.0, 1.0, 1.0])[:int(__import__('os').environ['N'])])"
    for n, compiled in (("1", True), ("3", True), ("1", False), ("3", False)):
        values, names = project.run(script, N=n)
        assert values == [2.0] * int(n)
        assert bool(names) is compiled


def test_classes_made_in_a_function_are_told_apart(project):
    project.write("chain.py", CHAIN)
    script = "import chain; report(*(rates(chain.make(f)(2.0), [1.0])[0] for f in (1.0, 3.0)))"
    assert project.run(script, N="1")[0] == [2.0, 6.0]
    assert project.entries("evaluate.rate_entry") == []  # nothing can tell the next process's class from this one's


def test_modules_of_the_same_name_in_two_projects(tmp_path, package):
    """The same cache serves both: neither sees the other's code, neither needs the other's module."""
    text = "from rollick.kernel import compiled\n@compiled\ndef f(x):\n    return {}\n"
    # A system of one project leaves its mark in the cache of a function of the package; the other project has no such module.
    script = "from model import f; from {0} import {1}; report(f(2.0), list(_Counter.names), *rates({1}(4.0), [1.0, 0.0]))"
    of_one, of_two = script.format("spring", "Spring"), script.format("other", "Other")
    one, two = (Project(tmp_path / name, tmp_path / "store", package) for name in ("one", "two"))
    one.write("model.py", text.format("2.0 * x"))
    two.write("model.py", text.format("3.0 * x"))  # the same bytecode, another constant
    one.write("spring.py", SPRING)
    one.write("formulas.py", FORMULAS)
    two.write(
        "other.py", SPRING.replace("Spring", "Other").replace("import formulas", "").replace("formulas.force(s.k, y[0])", "s.k")
    )
    assert one.run(of_one)[0] == [4.0, ["f"], 0.0, -4.0]
    assert two.run(of_two)[0] == [6.0, ["f"], 0.0, 4.0]
    assert one.run(of_one) == ([4.0, [], 0.0, -4.0], [])
    assert two.run(of_two) == ([6.0, [], 0.0, 4.0], [])


@pytest.mark.slow
def test_a_users_compiled_function_follows_its_constants_and_its_callees(project):
    project.write(
        "model.py",
        "from rollick.kernel import compiled\nfrom other import g\nC = 1.0\n@compiled\ndef f(x):\n    return C + g(x)\n",
    )
    project.write("other.py", "from rollick.kernel import compiled\n@compiled\ndef g(x):\n    return 2.0 * x\n")
    script = "from model import f; report(f(2.0))"
    assert project.run(script)[0] == [5.0]
    assert project.run(script) == ([5.0], [])
    project.edit("other.py", "2.0 * x", "3.0 * x")
    assert project.run(script)[0] == [7.0]
    project.edit("model.py", "C = 1.0", "C = 2.0")
    assert project.run(script)[0] == [8.0]


TURNED = """
import rollick
from rollick.mechanics.surfaces.moving import turned_by
report(rollick.__file__, *turned_by((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 1.0))
"""
ROLLS = """
import rollick
from rollick import Rattleback
report(rollick.__file__, *rates(Rattleback(), [0.1, 0.2, 0.0, 1.0, 2.0, 3.0]))
"""
EQUATIONS = "archetypes/rattleback/equations.py"


@pytest.mark.parametrize(
    ("script", "compiles", "file", "old", "new", "doubled"),
    [
        pytest.param(TURNED, "turned_by", "mechanics/surfaces/moving.py", "axpy(s, cross", "axpy(2.0 * s, cross", 1, id="turned"),
        pytest.param(
            ROLLS, "rate_entry", EQUATIONS, "out[2] = turn", "out[2] = 2.0 * turn", 2, id="rolls", marks=pytest.mark.slow
        ),
    ],
)
def test_an_edit_of_the_package_is_followed_however_deep(project, script, compiles, file, old, new, doubled):
    """An edit beside the function that is called, and one at the bottom of the kernel."""
    copy = project.directory / "copy"
    shutil.copytree(project.package, copy)

    def run():
        values, compiled = project.run(script, PYTHONPATH=str(copy))
        assert Path(values[0]).parent == copy / "rollick"
        return values[1:], compiled

    first, _ = run()
    assert run() == (first, [])
    project.edit(f"copy/rollick/{file}", old, new)
    second, compiled = run()
    assert second == [*first[:doubled], 2.0 * first[doubled], *first[doubled + 1 :]]
    assert compiles in compiled
    project.edit(
        "copy/rollick/kernel/scalar.py", "0.6366197723675814 + 0.5)", "0.6366197723675814 + 0.5) + 1"
    )  # a wrong quadrant
    third, _ = run()
    assert third != second
    assert run() == (third, [])


def test_nothing_is_kept_while_the_package_is_being_edited(project):
    """What is in memory is then a mixture of versions that belongs to no fingerprint."""
    shutil.copytree(project.package, project.directory / "copy")
    edit = """
    from rollick.kernel import vector
    with open(vector.__file__, "a") as file:
        file.write("# edited")
    report(vector.norm((2.0, 3.0, 6.0)))
    """
    assert project.run(edit, PYTHONPATH=str(project.directory / "copy"))[0] == [7.0]
    assert project.entries() == []


FIVE = """
from rollick.kernel import vector
u, v = (2.0, 3.0, 6.0), (1.0, 1.0, 1.0)
report(vector.add(u, v), vector.sub(u, v), vector.cross(u, v), vector.norm(u), vector.scale(2.0, u))
"""


def test_a_damaged_cache_does_not_stop_a_computation(project):
    """Empty, cut off, overwritten, one bit wrong, and a directory in its place: the entries of five functions."""
    values = [[3.0, 4.0, 7.0], [1.0, 2.0, 5.0], [-3.0, 4.0, -1.0], 7.0, [4.0, 6.0, 12.0]]
    assert project.run(FIVE)[0] == values
    for name in ("add", "sub", "cross", "norm", "scale"):
        (entry,) = project.entries(f"vector.{name}")
        content = entry.read_bytes()
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
        damaged = {"add": b"", "sub": content[:100], "cross": b"\x80\x05garbage." * 50, "norm": flipped}
        if name in damaged:
            entry.write_bytes(damaged[name])
        else:
            entry.unlink()
            entry.mkdir()
    found, compiled = project.run(FIVE)
    assert found == values
    assert {"add", "sub", "cross", "norm", "scale"} <= set(compiled)
    assert project.run(FIVE) == (values, ["scale"])  # the others were mended


@pytest.mark.parametrize("below", ["", pytest.param("below", marks=pytest.mark.slow)])
def test_a_cache_that_cannot_be_written_does_not_stop_a_computation(project, below):
    project.store.write_text("a file where the directory should be")
    project.store = project.store / below
    values, compiled = project.run(NORM)
    assert values == [7.0]
    assert "norm" in compiled


MAIN = """
from typing import NamedTuple
from rollick import describe, rate

class Mine(NamedTuple):
    k: float

@rate.register(Mine)
def _(s, t, y, out):
    out[0] = 2.0 * s.k * y[0]

describe(Mine, states={"x": "m"})
report(*rates(Mine(4.0), [1.0]))
"""


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_system_defined_in_a_script_works_and_is_not_kept(project, times):
    for text, value in (*[(MAIN, 8.0)] * times, (MAIN.replace("2.0", "3.0"), 12.0)):
        values, compiled = project.run(text)
        assert values == [value]
        assert "rate_entry" in compiled
    assert project.entries("evaluate.rate_entry") == []


def test_functions_compiled_at_the_same_time_do_not_mix(project):
    """Two processes, one function, two signatures."""
    text = HEAD + "import sys\nfrom rollick.kernel.vector import norm\nreport(abs(norm(eval(sys.argv[1]))))"
    (project.directory / "script.py").write_text(text)
    command = [sys.executable, str(project.directory / "script.py")]
    env = {**os.environ, "ROLLICK_CACHE_DIR": str(project.store), "PYTHONPATH": str(project.package)}
    for new in (True, False):
        running = [
            subprocess.Popen([*command, v], env=env, stdout=subprocess.PIPE, text=True)
            for v in ("(2.0, 3.0, 6.0)", "(2j, 3j, 6j)")
        ]
        for process in running:
            answer = json.loads(process.communicate(timeout=120)[0])
            assert answer["values"] == [7.0]
            assert bool(answer["compiled"]) is new
    assert len(project.entries("vector.norm")) == 2


# in this process


def test_a_source_that_is_gone_is_a_change(monkeypatch):
    sources.package_fingerprint()
    monkeypatch.setattr(sources, "_unchanged", [])
    monkeypatch.setattr(sources, "_sources", list)
    assert not sources.package_is_unchanged()


def test_only_old_caches_of_the_package_are_removed(tmp_path, monkeypatch):
    """The user may have pointed the cache at a directory that holds other things."""
    sources.package_fingerprint()  # it leaves a note in the directory where it is first asked for
    monkeypatch.setenv("ROLLICK_CACHE_DIR", str(tmp_path))
    precious = [tmp_path / "thesis", tmp_path / "compiled-results", tmp_path / "0123456789abcdef"]
    old = [tmp_path / f"{cache.PREFIX}{i:016x}" for i in range(8)]
    for age, path in enumerate([*precious, *old]):
        path.mkdir()
        (path / "content").write_text("x")
        then = time.time() - 1e6 + 1e3 * age
        os.utime(path, (then, then))
    young = tmp_path / f"{cache.PREFIX}{99:016x}"
    young.mkdir()
    here = cache.cache_directory.__wrapped__()
    left = set(tmp_path.iterdir())
    assert left == {here, young, *precious, *old[-2:]}
    assert here.name == cache.PREFIX + sources.package_fingerprint()


def test_cache_root_follows_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv("ROLLICK_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.cache_root() == tmp_path / "rollick"
    monkeypatch.setenv("ROLLICK_CACHE_DIR", "~/somewhere")
    assert cache.cache_root() == Path.home() / "somewhere"


def test_hash_of_sources(tmp_path):
    (tmp_path / "a.py").write_text("one")
    (tmp_path / "b.py").write_text("two")
    first = sources.hash_sources(tmp_path.glob("*.py"))
    (tmp_path / ".#a.py").symlink_to("nobody@nowhere")  # as Emacs leaves while a file is edited
    assert sources.hash_sources(tmp_path.glob("*.py")) == first
    (tmp_path / "b.py").write_text("twi")
    assert sources.hash_sources(tmp_path.glob("*.py")) != first
    (tmp_path / "b.py").write_text("two")
    (tmp_path / "b.py").rename(tmp_path / "c.py")
    assert sources.hash_sources(tmp_path.glob("*.py")) != first
    (tmp_path / "c.py").unlink()
    (tmp_path / "a.py").write_text("onetwo")
    assert sources.hash_sources(tmp_path.glob("*.py")) != first


def test_what_has_no_source_has_no_fingerprint():
    assert sources.module_fingerprint("__main__") is None
    assert sources.module_fingerprint("no_such_module") is None
    assert sources.module_fingerprint("sys") is None
    assert sources.module_fingerprint("pytest") is not None
