"""Names as the works print them: `gamma` is a letter, `omega3` has an index, `theta_rate` a dot; units stand in brackets, angles in degrees.

    label("gamma_rate", "rad/s")    r"$\\dot\\gamma$ [rad/s]"

The symbols of names that are words (`lift_off_margin`) stand in the table `WORDS`. `typeset` sets the Greek letters and indices in all texts
of a figure that somebody spelled out.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
LETTERS = {
    **{name: rf"\{name}" for name in GREEK},
    "phi": r"\varphi",
    "eps": r"\varepsilon",
    "epsilon": r"\varepsilon",
    "ell": r"\ell",
    "hbar": r"\hbar",
}

# Quantities whose names are words: the symbol, and what it is called beside it where the symbol alone says too little.
WORDS = {
    "energy": ("E", ""),
    "kinetic_energy": ("T", ""),
    "potential_energy": ("V", ""),
    "dissipated": (r"E_\mathrm{diss}", "dissipated"),
    "height": ("h", "height"),
    "climb": (r"V_\mathrm{slope}", ""),
    "normal_force": ("N", "normal force"),
    "friction_force": ("|F|", "friction force"),
    "friction_x": ("F_x", ""),
    "friction_y": ("F_y", ""),
    "friction_demand": (r"\mu_\mathrm{req} = |F|/N", ""),
    "demand": (r"\mu_\mathrm{req}", ""),
    "lift_off_margin": ("N/mg", ""),
    "spin_couple": ("M_n", "couple about the normal"),
    "spin_demand": ("M_n/N", ""),
    "contact_speed": ("v_C", "contact point"),
    "contour_speed": (r"\gamma_R", ""),
    "impulse": (r"\int N\,dt", ""),
    "twist": (r"\omega_n", ""),
    "gap": ("g_N", "gap"),
    "slip": (r"|v_T|", "slip"),
    "slip_x": ("v_{T,x}", "slip"),
    "slip_y": ("v_{T,y}", "slip"),
    "slip_plus": ("|u^+|", "slip"),
    "slip_minus": ("|u^-|", "slip"),
    "slip_floor": (r"|v_T|_\mathrm{floor}", "slip"),
    "slip_wall": (r"|v_T|_\mathrm{wall}", "slip"),
    "u1_plus": ("u_1^+", ""),
    "u1_minus": ("u_1^-", ""),
    "u1p": ("u_1^+", ""),
    "u1m": ("u_1^-", ""),
    "ua": ("u_a", ""),
    "track1": ("x", "track"),
    "track2": ("y", "track"),
    "lost_sliding": (r"W_\mathrm{slide}", "lost"),
    "lost_pivoting": (r"W_\mathrm{pivot}", "lost"),
    "lost_contour": (r"W_\mathrm{contour}", "lost"),
    "lost_impacts": (r"W_\mathrm{impact}", "lost"),
    "lost_drag": (r"W_\mathrm{drag}", "lost"),
    "radius_difference": (r"\Delta r", ""),
    "length_error": ("|q| - 1", ""),
    "momentum": ("|L|", ""),
    "speed": (r"|\omega|", ""),
    "angle": (r"\angle(\omega, z)", ""),
    "torque": ("M", "torque"),
    "launch": (r"\beta_0", "launch"),
    "period": ("T", "period"),
    "t": ("t", ""),
    "r_Omega_w": (r"r\,\Omega_w", ""),
}
_COMPONENT = re.compile(r"^[A-WZa-w][xyzXYZ]$")
_NAME = re.compile(r"^([A-Za-z]+)(\d*)((?:_[A-Za-z0-9+-]+)*)$")


def _base(word: str) -> str | None:
    """The letter of a word: Greek ones by name, single ones as they are; None for other words."""
    return LETTERS.get(word) or (word if len(word) == 1 else None)


def mathematics(name: str) -> str | None:
    """A name as mathematics, without dollars: `omega3` is \\omega_3, `theta_rate` \\dot\\theta; None if it is a word that has no symbol."""
    if name in WORDS:
        return WORDS[name][0]
    for ending, accent in (("_rate", r"\dot"), ("_dot", r"\dot"), ("'", "")):
        if (
            name.endswith(ending)
            and (inner := mathematics(name[: -len(ending)])) is not None
            and name[: -len(ending)] not in WORDS
        ):
            if not accent:
                return inner + "'"
            letter, index, rest = inner.partition("_")
            return f"{accent}{{{letter}}}{index}{rest}"
    if _COMPONENT.match(name):  # vx, sz, LX
        return f"{name[0]}_{name[1]}"
    found = _NAME.match(name)
    if found is None:
        return None
    word, digits, index = found.groups()
    head = _base(word)
    if head is None:
        return None
    below = [digits] if digits else []
    for part in index.split("_")[1:]:
        below.append(
            LETTERS.get(part) or (part if len(part) == 1 or part.isdigit() or not part.isalpha() else rf"\mathrm{{{part}}}")
        )
    return f"{head}_{{{','.join(below)}}}" if below else head


def symbol(name: str) -> str:
    """A name as it is printed: `$\\gamma$`; words without a symbol are written out."""
    found = mathematics(name)
    return f"${found}$" if found is not None else name.replace("_", " ")


def label(name: str, unit: str = "", told: bool = False) -> str:
    """The label of an axis: symbol and unit; `told`: with the words that go with a symbol, if there are any."""
    words = f" ({WORDS[name][1]})" if told and name in WORDS and WORDS[name][1] else ""
    return f"{symbol(name)}{words} [{printed(unit)}]" if unit not in ("", "1") else symbol(name) + words


def printed(unit: str) -> str:
    """A unit with its powers raised: `m/s^2` is m/s$^2$."""
    return unit if "$" in unit else re.sub(r"\^\(?(-?[\d./]+)\)?", r"$^{\1}$", unit)


def in_degrees(values: np.ndarray, unit: str) -> tuple[np.ndarray, str]:
    """Angles as people read them."""
    if unit == "rad":
        return np.degrees(values), "deg"
    return values, unit


# -- texts that were spelled out --------------------------------------------------------------------------------------------------

_GREEK = "|".join(sorted(map(re.escape, (*GREEK, "eps")), key=len, reverse=True))
# A Greek letter by name, with digits, indices and primes; or a single letter with an index: mu, omega3, mu_fold, alpha', v_f, E_0, r_Omega_w.
_SPELLED = re.compile(rf"(?<![\w$\\.])((?:(?:{_GREEK})\d*|[A-Za-z](?=_))(?:_[A-Za-z0-9]+)*)('*)(?![\w(]*\.\w)(?!\w)")
_POWER = re.compile(r"(?<=[A-Za-z)\]])\^\(?(-?\d+(?:/\d+)?)\)?(?![\w.])")


def typeset_text(text: str) -> str:
    """A text with its spelled-out symbols set as mathematics; what is mathematics already stays."""
    if "$" in text or "\\" in text:
        return text
    name, bracket, unit = text.partition(" [")
    if (name in WORDS and "_" in name) or (
        len(name) == 1 and bracket and name.isalpha()
    ):  # the label of an axis, or a name alone
        return symbol(name) + (f" [{printed(unit[:-1])}]" if unit.endswith("]") else bracket + unit)

    def one(found: re.Match[str]) -> str:
        inside = mathematics(found[1])
        return found[0] if inside is None else f"${inside}{found[2]}$"

    text = text.replace("log10", r"$\log_{10}$") if "log10" in text else text
    return _POWER.sub(r"$^{\1}$", _SPELLED.sub(one, text))


def texts(fig: Any) -> list[Any]:
    """All texts of a figure: those that matplotlib lists, the cells of tables, and the labels of axes in space."""
    from matplotlib.table import Cell
    from matplotlib.text import Text

    found = [*fig.findobj(Text), *(cell.get_text() for cell in fig.findobj(Cell))]
    for ax in fig.axes:
        found += [getattr(ax, name).label for name in ("xaxis", "yaxis", "zaxis") if hasattr(ax, name)]
    return list(dict.fromkeys(found))


def typeset(fig: Any) -> None:
    """Set the symbols in the titles, labels, legends and notes of a figure."""
    for artist in texts(fig):
        text = artist.get_text()
        if text and (new := typeset_text(text)) != text:
            artist.set_text(new)
