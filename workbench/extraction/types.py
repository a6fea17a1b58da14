"""A candidate with its evidence in, one of the schema's types out, by rules tried in order."""

from __future__ import annotations

import re

from workbench.extraction.candidates import Candidate
from workbench.extraction.lexica import (
    CONNECTORS,
    EVENT_WORDS,
    ORGANIZATION_WORDS,
    PLACE_WORDS,
    TECHNOLOGY_WORDS,
    TITLES,
)
from workbench.extraction.shape import CAP, LOWER, MIXED, UPPER, shape

_CODE = re.compile(
    r"\(\)$|<\w|_|^[./~@]|/|\.(?:ya?ml|json|md|cs|py|js|sh|toml|ini|env|conf|sql|txt|css|html|xml|lock|dll|exe|csproj|sln)$|:"
)
_WEBSITE = re.compile(r"(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|edu|gov|co\.uk|de|ai|social)$")


def type_of(candidate: Candidate, surface: str, technical: float) -> str:
    """Give the type; `technical` is the share of the candidate's documents that hold code."""
    words = surface.split()
    lowers = [word.lower() for word in words]
    if _WEBSITE.match(surface):
        return "website"
    if candidate.signals["code"] * 2 > candidate.count or (
        candidate.signals["code"] and _CODE.search(surface)
    ):
        return "technology" if _is_product(candidate) else "code"
    if _CODE.search(surface) and shape(words[0]) == MIXED:
        return "code"
    if surface == surface.lower() and shape(words[-1]) == LOWER:
        return "concept"
    return _named(candidate, lowers, words, technical)


def _is_product(candidate: Candidate) -> bool:
    """Say whether a name of code is also written as a name: `Docker`, `docker`."""
    return candidate.signals["name"] >= candidate.signals["code"] > 0


def _named(candidate: Candidate, lowers: list[str], words: list[str], technical: float) -> str:
    last, cues = lowers[-1], candidate.cues
    numbered = shape(words[-1]) not in (CAP, LOWER, UPPER, MIXED)
    if last in EVENT_WORDS or (lowers[0] in EVENT_WORDS and len(words) > 1):
        return "event"
    if any(word in ORGANIZATION_WORDS for word in lowers) and len(words) > 1:
        return "organization"
    if lowers[0] in TITLES and len(words) > 1:
        return "person"
    if last in PLACE_WORDS and len(words) > 1 or lowers[0] in {"mount", "lake", "river", "port"}:
        return "place"
    if technical >= 0.5:
        if cues["person"] >= 1 and is_personal(words) and not candidate.signals["code"]:
            return "person"
        return "technology"
    if is_personal(words) and cues["person"] >= max(1, cues["place"] - 1):
        return "person"
    if cues["place"] * 4 >= candidate.count and len(words) < 4 and not numbered:
        return "place"
    if any(shape(word) == UPPER for word in words):
        return "organization"
    if any(shape(word) == MIXED for word in words) or last in TECHNOLOGY_WORDS:
        return "technology"
    return "person" if len(words) in (2, 3) and is_personal(words) else "concept"


def is_personal(words: list[str]) -> bool:
    """Say whether the words can be a person's: capitalised letters only, at most four."""
    return len(words) <= 4 and all(
        (shape(word) == CAP or (len(word) <= 2 and word[0].isupper()) or word in CONNECTORS)
        and not any(character.isdigit() for character in word)
        for word in words
        if word.strip('"“”')
    )
