"""A folder of Microsoft GraphRAG tables and a store in, a run out, embedded by the store's own.

Text units become the store's chunks. A store that holds the very same chunks gets one more run; one
with others is refused, so nothing that was there is lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from workbench import __version__
from workbench.corpus.clean import embed_text
from workbench.corpus.postings import postings
from workbench.errors import StoreError
from workbench.extraction.output import entity_vectors
from workbench.interop.beyond import restored
from workbench.interop.faults import Faults
from workbench.interop.graphrag_read import ReadIndex, read_index
from workbench.interop.graphrag_vectors import vector_rows
from workbench.models.embedding import Embedder, load_embedder
from workbench.params import EmbedParams
from workbench.reporting import report_vectors
from workbench.run import Run
from workbench.schema import RUN_TABLES
from workbench.stages import Stages
from workbench.storage import corpus as transactions
from workbench.storage.tables import run_name
from workbench.store import Store

MODE = "imported"


def import_graphrag(
    folder: str | Path,
    store: Store | str | Path,
    *,
    run: str = "graphrag",
    on_stage: Callable[[str], None] | None = None,
) -> Run:
    """Read an output folder of GraphRAG v3, v2, v1 or v0.3 into a run of `store`.

    Ids stay Microsoft's, `human_readable_id` is short_id. Chunks, entities and reports are embedded
    by the store's embedder; the index's own vectors stand in `imported_vectors`, those of reports
    by the id of their community. What is wrong with the index is in the run's table `rejected`,
    stage `import` (see `fault_counts`). A store that is not there is made. Raises
    InputError for a folder that cannot be read, StoreError for a store with other chunks, or with
    another run of that name.
    """
    started, stages = datetime.now(UTC).replace(tzinfo=None), Stages(on_stage)
    name = run_name(run)
    store = store if isinstance(store, Store) else Store(store)
    with stages("read"):
        found = read_index(folder)
        faults = Faults()
        vectors = vector_rows(found, faults)
        frames = restored(found.raw.folder, found.frames)
        frames["rejected"] = pd.concat([frames["rejected"], faults.frame()], ignore_index=True)
    params = _params(found, frames)
    empty = _refuse_others(store, name, frames["chunks"], params)
    with stages("load"):
        embedder = load_embedder(store.embed_params() if store.exists() else EmbedParams())
    if store.exists():
        store.require_embedder(embedder)
    with stages("embed"):
        made = entity_vectors(frames["entities"], embedder)
        made["community_reports"] = report_vectors(frames["community_reports"], embedder)
        if empty:
            _write_corpus(store, found, frames, embedder)
    with stages("write"):
        store.put("imported_vectors", vectors)
        tables = {table.name: frames[table.name] for table in RUN_TABLES if table.name in frames}
        return store.write_run(
            name,
            mode=MODE,
            params=params,
            tables=tables,
            vectors=made,
            llm=found.raw.settings.llm,
            started_at=started,
        )


def _params(found: ReadIndex, frames: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Give what tells one import from another: version, settings and a hash of the tables."""
    content = hashlib.sha256()
    for name in sorted(frames):
        content.update(name.encode())
        content.update(frames[name].to_json(orient="values").encode("utf-8", "surrogatepass"))
    told = {"version": found.raw.version, "content": content.hexdigest()[:16]}
    return {"graphrag": {**told, **found.raw.settings.known()}, "workbench": __version__}


def _refuse_others(store: Store, run: str, chunks: pd.DataFrame, params: dict[str, Any]) -> bool:
    """Say whether the store holds no chunk yet; StoreError when it holds others, or such a run."""
    if not store.exists():
        return True
    with store.session():
        there, runs = store.read("chunks"), set(store.runs()["name"])
        known = store.run(run).params.get("graphrag", {}) if run in runs else {}
    if run in runs and known.get("content") != params["graphrag"]["content"]:
        raise StoreError(
            f"The store {store.path} has another run {run!r} already: give --run another name, or "
            f"delete it with `workbench runs delete {run}`."
        )
    if there.empty and not runs:
        return True
    texts = dict(zip(there["id"], there["text"], strict=True))
    other = [
        id_
        for id_, text in zip(chunks["id"], chunks["text"], strict=True)
        if texts.get(id_) != text
    ]
    if other:
        raise StoreError(
            f"The store {store.path} holds other chunks than this index ({len(other)} of its "
            f"{len(chunks)} text units are not there): give another --store FILE."
        )
    return False


def _write_corpus(
    store: Store, found: ReadIndex, frames: dict[str, pd.DataFrame], embedder: Embedder
) -> None:
    """Write documents and chunks, embedded here, into a store that is made when it is not there."""
    chunks = frames["chunks"]
    vectors = embedder.encode([embed_text(text) for text in chunks["text"]], "embedding chunks")
    terms = postings(chunks)
    if not store.exists():
        longest = int(chunks["token_count"].max()) if chunks["token_count"].notna().any() else 0
        cut = found.raw.settings.chunk_params(found.raw.version, longest)
        Store.create(store.path, chunk=cut, embed=EmbedParams(), embedder=embedder)
    with store.writing() as connection:
        transactions.write(
            connection, frames["documents"], chunks, vectors, terms, embedder.dimension
        )
        transactions.finish(connection)
