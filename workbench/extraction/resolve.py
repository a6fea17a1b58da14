"""Kept candidates in, who is who out: spellings of one thing merged, in a fixed order of rules.

Order: normalised form (already one candidate) and plural, acronym and expansion, numeronym, first
and last name within a document, embedding similarity with a lexical check. Two names that both
have digits, and different ones, never merge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from workbench.extraction.acronyms import Definition, is_short_form
from workbench.extraction.keys import key, same_numbers, singular
from workbench.extraction.lexical import alike
from workbench.extraction.people import Partial, without_title
from workbench.models.embedding import Embedder

_NUMERONYM = re.compile(r"([a-z])(\d{1,2})([a-z])$")
_UNMERGED_PLURALS = frozenset({"person", "place", "organization", "event"})


class Named(NamedTuple):
    """What resolution needs to know of a candidate."""

    key: str
    surface: str
    type: str
    count: int
    documents: frozenset[int]


class Merge(NamedTuple):
    """Candidate `loser` is `winner`, by a rule, with a score from 0 to 1."""

    loser: int
    winner: int
    rule: str
    score: float


@dataclass
class Resolution:
    """`parent[i]` is the survivor of candidate i; `local` overrides it within a document."""

    parent: list[int]
    merges: list[Merge] = field(default_factory=list)
    local: dict[tuple[int, int], Merge] = field(default_factory=dict)

    def root(self, i: int) -> int:
        """Give the survivor of a candidate."""
        while self.parent[i] != i:
            i = self.parent[i]
        return i

    def survivor(self, document: int, i: int) -> int:
        """Give the survivor of a candidate as a document uses it."""
        merge = self.local.get((document, i))
        return self.root(merge.winner if merge else i)


class Resolver:
    """Merges candidates one by one and keeps the record of each merge."""

    def __init__(self, named: Sequence[Named]):
        self.named = named
        self.by_key = {item.key: i for i, item in enumerate(named)}
        self.result = Resolution(list(range(len(named))))
        self._members = {i: [i] for i in range(len(named))}

    def merge(self, loser: int, winner: int, rule: str, score: float) -> bool:
        """Merge the groups of two candidates unless their numbers differ."""
        a, b = self.result.root(loser), self.result.root(winner)
        if a == b or not all(
            same_numbers(self.named[i].surface, self.named[j].surface)
            for i in self._members[a]
            for j in self._members[b]
        ):
            return False
        self.result.parent[a] = b
        self._members[b] += self._members.pop(a)
        self.result.merges.append(Merge(a, b, rule, round(float(score), 4)))
        return True

    def towards_frequent(self, one: int, other: int) -> tuple[int, int]:
        """Give (loser, winner): the more frequent of two groups wins, ties by name."""

        def rank(i: int) -> tuple[int, str]:
            return (-self.named[self.result.root(i)].count, self.named[self.result.root(i)].surface)

        return (other, one) if rank(one) <= rank(other) else (one, other)


def resolve(
    named: Sequence[Named],
    definitions: Sequence[Sequence[Definition]],
    partials: Sequence[Partial],
    embedder: Embedder | None,
    threshold: float,
) -> Resolution:
    """Merge candidates (sorted by key); `definitions` lists each document's acronyms."""
    resolver = Resolver(named)
    _plurals(resolver)
    _acronyms(resolver, definitions)
    _numeronyms(resolver)
    _titles(resolver)
    for partial in partials:  # first name, last name or title, within a document
        merge = Merge(partial.part, partial.whole, partial.rule, partial.score)
        resolver.result.local[partial.document, partial.part] = merge
    if embedder is not None:
        _similar(resolver, embedder, threshold)
    return resolver.result


def _plurals(resolver: Resolver) -> None:
    for i, item in enumerate(resolver.named):
        if item.surface.isupper() or item.type in _UNMERGED_PLURALS:
            continue
        capitals = item.surface[:-1].isupper() and item.surface.endswith("s")  # GPUs
        other = resolver.by_key.get(item.key[:-1] if capitals else singular(item.key))
        if other is None or other == i or resolver.named[other].type in _UNMERGED_PLURALS:
            continue
        if resolver.named[other].surface.isupper() and not item.surface.endswith("s"):
            continue
        resolver.merge(i, other, "plural", 1.0)


def _acronyms(resolver: Resolver, definitions: Sequence[Sequence[Definition]]) -> None:
    """Merge what a document defines; an acronym with several meanings only within documents."""
    meanings: dict[int, dict[int, list[int]]] = {}
    for document, found in enumerate(definitions):
        for definition in found:
            short = resolver.by_key.get(key(definition.short))
            long = resolver.by_key.get(key(definition.long))
            if short is not None and long is not None and short != long:
                root = resolver.result.root(long)
                meanings.setdefault(short, {}).setdefault(root, []).append(document)
    for short, longs in sorted(meanings.items()):
        if len(longs) == 1:
            resolver.merge(*resolver.towards_frequent(short, next(iter(longs))), "acronym", 1.0)
            continue
        for long, documents in sorted(longs.items()):
            for document in documents:
                merge = Merge(short, long, "acronym", 1.0)
                resolver.result.local.setdefault((document, short), merge)
    _initials(resolver, set(meanings))


def _initials(resolver: Resolver, defined: set[int]) -> None:
    """Merge an acronym of three letters or more with the one name of its initials beside it.

    Two letters are enough where the rest of the name is the same: `EF Core`.
    """
    by_initials: dict[str, list[int]] = {}
    for i, item in enumerate(resolver.named):
        words = re.findall(r"[^\W_]+", item.surface)
        if len(words) >= 3:
            by_initials.setdefault("".join(word[0].lower() for word in words), []).append(i)
            for cut in range(2, len(words)):
                letters = "".join(word[0].lower() for word in words[:cut])
                tail = " ".join(words[cut:]).lower()
                by_initials.setdefault(f"{letters} {tail}", []).append(i)
    for i, item in enumerate(resolver.named):
        head = item.surface.split(" ")[0]
        if i in defined or len(item.key) < 3 or not is_short_form(head):
            continue
        wanted = item.key if head == item.surface else item.surface.lower()
        fitting = by_initials.get(wanted, ())
        longs = [j for j in fitting if resolver.named[j].documents & item.documents]
        if len({resolver.result.root(j) for j in longs}) == 1:
            resolver.merge(*resolver.towards_frequent(i, longs[0]), "initials", 0.8)


def _numeronyms(resolver: Resolver) -> None:
    """Merge `k8s` with the one word of ten letters from k to s."""
    words: dict[tuple[str, str, int], list[int]] = {}
    for i, item in enumerate(resolver.named):
        if item.key.isalpha() and len(item.key) > 3 and " " not in item.surface:
            words.setdefault((item.key[0], item.key[-1], len(item.key) - 2), []).append(i)
    for i, item in enumerate(resolver.named):
        match = _NUMERONYM.match(item.key)
        if not match:
            continue
        fitting = words.get((match[1], match[3], int(match[2])), [])
        if len({resolver.result.root(j) for j in fitting}) == 1:
            resolver.merge(i, fitting[0], "numeronym", 1.0)


def _titles(resolver: Resolver) -> None:
    """Merge `President William McKinley`, `Dr. William McKinley` and `William McKinley`."""
    bare: dict[str, list[int]] = {}
    for i, item in enumerate(resolver.named):
        if item.type == "person":
            bare.setdefault(key(without_title(item.surface)), []).append(i)
    for name_key, titled in bare.items():
        winner = resolver.by_key.get(name_key, titled[0])
        for i in titled:
            resolver.merge(i, winner, "title", 0.95)


def _similar(resolver: Resolver, embedder: Embedder, threshold: float) -> None:
    """Merge names that share their letters (`alike`) and mean the same by their vectors."""
    named = resolver.named
    pairs = [
        (i, j)
        for i, j in alike([item.surface for item in named])
        if resolver.result.root(i) != resolver.result.root(j)
        and not {named[i].type, named[j].type} & {"person"}
    ]
    if not pairs:
        return
    involved = sorted({i for pair in pairs for i in pair})
    row = {i: n for n, i in enumerate(involved)}
    vectors = embedder.encode([named[i].surface for i in involved], "names")
    scored = [(float(np.dot(vectors[row[i]], vectors[row[j]])), i, j) for i, j in pairs]
    for score, i, j in sorted(scored, key=lambda item: (-round(item[0], 4), item[1:])):
        if score >= threshold:
            resolver.merge(*resolver.towards_frequent(i, j), "embedding", score)


def groups(resolution: Resolution) -> Mapping[int, list[int]]:
    """Give the candidates of each survivor, both rising."""
    found: dict[int, list[int]] = {}
    for i in range(len(resolution.parent)):
        found.setdefault(resolution.root(i), []).append(i)
    return found
