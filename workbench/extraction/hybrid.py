"""Documents and chunks in, entities and typed relationships out: one call a document.

The heuristic mode proposes, the model keeps, rejects, retypes, describes, adds and relates. What it
rejects, or does not name, is gone from that document, with a reason. A relationship needs words of
the text as evidence, and one of its ends has to stand in them. Links stay, as structure of the
text; co-occurrences do not. A document without a usable reply has its heuristic result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from workbench.extraction.acronyms import Definition
from workbench.extraction.cast import Cast, cast_of, link_relations
from workbench.extraction.heuristic import Found, find_entities
from workbench.extraction.hybrid_plan import Plan, plan
from workbench.extraction.hybrid_verdicts import Judged, judge, relationships
from workbench.extraction.merging import Merged, merge, relate
from workbench.extraction.readings import Reading
from workbench.extraction.relations import Relation, cooccurrences
from workbench.extraction.result import Extraction
from workbench.extraction.setting import Setting
from workbench.extraction.tables import dropped_records, frames, pairable
from workbench.extraction.trouble import warnings_of
from workbench.models.calls import Caller, Outcome
from workbench.models.embedding import Embedder
from workbench.params import ExtractParams, LanguageParams

_DESCRIPTION = 500  # characters of what several documents say of one entity


def extract_hybrid(
    documents: pd.DataFrame,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams,
    jobs: int | None = None,
    *,
    caller: Caller,
    language: LanguageParams,
) -> Extraction:
    """Extract a corpus; calls that fail leave a row of `rejected` (stage hybrid, rule fallback)."""
    found = find_entities(documents, chunks, embedder, params, jobs)
    setting = Setting.of(language, caller.model)
    planned = plan(found, setting)
    outcomes = caller.ask_all(planned.requests, "hybrid")
    judged = judge(found, planned, outcomes, setting)
    return _tables(found, planned, outcomes, judged, chunks, embedder, params, setting)


def _tables(
    found: Found,
    planned: Plan,
    outcomes: Sequence[Outcome],
    judged: Judged,
    chunks: pd.DataFrame,
    embedder: Embedder | None,
    params: ExtractParams,
    setting: Setting,
) -> Extraction:
    refusals = list(judged.refusals)
    ties, more = relationships(found, planned, outcomes, judged, setting, refusals.append)
    readings = judged.readings + more
    merged = merge(
        readings,
        found.units,
        _definitions(found),
        embedder,
        params,
        found.signals,
        found.sentences,
    )
    cast = cast_of(merged.found)
    for row, texts in merged.describe(cast).items():
        if texts:
            cast.everyone[row].description = joined(texts)
    relations, said = relate(ties, merged, cast, refusals.append)
    for relation, texts in zip(relations, said, strict=True):
        relation.description = joined(texts)
    relations += link_relations(merged.found, cast.links, cast.rows, cast.row_of)
    relations += _of_fallbacks(merged, cast, judged.fallen, len(chunks), params)
    ids = chunks["id"].tolist()
    rows = [*_dropped(found, readings, chunks), *(refusal.row(ids) for refusal in refusals)]
    made = frames(merged.found, cast, relations, rows, chunks, embedder)
    kept = len(judged.readings) if judged.named else 0
    told = warnings_of("hybrid", outcomes, judged.named, kept, len(made.entities))
    return replace(made, warnings=tuple(told), calls=_calls(planned, outcomes, judged))


def joined(texts: Sequence[str]) -> str:
    """Give several descriptions as one, as far as they fit.

    >>> joined(["A tool.", "Made by Docker, Inc."])
    'A tool. Made by Docker, Inc.'
    """
    whole = texts[0] if texts else ""
    for text in texts[1:]:
        if len(whole) + len(text) < _DESCRIPTION:
            whole = f"{whole} {text}"
    return whole


def _definitions(found: Found) -> list[list[Definition]]:
    """Give the acronyms of each document."""
    by_document: list[list[Definition]] = [[] for _ in range(max(found.documents, default=-1) + 1)]
    for document, seen in zip(found.documents, found.signals, strict=True):
        by_document[document] += seen.definitions
    return by_document


def _of_fallbacks(
    merged: Merged, cast: Cast, fallen: frozenset[int], chunks: int, params: ExtractParams
) -> list[Relation]:
    """Give what co-occurs in documents that have their heuristic result."""
    rows = [row for row in pairable(cast) if row.unit in fallen]
    if not rows:
        return []
    bounds = merged.found.sentences
    return cooccurrences(rows, bounds, len(cast.everyone), chunks, params.min_pair_npmi)[0]


def _dropped(
    found: Found, readings: Sequence[Reading], chunks: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    """Give what the heuristic mode dropped and the model did not take up."""
    taken = {reading.key for reading in readings}
    left = [(candidate, why) for candidate, why in found.rejected if candidate.key not in taken]
    yield from dropped_records(replace(found, rejected=left), {}, chunks)


def _calls(planned: Plan, outcomes: Sequence[Outcome], judged: Judged) -> dict[str, int]:
    units = {task.unit for task in planned.tasks}
    return {
        "requests": len(outcomes),
        "usable": sum(outcome.status == "ok" for outcome in outcomes),
        "windows": len(planned.tasks) - len(units),
        "fallback": len(judged.fallen),
    }
