"""Markdown with LaTeX formulas as plain text, for a terminal: `$\\dot u_1^+ = \\frac{2M_\\varphi}{M_\\varphi+M_\\psi}$` becomes u̇_1^+ = 2M_φ/(M_φ+M_ψ).

Only what the errata use is known; a command that is not raises an error, so that none is printed half translated.
"""

from __future__ import annotations

import re

GREEK = (
    dict(zip(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"], "αβγδϵζηθκλμνξπρστϕχψω"))
    | dict(zip(["varphi", "varepsilon", "vartheta", "Gamma", "Delta", "Theta", "Lambda", "Sigma", "Phi", "Psi", "Omega", "ell", "partial"], "φεϑΓΔΘΛΣΦΨΩℓ∂"))
)  # fmt: skip
SIGNS = {
    "le": "≤", "ge": "≥", "ll": "≪", "gg": "≫", "approx": "≈", "propto": "∝", "pm": "±", "mp": "∓", "cdot": "·", "times": "×", "wedge": "∧",
    "cup": "∪", "cap": "∩", "in": "∈", "to": "→", "infty": "∞", "int": "∫", "sum": "Σ", "langle": "⟨", "rangle": "⟩", "dots": "...", "prime": "'",
    "|": "‖", ",": " ", "!": "", ";": " ", " ": " ", "quad": "  ", "{": "{", "}": "}", "left": "", "right": "", "max": "max", "min": "min",
}  # fmt: skip
FUNCTIONS = ("sin", "cos", "tan", "cot", "log", "ln", "exp", "det", "arccos")
ACCENTS = {"dot": "\u0307", "ddot": "\u0308", "bar": "\u0304", "tilde": "\u0303", "hat": "\u0302"}
FONTS = ("mathrm", "mathbf", "boldsymbol", "mathcal", "text")
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}^_]|.", re.S)


def _argument(tokens: list[str]) -> str:
    """The next argument of a command: a group, or one symbol."""
    while tokens and tokens[0] == " ":
        tokens.pop(0)
    if not tokens:
        raise ValueError("a command at the end of a formula has no argument")
    if tokens[0] == "{":
        tokens.pop(0)
        return _text(tokens, group=True)
    return _symbol(tokens)


def _symbol(tokens: list[str]) -> str:
    """One symbol or command with what belongs to it."""
    token = tokens.pop(0)
    if not token.startswith("\\"):
        return token
    name = token[1:]
    if name in GREEK:
        return GREEK[name]
    if name in SIGNS:
        return SIGNS[name]
    if name in FUNCTIONS:
        return name + " "
    if name in ("frac", "dfrac", "tfrac"):
        top, low = _argument(tokens), _argument(tokens)
        top = top if re.fullmatch(r"\w+(\^\w)?", top) else f"({top})"
        return f"{top}/" + (low if re.fullmatch(r"\d+|\w(_\w+)?(\^\w)?", low) else f"({low})")
    if name == "sqrt":
        inside = _argument(tokens)
        return f"√{inside}" if len(inside) == 1 else f"√({inside})"
    if name in ACCENTS:
        inside = _argument(tokens)
        return inside[0] + ACCENTS[name] + inside[1:]
    if name in FONTS:
        return _argument(tokens)
    raise ValueError(f"the command {token} is not known here")


def _text(tokens: list[str], group: bool = False) -> str:
    """Tokens up to the end of a group, or all."""
    made = ""
    while tokens:
        token = tokens[0]
        if token == "}":
            tokens.pop(0)
            if not group:
                raise ValueError("a brace too many")
            return made
        if token in "^_":
            tokens.pop(0)
            inside = _argument(tokens)
            made = made.rstrip() + token + (inside if re.fullmatch(r"\w+'?|.", inside) else f"({inside})")
        elif token == "{":
            tokens.pop(0)
            made += _text(tokens, group=True)
        else:
            made += _symbol(tokens)
    if group:
        raise ValueError("a brace is not closed")
    return made


def formula(latex: str) -> str:
    """A formula of LaTeX as text."""
    return re.sub(r" +", " ", _text(TOKEN.findall(latex))).strip()


def plain(markdown: str) -> str:
    """Markdown as text: formulas translated, stars and backquotes dropped."""
    parts = markdown.split("$")
    if len(parts) % 2 == 0:
        raise ValueError(f"a dollar without its fellow in {markdown!r}")
    return "".join(formula(part) if k % 2 else re.sub(r"[*`]", "", part) for k, part in enumerate(parts))
