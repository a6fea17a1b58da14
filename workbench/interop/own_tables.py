"""The user's own entities and relationships (or a networkx graph) in, a run of the store out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from workbench import __version__, schema
from workbench.errors import InputError
from workbench.extraction.output import entity_vectors
from workbench.extraction.result import Extraction
from workbench.finish import finish
from workbench.frames import table_frame
from workbench.ids import entity_id, normalize_name, relationship_id
from workbench.interop.graphrag_import import MODE
from workbench.interop.graphrag_read import UNTYPED
from workbench.models.embedding import load_embedder
from workbench.params import ChunkParams, ClusterParams, EmbedParams
from workbench.run import Run
from workbench.stages import Stages
from workbench.storage import corpus as transactions
from workbench.storage.tables import run_name
from workbench.store import Store

if TYPE_CHECKING:
    import networkx as nx

_ENTITY = ("id", "name", "type", "description", "chunk_ids")
_RELATIONSHIP = ("source", "target", "type", "description", "weight", "chunk_ids")


def run_from_frames(
    store: Store | str | Path,
    name: str,
    entities: pd.DataFrame,
    relationships: pd.DataFrame,
    *,
    cluster: ClusterParams | None = None,
) -> Run:
    """Make the run `name` of your own tables; degrees, communities and vectors are made here.

    `entities`: name, and if you like id, type, description, chunk_ids (a list of ids of the store's
    chunks that mention it). `relationships`: source and target (ids where entities have them, names
    otherwise), and if you like type, description, weight (1 by default), chunk_ids. Rows of one
    source, target and type become one, their weights summed. A store that is not there is made,
    without documents. Raises InputError for the first row that cannot be used, StoreError when the
    store has a run of that name that was not made so.
    """
    started, name = datetime.now(UTC).replace(tzinfo=None), run_name(name)
    store = store if isinstance(store, Store) else Store(store)
    known: set[str] = set()
    if store.exists():
        with store.session():
            known = set(store.read("chunks")["id"])
            _refuse_other_run(store, name)
    nodes = _entities(_checked(entities, "entities", _ENTITY, ("name",)))
    links = _checked(relationships, "relationships", _RELATIONSHIP, ("source", "target"))
    edges = _relationships(links, nodes)
    mentions = _mentions(nodes, schema.ENTITY_MENTIONS, "entity_id", known)
    shown = _mentions(edges, schema.RELATIONSHIP_MENTIONS, "relationship_id", known)
    embedder = load_embedder(store.embed_params() if store.exists() else EmbedParams())
    if store.exists():
        store.require_embedder(embedder)
    frame = table_frame(
        schema.ENTITIES, _counted(nodes, mentions).drop(columns=["key", "chunk_ids"])
    )
    found = Extraction(
        frame,
        table_frame(schema.ENTITY_ALIASES),
        mentions,
        table_frame(schema.RELATIONSHIPS, edges.drop(columns="chunk_ids")),
        shown,
        table_frame(schema.REJECTED),
        entity_vectors(frame, embedder),
    )
    if not store.exists():
        Store.create(store.path, chunk=ChunkParams(), embed=EmbedParams(), embedder=embedder)
        with store.writing() as connection:
            transactions.finish(connection)
    params = {"cluster": (cluster or ClusterParams()).model_dump(mode="json")}
    return finish(
        store,
        name,
        found,
        mode=MODE,
        params={**params, "own": {"entities": len(nodes)}, "workbench": __version__},
        cluster=cluster,
        stages=Stages(),
        started=started,
    )


def run_from_networkx(
    store: Store | str | Path,
    name: str,
    graph: nx.Graph,
    *,
    cluster: ClusterParams | None = None,
) -> Run:
    """Make the run `name` of a networkx graph of any kind; see `run_from_frames`.

    A node's name is its attribute `name` or `label`, else the node itself; type, description and
    chunk_ids are attributes, too. An edge may have type (or label), description, weight, chunk_ids.
    """
    nodes = [
        {"id": str(node), "name": told.get("name", told.get("label", str(node)))}
        | {key: told[key] for key in ("type", "description", "chunk_ids") if key in told}
        for node, told in graph.nodes(data=True)
    ]
    edges = [
        {"source": str(source), "target": str(target)}
        | {key: told[key] for key in _RELATIONSHIP[2:] if key in told}
        | ({"type": told["label"]} if "label" in told and "type" not in told else {})
        for source, target, told in graph.edges(data=True)
    ]
    frames = (pd.DataFrame(nodes, columns=_ENTITY), pd.DataFrame(edges, columns=_RELATIONSHIP))
    return run_from_frames(store, name, *frames, cluster=cluster)


def _refuse_other_run(store: Store, name: str) -> None:
    if name in set(store.runs()["name"]) and "own" not in store.run(name).params:
        raise InputError(
            f"The store {store.path} has a run {name!r} that was not made of own tables: give "
            "another name."
        )


def _checked(
    frame: pd.DataFrame, what: str, columns: Sequence[str], required: Sequence[str]
) -> pd.DataFrame:
    """Give the known columns, texts as text; those required must be in each row."""
    missing = [name for name in required if name not in frame.columns]
    if missing:
        raise InputError(
            f"The table {what} has no column {' or '.join(missing)}, but "
            f"{', '.join(map(str, frame.columns)) or 'none'}: rename yours."
        )
    frame = frame.reset_index(drop=True)
    found = {}
    for name in columns:
        cells = frame[name] if name in frame else pd.Series([None] * len(frame), dtype=object)
        if name not in ("weight", "chunk_ids"):
            cells = cells.astype(object)
            cells = cells.map(lambda cell: None if pd.isna(cell) else str(cell).strip())
            cells = cells.where(cells.notna(), None)
        found[name] = cells
    for name in required:
        empty = np.flatnonzero(found[name].fillna("") == "")
        if len(empty):
            raise InputError(f"The table {what} has no {name} in row {empty[0]}: give it one.")
    if what == "entities" and frame.empty:
        raise InputError("The table entities has no rows: give one an entity.")
    return pd.DataFrame(found)


def _entities(rows: pd.DataFrame) -> pd.DataFrame:
    """Give entities with our ids; `key` is what relationships call them."""
    rows["key"] = rows["name"] if rows["id"].isna().all() else rows["id"]
    if rows["key"].isna().any():
        row = rows["name"][rows["key"].isna()].iloc[0]
        raise InputError(f"The table entities has no id for {row!r}: give each row one, or none.")
    twice = rows["key"][rows["key"].duplicated()]
    if len(twice):
        known = "id" if rows["id"].notna().any() else "name"
        raise InputError(
            f"The table entities has the {known} {twice.iloc[0]!r} in more than one row: merge "
            "the rows, or give each an id of its own."
        )
    rows["type"] = rows["type"].fillna("")
    rows["description"] = rows["description"].fillna("")
    rows["normalized_name"] = rows["name"].map(normalize_name)
    rows["id"] = [
        entity_id(*pair) for pair in zip(rows["normalized_name"], rows["type"], strict=True)
    ]
    again = rows[rows["id"].duplicated()]
    if len(again):
        row = again.iloc[0]
        raise InputError(
            f"The table entities has {row['name']!r} of type {row['type']!r} twice (quotes, case "
            "and blanks do not count): merge the rows, or give them different types."
        )
    return rows.assign(short_id=np.arange(len(rows)))


def _relationships(rows: pd.DataFrame, nodes: pd.DataFrame) -> pd.DataFrame:
    ids = dict(zip(nodes["key"], nodes["id"], strict=True))
    for end in ("source", "target"):
        rows[f"{end}_id"] = rows[end].map(ids)
        lost = np.flatnonzero(rows[f"{end}_id"].isna())
        if len(lost):
            raise InputError(
                f"The table relationships has the {end} {rows[end].iloc[lost[0]]!r} in row "
                f"{lost[0]}, but no entity is called so: add it to entities, or mend it."
            )
    rows["type"] = rows["type"].fillna("").replace("", UNTYPED)
    rows["description"] = rows["description"].fillna("")
    rows["weight"] = _weights(rows["weight"])
    rows["id"] = [
        relationship_id(source, target, type_, directed=True)
        for source, target, type_ in zip(
            rows["source_id"], rows["target_id"], rows["type"], strict=True
        )
    ]
    rows["chunk_ids"] = rows["chunk_ids"].map(_list)
    first = {"source_id": "first", "target_id": "first", "type": "first", "description": "max"}
    one = rows.groupby("id", sort=False).agg({**first, "weight": "sum", "chunk_ids": "sum"})
    return one.reset_index().assign(short_id=np.arange(len(one)))


def _weights(cells: pd.Series) -> pd.Series:
    told = cells.astype(object).where(cells.notna(), 1.0)
    weights = pd.to_numeric(told, errors="coerce").astype("float64")
    wrong = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if len(wrong):
        raise InputError(
            f"The table relationships has the weight {told.iloc[wrong[0]]!r} in row {wrong[0]}: "
            "give a number from 0."
        )
    return weights


def _list(cell: Any) -> list[str]:
    if isinstance(cell, str):
        raise InputError(f"chunk_ids is {cell[:60]!r}: give a list of ids.")
    return [] if not isinstance(cell, Sequence | np.ndarray | set) else [str(one) for one in cell]


def _mentions(rows: pd.DataFrame, table: schema.Table, owner: str, known: set[str]) -> pd.DataFrame:
    pairs = pd.DataFrame({owner: rows["id"], "chunk_id": rows["chunk_ids"].map(_list)})
    pairs = pairs.explode("chunk_id", ignore_index=True).dropna()
    lost = pairs["chunk_id"][~pairs["chunk_id"].isin(known)]
    if len(lost):
        raise InputError(
            f"chunk_ids names {lost.iloc[0]!r}, but the store has no such chunk: take the ids of "
            'store.read("chunks").'
        )
    counts = pairs.groupby([owner, "chunk_id"], sort=False).size()
    return table_frame(table, counts.rename("mention_count").reset_index())


def _counted(nodes: pd.DataFrame, mentions: pd.DataFrame) -> pd.DataFrame:
    grouped = mentions.groupby("entity_id")["mention_count"]
    return nodes.assign(
        mention_count=nodes["id"].map(grouped.sum()).fillna(0).astype("int64"),
        chunk_count=nodes["id"].map(grouped.size()).fillna(0).astype("int64"),
    )
