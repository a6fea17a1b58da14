"""Mentions and links in, relationships with weight, evidence and the chunks that show them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from workbench.extraction.cooccurrence import Pairs, significant_pairs
from workbench.extraction.description import shortened
from workbench.extraction.units import Unit
from workbench.ids import relationship_id

PASSAGE = 400  # characters
_relationship_id = lru_cache(maxsize=200_000)(relationship_id)  # asked for three times each
UNDIRECTED = frozenset({"co_occurs_with"})


class Row(NamedTuple):
    """An entity (row number) in a chunk (row number): characters, sentence, unit, signals."""

    entity: int
    chunk: int
    start: int
    end: int
    sentence: int
    unit: int
    signals: tuple[str, ...]


class Evidence(NamedTuple):
    """Characters of a unit that show a relationship."""

    unit: int
    start: int
    end: int


@dataclass
class Relation:
    """A relationship in the making; `chunks` maps a chunk row to (count, evidence or None)."""

    source: int
    target: int
    type: str
    npmi: float | None = None
    weight: float = 0.0
    chunks: dict[int, tuple[int, Evidence | None]] = field(default_factory=dict)
    description: str = ""

    def add(self, chunk: int, evidence: Evidence | None, count: int = 1) -> None:
        """Note one more showing in a chunk; the first evidence stays."""
        before = self.chunks.get(chunk)
        shown = before[1] or evidence if before else evidence
        self.chunks[chunk] = (count + (before[0] if before else 0), shown)

    def id(self, ids: Sequence[str]) -> str:
        """The relationship's id, from those of its ends."""
        directed = self.type not in UNDIRECTED
        return _relationship_id(ids[self.source], ids[self.target], self.type, directed=directed)


def cooccurrences(
    rows: Sequence[Row],
    bounds: Sequence[Sequence[tuple[int, int]]],
    entities: int,
    chunks: int,
    floor: float,
) -> tuple[list[Relation], dict[str, int]]:
    """Give the significant pairs as relations, and how many pairs each rule dropped."""
    in_chunk = np.array([(row.chunk, row.entity) for row in rows], np.int64).reshape(-1, 2)
    numbers: dict[tuple[int, int, int], int] = {}
    in_sentence = np.array(
        [
            (numbers.setdefault((row.unit, *passage(row, bounds)), len(numbers)), row.entity)
            for row in rows
        ],
        np.int64,
    ).reshape(-1, 2)
    pairs = significant_pairs(in_chunk, in_sentence, entities, chunks, floor)
    return _relations(rows, bounds, pairs), pairs.dropped


def passage(row: Row, bounds: Sequence[Sequence[tuple[int, int]]]) -> tuple[int, int]:
    """Give the sentence of a place, and the part of it: PASSAGE characters are one part.

    What has no full stop for long is a list, and its ends say nothing of each other.
    """
    begin = bounds[row.unit][row.sentence][0] if bounds[row.unit] else row.start
    return row.sentence, max(row.start - begin, 0) // PASSAGE


def _relations(
    rows: Sequence[Row], bounds: Sequence[Sequence[tuple[int, int]]], pairs: Pairs
) -> list[Relation]:
    relations = {
        (int(p.a), int(p.b)): Relation(
            int(p.a), int(p.b), "co_occurs_with", float(p.npmi), float(p.weight)
        )
        for p in pairs.kept.itertuples(index=False)
    }
    partners: dict[int, set[int]] = {}
    for a, b in relations:
        partners.setdefault(a, set()).add(b)
    by_chunk: dict[int, dict[int, list[Row]]] = {}
    for row in rows:
        by_chunk.setdefault(row.chunk, {}).setdefault(row.entity, []).append(row)
    for chunk in sorted(by_chunk):
        here = by_chunk[chunk]
        for a in sorted(here):
            for b in sorted(partners.get(a, set()).intersection(here)):
                count, evidence = _together(here[a], here[b], bounds)
                relations[a, b].add(chunk, evidence, count)
    return list(relations.values())


def _together(
    one: Sequence[Row], other: Sequence[Row], bounds: Sequence[Sequence[tuple[int, int]]]
) -> tuple[int, Evidence]:
    """Give how many sentences hold both (at least 1) and the first, else the passage between."""
    shared = {passage(row, bounds) for row in one} & {passage(row, bounds) for row in other}
    unit = one[0].unit
    if shared:
        sentence, part = min(shared)
        begin, end = bounds[unit][sentence]
        if end - begin > PASSAGE:
            here = [row for row in (*one, *other) if passage(row, bounds) == (sentence, part)]
            begin, end = min(row.start for row in here), max(row.end for row in here)
        return len(shared), Evidence(unit, begin, end)
    first, last = sorted((bounds[unit][one[0].sentence], bounds[unit][other[0].sentence]))
    return 1, Evidence(unit, first[0], last[1])


def evidence_text(units: Sequence[Unit], evidence: Evidence) -> str:
    """Give the evidence as a quote with single blanks, shortened."""
    return shortened(units[evidence.unit].text[evidence.start : evidence.end], 0)


def in_order(relations: Iterable[Relation], ids: Sequence[str]) -> list[Relation]:
    """Sort by type, falling weight and id: the order of short ids."""
    return sorted(relations, key=lambda r: (r.type, -r.weight, r.id(ids)))
