"""Which entity stands in which chunk and sentence in, significant pairs with their counts out.

A pair's weight is the number of chunks it shares; its significance is NPMI over chunks. A pair
that shares a sentence needs no more than not to avoid each other; one that only shares chunks
has to share two and to do so more often than chance. An entity that would have no pair at all
keeps its most significant one. There is no cap.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

_BLOCK = 2_000_000  # pairs held at once


class Pairs(NamedTuple):
    """Kept pairs (frame a, b, weight, npmi, sentences) and dropped ones (rule -> count)."""

    kept: pd.DataFrame
    dropped: dict[str, int]


@lru_cache(maxsize=4096)
def _corner(size: int) -> tuple[np.ndarray, np.ndarray]:
    return np.triu_indices(size, 1)


def _groups(places: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Give each group (column 0) with its entities (column 1); rows are sorted and unique."""
    if len(places):
        cuts = np.flatnonzero(np.diff(places[:, 0])) + 1
        for part in np.split(places, cuts):
            yield int(part[0, 0]), part[:, 1]


def count_pairs(places: np.ndarray, entities: int) -> tuple[np.ndarray, np.ndarray]:
    """Give codes `a * entities + b` (a < b), rising, and in how many groups each pair stands.

    `places` has columns group, entity. Memory is bounded by the number of distinct pairs.
    """
    codes, counts = np.empty(0, np.int64), np.empty(0, np.int64)
    waiting: list[np.ndarray] = []
    size = 0
    for _, members in _groups(np.unique(places, axis=0)):
        left, right = (
            _corner(len(members)) if len(members) <= 512 else np.triu_indices(len(members), 1)
        )
        waiting.append(members[left] * entities + members[right])
        size += len(left)
        if size > _BLOCK:
            codes, counts = _add(codes, counts, np.concatenate(waiting))
            waiting, size = [], 0
    if waiting:
        codes, counts = _add(codes, counts, np.concatenate(waiting))
    return codes, counts


def _add(codes: np.ndarray, counts: np.ndarray, more: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    new, numbers = np.unique(more, return_counts=True)
    merged, position = np.unique(np.concatenate([codes, new]), return_inverse=True)
    return merged, np.bincount(
        position, weights=np.concatenate([counts, numbers]), minlength=len(merged)
    ).astype(np.int64)


def npmi(joint: np.ndarray, one: np.ndarray, other: np.ndarray, total: int) -> np.ndarray:
    """Give ln(p(xy) / (p(x) p(y))) / -ln p(xy), from -1 to 1; 1 where a pair is everywhere."""
    with np.errstate(divide="ignore", invalid="ignore"):
        surprise = -np.log(joint / total)
        value = np.log(joint * total / (one * other)) / surprise
    return np.where(joint == total, 1.0, value)


def significant_pairs(
    chunk_places: np.ndarray, sentence_places: np.ndarray, entities: int, chunks: int, floor: float
) -> Pairs:
    """Judge all pairs; arrays have columns (chunk, entity) and (sentence, entity)."""
    codes, weight = count_pairs(chunk_places, entities)
    sentence_codes, sentence_counts = count_pairs(sentence_places, entities)
    spread = np.bincount(np.unique(chunk_places, axis=0)[:, 1], minlength=entities)
    a, b = codes // entities, codes % entities
    value = npmi(weight, spread[a], spread[b], max(chunks, 1))
    together = np.zeros(len(codes), np.int64)
    if len(sentence_codes):
        position = np.searchsorted(sentence_codes, codes).clip(max=len(sentence_codes) - 1)
        same = sentence_codes[position] == codes
        together[same] = sentence_counts[position[same]]
    close = together > 0
    keep = np.where(close, value >= 0, (weight >= 2) & (value >= floor))
    single = ~close & (weight < 2)
    frame = pd.DataFrame({"a": a, "b": b, "weight": weight, "npmi": value, "sentences": together})
    lonely = _for_the_lonely(frame, keep, entities)
    keep |= lonely
    return Pairs(
        frame[keep].reset_index(drop=True),
        {
            "one_chunk_no_sentence": int((~keep & single).sum()),
            "npmi_below": int((~keep & ~single).sum()),
        },
    )


def _for_the_lonely(frame: pd.DataFrame, keep: np.ndarray, entities: int) -> np.ndarray:
    """Mark, for each entity without a kept pair, its most significant one: no name is cut off.

    Of equal ones the pair with the heavier weight, then with the more frequent partner (the lower
    row) stays.
    """
    linked = np.zeros(entities, bool)
    linked[frame["a"].to_numpy()[keep]] = True
    linked[frame["b"].to_numpy()[keep]] = True
    ends = np.concatenate([frame["a"].to_numpy(), frame["b"].to_numpy()])
    others = np.concatenate([frame["b"].to_numpy(), frame["a"].to_numpy()])
    rows = np.tile(np.arange(len(frame)), 2)
    wanted = ~linked[ends]
    ends, others, rows = ends[wanted], others[wanted], rows[wanted]
    value = frame["npmi"].to_numpy()[rows].round(9)
    weight = frame["weight"].to_numpy()[rows]
    order = np.lexsort((others, -weight, -value, ends))
    first = np.unique(ends[order], return_index=True)[1]
    marked = np.zeros(len(frame), bool)
    marked[rows[order][first]] = True
    return marked
