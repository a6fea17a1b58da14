"""What was read and resolved in, the cast of a run out: its entities, and where each stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.extraction.keys import key
from workbench.extraction.linked import Linked, document_key, linked_entities, target_key
from workbench.extraction.links import Resolved, resolve_links
from workbench.extraction.relations import Evidence, Relation, Row
from workbench.extraction.scan import sentence_at
from workbench.extraction.signals import Link
from workbench.extraction.survivors import Survivor, survivors

if TYPE_CHECKING:
    from workbench.extraction.heuristic import Found


@dataclass
class Cast:
    """`everyone` in the order of short ids; `rows` give each occurrence in each chunk.

    `row_of` maps a surviving candidate's number, or a linked entity's key, to its place in
    `everyone`.
    """

    everyone: list[Survivor]
    rows: list[Row]
    row_of: dict[int | str, int]
    links: list[Resolved]

    @property
    def ids(self) -> list[str]:
        """The entities' ids."""
        return [survivor.id for survivor in self.everyone]


def cast_of(found: Found) -> Cast:
    """Give the entities with their rows; those that stand outside every chunk are left out."""
    links = resolve_links(found.units, found.signals)
    linked = linked_entities(found.units, links)
    named, roots = survivors(
        found.candidates,
        found.types,
        found.resolution,
        found.mentions,
        found.units,
        found.sentences,
        found.documents,
    )
    everyone, row_of = _unite(named, linked)
    rows = _rows(found, roots, linked, row_of)
    return Cast(*ordered(everyone, rows, row_of), links)


def _unite(
    named: Mapping[int, Survivor], linked: Linked
) -> tuple[list[Survivor], dict[int | str, int]]:
    """Put names and linked entities in one list.

    A website that is named in the text is one entity, and so is a document whose title is.
    """
    everyone: list[Survivor] = []
    row_of: dict[int | str, int] = {}
    known: dict[str, int] = {}
    titles: dict[str, int] = {}
    documents = {k: s for k, s in linked.entities.items() if s.type == "document"}
    others = {k: s for k, s in linked.entities.items() if s.type != "document"}
    items: list[tuple[int | str, Survivor]] = [
        *sorted(documents.items()),
        *sorted(named.items()),
        *sorted(others.items()),
    ]
    for name, survivor in items:
        if name in documents and len(survivor.name.split()) > 2:
            titles[key(survivor.name)] = len(everyone)
        elif name in named and key(survivor.name) in titles:
            known.setdefault(survivor.id, titles[key(survivor.name)])
        row = known.get(survivor.id)
        if row is None:
            row = known[survivor.id] = len(everyone)
            everyone.append(survivor)
        else:
            for alias, why in survivor.aliases.items():
                if alias != everyone[row].name:
                    everyone[row].aliases.setdefault(alias, why)
            if survivor.name != everyone[row].name:
                everyone[row].aliases.setdefault(survivor.name, ("normalized", 1.0))
        row_of[name] = row
    return everyone, row_of


def _rows(
    found: Found, roots: Sequence[int], linked: Linked, row_of: Mapping[int | str, int]
) -> list[Row]:
    """Give each occurrence once for each chunk that holds it."""
    rows = []
    for mention, root in zip(found.mentions, roots, strict=True):
        for chunk in found.units[mention.unit].chunks_at(mention.start, mention.end):
            rows.append(
                Row(
                    row_of[root],
                    chunk,
                    mention.start,
                    mention.end,
                    mention.sentence,
                    mention.unit,
                    mention.signals,
                )
            )
    for place in linked.places:
        unit = found.units[place.unit]
        at = max(place.start, unit.chunks[0][0])
        sentence = sentence_at(found.sentences[place.unit], at)
        for chunk in unit.chunks_at(at, max(place.end, at)):
            rows.append(
                Row(
                    row_of[place.key],
                    chunk,
                    place.start,
                    place.end,
                    sentence,
                    place.unit,
                    (place.signal,),
                )
            )
    return rows


def ordered(
    everyone: list[Survivor], rows: list[Row], row_of: dict[int | str, int]
) -> tuple[list[Survivor], list[Row], dict[int | str, int]]:
    """Order entities by falling mentions, then name and type; drop those outside every chunk."""
    counts = [0] * len(everyone)
    for row in rows:
        counts[row.entity] += 1
    order = sorted(
        (i for i, count in enumerate(counts) if count),
        key=lambda i: (-counts[i], everyone[i].name, everyone[i].type),
    )
    new = {old: position for position, old in enumerate(order)}
    moved = [row._replace(entity=new[row.entity]) for row in rows]
    moved.sort(key=lambda row: (row.entity, row.chunk, row.start, row.end))
    return (
        [everyone[i] for i in order],
        moved,
        {name: new[row] for name, row in row_of.items() if row in new},
    )


def rows_within(rows: Sequence[Row], starts: Sequence[tuple[int, int]], link: Link) -> list[Row]:
    """Give the rows inside a link, in their order; `starts` are sorted (start, place in `rows`).

    A page may hold as many links as names, so looking through all rows for each costs hours.
    """
    first, last = bisect_left(starts, (link.start, -1)), bisect_left(starts, (link.end + 1, -1))
    places = sorted(place for _, place in starts[first:last])
    return [rows[place] for place in places if rows[place].end <= link.end]


def link_relations(
    found: Found,
    links: Sequence[Resolved],
    rows: Sequence[Row],
    row_of: Mapping[int | str, int],
) -> list[Relation]:
    """`references`: document to document and to its subjects; `links_to`: outward."""
    relations: dict[tuple[int, int, str], Relation] = {}

    def add(source: int, target: int, type_: str, chunk: int, evidence: Evidence) -> None:
        if source != target:
            relation = relations.setdefault(
                (source, target, type_), Relation(source, target, type_)
            )
            relation.weight += 1
            relation.add(chunk, evidence)

    by_unit: dict[int, list[Row]] = {}
    for row in rows:
        by_unit.setdefault(row.unit, []).append(row)
    starts = {
        unit: sorted((row.start, i) for i, row in enumerate(own)) for unit, own in by_unit.items()
    }
    documents = {
        unit: row_of[document_key(unit)]
        for unit in range(len(found.units))
        if document_key(unit) in row_of
    }
    targets = set(documents.values())
    for link in links:
        source, target = documents.get(link.unit), row_of.get(target_key(link))
        if source is None or target is None:
            continue
        type_ = "references" if link.target.kind == "document" else "links_to"
        evidence = Evidence(link.unit, link.link.start, link.link.end)
        chunks = found.units[link.unit].chunks_at(link.link.start, link.link.end)
        for chunk in chunks[:1]:
            add(source, target, type_, chunk, evidence)
            for row in rows_within(by_unit[link.unit], starts[link.unit], link.link):
                if row.chunk == chunk and row.entity not in (source, target):
                    if type_ == "references":
                        add(target, row.entity, type_, chunk, evidence)
                    elif row.entity not in targets:
                        add(row.entity, target, type_, chunk, evidence)
    for unit, document in documents.items():
        for row in by_unit.get(unit, ()):
            if "heading" in row.signals and row.entity not in targets:
                bounds = found.sentences[unit][row.sentence]
                add(document, row.entity, "references", row.chunk, Evidence(unit, *bounds))
    return list(relations.values())
