"""JSON as it is defined: no NaN, no Infinity. Numbers that are not finite are written as {"_number": "inf"} and read back as such."""

from __future__ import annotations

import json
import math
from typing import Any

ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


def strict(value: Any, odd: Any = None) -> Any:
    """The value in terms of what JSON knows: tuples and arrays as lists, numbers of NumPy as numbers; `odd` says how NaN and infinity are told."""
    if type(value) is float and math.isfinite(value):
        return value  # nearly always
    if isinstance(value, dict):
        return {str(k): strict(v, odd) for k, v in value.items()}
    if hasattr(value, "dtype"):  # an array or a number of NumPy
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [strict(v, odd) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return odd(value) if odd is not None else None
    return value


def _marked(value: float) -> dict[str, str]:
    return {"_number": repr(value)}


def dumps(value: Any) -> str:
    """JSON text; what is not finite comes back from `loads`."""
    return json.dumps(strict(value, _marked), allow_nan=False)


def _unmarked(found: dict[str, Any]) -> Any:
    if set(found) == {"_number"} and found["_number"] in list(ODD):
        return ODD[found["_number"]]
    return found


def loads(text: str) -> Any:
    """The value of a JSON text, NaN and infinity included."""
    return json.loads(text, object_hook=_unmarked)
