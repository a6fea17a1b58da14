"""Calls in, rows of `llm_calls` out, and in again: what was asked before, and what it cost."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from workbench.store import Store

_REPLY = ("reply", "prompt_tokens", "completion_tokens", "seconds", "finish_reason")
USAGE = (
    "task",
    "calls",
    "cached",
    "retried",
    "repaired",
    "failed",
    "prompt_tokens",
    "completion_tokens",
    "seconds",
)


class Ledger:
    """The table `llm_calls` of a store, or nothing at all without one."""

    def __init__(self, store: Store | None, model: str, run: str) -> None:
        self._store, self._model, self._run = store, model, run

    def known(self, keys: list[str]) -> tuple[dict[str, dict[str, Any]], dict[str, int]]:
        """Give the good reply of each key that has one, and how often each key was tried."""
        if self._store is None or not keys:
            return {}, {}
        rows = self._store.sql(
            "SELECT key, attempt, status, reply, prompt_tokens, completion_tokens, seconds, "
            "finish_reason FROM llm_calls WHERE key IN (SELECT unnest(?)) ORDER BY key, attempt",
            [keys],
        )
        good = rows[rows["status"] == "ok"].drop_duplicates("key", keep="last")
        replies = {row["key"]: _reply(row) for row in good.to_dict("records")}
        return replies, {str(k): int(n) for k, n in rows.groupby("key")["attempt"].max().items()}

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Add attempts in one transaction."""
        if self._store is not None and rows:
            frame = pd.DataFrame(rows).assign(model=self._model, run=self._run)
            self._store.put("llm_calls", frame)


def _reply(row: dict[str, Any]) -> dict[str, Any]:
    found = {name: row[name] for name in _REPLY}
    for name in ("prompt_tokens", "completion_tokens"):
        found[name] = None if pd.isna(found[name]) else int(found[name])
    return found


class Tally:
    """Counts by task of what was asked, served from the ledger, tried again and lost."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(USAGE[1:], 0))
        self.tokens = 0

    def cached(self, task: str) -> None:
        """Count a request that needed no call."""
        with self._lock:
            self._counts[task]["cached"] += 1

    def asked(self, task: str, status: str, repaired: bool, rows: list[dict[str, Any]]) -> None:
        """Count a request that was asked, with the ledger's rows of its attempts."""
        with self._lock:
            counts = self._counts[task]
            counts["calls"] += 1
            counts["retried"] += len(rows) - 1
            counts["repaired"] += repaired
            counts["failed"] += status != "ok"
            for row in rows:
                counts["seconds"] += row["seconds"]
                for name in ("prompt_tokens", "completion_tokens"):
                    counts[name] += row[name] or 0
                    self.tokens += row[name] or 0

    def frame(self) -> pd.DataFrame:
        """Give one row a task.

        `calls` are requests asked (further tries are in `retried`), `cached` those that needed no
        call, `repaired` replies that were mended, `failed` requests without a good reply; tokens
        are as the model counted, and with the seconds summed over all tries.
        """
        with self._lock:
            rows = [{"task": task, **counts} for task, counts in sorted(self._counts.items())]
        frame = pd.DataFrame(rows, columns=list(USAGE))
        return frame.astype(dict.fromkeys(USAGE[1:-1], int)).astype({"seconds": float})
