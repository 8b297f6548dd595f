"""What summaries of motions add is known with the systems themselves."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "name"),
    [pytest.param("wheelset.rolling", "WheelsetRolling", marks=pytest.mark.slow), ("rattleback", "Rattleback")],
)
def test_what_a_summary_adds_is_known_without_the_command_line(module, name):
    """Importing the system alone is enough, in a process of its own."""
    code = f"from rollick.archetypes.{module} import {name} as it; from rollick.kernel.hooks import highlights; assert highlights.knows(it)"
    subprocess.run([sys.executable, "-c", code], check=True)
