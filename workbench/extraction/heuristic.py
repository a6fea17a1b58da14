"""Documents and chunks in, entities and relationships out, without a language model.

Signals of each document (parallel) -> candidates -> scan of all documents for their spellings
(parallel) -> keep or drop -> types -> resolution -> entities, mentions, relationships.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from joblib import Parallel, delayed

from workbench.extraction.candidates import WINDOW, Candidate, collect
from workbench.extraction.decide import resolution_of, types_of
from workbench.extraction.keys import key
from workbench.extraction.lexica import FUNCTION_WORDS
from workbench.extraction.mentions import Mention, mentions_of
from workbench.extraction.resolve import Resolution
from workbench.extraction.result import Extraction
from workbench.extraction.scan import Scanned, build_lexicon, scan
from workbench.extraction.select import Verdict, best_surface, verdict
from workbench.extraction.shape import CAP, UPPER, shape
from workbench.extraction.signals import Signals, document_signals
from workbench.extraction.tables import assemble
from workbench.extraction.units import Unit, document_numbers, units_of
from workbench.extraction.vocabulary import Words
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams

__all__ = ["Found", "document_numbers", "extract_heuristic", "find_entities"]

_TITLE_SIGNALS = frozenset({"heading", "link", "label", "initial", "emphasis", "term", "shape"})
_SURE_CAPITALS = 0.7  # above this share a small spelling is a sloppy one and counts as a mention


@dataclass
class Found:
    """Everything that was read and decided before relationships are made."""

    units: list[Unit]
    signals: list[Signals]
    sentences: list[list[tuple[int, int]]]
    candidates: list[Candidate]
    types: list[str]
    mentions: list[Mention]
    rejected: list[tuple[Candidate, Verdict]]
    phrases: dict[tuple[str, ...], tuple[str, float]]
    resolution: Resolution

    @property
    def documents(self) -> list[int]:
        """The number of each unit's document."""
        return document_numbers(self.units)


def extract_heuristic(
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams,
    jobs: int | None = None,
) -> Extraction:
    """Extract a corpus; `jobs` as for joblib (None: its context's), results do not depend on it.

    Without an embedder no names merge by similarity and no vectors are made.
    """
    found = find_entities(documents, chunks, embedder, params, jobs)
    return assemble(found, chunks, embedder, params)


def find_entities(
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams,
    jobs: int | None = None,
) -> Found:
    """Read, select, type and resolve: everything but tables and relationships."""
    units = units_of(documents, chunks)
    parallel = Parallel(n_jobs=jobs)
    signals = parallel(delayed(document_signals)(unit.text, unit.format) for unit in units)
    texts = [unit.text for unit in units]
    pool, words, dropped_phrases = collect(texts, signals, params)
    everyone = list(pool.values())
    lexicon = build_lexicon(
        {i: candidate.surfaces for i, candidate in enumerate(everyone)},
        [i for i, candidate in enumerate(everyone) if _capital_only(candidate, words)],
    )
    scanned = parallel(
        delayed(scan)(unit.text, seen.spans, lexicon)
        for unit, seen in zip(units, signals, strict=True)
    )
    _count(everyone, texts, scanned)
    titles = frozenset(key(unit.title) for unit in units if len(unit.title.split()) > 2)
    verdicts = [
        Verdict("document_title", candidate.count, "the title of a document")
        if candidate.key in titles
        and not (candidate.signals.keys() - _TITLE_SIGNALS)
        and (candidate.signals["heading"] or candidate.signals["link"])
        else verdict(candidate, words, params)
        for candidate in everyone
    ]
    number = {
        c.key: i for i, (c, v) in enumerate(zip(everyone, verdicts, strict=True)) if v is None
    }
    mentions = [
        mention
        for n, (unit, seen) in enumerate(zip(units, signals, strict=True))
        for mention in mentions_of(n, unit.text, seen, scanned[n], number)
    ]
    rejected = [(c, v) for c, v in zip(everyone, verdicts, strict=True) if v is not None]
    kept, mentions = _only_mentioned(everyone, mentions, number, rejected)
    types = types_of(kept, mentions, signals, words, units)
    return Found(
        units,
        signals,
        [found.sentences for found in scanned],
        kept,
        types,
        mentions,
        rejected,
        dropped_phrases,
        resolution_of(kept, types, mentions, signals, units, embedder, params),
    )


def _capital_only(candidate: Candidate, words: Words) -> bool:
    """Say whether the small spelling of a single capitalised word is another word."""
    surface = best_surface(candidate)
    word = surface.lower()
    if " " in surface or shape(surface) not in (CAP, UPPER) or surface == word:
        return False
    share = words.capital_share(word)
    least = 0.0 if surface.isupper() else 0.5  # below it a capitalised word is a common noun
    return word in FUNCTION_WORDS or least <= share < _SURE_CAPITALS


def _count(everyone: Sequence[Candidate], texts: Sequence[str], scanned: Sequence[Scanned]) -> None:
    total = sum(1 + len(text) // WINDOW for text in texts)
    for unit, (text, found) in enumerate(zip(texts, scanned, strict=True)):
        for place in found.places:
            candidate = everyone[place.candidate]
            candidate.count += 1
            candidate.small += text[place.start : place.end].islower()
            candidate.windows.add((unit, place.start // WINDOW))
    for candidate in everyone:
        candidate.windows_total = total


def _only_mentioned(
    everyone: Sequence[Candidate],
    mentions: Sequence[Mention],
    number: dict[str, int],
    rejected: list[tuple[Candidate, Verdict]],
) -> tuple[list[Candidate], list[Mention]]:
    """Drop names that only stand inside longer ones, and number the others anew."""
    used = sorted({mention.candidate for mention in mentions})
    for i in sorted(set(number.values()) - set(used)):
        rejected.append(
            (everyone[i], Verdict("inside_longer", everyone[i].count, "only inside longer names"))
        )
    renumber = {old: new for new, old in enumerate(used)}
    return (
        [everyone[i] for i in used],
        [mention._replace(candidate=renumber[mention.candidate]) for mention in mentions],
    )
