"""The targets of the ledger, one by one: what each recomputes, from its docstring, and what came out, from the counts that the tests compare with a recomputation."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from .api import put
from .markdown import escaped

ROOT = Path(__file__).resolve().parents[2]


def write(path: Path) -> None:
    """The page of all targets."""
    from rollick.studies.catalogue import single_studies
    from rollick.studies.ledger import VERDICTS

    counts = json.loads((ROOT / "tests" / "studies" / "counts.json").read_text(encoding="utf-8"))
    words = [v for v in VERDICTS if any(v in verdicts for study in counts.values() for verdicts in study.values())]
    lines = [
        "# The targets of the ledger", "",
        "Every target that `rollick reproduce` recomputes, with the number of its rows by verdict; [The ledger](../ledger.md) says what the verdicts mean. "
        "`rollick reproduce STUDY --only TARGET` recomputes one, and prints its rows with the printed and the computed numbers.", "",
    ]  # fmt: skip
    for study in single_studies():
        found = counts[study.name]
        total = sum((Counter(v) for v in found.values()), Counter())
        lines += [
            f"## {study.name}: {escaped(study.title)}",
            "",
            "| target | what | " + " | ".join(words) + " |",
            "|---|---|" + "---|" * len(words),
        ]
        for name, rows in study.targets.items():
            what = " ".join((rows.__doc__ or "").split()).removeprefix(f"{name}:").strip().replace("|", "\\|")
            cells = " | ".join(str(found.get(name, {}).get(v, "")) for v in words)
            lines.append(f"| {name} | {escaped(what)} | {cells} |")
        lines += ["| all | | " + " | ".join(str(total[v] or "") for v in words) + " |", ""]
    put(path, "\n".join(lines))
