"""Entities, their rows and their relationships in, the frames and vectors of a run out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

import pandas as pd

from workbench import schema
from workbench.extraction.mentions import signal_names
from workbench.extraction.relations import UNDIRECTED, Evidence, Relation, Row, evidence_text
from workbench.extraction.survivors import Survivor
from workbench.extraction.units import Unit
from workbench.frames import table_frame
from workbench.ids import normalize_name
from workbench.models.embedding import Embedder


def entity_frame(everyone: Sequence[Survivor], rows: Sequence[Row]) -> pd.DataFrame:
    """Give the table of entities, in their order, without degrees."""
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


def alias_frame(everyone: Sequence[Survivor]) -> pd.DataFrame:
    """Give the table of aliases."""
    return table_frame(
        schema.ENTITY_ALIASES,
        [
            {"entity_id": survivor.id, "alias": alias, "rule": rule, "score": score}
            for survivor in everyone
            for alias, (rule, score) in sorted(survivor.aliases.items())
        ],
    )


def mention_frame(
    rows: Sequence[Row], ids: Sequence[str], chunks: pd.DataFrame, units: Sequence[Unit]
) -> pd.DataFrame:
    """Give the table of mentions: one row an entity in a chunk."""
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


def relationship_frame(
    relations: Sequence[Relation], ids: Sequence[str], units: Sequence[Unit]
) -> pd.DataFrame:
    """Give the table of relationships, in their order, without degrees."""
    records = []
    for i, relation in enumerate(relations):
        source, target = ids[relation.source], ids[relation.target]
        if relation.type in UNDIRECTED and target < source:
            source, target = target, source
        shown = [relation.chunks[chunk][1] for chunk in sorted(relation.chunks)]
        first = next((evidence for evidence in shown if evidence is not None), None)
        records.append(
            {
                "id": relation.id(ids),
                "short_id": i,
                "source_id": source,
                "target_id": target,
                "type": relation.type,
                "description": relation.description,
                "weight": relation.weight,
                "npmi": relation.npmi,
                "evidence": None if first is None else evidence_text(units, first),
                "combined_degree": 0,
            }
        )
    return table_frame(schema.RELATIONSHIPS, records)


def relationship_mention_frame(
    relations: Sequence[Relation],
    ids: Sequence[str],
    chunks: pd.DataFrame,
    units: Sequence[Unit],
) -> pd.DataFrame:
    """Give the table of chunks that show each relationship."""
    chunk_ids = chunks["id"].tolist()
    return table_frame(
        schema.RELATIONSHIP_MENTIONS,
        [
            {
                "relationship_id": relation.id(ids),
                "chunk_id": chunk_ids[chunk],
                "mention_count": count,
                "evidence_start": evidence.start if _placed(evidence, units) else None,
                "evidence_end": evidence.end if _placed(evidence, units) else None,
            }
            for relation in relations
            for chunk, (count, evidence) in sorted(relation.chunks.items())
        ],
    )


def _placed(evidence: Evidence | None, units: Sequence[Unit]) -> TypeGuard[Evidence]:
    return evidence is not None and units[evidence.unit].placed


def entity_texts(entities: pd.DataFrame) -> list[str]:
    """Give what is embedded of each entity: `name: description`, or the name alone.

    >>> entity_texts(pd.DataFrame({"name": ["Redis", "Kafka"], "description": ["A store.", ""]}))
    ['Redis: A store.', 'Kafka']
    """
    pairs = zip(entities["name"], entities["description"], strict=True)
    return [f"{name}: {text}" if text else name for name, text in pairs]


def entity_vectors(entities: pd.DataFrame, embedder: Embedder | None) -> dict[str, Any]:
    """Give the vectors of entities by table; none without an embedder."""
    if embedder is None:
        return {}
    return {"entities": embedder.encode(entity_texts(entities), "entities")}
