"""The platform wheel: a pure wheel with compiled code of the listed models and of common bodies beside the sources, for the baseline of this machine.

python .ci/compiled_wheel.py PURE_WHEEL FOLDER
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_MB = 15.0  # the wheel


def compile_all(cache: Path) -> dict[str, str]:
    """Compile the common set for the baseline into a cache of its own; what it was made for."""
    sys.path.insert(0, str(ROOT / "src"))
    from rollick.kernel.shipped import settings_of_baseline

    clean = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "ROLLICK_"))}
    given = {"ROLLICK_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT / "src"), "ROLLICK_QUIET": "1"}
    environment = {**clean, **given, **settings_of_baseline()}
    subprocess.run([sys.executable, "-m", "rollick", "warm", "--bodies"], env=environment, check=True)
    asked = "import json; from rollick.kernel.shipped import made_here; print(json.dumps(made_here()))"
    return dict(
        json.loads(subprocess.run([sys.executable, "-c", asked], env=environment, check=True, capture_output=True).stdout)
    )


def is_machine_code(entry: Path) -> bool:
    """Whether an entry of the cache can be called, and is not only copied into what is compiled later."""
    from rollick.kernel.cache import holds_machine_code

    return holds_machine_code(entry.read_bytes())


def platform_tag() -> str:
    """The tag of this Python and system in the name of a wheel. Compiled code is data, and linked with no library: any Linux will do on which Numba runs."""
    from packaging.tags import sys_tags

    tags = [tag for tag in sys_tags() if tag.abi.startswith("cp") and tag.platform != "any"]
    here = next((tag for tag in tags if "manylinux_2_17" in tag.platform), tags[0])
    return f"{here.interpreter}-{here.abi}-{here.platform}"


def add_compiled(pure: Path, folder: Path, code: list[Path], made_for: dict[str, str]) -> Path:
    """A copy of a pure wheel with compiled code in it, for this Python and system alone."""
    from wheel.wheelfile import WheelFile

    tag = platform_tag()
    name, version = pure.name.split("-")[:2]
    made = folder / f"{name}-{version}-{tag}.whl"
    with WheelFile(str(pure)) as given, WheelFile(str(made), "w", compression=zipfile.ZIP_DEFLATED) as wheel:
        for item in given.infolist():
            content = given.read(item)
            if item.filename.endswith(".dist-info/WHEEL"):
                content = content.replace(b"Root-Is-Purelib: true", b"Root-Is-Purelib: false").replace(
                    b"Tag: py3-none-any", f"Tag: {tag}".encode()
                )
            if not item.filename.endswith(".dist-info/RECORD"):
                wheel.writestr(item.filename, content)
        wheel.writestr("rollick/compiled/made_for.json", json.dumps(made_for, indent=1))
        for entry in code:
            wheel.writestr(f"rollick/compiled/{entry.name}", entry.read_bytes())
    return made


def build(pure: Path, folder: Path) -> Path:
    """Compile, and make the platform wheel from the pure one."""
    with tempfile.TemporaryDirectory() as place:
        made_for = compile_all(Path(place))
        code = sorted(entry for entry in Path(place).rglob("*.code") if is_machine_code(entry))
        made = add_compiled(pure, folder, code, made_for)
    size = made.stat().st_size / 2**20
    print(f"built {made.name}: {len(code)} compiled functions, {size:.1f} MB")
    if size > MOST_MB:
        raise SystemExit(f"release: {made.name} has {size:.1f} MB, more than {MOST_MB:g}.")
    return made


def main() -> None:
    """Build it from a pure wheel."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("pure", type=Path)
    asked.add_argument("folder", type=Path)
    given = asked.parse_args()
    build(given.pure, given.folder)


if __name__ == "__main__":
    main()
