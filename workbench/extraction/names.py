"""Tokens in, runs of capitalised words out: where the running text itself writes names."""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.extraction.lexica import (
    CALENDAR,
    CONNECTORS,
    ENGLISH,
    EVENT_WORDS,
    FUNCTION_WORDS,
    TITLES,
)
from workbench.extraction.shape import CAP, NAME_SHAPES, NUMBER, UPPER
from workbench.extraction.tokens import DOT, HYPHEN, JOIN, QUOTE, SENTENCE, Tokens

_INITIAL = re.compile(r"(?:[A-Z]\.)*[A-Z]$")
_YEAR = re.compile(r"(1[0-9]|20)\d\d$")
MAX_WORDS = 8


class Run(NamedTuple):
    """Tokens first to last (exclusive) that read as one name; `initial`: it opens a sentence."""

    first: int
    last: int
    initial: bool


def _name_like(tokens: Tokens, i: int) -> bool:
    """Say whether a token can stand in a name by its case: no month, no function word alone."""
    return tokens.shapes[i] in NAME_SHAPES and (
        tokens.lowers[i] not in CALENDAR or tokens.shapes[i] == UPPER
    )


def _joined(tokens: Tokens, i: int) -> bool:
    """Say whether token i hangs on the token before it closely enough to be of one name."""
    gap = tokens.gaps[i]
    if gap == JOIN:
        return True
    if gap == HYPHEN:  # `Austria - Hungary`, but `HTMX - Htmx` only where nothing is repeated
        return tokens.lowers[i] != tokens.lowers[i - 1]
    before = tokens.words[i - 1]
    return gap == DOT and bool(_INITIAL.match(before) or tokens.lowers[i - 1] in TITLES | {"st"})


def _extend(tokens: Tokens, first: int) -> int:
    """Give the end of the run that starts at `first`: connectors only between two names."""
    end = first + 1
    i = end
    count = len(tokens)
    while i < count and i - first < MAX_WORDS:
        if not _joined(tokens, i):
            nickname = _nickname(tokens, i)
            if not nickname:
                break
            i = end = nickname
            continue
        if _name_like(tokens, i) and not (tokens.shapes[i] == CAP and tokens.lowers[i] in ENGLISH):
            i += 1
            end = i
        elif tokens.lowers[i] in CONNECTORS and tokens.gaps[i] == JOIN:
            i += 1
        else:
            break
    return end


def _nickname(tokens: Tokens, i: int) -> int:
    """Give the end of `"Willi" Schneider` after a first name, or 0."""
    inside = (
        i + 1 < len(tokens)
        and tokens.gaps[i] == QUOTE
        and tokens.gaps[i + 1] == QUOTE
        and tokens.sentences[i] == tokens.sentences[i + 1]
        and tokens.shapes[i] == tokens.shapes[i + 1] == tokens.shapes[i - 1] == CAP
    )
    return i + 2 if inside else 0


def _with_numbers(tokens: Tokens, first: int, end: int) -> tuple[int, int]:
    """Take in the year before an event and the version or model number after a name."""
    if (
        end < len(tokens)
        and tokens.shapes[end] == NUMBER
        and tokens.gaps[end] == JOIN
        and _is_version(tokens, first, end)
    ):
        end += 1
    if (
        first > 0
        and tokens.gaps[first] == JOIN
        and _YEAR.match(tokens.words[first - 1])
        and end - first > 1
        and tokens.lowers[end - 1].rstrip("s") in _EVENTS
    ):
        first -= 1
    return first, end


_EVENTS = frozenset(word.rstrip("s") for word in EVENT_WORDS)


def _is_version(tokens: Tokens, first: int, end: int) -> bool:
    number = tokens.words[end]
    if "," in number or ":" in number or "%" in number or _YEAR.match(number):
        return False
    if "." in number:
        return True
    # `Boeing 747 .` and `.NET 9 container`, but not `Canada 12 times`
    followed = end + 1 < len(tokens) and tokens.gaps[end + 1] == JOIN
    plural = followed and tokens.words[end + 1][0].islower() and tokens.lowers[end + 1][-1] == "s"
    return number.isdigit() and not plural


def title_case(tokens: Tokens, begin: int, end: int) -> bool:
    """Say whether a stretch is written in title case: capitals there say nothing of names.

    True when it has no lower-case word but function words; a single word counts as title case.
    """
    for i in range(begin, end):
        if tokens.shapes[i] in NAME_SHAPES or tokens.shapes[i] == NUMBER:
            continue
        if tokens.lowers[i] not in FUNCTION_WORDS:
            return False
    return True


def runs(tokens: Tokens) -> list[Run]:
    """Give the maximal runs of name-like words, in text order, none overlapping."""
    found: list[Run] = []
    i, count = 0, len(tokens)
    while i < count:
        if not _name_like(tokens, i):
            i += 1
            continue
        end = _extend(tokens, i)
        first = i
        closed = FUNCTION_WORDS if tokens.gaps[i] == SENTENCE else ENGLISH
        while first < end and tokens.shapes[first] == CAP and tokens.lowers[first] in closed:
            first += 1  # `The Soccer Academy`, `In Turin`
            while (
                first < end and tokens.lowers[first] in CONNECTORS and tokens.words[first].islower()
            ):
                first += 1
        if first < end:
            initial = tokens.gaps[first] == SENTENCE
            first_and_end = _with_numbers(tokens, first, end)
            found.append(Run(*first_and_end, initial))
            end = first_and_end[1]
        i = end
    return found
