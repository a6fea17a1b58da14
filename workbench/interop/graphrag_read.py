"""A folder of Microsoft GraphRAG v3 parquet tables in, frames of the schema out.

Foreign ids are kept, `human_readable_id` becomes short_id, and titles that relationships and
claims point at become entity ids; a title without an entity row becomes `missing:TITLE`, so that
clustering `as_shipped` sees the same phantoms as Microsoft's. Nothing is computed anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd

from workbench import schema
from workbench.errors import InputError
from workbench.frames import table_frame
from workbench.graph.degrees import PHANTOM
from workbench.ids import content_hash, normalize_name

REQUIRED = ("documents", "text_units", "entities", "relationships")
OPTIONAL = ("communities", "community_reports", "covariates")
NOTHING = ("", "NONE")  # how a claim says that it has no object or no date


def read_graphrag(folder: str | Path) -> dict[str, pd.DataFrame]:
    """Read an output folder; keys are table names of the schema (spans and vectors stay null).

    documents, chunks, entities, entity_mentions, relationships, relationship_mentions, communities,
    community_members, community_reports and claims; the last four are empty where their file is
    absent. Raises InputError that names the required files or columns that are missing.
    """
    raw = _read_files(Path(folder))
    titles = raw["entities"].drop_duplicates("title").set_index("title")["id"]  # the first row wins
    documents = _documents(raw["documents"])
    frames = {
        "documents": documents,
        "chunks": _chunks(raw["text_units"], documents),
        "entities": _entities(raw["entities"]),
        "entity_mentions": _mentions(raw["entities"], schema.ENTITY_MENTIONS, "entity_id"),
        "relationships": _relationships(raw["relationships"], titles),
        "relationship_mentions": _mentions(
            raw["relationships"], schema.RELATIONSHIP_MENTIONS, "relationship_id"
        ),
    }
    communities = raw.get("communities")
    frames["communities"], frames["community_members"] = _communities(communities)
    frames["community_reports"] = _reports(raw.get("community_reports"), communities)
    frames["claims"] = _claims(raw.get("covariates"), titles)
    return frames


def _read_files(folder: Path) -> dict[str, pd.DataFrame]:
    missing = [f"{name}.parquet" for name in REQUIRED if not (folder / f"{name}.parquet").is_file()]
    if missing:
        raise InputError(
            f"{folder} is no GraphRAG v3 output folder: {', '.join(missing)} missing; "
            "give the folder that holds the parquet files."
        )
    return {
        name: pd.read_parquet(folder / f"{name}.parquet")
        for name in (*REQUIRED, *OPTIONAL)
        if (folder / f"{name}.parquet").is_file()
    }


def _take(raw: pd.DataFrame, file: str, **columns: str) -> pd.DataFrame:
    """Give the raw columns (values) under our names (keys); `human_readable_id` as short_id."""
    columns = {"id": "id", "short_id": "human_readable_id", **columns}
    missing = sorted(set(columns.values()) - set(raw.columns))
    if missing:
        raise InputError(
            f"{file}.parquet has no column {', '.join(missing)}: it is not of GraphRAG v3."
        )
    return pd.DataFrame({ours: raw[theirs] for ours, theirs in columns.items()})


def _documents(raw: pd.DataFrame) -> pd.DataFrame:
    rows = _take(raw, "documents", path="title", title="title", text="text")
    rows["content_hash"] = [content_hash(text.encode("utf-8")) for text in rows["text"]]
    rows["metadata"] = json.dumps({"format": "plain"})
    return table_frame(schema.DOCUMENTS, rows.drop(columns="short_id"))


def _chunks(raw: pd.DataFrame, documents: pd.DataFrame) -> pd.DataFrame:
    rows = _take(raw, "text_units", document_id="document_id", text="text", token_count="n_tokens")
    rows["chunk_index"] = rows.groupby("document_id").cumcount()
    rows["heading_path"] = ""
    texts = dict(zip(documents["id"], documents["text"], strict=True))
    seen: dict[str, int] = {}  # the search goes on behind the start of the chunk before
    starts: list[int | None] = []
    for document, text in zip(rows["document_id"], rows["text"], strict=True):
        start = texts.get(document, "").find(text, seen.get(document, 0))
        starts.append(start if start >= 0 else None)
        if start >= 0:
            seen[document] = start + 1
    rows["start_char"] = pd.array(starts, dtype="Int64")
    rows["end_char"] = rows["start_char"] + rows["text"].str.len()
    return table_frame(schema.CHUNKS, rows)


def _entities(raw: pd.DataFrame) -> pd.DataFrame:
    rows = _take(
        raw,
        "entities",
        name="title",
        type="type",
        description="description",
        mention_count="frequency",
        degree="degree",
    )
    rows["normalized_name"] = [normalize_name(name) for name in rows["name"]]
    rows["chunk_count"] = [len(set(units)) for units in raw["text_unit_ids"]]
    return table_frame(schema.ENTITIES, rows)


def _relationships(raw: pd.DataFrame, titles: pd.Series) -> pd.DataFrame:
    rows = _take(
        raw,
        "relationships",
        source_id="source",
        target_id="target",
        description="description",
        weight="weight",
        combined_degree="combined_degree",
    )
    for end in ("source_id", "target_id"):
        rows[end] = _ids(rows[end], titles)
    rows["type"] = "related"
    return table_frame(schema.RELATIONSHIPS, rows)


def _ids(names: pd.Series, titles: pd.Series) -> pd.Series:
    """Turn titles into entity ids, those without an entity row into `missing:TITLE`."""
    return names.map(titles).astype("str").where(names.isin(titles.index), PHANTOM + names)


def _mentions(raw: pd.DataFrame, table: schema.Table, owner: str) -> pd.DataFrame:
    pairs = _exploded(raw, owner, "text_unit_ids", "chunk_id")
    counts = pairs.groupby([owner, "chunk_id"], sort=False).size()
    return table_frame(table, counts.rename("mention_count").reset_index())


def _exploded(raw: pd.DataFrame, owner: str, column: str, item: str) -> pd.DataFrame:
    """Give one row an element of a list column: the row's id as `owner`, the element as `item`."""
    frame = pd.DataFrame({owner: raw["id"], item: raw[column]}).explode(item)
    return frame.dropna(subset=[item], ignore_index=True)


def _communities(raw: pd.DataFrame | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    if raw is None:
        return table_frame(schema.COMMUNITIES), table_frame(schema.COMMUNITY_MEMBERS)
    rows = _take(
        raw,
        "communities",
        short_id="community",
        level="level",
        parent_id="parent",
        title="title",
        size="size",
    )
    rows["parent_id"] = rows["parent_id"].map(rows.set_index("short_id")["id"])
    members = _exploded(raw, "community_id", "entity_ids", "entity_id")
    return (
        table_frame(schema.COMMUNITIES, rows),
        table_frame(schema.COMMUNITY_MEMBERS, members),
    )


def _reports(raw: pd.DataFrame | None, communities: pd.DataFrame | None) -> pd.DataFrame:
    if raw is None or communities is None:
        return table_frame(schema.COMMUNITY_REPORTS)
    kept = ("title", "summary", "rank", "rating_explanation", "findings", "full_content")
    rows = _take(raw, "community_reports", **{name: name for name in kept})
    numbers = communities.set_index("community")["id"]
    rows.insert(0, "community_id", raw["community"].map(numbers))
    rows["findings"] = [_findings(findings) for findings in rows["findings"]]
    rows["source"], rows["status"] = "model", "ok"
    return table_frame(schema.COMMUNITY_REPORTS, rows.drop(columns=["id", "short_id"]))


def _findings(findings: np.ndarray | list | None) -> str:
    rows = [] if findings is None else list(findings)
    return json.dumps(
        [{key: row.get(key) for key in ("summary", "explanation")} for row in rows],
        ensure_ascii=False,
    )


def _claims(raw: pd.DataFrame | None, titles: pd.Series) -> pd.DataFrame:
    if raw is None:
        return table_frame(schema.CLAIMS)
    same = ("type", "status", "start_date", "end_date", "description", "source_text")
    rows = _take(
        raw,
        "covariates",
        subject_id="subject_id",
        object_id="object_id",
        chunk_id="text_unit_id",
        **{name: name for name in same},
    )
    for column in ("object_id", "start_date", "end_date"):
        rows[column] = rows[column].mask(rows[column].isin(NOTHING))
    for end in ("subject_id", "object_id"):
        rows[end] = _ids(rows[end], titles).where(rows[end].notna())
    return table_frame(schema.CLAIMS, rows)
