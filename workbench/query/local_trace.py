"""A local context in, the tables of its steps out: every candidate, and why it is not in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from workbench.query.local_context import LocalContext
from workbench.query.local_lines import Key
from workbench.query.local_section import Section
from workbench.query.local_select import Selection
from workbench.query.local_world import LocalWorld
from workbench.query.trace import FIRST, LAST, Recorder

KINDS = {
    "history": "turn",
    "reports": "report",
    "entities": "entity",
    "relationships": "relationship",
    "claims": "claim",
    "sources": "chunk",
}
MEANINGS = {
    "history": "earlier questions of this conversation",
    "reports": "reports of communities that hold selected entities, by how many, then by rank",
    "entities": "the table of selected entities, in order of selection",
    "relationships": "in-network first, then out-network by links and rank, as the selection grows",
    "claims": "claims about selected entities, in order of selection",
    "sources": "chunks by their first entity, then by the relationships of it that they show",
}


def record_local(
    record: Recorder, world: LocalWorld, selection: Selection, context: LocalContext
) -> None:
    """Take down the steps of local search; their tables are built when somebody looks."""
    record.step(
        "entities",
        "entities included, named in the question, or nearest to it by their description",
        lambda: _selection(world, selection, context),
    )
    remaining = 0
    for name, section in context.sections.items():
        if name == "history" and not section.entries:
            continue
        allowed = section.allowed
        if name in ("relationships", "claims"):  # what the tables before them left of the share
            allowed = remaining
        remaining = allowed - section.tokens
        record.step(
            "entity_table" if name == "entities" else name,
            MEANINGS[name],
            lambda section=section: _table(world, context, section),
            section=name,
            allowed=allowed,
            heading_tokens=section.opening_tokens,
        )


def context_rows(world: LocalWorld, context: LocalContext) -> pd.DataFrame:
    """Give kind, id, short_id, label and text of all that is in context: the chunks first."""
    texts = {(part.section, part.id): part.text for part in context.parts if part.kind == "row"}
    rows: dict[tuple[str, str], tuple] = {}
    for name in ("sources", "reports", "entities", "relationships", "claims"):
        for key in context.sections[name].kept:
            at = name, world.id_of(name, key)
            rows[at] = (KINDS[name], at[1], *_called(world, name, key), texts[at])
    columns = ["kind", "id", "short_id", "label", "text"]
    frame = pd.DataFrame(list(rows.values()), columns=columns, dtype=object)
    return frame.astype({"short_id": "int64"})


def _selection(world: LocalWorld, selection: Selection, context: LocalContext) -> pd.DataFrame:
    table, lines = context.sections["entities"], world.lines["entities"]
    inside = {key[0] for key in table.kept}
    frame = selection.candidates
    rows = frame["entity_row"].tolist()
    reasons = [
        reason or ("" if row in inside else "budget")
        for row, reason in zip(rows, frame["reason"], strict=True)
    ]
    scores = frame.drop(columns=["entity_row", "reason"])
    return _framed(world, "entities", [(row,) for row in rows], reasons, scores, lines)


def _table(world: LocalWorld, context: LocalContext, section: Section) -> pd.DataFrame:
    entries = [*section.entries, *_beyond(world, context, section)]
    keys, reasons = [key for key, _ in entries], [reason for _, reason in entries]
    scores = _scores(world, context, section.name, keys)
    return _framed(world, section.name, keys, reasons, scores, section.lines)


def _beyond(
    world: LocalWorld, context: LocalContext, section: Section
) -> Iterable[tuple[Key, str]]:
    """Give what entities behind the last one that fits would have brought in."""
    later = context.entities[context.grown :]
    if section.name == "claims":
        ids = world.ids["entities"]
        rows = [row for entity in later for row in world.claims_of.get(ids[entity], ())]
        return [((row,), "budget") for row in dict.fromkeys(rows)]
    if section.name != "relationships" or not later:
        return []
    whole = context.near.ranking(len(context.entities), context.top_k_relationships)
    listed = {key[0] for key, _ in section.entries}
    numbered = enumerate(zip(whole.rows.tolist(), whole.links.tolist(), strict=True))
    return [
        ((row, links or ""), "budget" if at < whole.kept else "top_k")
        for at, (row, links) in numbered
        if row not in listed
    ]


def _scores(
    world: LocalWorld, context: LocalContext, name: str, keys: Sequence[Key]
) -> pd.DataFrame:
    """Give the scores by which a section was ordered, for each key."""
    rows = [key[0] for key in keys]
    if name == "reports":
        index = world.index
        return pd.DataFrame(
            {
                "matches": [context.matches.get(row, 0) for row in rows],
                "rank": world.report_ranks[rows],
                "level": index.reports["level"].to_numpy()[rows],
            }
        )
    if name == "relationships":
        return _relationship_scores(world, context, keys)
    if name == "claims":
        return pd.DataFrame({"entity": [_subject(world, row) for row in rows]})
    if name == "sources":
        order = context.sources
        entities = [str(world.names[context.entities[place - 1]]) for place in order[:, 1]]
        return pd.DataFrame(
            {
                "entity": entities,
                "entity_order": order[:, 1],
                "shared_relationships": order[:, 2],
            }
        )
    return pd.DataFrame(index=range(len(rows)))


def _relationship_scores(
    world: LocalWorld, context: LocalContext, keys: Sequence[Key]
) -> pd.DataFrame:
    near, rows = context.near, np.array([key[0] for key in keys], np.int64)
    places = np.searchsorted(near.rows, rows)
    entered, enclosed = near.entered[places], near.enclosed[places]
    size = np.where(entered <= context.grown, context.grown, len(context.entities))
    frame = world.index.relationships.iloc[rows]
    return pd.DataFrame(
        {
            "source": frame["source"].tolist(),
            "target": frame["target"].tolist(),
            "network": np.where(enclosed <= size, "in", "out"),
            "links": pd.array([(key[1:] or ("",))[0] or None for key in keys], dtype="Int64"),
            "rank": world.relationship_scores["rank"][rows],
            "weight": world.relationship_scores["weight"][rows],
            "prefix": entered,
        }
    )


def _subject(world: LocalWorld, row: int) -> str:
    row = world.index.entity_row_of[world.index.claims["subject_id"].iat[row]]
    return str(world.names[row])


def _framed(
    world: LocalWorld, name: str, keys: Sequence[Key], reasons: Sequence[str],
    scores: pd.DataFrame, lines: Any,
) -> pd.DataFrame:  # fmt: skip
    named = [_called(world, name, key) for key in keys]
    frame = pd.DataFrame(
        {
            "kind": KINDS[name],
            "id": [world.id_of(name, key) for key in keys],
            "short_id": pd.array([short for short, _ in named], dtype="Int64"),
            "label": [label for _, label in named],
            **{column: scores[column].array for column in scores},
            "order": range(1, len(keys) + 1),
            "tokens": pd.array([lines.tokens(key) for key in keys], dtype="Int64"),
            "in_context": np.array([not reason for reason in reasons], bool),
            "cut_reason": list(reasons),
            "text": [lines.text(key) for key in keys],
        }
    )
    return frame[[*FIRST, *scores.columns, *LAST]]


def _called(world: LocalWorld, name: str, key: Key) -> tuple[int, str]:
    """Give the short id and the label of a row."""
    if name == "history":
        return key
    short, *parts = (column[key[0]] for column in world.labels[name])
    between = " → " if name == "relationships" else " > "
    return int(short), between.join(str(part) for part in parts if part)
