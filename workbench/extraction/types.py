"""A candidate with its evidence in, one of the schema's types out, by rules tried in order."""

from __future__ import annotations

import re

from workbench.extraction.candidates import Candidate
from workbench.extraction.lexica import (
    CONNECTORS,
    EVENT_WORDS,
    ORGANIZATION_SURE,
    ORGANIZATION_WORDS,
    PLACE_FIRST,
    PLACE_WORDS,
    TECHNOLOGY_WORDS,
    TITLES,
)
from workbench.extraction.shape import CAP, LOWER, MIXED, UPPER, shape
from workbench.extraction.vocabulary import Words

_CODE = re.compile(
    r"\(\)$|<\w|_|^[./~@]|/|\.(?:ya?ml|json|md|cs|py|sh|toml|ini|env|conf|sql|txt|css|html|xml|lock|dll|exe|csproj|sln)$|:"
)
_WEBSITE = re.compile(r"(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|edu|gov|co\.uk|de|ai|social)$")


def type_of(candidate: Candidate, surface: str, technical: float, words_seen: Words) -> str:
    """Give the type; `technical` is the share of the candidate's documents that hold code."""
    words = surface.split()
    if _WEBSITE.match(surface):
        return "website"
    if candidate.signals["code"] * 2 > candidate.count or (
        candidate.signals["code"] and _CODE.search(surface)
    ):
        return "technology" if _is_product(candidate, surface) else "code"
    if _CODE.search(surface) and shape(words[0]) == MIXED and not _is_product(candidate, surface):
        return "code"
    if surface.islower() and shape(words[-1]) == LOWER:
        return "technology" if candidate.signals["code"] and len(words) == 1 else "concept"
    small = all(words_seen.capital_share(word.lower()) < 0.5 for word in words)
    if small and candidate.small:  # title case of words that are mostly written small
        return "concept"
    return _named(candidate, words, technical, small)


def _is_product(candidate: Candidate, surface: str) -> bool:
    """Say whether a name of code is also written as a name: `Docker`, `docker`, `.NET`."""
    if re.match(r"\.[A-Z]{2}", surface):
        return True
    return candidate.signals["name"] >= candidate.signals["code"] > 0 and "/" not in surface


def _named(candidate: Candidate, words: list[str], technical: float, small: bool) -> str:
    lowers = [word.lower() for word in words]
    last, cues = lowers[-1], candidate.cues
    several = len(words) > 1
    prose = technical < 0.5  # in texts about software a `Series` is no event, a `Library` no office
    if several and prose and (last in EVENT_WORDS or lowers[0] in EVENT_WORDS):
        return "event"
    offices = ORGANIZATION_WORDS if prose else ORGANIZATION_SURE
    if several and any(word in offices for word in lowers):
        return "organization"
    if several and (last in PLACE_WORDS or lowers[0] in PLACE_FIRST):
        return "place"
    personal = is_personal(words) and not small and cues["thing"] * 5 <= candidate.count
    personal = personal and not candidate.signals["code"]
    if personal and (several and lowers[0] in TITLES or cues["person"] >= max(1, cues["place"])):
        return "person"
    if not prose:
        return "technology"
    if cues["place"] * 4 >= candidate.count and len(words) < 4 and is_personal(words):
        return "place"
    if any(shape(word) == UPPER for word in words):
        return "organization"
    if any(shape(word) == MIXED for word in words) or last in TECHNOLOGY_WORDS:
        return "technology"
    return "person" if personal and len(words) in (2, 3) else "concept"


def is_personal(words: list[str]) -> bool:
    """Say whether the words can be a person's: capitalised letters only, at most four."""
    words = [word for word in words if word.lower().rstrip(".") not in TITLES] or words
    several = len(words) > 1
    return len(words) <= 4 and all(
        (
            shape(word) == CAP
            or (several and len(word) <= 2 and word[0].isupper())
            or word in CONNECTORS
        )
        and not any(character.isdigit() for character in word)
        for word in words
        if word.strip('"“”')
    )
