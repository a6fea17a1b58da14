"""The names of one document in, which of them are parts of a person's full name out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.extraction.lexica import CONNECTORS, TITLES

_SUFFIXES = frozenset(("sr", "jr", "i", "ii", "iii", "iv", "v"))
_MARKS = '"“”.,'


class Partial(NamedTuple):
    """In a document, candidate `part` stands for the person `whole`."""

    document: int
    part: int
    whole: int
    rule: str
    score: float


def _words(surface: str) -> tuple[str, ...]:
    words = [word.strip(_MARKS).lower() for word in surface.split()]
    return tuple(word for word in words if word)


def partial_names(
    document: int,
    present: Sequence[int],
    surfaces: Mapping[int, str],
    people: frozenset[int],
    sure: frozenset[int],
) -> list[Partial]:
    """Match first names, last names and titled names with the one full name they are part of.

    `present`: candidates of the document; `people`: those that are full names of persons; `sure`:
    those of them that something said or done tells to be persons: only theirs are first names. A
    part that fits two full names of the document stays alone, unless one of these holds the other.
    """
    parts = {i: _words(surfaces[i]) for i in present}
    full = [i for i in present if i in people and len(_bare(parts[i])) > 1]
    by_word: dict[str, list[int]] = {}
    for i in full:
        bare = _bare(parts[i])
        for word in {bare[0], bare[-1]}:
            by_word.setdefault(word, []).append(i)
    found = []
    for i in present:
        bare = _bare(parts[i])
        titled = len(bare) < len(parts[i])
        wholes = [j for j in by_word.get(bare[0], ()) if j != i] if bare else []
        wholes += (
            [j for j in by_word.get(bare[-1], ()) if j not in wholes and j != i] if bare else []
        )
        wholes = [j for j in wholes if _fits(bare, _bare(parts[j]), titled, j in sure)]
        whole = _only(wholes, parts)
        if whole is not None:
            found.append(Partial(document, i, whole, *_rule(bare, _bare(parts[whole]), titled)))
    return _without_chains(found)


def _bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """Drop titles at the front."""
    while len(words) > 1 and words[0] in TITLES:
        words = words[1:]
    return words


def _fits(part: tuple[str, ...], whole: tuple[str, ...], titled: bool, sure: bool) -> bool:
    """Say whether a part is the last name, the first name or a shorter form of the whole."""
    if len(part) > len(whole) or (len(part) == len(whole) and not titled):
        return False
    if all(word in CONNECTORS or len(word) < 2 for word in part):
        return False
    rest = iter(whole)
    if not all(word in rest for word in part):
        return False
    return part[-1] == whole[-1] or whole[-1] in _SUFFIXES or (sure and len(part) == 1)


def _only(wholes: list[int], parts: Mapping[int, tuple[str, ...]]) -> int | None:
    """Give the one whole; of wholes that hold each other, the longest; None where unclear."""
    if not wholes:
        return None
    longest = max(wholes, key=lambda j: (len(_bare(parts[j])), -j))
    inside = all(set(_bare(parts[j])) <= set(_bare(parts[longest])) for j in wholes)
    return longest if inside else None


def _rule(part: tuple[str, ...], whole: tuple[str, ...], titled: bool) -> tuple[str, float]:
    if titled:
        return "title", 0.95
    if len(part) > 1:
        return "shorter_name", 0.9
    return ("first_name", 0.85) if part[0] == whole[0] else ("last_name", 0.9)


def _without_chains(found: list[Partial]) -> list[Partial]:
    """Point each part at a whole that is no part itself."""
    target = {partial.part: partial.whole for partial in found}

    def end(i: int) -> int:
        seen = {i}
        while i in target and target[i] not in seen:
            i = target[i]
            seen.add(i)
        return i

    return [p._replace(whole=end(p.whole)) for p in found if end(p.whole) != p.part]


def titled(surface: str) -> bool:
    """Say whether a name begins with a title and goes on: `Dr. Hayes`."""
    words = _words(surface)
    return len(_bare(words)) < len(words)


def without_title(surface: str) -> str:
    """Give a name without the titles at its front, if two words or more are left.

    >>> without_title("President William McKinley"), without_title("Agent Hayes")
    ('William McKinley', 'Agent Hayes')
    """
    words = surface.split()
    first = 0
    while first < len(words) and words[first].strip(_MARKS).lower() in TITLES:
        first += 1
    return " ".join(words[first:]) if len(words) - first >= 2 else surface
