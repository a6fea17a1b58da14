"""Chunks in, entities and typed relationships out: two calls a chunk.

Entities first, then, where there are two or more, their relationships; between them, if asked for,
gleanings of what was missed. Descriptions are collected over all chunks and summarised. A chunk
whose entities cannot be had has those of the heuristic mode.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from workbench.extraction.acronyms import Definition, definitions
from workbench.extraction.cast import Cast, cast_of
from workbench.extraction.descriptions import summarise
from workbench.extraction.grounding import Refusal
from workbench.extraction.heuristic import Found, document_numbers, find_entities
from workbench.extraction.llm_chunks import (
    Piece,
    ask_entities,
    ask_relationships,
    glean,
    pieces_of,
)
from workbench.extraction.merging import Merged, merge, relate
from workbench.extraction.readings import Occurrence, Reading, Tie
from workbench.extraction.relations import Relation, cooccurrences
from workbench.extraction.result import Extraction
from workbench.extraction.setting import Setting
from workbench.extraction.tables import frames, pairable
from workbench.extraction.trouble import warnings_of
from workbench.extraction.units import Unit, units_of
from workbench.models.calls import Caller
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams, LanguageParams


def extract_llm(
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams,
    jobs: int | None = None,
    *,
    caller: Caller,
    language: LanguageParams,
) -> Extraction:
    """Extract a corpus; a chunk without usable entities leaves a row of `rejected` (fallback)."""
    setting = Setting.of(language, caller.model)
    units = units_of(documents, chunks)
    pieces = pieces_of(units, setting)
    refusals: list[Refusal] = []
    outcomes = ask_entities(pieces, caller, setting, refusals.append)
    for number in range(language.gleanings):
        glean(pieces, number, caller, setting, refusals.append)
    named = sum(piece.named for piece in pieces)
    own = [reading for piece in pieces for reading in piece.readings]
    fallen = [p for p, outcome in zip(pieces, outcomes, strict=True) if outcome.status != "ok"]
    heuristic = find_entities(documents, chunks, embedder, params, jobs) if fallen else None
    helped = _heuristic_readings(fallen, heuristic, setting, refusals) if heuristic else []
    ties, more, related = ask_relationships(pieces, caller, setting, refusals.append)
    merged = merge(
        own + helped + more,
        units,
        _definitions(units),
        embedder,
        params,
        sentences=heuristic.sentences if heuristic else None,
    )
    cast = cast_of(merged.found)
    relations = _related(merged, cast, ties, caller, setting, refusals)
    relations += _of_fallbacks(merged, cast, fallen, len(chunks), params)
    ids = chunks["id"].tolist()
    made = frames(merged.found, cast, relations, [r.row(ids) for r in refusals], chunks, embedder)
    told = warnings_of("llm", outcomes + related, named, len(own), len(made.entities))
    calls = {
        "requests": len(outcomes),
        "usable": len(outcomes) - len(fallen),
        "windows": len(pieces) - len({piece.scope.chunk for piece in pieces}),
        "fallback": len(fallen),
    }
    return replace(made, warnings=tuple(told), calls=calls)


def _related(
    merged: Merged,
    cast: Cast,
    ties: Sequence[Tie],
    caller: Caller,
    setting: Setting,
    refusals: list[Refusal],
) -> list[Relation]:
    """Give the relationships, and describe them and the entities by what replies said."""
    relations, said = relate(ties, merged, cast, refusals.append)
    of_entities = merged.describe(cast)
    names = [survivor.name for survivor in cast.everyone]
    items = [(names[row], texts) for row, texts in of_entities.items()]
    items += [
        (f"{names[relation.source]} {relation.type} {names[relation.target]}", texts)
        for relation, texts in zip(relations, said, strict=True)
    ]
    summaries = summarise(items, caller, setting, refusals.append)
    for row, summary in zip(of_entities, summaries[: len(of_entities)], strict=True):
        cast.everyone[row].description = summary or cast.everyone[row].description
    for relation, summary in zip(relations, summaries[len(of_entities) :], strict=True):
        relation.description = summary
    return relations


def _definitions(units: Sequence[Unit]) -> list[list[Definition]]:
    """Give the acronyms that each document defines."""
    numbers = document_numbers(list(units))
    found: list[list[Definition]] = [[] for _ in range(max(numbers, default=-1) + 1)]
    for number, unit in zip(numbers, units, strict=True):
        for start, end, _ in unit.chunks:
            found[number] += definitions(unit.text, start, end)
    return found


def _heuristic_readings(
    fallen: Sequence[Piece], found: Found, setting: Setting, refusals: list[Refusal]
) -> list[Reading]:
    """Give what the heuristic mode has found in chunks whose replies cannot be used."""
    readings = []
    by_unit: dict[int, list[Piece]] = {}
    for piece in fallen:
        by_unit.setdefault(piece.scope.unit, []).append(piece)
    for mention in found.mentions:
        for piece in by_unit.get(mention.unit, ()):
            begin = piece.scope.offset
            if begin <= mention.start and mention.end <= begin + len(piece.scope.grounds.text):
                place = (Occurrence(mention.start, mention.end, mention.signals),)
                type_ = found.types[mention.candidate]
                kind = setting.types.of(type_)
                key = found.candidates[mention.candidate].key
                readings.append(Reading(mention.unit, key, kind.name if kind else type_, "", place))
                break
    for piece in fallen:
        unit = found.units[piece.scope.unit]
        reason = f"no usable reply, the heuristic result stands: {piece.error}"
        item = f"{unit.path or unit.document_id} from character {piece.scope.offset}"
        refusals.append(Refusal("entities", item, "fallback", reason, piece.scope.chunk, piece.raw))
    return readings


def _of_fallbacks(
    merged: Merged, cast: Cast, fallen: Sequence[Piece], chunks: int, params: ExtractParams
) -> list[Relation]:
    """Give what co-occurs in chunks that have their heuristic result."""
    numbers = {piece.scope.chunk for piece in fallen}
    rows = [row for row in pairable(cast) if row.chunk in numbers]
    if not rows:
        return []
    bounds = merged.found.sentences
    return cooccurrences(rows, bounds, len(cast.everyone), chunks, params.min_pair_npmi)[0]
