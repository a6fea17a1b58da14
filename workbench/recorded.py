"""A store in, runs made without asking anybody out: recorded extractions, and unions of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

from workbench.corpus.markdown import prose, tree_of
from workbench.errors import InputError, StoreError
from workbench.extraction.acronyms import Definition, definitions
from workbench.extraction.openie import extract_openie, read_openie
from workbench.extraction.output import entity_texts
from workbench.extraction.union import unite
from workbench.extraction.units import units_of
from workbench.finish import finish, run_params
from workbench.models.embedding import load_embedder
from workbench.models.reuse import ReusingEmbedder
from workbench.params import ClusterParams, ExtractParams
from workbench.run import Run
from workbench.schema import RUN_TABLES
from workbench.stages import Stages
from workbench.storage.tables import run_name
from workbench.store import Store

if TYPE_CHECKING:
    from workbench.models.embedding import Embedder


def import_openie(
    store: Store,
    file: str | Path,
    run: str = "openie",
    *,
    extract: ExtractParams | None = None,
    cluster: ClusterParams | None = None,
    jobs: int | None = None,
) -> Run:
    """Make a run (mode llm) of HippoRAG-style JSONL over the store's chunks.

    Each line has doc_id (a document's id in the store), entities and triples. What the documents
    do not bear out is in the run's table rejected. Raises InputError for a file that is none, or
    of which nothing fits the store's documents.
    """
    name, stages, started = run_name(run), Stages(), _now()
    recorded = read_openie(file)
    with store.session():
        documents, chunks = store.read("documents"), store.read("chunks")
        embedder = _embedder(store)
    params = extract or ExtractParams()
    with stages("extract"):
        found = extract_openie(documents, chunks, embedder, params, recorded, jobs)
    return finish(
        store,
        name,
        found,
        mode="llm",
        params=run_params(store, extract, cluster, openie=Path(file).name),
        cluster=cluster,
        stages=stages,
        started=started,
        llm=f"recorded/{Path(file).name}",
    )


def union_runs(
    store: Store,
    runs: Sequence[str],
    run: str = "hybrid",
    *,
    extract: ExtractParams | None = None,
    cluster: ClusterParams | None = None,
    jobs: int | None = None,
) -> Run:
    """Make a run (mode hybrid) of all that two or more runs found, resolved together.

    The first one's names and types stand before those of the others. What a run has rejected stays
    rejected, with its name before the stage (`gpt35: entities`), also where another run kept it.
    Raises InputError for fewer than two runs and StoreError for one that is absent or stale.
    """
    name, stages, started = run_name(run), Stages(), _now()
    if len(set(runs)) < 2 or name in runs:
        raise InputError(
            f"A union needs two other runs, not {', '.join(runs) or 'none'} for {name!r}: name "
            "them, as in heuristic and gpt35."
        )
    parts = [store.run(part) for part in runs]
    for part in parts:
        if part.status != "complete":
            raise StoreError(f"Run {part.name!r} is {part.status}: make it again first.")
    with store.session():
        documents, chunks = store.read("documents"), store.read("chunks")
        embedder = _embedder(store)
        tables = [{table.name: part.read(table.name) for table in RUN_TABLES} for part in parts]
    params = extract or ExtractParams()
    with stages("extract"):
        units = units_of(documents, chunks)
        found = Parallel(n_jobs=jobs)(delayed(_definitions)(u.text, u.format) for u in units)
        acronyms: dict[str, list[Definition]] = {}
        for unit, here in zip(units, found, strict=True):
            acronyms.setdefault(unit.document_id, []).extend(here)
        made = unite(tables, chunks, acronyms, embedder, params)
        refused = [
            part["rejected"].assign(stage=name + ": " + part["rejected"]["stage"].astype(str))
            for name, part in zip(runs, tables, strict=True)
        ]
        made = replace(made, rejected=pd.concat(refused, ignore_index=True))
    llms = sorted({part.llm for part in parts if part.llm})
    return finish(
        store,
        name,
        made,
        mode="hybrid",
        params=run_params(store, extract, cluster, union=list(runs)),
        cluster=cluster,
        stages=stages,
        started=started,
        llm=", ".join(llms) or None,
    )


def _definitions(text: str, format_: str) -> list[Definition]:
    spans = prose(text, tree_of(text, format_))
    return [found for span in spans for found in definitions(text, span.start, span.end)]


def _embedder(store: Store) -> Embedder:
    """Give the store's embedder; what entities of other runs are called it does not embed again."""
    embedder = load_embedder(store.embed_params())
    store.require_embedder(embedder)
    known: dict[str, np.ndarray] = {}
    for name in store.runs()["name"]:
        vectors = store.vectors("entities", name)
        row = dict(zip(vectors.ids, vectors.matrix, strict=True))
        entities = store.read("entities", name)
        for id_, text in zip(entities["id"], entity_texts(entities), strict=True):
            if id_ in row:
                known[text] = row[id_]
    return ReusingEmbedder(embedder, known)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
