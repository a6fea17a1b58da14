"""A span of text in, small spans that fit a token limit out: what chunks are packed from.

A span is cut between lines, a line that is too long between sentences, a sentence between words,
a word between characters. Cuts fall before white space or after a line feed, where tokens end, so
the counts of neighbouring spans add up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.corpus.tokens import count_tokens, pieces, token_offsets

_LINE_END = re.compile(r"\n+(?=[^\n])")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*(?= )|[。！？]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a document that is not cut further; `level` is a heading's, else 0."""

    start: int
    end: int
    tokens: int
    level: int = 0


def cut(text: str, start: int, end: int, limit: int, encoding: str) -> Iterator[Piece]:
    """Cut `text[start:end]` into pieces of at most `limit` tokens, in order and without a gap."""
    grain = max(40, limit)  # characters gathered before a piece is closed: a third of the limit
    for first, last in _gathered(text, start, end, _LINE_END, grain):
        tokens = count_tokens(text[first:last], encoding)
        if tokens <= limit:
            yield Piece(first, last, tokens)
            continue
        for a, b in _gathered(text, first, last, _SENTENCE_END, grain):
            tokens = count_tokens(text[a:b], encoding)
            if tokens <= limit:
                yield Piece(a, b, tokens)
            else:
                yield from _words(text, a, b, limit, encoding)


def _gathered(
    text: str, start: int, end: int, separator: re.Pattern[str], grain: int
) -> Iterator[tuple[int, int]]:
    """Cut at ends of separators, each span at least `grain` characters long where possible."""
    for match in separator.finditer(text, start, end):
        if match.end() - start >= grain and match.end() < end:
            yield start, match.end()
            start = match.end()
    yield start, end


def _words(text: str, start: int, end: int, limit: int, encoding: str) -> Iterator[Piece]:
    """Cut a sentence before blanks, or between characters when a word is longer than the limit."""
    step = max(4, limit // 4)
    for first, last in pieces(text, start, end):
        starts, _ = token_offsets(text[first:last], encoding)
        begin, at = first, 0
        while at + step < len(starts):
            upper = at + step
            best = upper
            while best > at + step // 2 and not text[first + starts[best]].isspace():
                best -= 1
            if not text[first + starts[best]].isspace():
                best = upper
            # A character of several tokens belongs to the piece in which it begins.
            while best < len(starts) and starts[best] == starts[best - 1]:
                best += 1
            if best == len(starts):
                break
            yield Piece(begin, first + starts[best], best - at)
            begin, at = first + starts[best], best
        yield Piece(begin, last, len(starts) - at)


def overlap_start(text: str, low: int, at: int, budget: int, encoding: str) -> int:
    """Give where a chunk that goes on at `at` begins so as to repeat about `budget` tokens.

    That is a word's first character at or after `low`; `at` itself when nothing fits.
    """
    if budget <= 0 or low >= at:
        return at
    window = max(low, at - 12 * budget)  # rarely does a token have more than 12 characters
    starts, _ = token_offsets(text[window:at], encoding)
    first = window + starts[max(0, len(starts) - budget)]
    begin = first
    while begin < at and (text[begin].isspace() or begin and not text[begin - 1].isspace()):
        begin += 1
    # Without a blank in it (Chinese, one long word) the repeat begins at any character.
    return begin if begin < at else first
