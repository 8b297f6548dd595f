"""What a page says: names, notes, numbers that are zero but for rounding."""

from types import SimpleNamespace

import numpy as np
import pytest

from rollick.motion.result.trust import Check, Trust
from rollick.view.scene_data import label, note_of, without_rounding


class Wrapped:
    """A body whose half width w, of mu and psi^2, is told in a sentence that does not fit
    on one line.

    And what nobody reads on a page.
    """


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("omega3", "ω₃"),
        ("u1p", "u₁⁺"),
        ("u1m", "u₁⁻"),
        ("u1_plus", "u₁⁺"),
        ("slip_plus", "slip plus"),
        ("v_f", "v f"),
        ("temp", "temp"),
        ("x", "x"),
    ],
)
def test_names(name, seen):
    assert label(name) == seen


def test_a_note_is_whole_and_has_greek_letters():
    first = Wrapped.__doc__.partition("\n")[0]
    motion = SimpleNamespace(about=SimpleNamespace(about=first), system=Wrapped(), complete=True, trust=Trust())
    sentence = "A body whose half width w, of μ and ψ², is told in a sentence that does not fit on one line."
    assert note_of(motion) == sentence
    motion.trust = Trust((Check("energy", "energy kept to 2e-10 J", 0.0, 1.0), Check("gap", "no gap below 0 m", 0.0, 1.0)))
    assert note_of(motion) == f"{sentence} Checked: energy kept to 2e-10 J; no gap below 0 m."
    about = SimpleNamespace(about="In its own words: `plate(mu=0.1)`.")
    other = SimpleNamespace(about=about, system=Wrapped(), complete=False, message="why.", status="max_steps")
    assert note_of(other) == "In its own words: plate(mu=0.1). It broke off: why."
    other.status = "doubtful"
    assert note_of(other) == "In its own words: plate(mu=0.1). It is doubtful: why."


def test_what_is_zero_but_for_rounding_is_zero():
    values = np.array([[1.0, 3e-17, 3e-17, np.nan], [2.0, -4e-18, 5e-17, 1.0]])
    seen = without_rounding(values, [("v", "m/s"), ("slip", "m/s"), ("charge", "C"), ("gap", "m")])
    np.testing.assert_array_equal(seen, [[1.0, 0.0, 3e-17, np.nan], [2.0, 0.0, 5e-17, 1.0]])
