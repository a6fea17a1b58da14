"""The tables of a Microsoft GraphRAG index in, frames of the schema and their faults out.

Foreign ids are kept, `human_readable_id` becomes short_id, and titles that relationships and
claims point at become entity ids; a title without an entity row becomes `missing:TITLE`, so that
clustering `as_shipped` sees the same phantoms as Microsoft's. Ids that point nowhere otherwise are
left out, and listed with the faults.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from workbench import schema
from workbench.frames import table_frame
from workbench.graph.degrees import PHANTOM, with_degrees
from workbench.ids import normalize_name
from workbench.interop.communities_read import read_communities
from workbench.interop.corpus_read import known_pairs, lost_references, read_corpus_tables, unique
from workbench.interop.faults import EMPTY, Faults, find_faults
from workbench.interop.graphrag_files import RawIndex, read_files

UNTYPED = "related_to"


@dataclass(frozen=True)
class ReadIndex:
    """An index as frames of the schema, by table; `rejected` among them lists what is wrong.

    `report_ids` gives the community of each report by the id that Microsoft's report has.
    """

    raw: RawIndex
    frames: dict[str, pd.DataFrame]
    report_ids: dict[str, str]


def read_graphrag(folder: str | Path) -> dict[str, pd.DataFrame]:
    """Read an output folder; keys are table names of the schema (vectors are left out).

    documents, chunks, entities, entity_mentions, relationships, relationship_mentions, communities,
    community_members, community_reports and claims; the last four are empty where their file is
    absent. Raises InputError as `read_files` does, and for an id that two rows have.
    """
    frames = read_index(folder).frames
    return {name: frame for name, frame in frames.items() if name != "rejected"}


def read_index(folder: str | Path) -> ReadIndex:
    """Read an output folder of any version, with its faults."""
    raw, faults = read_files(folder), Faults()
    _absent(raw, faults)
    lost_references(raw, faults)
    frames = read_corpus_tables(raw, faults)
    chunks = set(frames["chunks"]["id"])
    rows = _entity_rows(raw, faults)
    titles = rows.drop_duplicates("title").set_index("title")["id"]  # the first row wins
    links = _relationship_rows(raw, faults)
    mentions = _mentions(rows, schema.ENTITY_MENTIONS, "entity_id", chunks, faults)
    entities = _entities(rows, mentions)
    relationships = _relationships(links, titles)
    counted = with_degrees(entities, relationships, "as_shipped")
    frames |= {
        "entities": entities.fillna({"degree": counted[0]["degree"]}),
        "entity_mentions": mentions,
        "relationships": relationships.fillna({"combined_degree": counted[1]["combined_degree"]}),
        "relationship_mentions": _mentions(
            links, schema.RELATIONSHIP_MENTIONS, "relationship_id", chunks, faults
        ),
    }
    communities, report_ids = read_communities(raw, set(rows["id"]), faults)
    frames |= communities
    frames["claims"] = _claims(raw, titles, chunks, faults)
    find_faults(frames, faults)
    frames = {name: _typed(name, frame) for name, frame in frames.items()}
    return ReadIndex(raw, {**frames, "rejected": faults.frame()}, report_ids)


def _typed(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    return table_frame(schema.BY_NAME[name], frame)


def _absent(raw: RawIndex, faults: Faults) -> None:
    for table in ("communities", "community_reports"):
        if table not in raw.tables:
            reason = f"the index has no table {table}: queries that need it find nothing"
            faults.add("missing_table", table, reason, table=table)
    if raw.settings.fault:
        reason = "the settings cannot be read: sizes and types are not known"
        faults.add("unreadable_settings", raw.settings.fault, reason, table="settings")


def _numbered(rows: pd.DataFrame, table: str, faults: Faults) -> pd.Series:
    """Give each row its human_readable_id, or all of them their place where it tells nothing."""
    numbers = rows["human_readable_id"]
    if numbers.notna().all() and not numbers.duplicated().any():
        return numbers
    if numbers.notna().any():
        reason = "human_readable_id is missing or stands twice: rows are numbered in their order"
        faults.add("unclear_numbers", table, reason, table=table)
    return pd.Series(np.arange(len(rows)), index=rows.index, dtype="Int64")


def _entity_rows(raw: RawIndex, faults: Faults) -> pd.DataFrame:
    rows = unique(raw, "entities", ["title", "type", "description"], faults)
    empty = rows["title"].fillna("").str.strip() == ""
    for id_ in rows["id"][empty]:
        faults.add(
            "empty_title", id_, "an entity without a title is left out", table="entities", id_=id_
        )
    rows = rows[~empty].reset_index(drop=True)
    return rows.assign(short_id=_numbered(rows, "entities", faults))


def _entities(rows: pd.DataFrame, mentions: pd.DataFrame) -> pd.DataFrame:
    grouped = mentions.groupby("entity_id")["mention_count"]
    return table_frame(
        schema.ENTITIES,
        rows[["id", "short_id", "degree"]].assign(
            name=rows["title"],
            normalized_name=[normalize_name(name) for name in rows["title"]],
            type=rows["type"].fillna(""),
            description=rows["description"].fillna(""),
            mention_count=rows["id"].map(grouped.sum()).fillna(0).astype("int64"),
            chunk_count=rows["id"].map(grouped.size()).fillna(0).astype("int64"),
        ),
    )


def _relationship_rows(raw: RawIndex, faults: Faults) -> pd.DataFrame:
    rows = unique(raw, "relationships", ["source", "target", "description"], faults)
    open_ = rows[["source", "target"]].fillna("").eq("").any(axis=1)
    for id_ in rows["id"][open_]:
        faults.add(
            "dangling_relationship",
            id_,
            "it has no source or no target, and is left out",
            table="relationships",
            id_=id_,
        )
    rows = rows[~open_].reset_index(drop=True)
    weightless = ~np.isfinite(rows["weight"].astype("float64"))
    for row in rows[weightless].itertuples(index=False):
        faults.add(
            "no_weight",
            f"{row.source} → {row.target}",
            "its weight is taken as 1",
            table="relationships",
            id_=row.id,
        )
    rows["weight"] = rows["weight"].where(~weightless, 1.0)
    return rows.assign(short_id=_numbered(rows, "relationships", faults))


def _relationships(rows: pd.DataFrame, titles: pd.Series) -> pd.DataFrame:
    return table_frame(
        schema.RELATIONSHIPS,
        rows[["id", "short_id", "weight", "combined_degree"]].assign(
            source_id=_ids(rows["source"], titles),
            target_id=_ids(rows["target"], titles),
            type=UNTYPED,
            description=rows["description"].fillna(""),
        ),
    )


def _ids(names: pd.Series, titles: pd.Series) -> pd.Series:
    """Turn titles into entity ids, those without an entity row into `missing:TITLE`."""
    return names.map(titles).astype("str").where(names.isin(titles.index), PHANTOM + names)


def _mentions(
    rows: pd.DataFrame, table: schema.Table, owner: str, chunks: set[str], faults: Faults
) -> pd.DataFrame:
    pairs = pd.DataFrame({owner: rows["id"], "chunk_id": rows["text_unit_ids"]}).explode("chunk_id")
    pairs = known_pairs(pairs.dropna(), "chunk_id", chunks, f"{table.name} of", "text unit", faults)
    counts = pairs.groupby([owner, "chunk_id"], sort=False).size()
    return table_frame(table, counts.rename("mention_count").reset_index())


def _claims(raw: RawIndex, titles: pd.Series, chunks: set[str], faults: Faults) -> pd.DataFrame:
    if "covariates" not in raw.tables:
        return table_frame(schema.CLAIMS)
    rows = unique(raw, "covariates", ["subject_id", "description", "text_unit_id"], faults)
    rows["short_id"] = _numbered(rows, "covariates", faults)
    rows = rows.rename(columns={"text_unit_id": "chunk_id"}).drop(columns="human_readable_id")
    for column in ("object_id", "start_date", "end_date", "subject_id", "description"):
        rows[column] = rows[column].where(~rows[column].isin(EMPTY), None)
    for end in ("subject_id", "object_id"):
        known = rows[end].notna()
        rows[end] = _ids(rows[end].fillna(""), titles).where(known, None)
    lost = rows["chunk_id"].notna() & ~rows["chunk_id"].isin(chunks)
    for row in rows[lost].itertuples(index=False):
        faults.add(
            "points_nowhere",
            row.chunk_id,
            f"claim {row.short_id} rests on it, but no text unit has this id",
            table="covariates",
            id_=row.id,
        )
    rows["chunk_id"] = rows["chunk_id"].where(~lost, None)
    return table_frame(schema.CLAIMS, rows)
