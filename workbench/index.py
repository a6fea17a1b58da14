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

from workbench import ingest as ingestion
from workbench.asked import Asked, caller_for
from workbench.errors import InputError, StoreError
from workbench.extraction.modes import extract as extract_by_mode
from workbench.extraction.modes import require
from workbench.extraction.result import Extraction
from workbench.finish import finish, run_params
from workbench.models.calls import Caller
from workbench.models.embedding import Embedder, load_embedder
from workbench.models.language import LanguageModel
from workbench.params import ChunkParams, ClusterParams, EmbedParams, ExtractParams, LanguageParams
from workbench.run import Run
from workbench.stages import Stages
from workbench.storage import create, settings
from workbench.storage.tables import run_name
from workbench.store import Store

MOST_JOBS = 1024


@dataclass(frozen=True)
class IndexReport:
    """What a call of `index` had to do: numbers of documents and chunks, seconds by stage.

    `extracted` is False when the run was there already and nothing had changed. `calls` and
    `warnings` are those of the extraction (see `Extraction`).
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
    calls: dict[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


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
    llm: str | LanguageModel | Caller | None = None,
    language: LanguageParams | None = None,
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
    although nothing changed. `llm` is a language model, or its name like `ollama/llama3.2:3b`, for
    the modes hybrid and llm; its finished calls are kept in the store whatever happens, so that a
    run that broke off, or is made again, asks for the rest only. `on_stage` hears the name of each
    stage as it begins. The Run's `index_report` tells what there was to do.
    """
    if jobs is not None and not 1 <= abs(jobs) <= MOST_JOBS:
        raise InputError(f"jobs is {jobs}: give a number of processes, or -1 for one a core.")
    name = run_name(mode if run is None else run)
    store = store if isinstance(store, Store) else Store(store)
    asked = caller_for(llm, store, name, mode, language)
    require(mode, asked.language, asked.caller is not None)
    stages = Stages(on_stage)
    started = datetime.now(UTC).replace(tzinfo=None)
    embedder = functools.cache(functools.partial(_embedder, store, stages))
    done = ingestion.Ingested()
    asked.check_if_new()
    if corpus is not None:
        done = _ingest(corpus, store, chunk, embed, embedder, columns, force, jobs, stages)
    elif store.meta()["corpus_status"] != "complete":
        raise StoreError(
            f"The corpus in {store.path} is unfinished: run `workbench index CORPUS` again, "
            "which goes on from what is done."
        )
    params = run_params(store, extract, cluster, **asked.recorded())
    built = None if force else _finished(store, name, mode, params, asked.llm)
    if built is not None:
        return replace(built, index_report=IndexReport(**asdict(done), seconds=stages.seconds))
    found = _extract(store, mode, extract, embedder(), jobs, stages, asked)
    built = finish(
        store,
        name,
        found,
        mode=mode,
        params=params,
        cluster=cluster,
        stages=stages,
        started=started,
        llm=asked.llm,
    )
    if asked.caller is not None:
        store.add_usage(name, asked.caller.usage())
    report = IndexReport(
        **asdict(done),
        extracted=True,
        seconds=stages.seconds,
        calls=found.calls,
        warnings=found.warnings,
    )
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


def _finished(
    store: Store, name: str, mode: str, params: dict[str, Any], llm: str | None
) -> Run | None:
    """Give the run when it is there, complete, and made with these parameters."""
    if name not in set(store.runs()["name"]):
        return None
    run = store.run(name)
    same = (run.mode, run.params, run.llm, run.status) == (mode, params, llm, "complete")
    return run if same else None


def _extract(
    store: Store,
    mode: str,
    extract: ExtractParams | None,
    embedder: Embedder,
    jobs: int | None,
    stages: Stages,
    asked: Asked,
) -> Extraction:
    """Compute what a run finds; nothing is written but the calls to a model."""
    with stages("extract"):
        with store.session():
            documents, chunks = store.read("documents"), store.read("chunks")
        return extract_by_mode(
            mode,
            documents,
            chunks,
            embedder,
            extract,
            jobs,
            caller=asked.caller,
            language=asked.language,
        )
