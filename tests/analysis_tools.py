"""The tools of analysis and the kinds of systems they are for: the table of docs/what_works.md, compared with the code and with the tests by test_matrix.py.

A cell is "yes", or why not in a few words; the last column names the test that tries it.
"""

from __future__ import annotations

SMOOTH = "smooth systems, smooth laws in lasting contact"
KINDS = (SMOOTH, "dry contacts, from mode to mode", "impacts")
MODES = "no: rates jump"
BODIES = "any number of contacts; impact laws (`impact_reset`); `Reset`"
ORBITS = "bodies, any number of contacts; impact laws (`impact_gap`, `impact_map`)"
SPECTRA = "any number of contacts; impact laws (`impact_gap`, `impact_map`); `Reset`"

# tool, where it is imported from, what it is called, cells, test
TOOLS = [
    ("steady motions", "rollick", "steady_motion", ("yes", MODES, "no"), "test_steady.py"),
    ("all steady motions", "rollick", "steady_motions", ("yes", MODES, "no"), "test_steady.py"),
    ("branches of steady motions", "rollick", "continue_steady", ("yes", MODES, "no"), "test_steady.py"),
    ("curves of folds", "rollick", "trace_folds", ("yes", MODES, "no"), "test_two_parameters.py"),
    ("curves of Hopf points", "rollick", "trace_hopfs", ("yes", MODES, "no"), "test_two_parameters.py"),
    ("periodic orbits", "rollick", "find_orbit", ("yes", "yes", ORBITS), "test_orbits_of_bodies.py"),
    ("branches of orbits", "rollick", "continue_orbit", ("yes", "yes", ORBITS), "test_orbits_of_bodies.py"),
    ("orbits from Hopf points", "rollick", "orbits_from_hopf", ("yes", MODES, "no"), "test_periodic_orbits.py"),
    ("connections", "rollick.analysis.connections", "find_connection", ("systems and formulas", MODES, "no"), "test_connections.py"),
    ("Melnikov's integrals", "rollick.analysis.melnikov", "melnikov", ("formulas", "no", "no"), "test_melnikov.py"),
    ("slow manifolds of formulas", "rollick", "SlowFast", ("formulas, Taylor arithmetic", "no", "no"), "test_slow_fast.py"),
    ("slow manifolds of systems", "rollick", "SystemSplit", ("yes", MODES, "no"), "test_slow_compiled.py"),
    ("sections", "rollick", "poincare", ("yes", "no", "no"), "test_exponents.py"),
    ("largest Lyapunov exponent", "rollick", "largest_exponent", ("yes", "no: see `spectrum`", "no"), "test_exponents.py"),
    ("Lyapunov spectrum", "rollick", "spectrum", ("yes", "yes; lost directions are -inf", SPECTRA), "test_exponents_through_impacts.py"),
    ("sensitivities", "rollick", "sensitivity", ("yes", "yes", BODIES), "test_sensitivity.py"),
    ("fits", "rollick", "fit", ("yes", "yes", BODIES), "test_design.py"),
    ("optima", "rollick", "optimise", ("yes", "yes", BODIES), "test_design.py"),
    ("basins of attraction", "rollick", "basins", ("yes", "no", "no"), "test_maps.py"),
    ("charts over two parameters", "rollick", "chart", ("yes", "what its function asks", "what its function asks"), "test_maps.py"),
]  # fmt: skip


def tools_table() -> list[str]:
    """The section of the page."""
    lines = [
        "## Tools of analysis",
        "",
        "What they are for; a kind of system that a tool is not for is refused by name. Tried by tests in `tests/analysis/`.",
        "",
        f"| tool | call | {' | '.join(KINDS)} | tried by |",
        "|---" * (len(KINDS) + 3) + "|",
    ]
    for tool, home, call, cells, test in TOOLS:
        name = f"`{call}`" if home == "rollick" else f"`{home}.{call}`"
        lines.append(f"| {tool} | {name} | {' | '.join(cells)} | {test} |")
    return [*lines, ""]
