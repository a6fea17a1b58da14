"""What was found in, the frames and vectors of an extraction out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench import schema
from workbench.extraction.linked import Linked, document_key, linked_entities, target_key
from workbench.extraction.links import Resolved, resolve_links
from workbench.extraction.mentions import signal_names
from workbench.extraction.relations import (
    Evidence,
    Relation,
    Row,
    cooccurrences,
    evidence_text,
    in_order,
)
from workbench.extraction.result import Extraction
from workbench.extraction.scan import sentence_at
from workbench.extraction.select import best_surface
from workbench.extraction.survivors import Survivor, survivors
from workbench.extraction.units import Unit
from workbench.frames import table_frame
from workbench.ids import normalize_name
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams

if TYPE_CHECKING:
    from workbench.extraction.heuristic import Found


def assemble(
    found: Found, chunks: pd.DataFrame, embedder: Embedder | None, params: ExtractParams
) -> Extraction:
    """Make the tables of a run, without degrees."""
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
    everyone, rows, row_of = _ordered(everyone, rows, row_of)
    ids = [survivor.id for survivor in everyone]
    pairs = [row for row in rows if everyone[row.entity].type != "document" and row.start >= 0]
    relations, dropped = cooccurrences(
        pairs, found.sentences, len(everyone), len(chunks), params.min_pair_npmi
    )
    relations += _link_relations(found, links, rows, row_of)
    relations = in_order(relations, ids)
    return Extraction(
        entities=_entities(everyone, rows),
        entity_aliases=_aliases(everyone),
        entity_mentions=_mentions(rows, ids, chunks, found.units),
        relationships=_relationships(relations, ids, found.units),
        relationship_mentions=_relationship_mentions(relations, ids, chunks, found.units),
        rejected=_rejected(found, dropped, chunks),
        vectors=_vectors(everyone, embedder),
    )


def _unite(
    named: Mapping[int, Survivor], linked: Linked
) -> tuple[list[Survivor], dict[int | str, int]]:
    """Put names and linked entities in one list; a website named in the text is one entity."""
    everyone: list[Survivor] = []
    row_of: dict[int | str, int] = {}
    known: dict[str, int] = {}
    items: list[tuple[int | str, Survivor]] = [
        *sorted(named.items()),
        *sorted(linked.entities.items()),
    ]
    for name, survivor in items:
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


def _ordered(
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


def _link_relations(
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
            for row in by_unit[link.unit]:
                inside = link.link.start <= row.start and row.end <= link.link.end
                if inside and row.chunk == chunk and row.entity not in (source, target):
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


def _entities(everyone: Sequence[Survivor], rows: Sequence[Row]) -> pd.DataFrame:
    mentions, chunks = [0] * len(everyone), [set() for _ in everyone]
    for row in rows:
        mentions[row.entity] += 1
        chunks[row.entity].add(row.chunk)
    return table_frame(
        schema.ENTITIES,
        [
            {
                "id": survivor.id,
                "short_id": i,
                "name": survivor.name,
                "normalized_name": normalize_name(survivor.name),
                "type": survivor.type,
                "description": survivor.description,
                "mention_count": mentions[i],
                "chunk_count": len(chunks[i]),
                "degree": 0,
                "confidence": survivor.confidence,
            }
            for i, survivor in enumerate(everyone)
        ],
    )


def _aliases(everyone: Sequence[Survivor]) -> pd.DataFrame:
    return table_frame(
        schema.ENTITY_ALIASES,
        [
            {"entity_id": survivor.id, "alias": alias, "rule": rule, "score": score}
            for survivor in everyone
            for alias, (rule, score) in sorted(survivor.aliases.items())
        ],
    )


def _mentions(
    rows: Sequence[Row], ids: Sequence[str], chunks: pd.DataFrame, units: Sequence[Unit]
) -> pd.DataFrame:
    chunk_ids = chunks["id"].tolist()
    grouped: dict[tuple[int, int], list[Row]] = {}
    for row in rows:
        grouped.setdefault((row.entity, row.chunk), []).append(row)
    records: list[dict[str, Any]] = []
    for (entity, chunk), group in grouped.items():
        placed = [row for row in group if row.start >= 0 and units[row.unit].placed]
        records.append(
            {
                "entity_id": ids[entity],
                "chunk_id": chunk_ids[chunk],
                "mention_count": len(group),
                "start_char": placed[0].start if placed else None,
                "end_char": placed[0].end if placed else None,
                "signals": signal_names([row.signals for row in group]),
            }
        )
    return table_frame(schema.ENTITY_MENTIONS, records)


def _relationships(
    relations: Sequence[Relation], ids: Sequence[str], units: Sequence[Unit]
) -> pd.DataFrame:
    records = []
    for i, relation in enumerate(relations):
        source, target = ids[relation.source], ids[relation.target]
        if relation.type == "co_occurs_with" and target < source:
            source, target = target, source
        first = relation.chunks[min(relation.chunks)][1]
        records.append(
            {
                "id": relation.id(ids),
                "short_id": i,
                "source_id": source,
                "target_id": target,
                "type": relation.type,
                "description": "",
                "weight": relation.weight,
                "npmi": relation.npmi,
                "evidence": evidence_text(units, first),
                "combined_degree": 0,
            }
        )
    return table_frame(schema.RELATIONSHIPS, records)


def _relationship_mentions(
    relations: Sequence[Relation],
    ids: Sequence[str],
    chunks: pd.DataFrame,
    units: Sequence[Unit],
) -> pd.DataFrame:
    chunk_ids = chunks["id"].tolist()
    return table_frame(
        schema.RELATIONSHIP_MENTIONS,
        [
            {
                "relationship_id": relation.id(ids),
                "chunk_id": chunk_ids[chunk],
                "mention_count": count,
                "evidence_start": evidence.start if units[evidence.unit].placed else None,
                "evidence_end": evidence.end if units[evidence.unit].placed else None,
            }
            for relation in relations
            for chunk, (count, evidence) in sorted(relation.chunks.items())
        ],
    )


def _rejected(found: Found, dropped: Mapping[str, int], chunks: pd.DataFrame) -> pd.DataFrame:
    chunk_ids = chunks["id"].tolist()
    records: list[dict[str, Any]] = []
    for candidate, why in found.rejected:
        unit = found.units[candidate.first[0]]
        rows = unit.chunks_at(candidate.first[1], candidate.first[1])
        records.append(
            {
                "stage": "candidate",
                "item": best_surface(candidate),
                "rule": why.rule,
                "value": float(why.value),
                "reason": why.reason,
                "chunk_id": chunk_ids[rows[0]] if rows else None,
            }
        )
    for phrase, (rule, value) in sorted(found.phrases.items()):
        records.append(
            {
                "stage": "candidate",
                "item": " ".join(phrase),
                "rule": rule,
                "value": float(value),
                "reason": "the words do not hold together as a phrase",
            }
        )
    for rule, count in sorted(dropped.items()):
        records.append(
            {
                "stage": "co_occurrence",
                "item": f"{count} pairs",
                "rule": rule,
                "value": float(count),
                "reason": "pairs that are not significant, counted",
            }
        )
    records.sort(key=lambda r: (r["stage"], r["item"], r["rule"]))
    return table_frame(schema.REJECTED, records)


def _vectors(everyone: Sequence[Survivor], embedder: Embedder | None) -> dict[str, Any]:
    if embedder is None:
        return {}
    texts = [f"{s.name}: {s.description}" if s.description else s.name for s in everyone]
    return {"entities": embedder.encode(texts, "entities")}
