"""Kept candidates and their mentions in, their types and who is who out."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.extraction.acronyms import Definition
from workbench.extraction.candidates import Candidate
from workbench.extraction.keys import key
from workbench.extraction.mentions import Mention
from workbench.extraction.people import Partial, partial_names, titled
from workbench.extraction.resolve import Named, Resolution, resolve
from workbench.extraction.select import best_surface
from workbench.extraction.signals import Signals
from workbench.extraction.types import type_of
from workbench.extraction.units import Unit, document_numbers
from workbench.extraction.vocabulary import Words
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams


def types_of(
    kept: Sequence[Candidate],
    mentions: Sequence[Mention],
    signals: Sequence[Signals],
    words: Words,
    units: Sequence[Unit],
) -> list[str]:
    """Count the candidates anew from their mentions and give each its type (see `types`)."""
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


def resolution_of(
    kept: Sequence[Candidate],
    types: Sequence[str],
    mentions: Sequence[Mention],
    signals: Sequence[Signals],
    units: Sequence[Unit],
    embedder: Embedder | None,
    params: ExtractParams,
) -> Resolution:
    """Gather what resolution asks for, document by document, and resolve (see `resolve`)."""
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


def _can_be_part(candidate: Candidate, type_: str) -> bool:
    """Say whether a name may be a person's first or last name: nobody says `the Schneider`."""
    if type_ not in ("person", "concept", "place", "technology"):
        return False
    cues = candidate.cues
    return cues["thing"] * 5 <= candidate.count and cues["place"] * 3 <= candidate.count
