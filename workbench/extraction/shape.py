"""A word in, its shape out: what its letters say before any other evidence is looked at."""

from __future__ import annotations

import re
from functools import lru_cache

LOWER, CAP, UPPER, MIXED, NUMBER, NOCASE = range(6)
NAME_SHAPES = frozenset({CAP, UPPER, MIXED})

_NUMERIC = re.compile(r"[\d.,:/%-]*\d[\d.,:/%-]*$")
_NUMBER_WITH_UNIT = re.compile(
    r"\d[\d.,:x/-]*-?(st|nd|rd|th|s|x|[kmgt]i?b?|ms|min|mins|h|hrs|px|[kmg]?hz|am|pm|kg|[kcm]m|[wvbkmg])$"
    r"|\d{4}-\d\d-\d\d",  # a date with a time behind it
    re.I,
)
_VERSION = re.compile(r"[vV]\d+(?:\.\d+)*$")
# From the first small letter only: tried from each, a word of a million letters takes hours.
_INNER_CAPITAL = re.compile(r"^[^a-z]*[a-z].*[A-Z]|^[A-Z]{2,}[a-z]{2,}")
_PLURAL_OF_CAPITALS = re.compile(r"[A-Z]{2,}s$")
_DOTTED = re.compile(r"\w\.[^\W\d]\w*$|^\.[^\W\d]{2,}|\w_\w|[#+]+$")
_DIGIT_AND_LETTER = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")
_ABBREVIATION = re.compile(r"([A-Za-z]\.)+[A-Za-z]?$")


@lru_cache(maxsize=200_000)
def shape(word: str) -> int:
    """Give LOWER, CAP, UPPER, MIXED (inner capital, digit, dot, `#`), NUMBER or NOCASE.

    >>> [shape(w) for w in ("docker", "Docker", "YAML", "PostgreSQL", "3.11", "索引")]
    [0, 1, 2, 3, 4, 5]
    """
    if not any(character.isalpha() for character in word):
        return NUMBER
    if (
        _VERSION.match(word)
        or word[0].isdigit()
        and (_NUMERIC.match(word) or _NUMBER_WITH_UNIT.match(word))
    ):
        return NUMBER
    if word.lower() == word.upper():
        return NOCASE
    if _ABBREVIATION.match(word):
        return UPPER if word[0].isupper() else LOWER
    if _DOTTED.search(word) or _DIGIT_AND_LETTER.search(word):
        return MIXED
    if _PLURAL_OF_CAPITALS.match(word):
        return UPPER
    return _shape_of_letters(word)


def _shape_of_letters(word: str) -> int:
    letters = [character for character in word if character.isalpha()]
    if len(letters) > 1 and all(character.isupper() for character in letters):
        return UPPER
    # A hyphen or an apostrophe starts a new word: `Anglo-Saxon`, `O'Brien`, `state-of-the-art`.
    parts = [part for part in re.split(r"[-'’]", word) if part]
    if any(_INNER_CAPITAL.search(part) for part in parts):
        return MIXED
    return CAP if letters[0].isupper() else LOWER


def digits(name: str) -> tuple[str, ...]:
    """Give the numbers in a name, in order: two names with different ones never merge."""
    return tuple(re.findall(r"\d+(?:\.\d+)*", name))
