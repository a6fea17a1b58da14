"""Documents and chunks in, entities and relationships out, without a language model.

Signals of each document (parallel) -> candidates -> scan of all documents for their spellings
(parallel) -> keep or drop -> types -> resolution -> entities, mentions, relationships.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
from joblib import Parallel, delayed

from workbench.extraction.acronyms import Definition
from workbench.extraction.candidates import WINDOW, Candidate, collect
from workbench.extraction.keys import key
from workbench.extraction.lexica import FUNCTION_WORDS
from workbench.extraction.mentions import Mention, mentions_of
from workbench.extraction.people import Partial, partial_names, titled
from workbench.extraction.resolve import Named, Resolution, resolve
from workbench.extraction.result import Extraction
from workbench.extraction.scan import Scanned, build_lexicon, scan
from workbench.extraction.select import Verdict, best_surface, verdict
from workbench.extraction.shape import CAP, UPPER, shape
from workbench.extraction.signals import Signals, document_signals
from workbench.extraction.tables import assemble
from workbench.extraction.types import type_of
from workbench.extraction.units import Unit, units_of
from workbench.extraction.vocabulary import Words
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams

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
        if candidate.key in titles and not (candidate.signals.keys() - _TITLE_SIGNALS)
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
    types = _types(kept, mentions, signals, words, units)
    return Found(
        units,
        signals,
        [found.sentences for found in scanned],
        kept,
        types,
        mentions,
        rejected,
        dropped_phrases,
        _resolution(kept, types, mentions, signals, units, embedder, params),
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


def _types(
    kept: Sequence[Candidate],
    mentions: Sequence[Mention],
    signals: Sequence[Signals],
    words: Words,
    units: Sequence[Unit],
) -> list[str]:
    for candidate in kept:
        candidate.count = 0
        candidate.documents = set()
        candidate.surfaces.clear()
    for mention in mentions:
        candidate = kept[mention.candidate]
        surface = units[mention.unit].text[mention.start : mention.end]
        candidate.surfaces[" ".join(surface.split())] += 1
        candidate.count += 1
        candidate.documents.add(mention.unit)
        if mention.cue:
            candidate.cues[mention.cue] += 1
    personal = {
        c.key
        for c in kept
        if c.cues["person"] > c.cues["thing"] + c.cues["place"]
        and not c.signals["code"]
        and not words.lower[best_surface(c).lower()]
    }
    types = []
    for candidate in kept:
        edges = best_surface(candidate).split()
        unknown = not any(words.lower[word.lower()] for word in edges)
        if len(edges) in (2, 3) and unknown and {key(edges[0]), key(edges[-1])} & personal:
            candidate.cues["person"] += 1  # `Priya asked` tells of `Priya Raman`
        technical = sum(signals[unit].technical for unit in candidate.documents)
        share = technical / max(len(candidate.documents), 1)
        types.append(type_of(candidate, best_surface(candidate), share, words))
    return types


def _resolution(
    kept: Sequence[Candidate],
    types: Sequence[str],
    mentions: Sequence[Mention],
    signals: Sequence[Signals],
    units: Sequence[Unit],
    embedder: Embedder | None,
    params: ExtractParams,
) -> Resolution:
    surfaces = {i: best_surface(candidate) for i, candidate in enumerate(kept)}
    document = document_numbers(units)
    present: dict[int, set[int]] = {}
    for mention in mentions:
        present.setdefault(document[mention.unit], set()).add(mention.candidate)
    where: dict[int, set[int]] = {i: set() for i in range(len(kept))}
    for number, here in present.items():
        for i in here:
            where[i].add(number)
    named = [
        Named(candidate.key, surfaces[i], types[i], candidate.count, frozenset(where[i]))
        for i, candidate in enumerate(kept)
    ]
    people = frozenset(i for i, type_ in enumerate(types) if type_ == "person")
    sure = frozenset(i for i in people if kept[i].cues["person"] or titled(surfaces[i]))
    parts = frozenset(i for i, candidate in enumerate(kept) if _can_be_part(candidate, types[i]))
    partials: list[Partial] = []
    for number, here in sorted(present.items()):
        candidates = sorted(i for i in here if i in parts or i in people)
        partials += partial_names(number, candidates, surfaces, people, sure)
    definitions: list[list[Definition]] = [[] for _ in range(max(document, default=-1) + 1)]
    for unit, seen in enumerate(signals):
        definitions[document[unit]] += seen.definitions
    return resolve(named, definitions, partials, embedder, params.merge_similarity)


def document_numbers(units: Sequence[Unit]) -> list[int]:
    """Number the documents of the units: lone chunks of one document share a number."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(unit.document_id, len(numbers)) for unit in units]


def _can_be_part(candidate: Candidate, type_: str) -> bool:
    """Say whether a name may be a person's first or last name: nobody says `the Schneider`."""
    if type_ not in ("person", "concept", "place", "technology"):
        return False
    cues = candidate.cues
    return cues["thing"] * 5 <= candidate.count and cues["place"] * 3 <= candidate.count
