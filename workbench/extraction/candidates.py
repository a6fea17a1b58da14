"""All documents' signals in, candidates out: one a key, with its spellings and its evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from workbench.extraction import phrases
from workbench.extraction.keys import key
from workbench.extraction.lexica import ENGLISH, ORGANIZATION_HEADS
from workbench.extraction.shape import MIXED, UPPER, shape
from workbench.extraction.signals import Occurrence, Signals
from workbench.extraction.vocabulary import Words
from workbench.params import ExtractParams

_BLANKS = re.compile(r"\s+")
_OF = re.compile(r"\sof\s+(?:the\s+)?")
WINDOW = 2000
_VERBAL = ("ing", "ed", "ly")
_UNSEEN_VERBAL = ("ing", "ed", "ally", "ously", "fully")  # not Anatoly


@dataclass
class Candidate:
    """A possible name: how it is spelled, what speaks for it, and where it stands."""

    key: str
    surfaces: Counter[str] = field(default_factory=Counter)
    signals: Counter[str] = field(default_factory=Counter)
    documents: set[int] = field(default_factory=set)
    strong_documents: set[int] = field(default_factory=set)  # where capitals are evidence
    first: tuple[int, int] = (1 << 60, 0)  # document and character where it was seen first
    # Filled by `scan`: occurrences in running text.
    count: int = 0
    small: int = 0  # of them, those without any capital
    windows: set[tuple[int, int]] = field(default_factory=set)  # of WINDOW characters
    windows_total: int = 0  # in the corpus
    cues: Counter[str] = field(default_factory=Counter)  # of a person or a place, beside it

    def add(self, surface: str, signal: str, document: int, start: int, weak: bool) -> None:
        """Note one occurrence."""
        self.surfaces[surface] += 1
        self.signals[signal] += 1
        self.documents.add(document)
        if not weak:
            self.strong_documents.add(document)
        self.first = min(self.first, (document, start))


def collect(
    texts: Sequence[str], signals: Sequence[Signals], params: ExtractParams
) -> tuple[dict[str, Candidate], Words, dict[phrases.Phrase, tuple[str, float]]]:
    """Give candidates by key (sorted), word counts, and the phrases that cohesion dropped."""
    words = Words()
    for found in signals:
        words.add(found)
    candidates: dict[str, Candidate] = {}
    waiting: list[tuple[int, Occurrence]] = []
    for document, found in enumerate(signals):
        for occurrence in found.occurrences:
            opens = 0 <= occurrence.cut < occurrence.end
            if opens or _OF.search(texts[document], occurrence.start, occurrence.end):
                waiting.append((document, occurrence))
            else:
                _add(candidates, texts[document], occurrence, document, found.weak_case)
    seen = frozenset(candidates)
    for document, occurrence in waiting:
        text = texts[document]
        settled = _settle(text, occurrence, seen, words) if occurrence.cut >= 0 else occurrence
        for part in _split(text, settled, words):
            _add(candidates, text, part, document, signals[document].weak_case)
    for candidate in candidates.values():
        for surface in candidate.surfaces:
            parts = surface.lower().split()
            if len(parts) > 1 and candidate.signals["name"]:
                words.edges.update((parts[0], parts[-1]))
            elif len(parts) > 1 and candidate.signals["initial"]:
                words.edges.add(parts[-1])  # the first one only opens a sentence
    dropped = _add_phrases(candidates, signals, words, params)
    return dict(sorted(candidates.items())), words, dropped


def _settle(text: str, occurrence: Occurrence, seen: frozenset[str], words: Words) -> Occurrence:
    """Decide whether a sentence's first word belongs to the name: `Joining ASCAP`, `Jeff Healey`.

    It does when the whole is a name elsewhere. It does not when the word is mostly written small
    and either looks like a verb or adverb, or the rest alone is a name elsewhere.
    """
    start, end, signal, cut = occurrence
    if key(text[start:end]) in seen:
        return Occurrence(start, end, signal)
    first = text[start:cut].strip(" \t\n-.\"'“”").lower()
    capital, small = words.capital[first] + words.shouted[first], words.lower[first]
    rest_seen = key(text[cut:end]) in seen
    verbal = first.endswith(_VERBAL)
    unseen = not small and not capital and first.endswith(_UNSEEN_VERBAL)
    cut_off = (small > capital and (verbal or rest_seen)) or unseen
    # `Supports AMD64`, but not `Alan Smith`
    shaped = shape(text[cut:end].split()[0]) in (UPPER, MIXED)
    if cut_off or (not capital and rest_seen and shaped):
        while (word := text[cut:end].split()) and word[0].lower() in ENGLISH and len(word) > 1:
            cut = text.index(word[1], cut + len(word[0]))
        return Occurrence(cut, end, "name")
    return Occurrence(start, end, signal)


def _split(text: str, occurrence: Occurrence, words: Words) -> list[Occurrence]:
    """Cut `Tony Day of Cape Town` in two, and leave `Royal Academy of Arts` whole.

    What stands before `of` is a name of its own when its last word is never written small.
    """
    start, end, signal, _ = occurrence
    middle = _OF.search(text, start, end)
    if middle is None or signal not in ("name", "initial"):
        return [occurrence]
    left = text[start : middle.start()].split()
    known = words.lower[left[-1].lower()] or left[-1].lower() in ORGANIZATION_HEADS
    if known or not (len(left) > 1 or left[0].isupper()):
        return [occurrence]
    return [Occurrence(start, middle.start(), signal), Occurrence(middle.end(), end, "name")]


def _add(
    candidates: dict[str, Candidate], text: str, occurrence: Occurrence, document: int, weak: bool
) -> None:
    surface = _BLANKS.sub(" ", text[occurrence.start : occurrence.end])
    name_key = key(surface)
    if name_key and surface.count("(") == surface.count(")"):
        candidate = candidates.get(name_key)
        if candidate is None:
            candidate = candidates[name_key] = Candidate(name_key)
        candidate.add(surface, occurrence.signal, document, occurrence.start, weak)


def _add_phrases(
    candidates: dict[str, Candidate],
    signals: Sequence[Signals],
    words: Words,
    params: ExtractParams,
) -> dict[phrases.Phrase, tuple[str, float]]:
    """Add the cohesive phrases of the whole corpus and those of scripts without blanks."""
    counts: phrases.Counts = {}
    contexts: phrases.Contexts = {}
    spread: dict[phrases.Phrase, set[int]] = {}
    for document, found in enumerate(signals):
        for phrase, numbers in found.phrases.items():
            entry = counts.setdefault(phrase, [0, 0, 0])
            for i, number in enumerate(numbers):
                entry[i] += number
            spread.setdefault(phrase, set()).add(document)
            contexts.setdefault(phrase, set()).update(found.contexts[phrase])
        for gram, number in found.cjk.items():
            candidate = candidates.setdefault(gram, Candidate(gram))
            candidate.surfaces[gram] += number
            candidate.signals["phrase"] += number
            candidate.documents.add(document)
            candidate.first = min(candidate.first, (document, 0))
    kept, dropped = phrases.cohesive(
        counts, contexts, words, min_count=params.min_phrase_count, min_npmi=params.min_phrase_npmi
    )
    for phrase in sorted(kept):
        surface = " ".join(phrase)
        candidate = candidates.setdefault(key(surface), Candidate(key(surface)))
        candidate.surfaces[surface] += counts[phrase][0]
        candidate.signals["phrase"] += counts[phrase][0]
        candidate.documents |= spread[phrase]
        candidate.strong_documents |= spread[phrase]
        candidate.first = min(candidate.first, (min(spread[phrase]), 0))
    return dropped
