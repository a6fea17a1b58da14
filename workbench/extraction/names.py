"""Tokens in, runs of capitalised words out: where the running text itself writes names."""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.extraction.lexica import (
    CALENDAR,
    CONNECTORS,
    EVENT_WORDS,
    FUNCTION_WORDS,
    ORGANIZATION_HEADS,
    POSSESSORS,
    STRICT,
    TITLE_SMALL,
    TITLES,
)
from workbench.extraction.shape import CAP, MIXED, NAME_SHAPES, NUMBER, UPPER
from workbench.extraction.tokens import (
    DOT,
    HYPHEN,
    JOIN,
    OPENINGS,
    POSSESSIVE,
    QUOTE,
    SENTENCE,
    Tokens,
)

_INITIAL = re.compile(r"(?:[A-Z]\.)*[A-Z]$")
_YEAR = re.compile(r"(1[0-9]|20)\d\d$")
MAX_WORDS = 8


_NEVER = STRICT - {"us", "it", "am", "who", "i"}  # those are acronyms too, when shouted


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


def _month_name(tokens: Tokens, i: int) -> bool:
    """Say whether a month stands inside a name: `Nees Jan van Eck`, not `Docker May 2024`."""
    after = i + 1 < len(tokens) and tokens.gaps[i + 1] == JOIN and tokens.shapes[i + 1] != NUMBER
    return (
        tokens.shapes[i] == CAP
        and after
        and (tokens.shapes[i + 1] == CAP or tokens.lowers[i + 1] in CONNECTORS)
    )


def _first_name(tokens: Tokens, i: int) -> bool:
    """Say whether a month opens a name: `Jan Lisiecki`, not `in May Docker` or `5 June Alma`."""
    if tokens.lowers[i] not in CALENDAR or not _month_name(tokens, i):
        return False
    before = tokens.lowers[i - 1] if i and tokens.gaps[i] == JOIN else ""
    return before not in FUNCTION_WORDS and not before[-1:].isdigit()


def _joined(tokens: Tokens, i: int) -> bool:
    """Say whether token i hangs on the token before it closely enough to be of one name."""
    gap = tokens.gaps[i]
    if gap == JOIN:
        return True
    if gap == HYPHEN:  # `Austria - Hungary`, but `HTMX - Htmx` only where nothing is repeated
        return tokens.lowers[i] != tokens.lowers[i - 1]
    if gap == POSSESSIVE:
        return tokens.lowers[i - 1] in POSSESSORS
    before = tokens.words[i - 1]
    return gap == DOT and bool(_INITIAL.match(before) or tokens.lowers[i - 1] in TITLES | {"st"})


def _extend(tokens: Tokens, first: int, weak: bool) -> int:
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
        elif (_name_like(tokens, i) or _month_name(tokens, i)) and not (
            tokens.shapes[i] in (CAP, UPPER) and tokens.lowers[i] in _NEVER
        ):
            i += 1
            end = i
        elif not weak and tokens.gaps[i] == JOIN and _connects(tokens, first, i):
            i += 1
        else:
            break
    return end


def _connects(tokens: Tokens, first: int, i: int) -> bool:
    """Say whether a small word may stand inside the name that began at `first`."""
    word, before = tokens.lowers[i], tokens.lowers[i - 1]
    if word == "the":
        return before in ("of", "for")
    if word in CONNECTORS:
        return True
    if word == "for":
        return before in ORGANIZATION_HEADS
    if word == "and":
        inside = tokens.lowers[first:i]
        return any(
            head in ORGANIZATION_HEADS and link in ("of", "for")
            for head, link in zip(inside, inside[1:], strict=False)
        )
    return False


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
    if not re.match(r"\d+(?:\.\d+)*$", number) or _YEAR.match(number):
        return False
    # `Boeing 747 .`, `.NET 9 container` and `Python 3.11`, but not `Canada 12 times`
    followed = end + 1 < len(tokens) and tokens.gaps[end + 1] == JOIN
    small = followed and tokens.words[end + 1][0].islower()
    small = small and tokens.lowers[end + 1] not in FUNCTION_WORDS
    return "." in number or not small or tokens.shapes[end - 1] in (MIXED, UPPER)


def title_case(tokens: Tokens, begin: int, end: int) -> bool:
    """Say whether a stretch is written in title case: capitals there say nothing of names.

    True when it has no small word but those that titles leave small (`of`, `the`, `and`).
    """
    for i in range(begin, end):
        if tokens.shapes[i] in NAME_SHAPES or tokens.shapes[i] == NUMBER:
            continue
        if tokens.lowers[i] not in TITLE_SMALL:
            return False
    return True


def runs(tokens: Tokens, weak: bool = False) -> list[Run]:
    """Give the maximal runs of name-like words, in text order, none overlapping.

    Where capitals are `weak` (German), small words join nothing: `Liste der Zeilen`.

    An office with `of` after it is no part of the name: `President of the United States`.
    """
    found: list[Run] = []
    i, count = 0, len(tokens)
    while i < count:
        if not _name_like(tokens, i) and not _first_name(tokens, i):
            i += 1
            continue
        end = _extend(tokens, i, weak)
        first = _begin(tokens, i, end)
        if first < end:
            initial = tokens.gaps[first] in OPENINGS
            article = first - 1
            if (
                article > 0
                and tokens.words[article] == "The"
                and (tokens.gaps[article] != SENTENCE and tokens.gaps[first] == JOIN)
            ):
                first, initial = article, False  # `The Scotsman`, inside a sentence
            first, end = _with_numbers(tokens, first, end)
            found.append(Run(first, end, initial))
        i = max(end, i + 1)
    return found


def _begin(tokens: Tokens, first: int, end: int) -> int:
    """Skip function words, offices and what hangs on them at the front of a run."""
    closed = FUNCTION_WORDS if tokens.gaps[first] in OPENINGS else STRICT
    while first < end:
        if _initial_letter(tokens, first):
            break  # `Y. T. Wu`
        if tokens.lowers[first] in closed and (
            tokens.shapes[first] == CAP or tokens.lowers[first] in _NEVER
        ):
            first += 1  # `The Soccer Academy`, `In Turin`
        elif _office(tokens, first, end):
            first += 2
        else:
            break
        while first < end and tokens.lowers[first] in CONNECTORS and tokens.words[first].islower():
            first += 1
    return first


def _initial_letter(tokens: Tokens, i: int) -> bool:
    followed = i + 1 < len(tokens) and tokens.gaps[i + 1] == DOT
    return followed and bool(_INITIAL.match(tokens.words[i]))


def _office(tokens: Tokens, i: int, end: int) -> bool:
    return i + 1 < end and tokens.lowers[i] in TITLES and tokens.words[i + 1] in ("of", "for")
