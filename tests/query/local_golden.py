"""Microsoft's goldens as the frames of a RunIndex: the toy graph, and the Dulce index."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from workbench import schema
from workbench.frames import table_frame
from workbench.interop.graphrag_read import read_graphrag
from workbench.query import run_index as ri
from workbench.query.local_shipped import with_dangling
from workbench.query.run_index import RunIndex


def toy_index(given: dict[str, Any]) -> RunIndex:
    entities = pd.DataFrame(
        [
            {"id": e["id"], "short_id": int(e["short_id"]), "name": e["title"]}
            | {"description": e["description"], "degree": e["rank"], "mention_count": 1}
            for e in given["entities"]
        ]
    )
    by_name = dict(zip(entities["name"], entities["id"], strict=True))
    relationships = pd.DataFrame(
        [
            {"id": r["id"], "short_id": int(r["short_id"]), "description": r["description"]}
            | {"source_id": by_name[r["source"]], "target_id": by_name[r["target"]]}
            | {"weight": r["weight"], "combined_degree": r["rank"]}
            for r in given["relationships"]
        ]
    )
    communities = pd.DataFrame(
        [{"id": r["community_id"], "short_id": int(r["short_id"])} for r in given["reports"]]
    ).assign(level=0)
    reports = pd.DataFrame(
        [
            {"community_id": r["community_id"], "title": r["title"], "rank": r["rank"]}
            | {"full_content": r["full_content"], "status": "ok"}
            for r in given["reports"]
        ]
    )
    tables = {
        "entities": entities,
        "relationships": relationships,
        "communities": communities,
        "community_reports": reports,
        "claims": None,
        "entity_mentions": _pairs(
            given["entities"], "text_unit_ids", ("entity_id", "chunk_id")
        ).assign(mention_count=1),
        "relationship_mentions": _pairs(
            given["relationships"], "text_unit_ids", ("relationship_id", "chunk_id")
        ),
        "community_members": _pairs(
            given["entities"], "community_ids", ("entity_id", "community_id")
        ),
        "entity_aliases": table_frame(schema.ENTITY_ALIASES),
    }
    chunks = pd.DataFrame(
        [{"id": t["id"], "short_id": int(t["short_id"])} for t in given["text_units"]]
    ).assign(document="", heading_path="")
    return built(tables, chunks, np.zeros((len(entities), 1), np.float32))


def dulce_index(folder: Path) -> tuple[RunIndex, list[str]]:
    """Give the index with its own entity vectors, and the texts of its chunks."""
    tables = read_graphrag(folder)
    tables["entity_aliases"] = table_frame(schema.ENTITY_ALIASES)
    with np.load(folder / "vectors.entity_description.npz") as file:
        row_of = {id_: row for row, id_ in enumerate(file["id"])}
        vectors = file["vector"]
    matrix = np.stack([vectors[row_of[id_]] for id_ in tables["entities"]["id"]])
    # Microsoft numbers chunks by their row
    chunks = tables["chunks"].assign(short_id=range(len(tables["chunks"])))
    return built(tables, chunks, matrix), chunks["text"].tolist()


def built(tables: dict[str, Any], chunks: pd.DataFrame, matrix: np.ndarray) -> RunIndex:
    """Number a run's tables as run_index does, without a store."""
    entities, communities = tables["entities"], tables["communities"]
    entity_of, community_of = ri._rows(entities), ri._rows(communities)
    chunk_of = ri._rows(chunks)
    relationships = ri._relationships(tables["relationships"], entities, entity_of)
    relationship_of = ri._rows(relationships)
    index = RunIndex(
        SimpleNamespace(),
        SimpleNamespace(chunks=chunks, row_of=chunk_of),
        entities,
        tables["entity_aliases"],
        relationships,
        ri._numbered(
            tables["entity_mentions"],
            {"entity_id": entity_of, "chunk_id": chunk_of},
            ["mention_count"],
        ),
        ri._numbered(
            tables["relationship_mentions"],
            {"relationship_id": relationship_of, "chunk_id": chunk_of},
        ),
        communities,
        ri._numbered(
            tables["community_members"], {"entity_id": entity_of, "community_id": community_of}
        ),
        ri._reports(tables["community_reports"], communities),
        tables["claims"],
        matrix,
        np.zeros((0, matrix.shape[1]), np.float32),
    )
    return with_dangling(index, tables["relationships"], tables["relationship_mentions"])


def _pairs(rows: list[dict[str, Any]], items: str, names: tuple[str, str]) -> pd.DataFrame:
    return pd.DataFrame([(row["id"], item) for row in rows for item in row[items]], columns=names)
