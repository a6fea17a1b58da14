"""Documents and chunks in, units of reading out: a document with its chunks, or a lone chunk.

Chunks without places (imported text units) or without their document's text are read as plain
documents of their own; their mentions then have no characters.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd


@dataclass
class Unit:
    """A text to read: `chunks` are rows of the chunk frame with their span in the text."""

    document_id: str
    text: str
    format: str
    placed: bool
    path: str = ""
    title: str = ""
    chunks: list[tuple[int, int, int]] = field(default_factory=list)  # start, end, row
    _starts: list[int] = field(default_factory=list)
    _reach: list[int] = field(default_factory=list)  # the furthest end so far

    def finish(self) -> Unit:
        """Sort the chunks, so that `chunks_at` can search."""
        self.chunks.sort()
        self._starts = [start for start, _, _ in self.chunks]
        reach = 0
        for _, end, _ in self.chunks:
            reach = max(reach, end)
            self._reach.append(reach)
        return self

    def chunks_at(self, start: int, end: int) -> list[int]:
        """Give the rows of the chunks that hold a span; those that hold its start if none does."""
        last = bisect_right(self._starts, start)
        whole, begun = [], []
        for i in range(last - 1, -1, -1):
            if self._reach[i] <= start:
                break
            if self.chunks[i][1] >= end:
                whole.append(self.chunks[i][2])
            elif self.chunks[i][1] > start:
                begun.append(self.chunks[i][2])
        return sorted(whole or begun)


def units_of(documents: pd.DataFrame, chunks: pd.DataFrame) -> list[Unit]:
    """Give the units in the order of the documents' ids, then of lone chunks."""
    units: dict[str, Unit] = {}
    for row in documents.sort_values("id").itertuples(index=False):
        if isinstance(row.text, str) and row.text:
            units[row.id] = Unit(row.id, row.text, _format(row.metadata), True, row.path, row.title)
    lone = []
    for position, row in enumerate(chunks.itertuples(index=False)):
        unit = units.get(row.document_id)
        if unit is None or pd.isna(row.start_char) or pd.isna(row.end_char):
            alone = Unit(str(row.document_id), row.text, "plain", False)
            alone.chunks.append((0, len(row.text), position))
            lone.append(alone.finish())
        else:
            unit.chunks.append((int(row.start_char), int(row.end_char), position))
    placed = [unit.finish() for unit in units.values() if unit.chunks]
    return placed + lone


def document_numbers(units: Sequence[Unit]) -> list[int]:
    """Number the documents of the units: lone chunks of one document share a number."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(unit.document_id, len(numbers)) for unit in units]


def _format(metadata: object) -> str:
    if not isinstance(metadata, str) or not metadata:
        return "plain"
    found = json.loads(metadata)
    return str(found.get("format", "plain")) if isinstance(found, dict) else "plain"
