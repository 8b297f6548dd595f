"""A file of tracked motion as columns: CSV (with a head of comments, any of the usual separators, units in the names), compressed CSV, or netCDF."""

from __future__ import annotations

import csv
import gzip
import io
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...kernel.names import InputError, number

KINDS = {"t": "s", "position": "m", "angle": "rad"}
_UNIT = re.compile(r"^\s*(.*?)\s*[\[(]\s*([^\])]*)\s*[\])]\s*$")
_SAID = re.compile(r"(sigma_\w+)\s*=\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([^\W\d_]*)")


@dataclass(frozen=True)
class Table:
    """Columns by name: numbers (nan where a cell is empty) or texts; the units their names or attributes tell; comments at the head."""

    columns: dict[str, np.ndarray]
    units: dict[str, str]
    comments: tuple[str, ...]
    name: str
    said: dict[str, Any]  # standard deviations that the head tells, with their units


def read_table(source: Any) -> Table:
    """The columns of a file, of an `xarray.Dataset`, of a pandas table or of a dict."""
    if isinstance(source, Table):
        return source
    if hasattr(source, "data_vars"):
        return _dataset(source, str(source.attrs.get("title", "track")))
    if hasattr(source, "columns") or isinstance(source, Mapping):
        names = list(source.columns) if hasattr(source, "columns") else list(source)
        return _named({str(n): np.asarray(source[n]) for n in names}, (), "track")
    path = Path(str(source)).expanduser()
    if not path.is_file():
        raise InputError(f"there is no file {path}.")
    if path.suffix.lower() in (".nc", ".nc4", ".h5"):
        from ...motion.result.sound_file import load

        return _dataset(load(path), path.name)
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as a table of text ({type(error).__name__}: {error}).") from None
    return _text(text, path.name)


def _text(text: str, name: str) -> Table:
    comments = tuple(line.lstrip("# ").rstrip() for line in text.splitlines() if line.startswith("#"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) < 3:
        raise InputError(f"{name} holds {len(lines)} lines; a track has a line of names and two or more frames.")
    head = lines[0]
    separator = max(";\t,", key=head.count)
    if not head.count(separator):
        raise InputError(
            f"the first line of {name}, {head[:60]!r}, holds no columns; separate them by commas, semicolons or tabs."
        )
    rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=separator))
    names = [n.strip() for n in rows[0]]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise InputError(f"{name} has two columns named {twice[0]!r}; rename one.")
    for k, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            raise InputError(f"line {k} of the table in {name} has {len(row)} cells where the first has {len(names)} names.")
    cells = {n: [row[k].strip() for row in rows[1:]] for k, n in enumerate(names)}
    return _named({n: _numbers(column, separator) for n, column in cells.items()}, comments, name)


def _numbers(column: list[str], separator: str) -> np.ndarray:
    """A column as numbers, an empty cell being nan; as texts if it holds any."""
    try:
        return np.array([float(c.replace(",", ".") if separator != "," else c) if c else np.nan for c in column])
    except ValueError:
        return np.array(column)


def _reads(cell: Any) -> bool:
    """Whether a cell of text is a number, or empty."""
    try:
        return not str(cell) or bool(float(str(cell).replace(",", ".")) or True)
    except ValueError:
        return False


def _dataset(data: Any, name: str) -> Table:
    columns = {str(n): np.asarray(v.values) for n, v in data.variables.items() if v.ndim == 1}
    units = {str(n): str(v.attrs["units"]) for n, v in data.variables.items() if v.ndim == 1 and v.attrs.get("units")}
    long = max((c.size for c in columns.values()), default=0)
    columns = {n: c for n, c in columns.items() if c.size == long}
    comments = tuple(str(data.attrs[k]) for k in ("synthetic", "told") if data.attrs.get(k))
    said = {str(k): data.attrs[k] for k in data.attrs if str(k).startswith("sigma_") and np.isscalar(data.attrs[k])}
    return Table(columns, units, comments, str(data.attrs.get("title", name)), said)


def _named(columns: dict[str, np.ndarray], comments: tuple[str, ...], name: str) -> Table:
    """Units taken out of the names: "x [mm]", "beta (deg)"."""
    units, plain = {}, {}
    for given, column in columns.items():
        found = _UNIT.match(given)
        label = found[1] if found else given
        if label in plain:
            raise InputError(f"{name} has two columns named {label!r}; rename one.")
        plain[label] = column
        if found and found[2]:
            units[label] = found[2]
    said = {name: f"{value} {unit}".strip() for line in comments for name, value, unit in _SAID.findall(line)}
    return Table(plain, units, comments, name, said)


def scaled(table: Table, name: str, kind: str, units: Mapping[str, str]) -> np.ndarray:
    """A column in SI units: its own unit, else that given for its kind (t, position, angle), else SI."""
    column = table.columns[name]
    if column.dtype.kind not in "fiub":
        bad = next((str(cell) for cell in column if not _reads(cell)), str(column[0]))
        raise InputError(
            f"the column {name!r} of {table.name} holds {bad!r}, which is no number; leave a cell empty where nothing was seen."
        )
    unit = table.units.get(name) or units.get(kind) or KINDS[kind]
    if unit in ("1", "-"):
        unit = KINDS[kind]
    return column.astype(float) * number(f"1 {unit}", f"the unit of the column {name!r}", KINDS[kind])
