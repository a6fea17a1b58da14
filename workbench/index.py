"""A corpus and a store in, a Run out: read, chunk, embed, extract, cluster, each once.

What is done already is not done again: documents that did not change keep their chunks and
vectors, and a complete run with the same parameters over the same chunks is given back as it is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench import ingest as ingestion
from workbench.errors import InputError, StoreError
from workbench.extraction.modes import MODES
from workbench.extraction.modes import extract as extract_by_mode
from workbench.graph.communities import cluster as find_communities
from workbench.graph.degrees import with_degrees
from workbench.models.embedding import Embedder, load_embedder
from workbench.params import ChunkParams, ClusterParams, EmbedParams, ExtractParams
from workbench.run import Run
from workbench.stages import Stages
from workbench.storage import create, settings
from workbench.storage.tables import run_name
from workbench.store import Store


@dataclass(frozen=True)
class IndexReport:
    """What a call of `index` had to do: numbers of documents and chunks, seconds by stage.

    `extracted` is False when the run was there already and nothing had changed.
    """

    documents: int = 0
    skipped: int = 0
    unchanged: int = 0
    deleted: int = 0
    embedded: int = 0
    reused: int = 0
    changed: bool = False
    extracted: bool = False
    seconds: dict[str, float] = field(default_factory=dict)


def index(
    corpus: str | Path | None,
    store: Store | str | Path,
    *,
    mode: str = "heuristic",
    run: str | None = None,
    chunk: ChunkParams | None = None,
    embed: EmbedParams | None = None,
    extract: ExtractParams | None = None,
    cluster: ClusterParams | None = None,
    jobs: int | None = None,
    columns: Mapping[str, str] | None = None,
    force: bool = False,
    on_stage: Callable[[str], None] | None = None,
) -> Run:
    """Bring `store` to hold `corpus`, and extract a run from its chunks.

    `corpus` is a folder or a table file (`columns` names its columns id, title, text); None takes
    the chunks that the store holds. `run` is named after `mode` unless told. `chunk` and `embed`
    default to what the file was made with; others are refused with a StoreError, unless `force`,
    which cuts and embeds all again and drops the runs. Where they agree, `force` extracts again
    although nothing changed. `on_stage` hears the name of each stage as it begins. The Run's
    `index_report` tells what there was to do.
    """
    if mode not in MODES:
        raise InputError(f"Mode {mode!r} does not exist: choose one of {', '.join(MODES)}.")
    name = run_name(run or mode)
    store = store if isinstance(store, Store) else Store(store)
    stages = Stages(on_stage)
    started = datetime.now(UTC).replace(tzinfo=None)
    embedder = functools.cache(functools.partial(_embedder, store, stages))
    done = ingestion.Ingested()
    if corpus is not None:
        done = _ingest(corpus, store, chunk, embed, embedder, columns, force, jobs, stages)
    elif store.meta()["corpus_status"] != "complete":
        raise StoreError(
            f"The corpus in {store.path} is unfinished: run `workbench index CORPUS` again, "
            "which goes on from what is done."
        )
    params = _run_params(mode, store, extract, cluster)
    built = None if force else _finished(store, name, mode, params)
    fresh = built is None
    if built is None:
        built = _extract(
            store, name, mode, params, extract, cluster, embedder, jobs, stages, started
        )
    report = IndexReport(**asdict(done), extracted=fresh, seconds=stages.seconds)
    return replace(built, index_report=report)


def _ingest(
    corpus: str | Path,
    store: Store,
    chunk: ChunkParams | None,
    embed: EmbedParams | None,
    embedder: Callable[[], Embedder],
    columns: Mapping[str, str] | None,
    force: bool,
    jobs: int | None,
    stages: Stages,
) -> ingestion.Ingested:
    """Refuse what cannot be, then read the corpus and write what changed."""
    rebuild = store.exists() and not _agrees(store, chunk, embed, force)
    with stages("read"):
        found = ingestion.read(corpus, columns)
    if rebuild or not store.exists():
        _make_tables(store, chunk, embed, stages)
    return ingestion.ingest(found, store, embedder, stages, jobs)


def _agrees(
    store: Store, chunk: ChunkParams | None, embed: EmbedParams | None, force: bool
) -> bool:
    """Say whether the parameters are the file's; StoreError when not and not `force`."""
    try:
        settings.require_params(store.meta(), chunk, embed, store.path)
    except StoreError:
        if not force:
            raise
        return False
    return True


def _make_tables(
    store: Store, chunk: ChunkParams | None, embed: EmbedParams | None, stages: Stages
) -> None:
    """Make the file, or make its tables anew for parameters other than its own."""
    if store.exists():
        chunk, embed = chunk or store.chunk_params(), embed or store.embed_params()
    chunk, embed = chunk or ChunkParams(), embed or EmbedParams()
    with stages("load"):
        meta = settings.rows(chunk, embed, load_embedder(embed))
    if not store.exists():
        create.create(store.path, meta)
        return
    with store.writing() as connection:
        create.make_again(connection, meta)


def _embedder(store: Store, stages: Stages) -> Embedder:
    """Give the embedder that the file was made with; StoreError when it is another by now."""
    with stages("load"):
        embedder = load_embedder(store.embed_params())
    store.require_embedder(embedder)
    return embedder


def _run_params(
    mode: str, store: Store, extract: ExtractParams | None, cluster: ClusterParams | None
) -> dict[str, Any]:
    """Give what a run is made with, as it stands in `runs.params`."""
    meta = store.meta()
    return {
        "chunk": settings.chunk_params(meta).model_dump(mode="json"),
        "embed": settings.embed_params(meta).model_dump(mode="json"),
        "extract": (extract or ExtractParams()).model_dump(mode="json"),
        "cluster": (cluster or ClusterParams()).model_dump(mode="json"),
        "workbench": __version__,
    }


def _finished(store: Store, name: str, mode: str, params: dict[str, Any]) -> Run | None:
    """Give the run when it is there, complete, and made with these parameters."""
    if name not in set(store.runs()["name"]):
        return None
    run = store.run(name)
    same = (run.mode, run.params, run.status) == (mode, params, "complete")
    return run if same else None


def _extract(
    store: Store,
    name: str,
    mode: str,
    params: dict[str, Any],
    extract: ExtractParams | None,
    cluster: ClusterParams | None,
    embedder: Callable[[], Embedder],
    jobs: int | None,
    stages: Stages,
    started: datetime,
) -> Run:
    """Compute all tables of a run, then write them in one transaction."""
    model = embedder()
    with stages("extract"):
        with store.session():
            documents, chunks = store.read("documents"), store.read("chunks")
        found = extract_by_mode(mode, documents, chunks, model, extract, jobs=jobs)
    with stages("cluster"):
        cluster = cluster or ClusterParams()
        entities, relationships = with_degrees(found.entities, found.relationships, cluster.variant)
        communities = find_communities(entities, relationships, cluster)
    frames = {
        **found.tables(),
        "entities": entities,
        "relationships": relationships,
        "communities": communities.communities,
        "community_members": communities.community_members,
    }
    with stages("write"):
        return store.write_run(
            name,
            mode=mode,
            params=params,
            tables=frames,
            vectors=found.vectors,
            started_at=started,
        )
