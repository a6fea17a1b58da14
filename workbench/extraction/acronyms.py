"""Text in, acronyms with their expansion out: `Reciprocal Rank Fusion (RRF)` and the reverse."""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.extraction.lexica import FUNCTION_WORDS

_BRACKET = re.compile(r"[(（]\s*([^()（）\n]{2,80}?)\s*[)）]")
_SHORT = re.compile(r"[A-Z][A-Za-z0-9&./-]{1,9}$")
_WORD = re.compile(r"[^\W_][\w'’.]*")
_INITIAL_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[A-Z]?[^\W_A-Z]+|[A-Z]+|\d+")
_LAST_WORD = re.compile(r"[A-Za-z0-9&./-]+$")


class Definition(NamedTuple):
    """A short form, its long form, and the characters of both in the document."""

    short: str
    long: str
    short_span: tuple[int, int]
    long_span: tuple[int, int]


def is_short_form(word: str) -> bool:
    """Say whether a word can be an acronym: at least two capitals, most letters capital."""
    capitals = sum(character.isupper() for character in word)
    letters = sum(character.isalpha() for character in word)
    return bool(_SHORT.match(word)) and capitals >= 2 and capitals * 2 > letters


def expansion(short: str, before: str) -> int:
    """Give where in `before`, whose end it is, the long form of `short` begins; -1 for none.

    The algorithm of Schwartz and Hearst (2003): the letters are found from right to left, the
    first one at the start of a word, within twice as many words as there are letters.
    """
    at = len(before)
    letters = [character.lower() for character in short if character.isalnum()]
    if len(letters) > 2 and letters[-1] == "s" and short[-1] == "s":
        letters.pop()
    lowered = before.lower()
    if len(lowered) != len(before):  # `İ` grows when lowered
        return -1
    plain = _by_initials(letters, before)
    if plain >= 0:
        return plain
    for i in range(len(letters) - 1, -1, -1):
        at = lowered.rfind(letters[i], 0, at)
        while i == 0 and at > 0 and lowered[at - 1].isalnum():
            at = lowered.rfind(letters[i], 0, at)
        if at < 0:
            return -1
    words = _WORD.findall(before[at:])
    openers = sum(part[0].lower() in letters for word in words for part in _PART.findall(word))
    if openers < min(len(letters), 2 if len(letters) > 2 else len(letters)):
        return -1
    if not words or words[0].lower() in FUNCTION_WORDS or short in words:
        return -1
    return at if len(words) <= min(len(letters) + 5, len(letters) * 2) else -1


def _by_initials(letters: list[str], before: str) -> int:
    """Give where the words begin whose initials are the letters, small words aside; else -1."""
    left = len(letters)
    for word in reversed(list(_INITIAL_WORD.finditer(before))):
        initial = word.group()[0].lower()
        if left and initial == letters[left - 1]:
            left -= 1
        elif word.group().lower() not in FUNCTION_WORDS:
            return -1
        if left == 0:
            return word.start() if word.group().lower() not in FUNCTION_WORDS else -1
    return -1


def definitions(text: str, start: int, end: int) -> list[Definition]:
    """Give the acronyms that a span of prose defines in brackets, in text order."""
    found = []
    for bracket in _BRACKET.finditer(text, start, end):
        offset = max(start, bracket.start() - 120)
        before = text[offset : bracket.start()].rstrip()
        clause = re.split(r"[.;:!?]\s", before)[-1]
        offset += len(before) - len(clause)
        inside = re.split(r"[,;:]", bracket.group(1))[0].strip()
        at = bracket.start(1)
        head, _, tail = inside.partition(" ")
        if tail and clause.endswith(" " + tail) and is_short_form(head):
            begin = expansion(head, clause[: -len(tail) - 1])  # Entity Framework Core (EF Core)
            if begin >= 0:
                long = (offset + begin, offset + len(clause))
                span = (at, at + len(inside))
                found.append(Definition(inside, text[slice(*long)], span, long))
        elif is_short_form(inside):
            begin = expansion(inside, clause)
            if begin >= 0 and len(clause) - begin > len(inside) + 1:
                long = (offset + begin, offset + len(clause))
                found.append(Definition(inside, text[slice(*long)], (at, at + len(inside)), long))
            continue
        last = _LAST_WORD.search(clause)
        if last and is_short_form(last.group()) and expansion(last.group(), inside) == 0:
            short = (offset + last.start(), offset + last.end())
            found.append(Definition(last.group(), inside, short, (at, at + len(inside))))
    return found
