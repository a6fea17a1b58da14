"""The tables of several runs and who survives in, the rows of their union out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from workbench import schema
from workbench.extraction.relations import UNDIRECTED
from workbench.extraction.survivors import Survivor
from workbench.frames import table_frame
from workbench.ids import normalize_name, relationship_id

Tables = Mapping[str, pd.DataFrame]  # a run's, by name
Survives = Callable[[int, str, str], int]  # run, entity, chunk -> group


@dataclass
class Mention:
    """An entity in a chunk: occurrences by run, characters of the first, signals."""

    counts: dict[int, int] = field(default_factory=dict)
    span: tuple[int, int] | None = None
    signals: set[str] = field(default_factory=set)


def mentions_of_runs(runs: Sequence[Tables], survivor: Survives) -> dict[tuple[int, str], Mention]:
    """Give each entity in each chunk; what two runs saw counts once."""
    found: dict[tuple[int, str], Mention] = {}
    for n, tables in enumerate(runs):
        rows = tables["entity_mentions"].itertuples(index=False, name=None)
        for entity, chunk, count, start, end, signals in rows:
            one = found.setdefault((survivor(n, entity, chunk), chunk), Mention())
            one.counts[n] = one.counts.get(n, 0) + int(count)
            one.signals.update(str(signals).split(","))
            if not pd.isna(start) and (one.span is None or start < one.span[0]):
                one.span = int(start), int(end)
    return found


def ranked(
    survivors: Mapping[int, Survivor], mentions: Mapping[tuple[int, str], Mention]
) -> dict[int, Survivor]:
    """Order by falling mentions, then by name and type: the order of short ids."""
    counts = dict.fromkeys(survivors, 0)
    for (root, _), one in mentions.items():
        counts[root] += max(one.counts.values())
    order = sorted(survivors, key=lambda i: (-counts[i], survivors[i].name, survivors[i].type))
    return {root: survivors[root] for root in order}


def entity_frame(
    rows: Sequence[Survivor],
    chosen: Mapping[int, Survivor],
    mentions: Mapping[tuple[int, str], Mention],
) -> pd.DataFrame:
    """Give the table of entities, without degrees; `chosen` has them by their group."""
    counts: dict[str, int] = {}
    chunks: dict[str, set[str]] = {}
    for (root, chunk), one in mentions.items():
        id_ = chosen[root].id
        counts[id_] = counts.get(id_, 0) + max(one.counts.values())
        chunks.setdefault(id_, set()).add(chunk)
    return table_frame(
        schema.ENTITIES,
        [
            {
                "id": one.id,
                "short_id": n,
                "name": one.name,
                "normalized_name": normalize_name(one.name),
                "type": one.type,
                "description": one.description,
                "mention_count": counts[one.id],
                "chunk_count": len(chunks[one.id]),
                "degree": 0,
                "confidence": one.confidence,
            }
            for n, one in enumerate(rows)
        ],
    )


def mention_frame(
    mentions: Mapping[tuple[int, str], Mention], ids: Mapping[int, str], chunks: pd.DataFrame
) -> pd.DataFrame:
    """Give the table of mentions, in the order of entities and chunks."""
    place = {id_: n for n, id_ in enumerate(chunks["id"])}
    rank = {id_: n for n, id_ in enumerate(ids.values())}
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for (root, chunk), one in mentions.items():
        row = {
            "entity_id": ids[root],
            "chunk_id": chunk,
            "mention_count": max(one.counts.values()),
            "start_char": one.span[0] if one.span else None,
            "end_char": one.span[1] if one.span else None,
            "signals": ",".join(sorted(one.signals)),
        }
        before = rows.setdefault((ids[root], chunk), row)
        if before is not row:
            before["mention_count"] += row["mention_count"]
    order = sorted(rows, key=lambda pair: (rank[pair[0]], place[pair[1]]))
    return table_frame(schema.ENTITY_MENTIONS, [rows[pair] for pair in order])


def relations_of_runs(
    runs: Sequence[Tables], survivor: Survives, ids: Mapping[int, str]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give relationships and their chunks, with the ends that survive in each chunk's document."""
    found: dict[str, dict[str, Any]] = {}
    shown: dict[tuple[str, str], dict[str, Any]] = {}
    for n, tables in enumerate(runs):
        known = {row.id: row for row in tables["relationships"].itertuples(index=False)}
        rows = tables["relationship_mentions"]
        totals = rows.groupby("relationship_id")["mention_count"].sum().to_dict()
        for id_, chunk, count, start, end in rows.itertuples(index=False, name=None):
            old = known[id_]
            ends = [ids.get(survivor(n, end, chunk)) for end in (old.source_id, old.target_id)]
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                continue
            directed = old.type not in UNDIRECTED
            source, target = ends if directed else sorted(ends)
            new = relationship_id(source, target, old.type, directed=directed)
            row = found.setdefault(new, _relation(new, source, target, old))
            row["weight"] += old.weight * count / totals[id_]
            row["description"] = row["description"] or old.description
            row["evidence"] = row["evidence"] or old.evidence
            place = {
                "relationship_id": new,
                "chunk_id": chunk,
                "mention_count": 0,
                "evidence_start": start,
                "evidence_end": end,
            }
            shown.setdefault((new, chunk), place)["mention_count"] += count
    for row in found.values():
        if row["type"] in UNDIRECTED:
            row["weight"] = 0.0
    for id_, _ in shown:
        if found[id_]["type"] in UNDIRECTED:
            found[id_]["weight"] += 1.0
    order = sorted(found.values(), key=lambda r: (r["type"], -round(r["weight"], 6), r["id"]))
    rank = {row["id"]: n for n, row in enumerate(order)}
    for row in order:
        row.update(short_id=rank[row["id"]], weight=round(row["weight"], 6))
    places = sorted(shown.values(), key=lambda p: rank[p["relationship_id"]])
    return table_frame(schema.RELATIONSHIPS, order), table_frame(
        schema.RELATIONSHIP_MENTIONS, places
    )


def _relation(id_: str, source: str, target: str, old: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "source_id": source,
        "target_id": target,
        "type": old.type,
        "description": "",
        "weight": 0.0,
        "npmi": None if pd.isna(old.npmi) else old.npmi,
        "evidence": None,
        "combined_degree": 0,
    }
