"""A report on an identification: Markdown, or a page for any browser with its pictures inside."""

from __future__ import annotations

import base64
import io
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ...kernel.names import InputError
from ...motion.result.whole_file import write_whole

Block = tuple[str, Any]  # ("title" | "section" | "text" | "list" | "table" | "picture", content)
STYLE = "body{font-family:sans-serif;max-width:60em;margin:2em auto;line-height:1.4}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}.synthetic{color:#b5562a;font-weight:bold}img{max-width:100%}"


def blocks_of(fit: Any, comparison: Any = None) -> list[Block]:
    """What the report says, in order."""
    track, noise = fit.track, fit.frames.noise
    blocks: list[Block] = [("title", f"Identification of {fit.title} from {track.name}")]
    if track.synthetic:
        blocks.append(("synthetic", track.synthetic))
    blocks += [
        ("section", "The track"),
        (
            "text",
            f"{len(track)} frames from {track.t[0]:.6g} to {track.t[-1]:.6g} s, {track.rate:.6g} per second; {len(fit.frames)} were used.",
        ),
        (
            "text",
            f"Noise ({'given' if fit.known else 'estimated from the residuals'}): {1e3 * noise['position']:.3g} mm, {np.degrees(noise['angle']):.3g} deg.",
        ),
    ]
    if track.told:
        blocks.append(("list", list(track.told)))
    head = ("number", "value", "standard error", f"{100 * fit.level:g} % interval")
    blocks += [("section", "What was found"), ("text", f"{fit.status}: {fit.message}"), ("table", [head, *fit.table()])]
    pairs = _correlated(fit)
    if pairs:
        blocks.append(("text", "Strongly correlated: " + "; ".join(pairs) + "."))
    blocks += [
        ("section", "What is left"),
        (
            "text",
            f"Root mean square of residuals over sigma: {np.sqrt(fit.sum_of_squares / fit.freedom):.4f} ({fit.freedom} degrees of freedom).",
        ),
    ]
    rows = [
        (
            one.name,
            f"{one.rms:.3f}",
            f"{one.runs} of {one.expected:.0f}",
            f"{one.chance:.2g}",
            f"{one.correlation:+.3f}",
            f"{one.correlation_chance:.2g}",
        )
        for one in fit.judged
    ]
    blocks += [
        ("table", [("component", "rms", "runs", "chance", "correlation of neighbours", "chance"), *rows]),
        ("picture", fit),
    ]
    if comparison is not None and hasattr(comparison, "rows"):
        columns = ("law", "numbers", "chi2/(n - k)", "AIC", "BIC", "weight", "patterns left")
        blocks += [("section", "Which law"), ("text", comparison.message), ("table", [columns, *comparison.table()])]
        tests = [
            (one.smaller, one.larger, f"{one.F:.4g}", f"{one.more}, {one.freedom}", f"{one.chance:.2g}")
            for one in comparison.nested
        ]
        if tests:
            blocks.append(("table", [("law", "within", "F", "degrees of freedom", "chance"), *tests]))
        blocks.append(("picture", comparison))
    made = fit.provenance
    blocks += [
        ("section", "How"),
        (
            "text",
            f"{made['motions']} motions and {made['jacobians']} Jacobians with {made['method']}, rtol {made['rtol']:g}, {made['seconds']:.1f} s.",
        ),
    ]
    return blocks


def _correlated(fit: Any, least: float = 0.9) -> list[str]:
    C, n = fit.correlation, len(fit.names)
    pairs = [(abs(C[i, j]), i, j) for i in range(n) for j in range(i) if np.isfinite(C[i, j]) and abs(C[i, j]) > least]
    return [f"{fit.names[j]} and {fit.names[i]} ({C[i, j]:+.3f})" for _, i, j in sorted(pairs, reverse=True)[:8]]


def markdown(blocks: list[Block], pictures: list[str]) -> str:
    """The blocks as Markdown; `pictures`: file names, one for each picture."""
    lines, left = [], list(pictures)
    for kind, content in blocks:
        if kind in ("title", "section"):
            lines.append(f"{'#' if kind == 'title' else '##'} {content}")
        elif kind == "synthetic":
            lines.append(f"**{content}**")
        elif kind == "text":
            lines.append(content)
        elif kind == "list":
            lines.append("\n".join(f"- {one}" for one in content))
        elif kind == "table":
            head, *rows = content
            lines.append(
                "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rows)])
            )
        elif left:
            lines.append(f"![]({left.pop(0)})")
    return "\n\n".join(lines) + "\n"


def page(blocks: list[Block]) -> str:
    """The blocks as one HTML page."""
    parts = []
    for kind, content in blocks:
        if kind in ("title", "section"):
            level = 1 if kind == "title" else 2
            parts.append(f"<h{level}>{escape(content)}</h{level}>")
        elif kind in ("text", "synthetic"):
            parts.append(f"<p{' class=synthetic' if kind == 'synthetic' else ''}>{escape(content)}</p>")
        elif kind == "list":
            parts.append("<ul>" + "".join(f"<li>{escape(one)}</li>" for one in content) + "</ul>")
        elif kind == "table":
            cells = [
                "".join(f"<{'th' if k == 0 else 'td'}>{escape(c)}</{'th' if k == 0 else 'td'}>" for c in row)
                for k, row in enumerate(content)
            ]
            parts.append("<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>")
        else:
            parts.append(f'<img alt="picture" src="data:image/png;base64,{base64.b64encode(_png(content)).decode()}">')
    title = next(escape(c) for k, c in blocks if k == "title")
    return f"<!doctype html><html><head><meta charset='utf-8'><title>{title}</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"


def _png(thing: Any) -> bytes:
    content = io.BytesIO()
    thing.plot().savefig(content, dpi=120, format="png")
    return content.getvalue()


def write_report(fit: Any, path: Any = None, comparison: Any = None) -> str:
    """The report as Markdown; with a path (.md, .txt, .html) it is written there, the pictures of a .md file beside it as .png."""
    blocks = blocks_of(fit, comparison)
    if path is None:
        return markdown(blocks, [])
    target = Path(str(path)).expanduser()
    kind = target.suffix.lower()
    if kind not in (".md", ".txt", ".html"):
        raise InputError(f"cannot write the report {target}: its name must end in .md, .txt or .html.")
    if kind == ".html":
        text = page(blocks)
    else:
        shown = [content for what, content in blocks if what == "picture"] if kind == ".md" else []
        names = [f"{target.stem}-{k + 1}.png" for k in range(len(shown))]
        for name, thing in zip(names, shown):
            write_whole(target.with_name(name), _png(thing))
        text = markdown(blocks, names)
    write_whole(target, text.encode())
    return text
