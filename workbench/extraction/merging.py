"""Readings of all replies in, entities resolved together out, and relationships between them.

Spec 2.3 as documented: readings are grouped by name and type, relationships by source, target and
predicate with their strengths summed. A name that has two types is two entities, never a product
of rows; its relationships are at the one that more replies gave. `concept`, which says nothing,
gives way to any other type. What the resolver then merges is one entity with aliases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.extraction.acronyms import Definition
from workbench.extraction.candidates import Candidate
from workbench.extraction.cast import Cast
from workbench.extraction.grounding import Refusal
from workbench.extraction.heuristic import Found, document_numbers
from workbench.extraction.kinds import usual_type
from workbench.extraction.mentions import Mention
from workbench.extraction.people import Partial, partial_names
from workbench.extraction.readings import Reading, Tie, without_repeats
from workbench.extraction.relations import Evidence, Relation
from workbench.extraction.resolve import Named, Resolution, resolve
from workbench.extraction.scan import sentence_at
from workbench.extraction.select import best_surface
from workbench.extraction.signals import Signals
from workbench.extraction.units import Unit
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams

_CATCH_ALL = "concept"


@dataclass
class Merged:
    """`found` as the heuristic mode gives it; `leading` is a key's candidate for relationships.

    `descriptions` and `readings` are those of each candidate: what replies said, and how many.
    """

    found: Found
    leading: dict[str, int]
    descriptions: dict[int, list[str]]
    readings: Counter[int] = field(default_factory=Counter)

    def describe(self, cast: Cast) -> dict[int, list[str]]:
        """Give what was said of each entity (by row), and set how sure replies make it.

        The confidence is 1 - 0.5 ** n after n replies that gave it.
        """
        said: dict[int, list[str]] = {}
        number: Counter[int] = Counter()
        for i, texts in self.descriptions.items():
            row = cast.row_of.get(self.found.resolution.root(i))
            if row is not None:
                said.setdefault(row, []).extend(texts)
                number[row] += self.readings[i]
        for row, n in number.items():
            cast.everyone[row].confidence = round(1 - 0.5**n, 4)
        return {row: without_repeats(texts) for row, texts in said.items()}


def merge(
    readings: Sequence[Reading],
    units: list[Unit],
    definitions: Sequence[Sequence[Definition]],
    embedder: Embedder | None,
    params: ExtractParams,
    signals: list[Signals] | None = None,
    sentences: list[list[tuple[int, int]]] | None = None,
) -> Merged:
    """Group the readings and resolve the names; `definitions` lists each document's acronyms."""
    groups, leading = _groups(readings)
    number = {name: i for i, name in enumerate(groups)}
    candidates = [Candidate(key) for key, _ in groups]
    bounds = sentences or [[] for _ in units]
    mentions = _mentions(groups, candidates, units, bounds)
    types = [type_ for _, type_ in groups]
    found = Found(
        units,
        signals or [_no_signals()] * len(units),
        bounds,
        candidates,
        types,
        mentions,
        [],
        {},
        _resolution(
            candidates, types, len(leading), mentions, units, definitions, embedder, params
        ),
    )
    return Merged(
        found,
        {key: number[key, type_] for key, type_ in leading.items()},
        {number[name]: [r.description for r in group] for name, group in groups.items()},
        Counter({number[name]: len(group) for name, group in groups.items()}),
    )


def _no_signals() -> Signals:
    """Give the signals of a unit whose links nobody looked for."""
    return Signals([], [], [], [], {}, {}, Counter())


def _groups(
    readings: Sequence[Reading],
) -> tuple[dict[tuple[str, str], list[Reading]], dict[str, str]]:
    """Give readings by (key, type), the leading type of each key first, and these types by key."""
    counts: dict[str, Counter[str]] = {}
    for reading in readings:
        counts.setdefault(reading.key, Counter())[reading.type] += 1
    leading = {}
    for key, types in counts.items():
        telling = [type_ for type_ in types if type_ != _CATCH_ALL] or list(types)
        leading[key] = max(telling, key=lambda type_: types[type_])  # of equal ones the first
    found: dict[tuple[str, str], list[Reading]] = {}
    for reading in readings:
        type_ = leading[reading.key] if reading.type == _CATCH_ALL else reading.type
        found.setdefault((reading.key, type_), []).append(reading)
    order = sorted(found, key=lambda name: (leading[name[0]] != name[1], name))
    return {name: found[name] for name in order}, leading


def _mentions(
    groups: Mapping[tuple[str, str], Sequence[Reading]],
    candidates: Sequence[Candidate],
    units: Sequence[Unit],
    bounds: Sequence[Sequence[tuple[int, int]]],
) -> list[Mention]:
    """Give each place once a candidate, and tell the candidates how they are spelt."""
    places: dict[int, dict[tuple[int, int, int], set[str]]] = {}
    for i, group in enumerate(groups.values()):
        for reading in group:
            here = places.setdefault(reading.unit, {})
            for start, end, signals in reading.places:
                here.setdefault((start, -end, i), set()).update(signals)
    mentions = []
    for unit in sorted(places):
        for start, end, i in _outermost(places[unit]):
            surface = " ".join(units[unit].text[start:end].split())
            candidates[i].surfaces[surface] += 1
            candidates[i].count += 1
            candidates[i].documents.add(unit)
            signals = tuple(sorted(places[unit][start, -end, i]))
            sentence = sentence_at(bounds[unit], start) if bounds[unit] else 0
            mentions.append(Mention(unit, i, start, end, sentence, signals, False, ""))
    return mentions


def _outermost(places: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Leave out places inside longer ones, but for a name that would have none left."""
    inside, kept = [], []
    begin, reach = -1, -1
    for start, minus_end, i in sorted(places):
        end = -minus_end
        longer = end < reach or (end == reach and start > begin)
        (inside if longer else kept).append((start, end, i))
        if end > reach:
            begin, reach = start, end
    there = {i for _, _, i in kept}
    return sorted(kept + [place for place in inside if place[2] not in there])


def _resolution(
    candidates: Sequence[Candidate],
    types: Sequence[str],
    leaders: int,
    mentions: Sequence[Mention],
    units: Sequence[Unit],
    definitions: Sequence[Sequence[Definition]],
    embedder: Embedder | None,
    params: ExtractParams,
) -> Resolution:
    """Resolve the names; a name's second type stands for itself."""
    document = document_numbers(units)
    present: dict[int, set[int]] = {}
    where: list[set[int]] = [set() for _ in candidates]
    for mention in mentions:
        present.setdefault(document[mention.unit], set()).add(mention.candidate)
        where[mention.candidate].add(document[mention.unit])
    usual = [usual_type(type_) for type_ in types]
    surfaces = {i: best_surface(candidate) for i, candidate in enumerate(candidates)}
    named = [
        Named(candidates[i].key, surfaces[i], usual[i], candidates[i].count, frozenset(where[i]))
        for i in range(leaders)
    ]
    people = frozenset(i for i in range(leaders) if usual[i] == "person")
    partials: list[Partial] = []
    for number, here in sorted(present.items()):
        named_here = sorted(i for i in here if i < leaders and usual[i] in ("person", _CATCH_ALL))
        partials += partial_names(number, named_here, surfaces, people, people)
    resolution = resolve(named, definitions, partials, embedder, params.merge_similarity)
    resolution.parent += range(leaders, len(candidates))
    return resolution


def relate(
    ties: Sequence[Tie], merged: Merged, cast: Cast, refuse: Callable[[Refusal], None]
) -> tuple[list[Relation], list[list[str]]]:
    """Give the relationships with summed strengths, and what was said of each."""
    found, document = merged.found, merged.found.documents
    relations: dict[tuple[int, int, str], Relation] = {}
    said: dict[tuple[int, int, str], list[str]] = {}
    for tie in ties:
        ends = [
            cast.row_of.get(found.resolution.survivor(document[tie.unit], merged.leading[end]))
            for end in (tie.source, tie.target)
        ]
        source, target = ends
        if source is None or target is None or source == target:
            item = f"{tie.source} {tie.predicate} {tie.target}"
            reason = "both ends are one entity after their aliases were merged"
            refuse(Refusal("relationships", item, "self_loop", reason, tie.chunks[0]))
            continue
        name = (source, target, tie.predicate)
        relation = relations.setdefault(name, Relation(*name))
        relation.weight += tie.strength
        evidence = Evidence(tie.unit, *tie.evidence) if tie.evidence else None
        for chunk in tie.chunks:
            relation.add(chunk, evidence)
        said.setdefault(name, []).append(tie.description)
    return list(relations.values()), [without_repeats(said[name]) for name in relations]
