"""The places of an entity in, the sentence that introduces it best out, as an exact quote."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_CHARACTERS = 200
_DEFINES = re.compile(
    r"\s*(?:\([^()]{1,60}\)\s*)?(?:,[^,]{1,40},\s*)?(?:is|are|was|were)\s+(?:an?|the|one|both|not)\b"
    r"|\s*(?::|—|–|\s-\s)\s*\S|是|\s+(?:ist|sind)\s+(?:ein|eine|der|die|das)\b|\s+هو\s|\s+هي\s",
)
_BLANKS = re.compile(r"\s+")


class Quote(NamedTuple):
    """A sentence with its rank: lower is better."""

    rank: tuple[int, int, int]
    text: str


def quote(text: str, sentence: tuple[int, int], start: int, end: int, order: int) -> Quote:
    """Rank a sentence as the introduction of what stands at start to end in it.

    Best is one that defines (`X is a …`) what it begins with, then one that defines it later,
    then one that begins with it; too short or too long ones come last, earlier ones first.
    """
    first, last = sentence
    if last < len(text) and text[last] in ".!?。":
        last += 1
    defines = bool(_DEFINES.match(text, end))
    opens = start - first <= 4
    length = last - first
    poor = length < 30 or length > 400
    value = poor * 4 + (0 if defines and opens else 1 if defines else 2 if opens else 3)
    return Quote((value, order, first), shortened(text[first:last], start - first))


def shortened(sentence: str, at: int) -> str:
    """Give the sentence with single blanks; of a long one, the words around character `at`."""
    if len(sentence) > MAX_CHARACTERS:
        begin = 0
        if at > MAX_CHARACTERS // 2:
            begin = sentence.rfind(" ", 0, at - MAX_CHARACTERS // 4) + 1
        piece = sentence[begin : begin + MAX_CHARACTERS]
        if begin + MAX_CHARACTERS < len(sentence):
            piece = piece.rsplit(" ", 1)[0] + " …"
        sentence = ("… " if begin else "") + piece
    return _BLANKS.sub(" ", sentence).strip()
