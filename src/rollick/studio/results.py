"""Results that were computed already, so that undoing, redoing and opening the page cost nothing: the latest few, in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

MOST = 24
MOST_BYTES = 60_000_000


def size_of(result: dict[str, Any]) -> int:
    """About how much memory a result takes."""
    curves = result.get("curves") or {}
    return len(result.get("scene") or "") + sum(v.nbytes for v in curves.get("values", {}).values()) + 10_000


class Results:
    """Results by the key of their state, forgotten by age."""

    def __init__(self) -> None:
        self.kept: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self.lock = threading.Lock()

    def get(self, key: str) -> dict[str, Any] | None:
        """A result; None if it is not there."""
        with self.lock:
            found = self.kept.get(key)
            if found is not None:
                self.kept.move_to_end(key)
            return found

    def put(self, key: str, result: dict[str, Any]) -> None:
        """Keep a whole result; the oldest go."""
        with self.lock:
            self.kept[key] = result
            self.kept.move_to_end(key)
            while len(self.kept) > 1 and (len(self.kept) > MOST or sum(map(size_of, self.kept.values())) > MOST_BYTES):
                self.kept.popitem(last=False)
