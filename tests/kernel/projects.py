"""Scripts in processes of their own, with a cache directory of their own, that tell what they compiled."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

# Every script begins with this; `report(...)` prints values and how many functions were compiled so far.
HEAD = """
import json
from numba.core import event
class _Counter(event.Listener):
    names = []
    def on_start(self, event):
        self.names.append(event.data["dispatcher"].__name__)
    def on_end(self, event):
        pass
event.register("numba:compile", _Counter())
def report(*values):
    print(json.dumps({"values": values, "compiled": _Counter.names}))
def rates(system, y):
    import numpy as np
    from rollick.kernel.evaluate import rate_at
    out = np.empty(len(y))
    rate_at(system, 0.0, np.array(y, float), out)
    return out.tolist()
"""


class Project:
    """A user's directory and a cache directory."""

    def __init__(self, directory: Path, store: Path, package: Path):
        self.directory, self.store, self.package = directory, store, package
        directory.mkdir(parents=True, exist_ok=True)

    def write(self, name: str, text: str) -> None:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.directory / name
        assert path.read_text().count(old) == 1
        path.write_text(path.read_text().replace(old, new))

    def run(self, script: str, **environment: str) -> tuple[list, list[str]]:
        """Run a script in a new process: the values it reported and the names of what was compiled."""
        path = self.directory / "script.py"
        path.write_text(HEAD + textwrap.dedent(script))
        env = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
        env |= {"ROLLICK_CACHE_DIR": str(self.store), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(self.package)}
        env |= environment
        done = subprocess.run([sys.executable, str(path)], env=env, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        answer = json.loads(done.stdout)
        return answer["values"], answer["compiled"]

    def entries(self, name: str = "") -> list[Path]:
        """The files of the cache."""
        return sorted(self.store.glob(f"*/{name}*.code"))
