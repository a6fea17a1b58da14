"""Kept candidates and the documents in, the places of each document's entities out.

A place belongs to the longest kept name there; its signals are those that were seen at it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.extraction.keys import key
from workbench.extraction.scan import Place, Scanned, longest, sentence_at
from workbench.extraction.signals import Signals

_MARKS = frozenset({"code", "link", "emphasis", "term", "heading", "quoted", "acronym"})


class Mention(NamedTuple):
    """An entity's occurrence: unit, characters, sentence in the unit, signals, heading, cue."""

    unit: int
    candidate: int
    start: int
    end: int
    sentence: int
    signals: tuple[str, ...]
    heading: bool
    cue: str


def mentions_of(
    unit: int, text: str, signals: Signals, scanned: Scanned, number: Mapping[str, int]
) -> list[Mention]:
    """Give a unit's mentions of the candidates in `number` (by key), in text order."""
    kept = frozenset(number.values())
    places = [place for place in scanned.places if place.candidate in kept]
    seen: dict[tuple[int, int], set[str]] = {}
    for occurrence in signals.occurrences:
        span = (occurrence.start, occurrence.end)
        seen.setdefault(span, set()).add(occurrence.signal)
        if occurrence.cut >= 0:
            seen.setdefault((occurrence.cut, occurrence.end), set()).add(occurrence.signal)
        if occurrence.signal in _MARKS:
            candidate = number.get(key(" ".join(text[slice(*span)].split())))
            if candidate is not None:
                sentence = sentence_at(scanned.sentences, occurrence.start)
                places.append(Place(candidate, *span, sentence, False, ""))
    return [
        Mention(
            unit,
            place.candidate,
            place.start,
            place.end,
            place.sentence,
            tuple(sorted(seen.get((place.start, place.end), {"spelling"}))),
            place.heading,
            place.cue,
        )
        for place in longest(places)
    ]


def signal_names(groups: Sequence[tuple[str, ...]]) -> str:
    """Join the signals of several mentions: sorted, each once, by commas."""
    return ",".join(sorted({signal for group in groups for signal in group}))
