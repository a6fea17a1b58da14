"""What was found in, the frames and vectors of an extraction out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from workbench import schema
from workbench.extraction import output
from workbench.extraction.cast import Cast, cast_of, link_relations
from workbench.extraction.keys import key
from workbench.extraction.people import without_title
from workbench.extraction.relations import Relation, Row, cooccurrences, in_order
from workbench.extraction.result import Extraction
from workbench.extraction.select import best_surface
from workbench.frames import table_frame
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams

if TYPE_CHECKING:
    from workbench.extraction.heuristic import Found


def assemble(
    found: Found, chunks: pd.DataFrame, embedder: Embedder | None, params: ExtractParams
) -> Extraction:
    """Make the tables of a run, without degrees."""
    cast = cast_of(found)
    relations, dropped = cooccurrences(
        pairable(cast), found.sentences, len(cast.everyone), len(chunks), params.min_pair_npmi
    )
    relations += link_relations(found, cast.links, cast.rows, cast.row_of)
    return frames(found, cast, relations, dropped_records(found, dropped, chunks), chunks, embedder)


def pairable(cast: Cast) -> list[Row]:
    """Give the rows that may co-occur: those of names that stand in the text."""
    return [
        row for row in cast.rows if cast.everyone[row.entity].type != "document" and row.start >= 0
    ]


def frames(
    found: Found,
    cast: Cast,
    relations: Iterable[Relation],
    rejected: Sequence[Mapping[str, Any]],
    chunks: pd.DataFrame,
    embedder: Embedder | None,
) -> Extraction:
    """Write a cast and its relationships as the tables of a run."""
    ids = cast.ids
    relations = in_order(relations, ids)
    entities = output.entity_frame(cast.everyone, cast.rows)
    return Extraction(
        entities=entities,
        entity_aliases=output.alias_frame(cast.everyone),
        entity_mentions=output.mention_frame(cast.rows, ids, chunks, found.units),
        relationships=output.relationship_frame(relations, ids, found.units),
        relationship_mentions=output.relationship_mention_frame(
            relations, ids, chunks, found.units
        ),
        rejected=rejected_frame(rejected),
        vectors=output.entity_vectors(entities, embedder),
    )


def dropped_records(
    found: Found, dropped: Mapping[str, int], chunks: pd.DataFrame
) -> list[dict[str, Any]]:
    """Give the rows of `rejected` for candidates, phrases and pairs that a rule dropped."""
    chunk_ids = chunks["id"].tolist()
    records: list[dict[str, Any]] = []
    surfaces = [best_surface(candidate) for candidate in found.candidates]
    kept = {key(name) for surface in surfaces for name in (surface, without_title(surface))}
    for candidate, why in found.rejected:
        if candidate.key in kept:
            continue  # `William McKinley`, only seen as `President William McKinley`
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
        if key(" ".join(phrase)) in kept:
            continue  # no phrase by its own strength, but a name by another sign
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
    return records


def rejected_frame(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Give the table of what was dropped, by stage, item and rule."""
    columns = ("stage", "item", "rule", "chunk_id", "raw")
    rows = sorted(records, key=lambda r: tuple(r.get(column) or "" for column in columns))
    return table_frame(schema.REJECTED, rows)


def with_rejected(made: Extraction, records: Sequence[Mapping[str, Any]]) -> Extraction:
    """Add what a later step dropped to the table of an extraction."""
    both = pd.concat([made.rejected, rejected_frame(records)], ignore_index=True)
    return replace(made, rejected=table_frame(schema.REJECTED, both))
