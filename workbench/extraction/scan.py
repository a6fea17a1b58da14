"""Spellings and a document in, every place that holds one out, nested ones included.

A name is mentioned wherever it is written in prose, not only where a signal gave it away.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from workbench.corpus.tree import Span
from workbench.extraction.keys import key
from workbench.extraction.lexica import PERSON_AFTER, PERSON_BEFORE, PLACE_BEFORE, THING_BEFORE
from workbench.extraction.shape import LOWER, NOCASE
from workbench.extraction.tokens import BREAK, DOT, JOIN, SENTENCE, Tokens, tokenize

_LONGEST = 12
_NOTHING: dict[int, dict[tuple[str, ...], list[int]]] = {}


class Place(NamedTuple):
    """One occurrence: candidate number, characters, sentence number, whether it is in a heading.

    `cue` is `person`, `place`, `thing` or empty: what the word before or after makes of it.
    """

    candidate: int
    start: int
    end: int
    sentence: int
    heading: bool
    cue: str


@dataclass
class Lexicon:
    """Spellings by their lower-cased first word; scripts without blanks by their first character.

    `capital_only` holds candidates whose small spelling is another word (`Swarm`, `swarm`).
    """

    by_word: dict[str, dict[int, dict[tuple[str, ...], list[int]]]]  # by length, longest first
    by_character: dict[str, list[tuple[str, int]]]
    by_key: dict[str, int]  # for words with a hyphen: `docker-compose`
    capital_only: frozenset[int]


class Scanned(NamedTuple):
    """The places of a document in text order, and the characters of its sentences."""

    places: list[Place]
    sentences: list[tuple[int, int]]


def build_lexicon(spellings: Mapping[int, Iterable[str]], capital_only: Iterable[int]) -> Lexicon:
    """Index the spellings of each candidate number, the longest of a first word first."""
    by_words: dict[tuple[str, ...], set[int]] = {}
    by_character: dict[str, set[tuple[str, int]]] = {}
    by_key: dict[str, int] = {}
    for candidate, surfaces in spellings.items():
        for surface in surfaces:
            by_key.setdefault(key(surface), candidate)
            tokens = tokenize(surface, [Span(0, len(surface), "paragraph", (), 0)])
            if not len(tokens) or len(tokens) > _LONGEST:
                continue
            if tokens.starts[0] > 0 or tokens.ends[-1] < len(surface.rstrip(".")):
                continue  # `/metrics` in code is no `metrics` in prose
            if tokens.shapes[0] == NOCASE and ord(surface[0]) >= 0x2E80:
                by_character.setdefault(surface[0], set()).add((surface, candidate))
            else:
                by_words.setdefault(tuple(tokens.lowers), set()).add(candidate)
    by_word: dict[str, dict[int, dict[tuple[str, ...], list[int]]]] = {}
    for words in sorted(by_words, key=lambda words: (-len(words), words)):
        lengths = by_word.setdefault(words[0], {})
        lengths.setdefault(len(words), {})[words] = sorted(by_words[words])
    return Lexicon(
        by_word,
        {
            c: sorted(found, key=lambda item: (-len(item[0]), item))
            for c, found in by_character.items()
        },
        by_key,
        frozenset(capital_only),
    )


def scan(text: str, spans: Sequence[Span], lexicon: Lexicon) -> Scanned:
    """Find every spelling in the running text; linear in the text."""
    tokens = tokenize(text, spans)
    places: list[Place] = []
    for i, lowered in enumerate(tokens.lowers):
        for size, found in lexicon.by_word.get(lowered, _NOTHING).items():
            for candidate in found.get(tuple(tokens.lowers[i : i + size]), ()):
                if _fits(tokens, i, i + size, candidate, lexicon):
                    places.append(_place(tokens, spans, candidate, i, i + size))
        if ("-" in lowered or "_" in lowered) and lowered not in lexicon.by_word:
            candidate = lexicon.by_key.get(key(tokens.words[i]), -1)
            if candidate >= 0 and candidate not in lexicon.capital_only:
                places.append(_place(tokens, spans, candidate, i, i + 1))
        if tokens.shapes[i] == NOCASE and lexicon.by_character:
            places += _without_blanks(tokens, spans, i, lexicon)
    return Scanned(places, tokens.bounds)


def _fits(tokens: Tokens, i: int, end: int, candidate: int, lexicon: Lexicon) -> bool:
    """Say whether the words hang together, and are written as the candidate has to be."""
    if any(tokens.gaps[j] >= BREAK for j in range(i + 1, end)):
        return False
    if tokens.words[i] == "the":
        return False  # `the Guardian` holds `Guardian`, not `The Guardian`
    if candidate in lexicon.capital_only:
        return any(tokens.shapes[j] != LOWER for j in range(i, end))
    return True


def _place(tokens: Tokens, spans: Sequence[Span], candidate: int, i: int, end: int) -> Place:
    return Place(
        candidate,
        tokens.starts[i],
        tokens.ends[end - 1],
        tokens.sentences[i],
        spans[tokens.spans[i]].kind == "heading",
        _cue(tokens, i, end),
    )


def _cue(tokens: Tokens, i: int, end: int) -> str:
    before = tokens.lowers[i - 1] if i and tokens.gaps[i] in (JOIN, DOT) else ""
    after = tokens.lowers[end] if end < len(tokens) and tokens.gaps[end] < SENTENCE else ""
    if before in THING_BEFORE or tokens.lowers[i] == "the":
        return "thing"
    if before in PERSON_BEFORE or after in PERSON_AFTER:
        return "person"
    return "place" if before in PLACE_BEFORE else ""


def _without_blanks(tokens: Tokens, spans: Sequence[Span], i: int, lexicon: Lexicon) -> list[Place]:
    """Find spellings inside a run of characters that no blanks divide."""
    word, base = tokens.words[i], tokens.starts[i]
    heading = spans[tokens.spans[i]].kind == "heading"
    found = []
    for at, character in enumerate(word):
        for surface, candidate in lexicon.by_character.get(character, ()):
            if word.startswith(surface, at):
                start = base + at
                end = start + len(surface)
                found.append(Place(candidate, start, end, tokens.sentences[i], heading, ""))
    return found


def sentence_at(sentences: Sequence[tuple[int, int]], position: int) -> int:
    """Give the number of the sentence that holds a character, or the one before it."""
    return max(bisect_right(sentences, (position, 1 << 60)) - 1, 0)


def longest(places: Iterable[Place]) -> list[Place]:
    """Keep the places that lie in no other: `Docker Compose`, not the `Docker` in it.

    Of two that overlap otherwise, the one that begins first stays; of equal spans, the first
    candidate by number.
    """
    chosen: list[Place] = []
    for place in sorted(places, key=lambda p: (p.start, -p.end, p.candidate)):
        if not chosen or place.start >= chosen[-1].end:
            chosen.append(place)
    return chosen
